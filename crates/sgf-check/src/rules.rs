//! Rules: which of them are on, and with which severity.

use sgf_stream::Severity;

use super::Rule;

/// The rules that are on, and their severities.
///
/// ```
/// use sgf_stream::Severity;
/// use sgf_check::{Rule, Rules};
///
/// let rules = Rules::new()
///     .allow(Rule::UnknownProperty)
///     .warn(Rule::MoveInRoot)
///     .deny("sloppy-value".parse()?);
/// assert_eq!(rules.severity(Rule::UnknownProperty), None);
/// assert_eq!(rules.severity(Rule::SloppyValue), Some(Severity::Error));
/// # Ok::<(), sgf_check::UnknownRuleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    severities: [Option<Severity>; Rule::COUNT],
}

impl Rules {
    /// Returns the defaults: every rule with its own severity, those of [style](Rule::is_style) off.
    pub fn new() -> Self {
        Rules::of(|rule| (!rule.is_style()).then_some(rule.severity()))
    }

    /// Returns every rule, those of style included, with all diagnostics as errors.
    pub fn strict() -> Self {
        Rules::of(|_| Some(Severity::Error))
    }

    /// Returns a set in which every rule is off, to turn some on.
    pub fn none() -> Self {
        Rules::of(|_| None)
    }

    fn of(severity: impl Fn(Rule) -> Option<Severity>) -> Self {
        let mut rules = Rules { severities: [None; Rule::COUNT] };
        rules.severities.iter_mut().zip(Rule::all()).for_each(|(slot, rule)| *slot = severity(rule));
        rules
    }

    /// Returns these rules without those whose diagnostics have no repair.
    pub(super) fn fixable(&self) -> Self {
        Rules::of(|rule| self.severity(rule).filter(|_| rule.is_fixable()))
    }

    /// Turns a rule off.
    #[must_use]
    pub fn allow(self, rule: Rule) -> Self {
        self.set(rule, None)
    }

    /// Turns a rule on, with its diagnostics as warnings.
    #[must_use]
    pub fn warn(self, rule: Rule) -> Self {
        self.set(rule, Some(Severity::Warning))
    }

    /// Turns a rule on, with its diagnostics as errors.
    #[must_use]
    pub fn deny(self, rule: Rule) -> Self {
        self.set(rule, Some(Severity::Error))
    }

    fn set(mut self, rule: Rule, severity: Option<Severity>) -> Self {
        self.severities[rule.index()] = severity;
        self
    }

    /// Returns the severity of the diagnostics of a rule; `None` if it is off.
    pub fn severity(&self, rule: Rule) -> Option<Severity> {
        self.severities[rule.index()]
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::new()
    }
}

//! Findings of the checker, with an example of each rule.

use std::collections::BTreeMap;

use sgf_stream::check::{Finding, Rule};

use crate::input::Name;

/// Number of bytes that an example has on each side.
const CONTEXT: usize = 60;

/// The first finding of a rule.
#[derive(Debug)]
pub(in crate::report) struct Example {
    pub(in crate::report) file: String,
    pub(in crate::report) offset: u64,
    /// Line and column, from 1.
    pub(in crate::report) place: Option<(u64, u64)>,
    pub(in crate::report) message: String,
    /// The bytes around it and those that it is about, if they are known.
    pub(in crate::report) excerpt: Option<Excerpt>,
}

#[derive(Debug)]
pub(in crate::report) struct Excerpt {
    pub(in crate::report) before: String,
    pub(in crate::report) marked: String,
    pub(in crate::report) after: String,
}

impl Excerpt {
    /// An excerpt of the bytes of a part, which start at an offset.
    pub(in crate::report) fn of(bytes: &[u8], start: u64, finding: &Finding) -> Option<Excerpt> {
        let span = finding.span();
        let from = usize::try_from(span.start.checked_sub(start)?).ok().filter(|from| *from <= bytes.len())?;
        let to = usize::try_from(span.end.saturating_sub(start)).ok()?.clamp(from, bytes.len());
        let to = to.max((from + 1).min(bytes.len())).min(from + CONTEXT);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        // Not from the middle of a character.
        let is_start = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
        let first = (from.saturating_sub(CONTEXT)..=from).find(is_start).unwrap_or(from);
        let last = (to..=(to + CONTEXT).min(bytes.len())).rev().find(is_start).unwrap_or(to);
        Some(Excerpt {
            before: text(&bytes[first..from]),
            marked: text(&bytes[from..to]),
            after: text(&bytes[to..last]),
        })
    }
}

/// Examples by rule.
#[derive(Debug, Default)]
pub(in crate::report) struct Examples(pub(in crate::report) BTreeMap<Rule, Example>);

impl Examples {
    /// Takes a finding as the example of its rule, if it is the first.
    pub(in crate::report) fn take(
        &mut self,
        name: &Name,
        finding: &Finding,
        excerpt: impl FnOnce() -> Option<Excerpt>,
    ) {
        self.0.entry(finding.rule()).or_insert_with(|| Example {
            file: name.as_str().to_owned(),
            offset: finding.offset(),
            place: finding.position().map(|position| (position.line, position.column)),
            message: finding.message().to_owned(),
            excerpt: excerpt(),
        });
    }

    pub(in crate::report) fn merge(&mut self, later: Examples) {
        later.0.into_iter().for_each(|(rule, example)| _ = self.0.entry(rule).or_insert(example));
    }
}

//! The switches that select rules, and `--explain`.

use std::io::{self, Write};
use std::process::ExitCode;

use sgf_check::{Rule, Rules, UnknownRuleError};
use sgf_stream::{Code, Repair};

use super::Args;
use crate::{names, near};

/// A list of rules and groups.
#[derive(Clone)]
pub(super) struct Names(Vec<Name>);

#[derive(Clone, Copy)]
enum Name {
    All,
    Syntax,
    Style,
    One(Rule),
}

impl Names {
    pub(super) fn parse(list: &str) -> Result<Self, String> {
        let name = |name: &str| match name.trim() {
            "all" => Ok(Name::All),
            "syntax" => Ok(Name::Syntax),
            "style" => Ok(Name::Style),
            name => name.parse().map(Name::One).map_err(|_: UnknownRuleError| {
                format!(
                    "unknown rule '{name}'{} (`sgf check --explain all` lists all)",
                    near::hint(name, names::rules())
                )
            }),
        };
        list.split(',').map(name).collect::<Result<_, _>>().map(Names)
    }

    fn has(&self, rule: Rule) -> bool {
        [false, true].into_iter().any(|groups| self.rules(groups).any(|named| named == rule))
    }

    /// Returns the rules of its groups, or those that it names one by one.
    fn rules(&self, groups: bool) -> impl Iterator<Item = Rule> {
        Rule::all().filter(move |&rule| {
            self.0.iter().any(|name| match name {
                Name::One(one) => !groups && *one == rule,
                Name::All => groups,
                Name::Syntax => groups && matches!(rule, Rule::Syntax(_)),
                Name::Style => groups && rule.is_style(),
            })
        })
    }
}

const NO_SGF: Rule = Rule::Syntax(Code::NoSgfData);

/// Returns whether a rule was asked for: with `--only`, no other one puts a file into the list of `--list`.
pub(super) fn is_asked_for(args: &Args, rule: Rule) -> bool {
    rule != NO_SGF || args.only.is_empty() || args.only.iter().any(|names| names.has(rule))
}

pub(super) fn of(args: &Args) -> Rules {
    let is_only = |rule: Rule| args.only.iter().any(|names| names.has(rule));
    let mut rules = if args.strict { Rules::strict() } else { Rules::new() };
    if !args.strict {
        // They are off by default.
        rules = Rule::all().filter(|rule| rule.is_style() && is_only(*rule)).fold(rules, Rules::warn);
    }
    for groups in [true, false] {
        let of = |names: &[Names]| -> Vec<Rule> { names.iter().flat_map(|names| names.rules(groups)).collect() };
        rules = of(&args.allow).into_iter().fold(rules, Rules::allow);
        rules = of(&args.warn).into_iter().fold(rules, Rules::warn);
        rules = of(&args.deny).into_iter().fold(rules, Rules::deny);
    }
    match args.only.is_empty() {
        true => rules,
        // A file without SGF is always an error.
        false => Rule::all().filter(|rule| !is_only(*rule) && *rule != NO_SGF).fold(rules, Rules::allow),
    }
}

pub(super) fn explain(names: &Names) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let wanted: Vec<Rule> = {
        let groups: Vec<Rule> = names.rules(true).collect();
        names.rules(false).filter(|rule| !groups.contains(rule)).chain(groups.iter().copied()).collect()
    };
    for (n, rule) in wanted.into_iter().enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        let off = if rule.is_style() { ", a style rule" } else { "" };
        write!(out, "{rule} ({}{off}", rule.severity())?;
        for (n, number) in rule.sgfc().iter().enumerate() {
            write!(out, "{}{number}", if n == 0 { "; SGFC " } else { ", " })?;
        }
        write!(
            out,
            "{}",
            match rule.repair() {
                Repair::Keeps => "; --fix repairs it",
                Repair::Drops => "; --fix --lossy drops it",
                _ => "",
            }
        )?;
        writeln!(out, ")")?;
        for line in wrapped(rule.explanation(), 96) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Wraps a text between words, at most `width` characters wide.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

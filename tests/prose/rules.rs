//! The rules. `CONTRIBUTING.md` has them for people.

use crate::texts::{Item, Kind, Text};

/// A pattern, and what to write in its place.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) says: &'static str,
    /// A regular expression. What its first group matches is a hit; alternatives before that one are exceptions.
    pub(crate) pattern: &'static str,
    /// Whose texts it is about.
    pub(crate) about: &'static [Kind],
}

const ALL: &[Kind] = &[Kind::Page, Kind::Doc, Kind::Comment, Kind::Message];
/// What users read.
const PUBLIC: &[Kind] = &[Kind::Page, Kind::Doc, Kind::Message];

pub(crate) const RULES: &[Rule] = &[
    Rule {
        name: "by",
        says: "`by` is for the agent of a passive; else `with`, `using`, `according to`, `in`",
        pattern: r"(?i)\b(?:\w+ed|written|made|read|given|done|known|found|set|held|kept|cut|sent|put|shown|built|taken|meant|seen|drawn|split|chosen|hidden|thrown|led|run|driven|lost|hit)\b(?: [\w-]+ly| only| (?:up|off|out|down|away|back|in|on|over|together))? by\b|(?:\b[\w-]+ )?\bby (?:default|hand|itself|themselves|design|\w+ing|`x`|\d[\d,.]*|one|two|half|far|now|name|size|mistake|chance|example|more|most|less|its name|their names)\b|\b(?:sort|search|group|order|filter|multiply|divide|round|differ|grow|shift)\w* by\b|\b([\w`-]+ by\b(?: [\w`-]+)?)",
        about: PUBLIC,
    },
    Rule {
        name: "stand",
        says: "nothing stands or lies: it is, occurs, starts, comes",
        pattern: r"(?i)\bstands? for\b|\b(stands?|stood|standing|lies|lying)\b",
        about: ALL,
    },
    Rule {
        name: "is-there",
        says: "`exists`, `is missing`",
        pattern: r"(?i)\b((?:is|are|was|were) (?:not |already |also |no longer )?there)\b(?: |[.,;:)]|$)",
        about: ALL,
    },
    Rule {
        name: "is-no",
        says: "`is not a`",
        pattern: r"(?i)\bthere (?:is|are|was|were) no\b|\b(?:is|are|was|were) no (?:longer|more|less|other|one)\b|\b((?:is|are|was|were) no \w+)",
        about: ALL,
    },
    Rule {
        name: "make",
        says: "`create`, `return`, `run`, `take over`",
        pattern: r"(?i)\b(?:is|are|was|were) made (?:of|up|for)\b|\b((?:is|are|was|were|be) made|gives? (?:an?|the|back|all|each|no|its|it)|does (?:it|that|this|so))\b",
        about: PUBLIC,
    },
    Rule {
        name: "per",
        says: "`per`",
        pattern: r"(?i)\b((?:bytes?|instructions?|times|once|lines?|[kmg]b|ns|µs|ms|games?|minutes?|rows?|moves?|points?|steps?|allocations?) an? (?:byte|second|game|move|node|core|event|file|property|partition|minute|page|value|line|row|year|month|day|machine|hour|call|chunk|thread))\b",
        about: ALL,
    },
    Rule { name: "whatever", says: "say which", pattern: r"(?i)\b(whatever|whoever)\b", about: PUBLIC },
    Rule { name: "too", says: "`also`, before the verb", pattern: r"(, too)[.;:,)]", about: ALL },
    Rule { name: "of-which", says: "two sentences", pattern: r"(?i)\b(of which|whose\b[^.]*\bwhose)\b", about: PUBLIC },
    Rule {
        name: "term",
        says: "one word for one thing: see crates/sgf-guide/src/glossary.md",
        pattern: r"(?i)\bFinding the\b|\b(findings?|listeners?|front[ -]ends?|faults?|faulty|known labels?|label of a charset|misspelt|unoptimised|optimisation|data are)\b",
        about: PUBLIC,
    },
    Rule {
        name: "name-two",
        says: "name the problem, then `; ` and what to do",
        pattern: r": (name (?:one|two|a|the|both|it)|say)\b",
        about: &[Kind::Message],
    },
];

/// The most words of the first sentence of a doc comment.
const MOST_WORDS: usize = 15;

/// Returns what is wrong with the first sentence of a doc comment.
pub(crate) fn first_sentence(text: &Text) -> Option<(&'static str, &'static str)> {
    let item = text.item?;
    let sentence = text.first_sentence();
    let first = sentence.split_whitespace().next()?;
    let is_verb =
        first.ends_with('s') && !["This", "Its", "Bytes", "Games", "Values", "Nodes", "Moves"].contains(&first);
    if sentence.split_whitespace().count() > MOST_WORDS {
        return Some(("first-long", "the first sentence has at most 15 words"));
    }
    if ["What", "Who", "Of", "Where"].contains(&first) || sentence.starts_with("The same") {
        return Some(("first-leans", "the first sentence names the thing"));
    }
    if item == Item::Function && !is_verb {
        return Some(("first-verb", "the first word says what it does: Returns, Sets, Creates"));
    }
    None
}

//! Tables of inputs: each row says what is read from one, and what is found in it.

use sgf_stream::{Code, Event};

use super::Seen;

/// Events as SGF, with these around values. Identifiers are spelled as in the file.
pub fn written(seen: &Seen, [open, close]: [char; 2]) -> String {
    let mut text = String::new();
    for (_, event) in &seen.events {
        match event.borrow() {
            Event::StartTree => text.push('('),
            Event::Node => text.push(';'),
            Event::Property(ident) => text.push_str(&ident.spelling()),
            Event::Value(value) => text.push_str(&format!("{open}{}{close}", value.as_bytes().escape_ascii())),
            Event::EndTree => text.push(')'),
            _ => unreachable!("no parts were asked for"),
        }
    }
    text
}

/// An input, and how both modes must read it.
pub struct Row<'a> {
    pub input: &'a [u8],
    /// As [`written`] writes it.
    pub read: &'a str,
    pub brackets: [char; 2],
    /// Code and offset.
    pub findings: &'a [(Code, u64)],
}

impl Row<'_> {
    pub fn check(&self, strict: &Seen, lenient: &Seen) {
        let shown = self.input.escape_ascii();
        assert_eq!(written(lenient, self.brackets), self.read, "{shown}");
        let found: Vec<(Code, u64)> = lenient.findings.iter().map(|(code, at)| (*code, at.offset)).collect();
        assert_eq!(found, self.findings, "{shown}");
        assert_eq!(lenient.error, None, "{shown}");
        match self.findings {
            // The repairs that take something for SGF which the grammar takes for something else.
            [(Code::MissingCloseParen | Code::MissingCloseBracket | Code::CutCharacter, _), ..] => {}
            [] => assert_eq!(strict, lenient, "{shown}, left: strict, right: lenient"),
            // Grammar asks no `]` whether it is doubtful.
            _ => assert!(strict.error.is_some(), "{shown} is accepted"),
        }
    }
}

//! The parser once more, as plainly as its rules can be put: a recursive reader that has the
//! whole input before it, looks as far ahead as it likes, and cares for nothing but being
//! right. The real parser has to say the same of every input (law L7).
//!
//! Strict reading is the FF\[4\] grammar, one function per rule, with the code of the error for anything else.
//! Lenient reading is another grammar, which accepts everything, and reads sections: the data is cut before every
//! head, and each section is read as if it were all of the data. The common code is here. It depends only on the
//! public types, so that a fuzz target can include it with `#[path]`.

// With a path of their own, since a file that is taken in through `#[path]` seeks its modules
// beside it.
#[path = "naive/charset.rs"]
mod charset;
#[path = "naive/heads.rs"]
pub mod heads;
#[path = "naive/lenient.rs"]
mod lenient;
#[path = "naive/strict.rs"]
mod strict;

use std::fmt;
use std::ops::Range;

use sgf_stream::{Code, Event, OwnedEvent, Position};

use charset::Named;
pub use charset::{Charset, Given, is_hidden};
pub use heads::{heads, pieces};

/// How far lenient reading looks ahead after a `]`.
const WINDOW: usize = 256;

/// The mode and the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    pub strict: bool,
    pub max_value_len: usize,
    pub max_ident_len: usize,
    pub max_depth: usize,
    pub given: Given,
}

/// A syntax error and its offset.
pub type Finding = (Code, Position);

/// All that a parser says about an input.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Seen {
    pub events: Vec<(u64, OwnedEvent)>,
    pub findings: Vec<Finding>,
    pub error: Option<Finding>,
}

impl Seen {
    pub fn new(events: Vec<(u64, OwnedEvent)>, error: Option<Finding>) -> Self {
        Seen { events, findings: Vec::new(), error }
    }

    /// Sorts the diagnostics in the order of the input. The order of their reports depends on how a parser works, and
    /// is not specified.
    pub fn sorted(mut self) -> Self {
        self.findings.sort_by_key(|&(code, position)| (position, code));
        self
    }
}

/// A line for each event and finding: derived, a failed comparison fills screens.
impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        self.events.iter().try_for_each(|(at, event)| writeln!(f, "  {at}: {event:?}"))?;
        self.findings.iter().try_for_each(|(code, at)| writeln!(f, "  {code} at {at}"))?;
        self.error.iter().try_for_each(|(code, at)| writeln!(f, "  error: {code} at {at}"))
    }
}

/// The rules for an input: after the mark of UTF-8 at its start, all games are in UTF-8, unless the caller forces a charset.
fn given_to(bytes: &[u8], rules: &Rules) -> Rules {
    let is_believed = bytes.starts_with(b"\xEF\xBB\xBF") && !matches!(rules.given, Given::Forced(_));
    Rules { given: if is_believed { Given::Forced(None) } else { rules.given }, ..rules.clone() }
}

/// Reads the whole input.
pub fn read(bytes: &[u8], rules: &Rules) -> Seen {
    let rules = &given_to(bytes, rules);
    let pieces = if rules.strict { vec![bytes] } else { pieces(bytes) };
    let (mut seen, mut has_game, mut error, mut start) = (Seen::default(), false, None, 0);
    for piece in pieces {
        let mark = if start == 0 && piece.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let mut input = Input::new(piece, rules, mark);
        input.is_cut = start + piece.len() < bytes.len();
        input.has_game = has_game;
        if rules.strict {
            error = input.strict_collection().err();
        } else {
            input.lenient_collection();
        }
        seen.events.extend(input.events.into_iter().map(|(at, event)| ((start + at) as u64, event)));
        seen.findings.extend(input.findings.into_iter().map(|Fault(code, at)| (code, position(bytes, start + at))));
        has_game = input.has_game;
        start += piece.len();
    }
    let error = error.or((!has_game).then_some(Fault(Code::NoSgfData, 0)));
    seen.error = error.map(|Fault(code, at)| (code, position(bytes, at)));
    seen
}

/// What lenient reading drops of an input.
#[derive(Debug, PartialEq, Eq)]
pub struct Lost {
    /// For each byte, the code of the error that drops it.
    pub codes: Vec<Option<Code>>,
    /// The values that are cut off, each from its `[` on, after its identifier if it is the first of its property.
    pub cuts: Vec<(Option<Range<usize>>, Range<usize>)>,
}

/// Lists what lenient reading drops.
pub fn lost(bytes: &[u8], rules: &Rules) -> Lost {
    let rules = &given_to(bytes, rules);
    let (mut lost, mut has_game) = (Lost { codes: Vec::new(), cuts: Vec::new() }, false);
    for piece in pieces(bytes) {
        let start = lost.codes.len();
        let mark = if start == 0 && piece.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let mut input = Input::new(piece, rules, mark);
        input.is_cut = start + piece.len() < bytes.len();
        input.has_game = has_game;
        input.lenient_collection();
        has_game = input.has_game;
        lost.codes.resize(start + piece.len(), None);
        for (code, range) in input.dropped {
            // Of two faults, the first one costs it.
            lost.codes[start..][range].iter_mut().for_each(|lost| _ = lost.get_or_insert(code));
        }
        let moved = |range: Range<usize>| start + range.start..start + range.end;
        lost.cuts.extend(input.cuts.into_iter().map(|(ident, value)| (ident.map(moved), moved(value))));
    }
    lost
}

/// The charset that counts in the value at `open`, in the game at that `(`.
pub fn charset_at(bytes: &[u8], rules: &Rules, game: usize, open: usize) -> Option<Charset> {
    let rules = &given_to(bytes, rules);
    let end = if rules.strict { None } else { heads(bytes).into_iter().find(|&head| head > game) };
    let piece = &bytes[..end.unwrap_or(bytes.len())];
    let input = Input::new(piece, rules, 0);
    input.charset_in(input.charset_of(game), open)
}

/// Line and column of an offset.
fn position(bytes: &[u8], offset: usize) -> Position {
    let (mut line, mut line_start, mut at) = (1, 0, 0);
    while at < offset {
        let len = match &bytes[at..] {
            [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        at += len.max(1);
        if len > 0 {
            line += 1;
            line_start = at;
        }
    }
    Position { offset: offset as u64, line, column: (offset - line_start) as u64 + 1 }
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r')
}

/// A letter and all the letters and digits after it.
#[derive(Clone, Copy)]
struct Word<'a> {
    at: usize,
    spelling: &'a [u8],
}

impl Word<'_> {
    fn end(self) -> usize {
        self.at + self.spelling.len()
    }

    /// Without an upper-case letter it is junk.
    fn is_ident(self) -> bool {
        self.spelling.iter().any(u8::is_ascii_uppercase)
    }
}

/// A fault in the input, or in a piece of it, and the offset where it is.
struct Fault(Code, usize);

/// The bytes between two brackets.
struct Value<'a> {
    open: usize,
    raw: &'a [u8],
    /// The `]`, if there is one.
    close: Option<usize>,
    /// Every `]` that was taken as text.
    texts: Vec<usize>,
    /// That `]` would be the second byte of a character.
    is_cut: bool,
}

/// Bytes that are read as if they were all of the data: the whole input, or a piece of it.
struct Input<'a> {
    bytes: &'a [u8],
    rules: &'a Rules,
    /// After it comes the head of another game.
    is_cut: bool,
    /// The next byte to read.
    at: usize,
    /// Open trees, and open brackets that are not trees.
    levels: usize,
    /// The charset that the root of the game names, if second bytes of it look like brackets.
    named: Option<Named>,
    /// A game has begun, be it dropped.
    has_game: bool,
    events: Vec<(usize, OwnedEvent)>,
    findings: Vec<Fault>,
    /// See [`Lost`].
    dropped: Vec<(Code, Range<usize>)>,
    cuts: Vec<(Option<Range<usize>>, Range<usize>)>,
}

/// The part that both modes share.
impl<'a> Input<'a> {
    fn new(bytes: &'a [u8], rules: &'a Rules, at: usize) -> Self {
        Input {
            bytes,
            rules,
            is_cut: false,
            at,
            levels: 0,
            named: None,
            has_game: false,
            events: Vec::new(),
            findings: Vec::new(),
            dropped: Vec::new(),
            cuts: Vec::new(),
        }
    }

    fn begin_game(&mut self) {
        self.has_game = true;
        self.named = self.charset_of(self.at);
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_white(&mut self) {
        self.at = self.after_white(self.at);
    }

    fn after_white(&self, at: usize) -> usize {
        at + self.bytes[at..].iter().take_while(|&&b| is_white(b)).count()
    }

    fn word(&self, at: usize) -> Option<Word<'a>> {
        let rest = &self.bytes[at..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        rest.first()?.is_ascii_alphabetic().then(|| Word { at, spelling: &rest[..len] })
    }

    fn is_too_long(&self, word: Word<'_>) -> bool {
        word.spelling.len() > self.rules.max_ident_len
    }

    fn event(&mut self, at: usize, event: Event<'_>) {
        self.events.push((at, event.to_owned()));
    }

    /// `PropValue = "[" CValueType "]"`: it ends at the first `]` that is neither escaped nor part of a character,
    /// and, in lenient mode, is not text.
    fn value(&self, open: usize) -> Value<'a> {
        let (mut at, mut unmatched, mut texts) = (open + 1, 0, Vec::new());
        while at < self.bytes.len() {
            match self.bytes[at] {
                // Cut to so many bytes, in the middle of a character.
                b']' if self.is_second_byte(open, at) && !self.rules.strict && self.resumes(at + 1) => {
                    return Value { open, raw: &self.bytes[open + 1..at], close: Some(at), texts, is_cut: true };
                }
                b'[' | b'\\' | b']' if self.is_second_byte(open, at) => {}
                b'\\' => {
                    at += 1;
                    // Programs that know FF\[4\] escape the `]` of a pair, and only that.
                    if self.bytes.get(at) == Some(&b']') {
                        unmatched = usize::saturating_sub(unmatched, 1);
                    }
                }
                b'[' => unmatched += 1,
                b']' if self.rules.strict || !self.is_text(open, at, unmatched) => {
                    return Value { open, raw: &self.bytes[open + 1..at], close: Some(at), texts, is_cut: false };
                }
                b']' => {
                    unmatched = usize::saturating_sub(unmatched, 1);
                    texts.push(at);
                }
                _ => {}
            }
            at += 1;
        }
        Value { open, raw: &self.bytes[open + 1..], close: None, texts, is_cut: false }
    }

    /// Whether a `]` that nothing hides is text. Where it matches a `[` it is, unless SGF follows.
    /// Otherwise it is, if all of this holds:
    ///
    /// | what | how it has to be |
    /// |---|---|
    /// | the following bytes, after white space | exist, and are neither a bracket of any kind, nor `;` and, after white space, a letter |
    /// | the text up to the next `]` that no backslash hides | has 1 to 256 bytes, of which not all are white space; no `[`, no CR and no LF, be they hidden |
    /// | what follows that `]` | could be SGF, as after a `]` that matches a `[` |
    ///
    /// The second bytes of characters are stepped over here as in the value.
    fn is_text(&self, open: usize, at: usize, unmatched: usize) -> bool {
        if unmatched > 0 {
            return !self.could_be_sgf(at + 1);
        }
        let is_sgf = match &self.bytes[self.after_white(at + 1)..] {
            [] | [b'(' | b')' | b'[' | b']', ..] => true,
            [b';', after @ ..] => after.iter().find(|b| !is_white(**b)).is_some_and(u8::is_ascii_alphabetic),
            _ => false,
        };
        let close = self.close_in_line(open, at + 1).filter(|close| close - (at + 1) <= WINDOW);
        !is_sgf && close.is_some_and(|close| self.could_be_sgf(close + 1))
    }

    /// The next `]` of a value that nothing hides, if neither a `[` nor a line break comes first.
    fn close_in_line(&self, open: usize, mut at: usize) -> Option<usize> {
        loop {
            match *self.bytes.get(at)? {
                b'[' | b'\\' | b']' if self.is_second_byte(open, at) => {}
                b'[' | b'\r' | b'\n' => return None,
                b']' => return Some(at),
                b'\\' if matches!(self.bytes.get(at + 1)?, b'[' | b'\r' | b'\n') => return None,
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
    }

    /// Whether what follows a `]`, as far as the window shows, is SGF that no text would hold.
    fn resumes(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        let window = &rest[..rest.len().min(WINDOW)];
        let all = rest.len() < WINDOW;
        let white = |text: &'a [u8]| &text[text.iter().take_while(|&&b| is_white(b)).count()..];
        let upper = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_uppercase()).count();
        let is_property = |text: &'a [u8], least| {
            let letters = upper(text);
            letters >= least && white(&text[letters..]).first() == Some(&b'[')
        };
        let is_game = |text: &'a [u8]| text.first() == Some(&b'(') && white(&text[1..]).first() == Some(&b';');
        let text = white(window);
        match text.first() {
            None => all,
            Some(b';') => is_property(white(&text[1..]), 1),
            Some(b'(') => is_game(text),
            Some(b')') => {
                let after = &text[text.iter().take_while(|&&b| b == b')' || is_white(b)).count()..];
                after.is_empty() && all || is_game(after)
            }
            Some(_) => is_property(text, 2),
        }
    }

    /// Whether what follows a `]` may follow the end of a value, as far as the window shows.
    fn could_be_sgf(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        let window = &rest[..rest.len().min(WINDOW)];
        // Whether there is no more: after the last byte of the window nobody looked.
        let all = rest.len() < WINDOW;
        let after = |skip: fn(&u8) -> bool, window: &'a [u8]| {
            let len = window.iter().take_while(|&b| skip(b)).count();
            &window[len..]
        };
        let white = |b: &u8| is_white(*b);
        let window = after(white, window);
        match window.first() {
            None | Some(b'[' | b';' | b')') => true,
            Some(b'(') => after(white, &window[1..]).first().map_or(!all, |&b| b == b';'),
            // An identifier as FF\[4\] spells it; directly after the `]` and before a `[`, as
            // anybody does.
            Some(b'A'..=b'Z' | b'a'..=b'z') => {
                let (upper, word) = (after(u8::is_ascii_uppercase, window), after(u8::is_ascii_alphanumeric, window));
                let is_plain = upper.len() < window.len();
                let is_word =
                    window.len() == rest.len().min(WINDOW) && self.word(at).is_some_and(|word| word.is_ident());
                match (upper.first(), word.first()) {
                    (None, _) => !all,
                    (Some(_), _) if is_plain && after(white, upper).is_empty() => !all,
                    (Some(_), _) if is_plain && after(white, upper).first() == Some(&b'[') => true,
                    (_, None) => !all && (window.len() == rest.len().min(WINDOW)),
                    (_, Some(b'[')) => is_word,
                    _ => false,
                }
            }
            Some(_) => false,
        }
    }
}

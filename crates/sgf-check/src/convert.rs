//! Games in canonical form, in UTF-8 where that loses nothing.
//!
//! [`Writer::canonical`](sgf_stream::write::Writer::canonical) decides about nodes and values. A [`Conversion`] decides about a whole
//! game: the charset of its texts, its new `CA`, and whether something would be lost. This is known only at the end of the
//! game, but its root needs it, so a game is converted as a whole, in memory.
//!
//! ```text
//! the charset of the texts                                   canonical form
//! ------------------------------------------------------------------------------------------------------
//! given by the caller, a byte-order mark, CA, or a default    UTF-8
//! the texts are in UTF-8, and CA is missing or wrong          UTF-8
//! only detected                                               unchanged; UTF-8 if guesses are used
//! CA is unknown, or bytes are invalid in the charset          unchanged
//! ```

#[cfg(test)]
mod tests;

use sgf_stream::charset::{Charset, CharsetError, CharsetSource, TreeCharset};
use sgf_stream::internal::{Edit, Moves, is_white_space};
use sgf_stream::value::Application;
use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Code, Diagnostic, Event, EventSink, Flow, Ident, Parser, RawValue, property};

use crate::NoteKind;
use crate::label::CharsetFacts;

/// The conversion of games to canonical form.
///
/// Charsets are determined with the policy of the parser ([`Parser::charset`]). Without one, texts are bytes, and only the
/// form changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversion {
    /// Content may go: properties with digits in their identifiers, a version that says more than a number, and lower-case
    /// letters that may mean something.
    pub(crate) is_lossy: bool,
    /// Texts are converted too whose charset is a guess: see [`GameCharset::is_guess`](sgf_stream::charset::GameCharset::is_guess).
    pub(crate) guesses_charset: bool,
    /// The stream is in UTF-8, even if its games declare another charset: it starts with a byte-order mark, or was transcoded.
    pub(crate) is_marked: bool,
}

/// A game in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    /// The game from its `(` to its `)`.
    pub(crate) bytes: Vec<u8>,
    pub(crate) remarks: Vec<Remark>,
}

/// Something that a user should know about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) about: About,
    /// The offset of the first location in the game, if known.
    pub(crate) at: Option<usize>,
    /// The number of further locations.
    pub(crate) others: usize,
}

/// The subject of a [`Remark`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The charset of the texts was detected.
    Guess(Charset),
    /// `CA` declares this unknown charset, and the texts are left unchanged.
    UnknownCharset(String),
    /// Some texts are invalid in this charset, and all are left unchanged.
    BadBytes(Charset),
    /// Properties were dropped because their identifiers have digits.
    DroppedDigits,
    /// Identifiers have digits, which FF\[4\] does not allow.
    Digits,
    /// The lower-case letters of this unknown identifier may be significant.
    UnknownIdent { spelling: String, name: String },
    /// The value of FF, which becomes 4, is not a plain number.
    Version,
    /// AP names several programs, and the game is written with all.
    Applications,
    /// The game has another syntax error.
    Fault(Code),
    /// The writer rejected the game, for this reason.
    NotWritten(String),
}

impl Remark {
    fn new(about: About, at: Option<usize>, others: usize) -> Self {
        Remark { about, at, others }
    }

    fn not_written(error: &WriteError) -> Self {
        Remark::new(About::NotWritten(error.to_string()), None, 0)
    }

    /// Returns the name under which such remarks are counted: that of a [`Code`], or another one.
    pub(crate) fn code(&self) -> &'static str {
        match &self.about {
            About::Guess(charset) => charset.name(),
            About::UnknownCharset(_) => "unknown",
            About::BadBytes(_) => "bad-bytes",
            About::DroppedDigits | About::Digits => Code::DigitInIdent.as_str(),
            About::UnknownIdent { .. } => "unknown-ident",
            About::Version => "version",
            About::Applications => "second-application",
            About::Fault(code) => code.as_str(),
            About::NotWritten(_) => "not-written",
        }
    }

    /// Returns the outcome for the game, or for what the remark is about. A lossy conversion writes a game
    /// that is left.
    pub(crate) fn kind(&self) -> NoteKind {
        match &self.about {
            About::Guess(_) => NoteKind::Repaired,
            About::DroppedDigits => NoteKind::Dropped,
            _ => NoteKind::Left,
        }
    }

    /// Returns whether the game is not written, and no option helps.
    pub(crate) fn is_error(&self) -> bool {
        matches!(self.about, About::Fault(_) | About::NotWritten(_))
    }

    /// Returns the remark as a sentence about the game.
    pub(crate) fn message(&self) -> String {
        let others = self.others;
        let more = if others > 0 { format!(", and {others} more") } else { String::new() };
        match &self.about {
            About::Guess(charset) => format!("its charset was detected as {charset}"),
            About::UnknownCharset(label) => format!("unknown charset name {label:?}; its texts are left unchanged"),
            About::BadBytes(charset) => {
                let texts = match others {
                    0 => "1 text has".to_owned(),
                    others => format!("{} texts have", others + 1),
                };
                format!("{texts} bytes that are invalid in {charset}; the texts are left unchanged")
            }
            About::DroppedDigits => {
                format!("the identifier has digits; its property was dropped [{}]{more}", self.code())
            }
            About::Digits => format!("FF[4] does not allow digits in identifiers [{}]{more}", self.code()),
            About::UnknownIdent { spelling, name } => format!(
                "unknown identifier `{spelling}`: its lower-case letters may be significant, so it is not shortened to `{name}`"
            ),
            About::Version => "the value of FF is not a number; it would be replaced with 4".to_owned(),
            About::Applications => format!("AP names a second program; all are kept [{}]{more}", self.code()),
            About::Fault(code) => format!("expected {} [{code}]{more}", code.expected()),
            About::NotWritten(why) => why.clone(),
        }
    }
}

impl Conversion {
    /// Converts a game, which reaches from its `(` to its `)`.
    ///
    /// A strict reader accepts the game, except for the spelling of its identifiers. The parser knows the charset that was
    /// detected in the stream.
    ///
    /// # Errors
    ///
    /// Fails if the game would lose something, and is left unchanged.
    pub(crate) fn convert(&self, parser: &Parser, game: &[u8]) -> Result<Converted, Remark> {
        let parser = &self.parser_of_game(parser);
        if !self.is_lossy && wordy_version(parser, game).is_some() {
            return Err(self.obstacle(parser, game).unwrap_or(Remark::new(About::Version, None, 0)));
        }
        let mut remarks = Vec::new();
        // Texts can be decoded only without the escapes that may be inside of a character.
        let unescaped = match has_escaped_high_bytes(parser, game) {
            true => Some(self.written(parser, game, Texts::kept(), &mut remarks)?.bytes),
            false => None,
        };
        let source = unescaped.as_deref().unwrap_or(game);
        // Places in other bytes than those of the game say nothing.
        let place = |at: Option<usize>| at.filter(|_| unescaped.is_none());
        let placed = |remark: Remark| Remark { at: place(remark.at), ..remark };
        let texts = self.texts(parser, source, &mut remarks);
        let bytes = match self.written(parser, source, texts, &mut remarks).map_err(placed)? {
            Written { bytes, bad: None } => bytes,
            Written { bad: Some((first, others)), .. } => {
                let texts = self.texts_after(texts, (place(Some(first)), others), &mut remarks);
                self.written(parser, source, texts, &mut Vec::new()).map_err(placed)?.bytes
            }
        };
        Ok(Converted { bytes, remarks })
    }

    /// Returns the edit that lets the `CA` of a game that stays as it is be true in the output, where it would not be
    /// otherwise; and the name of the charset. `None` if the bytes stay the same.
    pub(crate) fn relabel(&self, parser: &Parser, game: &[u8]) -> Option<(Edit, &'static str)> {
        if !(self.is_marked || self.guesses_charset) {
            return None;
        }
        let parser = self.parser_of_game(parser);
        let facts = CharsetFacts::of(&parser, game, &|_, _| true);
        let charset = match self.is_marked {
            true => Charset::UTF_8,
            false => facts.likely(&parser)?.charset,
        };
        if facts.label().is_none() && game.is_ascii() {
            return None;
        }
        let edit = facts.label_edit(&parser, charset)?;
        (game[edit.range.clone()] != edit.with[..]).then_some((edit, charset.name()))
    }

    /// Returns a parser for a single game. It sends the same events as the parser of the stream.
    fn parser_of_game(&self, parser: &Parser) -> Parser {
        debug_assert!(!parser.detects(), "the charset was detected in the stream");
        let mut parser = parser.lenient();
        if self.is_marked {
            parser.set_given(parser.given().after_mark());
        }
        parser
    }

    /// Returns whether a property is left out, because FF\[4\] does not allow its identifier.
    fn drops(&self, ident: Ident<'_>) -> bool {
        self.is_lossy && has_digits(ident)
    }

    /// Decides the treatment of the texts of a game.
    fn texts(&self, parser: &Parser, game: &[u8], remarks: &mut Vec<Remark>) -> Texts {
        let Some(policy) = parser.decoding() else { return Texts::kept() };
        // Only values that are written count: the version is replaced.
        let is_kept = |ident: Ident<'_>, is_in_root| !(is_in_root && ident == "FF" || self.drops(ident));
        let facts = CharsetFacts::of(parser, game, &is_kept);
        let label = facts.label();
        let named = label.filter(|label| !label.simple_text_bytes().trim_ascii().is_empty());
        let mark = self.is_marked.then_some(Charset::UTF_8);
        let stated = policy.known_names_only(true).decide(mark, named, []);
        let is_given =
            matches!(&stated, Ok(tree) if matches!(tree.source(), CharsetSource::Forced | CharsetSource::Bom));
        let likely = if is_given { None } else { facts.likely(parser) };
        let believed = likely.filter(|likely| match likely.is_guess {
            // The charset of CA may have decided where values end. In another one the game may be read differently.
            true => self.guesses_charset && facts.labelled(parser, likely.charset).is_some(),
            false => likely.charset == Charset::UTF_8, // all texts are, whatever CA says
        });
        let charset = match (believed, stated) {
            // As if CA named it: single values may still be in UTF-8.
            (Some(likely), _) => policy.decide(None, Some(RawValue::new(likely.charset.name().as_bytes())), []),
            (None, Ok(tree)) if tree.source() != CharsetSource::Detected => Ok(tree),
            (None, Ok(_)) if facts.is_utf8() => Ok(TreeCharset::of(Charset::UTF_8)),
            (None, Ok(_)) => return Texts::kept(), // any charset would be a guess
            (None, Err(error)) => Err(error),
        };
        let charset = match charset {
            Ok(charset) => charset,
            Err(CharsetError::UnknownName { name, .. }) => {
                remarks.push(Remark::new(About::UnknownCharset(name), None, 0));
                return Texts::kept();
            }
            Err(_) => return Texts::kept(),
        };
        let is_ascii_compatible = charset.charset().is_ascii_compatible();
        let label = match label {
            Some(_) => Label::Replace,
            None if facts.is_ascii() && is_ascii_compatible => Label::Done,
            None => Label::Add,
        };
        let guess = believed.filter(|likely| likely.is_guess).map(|likely| likely.charset);
        if let Some(guess) = guess {
            remarks.push(Remark::new(About::Guess(guess), None, 0));
        }
        Texts {
            label: Some((label, Charset::UTF_8.name())),
            keeps_ascii: is_ascii_compatible,
            decoded_from: Some(charset),
            guess,
        }
    }

    /// Decides the treatment of the texts of a game that cannot be decoded as intended.
    fn texts_after(&self, meant: Texts, (first, others): (Option<usize>, usize), remarks: &mut Vec<Remark>) -> Texts {
        let Some(charset) = meant.decoded_from else { return Texts::kept() };
        remarks.retain(|remark| remark.kind() != NoteKind::Repaired);
        remarks.push(Remark::new(About::BadBytes(charset.charset()), first, others));
        let named = meant.guess.or(self.is_marked.then_some(Charset::UTF_8));
        let label = meant.label.map(|(label, _)| label);
        Texts { label: label.zip(named.map(Charset::name)), ..Texts::kept() }
    }

    /// Writes a game in canonical form.
    fn written(
        &self,
        parser: &Parser,
        game: &[u8],
        texts: Texts,
        remarks: &mut Vec<Remark>,
    ) -> Result<Written, Remark> {
        let mut writer = Writer::canonical(Vec::with_capacity(game.len() + 64)).max_node_len(parser.node_limit());
        if !texts.are_decoded() {
            writer = writer.given(parser.given());
        }
        let mut printer = GamePrinter {
            conversion: self,
            writer,
            texts,
            nodes: 0,
            open: OpenProperty::Other,
            bad: None,
            digits: None,
            application: None,
            applications: None,
            has_lower_case: false,
            fault: None,
            result: Ok(()),
        };
        let read = parser.parse_into(game, &mut printer);
        let GamePrinter { writer, bad, digits, applications, has_lower_case, fault, result, .. } = printer;
        if let Some(fault) = fault {
            let at = usize::try_from(fault.position.offset).ok();
            return Err(Remark::new(About::Fault(fault.code), at, 0));
        }
        if !self.is_lossy
            && (digits.is_some() || has_lower_case)
            && let Some(obstacle) = self.obstacle(parser, game)
        {
            return Err(obstacle);
        }
        if let Err(error) = read {
            return Err(Remark::new(About::NotWritten(error.to_string()), None, 0));
        }
        result.map_err(|error| Remark::not_written(&error))?;
        if let Some((first, others)) = digits {
            remarks.push(Remark::new(About::DroppedDigits, Some(first), others));
        }
        let is_new = remarks.iter().all(|known| known.about != About::Applications);
        if let Some((first, others)) = applications.filter(|_| is_new) {
            remarks.push(Remark::new(About::Applications, Some(first), others));
        }
        if bad.is_some() {
            return Ok(Written { bytes: Vec::new(), bad });
        }
        let mut bytes = writer.finish().map_err(|error| Remark::not_written(&error))?;
        bytes.pop_if(|last| *last == b'\n');
        Ok(Written { bytes, bad })
    }

    /// Finds the content that a game would lose by a conversion.
    #[cold]
    fn obstacle(&self, parser: &Parser, game: &[u8]) -> Option<Remark> {
        let (mut digits, mut unknown) = (None, None);
        for (event, offset) in parser.slice(game).with_offsets().map_while(Result::ok) {
            let Event::Property(ident) = event else { continue };
            let at = usize::try_from(offset).ok();
            if has_digits(ident) {
                let (_, others) = digits.get_or_insert((at, -1));
                *others += 1;
            } else if unknown.is_none() && is_unknown_old(ident) {
                let about =
                    About::UnknownIdent { spelling: ident.spelling().to_string(), name: ident.name().to_string() };
                unknown = Some(Remark::new(about, at, 0));
            }
        }
        let digits = digits.map(|(at, others)| Remark::new(About::Digits, at, usize::try_from(others).unwrap_or(0)));
        let version = || wordy_version(parser, game).map(|at| Remark::new(About::Version, Some(at), 0));
        digits.or(unknown).or_else(version)
    }
}

/// The treatment of the texts of a game.
#[derive(Clone, Copy, Debug)]
struct Texts {
    /// ASCII is the same in the charset of the game and in the output.
    keeps_ascii: bool,
    /// How `CA` gets this name; `None` if it stays as it is.
    label: Option<(Label, &'static str)>,
    /// The charset from which they are decoded to UTF-8; `None` if they stay as they are.
    decoded_from: Option<TreeCharset>,
    /// The charset, if it is a guess.
    guess: Option<Charset>,
}

/// How `CA` gets the name of a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// Its next value is replaced.
    Replace,
    /// It is added after the next `;`.
    Add,
    Done,
}

impl Texts {
    /// They stay as they are, and so does `CA`.
    fn kept() -> Self {
        Texts { keeps_ascii: true, label: None, decoded_from: None, guess: None }
    }

    fn are_decoded(&self) -> bool {
        self.decoded_from.is_some()
    }

    /// CA names the charset of the output.
    fn are_labelled(&self) -> bool {
        matches!(self.label, Some((Label::Done, _)))
    }

    /// Returns the name that CA gets now, if it gets it in this way.
    fn take_label(&mut self, way: Label) -> Option<&'static str> {
        match &mut self.label {
            Some((label, name)) if *label == way => {
                *label = Label::Done;
                Some(name)
            }
            _ => None,
        }
    }
}

/// A game that was written.
struct Written {
    bytes: Vec<u8>,
    /// The offset of the first text that is not in its charset, and the number of others. Then there are no bytes.
    bad: Option<(usize, usize)>,
}

/// Writes the events of a game.
struct GamePrinter<'c> {
    conversion: &'c Conversion,
    writer: Writer<Vec<u8>>,
    texts: Texts,
    /// Number of nodes so far.
    nodes: usize,
    open: OpenProperty,
    /// The offset of the first text that is not in its charset, and the number of others.
    bad: Option<(usize, usize)>,
    /// The offset of the first identifier with digits, and the number of others.
    digits: Option<(usize, usize)>,
    /// The first AP of the root.
    application: Option<Application>,
    /// The offset of the first AP that differs from it, and the number of others.
    applications: Option<(usize, usize)>,
    has_lower_case: bool,
    /// A syntax error that the game should not have.
    fault: Option<Diagnostic>,
    result: Result<(), WriteError>,
}

/// The property that the next value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenProperty {
    Other,
    /// It is left out.
    Dropped,
    /// The FF of the root, whose value is replaced.
    Version,
    /// The CA of the root.
    Label,
    /// Another CA of the root. It is written if it has a value that names no charset.
    HeldLabel,
    /// An AP of the root.
    Application,
}

impl EventSink for GamePrinter<'_> {
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        let written = self.write(event, offset);
        self.flow(written)
    }

    fn diagnostic(&mut self, fault: Diagnostic) {
        match fault.code {
            Code::DigitInIdent => count(&mut self.digits, fault.position.offset),
            Code::LowercaseInIdent => self.has_lower_case = true,
            _ => _ = self.fault.get_or_insert(fault),
        }
    }

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        if !self.texts.keeps_ascii {
            return None;
        }
        self.nodes += 1; // after the root
        let written = if self.bad.is_none() { self.writer.moves(moves) } else { Ok(()) };
        Some(self.flow(written))
    }
}

impl GamePrinter<'_> {
    #[inline]
    fn flow(&mut self, written: Result<(), WriteError>) -> Flow {
        match written {
            Ok(()) if self.fault.is_none() => Flow::Continue,
            Ok(()) => Flow::Break,
            Err(error) => {
                self.result = Err(error);
                Flow::Break
            }
        }
    }

    #[inline]
    fn write(&mut self, event: Event<'_>, offset: u64) -> Result<(), WriteError> {
        match event {
            Event::Property(ident) => {
                self.open = self.property(ident);
                let waits = matches!(self.open, OpenProperty::Dropped | OpenProperty::HeldLabel) || self.bad.is_some();
                if waits { Ok(()) } else { self.writer.write(event) }
            }
            Event::Value(_) if self.open == OpenProperty::Dropped => Ok(()),
            Event::Value(value) => {
                if self.open == OpenProperty::Application {
                    self.note_application(value, offset);
                }
                self.write_value(value, offset)
            }
            Event::Node => {
                self.nodes += 1;
                if self.bad.is_some() {
                    return Ok(());
                }
                self.writer.write(event)?;
                if let Some(name) = self.texts.take_label(Label::Add) {
                    self.writer.property("CA")?.value(name)?;
                }
                Ok(())
            }
            _ if self.bad.is_some() => Ok(()),
            _ => self.writer.write(event),
        }
    }

    fn property(&self, ident: Ident<'_>) -> OpenProperty {
        match self.nodes {
            _ if self.conversion.drops(ident) => OpenProperty::Dropped,
            1 if ident == "CA" && self.texts.are_labelled() => OpenProperty::HeldLabel,
            1 if ident == "CA" => OpenProperty::Label,
            1 if ident == "FF" => OpenProperty::Version,
            1 if ident == "AP" => OpenProperty::Application,
            _ => OpenProperty::Other,
        }
    }

    fn note_application(&mut self, value: RawValue<'_>, offset: u64) {
        let Ok(application) = Application::parse_lenient(value) else { return };
        match &self.application {
            Some(first) if *first != application => count(&mut self.applications, offset),
            Some(_) => {}
            None => self.application = Some(application),
        }
    }

    #[inline]
    fn write_value(&mut self, value: RawValue<'_>, offset: u64) -> Result<(), WriteError> {
        let is_ascii = self.texts.keeps_ascii && value.as_bytes().is_ascii();
        let charset = if is_ascii { None } else { self.texts.decoded_from };
        let decoded = charset.map(|charset| charset.decode(value));
        if self.open != OpenProperty::Version && decoded.as_ref().is_some_and(|text| !text.is_sound()) {
            count(&mut self.bad, offset);
        }
        if self.bad.is_some() {
            return Ok(());
        }
        if matches!(self.open, OpenProperty::Label | OpenProperty::HeldLabel) {
            if let Some(name) = self.texts.take_label(Label::Replace) {
                return self.writer.write(Event::Value(RawValue::new(name.as_bytes())));
            }
            // Only the first CA counts, and no other charset is that of the output. Other words are content.
            if self.texts.label.is_some() && names_charset(value) {
                return Ok(());
            }
            if self.open == OpenProperty::HeldLabel {
                self.writer.property("CA")?;
                self.open = OpenProperty::Label;
            }
        }
        match decoded {
            Some(text) => self.writer.write(Event::Value(RawValue::new(text.text().as_bytes()))),
            None => self.writer.write(Event::Value(value)),
        }
    }
}

/// Counts a location: the offset of the first one is kept, and the number of others.
fn count(places: &mut Option<(usize, usize)>, offset: u64) {
    match places {
        Some((_, others)) => *others += 1,
        None => *places = Some((usize::try_from(offset).unwrap_or(usize::MAX), 0)),
    }
}

/// Returns whether a value of CA is a plain charset name, or empty.
fn names_charset(label: RawValue<'_>) -> bool {
    let label = label.simple_text_bytes();
    let label = label.trim_ascii();
    label.is_empty() || Charset::for_name(label).is_some()
}

fn has_digits(ident: Ident<'_>) -> bool {
    ident.as_bytes().iter().any(u8::is_ascii_digit)
}

/// Returns whether an identifier has lower-case letters and is without them not the name of a known property. In
/// FF\[1\] to FF\[3\] these letters mean nothing; but in a property that only one program knows, they may distinguish
/// it from another.
fn is_unknown_old(ident: Ident<'_>) -> bool {
    ident.as_bytes().iter().any(u8::is_ascii_lowercase) && property::find(&ident.name()).next().is_none()
}

/// Returns the offset of the first FF value in the root that is not a plain number.
fn wordy_version(parser: &Parser, game: &[u8]) -> Option<usize> {
    let is_number =
        |raw: &[u8]| raw.iter().all(|&byte| byte.is_ascii_digit() || is_white_space(byte) || b".+".contains(&byte));
    let (mut nodes, mut is_version, mut found) = (0, false, None);
    let read = parser.parse(game, |event, offset| {
        match event {
            Event::Node => nodes += 1,
            Event::Property(ident) => is_version = ident == "FF",
            Event::Value(value) if is_version && !is_number(value.as_bytes()) => found = usize::try_from(offset).ok(),
            _ => {}
        }
        if nodes < 2 && found.is_none() { Flow::Continue } else { Flow::Break }
    });
    debug_assert!(read.is_ok(), "a game is SGF");
    found
}

/// Returns whether in a value an escape may hide a byte that is not ASCII, or be between two of them.
fn has_escaped_high_bytes(parser: &Parser, game: &[u8]) -> bool {
    let has = |raw: &[u8]| !raw.is_ascii() && raw.contains(&b'\\');
    has(game)
        && parser
            .slice(game)
            .map_while(Result::ok)
            .any(|event| matches!(event, Event::Value(value) if has(value.as_bytes())))
}

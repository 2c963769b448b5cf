//! The style of canonical form, in UTF-8 where that loses nothing.
//!
//! Whether a game can be decoded is known at its end, and its root has to say so: so a game is rewritten as a whole.

use std::borrow::Cow;
use std::ops::Range;
use std::str;

use sgf_stream::charset::{Charset, CharsetError, CharsetSource, Decoding, GameCharset, GameTexts, TreeCharset};
use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Ident, Moves, RawValue, property};

use super::exact;
use super::findings::{Faults, Findings, Remedy, Topic, Unchanged};
use super::game::Game;
use super::options::Options;
use super::style::Style;
use crate::decoding;

pub(super) struct Canonical {
    /// How the user wants charsets to be found.
    decoding: Decoding,
    has_default: bool,
    is_lossy: bool,
    /// Games whose charset is a guess are converted too.
    guesses: bool,
    /// The charset of the whole file.
    charset: Option<Charset>,
    /// The charset was known by something that is not written: code units of two bytes, or a byte-order mark.
    loses_mark: bool,
}

/// Processing of the values of a game.
#[derive(Clone, Copy)]
enum Plan {
    Keep,
    /// Keep them, and let CA name this charset: UTF-8, as the byte-order mark did that is not written, or the one that was
    /// guessed.
    Relabel(Label, Charset),
    /// Turn them into UTF-8.
    Decode(TreeCharset, Label),
}

impl Plan {
    fn label(&mut self) -> Option<&mut Label> {
        match self {
            Plan::Keep => None,
            Plan::Relabel(label, _) | Plan::Decode(_, label) => Some(label),
        }
    }

    /// The name that CA gets.
    fn name(&self) -> &'static str {
        match self {
            Plan::Relabel(_, charset) => charset.name(),
            Plan::Keep | Plan::Decode(..) => Charset::UTF_8.name(),
        }
    }
}

/// How CA comes to name the charset.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// The next value of CA is replaced.
    Replace,
    /// A CA is added after the next `;`.
    Add,
    Done,
}

impl Canonical {
    pub(super) fn new(options: &Options, is_transcoded: bool) -> Self {
        Canonical {
            decoding: options.decoding(),
            has_default: options.default_charset.is_some(),
            is_lossy: options.lossy,
            guesses: options.guess_charset,
            charset: if is_transcoded { Some(Charset::UTF_8) } else { options.charset },
            loses_mark: is_transcoded,
        }
    }

    /// Decides what is done with the values. The offsets in reports are those of the file, unless the game was respelled.
    fn plan(&self, game: &Game<'_>, root: Root, is_respelled: bool, findings: &mut Findings) -> Plan {
        // Only values that are written count: the version is replaced.
        let is_written = |value: &Value<'_>| !(value.is_in_root && value.ident == "FF" || self.drops(value.ident));
        let values = || values(game).filter(is_written).map(|value| (value.raw, value.offset));
        let label = root.label.map(|label| RawValue::new(&game.bytes[label]));
        let is_blank = label.is_none_or(|label| label.simple_text_bytes().trim_ascii().is_empty());
        let is_ascii = game.bytes.is_ascii() || values().all(|(value, _)| value.as_bytes().is_ascii());
        let is_utf8 = || is_ascii || values().all(|(value, _)| str::from_utf8(value.as_bytes()).is_ok());
        let of_game = if self.charset.is_none() { self.game_charset(game, label) } else { None };
        let guess = of_game.and_then(|of_game| self.guess(game, of_game));
        let is_false = of_game.is_some_and(|of_game| of_game.contradicts_ca() && of_game.charset() == Charset::UTF_8);
        let charset = match self.charset.or(guess) {
            Some(charset) => self.decoding.force(charset).decide(None, None, []),
            // CA names no charset that is known, and the texts are in UTF-8.
            None if is_false && is_utf8() => Decoding::utf8().decide(None, None, []),
            None if !is_blank || self.has_default => {
                self.decoding.known_labels_only(true).decide(None, label.filter(|_| !is_blank), [])
            }
            None if is_utf8() => Decoding::utf8().decide(None, None, []),
            // Any other charset would be a guess.
            None => return Plan::Keep,
        };
        let charset = match charset {
            Ok(charset) => charset,
            Err(CharsetError::UnknownLabel { label, .. }) => {
                let what = format_args!("no charset is called {label:?}, and its texts stay as they are");
                findings.report_texts(game.start, "unknown", what);
                return Plan::Keep;
            }
            Err(_) => return Plan::Keep,
        };
        let is_same_in_utf8 = is_ascii && charset.charset().is_ascii_compatible();
        let label = match label {
            Some(_) => Label::Replace,
            None if is_same_in_utf8 => Label::Done,
            None => Label::Add,
        };
        let is_bad = |value| !charset.decode(value).is_sound();
        let mut bad = values().filter(|&(value, _)| is_bad(value)).map(|(_, offset)| offset);
        if !is_same_in_utf8 && let Some(first) = bad.next() {
            let name = charset.charset();
            let text = match is_respelled {
                true => "one of its texts".to_owned(),
                false => format!("the text at byte {}", game.start + first),
            };
            let more = match bad.count() {
                0 => String::new(),
                1 => ", nor is 1 more".to_owned(),
                others => format!(", nor are {others} more"),
            };
            let what = format_args!("{text} is not in {name}{more}; its texts stay as they are");
            findings.report_texts(game.start, "bad-bytes", what);
            return match guess {
                Some(guess) => Plan::Relabel(label, guess),
                None if self.loses_mark => Plan::Relabel(label, Charset::UTF_8),
                None => Plan::Keep,
            };
        }
        if let Some(guess) = guess {
            findings.report_texts(game.start, guess.name(), format_args!("its texts were taken to be in {guess}"));
        }
        Plan::Decode(charset, label)
    }

    /// The charset that the texts of a game are in.
    fn game_charset(&self, game: &Game<'_>, label: Option<RawValue<'_>>) -> Option<GameCharset> {
        if game.bytes.is_ascii() {
            return None;
        }
        let (mut texts, mut is_in_root) = (GameTexts::new(), true);
        for value in values(game) {
            if is_in_root && !value.is_in_root {
                is_in_root = false;
                texts.end_root();
            }
            texts.add(value.raw);
        }
        self.decoding.game_charset(None, label, &texts).ok()
    }

    /// The charset in which a game most likely is, if nothing says it, and that is to be believed.
    fn guess(&self, game: &Game<'_>, of_game: GameCharset) -> Option<Charset> {
        if !(self.guesses && of_game.is_guess()) {
            return None;
        }
        // What was detected in the file has decided where values end.
        let detected = game.decoding.decide(None, None, []).ok().filter(|tree| tree.source() == CharsetSource::Default);
        let detected = detected.map(TreeCharset::charset).filter(|&detected| decoding::has_two_bytes(detected));
        Some(detected.filter(|_| !of_game.contradicts_ca()).unwrap_or_else(|| of_game.charset()))
    }

    /// Whether a property is left out, since FF\[4\] does not allow its identifier.
    fn drops(&self, ident: Ident<'_>) -> bool {
        self.is_lossy && ident.as_bytes().iter().any(u8::is_ascii_digit)
    }

    /// Writes a game, with its values in UTF-8 if the plan says so.
    fn write(&self, game: &Game<'_>, plan: Plan) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::canonical(Vec::with_capacity(game.bytes.len() + 64));
        let keeps_ascii = match plan {
            Plan::Keep | Plan::Relabel(..) => {
                writer = writer.charset(game.decoding);
                true
            }
            Plan::Decode(charset, _) => charset.charset().is_ascii_compatible(),
        };
        let mut events = Events {
            style: self,
            writer,
            plan,
            keeps_ascii,
            nodes: 0,
            is_ca: false,
            is_dropped: false,
            is_held: false,
            written: Ok(()),
        };
        let parsed = game.parser().parse_into(&game.bytes, &mut events);
        debug_assert!(parsed.is_ok(), "a game is SGF");
        events.written?;
        let mut written = events.writer.finish()?;
        written.pop_if(|last| *last == b'\n');
        Ok(written)
    }

    /// The game without needless escapes, if one may stand inside a character: its texts can be decoded only without
    /// them.
    fn unescaped(&self, game: &Game<'_>) -> Result<Option<Game<'static>>, WriteError> {
        let is_escaped = |event| matches!(event, Event::Value(value) if has_escaped_high_bytes(value.as_bytes()));
        match has_escaped_high_bytes(&game.bytes) && game.events().any(|(_, event)| is_escaped(event)) {
            true => Ok(Some(game.respelled(self.write(game, Plan::Keep)?))),
            false => Ok(None),
        }
    }
}

/// Writes the events of a game.
struct Events<'s> {
    style: &'s Canonical,
    writer: Writer<Vec<u8>>,
    plan: Plan,
    /// ASCII is the same in the charset of the game and in the output.
    keeps_ascii: bool,
    /// Number of nodes so far.
    nodes: usize,
    /// The open property is the CA of the root.
    is_ca: bool,
    /// The open property is left out.
    is_dropped: bool,
    /// The open property is another CA, which is written if it has a value that names no charset.
    is_held: bool,
    written: Result<(), WriteError>,
}

impl EventSink for Events<'_> {
    #[inline]
    fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
        let written = self.write(event);
        self.flow(written)
    }

    fn fault(&mut self, _: Diagnostic) {}

    fn takes_moves(&self) -> bool {
        self.keeps_ascii
    }

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        // They are nodes after the root, and the last property is one of them.
        self.nodes += 1;
        (self.is_ca, self.is_dropped, self.is_held) = (false, false, false);
        let written = self.writer.moves(moves);
        Some(self.flow(written))
    }
}

impl Events<'_> {
    #[inline]
    fn flow(&mut self, written: Result<(), WriteError>) -> Flow {
        match written {
            Ok(()) => Flow::Continue,
            Err(error) => {
                self.written = Err(error);
                Flow::Break
            }
        }
    }

    #[inline]
    fn write(&mut self, event: Event<'_>) -> Result<(), WriteError> {
        match event {
            Event::Property(ident) => {
                self.is_ca = ident == "CA" && self.nodes == 1;
                self.is_dropped = self.style.drops(ident);
                self.is_held = self.is_ca && self.is_labeled();
                if self.is_dropped || self.is_held { Ok(()) } else { self.writer.write(event) }
            }
            Event::Value(value) => self.write_value(value),
            Event::Node => {
                self.nodes += 1;
                self.writer.write(event)?;
                let name = self.plan.name();
                match self.plan.label() {
                    Some(label @ Label::Add) => {
                        *label = Label::Done;
                        self.writer.property("CA")?.value(name)?;
                        Ok(())
                    }
                    _ => Ok(()),
                }
            }
            _ => self.writer.write(event),
        }
    }

    /// CA names the charset of the output.
    fn is_labeled(&mut self) -> bool {
        self.plan.label().is_some_and(|label| *label == Label::Done)
    }

    #[inline]
    fn write_value(&mut self, value: RawValue<'_>) -> Result<(), WriteError> {
        if self.is_dropped {
            return Ok(());
        }
        let name = self.plan.name();
        if self.is_ca
            && let Some(label) = self.plan.label()
        {
            if std::mem::replace(label, Label::Done) != Label::Done {
                return self.writer.write(Event::Value(RawValue::new(name.as_bytes())));
            }
            // Only the first CA counts, and no other charset is that of the output. Other words are content.
            if names_charset(value) {
                return Ok(());
            }
            if std::mem::take(&mut self.is_held) {
                self.writer.property("CA")?;
            }
        }
        match self.plan {
            Plan::Decode(charset, _) if !(self.keeps_ascii && value.as_bytes().is_ascii()) => {
                let text = charset.decode(value);
                self.writer.write(Event::Value(RawValue::new(text.text().as_bytes())))
            }
            _ => self.writer.write(Event::Value(value)),
        }
    }
}

/// Whether a value of CA says nothing but a charset, or nothing.
fn names_charset(label: RawValue<'_>) -> bool {
    let label = label.simple_text_bytes();
    let label = label.trim_ascii();
    label.is_empty() || Charset::for_label(label).is_some()
}

/// Whether an escape may hide a byte that is not ASCII, or stand between two of them.
fn has_escaped_high_bytes(raw: &[u8]) -> bool {
    !raw.is_ascii() && raw.contains(&b'\\')
}

/// An identifier with lower-case letters that without them is the name of no known property. In FF\[1\] to FF\[3\] these
/// letters mean nothing; but in a property that only one program knows, they may distinguish it from another.
fn unknown_old_ident<'g>(game: &'g Game<'_>) -> Option<(Ident<'g>, u64)> {
    game.events().find_map(|(offset, event)| match event {
        Event::Property(ident) if ident.as_bytes().iter().any(u8::is_ascii_lowercase) => {
            property::find(&ident.name()).next().is_none().then_some((ident, offset))
        }
        _ => None,
    })
}

/// Whether a node after a variation starts a tree: one that has no `(`, and so starts where its node does.
fn has_implied_tree(game: &Game<'_>) -> bool {
    let mut start = None;
    game.events().any(|(offset, event)| match event {
        Event::StartTree => {
            start = Some(offset);
            false
        }
        event => event == Event::Node && start == Some(offset),
    })
}

/// A value, and its place in a game.
struct Value<'g> {
    ident: Ident<'g>,
    raw: RawValue<'g>,
    is_in_root: bool,
    /// The offset of its `[`, in the game.
    offset: u64,
}

/// The values of a game.
fn values<'g>(game: &'g Game<'_>) -> impl Iterator<Item = Value<'g>> {
    let (mut nodes, mut ident) = (0, Ident::new(b""));
    game.events().filter_map(move |(offset, event)| {
        match event {
            Event::Node => nodes += 1,
            Event::Property(next) => ident = next,
            Event::Value(raw) => return Some(Value { ident, raw, is_in_root: nodes == 1, offset }),
            _ => {}
        }
        None
    })
}

/// The values of a root that matter here.
#[derive(Default)]
struct Root {
    /// The place of the first value of CA in the game.
    label: Option<Range<usize>>,
    /// The offset of the first value of FF that is more than a number. Canonical style replaces it.
    wordy_version: Option<u64>,
}

impl Root {
    fn of(game: &Game<'_>) -> Self {
        let is_number = |raw: &[u8]| raw.iter().all(|b| b.is_ascii_digit() || b" \t\r\n.+".contains(b));
        let (mut root, mut nodes, mut is_label, mut is_version) = (Root::default(), 0, false, false);
        let parsed = game.parser().parse(&game.bytes, |event, offset| {
            match event {
                Event::Node => nodes += 1,
                Event::Property(ident) => (is_label, is_version) = (ident == "CA", ident == "FF"),
                Event::Value(value) if is_label && root.label.is_none() => {
                    let start = offset as usize + "[".len();
                    root.label = Some(start..start + value.as_bytes().len());
                }
                Event::Value(value) if is_version && !is_number(value.as_bytes()) => {
                    root.wordy_version.get_or_insert(offset);
                }
                _ => {}
            }
            if nodes < 2 { Flow::Continue } else { Flow::Break }
        });
        debug_assert!(parsed.is_ok(), "a game is SGF");
        root
    }
}

impl Style for Canonical {
    fn found_bom(&mut self, charset: Charset) {
        self.loses_mark = true;
        self.charset.get_or_insert(charset);
    }

    fn accepts(&self, remedy: Remedy) -> bool {
        match remedy {
            Remedy::Repair => true,
            Remedy::Drop | Remedy::CloseValue | Remedy::DropDigits => self.is_lossy,
            Remedy::None | Remedy::Outside => false,
        }
    }

    fn keeps_text(&self) -> bool {
        !self.is_lossy
    }

    fn keeps_blanks(&self) -> bool {
        false
    }

    fn rewrite<'g>(
        &mut self,
        game: &'g Game<'_>,
        faults: &Faults,
        findings: &mut Findings,
    ) -> Result<Cow<'g, [u8]>, Unchanged> {
        let closed = faults.has(Remedy::CloseValue).then(|| game.closed()).flatten();
        let game = closed.as_ref().unwrap_or(game);
        // The exact style drops the same junk: a value after a word that is no identifier goes with the word. And it puts
        // nodes after variations where they belong.
        let drops = faults.has(Remedy::Drop);
        let repaired = match drops || faults.has(Remedy::Repair) && has_implied_tree(game) {
            true => Some(game.respelled(exact::repair(game, faults, drops)?)),
            false => None,
        };
        let game = repaired.as_ref().unwrap_or(game);
        if faults.has(Remedy::Repair)
            && !self.is_lossy
            && let Some((ident, offset)) = unknown_old_ident(game)
        {
            let (name, offset) = (ident.name(), game.start + offset);
            let reason = format!("byte {offset}: nobody knows whether {} is {name} (or see --lossy)", ident.spelling());
            return Err(Unchanged { kind: Topic::Unchanged("unknown-ident"), reason, is_error: false });
        }
        let root = Root::of(game);
        if let (false, Some(offset)) = (self.is_lossy, root.wordy_version) {
            let offset = game.start + offset;
            let reason = format!("byte {offset}: expected the number of a version, which becomes 4 (or see --lossy)");
            return Err(Unchanged { kind: Topic::Unchanged("version"), reason, is_error: false });
        }
        let kind = Topic::Unchanged("not-written");
        let unchanged = |error: WriteError| Unchanged { kind, reason: error.to_string(), is_error: true };
        let unescaped = self.unescaped(game).map_err(unchanged)?;
        let is_respelled = repaired.is_some() || unescaped.is_some();
        let (game, root) = match &unescaped {
            Some(unescaped) => (unescaped, Root::of(unescaped)),
            None => (game, root),
        };
        let plan = self.plan(game, root, is_respelled, findings);
        self.write(game, plan).map(Cow::Owned).map_err(unchanged)
    }

    fn relabeled(&self, game: &Game<'_>) -> Option<(Vec<u8>, &'static str)> {
        if self.takes_long_games() {
            return None;
        }
        let mut bytes = game.bytes.to_vec();
        let label = Root::of(game).label;
        let name = match self.loses_mark {
            true => Charset::UTF_8.name(),
            false => {
                let ca = label.clone().map(|label| RawValue::new(&game.bytes[label]));
                self.guess(game, self.game_charset(game, ca)?)?.name()
            }
        };
        if let Some(label) = label {
            bytes.splice(label, name.bytes());
            return Some((bytes, name));
        }
        if bytes.is_ascii() {
            return None;
        }
        let (offset, _) = game.events().find(|(_, event)| *event == Event::Node)?;
        let root = usize::try_from(offset).ok()?;
        let start = root + usize::from(bytes.get(root) == Some(&b';'));
        let property = format!("CA[{name}]");
        bytes.splice(start..start, property.bytes());
        // After a line break, junk with a `]` in it is no rest of the value.
        let labeled = game.respelled(bytes);
        let reads_back = Root::of(&labeled).label.is_some_and(|label| labeled.bytes[label] == *name.as_bytes());
        let mut bytes = labeled.bytes.into_owned();
        if !reads_back {
            bytes.insert(start + property.len(), b'\n');
        }
        Some((bytes, name))
    }

    fn names_charsets(&self) -> bool {
        self.guesses
    }

    fn takes_long_games(&self) -> bool {
        !(self.loses_mark || self.guesses)
    }
}

//! Canonical form, in UTF-8 where that can be had without loss.
//!
//! Whether a game can be decoded is known when all of it is there, and its root says what came of it.

use std::str;

use sgf_stream::charset::{Charset, CharsetError, Decoding, TreeCharset};
use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Event, Ident, RawValue, property};

use super::findings::{Findings, Found};
use super::games::{Fate, Game, Stays, Style};
use super::{Args, exact};

pub(super) struct Canonical {
    /// What the user says of charsets.
    decoding: Decoding,
    has_default: bool,
    is_lossy: bool,
    /// All of the file is in this one.
    given: Option<Charset>,
    /// What told that does not come out: units of two bytes, or a mark.
    loses_mark: bool,
}

/// What becomes of the values of a game.
#[derive(Clone, Copy)]
enum Plan {
    Keep,
    /// They become UTF-8.
    Decode(TreeCharset, Label),
}

/// The value of CA that says so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// It comes in one of the next values.
    Waits,
    /// It goes behind the next node.
    IsMissing,
    Done,
}

impl Canonical {
    pub(super) fn new(args: &Args, is_transcoded: bool) -> Self {
        Canonical {
            decoding: args.decoding(),
            has_default: args.default_charset.is_some(),
            is_lossy: args.lossy,
            given: if is_transcoded { Some(Charset::UTF_8) } else { args.charset },
            loses_mark: is_transcoded,
        }
    }

    /// Decides what becomes of the values. Their offsets are those of the file, unless it is spelled otherwise.
    fn plan(&self, game: &Game<'_>, is_respelled: bool, findings: &mut Findings) -> Plan {
        // What does not come out has no say: the version is another one afterwards.
        let comes_out = |value: &Value<'_>| !(value.is_in_root && value.ident == "FF" || self.drops(value.ident));
        let values = || values(game).filter(comes_out).map(|value| (value.raw, value.offset));
        let label = root_label(game).map(|label| label.raw);
        let is_blank = label.is_none_or(|label| label.simple_text_bytes().trim_ascii().is_empty());
        let is_utf8 = || values().all(|(value, _)| str::from_utf8(value.as_bytes()).is_ok());
        let charset = match self.given {
            Some(charset) => self.decoding.force(charset).decide(None, None, []),
            None if !is_blank || self.has_default => {
                self.decoding.strict(true).decide(None, label.filter(|_| !is_blank), [])
            }
            None if is_utf8() => Decoding::utf8().decide(None, None, []),
            // What else it may be in, would be a guess.
            None => return Plan::Keep,
        };
        let charset = match charset {
            Ok(charset) => charset,
            Err(CharsetError::UnknownLabel { label, .. }) => {
                let what = format_args!("no charset is called {label:?}, and its texts stay as they are");
                findings.of_texts(game.start, what);
                return Plan::Keep;
            }
            Err(_) => return Plan::Keep,
        };
        let mut bad = values().filter(|&(value, _)| !charset.decode(value).is_sound()).map(|(_, offset)| offset);
        if let Some(first) = bad.next() {
            let name = charset.charset();
            let text = match is_respelled {
                true => "one of its texts".to_owned(),
                false => format!("the text at byte {}", game.start + first),
            };
            let more = match bad.count() {
                0 => String::new(),
                others => format!(", nor are {others} more"),
            };
            findings.of_texts(game.start, format_args!("{text} is not in {name}{more}; its texts stay as they are"));
            return Plan::Keep;
        }
        let is_ascii = values().all(|(value, _)| value.as_bytes().is_ascii());
        let label = match label {
            Some(_) => Label::Waits,
            None if is_ascii && charset.charset().is_ascii_compatible() => Label::Done,
            None => Label::IsMissing,
        };
        Plan::Decode(charset, label)
    }

    /// Whether a property is left out: FF\[4\] has no such identifiers.
    fn drops(&self, ident: Ident<'_>) -> bool {
        self.is_lossy && ident.as_bytes().iter().any(u8::is_ascii_digit)
    }

    /// Writes a game, with its values in UTF-8 if they can be.
    fn write(&self, game: &Game<'_>, mut plan: Plan) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::canonical(Vec::with_capacity(game.bytes.len() + 64));
        if matches!(plan, Plan::Keep) {
            writer = writer.charset(game.decoding);
        }
        let (mut is_ca, mut is_out) = (false, false);
        for (event, _) in game.events() {
            if let Event::Property(ident) = event {
                is_ca = ident == "CA";
                is_out = self.drops(ident);
            }
            match (event, &mut plan) {
                (Event::Property(_) | Event::Value(_), _) if is_out => {}
                (Event::Value(_), Plan::Decode(_, label @ Label::Waits)) if is_ca => {
                    *label = Label::Done;
                    writer.value("UTF-8")?;
                }
                (Event::Value(value), Plan::Decode(charset, _)) => {
                    writer.value(charset.decode(value).text())?;
                }
                (Event::Node, Plan::Decode(_, label @ Label::IsMissing)) => {
                    *label = Label::Done;
                    writer.node()?.property("CA")?.value("UTF-8")?;
                }
                _ => writer.write(event)?,
            }
        }
        let mut written = writer.finish()?;
        written.pop_if(|last| *last == b'\n');
        Ok(written)
    }

    /// The same game without escapes that nothing needs, where one may stand inside a character: only without them its
    /// texts are what they are in a charset.
    fn unescaped(&self, game: &Game<'_>) -> Result<Option<Game<'static>>, WriteError> {
        let is_escaped = |event| matches!(event, Event::Value(value) if has_escaped_high_bytes(value.as_bytes()));
        match game.events().any(|(event, _)| is_escaped(event)) {
            true => Ok(game.respelled(self.write(game, Plan::Keep)?)),
            false => Ok(None),
        }
    }
}

/// Whether an escape may hide a byte that is not ASCII, or stand between two.
fn has_escaped_high_bytes(raw: &[u8]) -> bool {
    !raw.is_ascii() && raw.contains(&b'\\')
}

/// An identifier with lower-case letters, where nothing is called as it would be without them. They mean nothing, as
/// FF\[1\] to FF\[3\] have it; but of what only one program knows they may be all that tells it from something else.
fn unknown_old_ident<'g>(game: &'g Game<'_>) -> Option<(Ident<'g>, u64)> {
    game.events().find_map(|(event, offset)| match event {
        Event::Property(ident) if ident.as_bytes().iter().any(u8::is_ascii_lowercase) => {
            property::find(&ident.name()).next().is_none().then_some((ident, offset))
        }
        _ => None,
    })
}

/// A value, and where in a game it stands.
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
    game.events().filter_map(move |(event, offset)| {
        match event {
            Event::Node => nodes += 1,
            Event::Property(next) => ident = next,
            Event::Value(raw) => return Some(Value { ident, raw, is_in_root: nodes == 1, offset }),
            _ => {}
        }
        None
    })
}

/// The first value of CA in the root.
fn root_label<'g>(game: &'g Game<'_>) -> Option<Value<'g>> {
    values(game).take_while(|value| value.is_in_root).find(|value| value.ident == "CA")
}

/// The offset of a version that says more than a number. Canonical style writes another in its place.
fn wordy_version(game: &Game<'_>) -> Option<u64> {
    let is_number = |raw: &RawValue<'_>| raw.as_bytes().iter().all(|b| b.is_ascii_digit() || b" \t\r\n.+".contains(b));
    let mut versions = values(game).take_while(|value| value.is_in_root).filter(|value| value.ident == "FF");
    versions.find(|version| !is_number(&version.raw)).map(|version| version.offset)
}

impl Style for Canonical {
    fn front(&mut self, chunk: &[u8]) {
        if let Some((charset, _)) = Charset::from_bom(chunk) {
            self.loses_mark = true;
            self.given.get_or_insert(charset);
        }
    }

    fn repairs(&self, fate: Fate) -> bool {
        match fate {
            Fate::Repaired => true,
            Fate::Costs | Fate::Cut | Fate::HasDigits => self.is_lossy,
            Fate::TooMuch | Fate::Outside => false,
        }
    }

    fn keeps_text(&self) -> bool {
        !self.is_lossy
    }

    fn keeps_blanks(&self) -> bool {
        false
    }

    fn game(&mut self, game: &Game<'_>, found: &Found, findings: &mut Findings) -> Result<Vec<u8>, Stays> {
        let closed = found.has(Fate::Cut).then(|| game.closed()).flatten();
        let game = closed.as_ref().unwrap_or(game);
        // What goes is what goes in exact style: the value behind a word that is no identifier goes with it.
        let without_junk = match found.has(Fate::Costs) {
            true => game.respelled(exact::rewrite(game, true)?),
            false => None,
        };
        let game = without_junk.as_ref().unwrap_or(game);
        if found.has(Fate::Repaired)
            && !self.is_lossy
            && let Some((ident, offset)) = unknown_old_ident(game)
        {
            let (name, offset) = (ident.name(), game.start + offset);
            let why = format!("byte {offset}: nobody knows whether {} is {name} (or see --lossy)", ident.spelling());
            return Err(Stays { why, is_error: false });
        }
        if let (false, Some(offset)) = (self.is_lossy, wordy_version(game)) {
            let offset = game.start + offset;
            let why = format!("byte {offset}: expected the number of a version, which becomes 4 (or see --lossy)");
            return Err(Stays { why, is_error: false });
        }
        let stays = |error: WriteError| Stays { why: error.to_string(), is_error: true };
        let unescaped = self.unescaped(game).map_err(stays)?;
        let is_respelled = without_junk.is_some() || unescaped.is_some();
        let game = unescaped.as_ref().unwrap_or(game);
        let plan = self.plan(game, is_respelled, findings);
        self.write(game, plan).map_err(stays)
    }

    fn relabelled(&self, game: &Game<'_>) -> Option<Vec<u8>> {
        if self.takes_long_games() {
            return None;
        }
        let mut bytes = game.bytes.to_vec();
        if let Some(label) = root_label(game) {
            let start = usize::try_from(label.offset).ok()? + "[".len();
            bytes.splice(start..start + label.raw.as_bytes().len(), *b"UTF-8");
        } else if !bytes.is_ascii() {
            let (_, offset) = game.events().find(|(event, _)| *event == Event::Node)?;
            let root = usize::try_from(offset).ok()?;
            let start = root + usize::from(bytes.get(root) == Some(&b';'));
            bytes.splice(start..start, *b"CA[UTF-8]");
        }
        Some(bytes)
    }

    fn takes_long_games(&self) -> bool {
        !self.loses_mark
    }
}

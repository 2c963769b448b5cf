//! The texts of a root, in the charset of their game.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;

use sgf_stream::charset::{BadBytes, Charset, CharsetSource, Decoded, Decoding, GameCharset, TreeCharset};
use sgf_stream::internal::{TextRule, plain_ascii};
use sgf_stream::node::PropertyRef;
use sgf_stream::{Code, Diagnostic, NodeRecord, Position, RawValue, work};

use super::game::{ForCharset, GameDraft};

/// The policy for the texts of all games of a stream.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextPolicy {
    pub(super) decoding: Option<Decoding>,
}

/// The charset of the texts of a game.
#[derive(Debug, Default)]
pub(super) struct Texts {
    tree: Option<TreeCharset>,
    /// The charset of all texts together.
    game: Option<GameCharset>,
    /// Whether texts were available for the decision, or are not needed for it.
    is_decided: bool,
    /// Diagnostics about texts that columns asked for: the code, and the offset of the value or the property.
    faults: RefCell<Faults>,
    /// Properties with extra values: the offset, the name and the number of values.
    extra: RefCell<Vec<(u64, String, usize)>>,
}

/// Diagnostics, each once, in the order in which they were found.
#[derive(Debug, Default)]
struct Faults {
    list: Vec<(Code, u64)>,
    known: HashSet<(Code, u64)>,
}

impl TextPolicy {
    /// Returns the root values that are needed.
    pub(super) fn wanted(self) -> ForCharset {
        if let Some(decoding) = self.decoding {
            let all = decoding.bad_bytes_policy() == BadBytes::Error;
            return if all { ForCharset::All } else { ForCharset::Telling };
        }
        ForCharset::Nothing
    }

    /// Decides the charset of the texts of a game, and notes violations of the policy.
    pub(super) fn of_game(self, game: &mut GameDraft, has_bom: bool) -> Texts {
        self.of_rest(game, has_bom, Texts::default())
    }

    /// Decides the charset of the rest of a game whose texts so far are ASCII. Keeps what was noted.
    pub(super) fn of_rest(self, game: &mut GameDraft, has_bom: bool, mut texts: Texts) -> Texts {
        texts.is_decided = true;
        let Some(decoding) = self.decoding else { return texts };
        let bom = has_bom.then_some(Charset::UTF_8);
        let of_game = match decoding.game_charset(bom, &game.texts) {
            Ok(of_game) => of_game,
            Err(error) => {
                game.error.get_or_insert(error.code());
                texts.tree = Some(TreeCharset::of(Charset::WINDOWS_1252));
                return texts;
            }
        };
        (texts.tree, texts.game) = (Some(of_game.tree()), Some(of_game));
        texts.is_decided = game.texts.is_open() || game.texts.is_decided();
        if decoding.bad_bytes_policy() == BadBytes::Error && texts.has_bad_bytes(&game.root) {
            game.error.get_or_insert(Code::BadBytes);
        }
        let ca_offset = game.root.get("CA").map_or(game.root.offset(), |ca| ca.offset());
        if of_game.replaces_ca() {
            // None of the texts is in the charset of CA, and all are in this one.
            texts.fault(Code::CharsetMismatch, ca_offset);
        } else if of_game.tree().source() == CharsetSource::UnknownName {
            texts.fault(Code::UnknownCharset, ca_offset);
        }
        texts
    }
}

impl Texts {
    /// Returns the name of the charset.
    pub(super) fn charset(&self) -> &'static str {
        if let Some(charset) = self.game.map(GameCharset::charset).or(self.tree.map(TreeCharset::charset)) {
            return charset.name();
        }
        "UTF-8"
    }

    fn has_bad_bytes(&self, root: &NodeRecord<'_>) -> bool {
        let mut values = root.iter().flat_map(|property| property.values());
        values.any(|value| self.tree.is_some_and(|tree| !tree.decode(value).is_sound()))
    }

    /// Notes a property with more than one value, once for each place.
    #[cold]
    pub(super) fn extra_values(&self, property: PropertyRef<'_>) {
        let (mut extra, at) = (self.extra.borrow_mut(), property.offset());
        work::note(extra.len());
        if extra.iter().all(|noted| noted.0 != at) {
            extra.push((at, property.ident().name().into_owned(), property.len()));
        }
    }

    /// Notes a diagnostic, once for each place.
    pub(super) fn fault(&self, code: Code, at: u64) {
        let mut faults = self.faults.borrow_mut();
        work::note(1);
        if faults.known.insert((code, at)) {
            faults.list.push((code, at));
        }
    }

    /// Returns what was noted, given the positions of offsets. `node` is the position of the root.
    pub(super) fn into_diagnostics(
        self,
        node: Position,
        position: impl Fn(u64) -> Position,
    ) -> impl Iterator<Item = Diagnostic> {
        let faults = self.faults.into_inner().list.into_iter().map(move |(code, _)| Diagnostic::new(code, node));
        let extra = self.extra.into_inner().into_iter();
        faults.chain(extra.map(move |(at, name, count)| Diagnostic::extra_values(position(at), &name, count)))
    }

    /// Returns whether the charset is known for the rest of the game.
    pub(super) fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Returns whether ASCII characters are ASCII bytes.
    pub(super) fn is_ascii_compatible(&self) -> bool {
        self.tree.is_none_or(|tree| tree.charset().is_ascii_compatible())
    }

    /// Returns a value as text, or decoded with its escapes, for typed values. `at` is its offset.
    pub(super) fn read<'v>(&self, value: RawValue<'v>, at: u64, rule: TextRule) -> Cow<'v, str> {
        work::note(value.as_bytes().len());
        if self.is_ascii_compatible()
            && let Some(plain) = plain_ascii(value.as_bytes())
        {
            return Cow::Borrowed(plain);
        }
        if let Some(tree) = self.tree {
            let decoded: Decoded<'v> = match rule {
                TextRule::Text => tree.text(value),
                TextRule::Simple => tree.simple_text(value),
                TextRule::Raw => tree.decode(value),
            };
            for run in decoded.bad_runs() {
                self.fault(Code::BadBytes, at + 1 + run.start as u64);
            }
            return decoded.into_text();
        }
        rule.read_utf8(value)
    }
}

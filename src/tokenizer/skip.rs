//! Skipping: to the end of a tree or a game, without events.
//!
//! Where a tree ends is a matter of brackets and values only. So this loop looks for `(`, `)` and
//! `[`, counts, and passes values over with the scanner that reading uses. In lenient mode a game
//! may also end where the next one starts; the same three repairs find that, so that skipping
//! ends where reading would end (law L3). Nothing else is looked at, and nothing else is
//! reported.

use super::declared::{Declared, Word};
use super::grammar::{self, is_white_space};
use super::value_end::starts_game;
use super::{Go, HeldTree, Outcome, Place, Run, Sink, Spot};
use crate::diagnostic::Code;
use crate::flow::Flow;

/// What is being skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The rest of the open game.
    Game,
    /// The innermost tree, whose `StartTree` went out.
    Tree,
    /// A tree that was not opened, since it is too deep.
    Unopened,
    /// The same, for one without a bracket.
    UnopenedImplied,
}

#[derive(Debug)]
pub(super) struct Skip {
    kind: Kind,
    /// Brackets opened since.
    open: u64,
    candidate: Option<Candidate>,
    /// The word that is being read in the root.
    word: Option<Word>,
}

/// A `(` at the start of a line in an open game: the next game, if `;`, one of six identifiers
/// and `[` follow.
#[derive(Debug)]
struct Candidate {
    spot: Spot,
    next: Next,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Semicolon,
    Ident { node_at: u64 },
    IdentRest { node_at: u64, ident: Spot },
    Bracket { node_at: u64, ident: Spot },
}

impl Skip {
    fn new(kind: Kind, open: u64) -> Self {
        Skip { kind, open, candidate: None, word: None }
    }

    /// The rest of the open game, in which so many brackets are open beside its own.
    pub(super) fn game(open: u64) -> Self {
        Skip::new(Kind::Game, open)
    }

    /// The same, where a `(` is held back, and perhaps an identifier: they are behind us.
    pub(super) fn game_behind(open: u64, held: HeldTree, ident: Option<Spot>) -> Self {
        let next = match (held.node, ident) {
            (None, _) => Next::Semicolon,
            (Some(node_at), None) => Next::Ident { node_at },
            (Some(node_at), Some(ident)) => Next::Bracket { node_at, ident },
        };
        let candidate = held.doubtful.then_some(Candidate { spot: held.spot, next });
        Skip { candidate, ..Skip::new(Kind::Game, open + 1) }
    }

    /// Goes on to the end of the game, in which so many brackets are open beside its own.
    pub(super) fn widen(self, open: u64) -> Self {
        let unopened = match self.kind {
            Kind::Game => return self,
            Kind::Unopened => 1,
            Kind::Tree | Kind::UnopenedImplied => 0,
        };
        Skip { kind: Kind::Game, open: open + unopened + self.open, ..self }
    }

    /// In the middle of a word that is no identifier.
    pub(super) fn go_on_with_word(&mut self, has_upper: bool) {
        self.word = Some(Word::too_long(has_upper));
    }

    /// How many brackets are open here beside the game's own, when the tokenizer knows of so many.
    fn below_root(&self, brackets: u64) -> u64 {
        match self.kind {
            Kind::Game => self.open,
            Kind::Tree | Kind::UnopenedImplied => self.open + brackets - 1,
            Kind::Unopened => self.open + brackets,
        }
    }

    pub(super) fn tree() -> Self {
        Skip::new(Kind::Tree, 0)
    }

    /// A tree whose end is not heard of.
    pub(super) fn is_tree(&self) -> bool {
        self.kind == Kind::Tree
    }

    pub(super) fn unopened() -> Self {
        Skip::new(Kind::Unopened, 0)
    }

    pub(super) fn unopened_implied() -> Self {
        Skip::new(Kind::UnopenedImplied, 0)
    }
}

impl<S: Sink> Run<'_, S> {
    pub(super) fn go_on_skipping(&mut self) -> Go {
        let Some(mut skip) = self.t.skip.take() else { return Ok(()) };
        let repair = self.t.lenient();
        loop {
            if let Some(candidate) = skip.candidate.take() {
                match self.is_new_game(candidate) {
                    Is::Known(None) => {}
                    Is::Known(Some(held)) => {
                        self.t.skip = Some(skip);
                        return self.skip_runs_into_game(held);
                    }
                    Is::Unknown(candidate) => {
                        skip.candidate = Some(candidate);
                        self.t.skip = Some(skip);
                        return Err(Outcome::NeedMore);
                    }
                }
            }
            let rest = &self.input[self.pos..];
            let found = match self.t.declared {
                Declared::InRoot(_) => self.pass_words(&mut skip.word),
                _ => memchr::memchr3(b'(', b')', b'[', rest),
            };
            let Some(found) = found else {
                self.t.count(rest.len());
                self.pos = self.input.len();
                self.t.skip = Some(skip);
                return if self.eof { self.skip_runs_out() } else { Err(Outcome::NeedMore) };
            };
            self.t.count(found + 1);
            self.pos += found;
            match self.input[self.pos] {
                b'(' => {
                    if repair && self.at_line_start() {
                        skip.candidate = Some(Candidate { spot: self.spot(), next: Next::Semicolon });
                    }
                    skip.open += 1;
                    self.pos += 1;
                    self.t.declared.forget_ident();
                }
                b')' if skip.open > 0 => {
                    skip.open -= 1;
                    self.pos += 1;
                    self.t.declared.forget_ident();
                }
                b')' => {
                    self.t.skip = Some(skip);
                    return self.skipped();
                }
                _ => {
                    self.note_bracket(skip.below_root(self.t.levels.brackets() as u64));
                    match grammar::short_value(&self.input[self.pos..]) {
                        Some(raw) if self.t.declared != Declared::IS_NEXT && self.is_certain(raw) => {
                            self.t.count(raw.len());
                            self.pos += raw.len() + 2;
                        }
                        _ => {
                            self.t.skip = Some(skip);
                            return self.pass_value();
                        }
                    }
                }
            }
        }
    }

    /// The `)` of what is being skipped.
    fn skipped(&mut self) -> Go {
        let Some(Skip { kind, .. }) = self.t.skip.take() else { return Ok(()) };
        self.t.after_child = true;
        let has_bracket = match kind {
            Kind::Game => {
                self.t.game_end = self.at() + 1;
                self.t.levels.clear();
                true
            }
            Kind::Tree => !self.t.levels.forget_tree(),
            Kind::Unopened => true,
            Kind::UnopenedImplied => false,
        };
        // A tree without a bracket ends with the one that it stands in, which is read next.
        self.pos += usize::from(has_bracket);
        self.t.place = self.t.place_in_tree();
        if kind == Kind::Game { self.say_game_skipped() } else { Ok(()) }
    }

    pub(super) fn say_game_skipped(&mut self) -> Go {
        match self.sink.game_skipped() {
            Flow::Break => Err(Outcome::Stopped),
            _ => Ok(()),
        }
    }

    /// The game ends in what is being skipped. Takes that off the open trees, and says whether
    /// the ends of the others are wanted.
    pub(super) fn forget_skipped(&mut self) -> bool {
        let Some(skip) = self.t.skip.take() else { return true };
        if skip.kind == Kind::Tree {
            self.t.levels.forget_tree();
        }
        skip.kind != Kind::Game
    }

    /// The data end in what is being skipped.
    fn skip_runs_out(&mut self) -> Go {
        self.unclosed()?;
        self.end_game_at(self.at(), Place::Outside)
    }

    /// The next game starts in what is being skipped: its `(`, `;` and identifier are behind us.
    fn skip_runs_into_game(&mut self, held: HeldTree) -> Go {
        self.fault(Code::MissingCloseParen, held.spot)?;
        self.t.held = Some(held);
        self.t.ident.from = Place::Opened;
        self.t.ident.dropped = false;
        self.t.ident.lost = false;
        self.end_game_at(held.spot.at, Place::Ident)
    }

    /// Whether a new game starts at the candidate. Moves over what it has looked at, which holds
    /// no bracket.
    fn is_new_game(&mut self, mut candidate: Candidate) -> Is {
        loop {
            if !matches!(candidate.next, Next::IdentRest { .. }) {
                self.white_space();
            }
            let Some(&byte) = self.input.get(self.pos) else {
                return if self.eof { Is::Known(None) } else { Is::Unknown(candidate) };
            };
            candidate.next = match (candidate.next, byte) {
                (Next::Semicolon, b';') => {
                    self.t.declared.leave_root();
                    Next::Ident { node_at: self.at() }
                }
                (Next::Ident { node_at }, b) if b.is_ascii_alphabetic() => {
                    self.t.ident.bytes.clear();
                    self.t.ident.bytes.push(b);
                    Next::IdentRest { node_at, ident: self.spot() }
                }
                (Next::IdentRest { .. }, b)
                    if b.is_ascii_alphanumeric() && self.t.ident.bytes.len() < self.t.config.max_ident_len =>
                {
                    self.t.ident.bytes.push(b);
                    candidate.next
                }
                (Next::IdentRest { node_at, ident }, b) if b == b'[' || is_white_space(b) => {
                    candidate.next = Next::Bracket { node_at, ident };
                    continue;
                }
                (Next::Bracket { node_at, ident }, b'[') => {
                    if !starts_game(&self.t.ident.bytes) {
                        return Is::Known(None);
                    }
                    self.t.ident.spot = ident;
                    return Is::Known(Some(HeldTree { spot: candidate.spot, doubtful: true, node: Some(node_at) }));
                }
                _ => return Is::Known(None),
            };
            self.t.count(1);
            self.pos += 1;
        }
    }
}

enum Is {
    Known(Option<HeldTree>),
    Unknown(Candidate),
}

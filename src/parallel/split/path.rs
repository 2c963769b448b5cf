//! What a stretch of bytes does to the reader's state, told without knowing the state in front of it.
//!
//! The state is: outside of values, inside one, or inside one and behind a backslash ([`Mode`]); how many
//! brackets are open; and how many `[` the open value holds that no `]` matches. A [`Path`] is what
//! becomes of them in a stretch that is entered in one mode, a [`Summary`] the three paths of a block.
//! Paths compose, and so do summaries: [`Summary::then`] is associative, and the empty stretch is its
//! identity. So blocks can be summarised in any order, each by itself.
//!
//! That holds of an archive in which nothing is repaired. Where the tokenizer might do something other
//! than to count brackets, the path says so, in terms of the state that it is entered in:
//!
//! * whatever that is ([`Path::lost`]);
//! * if the value that is open holds more than so many unmatched `[` ([`Path::doubt`]): the `]` that
//!   ends it may be text;
//! * if it is not as deep as it seems ([`Path::low`]), or is outside of all games at its lowest
//!   ([`Path::stray`]): a bracket is text there;
//! * if it is deeper than zero at a certain place ([`Path::head`]): what looks like the head of a game
//!   is the head of a game, and the open one lacks its `)`.
//!
//! What else the tokenizer repairs inside a game (nodes without `;`, junk, identifiers without values,
//! limits) moves no bracket; it skips games without looking at any of it.

/// Where a byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Outside of values.
    Plain,
    /// Inside a value.
    Inside,
    /// Inside a value, behind a backslash that hides it.
    Hidden,
}

impl Mode {
    pub(super) const ALL: [Mode; 3] = [Mode::Plain, Mode::Inside, Mode::Hidden];
}

/// What becomes of the number of unmatched `[` in the open value: `max(n + add, floor)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unmatched {
    /// `None`: the value has begun since, so what was before does not matter.
    add: Option<i64>,
    floor: i64,
}

impl Unmatched {
    const SAME: Unmatched = Unmatched { add: Some(0), floor: 0 };

    /// A value begins, or none is open.
    pub(super) const NONE: Unmatched = Unmatched { add: None, floor: 0 };

    /// A `[` in the value.
    pub(super) fn open(&mut self) {
        self.add = self.add.map(|add| add + 1);
        self.floor += 1;
    }

    /// A `]` in the value, behind a backslash. It matches what is there, if anything is.
    pub(super) fn close(&mut self) {
        self.add = self.add.map(|add| add - 1);
        self.floor = (self.floor - 1).max(0);
    }

    fn apply(self, before: i64) -> i64 {
        self.add.map_or(self.floor, |add| self.floor.max(before + add))
    }

    fn then(self, next: Unmatched) -> Unmatched {
        match next.add {
            None => next,
            Some(more) => Unmatched { add: self.add.map(|add| add + more), floor: next.floor.max(self.floor + more) },
        }
    }

    /// The number is more than `most` behind this, if it was more than that before.
    fn exceeds(self, most: i64) -> Limit {
        match self.add {
            _ if self.floor > most => Limit::Always,
            Some(add) => Limit::Above(most - add),
            None => Limit::Never,
        }
    }

    /// There is a `[` for the `]` that comes next, if …
    pub(super) fn is_any(self) -> Limit {
        self.exceeds(0)
    }
}

/// Of what number something is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Limit {
    Always,
    /// Of greater ones.
    Above(i64),
    Never,
}

/// What a stretch does that is entered in a certain mode. Depths are relative to that in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// The mode behind it.
    pub(super) mode: Mode,
    /// The depth behind it.
    pub(super) depth: i64,
    /// The least depth. Only there can it be outside of all games.
    pub(super) low: i64,
    /// At the least depth is a bracket that outside of games is text: a `[`, or a `(` without its `;`.
    pub(super) stray: bool,
    /// The offset of the last `(` at the least depth. If that is outside of games, the last game starts
    /// there.
    pub(super) start: Option<u64>,
    /// The greatest depth at which there is what may be the head of a game.
    pub(super) head: Option<i64>,
    pub(super) unmatched: Unmatched,
    /// A repair may strike if more `[` than that are unmatched in front.
    pub(super) doubt: Limit,
}

impl Path {
    pub(super) fn empty(mode: Mode) -> Self {
        Path {
            mode,
            depth: 0,
            low: 0,
            stray: false,
            start: None,
            head: None,
            unmatched: Unmatched::SAME,
            doubt: Limit::Never,
        }
    }

    /// The path of which nothing is known but that it has to be read by the tokenizer. What comes behind
    /// it makes it no better.
    pub(super) const LOST: Path = Path {
        mode: Mode::Plain,
        depth: 0,
        low: 0,
        stray: true,
        start: None,
        head: None,
        unmatched: Unmatched::NONE,
        doubt: Limit::Always,
    };

    pub(super) fn is_lost(&self) -> bool {
        self.doubt == Limit::Always
    }

    /// A `(`, outside of values.
    pub(super) fn open(&mut self, at: u64, starts_tree: bool, may_start_next_game: bool) {
        if self.depth == self.low {
            self.stray |= !starts_tree;
            self.start = Some(at);
        }
        if may_start_next_game {
            self.head = self.head.max(Some(self.depth));
        }
        self.depth += 1;
    }

    /// A `)`, outside of values.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        if self.depth < self.low {
            (self.low, self.stray, self.start) = (self.depth, false, None);
        }
    }

    /// A `[`, outside of values.
    pub(super) fn value(&mut self) {
        self.stray |= self.depth == self.low;
    }

    /// It is doubtful here if something is true of the number of unmatched `[` in front.
    pub(super) fn doubt(&mut self, limit: Limit) {
        self.doubt = self.doubt.min(limit);
        if self.is_lost() {
            *self = Path::LOST;
        }
    }

    /// This one, and then another, which is entered in the mode that this one ends in.
    pub(super) fn then(self, next: &Path) -> Path {
        let doubt = match next.doubt {
            Limit::Always => Limit::Always,
            Limit::Above(most) => self.doubt.min(self.unmatched.exceeds(most)),
            Limit::Never => self.doubt,
        };
        if self.is_lost() || doubt == Limit::Always {
            return Path::LOST;
        }
        let next_low = self.depth + next.low;
        let (stray, start) = match next_low.cmp(&self.low) {
            std::cmp::Ordering::Less => (next.stray, next.start),
            std::cmp::Ordering::Equal => (self.stray || next.stray, next.start.or(self.start)),
            std::cmp::Ordering::Greater => (self.stray, self.start),
        };
        Path {
            mode: next.mode,
            depth: self.depth + next.depth,
            low: self.low.min(next_low),
            stray,
            start,
            head: self.head.max(next.head.map(|head| self.depth + head)),
            unmatched: self.unmatched.then(next.unmatched),
            doubt,
        }
    }
}

/// What a block does, whatever mode it is entered in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Summary([Path; 3]);

impl Summary {
    pub(super) fn new(paths: [Path; 3]) -> Self {
        Summary(paths)
    }

    /// The summary of which nothing is known.
    pub(super) const LOST: Summary = Summary([Path::LOST; 3]);

    /// Whether every path is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.0.iter().all(Path::is_lost)
    }

    /// The path of a block that is entered in a mode.
    pub(super) fn path(&self, mode: Mode) -> &Path {
        &self.0[mode as usize]
    }

    /// The summary of two blocks, one behind the other.
    #[cfg(test)]
    pub(super) fn then(&self, next: &Summary) -> Summary {
        Summary(self.0.map(|path| path.then(next.path(path.mode))))
    }
}

/// What is known at an offset of the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) at: u64,
    pub(super) mode: Mode,
    /// Brackets that are open.
    pub(super) depth: i64,
    /// The unmatched `[` of the open value.
    unmatched: i64,
    /// Where the open game starts, if one is open.
    game: u64,
}

impl State {
    /// Outside of games.
    pub(super) fn outside(at: u64) -> Self {
        State { at, mode: Mode::Plain, depth: 0, unmatched: 0, game: at }
    }

    pub(super) fn is_in_game(&self) -> bool {
        self.depth > 0
    }

    /// Where the tokenizer has to begin to get here: at the start of the open game, or here.
    pub(super) fn safe_start(&self) -> u64 {
        if self.is_in_game() { self.game } else { self.at }
    }

    /// The state at `at`, behind a path. `None` if the path may not be what the tokenizer would take.
    pub(super) fn after(&self, path: &Path, at: u64) -> Option<State> {
        let low = self.depth + path.low;
        let is_doubtful = match path.doubt {
            Limit::Always => true,
            Limit::Above(most) => self.unmatched > most,
            Limit::Never => false,
        };
        let is_next_game = path.head.is_some_and(|head| self.depth + head > 0);
        if is_doubtful || is_next_game || low < 0 || low == 0 && path.stray {
            return None;
        }
        let game = path.start.filter(|_| low == 0).unwrap_or(self.game);
        let (mode, depth) = (path.mode, self.depth + path.depth);
        Some(State { at, mode, depth, unmatched: path.unmatched.apply(self.unmatched), game })
    }
}

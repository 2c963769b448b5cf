//! What became of the games.

/// Why a game is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    NotGo,
    OtherSize,
    Condition,
    Part,
    NoMoves,
    Cut,
    Broken,
    TooLong,
}

/// The numbers of games that were used and skipped, by reason.
///
/// Each game is in exactly one of the numbers from `used` to `too_long`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Games with positions, also those that end early.
    pub used: u64,
    /// Games other than Go.
    pub not_go: u64,
    /// Games on a board of another size.
    pub other_size: u64,
    /// Games that do not fulfill the conditions.
    pub condition: u64,
    /// Games that are in another part of the split.
    pub part: u64,
    /// Games without a move, or whose first move is illegal.
    pub no_moves: u64,
    /// Games that end with the data.
    pub cut: u64,
    /// Games that lost data to a syntax error or a limit, except cut ones.
    pub broken: u64,
    /// Games that are longer than 16 MiB.
    ///
    /// In a large file, the games that begin in the 256 KiB before one are not read either.
    pub too_long: u64,
    /// Games that end before an illegal move, or one that cannot be read.
    ///
    /// They are in one of the other numbers too.
    pub ended_illegal: u64,
    /// Games that end before stones are set up after the first move.
    ///
    /// They are in one of the other numbers too.
    pub ended_setup: u64,
    /// Files that cannot be read, or only in part.
    pub unreadable_files: u64,
}

/// Calls a macro with the names of all numbers, those of games first.
macro_rules! counts {
    ($each:ident) => {
        $each!(
            used,
            not_go,
            other_size,
            condition,
            part,
            no_moves,
            cut,
            broken,
            too_long,
            ended_illegal,
            ended_setup,
            unreadable_files
        )
    };
}

impl Skipped {
    pub(crate) fn add(&mut self, reason: Reason) {
        let count = match reason {
            Reason::NotGo => &mut self.not_go,
            Reason::OtherSize => &mut self.other_size,
            Reason::Condition => &mut self.condition,
            Reason::Part => &mut self.part,
            Reason::NoMoves => &mut self.no_moves,
            Reason::Cut => &mut self.cut,
            Reason::Broken => &mut self.broken,
            Reason::TooLong => &mut self.too_long,
        };
        *count += 1;
    }

    /// Adds the numbers of other games.
    pub(crate) fn merge(&mut self, other: &Skipped) {
        macro_rules! add {
            ($($count:ident),*) => { $( self.$count += other.$count; )* };
        }
        counts!(add);
    }

    /// Returns the number of all games.
    pub fn games(&self) -> u64 {
        self.each()[..9].iter().map(|(_, count)| count).sum()
    }

    /// Returns all numbers with their names.
    pub fn each(&self) -> [(&'static str, u64); 12] {
        macro_rules! list {
            ($($count:ident),*) => { [ $( (stringify!($count), self.$count) ),* ] };
        }
        counts!(list)
    }
}

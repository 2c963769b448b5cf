//! What engines write into games: win rates, score leads and visits of moves.
//!
//! Each program has properties of its own, or a form of comments, and its own view: that of Black, of White, or of the
//! player who moved. [`Writer::all`] is the table of those that are known. All values here are Black's: a win rate of 0.9
//! is good for Black, and so is a score lead of 5.
//!
//! The values are also columns of the table `moves` (see [`table`](crate)): `winrate`, `score_lead`, `visits` and
//! `analysis`, the names of the writers.
//!
//! ```
//! use sgf_table::analysis::{NodeTexts, Evaluation};
//! use sgf_stream::value::Color;
//!
//! let node = NodeTexts::new(Color::White).property("SBKV", "39.84").comment("* Score lead: W 0.83\n* Visits: 1015");
//! let evaluation = node.read().unwrap();
//! assert_eq!((evaluation.winrate, evaluation.score_lead, evaluation.visits), (Some(0.3984), Some(-0.83), Some(1015)));
//! assert_eq!(evaluation.writers(), "sabaki+analyze-sgf");
//! ```
//!
//! KataGo's comments and those of CGOS are about the position before the move, since the program searched there; the
//! others are about the position after it. `LZOP` of Lizzie is about the position before the first move, so no row of
//! `moves` has it.

mod comment;
mod json;
mod packed;
mod property;

use std::borrow::Cow;

use sgf_stream::value::Color;

/// The properties that writers have, in the order in which they are kept.
pub(crate) const PROPERTIES: [&str; 6] = ["KT", "SBKV", "SBKS", "LZ", "LZ2", "CC"];

/// The view of one player on values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Values {
    pub(crate) winrate: Option<f64>,
    pub(crate) score: Option<f64>,
    pub(crate) visits: Option<i64>,
}

impl Values {
    /// Returns values of a player as those of Black.
    fn of(self, player: Color) -> Values {
        match player {
            Color::Black => self,
            Color::White => {
                let (winrate, score) = (self.winrate.map(|rate| 1.0 - rate), self.score.map(|score| -score));
                Values { winrate, score, ..self }
            }
        }
    }

    /// Returns the values without those that are impossible.
    fn checked(self) -> Values {
        Values {
            winrate: self.winrate.filter(|rate| (0.0..=1.0).contains(rate)).map(|rate| rounded(rate, 1e6)),
            score: self.score.filter(|score| score.abs() < 10_000.0).map(|score| rounded(score, 1e4)),
            visits: self.visits.filter(|&visits| visits >= 0),
        }
    }

    fn is_empty(self) -> bool {
        self == Values::default()
    }
}

/// Removes the noise of computing with decimals: `1 - 0.6` is not 0.4. Never returns a negative zero.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts + 0.0
}

/// The values of a move, in Black's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The probability that Black wins, from 0 to 1.
    pub winrate: Option<f64>,
    /// The lead of Black in points; negative if White leads.
    pub score_lead: Option<f64>,
    /// The number of visits, or playouts, of the search.
    pub visits: Option<i64>,
    writers: Vec<&'static str>,
}

impl Evaluation {
    /// Returns the names of the writers that the values are from, joined with `+`.
    pub fn writers(&self) -> String {
        self.writers.join("+")
    }

    /// Adds the values of a writer that are missing.
    fn add(&mut self, writer: &Writer, values: Values) {
        let Values { winrate, score, visits } = values;
        let adds = (self.winrate.is_none() && winrate.is_some())
            || (self.score_lead.is_none() && score.is_some())
            || (self.visits.is_none() && visits.is_some());
        self.winrate = self.winrate.or(winrate);
        self.score_lead = self.score_lead.or(score);
        self.visits = self.visits.or(visits);
        if adds && !self.writers.contains(&writer.program) {
            self.writers.push(writer.program);
        }
    }

    fn is_complete(&self) -> bool {
        self.winrate.is_some() && self.score_lead.is_some() && self.visits.is_some()
    }
}

/// The texts of a node of a move that writers put values into.
#[derive(Clone, Debug)]
pub struct NodeTexts<'t> {
    player: Color,
    properties: [Vec<Cow<'t, str>>; PROPERTIES.len()],
    comment: Cow<'t, str>,
}

impl<'t> NodeTexts<'t> {
    /// Creates the texts of a node in which a player moves.
    pub fn new(player: Color) -> Self {
        NodeTexts { player, properties: Default::default(), comment: Cow::Borrowed("") }
    }

    /// Adds a value of a property, without escapes. Properties that no writer has are ignored.
    #[must_use]
    pub fn property(mut self, name: &str, value: impl Into<Cow<'t, str>>) -> Self {
        if let Some(at) = PROPERTIES.iter().position(|known| *known == name) {
            self.properties[at].push(value.into());
        }
        self
    }

    /// Sets the comment.
    #[must_use]
    pub fn comment(self, comment: impl Into<Cow<'t, str>>) -> Self {
        NodeTexts { comment: comment.into(), ..self }
    }

    /// Reads the values. Of two writers with the same value, the first one of [`Writer::all`] counts.
    pub fn read(&self) -> Option<Evaluation> {
        let mut evaluation = Evaluation::default();
        for writer in WRITERS {
            if evaluation.is_complete() {
                break;
            }
            if let Some(values) = (writer.read)(self) {
                evaluation.add(writer, values.checked());
            }
        }
        (!evaluation.writers.is_empty()).then_some(evaluation)
    }

    /// Returns a value of a property.
    fn value(&self, name: &str, number: usize) -> Option<&str> {
        let at = PROPERTIES.iter().position(|known| *known == name)?;
        self.properties[at].get(number).map(|value| &**value)
    }
}

/// A form in which a program writes values into games.
pub struct Writer {
    name: &'static str,
    program: &'static str,
    place: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: fn(&NodeTexts<'_>) -> Option<Values>,
}

impl Writer {
    /// Returns all writers, in the order in which they are tried.
    pub fn all() -> impl ExactSizeIterator<Item = &'static Writer> {
        WRITERS.iter()
    }

    /// Returns its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name of the program, as in the column `analysis`.
    pub const fn program(&self) -> &'static str {
        self.program
    }

    /// Returns the property or properties that it writes.
    pub const fn place(&self) -> &'static str {
        self.place
    }

    /// Returns what it writes there, as a sentence.
    pub const fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// Returns a node that it writes.
    pub const fn example(&self) -> &'static str {
        self.example
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("name", &self.name).finish_non_exhaustive()
    }
}

const WRITERS: &[Writer] = &[
    Writer {
        name: "katrain",
        program: "katrain",
        place: "KT",
        meaning: "Three compressed values in base64: the ownership, the policy, and a JSON text, whose `root` has \
            `winrate`, `scoreLead` (both Black's) and `visits`.",
        example: "W[dd]KT[][][H4sIAAAAAAACA6tWys0vSy1WslKortVRUCrKzy8BsZXKM/OKEktSgWwDPTNLoExxcn5Rqk9qYgpQSNdAzxQoVJZZnFkC0mpoYFBbCwBzGTReSgAAAA==]",
        read: property::katrain,
    },
    Writer {
        name: "sabaki",
        program: "sabaki",
        place: "SBKV SBKS",
        meaning: "SBKV is Black's win rate in percent, SBKS Black's score lead. Ogatak and analyze-sgf also write SBKV.",
        example: "B[dd]SBKV[39.62]SBKS[-0.87]",
        read: property::sabaki,
    },
    Writer {
        name: "lizzie",
        program: "lizzie",
        place: "LZ, or else LZ2",
        meaning: "The first line has the engine, the win rate in percent of the player who moved, the playouts (`1.2k`), and, \
            with KataGo, the score lead of the other player and its deviation.",
        example: "W[dd]LZ[KataGo 39.8 1.2k 0.8 14.2\ninfo move]",
        read: property::lizzie,
    },
    Writer {
        name: "cgos",
        program: "cgos",
        place: "CC",
        meaning: "A JSON text with `winrate` (from 0 to 1), `score` and `visits` of the player who moved, at its top or in the \
            first of `moves`.",
        example: "W[dd]CC[{\"moves\":[{\"move\":\"D4\",\"winrate\":0.25,\"score\":-6,\"visits\":16}\\]}]",
        read: property::cgos,
    },
    Writer {
        name: "katago-comment",
        program: "katago",
        place: "C",
        meaning: "The comment begins with White's win, loss, no result and score lead, and `v=` with the visits. No result counts \
            as half a win.",
        example: "B[dd]C[0.25 0.75 0.00 -9.3 v=600 weight=0.75]",
        read: comment::katago,
    },
    Writer {
        name: "analyze-sgf-comment",
        program: "analyze-sgf",
        place: "C",
        meaning: "Lines such as `* Win rate: W 60.38%`, `* Score lead: W 0.87` and `* Visits: 1015`, each with its player. Older \
            versions name no player: their win rate is in SBKV.",
        example: "B[dd]C[Move 1\n\n* Win rate: W 60.38%\n* Score lead: W 0.87\n* Visits: 1015]",
        read: comment::analyze_sgf,
    },
    Writer {
        name: "katrain-comment",
        program: "katrain",
        place: "C",
        meaning: "Lines `Score: B+9.2` and `Win rate: B 89.7%`, each with its player, in a comment in English.",
        example: "W[ka]C[Move 2: W K1\nScore: B+9.2\nWin rate: B 89.7%\nEstimated point loss: 9.4]",
        read: comment::katrain,
    },
    Writer {
        name: "lizzie-comment",
        program: "lizzie",
        place: "C",
        meaning: "A line such as `Black's winrate: 52.3% (+0.1%)`, and one with the engine and the playouts, in a comment in \
            English.",
        example: "B[dd]C[Black's winrate: 52.3% (+0.1%)\n(LeelaZero / 1.2k playouts)]",
        read: comment::lizzie,
    },
];

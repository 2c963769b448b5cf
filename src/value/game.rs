//! The games that `GM` numbers.

use std::fmt;

/// Defines [`Game`] with its numbers and names.
macro_rules! games {
    ($( $(#[$meta:meta])* $variant:ident = $number:literal, $name:literal; )+) => {
        /// A game, as numbered by `GM`.
        ///
        /// The game determines the notation of moves and points: `B[e4]` means one thing in Hex and another in
        /// Lines of Action. The numbers are those of the FF\[4\] specification (page "GM", as of 2021). A game
        /// without `GM` is Go.
        ///
        /// ```
        /// use sgf_stream::Game;
        ///
        /// assert_eq!(Game::from_number(11), Game::Hex);
        /// assert_eq!(Game::default(), Game::Go);
        /// assert_eq!((Game::LinesOfAction.number(), Game::LinesOfAction.name()), (9, "Lines of Action"));
        /// assert_eq!(Game::from_number(99), Game::Other(99));
        /// ```
        ///
        /// With the feature `serde` it is the number in every format, in JSON too, like `GM` itself and like numbers of
        /// [`value`](crate::value). A number without a game is kept. For the name, serialize [`name`](Self::name). A
        /// required field needs a `GM` in the file: use `Option<Game>` or `#[serde(default)]`, which is Go.
        ///
        /// ```
        /// # #[cfg(feature = "serde")] {
        /// use sgf_stream::Game;
        ///
        /// #[derive(serde::Deserialize)]
        /// struct Record {
        ///     #[serde(rename = "GM", default)]
        ///     game: Game,
        /// }
        ///
        /// let records: Vec<Record> = sgf_stream::from_str("(;GM[11])(;GM[99])(;PB[Shusaku])").unwrap();
        /// let games: Vec<Game> = records.iter().map(|record| record.game).collect();
        /// assert_eq!(games, [Game::Hex, Game::Other(99), Game::Go]);
        /// assert_eq!(serde_json::to_string(&games).unwrap(), "[11,99,1]");
        /// # }
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Game {
            $( $(#[$meta])* #[doc = concat!($name, ", GM\\[", $number, "\\]")] $variant, )+
            /// A number without a game.
            Other(i64),
        }

        impl Game {
            /// Returns the game with this `GM` number.
            pub const fn from_number(number: i64) -> Self {
                match number {
                    $( $number => Game::$variant, )+
                    other => Game::Other(other),
                }
            }

            /// Returns the `GM` number.
            pub const fn number(self) -> i64 {
                match self {
                    $( Game::$variant => $number, )+
                    Game::Other(number) => number,
                }
            }

            /// Returns the English name, or `unknown` for a number without a game.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Game::$variant => $name, )+
                    Game::Other(_) => "unknown",
                }
            }
        }
    };
}

games! {
    #[default]
    Go = 1, "Go";
    Othello = 2, "Othello";
    Chess = 3, "Chess";
    Gomoku = 4, "Gomoku and Renju";
    NineMensMorris = 5, "Nine Men's Morris";
    Backgammon = 6, "Backgammon";
    Xiangqi = 7, "Chinese chess";
    Shogi = 8, "Shogi";
    LinesOfAction = 9, "Lines of Action";
    Ataxx = 10, "Ataxx";
    Hex = 11, "Hex";
    Jungle = 12, "Jungle";
    Neutron = 13, "Neutron";
    PhilosophersFootball = 14, "Philosopher's Football";
    Quadrature = 15, "Quadrature";
    Trax = 16, "Trax";
    Tantrix = 17, "Tantrix";
    Amazons = 18, "Amazons";
    Octi = 19, "Octi";
    Gess = 20, "Gess";
    Twixt = 21, "Twixt";
    Zertz = 22, "Zertz";
    Plateau = 23, "Plateau";
    Yinsh = 24, "Yinsh";
    Punct = 25, "Punct";
    Gobblet = 26, "Gobblet";
    Hive = 27, "Hive";
    Exxit = 28, "Exxit";
    Hnefatal = 29, "Hnefatal";
    Kuba = 30, "Kuba";
    Tripples = 31, "Tripples";
    Chase = 32, "Chase";
    TumblingDown = 33, "Tumbling Down";
    Sahara = 34, "Sahara";
    Byte = 35, "Byte";
    Focus = 36, "Focus";
    Dvonn = 37, "Dvonn";
    Tamsk = 38, "Tamsk";
    Gipf = 39, "Gipf";
    Kropki = 40, "Kropki";
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Game;
    use crate::value::Number;

    /// Serializes the `GM` number.
    #[automatically_derived]
    impl Serialize for Game {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Number::new(self.number()).serialize(serializer)
        }
    }

    /// Deserializes a `GM` number, as [`Number`] does.
    #[automatically_derived]
    impl<'de> Deserialize<'de> for Game {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Number::deserialize(deserializer).map(|number| Game::from_number(number.get()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_game() {
        for number in -1..100 {
            let game = Game::from_number(number);
            assert_eq!(game.number(), number);
            assert_eq!(matches!(game, Game::Other(_)), !(1..=40).contains(&number));
        }
    }

    #[cfg(feature = "serde")]
    quickcheck::quickcheck! {
        fn a_game_comes_back_from_json_and_sgf(number: i64) -> bool {
            [number, number % 50].map(Game::from_number).into_iter().all(|game| {
                let json = serde_json::to_string(&game).unwrap();
                let record = std::collections::BTreeMap::from([("GM", game)]);
                let sgf = crate::to_string(&record).unwrap();
                json == game.number().to_string()
                    && serde_json::from_str::<Game>(&json).unwrap() == game
                    && crate::from_str::<std::collections::BTreeMap<String, Game>>(&sgf).unwrap()["GM"] == game
            })
        }
    }
}

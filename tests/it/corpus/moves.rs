//! The moves, points and point lists of real games, read as the types of their game.

use std::collections::BTreeMap;

use sgf_stream::value::{GridPoint, Number, PointList, amazons, backgammon, gess, go, hex, loa, octi, twixt};
use sgf_stream::{Event, Game, Parser};

use crate::support::EachEvent;
use crate::support::shared::corpus;

/// The moves and point lists of one file, read leniently.
#[derive(Default)]
struct File {
    game: Game,
    depth: usize,
    ident: Vec<u8>,
    values: Vec<Vec<u8>>,
    read: BTreeMap<Game, usize>,
    faulty: Vec<String>,
    /// Of the point lists: the values in the file, and those they compress to.
    list_values: [usize; 2],
}

impl File {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Value(value) = event {
            return self.values.push(value.as_bytes().to_vec());
        }
        self.property();
        match event {
            Event::StartTree => {
                self.game = if self.depth == 0 { Game::Go } else { self.game };
                self.depth += 1;
            }
            Event::EndTree => self.depth -= 1,
            Event::Property(ident) => self.ident = ident.name().as_bytes().to_vec(),
            _ => {}
        }
    }

    /// The property before is complete.
    fn property(&mut self) {
        let values = std::mem::take(&mut self.values);
        match self.ident.as_slice() {
            _ if values.is_empty() => {}
            b"GM" => {
                let number = Number::parse_lenient(&values[0]).map_or(0, Number::get);
                self.game = Game::from_number(number);
            }
            b"B" | b"W" => values.iter().for_each(|value| self.play(value)),
            b"AB" | b"AW" | b"AE" | b"TB" | b"TW" | b"CR" | b"MA" | b"SL" | b"SQ" | b"TR" | b"DD" | b"VW" => {
                match self.game {
                    Game::Go => self.list::<go::Point>(&values),
                    Game::Hex => self.list::<hex::Point>(&values),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn play(&mut self, value: &[u8]) {
        let result = match self.game {
            Game::Go => go::Move::parse_lenient(value).map(drop),
            Game::Hex => hex::Move::parse_lenient(value).map(drop),
            Game::Backgammon => backgammon::Move::parse_lenient(value).map(drop),
            Game::LinesOfAction => loa::Move::parse_lenient(value).map(drop),
            Game::Amazons => amazons::Move::parse_lenient(value).map(drop),
            Game::Gess => gess::Move::parse_lenient(value).map(drop),
            Game::Octi => octi::Move::parse_lenient(value).map(drop),
            Game::Twixt => twixt::Move::parse_lenient(value).map(drop),
            _ => return,
        };
        match result {
            Ok(()) => *self.read.entry(self.game).or_default() += 1,
            Err(error) => self.faulty.push(format!("{} [{}]: {error}", self.game, value.escape_ascii())),
        }
    }

    fn list<P: GridPoint>(&mut self, values: &[Vec<u8>]) {
        match PointList::<P>::parse_lenient(values) {
            Ok(list) => {
                let compressed = list.compress().len();
                self.list_values[0] += values.len();
                self.list_values[1] += compressed;
                let commas = values.concat().iter().filter(|&&b| b == b',').count();
                assert!(compressed <= values.len() + commas, "{values:?}");
            }
            Err(error) => {
                let values: Vec<_> = values.iter().map(|value| value.escape_ascii().to_string()).collect();
                self.faulty.push(format!("{} {values:?}: {error}", self.game));
            }
        }
    }
}

/// What real games hold can be read leniently, but for a few values that are no moves and points
/// at all, in files made to test parsers; and `R16`, which needs the size of the board.
#[test]
fn the_moves_and_points_of_the_corpus_are_read() {
    let files = corpus();
    if files.is_empty() {
        return;
    }
    let (mut read, mut faulty, mut list_values) = (BTreeMap::<Game, usize>::new(), Vec::new(), [0, 0]);
    for path in files {
        let bytes = std::fs::read(path).expect("a file can be read");
        let mut file = File::default();
        // A file without a game has nothing to read.
        let _ = Parser::new().each_event(&bytes, |event, _| file.event(event));
        file.read.into_iter().for_each(|(game, count)| *read.entry(game).or_default() += count);
        faulty.append(&mut file.faulty);
        (0..2).for_each(|at| list_values[at] += file.list_values[at]);
    }
    let report = format!("{read:?}, {list_values:?}, {} faulty:\n{}", faulty.len(), faulty.join("\n"));
    assert!(read[&Game::Go] > 2_000_000 && read[&Game::Hex] > 5000 && read[&Game::Backgammon] > 1000, "{report}");
    // 154,690 values, where the files have 254,842.
    assert!(list_values[1] * 3 < list_values[0] * 2, "{report}");
    assert!(faulty.iter().all(|fault| fault.starts_with("Go") || fault.starts_with("Octi")), "{report}");
    assert!(faulty.len() <= 28, "{report}");
}

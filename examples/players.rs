//! Prints the players of the games of a file, one line per game.
//!
//! Only the roots are read; the rest of each game is skipped.
//!
//! ```sh
//! cargo run --release --example players -- games.sgf
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;

use sgf_stream::{Ident, Parser, RawValue, Skip, Visitor};

const WANTED: [&str; 4] = ["DT", "PB", "PW", "RE"];

/// Reads only the root of a game.
#[derive(Default)]
struct Header {
    property: &'static str,
}

#[derive(Default)]
struct Game {
    nodes: usize,
    header: BTreeMap<&'static str, String>,
}

impl Visitor for Header {
    type Game = Game;
    type Output = Game;

    fn begin_game(&mut self, _offset: u64) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn node(&mut self, game: &mut Game, _offset: u64) -> ControlFlow<Game, Skip> {
        game.nodes += 1;
        if game.nodes > 1 { ControlFlow::Break(std::mem::take(game)) } else { ControlFlow::Continue(Skip::No) }
    }

    fn property(&mut self, _game: &mut Game, ident: Ident<'_>, _offset: u64) -> ControlFlow<Game, Skip> {
        ControlFlow::Continue(match WANTED.iter().find(|wanted| ident == **wanted) {
            Some(wanted) => {
                self.property = wanted;
                Skip::No
            }
            None => Skip::Yes,
        })
    }

    fn value(&mut self, game: &mut Game, value: RawValue<'_>, _offset: u64) -> ControlFlow<Game> {
        game.header.entry(self.property).or_insert_with(|| value.simple_text().into_owned());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: players FILE")?;
    let mut reader = Parser::new().open(path)?;
    while let Some(game) = reader.read_game(&mut Header::default())? {
        let line = WANTED.map(|wanted| game.header.get(wanted).map_or("-", String::as_str));
        println!("{}", line.join("\t"));
    }
    Ok(())
}

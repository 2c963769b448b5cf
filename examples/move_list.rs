//! Reads games of another format as structs: a line per game, with the names and the moves.
//!
//! ```sh
//! echo "Shusaku, Gennan, qd dc pq" | cargo run --example move_list
//! ```

use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, BufRead, Write};

use serde::Deserialize;
use sgf_stream::de::EventSource;
use sgf_stream::value::{Color, go::Move};
use sgf_stream::{Event, OwnedEvent};

/// Lines `black, white, moves`, as the events of games.
struct MoveLists<R> {
    lines: io::Lines<R>,
    /// The events of the current line, the last one returned among them.
    events: VecDeque<OwnedEvent>,
    line: u64,
}

impl<R: BufRead> EventSource for MoveLists<R> {
    fn next_event(&mut self) -> Result<Option<(Event<'_>, u64)>, sgf_stream::Error> {
        self.events.pop_front();
        if self.events.is_empty() {
            let Some(line) = self.lines.next().transpose()? else { return Ok(None) };
            self.line += 1;
            self.events = events(&line);
        }
        // Errors name the line as if it were an offset.
        Ok(self.events.front().map(|event| (event.borrow(), self.line)))
    }
}

/// Returns the events of a line.
fn events(line: &str) -> VecDeque<OwnedEvent> {
    let mut fields = line.split(',').map(str::trim);
    let mut events = VecDeque::from([OwnedEvent::StartTree, OwnedEvent::Node]);
    let mut property = |is_new_node: bool, name: &'static str, value: &str| {
        events.extend(is_new_node.then_some(OwnedEvent::Node));
        let value = OwnedEvent::Value(value.as_bytes().to_vec().into());
        events.extend([OwnedEvent::Property(name.as_bytes().into()), value]);
    };
    property(false, "PB", fields.next().unwrap_or_default());
    property(false, "PW", fields.next().unwrap_or_default());
    let moves = fields.next().unwrap_or_default().split_whitespace();
    moves.zip(["B", "W"].into_iter().cycle()).for_each(|(play, name)| property(true, name, play));
    events.push_back(OwnedEvent::EndTree);
    events
}

#[derive(Deserialize)]
struct Game {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "PW")]
    white: String,
    #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    moves: Vec<(Color, Move)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    move_list(io::stdin().lock(), io::stdout().lock())
}

pub(crate) fn move_list(lines: impl BufRead, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let source = MoveLists { lines: lines.lines(), events: VecDeque::new(), line: 0 };
    for game in source.games::<Game>() {
        match game {
            Ok(Game { black, white, moves }) => writeln!(out, "{black} - {white}: {} moves", moves.len())?,
            Err(error) => writeln!(out, "{}", error.message())?,
        }
    }
    Ok(())
}

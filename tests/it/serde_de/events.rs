//! Games from events of any source.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use sgf_stream::de::{self, Deserializer, EventSource, FromEvents, Options, Properties};
use sgf_stream::{Error, Event, OwnedEvent, Parser, PartEnd, SliceReader};

use crate::support::de::{Any, Flat, Game, Tree, Typed};
use crate::support::generate::Input;
use crate::support::holds;

/// The events of a reader.
struct OfReader<'a>(SliceReader<'a>);

impl EventSource for OfReader<'_> {
    fn next_event(&mut self) -> Result<Option<(Event<'_>, u64)>, Error> {
        let event = self.0.next_event()?;
        Ok(event.map(|event| (event, self.0.offset())))
    }
}

/// Events with their indices, and then perhaps an error.
struct OfList(Vec<OwnedEvent>, usize, bool);

impl EventSource for OfList {
    fn next_event(&mut self) -> Result<Option<(Event<'_>, u64)>, Error> {
        self.1 += 1;
        match self.0.get(self.1 - 1) {
            Some(event) => Ok(Some((event.borrow(), self.1 as u64 - 1))),
            None if self.2 => Err(io::Error::other("the source is broken").into()),
            None => Ok(None),
        }
    }
}

fn list(sgf: &str) -> Vec<OwnedEvent> {
    SliceReader::new(sgf.as_bytes()).map(|event| event.unwrap().to_owned()).collect()
}

/// Games or errors, with where they start.
fn read<S: de::Source<Input = &'static [u8]>, T: DeserializeOwned + Debug>(
    mut games: de::Games<S, T>,
) -> Vec<(String, u64)> {
    let mut read = Vec::new();
    while let Some(game) = games.next() {
        read.push((format!("{:?}", game.map_err(|error| error.to_string())), games.span().start));
    }
    read
}

fn agree<T: DeserializeOwned + Debug>(bytes: &[u8], options: Options) {
    let reader = Parser::new().reader(bytes);
    let events = OfReader(Parser::new().slice(bytes));
    assert_eq!(read(events.games_with::<T>(options)), read(reader.games_with::<T>(options)));
}

#[test]
fn games_of_events_are_those_of_a_reader() {
    fn law((Input(bytes), is_lenient): (Input, bool)) {
        let options = Options::new().accept_truncated(true).lenient_fields(is_lenient);
        agree::<IgnoredAny>(&bytes, options);
        agree::<BTreeMap<String, String>>(&bytes, options);
        agree::<Vec<Properties>>(&bytes, options);
        agree::<Value>(&bytes, options);
        agree::<Game>(&bytes, options);
        agree::<Tree>(&bytes, options);
        agree::<Typed>(&bytes, options);
        agree::<Flat>(&bytes, options);
        agree::<Any>(&bytes, options);
    }
    holds(500, law as fn((Input, bool)));
}

#[test]
fn whole_collections_of_events_are_those_of_a_reader() {
    fn law(Input(bytes): Input) {
        let of = |games: de::Result<Vec<Tree>>| format!("{:?}", games.map_err(|error| error.to_string()));
        let options = Options::new().accept_truncated(true);
        let events = FromEvents::new(OfReader(Parser::new().slice(&bytes)));
        assert_eq!(
            of(Deserializer::new(events).options(options).read()),
            of(Deserializer::from_reader(&bytes[..]).options(options).read())
        );
    }
    holds(500, law as fn(Input));
}

#[test]
fn events_that_are_no_game_are_an_error_and_the_end() {
    use OwnedEvent::{EndTree, Node, StartTree};

    let part = OwnedEvent::ValuePart(b"a"[..].into(), PartEnd::More);
    let [property, value] = [OwnedEvent::Property(b"PB"[..].into()), OwnedEvent::Value(b"a"[..].into())];
    for (events, expected) in [
        (vec![Node], "expected the events of a game, found Node between games"),
        (vec![EndTree], "expected the events of a game, found EndTree between games"),
        (vec![StartTree, StartTree], "expected the events of a game, found StartTree after StartTree"),
        (vec![StartTree, EndTree], "expected the events of a game, found EndTree after StartTree"),
        (vec![StartTree, property.clone()], "expected the events of a game, found Property after StartTree"),
        (vec![StartTree, Node, value.clone()], "expected the events of a game, found Value after Node"),
        (vec![StartTree, Node, property.clone(), Node], "expected the events of a game, found Node after Property"),
        (vec![StartTree, Node, property.clone()], "expected the events of a game, found EndTree after Property"),
        (
            vec![StartTree, Node, property.clone(), part, value.clone()],
            "expected the events of a game, found Value after a part of a value",
        ),
        (
            vec![StartTree, Node, StartTree, Node, EndTree, Node],
            "expected the events of a game, found Node after EndTree",
        ),
    ] {
        let mut games = OfList(events.clone(), 0, false).games::<Tree>();
        assert_eq!(games.next().unwrap().unwrap_err().message(), expected, "{events:?}");
        assert!(games.next().is_none());
    }

    fn law(picks: Vec<u8>) {
        let all = list("(;PB[a](;B[aa])(;B[bb]C[x]))");
        let events: Vec<_> = picks.iter().map(|&pick| all[usize::from(pick) % all.len()].clone()).collect();
        assert!(OfList(events.clone(), 0, false).games::<Tree>().count() <= events.len() + 1);
        assert!(OfList(events.clone(), 0, true).games::<Vec<Properties>>().count() <= events.len() + 1);
        assert!(OfList(events.clone(), 0, false).games::<BTreeMap<String, String>>().count() <= events.len() + 1);
    }
    holds(500, law as fn(Vec<u8>));
}

#[test]
fn events_that_end_in_a_game_are_a_truncated_game() {
    type Moves = Vec<BTreeMap<String, String>>;

    let events = || {
        let mut events = list("(;PB[a])(;PB[b];B[aa](;W[bb]))");
        events.truncate(events.len() - 2);
        events
    };
    let mut games = OfList(events(), 0, false).games::<Moves>();
    assert_eq!(games.next().unwrap().unwrap().len(), 1);
    assert!(games.next().unwrap().is_err_and(|error| error.is_syntax()));
    assert!(games.next().is_none());

    let mut games = OfList(events(), 0, false).games_with::<Moves>(Options::new().accept_truncated(true));
    assert_eq!(games.nth(1).unwrap().unwrap().len(), 3);
    assert!(games.next().is_none());

    let mut games = OfList(events(), 0, true).games_with::<Moves>(Options::new().accept_truncated(true));
    assert!(games.next().unwrap().is_ok());
    assert!(games.next().unwrap().is_err_and(|error| error.is_io()));
    assert!(games.next().is_none());
}

#[test]
fn a_source_is_given_back_after_the_last_game_read() {
    #[derive(Deserialize)]
    struct Header {
        #[serde(rename = "PB")]
        black: String,
    }
    let mut games = OfList(list("(;PB[a];B[aa];W[bb])(;PB[b])"), 0, false).games::<Header>();
    assert_eq!(games.next().unwrap().unwrap().black, "a");
    assert_eq!((games.game_index(), games.span()), (Some(0), 0..11));
    assert_eq!(games.into_reader().into_inner().1, 11);
}

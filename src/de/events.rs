//! Games from events that are not read by this crate: [`EventSource`].
//!
//! [`FromEvents`] sends events to the sink that the tokenizer of a reader sends them to. A tokenizer sends only whole
//! games and can leave out parts of them; here the events are checked, and skipped one by one.

use serde::de::DeserializeOwned;

use super::batch::NodeBatch;
use super::error::{Error, Result};
use super::games::Games;
use super::options::Options;
use super::stream::{Fill, Source};
use crate::read::listener::Listener;
use crate::read::parser::Parser;
use crate::read::pull::Puller;
use crate::syntax::diagnostic::Position;
use crate::syntax::error::{Error as ReadError, SyntaxError};
use crate::syntax::event::Event;
use crate::syntax::fault::Code;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;
use crate::write::order::{LastEventKind, Order};

/// A source of events from which games are deserialized.
///
/// Implement it for games that this crate does not parse, or to change events before a type sees them. From bytes,
/// [`Reader::games`](crate::Reader::games) and [`SliceReader::games`](crate::SliceReader::games) are faster, since their
/// tokenizer skips what a type does not use.
///
/// ```
/// use sgf_stream::de::EventSource;
/// use sgf_stream::{Error, Event, SliceReader};
///
/// /// The games of a slice, without their comments.
/// struct WithoutComments<'a> {
///     reader: SliceReader<'a>,
///     is_comment: bool,
/// }
///
/// impl EventSource for WithoutComments<'_> {
///     fn next_event(&mut self) -> Result<Option<(Event<'_>, u64)>, Error> {
///         while let Some(event) = self.reader.next_event()? {
///             match event {
///                 Event::Property(ident) => self.is_comment = ident == "C",
///                 Event::Value(_) => {}
///                 _ => self.is_comment = false,
///             }
///             if !self.is_comment {
///                 return Ok(Some((event, self.reader.offset())));
///             }
///         }
///         Ok(None)
///     }
/// }
///
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "PB")]
///     black: String,
///     #[serde(rename = "C")]
///     comment: Option<String>,
/// }
///
/// let reader = SliceReader::new(b"(;PB[Shusaku]C[a comment];B[qd])(;PB[Shuei])");
/// let games = WithoutComments { reader, is_comment: false }.games::<Game>();
/// let games = games.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!((games[0].black.as_str(), &games[0].comment, games[1].black.as_str()), ("Shusaku", &None, "Shuei"));
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// `examples/move_list.rs` reads games of another format.
pub trait EventSource {
    /// Returns the next event with its byte offset, or `None` at the end.
    ///
    /// The events must be those of whole games: see [`Event`]. Other events are an error, which ends the games. Offsets
    /// occur in errors and spans only; a source without bytes may number its events. Nobody hears of diagnostics about values.
    ///
    /// # Errors
    ///
    /// Fails if the source fails, which is the error of the open game. No game follows.
    fn next_event(&mut self) -> Result<Option<(Event<'_>, u64)>, ReadError>;

    /// Deserializes the games into Rust values; see [`de`](super).
    fn games<T: DeserializeOwned>(self) -> Games<FromEvents<Self>, T>
    where
        Self: Sized,
    {
        self.games_with(Options::new())
    }

    /// Deserializes the games like [`games`](Self::games), with [`Options`].
    fn games_with<T: DeserializeOwned>(self, options: Options) -> Games<FromEvents<Self>, T>
    where
        Self: Sized,
    {
        Games::new(FromEvents::new(self), options)
    }
}

/// The games of an [`EventSource`], for [`Games`] and [`Deserializer`](super::Deserializer).
///
/// ```
/// use sgf_stream::de::{Deserializer, EventSource, FromEvents, Result};
///
/// fn first_game<S: EventSource, T: serde::de::DeserializeOwned>(source: S) -> Result<T> {
///     Deserializer::new(FromEvents::new(source)).read()
/// }
/// ```
#[derive(Debug)]
pub struct FromEvents<S> {
    source: S,
    /// The state of a reader that reads nothing, for its settings.
    puller: Puller,
    order: Order,
    skips: Skips,
    /// Offset of the last event.
    at: u64,
    is_over: bool,
    /// Whether the events have ended inside a game, which is closed then.
    is_cut: bool,
}

impl<S> FromEvents<S> {
    /// Starts with the next event of a source, which must be between two games.
    pub fn new(source: S) -> Self {
        let puller = Puller::new(Parser::new().tokenizer(), Listener::NONE, true);
        FromEvents { source, puller, order: Order::START, skips: Skips::Nothing, at: 0, is_over: false, is_cut: false }
    }

    /// Returns a reference to the source.
    pub fn get_ref(&self) -> &S {
        &self.source
    }

    /// Returns the source, which continues after the last event read.
    pub fn into_inner(self) -> S {
        self.source
    }
}

impl<S: EventSource> FromEvents<S> {
    /// Sends events to the sink until it breaks; returns false if they end first.
    fn drive(&mut self, batch: &mut NodeBatch<'static>) -> Result<bool> {
        while !self.is_over {
            let next = if self.is_cut { Ok(None) } else { self.source.next_event() };
            let event = match next {
                Ok(Some((event, at))) => {
                    self.at = at;
                    event
                }
                Ok(None) if self.order.depth > 0 => {
                    self.is_cut = true;
                    Event::EndTree
                }
                Ok(None) => break,
                Err(error) => {
                    self.is_over = true;
                    return Err(error.into());
                }
            };
            if !self.order.take(event) {
                self.is_over = true;
                return Err(misplaced(event, self.order.place).at(self.at));
            }
            let depth = self.order.depth;
            self.is_over = self.is_cut && depth == 0;
            let ended = match self.skips {
                Skips::Tree(below) => {
                    if depth < below {
                        self.skips = Skips::Nothing;
                    }
                    continue;
                }
                Skips::Values if is_value(event) => continue,
                Skips::Game if depth > 0 => continue,
                ended => ended,
            };
            self.skips = Skips::Nothing;
            let flow = if ended == Skips::Game { batch.game_skipped() } else { batch.event(event, self.at) };
            match (flow, event) {
                (Flow::Break, _) => return Ok(true),
                (Flow::Skip, Event::StartTree) => self.skips = Skips::Tree(depth),
                (Flow::Skip, _) => self.skips = Skips::Values,
                (Flow::SkipGame, _) => self.skips = Skips::Game,
                (Flow::Continue, _) => {}
            }
        }
        self.is_over = true;
        Ok(false)
    }
}

impl<S: EventSource> Source for FromEvents<S> {
    type Input = &'static [u8];
}

#[allow(private_interfaces)]
impl<S: EventSource> Fill<&'static [u8]> for FromEvents<S> {
    fn batch(&self) -> NodeBatch<'static> {
        NodeBatch::new(None, &self.puller)
    }

    fn fill(&mut self, batch: &mut NodeBatch<'static>) -> Result<bool> {
        self.drive(batch)
    }

    fn puller(&mut self) -> &mut Puller {
        &mut self.puller
    }

    fn skip_rest(&mut self) -> bool {
        self.skips = Skips::Game;
        self.order.depth == 0
    }

    fn offset(&mut self) -> u64 {
        self.at
    }

    fn game_end(&mut self) -> u64 {
        self.at + 1
    }

    fn cut(&mut self) -> Option<SyntaxError> {
        let position = Position { offset: self.at, ..Position::START };
        self.is_cut.then(|| self.puller.tokenizer.error_of(Code::UnclosedTree, position))
    }
}

/// The events that are left out, after an answer of the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skips {
    Nothing,
    /// The remaining values of the property.
    Values,
    /// The tree that was the innermost of this number of open trees.
    Tree(usize),
    /// The rest of the game.
    Game,
}

fn is_value(event: Event<'_>) -> bool {
    matches!(event, Event::Value(_) | Event::ValuePart(_))
}

/// Returns the error for an event that does not belong there.
#[cold]
fn misplaced(event: Event<'_>, place: LastEventKind) -> Error {
    let found = match event {
        Event::StartTree => "StartTree",
        Event::Node => "Node",
        Event::Property(_) => "Property",
        Event::Value(_) | Event::ValuePart(_) => "Value",
        Event::EndTree => "EndTree",
    };
    let place = match place {
        LastEventKind::Outside => "between games",
        LastEventKind::Tree => "after StartTree",
        LastEventKind::Node => "after Node",
        LastEventKind::Property => "after Property",
        LastEventKind::Value => "after Value",
        LastEventKind::Part => "after a part of a value",
        LastEventKind::Child => "after EndTree",
    };
    Error::data(format_args!("expected the events of a game, found {found} {place}"))
}

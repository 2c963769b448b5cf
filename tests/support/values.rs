//! The laws of typed values, each for every type: strict reading is kept by lenient reading, what
//! is read prints to what reads back, errors lie within the value, and what is printed is one value
//! of a file.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use sgf_stream::property::{self, Context, List, Property, TypedValue, ValueType};
use sgf_stream::value::{
    AnyMove, AnyPoint, AnyRect, AnyStone, Application, Color, Compose, Date, Dates, Double, Figure, GameResult,
    GridPoint, Handicap, Komi, NoValue, Number, Overtime, PointList, Rank, Real, Rect, Round, Ruleset, Seconds,
    SgfValue, SimpleText, Size, Text, ValueError, WonBy, amazons, backgammon, gess, go, hex, loa, octi, twixt,
};
use sgf_stream::{Event, Game, Ident, Parser, RawValue};

use super::EachEvent;

/// Every game with a notation of its own, and one without.
pub const GAMES: [Game; 12] = [
    Game::Go,
    Game::Othello,
    Game::Chess,
    Game::Gomoku,
    Game::Backgammon,
    Game::LinesOfAction,
    Game::Ataxx,
    Game::Hex,
    Game::Amazons,
    Game::Octi,
    Game::Gess,
    Game::Twixt,
];

/// Calls a law with every type that strict reading reads as it is printed.
macro_rules! for_every_type {
    ($law:ident, $raw:expr) => {
        for_every_type!($law, $raw,
            NoValue Number Real Double Color SimpleText Text Size Date Dates Komi Handicap Seconds Overtime Rank Round Figure
            Application Compose<SimpleText, SimpleText> Compose<Number, Text> Compose<go::Point, SimpleText>
            Compose<octi::Stone, octi::Point> Compose<Overtime, loa::Move>
            go::Point go::Move hex::Point hex::Move backgammon::Point backgammon::Move loa::Point loa::Move
            amazons::Move octi::Point octi::Stone octi::Move gess::Move twixt::Point twixt::Move
            Rect<go::Point> Rect<hex::Point> Rect<backgammon::Point> Rect<loa::Point> Rect<octi::Point>
            Rect<twixt::Point>)
    };
    ($law:ident, $raw:expr, $($type:ty)+) => {
        $( $law::<$type>($raw); )+
    };
}

#[cfg(feature = "serde")]
pub(crate) use for_every_type;

/// One value, as every type.
pub fn types(raw: &[u8]) {
    for_every_type!(reads_back, raw);
    result(raw);
    ruleset(raw);
}

fn reads_back<T>(raw: &[u8])
where
    T: SgfValue + FromStr<Err = ValueError> + Display + Debug + PartialEq,
{
    let value = RawValue::new(raw);
    let read = modes(raw, T::from_raw(value), T::from_raw_lenient(value));
    if let Ok(text) = str::from_utf8(raw) {
        assert_eq!(text.parse::<T>(), T::from_raw(value), "left: FromStr, right: parse");
    }
    let Some(read) = read else { return };
    let printed = read.to_string();
    let raw = RawValue::new(printed.as_bytes());
    // A round without a kind is not in the recommended form, and says so; so does a handicap with a komi.
    let may_be_lenient = matches!(T::KIND, "round" | "handicap");
    let again = T::from_raw(raw).or_else(|error| if may_be_lenient { T::from_raw_lenient(raw) } else { Err(error) });
    assert_eq!(again.as_ref(), Ok(&read), "{printed:?} was printed");
    is_one_value(&printed);
}

/// The value that both modes agree on, if there is one.
fn modes<T: Debug + PartialEq>(raw: &[u8], strict: Result<T, ValueError>, lenient: Result<T, ValueError>) -> Option<T> {
    for read in [&strict, &lenient] {
        assert!(is_within(read, raw), "{read:?} of {}", raw.escape_ascii());
    }
    if strict.is_ok() {
        assert_eq!(lenient, strict, "left: lenient, right: strict");
    }
    lenient.ok()
}

/// A printed value is one value of a file, byte for byte.
pub fn is_one_value(printed: &str) {
    // Nothing else could end it too early or too late.
    if !printed.contains([']', '\\']) {
        return;
    }
    let file = format!("(;XX[{printed}])");
    let mut events = Vec::new();
    let end = Parser::strict()
        .max_value_len(file.len())
        .each_event(file.as_bytes(), |event, _| events.push(event.to_owned()));
    assert!(end.is_ok(), "{end:?}: {file:?}");
    let expected = [
        Event::StartTree,
        Event::Node,
        Event::Property(Ident::new(b"XX")),
        Event::Value(RawValue::new(printed.as_bytes())),
        Event::EndTree,
    ];
    assert!(events.iter().map(|event| event.borrow()).eq(expected), "{file:?}");
}

/// Points of a resignation are those of backgammon, but lenient reading takes them from any game.
fn result(raw: &[u8]) {
    for game in [Game::Go, Game::Backgammon] {
        let Some(read) = modes(raw, GameResult::parse_for(raw, game), GameResult::parse_lenient(raw)) else { continue };
        let printed = read.to_string();
        assert_eq!(GameResult::parse_for(&printed, Game::Backgammon), Ok(read), "{printed:?}");
        if !matches!(read, GameResult::Win { by: WonBy::Resign(Some(_)), .. }) {
            assert_eq!(GameResult::parse(&printed), Ok(read), "{printed:?}");
        }
        is_one_value(&printed);
    }
}

/// Lenient reading may know a name where strict reading does not.
fn ruleset(raw: &[u8]) {
    let of = |game: Option<Game>, raw: &[u8]| match game {
        None => (Ruleset::parse(raw), Ruleset::parse_lenient(raw)),
        Some(game) => (Ruleset::parse_for(raw, game), Ruleset::parse_lenient_for(raw, game)),
    };
    for game in [None, Some(Game::Go), Some(Game::Backgammon), Some(Game::Octi), Some(Game::Hex)] {
        let (strict, lenient) = of(game, raw);
        assert!(is_within(&strict, raw));
        if strict.as_ref().is_ok_and(|strict| strict.game().is_some()) {
            assert_eq!(lenient, strict, "left: lenient, right: strict");
        }
        let strict_printed = strict.map(|strict| (strict.to_string(), strict));
        for (printed, read) in strict_printed.into_iter().chain(lenient.map(|read| (read.to_string(), read))) {
            assert_eq!(of(game, printed.as_bytes()).0, Ok(read), "{printed:?}");
            is_one_value(&printed);
        }
    }
}

/// An error is inside the value.
fn is_within<T>(read: &Result<T, ValueError>, raw: &[u8]) -> bool {
    read.as_ref().err().is_none_or(|error| error.at() <= raw.len())
}

/// One value on a board, as every type that knows boards: it is what it is without one, but for the
/// pass of Go.
pub fn on_board(raw: &[u8], size: Size) {
    macro_rules! on_board {
        ($($type:ty)+) => { $( {
            let read = <$type>::parse_on(raw, size);
            assert!(is_within(&read, raw), "{read:?}");
            if let Ok(read) = read {
                assert_eq!(<$type>::parse_on(read.to_string(), size).as_ref(), Ok(&read));
                if raw != b"tt" {
                    assert_eq!(<$type>::parse(raw), Ok(read), "left: without a board");
                }
            }
        } )+ };
    }
    on_board! {
        go::Point go::Move hex::Point hex::Move loa::Point amazons::Move octi::Point gess::Move twixt::Point
        twixt::Move Rect<go::Point> Rect<hex::Point> Rect<loa::Point> Rect<octi::Point> Rect<twixt::Point>
    }
    if let Some(read) = modes(raw, go::Point::parse_on(raw, size), go::Point::parse_on_lenient(raw, size)) {
        assert_eq!(go::Point::parse_on(read.to_string(), size), Ok(read));
    }
    if let Some(read) = modes(raw, go::Move::parse_on(raw, size), go::Move::parse_on_lenient(raw, size)) {
        assert_eq!(go::Move::parse_on(read.to_string(), size), Ok(read));
    }
    for read in [Size::parse_for(raw, Game::Go), Size::parse_for(raw, Game::Hex)] {
        assert!(is_within(&read, raw), "{read:?}");
    }
}

/// One value as a point, a rectangle, a stone and a move of a game.
pub fn any(raw: &[u8], game: Game, board: Option<Size>) {
    macro_rules! any {
        ($($type:ident)+) => { $(
            let strict = $type::parse(raw, game, board);
            if let Ok(read) = &strict {
                assert_eq!($type::parse(read.to_string(), game, board).as_ref(), Ok(read));
            }
            if let Some(read) = modes(raw, strict, $type::parse_lenient(raw, game, board)) {
                let printed = read.to_string();
                assert_eq!($type::parse_lenient(&printed, game, board).as_ref(), Ok(&read), "{printed:?}");
                // Lenient reading takes points beside the board.
                let again = [$type::parse(&printed, game, board), $type::parse(&printed, game, None)];
                assert!(again.contains(&Ok(read)), "{printed:?}: {again:?}");
                is_one_value(&printed);
            }
        )+ };
    }
    any! { AnyPoint AnyRect AnyStone AnyMove }
}

/// One value as every property of the registry has it.
pub fn properties(raw: &[u8], context: &Context) {
    let mut seen: Vec<(ValueType, List)> = Vec::new();
    for row in property::all() {
        // What a row reads depends on these two.
        if !seen.contains(&(row.value_type(), row.list())) {
            seen.push((row.value_type(), row.list()));
            property(row, raw, context);
        }
    }
}

/// One value as a property has it.
pub fn property(row: &Property, raw: &[u8], context: &Context) {
    let value = RawValue::new(raw);
    let (strict, lenient) = (row.parse(value, context), row.parse_lenient(value, context));
    if let Ok(read) = &strict {
        let printed = read.to_string();
        assert_eq!(row.parse(RawValue::new(printed.as_bytes()), context).as_ref(), Ok(read), "{printed:?} in {row}");
        is_one_value(&printed);
    }
    if let (Ok(TypedValue::Ruleset(strict)), Ok(TypedValue::Ruleset(lenient))) = (&strict, &lenient) {
        assert!(strict == lenient || strict.game().is_none());
    } else {
        modes(raw, strict, lenient.clone());
    }
    if let Ok(read) = &lenient {
        let printed = read.to_string();
        let again = row.parse_lenient(RawValue::new(printed.as_bytes()), context);
        assert_eq!(again.as_ref(), Ok(read), "{printed:?} in {row}");
        is_one_value(&printed);
    }
}

/// Some values, as a list of points of every game.
pub fn lists(values: &[&[u8]], size: Size) {
    list::<go::Point>(values, size);
    list::<hex::Point>(values, size);
    list::<backgammon::Point>(values, size);
    list::<loa::Point>(values, size);
    list::<octi::Point>(values, size);
    list::<twixt::Point>(values, size);
}

fn list<P: GridPoint>(values: &[&[u8]], size: Size) {
    let strict = PointList::<P>::parse(values);
    let on_board = PointList::<P>::parse_on(values, size);
    let lenient = PointList::<P>::parse_lenient(values);
    for error in [&strict, &on_board, &lenient].into_iter().filter_map(|read| read.as_ref().err()) {
        assert!(error.error().at() <= values[error.index()].len(), "{error}");
    }
    if on_board.is_ok() {
        assert_eq!(on_board, strict, "left: on a board");
    }
    if let Ok(strict) = &strict {
        assert_eq!(lenient.as_ref(), Ok(strict), "left: lenient, right: strict");
        assert_eq!(strict.repeated(), []);
    }
    let Ok(list) = lenient else { return };
    let points: BTreeSet<P> = list.iter().collect();
    assert_eq!(points.len(), list.len(), "each point once");
    assert!(list.repeated().iter().all(|point| points.contains(point)));
    assert!(list.len() + list.repeated().len() <= PointList::<P>::MAX_POINTS);

    let printed: Vec<String> = list.compress().iter().map(Rect::to_string).collect();
    assert!(printed.len() <= list.len());
    let expanded = PointList::<P>::parse(&printed).expect("what is compressed reads strictly");
    assert_eq!(expanded.len(), list.len());
    assert_eq!(expanded.iter().collect::<BTreeSet<P>>(), points, "left: compressed and expanded");
    printed.iter().for_each(|printed| is_one_value(printed));
}

//! The cells of a game: typed values, parsed leniently.

use std::borrow::Cow;
use std::cell::OnceCell;

use sgf_board::Fingerprint;
use sgf_board::internal::GridMove;
use sgf_stream::internal::{TextRule, is_plain, plain_ascii};
use sgf_stream::node::PropertyRef;
use sgf_stream::property::Context;
use sgf_stream::value::{Color, Date, Dates, GameResult, Handicap, Komi, Overtime, Ruleset, Seconds, Size, WonBy};
use sgf_stream::{Code, NodeRecord, work};

use super::cell::{Cell, Day, PropertyValue};
use super::columns::{Column, GameColumn, MoveColumn, PropertyColumn, Source};
use super::game::GameDraft;
use super::log::{MoveRow, NotedValues, PropertyRow};
use super::names::Names;
use super::property::{self, Form};
use super::texts::Texts;
use crate::analysis::{Evaluation, NodeTexts};
use crate::facts::{Facts, FirstMoves, Known, Origin, PlayerGrade, RootTexts, RulesFamily, TimeClass};

/// The largest number of hundredths in a Decimal128(6, 2).
const MOST_HUNDREDTHS: f64 = 999_999.0;

/// A row of a table: a game, or a part of one.
#[derive(Debug)]
pub struct Row<'r> {
    pub(super) columns: &'r [Column],
    pub(super) file: Option<&'r str>,
    pub(super) names: &'r Names,
    pub(super) read: &'r ReadGame<'r>,
    pub(super) item: Item<'r>,
}

/// The part of a game that a row is about.
#[derive(Clone, Debug)]
pub(super) enum Item<'r> {
    Game,
    /// A move, and what engines say of it, once that is read.
    Move(MoveRow<'r>, OnceCell<Option<Box<Evaluation>>>),
    Property(PropertyRow<'r>),
}

/// A game that was read.
#[derive(Debug)]
pub(super) struct ReadGame<'r> {
    pub(super) game: &'r GameDraft,
    /// The context of the root.
    pub(super) context: Context,
    /// Whether the context is that of an ordinary game of Go, in FF\[4\].
    pub(super) is_ordinary: bool,
    /// The bytes of the root, if they are ASCII in a charset that has ASCII.
    ascii: Option<&'r str>,
    /// Its values are texts as they are.
    is_plain: bool,
    pub(super) texts: Texts,
    pub(super) typed: Typed,
    /// In a box, since it is large, and few tables have it.
    print: Option<Box<Fingerprint>>,
}

/// The typed values that several columns share, read once.
#[derive(Debug, Default)]
pub(super) struct Typed {
    result: OnceCell<Option<GameResult>>,
    dates: OnceCell<Option<Dates>>,
    handicap: OnceCell<Option<Handicap>>,
    rules: OnceCell<Option<Ruleset>>,
    overtime: OnceCell<Option<Overtime>>,
    /// The origin, which many facts depend on.
    origin: OnceCell<Option<Known<Origin>>>,
    /// DT and RE in canonical form.
    canonical: [OnceCell<Option<property::Canonical>>; 2],
}

impl<'r> ReadGame<'r> {
    pub(super) fn new(game: &'r GameDraft, texts: Texts, print: Option<Fingerprint>) -> Self {
        let bytes = texts.is_ascii_compatible().then(|| game.root.bytes());
        let plain = bytes.and_then(plain_ascii);
        let in_ascii = || bytes.filter(|bytes| bytes.is_ascii()).and_then(|bytes| str::from_utf8(bytes).ok());
        let ascii = plain.or_else(in_ascii);
        let context = game.facts.root_context();
        let is_ordinary = context.has_rows_of(&Context::default());
        ReadGame {
            game,
            context,
            is_ordinary,
            ascii,
            is_plain: plain.is_some(),
            texts,
            typed: Typed::default(),
            print: print.map(Box::new),
        }
    }

    /// Returns the first value of a root property, as text, or decoded with its escapes.
    #[inline]
    pub(super) fn first<'a>(&'a self, property: PropertyRef<'a>, rule: TextRule) -> Cow<'a, str> {
        let (at, place) = property.first_place();
        work::note(place.len());
        match self.ascii.and_then(|root| root.get(place)) {
            Some(text) if self.is_plain || is_plain(text.as_bytes()) => Cow::Borrowed(text),
            _ => self.texts.read(property.first(), at, rule),
        }
    }
}

impl RootTexts for ReadGame<'_> {
    fn record(&self) -> &NodeRecord<'_> {
        &self.game.root
    }

    fn context(&self) -> Context {
        self.context
    }

    fn read<'a>(&'a self, property: PropertyRef<'a>, rule: TextRule) -> Cow<'a, str> {
        self.first(property, rule)
    }
}

impl<'r> Row<'r> {
    /// Returns the columns.
    pub fn columns(&self) -> &[Column] {
        self.columns
    }

    /// Returns the number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Returns whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns the rule of the first syntax error that lost data so far.
    ///
    /// If the game exceeds a limit, it is the rule of the limit. A repair loses data if it drops a value, an
    /// identifier or text inside of the game; the checker calls such a rule an error.
    /// For later diagnostics see [`Rows::error`](super::Rows::error).
    pub fn error(&self) -> Option<Code> {
        self.read.game.error
    }

    /// Returns whether the game was read as Go but is probably Hex.
    ///
    /// It has no `GM`, and a move that was read for the columns can only be a Hex move, such as `swap`: see
    /// [`TableBuilder::default_game`](super::TableBuilder::default_game).
    #[doc(hidden)]
    pub fn looks_like_hex(&self) -> bool {
        let game = self.read.game;
        let has_words = || game.line.has_words_of_hex() || self.print().is_some_and(Fingerprint::looks_like_hex);
        !game.facts.names_game() && has_words()
    }

    /// Returns the number of the game in its stream, from 0.
    ///
    /// `None` if the stream was not read from its start.
    pub fn number(&self) -> Option<u64> {
        self.read.game.number
    }

    /// Returns the byte offset of the game.
    pub fn offset(&self) -> u64 {
        self.read.game.offset
    }

    /// Returns the cell in the nth column.
    ///
    /// # Panics
    ///
    /// Panics if the column does not exist.
    pub fn cell(&self, column: usize) -> Cell<'_> {
        match &self.columns[column].source {
            Source::Game(column) => self.read(*column),
            Source::Root(column) if !self.names.is_empty() && column.is_player() => {
                match property::value_of(self, column) {
                    Cell::Property(PropertyValue::Text(name)) => Cell::Property(PropertyValue::Text(self.person(name))),
                    cell => cell,
                }
            }
            Source::Root(column) => property::value_of(self, column),
            Source::Written(column) => text(property::written(self, column)),
            Source::Raw(ident) => match self.read.game.root.get(ident) {
                Some(property) => Cell::Raw(property.values().collect()),
                None => Cell::Null,
            },
            Source::Move(column) => match &self.item {
                Item::Move(of_game, evaluation) => self.read_move(*column, of_game, evaluation),
                _ => Cell::Null,
            },
            Source::Property(column) => match &self.item {
                Item::Property(of_game) => self.read_property(*column, of_game),
                _ => Cell::Null,
            },
        }
    }

    fn property(&self, names: &[&str]) -> Option<PropertyRef<'_>> {
        names.iter().find_map(|name| self.read.game.root.get(name))
    }

    /// Returns the first value of the first property that exists, as text.
    pub(super) fn simple_text(&self, names: &[&str]) -> Option<Cow<'_, str>> {
        Some(self.read.first(self.property(names)?, TextRule::Simple))
    }

    /// Returns the first value of the first property that exists, decoded, with its escapes.
    pub(super) fn raw(&self, names: &[&str]) -> Option<Cow<'_, str>> {
        Some(self.read.first(self.property(names)?, TextRule::Raw))
    }

    /// Returns the name that stands for that of a player.
    fn person<'a>(&'a self, name: Cow<'a, str>) -> Cow<'a, str> {
        self.names.get(&name).map_or(name, Cow::Borrowed)
    }

    /// Returns the properties that a text is read from in this game, of which the second one is that of SGF2.
    fn properties_of(&self, text: GameColumn) -> &'static [&'static str] {
        let names = text.properties();
        if self.read.context.is_sgf2() { names } else { names.get(..1).unwrap_or_default() }
    }

    /// Returns the value that a column shows as text, decoded, with its escapes.
    fn raw_of(&self, text: GameColumn) -> Option<Cow<'_, str>> {
        self.raw(self.properties_of(text))
    }

    fn texts(&self) -> &(dyn RootTexts + '_) {
        self.read
    }

    /// Returns the facts of the game.
    fn facts(&self) -> Facts<'_> {
        Facts::of_texts(self.texts(), &self.read.typed.origin)
    }

    /// Returns the facts of the game, with its first moves.
    fn facts_with_moves(&self) -> Facts<'_> {
        self.facts().first_moves(FirstMoves::of(self.read.game.line.colors()))
    }

    fn size(&self) -> Option<Size> {
        self.read.game.facts.context().board()
    }

    fn result(&self) -> Option<&GameResult> {
        let read = || GameResult::parse_lenient(&*self.raw_of(GameColumn::ResultText)?).ok();
        self.read.typed.result.get_or_init(read).as_ref()
    }

    /// Returns the property with the date: an empty `DT` counts as missing.
    fn date_name(&self) -> &'static str {
        match self.read.game.root.get("DT") {
            Some(date) if !date.first().is_empty() => "DT",
            None if self.read.game.root.get("RD").is_none() => "DT",
            Some(_) if self.read.game.root.get("RD").is_none() => "DT",
            _ => "RD",
        }
    }

    fn dates(&self) -> &[Date] {
        let read = || Dates::parse_lenient(&*self.raw(&[self.date_name()])?).ok();
        self.read.typed.dates.get_or_init(read).as_ref().map_or(&[], Dates::as_slice)
    }

    fn rules(&self) -> Option<&Ruleset> {
        self.read.typed.rules.get_or_init(|| self.texts().ruleset()).as_ref()
    }

    fn handicap(&self) -> Option<Handicap> {
        let read = || Handicap::parse_lenient(&*self.raw_of(GameColumn::HandicapText)?).ok();
        *self.read.typed.handicap.get_or_init(read)
    }

    /// Returns a komi in points under the rules of the game.
    pub(super) fn points(&self, komi: Komi) -> Option<f64> {
        match self.rules() {
            Some(rules) => komi.points_under(rules),
            None => komi.points(),
        }
    }

    fn komi(&self) -> Option<f64> {
        let points = |komi| self.points(komi);
        match self.raw_of(GameColumn::KomiText) {
            Some(raw) => Komi::parse_lenient(&*raw).ok().and_then(points),
            None => self.handicap()?.komi().and_then(points),
        }
    }

    fn overtime(&self) -> Option<&Overtime> {
        let read = || Some(self.facts().overtime()?.value);
        self.read.typed.overtime.get_or_init(read).as_ref()
    }

    fn overtime_seconds(&self) -> Option<f64> {
        match self.overtime()? {
            Overtime::Byoyomi { seconds, .. }
            | Overtime::Canadian { seconds, .. }
            | Overtime::Fischer { seconds }
            | Overtime::Simple { seconds } => seconds_of(*seconds),
            _ => None,
        }
    }

    /// Returns what engines say of a move.
    fn evaluation(&self, of_game: &MoveRow<'r>) -> Option<Box<Evaluation>> {
        let values = || of_game.analysis.into_iter().flat_map(NotedValues::iter);
        if of_game.comment.is_none() && values().next().is_none() {
            return None;
        }
        let text = |value, at| self.read.texts.read(value, at, TextRule::Text);
        let comment = of_game.comment.map(|(at, comment)| text(comment, at)).unwrap_or_default();
        let node = NodeTexts::new(of_game.color).comment(comment);
        let node = values().fold(node, |node, (name, value)| node.property(name, text(value, of_game.node_at)));
        node.read().map(Box::new)
    }

    fn print(&self) -> Option<&Fingerprint> {
        self.read.print.as_deref()
    }

    fn read_move<'a>(
        &'a self,
        column: MoveColumn,
        of_game: &MoveRow<'r>,
        evaluation: &'a OnceCell<Option<Box<Evaluation>>>,
    ) -> Cell<'a> {
        use MoveColumn as C;
        let evaluation = || evaluation.get_or_init(|| self.evaluation(of_game)).as_deref();
        let played = || self.read.game.board().and_then(|board| board.read_move(of_game.point));
        let point = || match played() {
            Some(GridMove::At(x, y)) => Some((x, y)),
            _ => None,
        };
        match column {
            C::File => self.read(GameColumn::File),
            C::Offset => self.read(GameColumn::Offset),
            C::Game => self.read(GameColumn::Number),
            C::Ply => count(of_game.ply),
            C::Color => word(of_game.color.as_str()),
            C::X => integer(point().map(|(x, _)| x.into())),
            C::Y => integer(point().map(|(_, y)| y.into())),
            C::IsPass => integer(played().map(|played| i64::from(played == GridMove::Pass))),
            C::Point => text(Some(String::from_utf8_lossy(of_game.point.as_bytes()))),
            C::TimeLeft => {
                let seconds = of_game.left.and_then(|left| Seconds::parse_lenient(left).ok());
                real(seconds.and_then(seconds_of))
            }
            C::Comment => text(of_game.comment.map(|(at, comment)| self.read.texts.read(comment, at, TextRule::Text))),
            C::Winrate => real(evaluation().and_then(|evaluation| evaluation.winrate)),
            C::ScoreLead => real(evaluation().and_then(|evaluation| evaluation.score_lead)),
            C::Visits => integer(evaluation().and_then(|evaluation| evaluation.visits)),
            C::Analysis => text(evaluation().map(|evaluation| evaluation.writers().into())),
            C::NodeOffset => Cell::Integer(of_game.node_at as i64),
            C::PositionHash => hash(of_game.position.map(|hashes| hashes.as_played)),
            C::CanonicalPosition => hash(of_game.position.map(|hashes| hashes.canonical)),
        }
    }

    fn read_property(&self, column: PropertyColumn, of_game: &PropertyRow<'r>) -> Cell<'_> {
        use PropertyColumn as C;
        match column {
            C::File => self.read(GameColumn::File),
            C::Offset => self.read(GameColumn::Offset),
            C::Game => self.read(GameColumn::Number),
            C::Node => count(of_game.node.into()),
            C::Parent => integer(of_game.parent.map(i64::from)),
            C::Ident => text(Some(of_game.ident.name())),
            C::Value => {
                let context = self.read.game.facts.context();
                let rule = property::rule(property::known(of_game.ident, &context));
                let texts = of_game.values().map(|(at, value)| self.read.texts.read(value, at, rule));
                text(Some(texts.collect::<Vec<_>>().join("\n").into()))
            }
            C::Raw => Cell::Raw(of_game.values().map(|(_, value)| value).collect()),
            C::PropertyOffset => Cell::Integer(of_game.at as i64),
        }
    }

    fn read(&self, column: GameColumn) -> Cell<'_> {
        use GameColumn as C;
        let game = self.read.game;
        match column {
            C::File => text(self.file.map(Cow::Borrowed)),
            C::Offset => Cell::Integer(game.offset as i64),
            C::Length => Cell::Integer(game.end.saturating_sub(game.offset) as i64),
            C::Number => game.number.map_or(Cell::Null, |number| Cell::Integer(number as i64)),
            C::GameType => word(self.read.context.game().name()),
            C::Version => integer(game.facts.version()),
            C::Charset => word(self.read.texts.charset()),
            C::Black | C::White => text(self.simple_text(self.properties_of(column)).map(|name| self.person(name))),
            C::Application
            | C::SizeText
            | C::BlackRank
            | C::BlackTeam
            | C::WhiteRank
            | C::WhiteTeam
            | C::Round
            | C::Place
            | C::GameName
            | C::ResultText
            | C::RulesText
            | C::MainTimeText
            | C::OvertimeText
            | C::Opening
            | C::Annotator
            | C::Source
            | C::User
            | C::Copyright
            | C::Event
            | C::KomiText
            | C::HandicapText => text(self.simple_text(self.properties_of(column))),
            C::SizeX => integer(self.size().map(|size| size.columns().into())),
            C::SizeY => integer(self.size().map(|size| size.rows().into())),
            C::BlackRankN => integer(known(self.facts().rank(Color::Black))),
            C::WhiteRankN => integer(known(self.facts().rank(Color::White))),
            C::BlackGrade => named(known(self.facts().grade(Color::Black)).map(PlayerGrade::as_str)),
            C::WhiteGrade => named(known(self.facts().grade(Color::White)).map(PlayerGrade::as_str)),
            C::BlackIsBot => flag(self.facts().is_bot(Color::Black)),
            C::WhiteIsBot => flag(self.facts().is_bot(Color::White)),
            C::Date => self.dates().first().map_or(Cell::Null, |&date| Cell::Date(first_day(date))),
            C::DateTo => self.dates().last().map_or(Cell::Null, |&date| Cell::Date(last_day(date))),
            C::Dates if self.dates().is_empty() => Cell::Null,
            C::Dates => Cell::Dates(self.dates().iter().copied().map(first_day).collect()),
            C::DatePrecision => precision(self.dates()).map_or(Cell::Null, word),
            C::DateText => text(self.simple_text(&[self.date_name()])),
            C::Winner => {
                self.result().and_then(|result| result.winner()).map_or(Cell::Null, |winner| word(winner.as_str()))
            }
            C::Result => self.result().and_then(result_word).map_or(Cell::Null, word),
            C::Margin => decimal(self.result().and_then(|result| result.score()).map(|score| score.get())),
            C::Komi => decimal(self.komi()),
            C::KomiPoints => decimal(known(self.facts().komi())),
            C::HandicapReal => integer(known(self.facts_with_moves().handicap())),
            C::Handicap => integer(self.handicap().map(Handicap::stones)),
            C::Rules => text(self.rules().map(|rules| Cow::Owned(rules.to_string()))),
            C::RulesFamily => named(known(self.facts().rules_family()).map(RulesFamily::as_str)),
            C::TimeClass => named(known(self.facts().time_class()).map(TimeClass::as_str)),
            C::Origin => named(known(self.facts().origin()).map(Origin::as_str)),
            C::Rated => flag(self.facts().rated()),
            C::FactRules => {
                let fired = self.facts_with_moves().fired();
                text((!fired.is_empty()).then(|| Cow::Owned(fired.join(" "))))
            }
            C::MainTime => real(known(self.facts().main_time()).and_then(seconds_of)),
            C::Overtime => self.overtime().and_then(overtime_word).map_or(Cell::Null, word),
            C::OvertimeCount => integer(match self.overtime() {
                Some(Overtime::Byoyomi { periods: count, .. } | Overtime::Canadian { stones: count, .. }) => {
                    Some((*count).into())
                }
                _ => None,
            }),
            C::OvertimeSeconds => real(self.overtime_seconds()),
            C::MoveCount => count(game.moves),
            C::Moves => Cell::Moves(&game.line),
            C::SgfMoves => text(game.line.letters().map(Cow::Owned)),
            C::Dyer => {
                text(game.board().filter(|board| !board.is_hex).and(self.print()).map(|print| Cow::Owned(print.dyer())))
            }
            C::Canonical => self.print().map_or(Cell::Null, |print| Cell::Hash(print.canonical().to_vec().into())),
            C::OpeningKey => self.print().map_or(Cell::Null, |print| Cell::Hash(print.opening_key().to_vec().into())),
            C::FinalPosition => hash(self.print().and_then(Fingerprint::final_position)),
            C::NodeCount => count(game.nodes),
            C::VariationCount => count(game.variations),
            C::CommentCount => count(game.comments),
            C::SetupCount => count(game.setup),
            C::DiagnosticCount => count(game.findings),
            C::Error => game.error.map_or(Cell::Null, |code| word(code.as_str())),
        }
    }
}

impl Typed {
    /// Returns the date or the result in canonical form.
    pub(super) fn canonical(&self, form: Form) -> &OnceCell<Option<property::Canonical>> {
        match form {
            Form::Date => &self.canonical[0],
            Form::Result => &self.canonical[1],
        }
    }
}

fn text(text: Option<Cow<'_, str>>) -> Cell<'_> {
    text.map_or(Cell::Null, Cell::Text)
}

fn word(word: &str) -> Cell<'_> {
    Cell::Text(Cow::Borrowed(word))
}

/// Numbers that do not fit in 32 bits are not readable.
fn integer(number: Option<i64>) -> Cell<'static> {
    number.filter(|&number| i32::try_from(number).is_ok()).map_or(Cell::Null, Cell::Integer)
}

fn count(number: u64) -> Cell<'static> {
    Cell::Integer(number.min(i32::MAX as u64) as i64)
}

fn hash(hash: Option<u64>) -> Cell<'static> {
    hash.map_or(Cell::Null, |hash| Cell::Hash(hash.to_be_bytes().to_vec().into()))
}

fn real(number: Option<f64>) -> Cell<'static> {
    number.map_or(Cell::Null, Cell::Real)
}

fn decimal(number: Option<f64>) -> Cell<'static> {
    let hundredths = number.map(|number| (number * 100.0).round());
    let fitting = hundredths.filter(|hundredths| hundredths.abs() <= MOST_HUNDREDTHS);
    fitting.map_or(Cell::Null, |hundredths| Cell::Decimal(hundredths as i32))
}

fn seconds_of(seconds: Seconds) -> Option<f64> {
    seconds.duration().map(|duration| duration.as_secs_f64())
}

fn known<T>(known: Option<Known<T>>) -> Option<T> {
    known.map(|known| known.value)
}

fn named(name: Option<&str>) -> Cell<'_> {
    name.map_or(Cell::Null, word)
}

fn flag(is: Option<Known<bool>>) -> Cell<'static> {
    integer(known(is).map(i64::from))
}

/// Returns the last part of the first date that is known, or how many years it may be.
fn precision(dates: &[Date]) -> Option<&'static str> {
    let (first, last) = (dates.first()?, dates.last()?);
    let is_decade = || {
        let years = first.year()..first.year() + 10;
        first.year() % 10 == 0 && years.map(|year| Date::new(year, None, None)).eq(dates.iter().copied().map(Some))
    };
    Some(match (first.month(), first.day()) {
        (None, _) if last.year() == first.year() => "year",
        (None, _) if is_decade() => "decade",
        (None, _) => "years",
        (_, None) => "month",
        _ => "day",
    })
}

fn first_day(date: Date) -> i32 {
    Day::of(date.year(), date.month().unwrap_or(1), date.day().unwrap_or(1)).0
}

fn last_day(date: Date) -> i32 {
    match (date.month(), date.day()) {
        (Some(_), Some(_)) => first_day(date),
        (Some(12) | None, _) => Day::of(date.year(), 12, 31).0,
        (Some(month), None) => Day::of(date.year(), month + 1, 1).0 - 1,
    }
}

fn result_word(result: &GameResult) -> Option<&'static str> {
    Some(match result {
        GameResult::Draw => "draw",
        GameResult::Void => "void",
        GameResult::Unknown => "unknown",
        GameResult::Win { by, .. } => match by {
            WonBy::Score(_) => "points",
            WonBy::Resign(_) => "resign",
            WonBy::Time => "time",
            WonBy::Forfeit => "forfeit",
            _ => return None,
        },
        _ => return None,
    })
}

fn overtime_word(overtime: &Overtime) -> Option<&'static str> {
    Some(match overtime {
        Overtime::Byoyomi { .. } => "byoyomi",
        Overtime::Canadian { .. } => "canadian",
        Overtime::Fischer { .. } => "fischer",
        Overtime::Simple { .. } => "simple",
        Overtime::None => "none",
        _ => return None,
    })
}

//! The content of a game beside its line: the game information, comments, marks, times and variations.
//!
//! A game says something in statements. One is a value of a property, and where it is: game information is of the whole
//! game, other properties are after so many stones of the main line, or in a variation. A statement is kept as a hash. A
//! game that makes all the statements of another loses nothing if the other goes.

use serde::{Serialize, Serializer};
use sgf_board::CanonicalLine;
use sgf_board::internal::Action;
use sgf_stream::property::{self, Context, PropertyType};
use sgf_stream::tree::{GameTree, Node};
use sgf_stream::value::{Color, Dates, GameResult, Real, Size, go};
use sgf_stream::{Game, Ident, RawValue, work};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::LazyLock;

/// The key of the hashes.
static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// The line and the statements of a game.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) line: CanonicalLine,
    /// Sorted, each once.
    statements: Vec<Statement>,
    /// The parser dropped content of the game: it says something that no other game says.
    pub(super) is_incomplete: bool,
    /// The values of game information, if they are to be merged.
    pub(super) information: Information,
}

/// Values of game information, by their properties.
pub(super) type Information = BTreeMap<String, Vec<Text>>;

/// The text of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Text {
    text: String,
    /// The bytes of the value, if some of them are not in its charset.
    bytes: Option<Box<[u8]>>,
}

impl Text {
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether all bytes of the value are in its charset.
    pub(super) fn is_sound(&self) -> bool {
        self.bytes.is_none()
    }

    /// The value in one spelling, as far as it is written without a mistake. Bytes that are not in the charset stay as they are.
    fn normal(&self, name: &str) -> (String, Option<&[u8]>) {
        (normal(name, &self.text), self.bytes.as_deref())
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// The hash of a statement, with what it is about in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Statement(u64);

/// Game information with a name of its own in reports, in the order in which it is listed.
const INFORMATION: [&str; 26] = [
    "PB", "PW", "BR", "WR", "BT", "WT", "DT", "RE", "KM", "HA", "RU", "TM", "OT", "EV", "RO", "PC", "GN", "GC", "ON",
    "AN", "SO", "US", "CP", "RD", "TE", "KO",
];

/// The subject of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// A row of [`INFORMATION`].
    Information(u8),
    OtherInformation,
    Comment,
    Marks,
    Times,
    Variation,
    Colors,
    Other,
}

impl About {
    const OTHERS: [(About, &str); 7] = [
        (About::OtherInformation, "other properties of the root"),
        (About::Comment, "comments"),
        (About::Marks, "marks"),
        (About::Times, "times"),
        (About::Variation, "variations"),
        (About::Colors, "colors of moves"),
        (About::Other, "other properties"),
    ];

    fn number(self) -> u8 {
        match self {
            About::Information(row) => row,
            other => {
                let at = Self::OTHERS.iter().position(|(about, _)| *about == other);
                (INFORMATION.len() + at.unwrap_or(0)) as u8
            }
        }
    }
}

impl Statement {
    fn new(about: About, content: impl Hash) -> Self {
        Statement(KEY.hash_one(content) << 8 | u64::from(about.number()))
    }

    fn about(self) -> usize {
        (self.0 & 0xFF) as usize
    }

    fn is_information(self) -> bool {
        self.about() <= INFORMATION.len()
    }

    /// Whether it names points, which are others on a board that is turned.
    fn has_points(self) -> bool {
        let marks_or_variation = [About::Marks, About::Variation, About::Other].map(|about| about.number().into());
        marks_or_variation.contains(&self.about())
    }
}

/// Game information of one side, which says something else in a copy whose colors are exchanged.
pub(super) const OF_ONE_SIDE: [&str; 9] = ["PB", "PW", "BR", "WR", "BT", "WT", "RE", "KM", "HA"];

/// Whether values of game information say the same.
pub(super) fn is_same(name: &str, one: &[Text], other: &[Text]) -> bool {
    one.iter().map(|value| value.normal(name)).eq(other.iter().map(|value| value.normal(name)))
}

impl Contents {
    /// Reads the statements of a game with this line; with its game information as text, if `keeps_texts`.
    pub(super) fn of(tree: &GameTree, line: CanonicalLine, is_incomplete: bool, keeps_texts: bool) -> Self {
        let contents = Contents { line, statements: Vec::new(), is_incomplete, information: Information::new() };
        let mut reading = Reading { tree, contents, keeps_texts };
        reading.read();
        let mut contents = reading.contents;
        contents.statements.sort_unstable();
        contents.statements.dedup();
        contents.statements.shrink_to_fit();
        contents
    }

    /// Number of values of game information, and of other statements.
    pub(super) fn counts(&self) -> (usize, usize) {
        let information = self.statements.iter().filter(|statement| statement.is_information()).count();
        (information, self.statements.len() - information)
    }

    /// The statements, sorted, each once.
    pub(super) fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Whether its line begins with that of another game, whose board may be turned, and it makes all statements of it.
    pub(super) fn says_all_of(&self, other: &Contents, is_turned: bool) -> bool {
        let is_said = |statement: &Statement| self.says(*statement) && !(is_turned && statement.has_points());
        self.line.starts_with(&other.line) && !other.is_incomplete && other.statements.iter().all(is_said)
    }

    fn says(&self, statement: Statement) -> bool {
        work::note(1);
        self.statements.binary_search(&statement).is_ok()
    }

    /// Names what another game says that it does not say.
    pub(super) fn lacks(&self, other: &Contents, is_turned: bool) -> Vec<&'static str> {
        let mut is_lacking = [false; INFORMATION.len() + About::OTHERS.len()];
        for statement in &other.statements {
            if !self.says(*statement) || is_turned && statement.has_points() {
                is_lacking[statement.about()] = true;
            }
        }
        let names = INFORMATION.into_iter().chain(About::OTHERS.map(|(_, name)| name));
        names.zip(is_lacking).filter(|(_, is_lacking)| *is_lacking).map(|(name, _)| name).collect()
    }
}

struct Reading<'t> {
    tree: &'t GameTree,
    contents: Contents,
    keeps_texts: bool,
}

impl Reading<'_> {
    fn read(&mut self) {
        // The place of each node: after so many stones of the main line, or a hash in a variation.
        let mut places: Vec<u64> = vec![0; self.tree.nodes().count()];
        let mut is_main: Vec<bool> = vec![false; places.len()];
        for node in self.tree.main_line() {
            is_main[node.number()] = true;
        }
        let root_context = self.tree.context();
        let context = root_context.after_root();
        let grid = context.board().filter(|size| context.game() == Game::Go && size.fits(Game::Go));
        let mut last = None;
        for node in self.tree.nodes() {
            let number = node.number();
            let before = node.parent().map_or(0, |parent| places[parent.number()]);
            let place = match is_main[number] {
                true => self.main_place(node, before, grid, &mut last),
                false => self.side_place(node, before),
            };
            places[number] = place;
            let context = if node.is_root() { &root_context } else { &context };
            self.properties(node, (is_main[number], place), context);
        }
    }

    /// The number of stones of the main line up to a node.
    fn main_place(&mut self, node: Node<'_>, mut stones: u64, board: Option<Size>, last: &mut Option<Color>) -> u64 {
        for property in node.properties() {
            let Some(Action::Move(color)) = Action::of(property.ident()) else { continue };
            for value in property.values() {
                match board.map(|size| go::Move::parse_on_lenient(value, size)) {
                    Some(Ok(go::Move::Pass)) => continue,
                    // It does not count in the line, but may say something.
                    Some(Err(_)) if !value.is_empty() => self.say(About::Other, (stones, "move", self.text(value))),
                    Some(Err(_)) => {}
                    _ => {
                        stones += 1;
                        if *last == Some(color) {
                            self.say(About::Colors, (stones, color));
                        }
                        *last = Some(color);
                    }
                }
            }
        }
        stones
    }

    /// The hash of a variation up to a node.
    fn side_place(&mut self, node: Node<'_>, before: u64) -> u64 {
        let mut hasher = KEY.build_hasher();
        before.hash(&mut hasher);
        for property in node.properties().filter(|property| Action::of(property.ident()).is_some()) {
            property.ident().name().hash(&mut hasher);
            property.values().count().hash(&mut hasher);
            property.values().for_each(|value| value.as_bytes().trim_ascii().hash(&mut hasher));
        }
        let place = hasher.finish();
        self.say(About::Variation, place);
        place
    }

    fn properties(&mut self, node: Node<'_>, place: (bool, u64), context: &Context) {
        for property in node.properties() {
            let name = property.ident().name();
            let Some(about) = about(property.ident(), node.is_root(), context) else { continue };
            let is_information = matches!(about, About::Information(_) | About::OtherInformation);
            for value in property.values() {
                let text = self.text(value);
                let normal = text.normal(&name);
                match is_information {
                    true if normal.0.is_empty() => {}
                    true => self.say(about, (&*name, normal)),
                    false if normal.0.is_empty() && about == About::Comment => {}
                    false => self.say(about, (place, &*name, normal)),
                }
                if self.keeps_texts && is_information && !text.as_str().trim().is_empty() {
                    self.contents.information.entry(name.to_string()).or_default().push(text);
                }
            }
        }
    }

    fn say(&mut self, about: About, content: impl Hash) {
        self.contents.statements.push(Statement::new(about, content));
    }

    /// The text of a value, decoded.
    fn text(&self, value: RawValue<'_>) -> Text {
        let (text, is_sound) = match self.tree.charset() {
            Some(charset) => {
                let decoded = charset.text(value);
                let is_sound = decoded.is_sound();
                (decoded.into_text(), is_sound)
            }
            None => (value.text(), str::from_utf8(value.as_bytes()).is_ok()),
        };
        Text { text: text.into_owned(), bytes: (!is_sound).then(|| value.as_bytes().into()) }
    }
}

/// Returns the subject of a property; `None` for those of the line, which is compared anyway, and those of the file: the
/// program that wrote it, its charset and version.
fn about(ident: Ident<'_>, is_root: bool, context: &Context) -> Option<About> {
    let name = ident.name();
    let name = &*name;
    if Action::of(ident).is_some() || matches!(name, "AP" | "CA" | "FF" | "GM" | "ST" | "SZ" | "PL") {
        return None;
    }
    if let Some(row) = INFORMATION.iter().position(|known| *known == name)
        && (is_root || property::lookup(ident, context).is_some_and(is_information))
    {
        return Some(About::Information(row as u8));
    }
    Some(match (name, property::lookup(ident, context)) {
        ("C" | "N", _) => About::Comment,
        ("BL" | "WL" | "OB" | "OW", _) => About::Times,
        (_, Some(row)) if is_information(row) => About::OtherInformation,
        (_, Some(row)) if row.is_point_list() || row.value_type().to_string().contains("point") => About::Marks,
        (_, None) if is_root => About::OtherInformation,
        _ => About::Other,
    })
}

fn is_information(row: &property::Property) -> bool {
    row.property_type() == PropertyType::GameInfo
}

/// A value in one spelling, as far as it is written without a mistake.
fn normal(name: &str, text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let typed = match name {
        "RE" => GameResult::parse(&text).map(|result| result.to_string()),
        "DT" => Dates::parse(&text).map(|dates| dates.to_string()),
        "KM" | "TM" => Real::parse(&text).map(|number| number.to_string()),
        _ => return text,
    };
    typed.unwrap_or(text)
}

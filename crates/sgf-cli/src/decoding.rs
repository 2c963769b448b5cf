//! Charsets: the options for decoding texts, and warnings about charsets that were detected.

use sgf_stream::Game;
use sgf_stream::charset::{Charset, Decoding};

use crate::failure::{note_warning, warn};
use crate::input::Name;
use crate::names;
use crate::tables::counted;

/// The charset options.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Charsets {
    /// Decode everything in this charset, ignoring byte-order marks and CA.
    #[arg(long, value_name = "NAME", value_parser = names::charset)]
    charset: Option<Charset>,

    /// Charset of games that declare none (no CA). Default: detected from their text.
    #[arg(long, value_name = "NAME", value_parser = names::charset)]
    default_charset: Option<Charset>,
}

/// The game of files that do not name one.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct GameType {
    /// Game of files that declare none (no GM): a name or a number of GM. Default: Go.
    ///
    /// For example, Hex games from Little Golem have no GM.
    #[arg(long, value_name = "GAME", value_parser = game)]
    game_type: Option<Game>,
}

/// Parses the name of a game, or its number.
fn game(text: &str) -> Result<Game, String> {
    let numbered = text.parse().ok().map(Game::from_number);
    let named = || (1..=40).map(Game::from_number).find(|game| game.name().eq_ignore_ascii_case(text));
    let names = || (1..=40).map(|number| Game::from_number(number).name()).collect::<Vec<_>>().join(", ");
    numbered.or_else(named).ok_or_else(|| format!("unknown game; use a number of GM, or one of {}", names()))
}

impl GameType {
    pub(crate) fn is_given(self) -> bool {
        self.game_type.is_some()
    }

    pub(crate) fn default_game(self) -> Game {
        self.game_type.unwrap_or_default()
    }

    /// Returns the name of the game, or its number if it has no name.
    pub(crate) fn name(self) -> String {
        match self.default_game() {
            Game::Other(number) => number.to_string(),
            game => game.name().to_owned(),
        }
    }

    /// Warns that games without GM look like Hex, unless the option says what they are.
    pub(crate) fn note_like_hex(self, games: u64) {
        if games > 0 && self.game_type.is_none() {
            let (are, have) = if games == 1 { ("is", "has") } else { ("are", "have") };
            let games = counted(games, "game");
            warn(format_args!("{games} without GM {are} read as Go, but {have} moves of Hex; use --game-type Hex"));
        }
    }
}

impl Charsets {
    /// Returns the names of the charset of everything, and of the charset of games that declare none.
    pub(crate) fn names(self) -> (Option<&'static str>, Option<&'static str>) {
        (self.charset.map(Charset::name), self.default_charset.map(Charset::name))
    }

    /// Returns the charsets with these names.
    #[cfg(feature = "index")]
    pub(crate) fn of_names((charset, default_charset): (Option<&str>, Option<&str>)) -> Self {
        let named = |name: &str| Charset::for_name(name.as_bytes());
        Charsets { charset: charset.and_then(named), default_charset: default_charset.and_then(named) }
    }

    pub(crate) fn decoding(self) -> Decoding {
        let mut decoding = Decoding::new();
        if let Some(charset) = self.charset {
            decoding = decoding.force(charset);
        }
        if let Some(charset) = self.default_charset {
            decoding = decoding.default_charset(charset);
        }
        decoding
    }
}

/// Returns whether a charset has two-byte characters whose second byte may look like a bracket.
pub(crate) fn has_two_bytes(charset: Charset) -> bool {
    [Charset::SHIFT_JIS, Charset::BIG5, Charset::GBK, Charset::GB18030].contains(&charset)
}

/// The start of the warning about a detected charset, which tells it from other problems of files.
const UNDECLARED: &str = "no charset declared; ";

/// Notes the charset in which a file was parsed, if it is a detected two-byte charset.
///
/// It is a problem of the file: see [`note_warning`].
pub(crate) fn note_detected(name: &Name, detected: Option<Charset>) {
    if let Some(charset) = detected.filter(|&charset| has_two_bytes(charset)) {
        let said = format!("{UNDECLARED}decoding as {charset} (detected; use --default-charset to override)");
        note_warning(name, said);
    }
}

/// Returns what to do about a problem of files: how to declare a detected charset. `None` for other problems.
pub(crate) fn advice(problem: &str) -> Option<&'static str> {
    problem.starts_with(UNDECLARED).then_some(
        "`sgf check --fix --guess-charset` writes it into CA, and `sgf fmt --guess-charset` converts to UTF-8",
    )
}

//! The options of deserializing.

/// Default maximum nesting depth of trees.
const MAX_DEPTH: usize = 512;

/// Options for deserializing games.
///
/// They are about games and their types. Mode, limits, charset and callbacks are settings of a
/// [`Parser`](crate::Parser).
///
/// ```
/// use sgf_stream::{DiagnosticLog, Parser, de};
///
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "PB")]
///     black: String,
///     #[serde(rename = "KM")]
///     komi: Option<f64>,
/// }
///
/// let log = DiagnosticLog::new(10);
/// let reader = Parser::new().log_to(&log).slice(b"(;PB[Shusaku]KM[none])");
/// let game = reader.games_with::<Game>(de::Options::new().lenient_fields(true)).next().unwrap()?;
/// assert_eq!((game.black.as_str(), game.komi), ("Shusaku", None));
/// assert_eq!(log.take()[0].position.offset, 15);
/// # Ok::<(), de::Error>(())
/// ```
///
/// All readers of games take them: `games_with` of [`Reader`](crate::Reader::games_with),
/// [`SliceReader`](crate::SliceReader::games_with), [`ParReader`](crate::parallel::ParReader::games_with) and
/// [`ParSlice`](crate::parallel::ParSlice::games_with), and `options` of [`Deserializer`](super::Deserializer::options)
/// and [`RecordCodec`](crate::codec::RecordCodec::options).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) max_depth: usize,
    pub(crate) lenient_fields: bool,
    pub(crate) lenient_header: bool,
    pub(crate) accepts_truncated: bool,
}

impl Options {
    /// Creates the default options.
    pub const fn new() -> Self {
        Options { max_depth: MAX_DEPTH, lenient_fields: false, lenient_header: false, accepts_truncated: false }
    }

    /// Sets the maximum nesting depth of trees that the type follows through `$variations`.
    ///
    /// A game without variations has depth 1. A deeper game is an error. Default: 512; real files reach 343. Any stack
    /// is large enough, since a further one is used if it is nearly used up. Untagged and internally tagged enums that
    /// contain themselves get one of up to 512 MiB at once (16 MiB if pointers have 32 bits). Only the used part takes
    /// memory. A game that is too deep for it is an error.
    #[must_use]
    pub const fn max_depth(mut self, trees: usize) -> Self {
        self.max_depth = trees;
        self
    }

    /// Sets whether a truncated last game is returned as far as it goes.
    ///
    /// Only in lenient mode. Default: false; it is an error.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::de::Options;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "PB")]
    ///     black: String,
    ///     #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    ///     moves: Vec<(sgf_stream::value::Color, String)>,
    /// }
    ///
    /// // The last `)` is missing, and a value is truncated.
    /// let collection = b"(;PB[Shusaku];B[qd];W[dc])(;PB[Shuei];B[dd];W[p";
    /// let mut games = Parser::new().slice(collection).games::<Game>();
    /// assert!(games.next().unwrap().is_ok());
    /// assert!(games.next().unwrap().is_err_and(|error| error.is_syntax()));
    ///
    /// let mut games = Parser::new().slice(collection).games_with::<Game>(Options::new().accept_truncated(true));
    /// let last = games.nth(1).unwrap()?;
    /// assert_eq!((last.black.as_str(), last.moves.len()), ("Shuei", 1));
    /// assert!(games.next().is_none());
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    #[must_use]
    pub const fn accept_truncated(mut self, on: bool) -> Self {
        self.accepts_truncated = on;
        self
    }

    /// Sets whether an `Option` field that does not fit is absent.
    ///
    /// Default: false.
    ///
    /// Such a field becomes `None`, as if its property were missing. An entry of a map is omitted. The variant of an
    /// enum for nodes becomes the one with `#[serde(other)]`, or `None` if the enum is in an `Option`. For any other
    /// field, the game is still an error: put [`invalid_default`](super::invalid_default) on fields that should take a
    /// default. Each value that does not fit is reported to the callback
    /// ([`Code::InvalidField`](crate::Code::InvalidField), at the byte that does not fit).
    ///
    /// A field is kept or dropped as a whole: one invalid point drops the entire list. Inside a flattened struct, serde
    /// handles `Option`s itself, so values that do not fit remain errors.
    ///
    /// It also covers moves: a move that does not fit is left out of the [`moves`](mod@super::moves) of a game. To keep
    /// these exact, use [`lenient_header`](Self::lenient_header).
    #[must_use]
    pub const fn lenient_fields(mut self, on: bool) -> Self {
        self.lenient_fields = on;
        self
    }

    /// Sets whether optional header fields that do not fit count as absent.
    ///
    /// Moves stay exact. Default: false.
    ///
    /// It is [`lenient_fields`](Self::lenient_fields) for root and game-info properties only, in every node: `SZ`,
    /// `DT`, `BR`, `RE` and the like. The [registry](crate::property::PropertyType) decides, for the game in `GM`. A
    /// move, a setup stone, a mark or a private property that does not fit is an error of its game. With both options,
    /// all fields are lenient.
    ///
    /// ```
    /// use sgf_stream::de::Options;
    /// use sgf_stream::value::{Color, Rank, go::Move};
    /// use sgf_stream::{DiagnosticLog, Parser};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "BR")]
    ///     rank: Option<Rank>,
    ///     #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    ///     moves: Vec<(Color, Move)>,
    /// }
    ///
    /// let log = DiagnosticLog::new(10);
    /// let reader = Parser::new().log_to(&log).slice(b"(;BR[201];B[qd];W[dc])(;BR[9d];B[qd];W[re sign])");
    /// let games: Vec<_> = reader.games_with::<Game>(Options::new().lenient_header(true)).collect();
    /// assert!(games[0].as_ref().is_ok_and(|game| game.rank.is_none() && game.moves.len() == 2));
    /// let error = games[1].as_ref().err().unwrap();
    /// assert_eq!((error.node(), error.property()), (Some(2), Some("W")));
    /// // The diagnostic says which property, what was expected, and the value.
    /// let found = log.take();
    /// assert_eq!(found[0].detail(), Some("BR: rank: expected k, d or p, found \"201\""));
    /// ```
    #[must_use]
    pub const fn lenient_header(mut self, on: bool) -> Self {
        self.lenient_header = on;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

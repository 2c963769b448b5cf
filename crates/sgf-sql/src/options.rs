//! Options of a table, as a library user, `CREATE EXTERNAL TABLE` and the command line give them.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::error::{DataFusionError, Result};
use sgf_arrow::ArrowTable;
use sgf_input::near::{certain_hint, hint};
use sgf_input::{Exclude, Pattern};
use sgf_stream::charset::{BadBytes, Charset, Decoding};
use sgf_stream::{Parser, property};
use sgf_table::{Column, ColumnError, Names, Scope, Table, TableBuilder};

use crate::fault::Unreadable;
use crate::find::{self, Asked};
use crate::progress::Progress;

/// Number of rows in a batch, if the session does not say another.
pub(crate) const BATCH_ROWS: usize = 8192;

/// The names of options in SQL.
const NAMES: [&str; 11] = [
    "table",
    "columns",
    "charset",
    "default_charset",
    "names",
    "strict",
    "dictionaries",
    "exclude",
    "follow",
    "find",
    "find_options",
];

/// The options of a table: its rows and columns, and how files are read.
///
/// ```
/// use sgf_sql::Options;
/// use sgf_table::Table;
///
/// let options = Options::new(Table::Games).columns(["KK", "RE_text"])?.charset("gb18030")?;
/// assert!(options.schema().index_of("KK").is_ok());
/// assert!(Options::new(Table::Games).columns(["kk"]).is_err());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone)]
pub struct Options {
    table: Table,
    /// What is found in the games, if rows are hits.
    find: Option<Arc<Asked>>,
    /// Columns in addition to those that have names of their own.
    extra: Vec<String>,
    charset: Option<Charset>,
    default_charset: Option<Charset>,
    /// The names that stand for those in the files.
    players: Arc<Names>,
    strict: bool,
    dictionaries: bool,
    patterns: Vec<Pattern>,
    /// The patterns, compiled.
    exclude: Exclude,
    follows_links: bool,
    listener: Option<Listener>,
    progress: Progress,
    /// Whether files are read on another machine than that of the user.
    remote: bool,
}

type Listener = Arc<dyn Fn(&Unreadable) + Send + Sync>;

impl Options {
    /// Options of a table with all columns that have names of their own. Its files are read leniently.
    pub fn new(table: Table) -> Self {
        Options {
            table,
            find: None,
            extra: Vec::new(),
            charset: None,
            default_charset: None,
            players: Arc::default(),
            strict: false,
            dictionaries: true,
            patterns: Vec::new(),
            exclude: Exclude::default(),
            follows_links: false,
            listener: None,
            progress: Progress::none(),
            remote: false,
        }
    }

    /// Adds columns to a table of games: root properties.
    ///
    /// Examples are `KK`, `KK_raw` and `RE_text`.
    /// In SQL such names need quotes: `"KK"`. Columns that already exist are ignored.
    ///
    /// # Errors
    ///
    /// Fails if a name is not that of a column.
    pub fn columns<N: AsRef<str>>(mut self, names: impl IntoIterator<Item = N>) -> Result<Self> {
        for name in names {
            let name = name.as_ref();
            TableBuilder::new(&self.parser(), self.table).columns([name]).map_err(|error| match error {
                ColumnError::Unknown { name, table, .. } => {
                    let upper = name.to_ascii_uppercase();
                    let is_property =
                        self.table == Table::Games && upper != name && property::find(&upper).next().is_some();
                    let own = Column::all(self.table);
                    let property = is_property.then_some(&*upper);
                    let hint = certain_hint(&name, property, own.iter().map(Column::name));
                    config(format!("unknown column '{name}' in table {table}{hint}"))
                }
                error => config(error.to_string()),
            })?;
            if !self.names().any(|known| known == name) {
                self.extra.push(name.to_owned());
            }
        }
        Ok(self)
    }

    /// Sets the charset of all texts, overriding byte-order marks and CA. Default: that of each game.
    ///
    /// # Errors
    ///
    /// Fails if there is no charset of this name.
    pub fn charset(mut self, name: &str) -> Result<Self> {
        self.charset = Some(find_charset(name)?);
        Ok(self)
    }

    /// Sets the charset of games without `CA`. Default: detected from their text.
    ///
    /// # Errors
    ///
    /// Fails if there is no charset of this name.
    pub fn default_charset(mut self, name: &str) -> Result<Self> {
        self.default_charset = Some(find_charset(name)?);
        Ok(self)
    }

    /// Sets the names of players that stand for those in the files. Default: none.
    ///
    /// See [`TableBuilder::names`]. `sgf names` finds names of one person.
    #[must_use]
    pub fn player_names(self, names: impl Into<Arc<Names>>) -> Self {
        Options { players: names.into(), ..self }
    }

    /// Sets strict mode. Default: false.
    ///
    /// In strict mode an unreadable file fails the query, and games are read according to the grammar of FF\[4\], up to
    /// their first syntax error, which is in the column `error`. A strict file is not cut into byte ranges.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Options { strict, ..self }
    }

    /// Sets whether columns with few different values are dictionaries. Default: true.
    ///
    /// Grouping such columns is then faster. A cluster needs tables without dictionaries:
    /// [`register`](crate::register) turns them off there.
    #[must_use]
    pub fn dictionaries(self, dictionaries: bool) -> Self {
        Options { dictionaries, ..self }
    }

    /// Excludes files, directories and members of archives whose name or path matches.
    ///
    /// Further calls add globs.
    /// The globs are those of `sgf --exclude`. A glob without `/` is compared with names: `*-draft.sgf`, `old`. One with a
    /// `/` is compared with paths from the directory that is searched, from the part of a URL before a pattern, or from the
    /// top of an archive: `old/2*`, `**/old/*.sgf`. An excluded directory or archive is skipped with
    /// everything in it. A directory that the table names is always searched.
    ///
    /// # Errors
    ///
    /// Fails if a glob cannot be read, or if they are too large together.
    pub fn exclude<G: AsRef<str>>(mut self, globs: impl IntoIterator<Item = G>) -> Result<Self> {
        for glob in globs {
            let glob = glob.as_ref();
            let pattern: Result<Pattern, String> = glob.parse();
            self.patterns.push(pattern.map_err(|error| config(format!("exclude: {glob:?}: {error}")))?);
        }
        self.exclude = Exclude::new(&self.patterns).map_err(|error| config(format!("exclude: {error}")))?;
        Ok(self)
    }

    /// Sets whether symbolic links in directories are followed. Default: false.
    #[must_use]
    pub fn follow_links(self, follows: bool) -> Self {
        Options { follows_links: follows, ..self }
    }

    /// Sets a callback for files that cannot be opened or decompressed.
    ///
    /// It is also called for files without SGF data. The query continues without them. Default: none, so such a file fails the query. With [`strict`](Self::strict)
    /// a file that cannot be read always does; one [without SGF data](Unreadable::has_no_sgf) loses nothing, and does not.
    #[must_use]
    pub fn on_unreadable(self, listener: impl Fn(&Unreadable) + Send + Sync + 'static) -> Self {
        Options { listener: Some(Arc::new(listener)), ..self }
    }

    /// Sets a counter of the bytes that are read.
    #[must_use]
    pub fn progress(self, progress: Progress) -> Self {
        Options { progress, ..self }
    }

    /// Sets a named option, as in `OPTIONS (table 'moves')`:
    ///
    /// | name | value |
    /// |---|---|
    /// | `table` | `games`, `moves` or `properties` |
    /// | `columns` | more columns, separated by commas |
    /// | `charset`, `default_charset` | the name of a charset |
    /// | `names` | a CSV file of players' names, as `sgf names` writes it |
    /// | `strict`, `dictionaries` | `true` or `false` |
    /// | `exclude` | a glob of what is not read; write several as one in braces: `{*-draft.sgf,old}` |
    /// | `follow` | whether symbolic links in directories are followed: `true` or `false` |
    /// | `find` | a pattern: rows are the games that have it, as of the function `find` |
    /// | `find_options` | the options of that function, after `find` |
    ///
    /// # Errors
    ///
    /// Fails if there is no such option, or if it cannot have the value.
    pub fn set(self, name: &str, value: &str) -> Result<Self> {
        match name {
            "table" => match [Table::Games, Table::Moves, Table::Properties].iter().find(|table| table.name() == value)
            {
                Some(&table) => Ok(Options { table, ..self }),
                None => {
                    let hint = hint(value, ["games", "moves", "properties"]);
                    Err(config(format!("unknown table '{value}'{hint} (games, moves or properties)")))
                }
            },
            "columns" => self.columns(value.split(',').map(str::trim).filter(|name| !name.is_empty())),
            "charset" => self.charset(value),
            "default_charset" => self.default_charset(value),
            "names" => match sgf_input::read_names(Path::new(value)) {
                Ok(names) => Ok(self.player_names(names)),
                Err(error) => Err(config(format!("names: {value}: {error}"))),
            },
            "strict" => Ok(self.strict(truth(name, value)?)),
            "dictionaries" => Ok(self.dictionaries(truth(name, value)?)),
            "exclude" => self.exclude([value]),
            "follow" => Ok(self.follow_links(truth(name, value)?)),
            "find" => {
                let asked = Asked::read(value, "").map_err(|error| config(format!("find: {error}")))?;
                Ok(self.finding(asked))
            }
            "find_options" => match &self.find {
                Some(asked) => {
                    let asked = Asked::read(asked.pattern(), value);
                    Ok(self.finding(asked.map_err(|error| config(format!("find_options: {error}")))?))
                }
                None => Err(config("find_options: there is no pattern; use the option find before it".to_owned())),
            },
            _ => Err(config(format!("unknown option '{name}'{} ({})", hint(name, NAMES), NAMES.join(", ")))),
        }
    }

    /// Returns the schema of the table.
    pub fn schema(&self) -> SchemaRef {
        self.schema_of(self.names())
    }

    /// Returns the table.
    pub fn table(&self) -> Table {
        self.table
    }

    /// Returns the columns of the table, with their meanings.
    pub fn column_list(&self) -> Vec<Column> {
        self.builder(self.names()).column_list().to_vec()
    }

    /// The schema of the table with some of its columns.
    pub(crate) fn schema_of<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> SchemaRef {
        if self.find.is_some() {
            let field = |name: N| find::field(name.as_ref(), self.dictionaries);
            return Arc::new(Schema::new(Vec::from_iter(names.into_iter().map(field))));
        }
        self.arrow(self.builder(names)).schema()
    }

    /// Sets that rows are the hits of a search in games.
    pub(crate) fn finding(self, asked: Asked) -> Self {
        Options { find: Some(Arc::new(asked)), ..self }
    }

    /// The search whose hits are the rows.
    pub(crate) fn search(&self) -> Option<&Asked> {
        self.find.as_deref()
    }

    /// What makes batches of the rows of a table.
    pub(crate) fn arrow(&self, table: TableBuilder) -> ArrowTable {
        ArrowTable::new(table).dictionaries(self.dictionaries)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = String> + '_ {
        let of_hits = self.find.iter().flat_map(|_| find::COLUMNS).map(str::to_owned);
        let own = Column::all(self.table).into_iter().map(|column| column.name().to_owned());
        of_hits.chain(own.chain(self.extra.iter().cloned()).filter(|_| self.find.is_none()))
    }

    /// The table with some of its columns.
    pub(crate) fn builder<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> TableBuilder {
        self.table_of(&self.parser(), names)
    }

    /// The table with some of its columns, read by another parser.
    pub(crate) fn table_of<N: AsRef<str>>(&self, parser: &Parser, names: impl IntoIterator<Item = N>) -> TableBuilder {
        let table = TableBuilder::new(parser, self.table).names(Arc::clone(&self.players));
        table.clone().columns(names).unwrap_or(table) // they are names of columns, each once
    }

    /// The parser of a file that is not transcoded.
    pub(crate) fn parser(&self) -> Parser {
        let parser = if self.strict { Parser::strict() } else { Parser::new() };
        let mut decoding = self.decoding().known_names_only(self.strict);
        if self.strict {
            decoding = decoding.bad_bytes(BadBytes::Error);
        }
        sgf_input::limited(parser).charset(decoding)
    }

    pub(crate) fn decoding(&self) -> Decoding {
        let mut decoding = Decoding::new();
        if let Some(charset) = self.charset {
            decoding = decoding.force(charset);
        }
        if let Some(charset) = self.default_charset {
            decoding = decoding.default_charset(charset);
        }
        decoding
    }

    /// Whether the value of a column is known before the moves of its game are read, so that the game can be skipped.
    pub(crate) fn is_of_head(&self, column: &str) -> bool {
        match self.table {
            Table::Games if self.find.is_none() => {
                self.builder([column]).column_list().iter().all(|column| column.scope() == Scope::Root)
            }
            _ => ["file", "offset", "game"].contains(&column),
        }
    }

    /// These options, for the table of games.
    pub(crate) fn of_games(&self) -> Self {
        Options { table: Table::Games, find: None, ..self.clone() }
    }

    /// The options by their names, as [`set`](Self::set) reads them in this order. Files are listed where the query is
    /// asked, so it does not matter elsewhere whether links are followed.
    #[cfg(feature = "cluster")]
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let charset = |charset: Option<Charset>| charset.map(|charset| charset.name().to_owned());
        let columns = (!self.extra.is_empty()).then(|| self.extra.join(","));
        let settings = [
            ("table", Some(self.table.name().to_owned())),
            ("columns", columns),
            ("charset", charset(self.charset)),
            ("default_charset", charset(self.default_charset)),
            ("strict", self.strict.then(|| true.to_string())),
            ("dictionaries", (!self.dictionaries).then(|| false.to_string())),
            ("find", self.find.as_ref().map(|asked| asked.pattern().to_owned())),
            ("find_options", self.find.as_ref().map(|asked| asked.words().to_owned())),
        ];
        let excluded = self.patterns.iter().map(|pattern| ("exclude", Some(pattern.to_string())));
        settings.into_iter().chain(excluded).filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// The names of players. Their file may be on the machine of the user alone.
    #[cfg(feature = "cluster")]
    pub(crate) fn players(&self) -> &Names {
        &self.players
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn has_dictionaries(&self) -> bool {
        self.dictionaries
    }

    /// Sets that files are read on another machine than that of the user, who learns of unreadable files through metrics.
    #[cfg(feature = "cluster")]
    pub(crate) fn remote(self) -> Self {
        Options { remote: true, ..self }
    }

    pub(crate) fn is_remote(&self) -> bool {
        self.remote
    }

    /// Whether there is a callback for files that cannot be read.
    #[cfg(feature = "cluster")]
    pub(crate) fn has_listener(&self) -> bool {
        self.listener.is_some()
    }

    /// The files that are not read.
    pub(crate) fn excluded(&self) -> &Exclude {
        &self.exclude
    }

    pub(crate) fn follows_links(&self) -> bool {
        self.follows_links
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    pub(crate) fn reading(&self) -> &Progress {
        &self.progress
    }

    /// Reports a file that cannot be read, or returns the error that ends the query.
    pub(crate) fn report(&self, fault: Unreadable) -> Result<()> {
        match &self.listener {
            Some(listener) if !self.strict || fault.has_no_sgf() => {
                listener(&fault);
                Ok(())
            }
            _ => Err(DataFusionError::External(Box::new(fault))),
        }
    }
}

fn find_charset(name: &str) -> Result<Charset> {
    Charset::for_name(name.as_bytes()).ok_or_else(|| config(format!("unknown charset '{name}'")))
}

fn truth(name: &str, value: &str) -> Result<bool> {
    value.parse().map_err(|_| config(format!("{name}: {value:?} is neither true nor false")))
}

fn config(message: String) -> DataFusionError {
    DataFusionError::Configuration(message)
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("table", &self.table)
            .field("find", &self.find)
            .field("extra", &self.extra)
            .field("charset", &self.charset)
            .field("default_charset", &self.default_charset)
            .field("strict", &self.strict)
            .field("dictionaries", &self.dictionaries)
            .field("patterns", &self.patterns)
            .field("follows_links", &self.follows_links)
            .finish_non_exhaustive()
    }
}

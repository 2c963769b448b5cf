//! The session of a run: its tables, and files that cannot be read.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::catalog::Session as Catalog;
use datafusion::common::GetExt;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::file_format::json::JsonFormatFactory;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::listing::ListingTable;
use datafusion::datasource::source_as_provider;
use datafusion::error::Result;
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use sgf_input::{Exclude, Inputs, Name, Problems, Selection};
use sgf_sql::{Options, Progress, SgfTable};
use sgf_stream::{Code, Severity};
use sgf_table::Table;
use url::Url;

use super::errors::Failure;
use super::{Common, TROUBLE, complain, note};

/// The tables that a run has over its paths.
pub(super) const TABLES: [Table; 3] = [Table::Games, Table::Moves, Table::Properties];

/// A session.
pub(super) struct Session {
    pub(super) ctx: SessionContext,
    pub(super) progress: Progress,
    options: Options,
    paths: Vec<String>,
    selection: Selection,
    /// The file of `--names`.
    names: Option<PathBuf>,
    /// Whether there are tables of paths: a list may have none.
    has_tables: bool,
    unreadable: Arc<AtomicU64>,
    /// The problems of files that were not reported yet.
    problems: Arc<Problems>,
    is_quiet: bool,
}

/// Extensions of files of JSON Lines, which DataFusion reads as `.json` only.
const JSON_LINES: [&str; 2] = ["jsonl", "ndjson"];

/// The format of files of JSON Lines with an extension.
#[derive(Debug)]
struct JsonLines {
    extension: &'static str,
}

impl GetExt for JsonLines {
    fn get_ext(&self) -> String {
        self.extension.to_owned()
    }
}

impl FileFormatFactory for JsonLines {
    fn create(&self, session: &dyn Catalog, options: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        JsonFormatFactory::new().create(session, options)
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        FileFormatFactory::default(&JsonFormatFactory::new())
    }
}

/// Reads files of JSON Lines as tables by name, and `STORED AS` such an extension.
fn read_json_lines(state: &mut SessionState) -> Result<()> {
    let json = state.table_factories().get("JSON").cloned();
    for extension in JSON_LINES {
        state.register_file_format(Arc::new(JsonLines { extension }), true)?;
        if let Some(json) = &json {
            state.table_factories_mut().insert(extension.to_uppercase(), Arc::clone(json));
        }
    }
    Ok(())
}

/// Returns how to query a file that is already a table, and was named among the PATHs.
fn table_hint(file: &str) -> String {
    let extension = Path::new(file).extension().and_then(OsStr::to_str).unwrap_or_default();
    let others = ["json", "csv", "parquet", "arrow"];
    match others.iter().chain(&JSON_LINES).any(|known| known.eq_ignore_ascii_case(extension)) {
        true => format!("; to query it as a table, quote its name: SELECT … FROM '{file}'"),
        false => String::new(),
    }
}

/// The machines that queries run on.
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Machines {
    /// Run on the cluster of this scheduler. Its executors must be able to read the same paths and URLs.
    #[arg(long, value_name = "HOST:PORT")]
    cluster: Option<String>,

    /// Number of partitions on a cluster.
    ///
    /// Several times the number of slots of all executors works well.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    partitions: u32,

    /// Time to wait for the first executor of a cluster.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    wait: u64,
}

impl Machines {
    /// This machine.
    pub(super) const HERE: Machines = Machines { cluster: None, partitions: 1, wait: 0 };

    /// Creates the context.
    #[cfg_attr(not(feature = "cluster"), allow(unused_variables))]
    fn context(&self, config: SessionConfig, is_quiet: bool) -> Result<SessionContext, Failure> {
        match &self.cluster {
            None => Ok(SessionContext::new_with_config(config)),
            #[cfg(feature = "cluster")]
            Some(scheduler) => {
                if !is_quiet {
                    super::cluster::log_own_warnings();
                }
                let scheduler = scheduler.parse().map_err(|error| Failure::Usage(format!("--cluster: {error}")))?;
                let client = sgf_sql::cluster::Client::new(scheduler).wait(std::time::Duration::from_secs(self.wait));
                let config = config.with_target_partitions(self.partitions as usize);
                Ok(sgf_sql::cluster::context(&client, config)?)
            }
            #[cfg(not(feature = "cluster"))]
            Some(_) => {
                let message = "this build has no cluster support; run `cargo install --path crates/sgf-sql --features \
                               cluster` in the sources of sgf-stream";
                Err(Failure::Usage(message.to_owned()))
            }
        }
    }
}

impl Session {
    pub(super) fn new(common: &Common, place: &Machines, paths: Vec<String>) -> Result<Self, Failure> {
        let mut config = SessionConfig::new().with_target_partitions(common.threads()).with_information_schema(true);
        let sql = &mut config.options_mut().sql_parser;
        sql.collect_spans = true;
        let ctx = place.context(config, common.quiet)?.enable_url_table();
        let progress = Progress::none();
        let unreadable = Arc::new(AtomicU64::new(0));
        let mut options = Options::new(Table::Games).strict(common.strict).progress(progress.clone());
        options = options.dictionaries(place.cluster.is_none());
        if let Some(charset) = &common.charset {
            options = options.charset(charset)?;
        }
        if let Some(charset) = &common.default_charset {
            options = options.default_charset(charset)?;
        }
        if let Some(file) = &common.names {
            let names = sgf_input::read_names(file);
            options =
                options.player_names(names.map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?);
        }
        let selection = &common.selection;
        options = options.follow_links(selection.follow).exclude(selection.exclude.iter().map(ToString::to_string))?;
        let list = selection.list().map_err(Failure::Usage)?;
        let has_tables = list.is_some() || !paths.is_empty();
        let paths = match list {
            Some(list) => names(list, common, &unreadable)?,
            None => paths,
        };
        let problems = Arc::new(Problems::new());
        let (count, is_quiet, noted) = (Arc::clone(&unreadable), common.quiet, Arc::clone(&problems));
        options = options.on_unreadable(move |fault| {
            let (severity, said) = match fault.has_no_sgf() {
                true => (Severity::Warning, Code::NoSgfData.message()),
                false => (Severity::Error, fault.message()),
            };
            count.fetch_add(u64::from(severity == Severity::Error), Ordering::Relaxed);
            noted.note(severity, &Name::of(Path::new(fault.file())), said, false);
        });
        sgf_sql::register_format(&ctx, options.clone());
        read_json_lines(&mut ctx.state_ref().write())?;
        let (selection, names) = (selection.clone(), common.names.clone());
        let session =
            Session { ctx, progress, options, paths, selection, names, has_tables, unreadable, problems, is_quiet };
        session.register(&[])?;
        Ok(session)
    }

    /// Adds columns to `games` that a query names: identifiers of properties, in quotes.
    pub(super) fn add_columns_of(&self, query: &str) -> Result<(), Failure> {
        let tokens = Tokenizer::new(&GenericDialect {}, query).tokenize().unwrap_or_default();
        let quoted = tokens.into_iter().filter_map(|token| match token {
            Token::Word(word) if word.quote_style == Some('"') => Some(word.value),
            _ => None,
        });
        let columns: Vec<String> = quoted.filter(|name| self.options.clone().columns([name]).is_ok()).collect();
        if columns.is_empty() { Ok(()) } else { self.register(&columns) }
    }

    fn register(&self, columns: &[String]) -> Result<(), Failure> {
        if !self.has_tables {
            return Ok(());
        }
        for table in TABLES {
            self.ctx.deregister_table(table.name())?;
            self.ctx.register_table(table.name(), Arc::new(self.table(table, columns)?))?;
        }
        Ok(())
    }

    /// A table of the paths. Other tables than games have no more columns.
    pub(super) fn table(&self, table: Table, columns: &[String]) -> Result<SgfTable, Failure> {
        let options = self.options.clone().set("table", table.name())?;
        let options = if table == Table::Games { options.columns(columns)? } else { options };
        Ok(SgfTable::new(&self.paths, options)?)
    }

    /// Returns the files that a query reads, which are not written to: the PATHs, and tables that it names.
    pub(super) fn inputs(&self, plan: &LogicalPlan) -> Result<Inputs, Failure> {
        let Selection { files0_from, exclude, follow } = &self.selection;
        let exclude = Exclude::new(exclude).map_err(|error| Failure::Usage(format!("--exclude: {error}")))?;
        // A path that does not exist may be a pattern.
        let paths = self.paths.iter().flat_map(|path| match Path::new(path).exists() {
            true => vec![PathBuf::from(path)],
            false => glob::glob(path).into_iter().flatten().flatten().collect(),
        });
        let mut named = Vec::new();
        plan.apply_with_subqueries(|node| {
            if let LogicalPlan::TableScan(scan) = node
                && let Ok(table) = source_as_provider(&scan.source)
                && let Some(table) = table.downcast_ref::<ListingTable>()
            {
                named.extend(
                    table.table_paths().iter().filter_map(|url| Url::parse(url.as_str()).ok()?.to_file_path().ok()),
                );
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(Inputs::new(paths, *follow, exclude).and(named).and(files0_from).and(&self.names))
    }

    /// Prints a line per kind of problem of the files that were read, unless `--quiet` is given.
    pub(super) fn report_files(&self) {
        for problem in self.problems.take().filter(|_| !self.is_quiet) {
            let (severity, hint) = (problem.severity(), table_hint(problem.name().as_str()));
            for sentence in problem.sentences("`sgf check --verbose` names all", &hint) {
                note(format_args!("{severity}: {sentence}"));
            }
        }
    }

    /// Ends the run. Returns the exit code: that of the answer if all files could be read.
    pub(super) fn finish(&self, answer: ExitCode) -> ExitCode {
        self.report_files();
        match self.unreadable.load(Ordering::Relaxed) {
            0 => answer,
            _ => ExitCode::from(TROUBLE),
        }
    }
}

/// Returns the names in a list that are UTF-8, and reports the others as files that cannot be read.
fn names(list: Vec<PathBuf>, common: &Common, unreadable: &AtomicU64) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for path in list {
        match path.into_os_string().into_string() {
            Ok(name) => names.push(name),
            Err(name) => {
                let message = format!("{}: its name is not UTF-8", Name::of(Path::new(&name)));
                if common.strict {
                    return Err(Failure::Usage(message));
                }
                unreadable.fetch_add(1, Ordering::Relaxed);
                if !common.quiet {
                    complain(message);
                }
            }
        }
    }
    Ok(names)
}

/// Whether standard error shows progress: not among lines of standard output.
pub(super) fn shows_progress(common: &Common, prints_meanwhile: bool) -> bool {
    !common.quiet && io::stderr().is_terminal() && !(prints_meanwhile && io::stdout().is_terminal())
}

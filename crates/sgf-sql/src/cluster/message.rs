//! Messages between the processes, in the format of Protocol Buffers.
//!
//! Bytes from the network are checked here: a message that cannot be read is an error, and not a panic.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::common::Statistics;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder, FileSource};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::projection::{ProjectionExpr, ProjectionExprs};
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_plan::PhysicalExpr;
use datafusion_proto::protobuf::PhysicalExprNode;
use object_store::ObjectMeta;
use object_store::path::Path;
use prost::Message;
use sgf_table::{Names as PlayerNames, Table};

use crate::fault::Unreadable;
use crate::files::Files;
use crate::names::Names;
use crate::options::Options;
use crate::source::SgfSource;
use crate::table::SgfTable;

/// The start of a message. No message of Ballista begins with it.
const MAGIC: &[u8] = b"SGF";

/// The version of the sender. Messages of other versions are not read.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The options of a table.
#[derive(Clone, PartialEq, prost::Message)]
struct OptionsMessage {
    #[prost(string, tag = "1")]
    version: String,
    #[prost(message, repeated, tag = "2")]
    settings: Vec<Setting>,
    /// Whether there is a callback for files that cannot be read.
    #[prost(bool, tag = "3")]
    has_listener: bool,
    /// Names of players, and those that stand for them.
    #[prost(message, repeated, tag = "4")]
    players: Vec<Setting>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Setting {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    value: String,
}

/// The names that the user knows files by.
#[derive(Clone, PartialEq, prost::Message)]
struct NamesMessage {
    #[prost(string, tag = "1")]
    base: String,
    #[prost(btree_map = "string, string", tag = "2")]
    roots: BTreeMap<String, String>,
}

/// A file, or a byte range of it.
#[derive(Clone, PartialEq, prost::Message)]
struct FileMessage {
    #[prost(string, tag = "1")]
    location: String,
    #[prost(uint64, tag = "2")]
    size: u64,
    #[prost(string, optional, tag = "3")]
    e_tag: Option<String>,
    #[prost(message, optional, tag = "4")]
    range: Option<RangeMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct RangeMessage {
    #[prost(uint64, tag = "1")]
    start: u64,
    #[prost(uint64, tag = "2")]
    end: u64,
}

/// A table: what the scheduler plans scans of.
#[derive(Clone, PartialEq, prost::Message)]
struct TableMessage {
    #[prost(message, optional, tag = "1")]
    options: Option<OptionsMessage>,
    #[prost(message, repeated, tag = "2")]
    stores: Vec<StoreMessage>,
}

/// The files of one store.
#[derive(Clone, PartialEq, prost::Message)]
struct StoreMessage {
    #[prost(string, tag = "1")]
    url: String,
    #[prost(message, optional, tag = "2")]
    names: Option<NamesMessage>,
    #[prost(message, repeated, tag = "3")]
    files: Vec<FileMessage>,
}

/// A scan: what an executor reads.
#[derive(Clone, PartialEq, prost::Message)]
struct ScanMessage {
    #[prost(message, optional, tag = "1")]
    options: Option<OptionsMessage>,
    #[prost(string, tag = "2")]
    url: String,
    #[prost(message, optional, tag = "3")]
    names: Option<NamesMessage>,
    #[prost(message, repeated, tag = "4")]
    groups: Vec<GroupMessage>,
    #[prost(message, repeated, tag = "5")]
    projection: Vec<ProjectedMessage>,
    #[prost(message, optional, tag = "6")]
    filter: Option<PhysicalExprNode>,
    #[prost(uint64, optional, tag = "7")]
    limit: Option<u64>,
    #[prost(uint64, optional, tag = "8")]
    batch_rows: Option<u64>,
}

/// The files of a partition.
#[derive(Clone, PartialEq, prost::Message)]
struct GroupMessage {
    #[prost(message, repeated, tag = "1")]
    files: Vec<FileMessage>,
}

/// A column of the result.
#[derive(Clone, PartialEq, prost::Message)]
struct ProjectedMessage {
    #[prost(message, optional, tag = "1")]
    expr: Option<PhysicalExprNode>,
    #[prost(string, tag = "2")]
    alias: String,
}

fn invalid(what: impl std::fmt::Display) -> DataFusionError {
    DataFusionError::Execution(format!("invalid message from the cluster: {what}"))
}

fn missing(field: &str) -> DataFusionError {
    invalid(format_args!("it has no {field}"))
}

/// Whether bytes are a message of this module.
pub(super) fn is_ours(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

fn send(message: &impl Message, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.extend_from_slice(MAGIC);
    message.encode(bytes).map_err(|error| DataFusionError::External(Box::new(error)))
}

fn receive<M: Message + Default>(bytes: &[u8]) -> Result<M> {
    let bytes = bytes.strip_prefix(MAGIC).ok_or_else(|| invalid("it is not from sgf-sql"))?;
    M::decode(bytes).map_err(invalid)
}

/// Writes a table whose files were listed.
pub(super) fn send_table(options: &Options, files: &[Files], bytes: &mut Vec<u8>) -> Result<()> {
    let stores = files.iter().map(|files| StoreMessage {
        url: files.url.as_str().to_owned(),
        names: Some(NamesMessage::of(&files.names)),
        files: files.files.iter().map(FileMessage::of).collect(),
    });
    send(&TableMessage { options: Some(OptionsMessage::of(options)), stores: stores.collect() }, bytes)
}

/// Reads a table.
pub(super) fn receive_table(bytes: &[u8]) -> Result<SgfTable> {
    let TableMessage { options, stores } = receive(bytes)?;
    let options = options.ok_or_else(|| missing("options"))?.options()?;
    let files = stores.into_iter().map(|StoreMessage { url, names, files }| {
        Ok(Files {
            url: ObjectStoreUrl::parse(url)?,
            names: names.ok_or_else(|| missing("names"))?.names()?,
            files: files.into_iter().map(|file| Ok(file.file()?.object_meta)).collect::<Result<_>>()?,
        })
    });
    Ok(SgfTable::of_files(Arc::new(files.collect::<Result<_>>()?), options))
}

/// Writes a scan. Expressions are written by the caller.
pub(super) fn send_scan(
    config: &FileScanConfig,
    source: &SgfSource,
    mut expr: impl FnMut(&Arc<dyn PhysicalExpr>) -> Result<PhysicalExprNode>,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    let files = config.file_groups.iter().flat_map(FileGroup::iter);
    let names = source.names().of(files.map(|file| &file.object_meta.location));
    let mut projection = Vec::new();
    for ProjectionExpr { expr: projected, alias } in source.projection().into_iter().flat_map(ProjectionExprs::iter) {
        projection.push(ProjectedMessage { expr: Some(expr(projected)?), alias: alias.clone() });
    }
    let groups = config.file_groups.iter().map(GroupMessage::of).collect::<Result<_>>()?;
    let scan = ScanMessage {
        options: Some(OptionsMessage::of(source.options())),
        url: config.object_store_url.as_str().to_owned(),
        names: Some(NamesMessage::of(&names)),
        groups,
        projection,
        filter: source.filter().map(|filter| expr(&filter)).transpose()?,
        limit: config.limit.map(|limit| limit as u64),
        batch_rows: config.batch_size.map(|rows| rows as u64),
    };
    send(&scan, bytes)
}

/// Reads a scan. Expressions are read by the caller, and checked here. Options are changed by the caller: they are those of
/// the process that reads.
pub(super) fn receive_scan(
    bytes: &[u8],
    expr: impl Fn(&PhysicalExprNode, &SgfSource) -> Result<Arc<dyn PhysicalExpr>>,
    of_process: impl FnOnce(Options) -> Options,
) -> Result<FileScanConfig> {
    let scan: ScanMessage = receive(bytes)?;
    let options = of_process(scan.options.ok_or_else(|| missing("options"))?.options()?);
    let names = scan.names.ok_or_else(|| missing("names"))?.names()?;
    let mut source = SgfSource::new(options, Arc::new(names));
    let schema = Arc::clone(source.table_schema().file_schema());
    let checked = |node: &PhysicalExprNode, source: &SgfSource| {
        let expr = expr(node, source)?;
        for column in collect_columns(&expr) {
            if schema.fields().get(column.index()).is_none_or(|field| field.name() != column.name()) {
                let (name, index) = (column.name(), column.index());
                return Err(invalid(format_args!("the table has no column {name:?} at {index}")));
            }
        }
        Ok(expr)
    };
    if let Some(filter) = &scan.filter {
        let filter = checked(filter, &source)?;
        if !source.takes(&filter) {
            return Err(invalid("its filter needs more than the root"));
        }
        source = source.with_filter(filter);
    }
    let mut projection = Vec::new();
    for ProjectedMessage { expr, alias } in scan.projection {
        projection.push(ProjectionExpr::new(checked(&expr.ok_or_else(|| missing("column"))?, &source)?, alias));
    }
    let source: Arc<dyn FileSource> = source
        .try_pushdown_projection(&ProjectionExprs::new(projection))?
        .ok_or_else(|| invalid("its columns cannot be read"))?;
    let number = |number: u64| usize::try_from(number).map_err(invalid);
    let groups = scan.groups.into_iter().map(GroupMessage::group).collect::<Result<_>>()?;
    Ok(FileScanConfigBuilder::new(ObjectStoreUrl::parse(scan.url)?, source)
        .with_file_groups(groups)
        .with_statistics(Statistics::new_unknown(&schema))
        .with_limit(scan.limit.map(number).transpose()?)
        .with_batch_size(scan.batch_rows.map(|rows| number(rows.max(1))).transpose()?)
        // The plan says which task reads a range. No task takes it from another one.
        .with_preserve_order(true)
        .build())
}

impl OptionsMessage {
    fn of(options: &Options) -> Self {
        let setting = |(name, value): (&str, String)| Setting { name: name.to_owned(), value };
        let mut players: Vec<(&str, &str)> = options.players().iter().collect();
        players.sort_unstable();
        let player = |(name, person): (&str, &str)| Setting { name: name.to_owned(), value: person.to_owned() };
        OptionsMessage {
            version: VERSION.to_owned(),
            settings: options.settings().into_iter().map(setting).collect(),
            has_listener: options.has_listener(),
            players: players.into_iter().map(player).collect(),
        }
    }

    fn options(self) -> Result<Options> {
        let version = &self.version;
        if version != VERSION {
            return Err(invalid(format_args!("it is from sgf-sql {version:?}, but this is {VERSION}")));
        }
        let mut options = Options::new(Table::Games);
        for Setting { name, value } in self.settings {
            options = options.set(&name, &value)?;
        }
        let players = self.players.into_iter().map(|Setting { name, value }| (name, value));
        options = options.player_names(PlayerNames::from_iter(players));
        if self.has_listener {
            options = options.on_unreadable(|fault: &Unreadable| log::warn!("{fault}"));
        }
        Ok(options)
    }
}

impl NamesMessage {
    fn of(names: &Names) -> Self {
        let roots = names.roots().map(|(location, name)| (location.clone(), name.clone()));
        NamesMessage { base: names.base().to_owned(), roots: roots.collect() }
    }

    fn names(self) -> Result<Names> {
        let mut names = Names::new(self.base);
        for (location, name) in self.roots {
            names.add(&Path::parse(&location)?, name);
        }
        Ok(names)
    }
}

impl FileMessage {
    fn of(file: &ObjectMeta) -> Self {
        FileMessage {
            location: file.location.as_ref().to_owned(),
            size: file.size,
            e_tag: file.e_tag.clone(),
            range: None,
        }
    }

    fn file(self) -> Result<PartitionedFile> {
        let file = PartitionedFile::new_from_meta(ObjectMeta {
            location: Path::parse(&self.location)?,
            last_modified: Default::default(),
            size: self.size,
            e_tag: self.e_tag,
            version: None,
        });
        let Some(RangeMessage { start, end }) = self.range else { return Ok(file) };
        match (i64::try_from(start), i64::try_from(end)) {
            (Ok(first), Ok(last)) if start <= end && end <= self.size => Ok(file.with_range(first, last)),
            _ => Err(invalid(format_args!("{start}..{end} is not in the {} bytes of {:?}", self.size, self.location))),
        }
    }
}

impl GroupMessage {
    fn of(group: &FileGroup) -> Result<Self> {
        let message = |file: &PartitionedFile| {
            let offset = |at: i64| u64::try_from(at).map_err(invalid);
            let range = match &file.range {
                Some(range) => Some(RangeMessage { start: offset(range.start)?, end: offset(range.end)? }),
                None => None,
            };
            Ok(FileMessage { range, ..FileMessage::of(&file.object_meta) })
        };
        Ok(GroupMessage { files: group.iter().map(message).collect::<Result<_>>()? })
    }

    fn group(self) -> Result<FileGroup> {
        Ok(FileGroup::new(self.files.into_iter().map(FileMessage::file).collect::<Result<_>>()?))
    }
}

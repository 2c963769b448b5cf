//! The source of a scan: plans what to read, and opens files.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::config::ConfigOptions;
use datafusion::datasource::listing::{FileRange, PartitionedFile};
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener, FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::LexOrdering;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::utils::{collect_columns, conjunction};
use datafusion::physical_expr_common::physical_expr::is_volatile;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder};
use datafusion::physical_plan::{DisplayFormatType, PhysicalExpr};
use datafusion_datasource::projection::{ProjectionOpener, SplitProjection};
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::ObjectStore;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::bytes::{Counters, Stored};
use crate::external;
use crate::fault::{FaultNames, marked};
use crate::job::{FilePlace, Job, JobMetrics, Started};
use crate::names::Names;
use crate::options::{BATCH_ROWS, Options};
use crate::reading::Reading;

/// Number of batches that wait for the query.
const WAITING: usize = 1;

/// The source of a `DataSourceExec` over SGF files.
///
/// Any byte range of a file contains the games that start in it, so the planner may cut files anywhere.
#[derive(Clone, Debug)]
pub struct SgfSource {
    options: Options,
    names: Arc<Names>,
    schema: TableSchema,
    projection: SplitProjection,
    filter: Option<Arc<dyn PhysicalExpr>>,
    batch_rows: usize,
    metrics: ExecutionPlanMetricsSet,
}

impl SgfSource {
    pub(crate) fn new(options: Options, names: Arc<Names>) -> Self {
        let schema = TableSchema::from(options.schema());
        SgfSource {
            projection: SplitProjection::unprojected(&schema),
            schema,
            options,
            names,
            filter: None,
            batch_rows: BATCH_ROWS,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    /// Adds a filter of columns of the root.
    pub(crate) fn with_filter(mut self, filter: Arc<dyn PhysicalExpr>) -> Self {
        self.filter = Some(conjunction(self.filter.into_iter().chain([filter])));
        self
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    #[cfg(feature = "cluster")]
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The names of the columns that are read.
    fn columns(&self) -> Vec<String> {
        let schema = self.schema.file_schema();
        self.projection.file_indices.iter().map(|&index| schema.field(index).name().clone()).collect()
    }

    /// Whether rows of a byte range can be read without the bytes before it.
    fn is_cut(&self) -> bool {
        !self.options.is_strict() && !needs_number(&self.columns(), self.filter.as_ref())
    }

    /// Whether the filter needs only columns of the root.
    pub(crate) fn takes(&self, filter: &Arc<dyn PhysicalExpr>) -> bool {
        let columns = collect_columns(filter);
        !columns.is_empty()
            && !is_volatile(filter)
            && columns.iter().all(|column| self.options.is_of_head(column.name()))
    }
}

/// Games are counted from the start of their file.
pub(crate) fn needs_number(columns: &[String], filter: Option<&Arc<dyn PhysicalExpr>>) -> bool {
    const NUMBER: &str = "game";
    let of_filter = filter.map(collect_columns).unwrap_or_default();
    columns.iter().any(|name| name == NUMBER) || of_filter.iter().any(|column| column.name() == NUMBER)
}

impl FileSource for SgfSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let counter = |name: &'static str| MetricBuilder::new(&self.metrics).counter(name, partition);
        let opener = SgfOpener {
            reading: Arc::new(Reading::new(&self.options, &self.columns(), self.filter.as_ref())?),
            names: Arc::clone(&self.names),
            store: (config.object_store_url != ObjectStoreUrl::local_filesystem()).then_some(store),
            batch_rows: self.batch_rows,
            limit: config.limit,
            metrics: JobMetrics {
                counters: Counters { progress: self.options.reading().clone(), bytes: counter("bytes_scanned") },
                games: counter("games_examined"),
                skipped: counter("games_skipped"),
                unreadable: counter("files_unreadable"),
                names: self.options.is_remote().then(|| FaultNames { metrics: self.metrics.clone(), partition }),
            },
        };
        ProjectionOpener::try_new(self.projection.clone(), Arc::new(opener), self.schema.file_schema())
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(SgfSource { batch_rows: batch_size, ..self.clone() })
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.filter.clone()
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        "sgf"
    }

    fn fmt_extra(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = if self.options.search().is_some() { "hits" } else { self.options.table().name() };
        match how {
            DisplayFormatType::TreeRender => write!(f, "table={table}")?,
            _ => write!(f, ", table={table}")?,
        }
        match &self.filter {
            Some(filter) => write!(f, ", root filter={filter}"),
            None => Ok(()),
        }
    }

    fn repartitioned(
        &self,
        target_partitions: usize,
        min_size: usize,
        ordering: Option<LexOrdering>,
        config: &FileScanConfig,
    ) -> Result<Option<FileScanConfig>> {
        // The table cuts its files itself, by size and by what they are, or not at all for the first rows of a file.
        let is_enough = config.limit.is_some() && self.filter.is_none();
        if !self.is_cut() || is_enough || config.file_groups.len() >= target_partitions {
            return Ok(None);
        }
        let groups = datafusion_datasource::file_groups::FileGroupPartitioner::new()
            .with_target_partitions(target_partitions)
            .with_repartition_file_min_size(min_size)
            .with_preserve_order_within_groups(ordering.is_some())
            .repartition_file_groups(&config.file_groups);
        Ok(groups.map(|groups| {
            let mut config = config.clone();
            config.file_groups = groups;
            config
        }))
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let mut source = self.clone();
        let mut taken = Vec::new();
        for filter in filters {
            if self.takes(&filter) {
                source = source.with_filter(filter);
                taken.push(PushedDown::Yes);
            } else {
                taken.push(PushedDown::No);
            }
        }
        let pushed = FilterPushdownPropagation::with_parent_pushdown_result(taken);
        Ok(pushed.with_updated_node(Arc::new(source)))
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(self.schema.file_schema(), &projection);
        Ok(Some(Arc::new(SgfSource { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let of_projection = self.projection.source.iter().map(|projected| &projected.expr);
        for expr in of_projection.chain(&self.filter) {
            if f(expr)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    }
}

/// Opens files.
struct SgfOpener {
    reading: Arc<Reading>,
    names: Arc<Names>,
    /// `None` for files on disk, which are opened by their paths.
    store: Option<Arc<dyn ObjectStore>>,
    batch_rows: usize,
    limit: Option<usize>,
    metrics: JobMetrics,
}

impl SgfOpener {
    fn job(&self, file: PartitionedFile) -> Result<Job> {
        let PartitionedFile { object_meta, range, .. } = file;
        let offset = |at: i64| {
            u64::try_from(at).map_err(|_| DataFusionError::Execution(format!("{at} is not an offset in a file")))
        };
        let range = match range {
            Some(FileRange { start, end }) => offset(start)?..offset(end)?,
            None => 0..object_meta.size,
        };
        let place = match &self.store {
            None => FilePlace::Disk(path_of(&object_meta.location)?, object_meta.size),
            Some(store) => FilePlace::Store(Stored {
                store: Arc::clone(store),
                location: object_meta.location.clone(),
                size: object_meta.size,
                e_tag: object_meta.e_tag,
                handle: Handle::current(),
            }),
        };
        Ok(Job {
            reading: Arc::clone(&self.reading),
            name: self.names.name(&object_meta.location),
            place,
            range,
            batch_rows: self.batch_rows,
            limit: self.limit,
            metrics: self.metrics.clone(),
        })
    }
}

/// The path of a file on disk. The store of DataFusion does not open all of them, such as `game#1`.
#[cfg(unix)]
pub(crate) fn path_of(location: &object_store::path::Path) -> Result<PathBuf> {
    Ok(std::path::Path::new("/").join(location.as_ref()))
}

/// The path of a file on disk.
#[cfg(not(unix))]
pub(crate) fn path_of(location: &object_store::path::Path) -> Result<PathBuf> {
    Ok(object_store::local::LocalFileSystem::new().path_to_filesystem(location)?)
}

impl FileOpener for SgfOpener {
    /// Opens a file on a thread that may wait. A small file is read at once; a long one gets a thread of its own, since
    /// it waits for the query too, and all threads of the runtime's pool must not do so.
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let job = self.job(file)?;
        let rows = rows(job);
        if self.metrics.names.is_none() {
            return Ok(Box::pin(rows));
        }
        Ok(Box::pin(async { Ok(rows.await.map_err(marked)?.map_err(marked).boxed()) }))
    }
}

/// Reads the rows of a file.
async fn rows(job: Job) -> Result<BoxStream<'static, Result<RecordBatch>>> {
    let started = tokio::task::spawn_blocking(|| job.start()).await.map_err(external)??;
    let (job, file) = match started {
        Started::Whole(batches) => return Ok(stream::iter(batches).map(Ok).boxed()),
        Started::Long(long) => *long,
    };
    let (sender, receiver) = mpsc::channel(WAITING);
    let work = move || {
        let done = job.run(&file, &mut |batch| sender.blocking_send(Ok(batch)).is_ok());
        if let Err(error) = done {
            let _ = sender.blocking_send(Err(error)); // nobody waits if the query was dropped
        }
    };
    let thread = std::thread::Builder::new().name("sgf-read".to_owned()).spawn(work).map_err(external)?;
    let batches = stream::unfold((receiver, Some(thread)), |(mut receiver, thread)| async move {
        if let Some(batch) = receiver.recv().await {
            return Some((batch, (receiver, thread)));
        }
        // The thread has let go of the channel: it has ended, or is about to.
        let panicked = thread?.join().is_err();
        panicked.then(|| (Err(external("the reading thread panicked")), (receiver, None)))
    });
    Ok(batches.boxed())
}

//! The table provider: lists files, and plans scans of them.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DFSchema, Statistics};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{CreateExternalTable, Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::union::UnionExec;

use crate::files::{self, Files, Root};
use crate::find::Asked;
use crate::options::{BATCH_ROWS, Options};
use crate::source::{SgfSource, needs_number};
use crate::stores;

/// A table of the games, moves or properties of SGF files.
///
/// Files are listed for each query, so new files are seen, unless it is a [`snapshot`](Self::snapshot). See [`register`](crate::register) for a shorter way.
#[derive(Clone)]
pub struct SgfTable {
    roots: Vec<Root>,
    /// The files, if they were listed already.
    listed: Option<Arc<Vec<Files>>>,
    options: Options,
    schema: SchemaRef,
}

impl SgfTable {
    /// Creates a table of paths and URLs: files, directories, and patterns such as `2020/**/*.sgf`.
    ///
    /// # Errors
    ///
    /// Fails if a URL or a pattern cannot be read. Files are not looked for yet.
    pub fn new<P: AsRef<str>>(paths: impl IntoIterator<Item = P>, options: Options) -> Result<Self> {
        let roots = paths.into_iter().map(|path| Root::parse(path.as_ref())).collect::<Result<_>>()?;
        Ok(SgfTable { roots, listed: None, schema: options.schema(), options })
    }

    /// Creates a table of files that were listed.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_files(files: Arc<Vec<Files>>, options: Options) -> Self {
        SgfTable { roots: Vec::new(), listed: Some(files), schema: options.schema(), options }
    }

    /// Creates a table of the current files of this table.
    ///
    /// Its queries list no files.
    ///
    /// # Errors
    ///
    /// Fails if the files cannot be listed, or if one is unreadable and no [`Options::on_unreadable`] callback is set.
    pub async fn snapshot(&self, session: &dyn Session) -> Result<SgfTable> {
        Ok(SgfTable { listed: Some(self.list(session).await?), ..self.clone() })
    }

    /// The files, if they were listed already.
    #[cfg(feature = "cluster")]
    pub(crate) fn known_files(&self) -> Option<&[Files]> {
        self.listed.as_deref().map(Vec::as_slice)
    }

    async fn list(&self, session: &dyn Session) -> Result<Arc<Vec<Files>>> {
        if let Some(files) = &self.listed {
            return Ok(Arc::clone(files));
        }
        for url in self.roots.iter().filter_map(Root::store) {
            stores::ensure(session, url)?;
        }
        Ok(Arc::new(files::list(&self.roots, &self.options, session).await?))
    }

    /// Creates a table of the hits of a search in the files of this table.
    pub(crate) fn finding(&self, asked: Asked) -> SgfTable {
        let options = self.options.of_games().finding(asked);
        SgfTable { schema: options.schema(), options, ..self.clone() }
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn roots(&self) -> &[Root] {
        &self.roots
    }

    fn is_of_head(&self, filter: &Expr) -> bool {
        let columns = filter.column_refs();
        !columns.is_empty()
            && !filter.is_volatile()
            && columns.iter().all(|column| self.options.is_of_head(column.name()))
            && !filter.exists(|expr| Ok(is_query(expr))).unwrap_or(true)
    }
}

/// Whether an expression has a plan of its own.
fn is_query(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarSubquery(_) | Expr::InSubquery(_) | Expr::Exists(_) | Expr::OuterReferenceColumn(..))
}

impl fmt::Debug for SgfTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SgfTable").field("roots", &self.roots).field("options", &self.options).finish_non_exhaustive()
    }
}

#[async_trait]
impl TableProvider for SgfTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    /// Filters of columns of the root are applied while games are read: those that they reject are skipped.
    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let pushed = |filter: &&Expr| match self.is_of_head(filter) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(pushed).collect())
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let filter = match conjunction(filters.iter().cloned()) {
            Some(filter) => Some(session.create_physical_expr(filter, &DFSchema::try_from(Arc::clone(&self.schema))?)?),
            None => None,
        };
        let lists = self.list(session).await?;
        let partitions = match limit {
            // The first rows of the first files, in order.
            Some(limit) if filter.is_none() && limit <= BATCH_ROWS => 1,
            _ => session.config().target_partitions(),
        };
        let is_cut = !self.options.is_strict() && !needs_number(&self.projected(projection), filter.as_ref());
        let mut plans: Vec<Arc<dyn ExecutionPlan>> = Vec::new();
        for list in lists.iter() {
            let groups = files::groups(list.files.clone(), partitions, is_cut);
            if !groups.is_empty() {
                let mut source = SgfSource::new(self.options.clone(), Arc::new(list.names.clone()));
                if let Some(filter) = &filter {
                    source = source.with_filter(Arc::clone(filter));
                }
                plans.push(self.plan(list.url.clone(), groups, source, projection, limit)?);
            }
        }
        match plans.len() {
            0 => {
                let schema = match projection {
                    Some(projection) => Arc::new(self.schema.project(projection)?),
                    None => self.schema(),
                };
                Ok(Arc::new(EmptyExec::new(schema)))
            }
            1 => Ok(plans.remove(0)),
            _ => UnionExec::try_new(plans),
        }
    }
}

impl SgfTable {
    fn projected(&self, projection: Option<&Vec<usize>>) -> Vec<String> {
        let fields = self.schema.fields();
        match projection {
            Some(projection) => projection.iter().map(|&index| fields[index].name().clone()).collect(),
            None => fields.iter().map(|field| field.name().clone()).collect(),
        }
    }

    fn plan(
        &self,
        url: ObjectStoreUrl,
        groups: Vec<Vec<PartitionedFile>>,
        source: SgfSource,
        projection: Option<&Vec<usize>>,
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let config = FileScanConfigBuilder::new(url, Arc::new(source))
            .with_file_groups(groups.into_iter().map(FileGroup::new).collect())
            .with_statistics(Statistics::new_unknown(&self.schema))
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}

/// Creates tables for `CREATE EXTERNAL TABLE … STORED AS SGF LOCATION '…' OPTIONS (…)`.
///
/// [`Options::set`] has the list of options.
#[derive(Clone, Debug)]
pub struct SgfTableFactory {
    options: Options,
}

impl SgfTableFactory {
    /// Creates a factory of tables with these default options.
    pub fn new(options: Options) -> Self {
        SgfTableFactory { options }
    }
}

#[async_trait]
impl TableProviderFactory for SgfTableFactory {
    async fn create(&self, session: &dyn Session, statement: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let unsupported =
            |what: &str| Err(DataFusionError::Plan(format!("a table of SGF files does not support {what}")));
        if !statement.schema.fields().is_empty() {
            return unsupported("a list of columns; use the options `table` and `columns`");
        }
        if !statement.table_partition_cols.is_empty() {
            return unsupported("PARTITIONED BY");
        }
        if !statement.order_exprs.is_empty() {
            return unsupported("WITH ORDER");
        }
        let mut options = crate::of_session(self.options.clone(), session.config());
        let mut given: Vec<_> = statement.options.iter().collect();
        // The table comes first: the columns are those of it.
        given.sort_by_key(|(name, _)| (!name.ends_with("table"), name.as_str()));
        for (name, value) in given {
            options = options.set(name.strip_prefix("format.").unwrap_or(name), value)?;
        }
        Ok(Arc::new(SgfTable::new(&statement.locations, options)?))
    }
}

//! The codecs that Ballista sends plans with: they know our table and our scan, and leave the rest to Ballista's.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};

use super::message;
use crate::progress::Progress;
use crate::source::SgfSource;
use crate::table::SgfTable;

/// Encodes logical plans with tables of SGF files, for the scheduler.
///
/// A table is sent with its files, which have to be listed before. [`context`](super::context) lists them.
#[derive(Debug, Default)]
pub struct SgfLogicalCodec {
    others: BallistaLogicalExtensionCodec,
}

impl LogicalExtensionCodec for SgfLogicalCodec {
    fn try_decode(&self, bytes: &[u8], inputs: &[LogicalPlan], ctx: &TaskContext) -> Result<Extension> {
        self.others.try_decode(bytes, inputs, ctx)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        if !message::is_ours(bytes) {
            return self.others.try_decode_table_provider(bytes, name, schema, ctx);
        }
        let table = message::receive_table(bytes)?;
        if table.schema().fields() != schema.fields() {
            let message = format!("{name}: the columns are not those of this version of sgf-sql");
            return Err(DataFusionError::Execution(message));
        }
        Ok(Arc::new(table))
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let Some(table) = (*table).downcast_ref::<SgfTable>() else {
            return self.others.try_encode_table_provider(name, table, bytes);
        };
        let files = table.known_files().ok_or_else(|| {
            DataFusionError::Execution(format!("{name}: the files were not listed: use a context of sgf_sql::cluster"))
        })?;
        if table.options().has_dictionaries() {
            let message = format!("{name}: a table of a cluster cannot have dictionaries: see Options::dictionaries");
            return Err(DataFusionError::Execution(message));
        }
        message::send_table(table.options(), files, bytes)
    }

    fn try_decode_file_format(&self, bytes: &[u8], ctx: &TaskContext) -> Result<Arc<dyn FileFormatFactory>> {
        self.others.try_decode_file_format(bytes, ctx)
    }

    fn try_encode_file_format(&self, bytes: &mut Vec<u8>, format: Arc<dyn FileFormatFactory>) -> Result<()> {
        self.others.try_encode_file_format(bytes, format)
    }
}

/// Encodes physical plans with scans of SGF files, for the executors.
#[derive(Debug, Default)]
pub struct SgfPhysicalCodec {
    others: BallistaPhysicalExtensionCodec,
    progress: Progress,
}

impl SgfPhysicalCodec {
    /// Creates a codec whose scans count the bytes and games that they read.
    pub fn new(progress: Progress) -> Self {
        SgfPhysicalCodec { progress, ..Default::default() }
    }
}

impl PhysicalExtensionCodec for SgfPhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if !message::is_ours(bytes) {
            return self.others.try_decode(bytes, inputs, ctx, converter);
        }
        let scan = message::receive_scan(
            bytes,
            |node, source| {
                let schema = source.table_schema().file_schema();
                converter.proto_to_physical_expr(node, schema, &PhysicalPlanDecodeContext::new(ctx, self))
            },
            |options| options.progress(self.progress.clone()).remote(),
        )?;
        Ok(DataSourceExec::from_data_source(scan))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let scan = node.downcast_ref::<DataSourceExec>();
        let config = scan.and_then(|scan| scan.data_source().downcast_ref::<FileScanConfig>());
        let source = config.and_then(|config| config.file_source().downcast_ref::<SgfSource>());
        match (config, source) {
            (Some(config), Some(source)) => {
                message::send_scan(config, source, |expr| converter.physical_expr_to_proto(expr, self), bytes)
            }
            _ => self.others.try_encode(node, bytes, converter),
        }
    }
}

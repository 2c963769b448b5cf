//! Files that executors could not read, which the client reports after the rows of a query.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use ballista_core::config::BallistaConfig;
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::extension::SessionConfigExt;
use ballista_core::serde::protobuf::operator_metric::Metric;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{GetJobMetricsParams, NamedCount};
use ballista_core::utils::{GrpcClientConfig, create_grpc_client_endpoint};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PhysicalExpr, PlanProperties};
use datafusion_proto::protobuf::LogicalPlanNode;
use futures::{StreamExt, TryStreamExt, stream};

use super::MAX_MESSAGE;
use super::address::Address;
use crate::fault::{MARK, Unreadable};
use crate::options::Options;

/// The node with which Ballista runs a query.
pub(super) type Distributed = DistributedQueryExec<LogicalPlanNode>;

/// A query on a cluster. After its rows, files that could not be read are reported.
#[derive(Debug)]
pub(super) struct QueryExec {
    query: Arc<dyn ExecutionPlan>,
    scheduler: Address,
    /// The options of the tables, with callbacks.
    options: Vec<Options>,
}

impl QueryExec {
    /// Wraps the node with which Ballista runs a query.
    pub(super) fn new(query: Arc<dyn ExecutionPlan>, scheduler: Address, options: Vec<Options>) -> Self {
        QueryExec { query, scheduler, options }
    }
}

impl DisplayAs for QueryExec {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.query.fmt_as(how, f)
    }
}

impl ExecutionPlan for QueryExec {
    fn name(&self) -> &str {
        "QueryExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.query.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let scheduler = self.scheduler.clone();
        let config = context.session_config().ballista_config();
        let rows = self.query.execute(partition, context)?.map_err(move |error| named(&scheduler, error));
        let (query, scheduler, options) = (Arc::clone(&self.query), self.scheduler.clone(), self.options.clone());
        let end = async move {
            if options.iter().any(Options::has_listener) {
                report(&query, &scheduler, &config, &options).await?;
            }
            Ok::<_, DataFusionError>(stream::empty())
        };
        let rows = rows.chain(stream::once(end).try_flatten());
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.query.metrics()
    }
}

/// Reports the files that could not be read.
async fn report(
    query: &Arc<dyn ExecutionPlan>,
    scheduler: &Address,
    config: &BallistaConfig,
    options: &[Options],
) -> Result<()> {
    // The tables of a query usually share a listener, so each fault is reported once.
    let Some(options) = options.iter().find(|options| options.has_listener()) else { return Ok(()) };
    let Some(job) = query.downcast_ref::<Distributed>().and_then(Distributed::job_id) else { return Ok(()) };
    match faults(scheduler, config, job.to_string()).await {
        Ok(faults) => faults.into_iter().try_for_each(|fault| options.report(fault)),
        Err(error) => {
            // Ballista (55.0) has no metrics of some plans, such as those of UNION ALL.
            log::warn!("{scheduler}: only the logs of executors name files that could not be read: {error}");
            Ok(())
        }
    }
}

/// Asks for the metrics of a query, and finds the unreadable files in them, with messages.
async fn faults(
    scheduler: &Address,
    config: &BallistaConfig,
    job_id: String,
) -> Result<BTreeSet<Unreadable>, Box<dyn Error + Send + Sync>> {
    let endpoint = create_grpc_client_endpoint(scheduler.url(), Some(&GrpcClientConfig::from(config)))?;
    let client = SchedulerGrpcClient::new(endpoint.connect().await?);
    let mut client = client.max_decoding_message_size(MAX_MESSAGE as usize);
    let answer = client.get_job_metrics(GetJobMetricsParams { job_id }).await;
    let stages = answer.map_err(|status| status.message().to_owned())?.into_inner().stages;
    let metrics = stages.into_iter().flat_map(|stage| stage.operators).flat_map(|operator| operator.metrics);
    Ok(metrics
        .filter_map(|metric| match metric.metric {
            Some(Metric::Count(NamedCount { name, .. })) => Unreadable::of_metric(&name),
            _ => None,
        })
        .collect())
}

/// Names the scheduler in an error of Ballista, or finds the error of a file in it.
fn named(scheduler: &Address, error: DataFusionError) -> DataFusionError {
    match error {
        DataFusionError::Execution(message) => DataFusionError::Execution(match of_file(&message) {
            Some(message) => message,
            None => format!("{scheduler}: {message}"),
        }),
        error => error.context(format!("{scheduler}")),
    }
}

/// Finds the message of an error of a file, in the error of a task as `Debug` writes it.
fn of_file(message: &str) -> Option<String> {
    let (_, quoted) = message.split_once(MARK)?;
    let mut chars = quoted.chars();
    let mut found = String::new();
    loop {
        found.push(match chars.next()? {
            '"' => return Some(found),
            '\\' => match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let hex: String = chars.by_ref().skip_while(|c| *c == '{').take_while(|c| *c != '}').collect();
                    char::from_u32(u32::from_str_radix(&hex, 16).ok()?)?
                }
                other => other,
            },
            other => other,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_file_is_found() {
        let message = "a\"b\\n.sgf: it's \u{301}\n\t\0gone";
        let error = DataFusionError::Execution(format!("{MARK}{message}"));
        assert_eq!(of_file(&format!("Job 7 failed: {:?}", Some(error))).as_deref(), Some(message));
        for message in ["Job 7 failed", "sgf-sql found: x", "sgf-sql found: \\u{zz}\""] {
            assert_eq!(of_file(message), None);
        }
    }
}

//! The planner of a client: lists files, and sends the query to the scheduler.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use ballista_core::config::BallistaConfig;
use ballista_core::planner::BallistaQueryPlanner;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::error::Result;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::{LogicalPlan, TableScan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::protobuf::LogicalPlanNode;

use super::client::Client;
use super::codec::SgfLogicalCodec;
use super::findings::{Distributed, QueryExec};
use crate::external;
use crate::table::SgfTable;

#[derive(Debug)]
pub(super) struct ClusterPlanner {
    client: Client,
    inner: BallistaQueryPlanner<LogicalPlanNode>,
}

impl ClusterPlanner {
    pub(super) fn new(client: Client, config: BallistaConfig, codec: Arc<SgfLogicalCodec>) -> Self {
        let inner = BallistaQueryPlanner::with_extension(client.scheduler().url(), config, codec);
        ClusterPlanner { client, inner }
    }
}

#[async_trait]
impl QueryPlanner for ClusterPlanner {
    async fn create_physical_plan(&self, plan: &LogicalPlan, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let mut listed = HashMap::new();
        let mut options = Vec::new();
        for (at, table) in tables(plan)? {
            options.push(table.options().clone());
            listed.insert(at, provider_as_source(Arc::new(table.snapshot(session).await?)));
        }
        let plan = plan.clone().transform_up_with_subqueries(|node| {
            let LogicalPlan::TableScan(scan) = node else { return Ok(Transformed::no(node)) };
            Ok(match source_as_provider(&scan.source).ok().and_then(|table| listed.get(&address(&table))) {
                Some(source) => {
                    let scan = TableScan { source: Arc::clone(source), ..scan };
                    Transformed::yes(LogicalPlan::TableScan(scan))
                }
                None => Transformed::no(LogicalPlan::TableScan(scan)),
            })
        })?;
        let planned = self.inner.create_physical_plan(&plan.data, session).await?;
        if planned.name().starts_with("Distributed") {
            self.client.ready().await.map_err(external)?;
        }
        Ok(match planned.is::<Distributed>() {
            true => Arc::new(QueryExec::new(planned, self.client.scheduler().clone(), options)),
            false => planned,
        })
    }
}

/// The tables of SGF files that a plan reads, each once, with their addresses as keys.
fn tables(plan: &LogicalPlan) -> Result<BTreeMap<usize, SgfTable>> {
    let mut tables = BTreeMap::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && let Ok(table) = source_as_provider(&scan.source)
            && let Some(of_sgf) = (*table).downcast_ref::<SgfTable>()
        {
            tables.insert(address(&table), of_sgf.clone());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(tables)
}

/// Scans of the same table have the same address.
fn address(table: &Arc<dyn TableProvider>) -> usize {
    Arc::as_ptr(table).addr()
}

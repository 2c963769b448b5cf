//! A context of DataFusion whose queries run on a cluster.

use std::sync::Arc;

use ballista_core::config::{
    BALLISTA_ADAPTIVE_PLANNER_ENABLED, BALLISTA_CLIENT_GRPC_MAX_MESSAGE_SIZE, BALLISTA_CLIENT_PULL,
    BALLISTA_SCHEDULER_MAX_PARTITIONS_PER_TASK,
};
use ballista_core::extension::{SessionConfigExt, SessionStateExt};
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};

use super::client::Client;
use super::codec::SgfLogicalCodec;
use super::planner::ClusterPlanner;
use super::{MAX_MESSAGE, OnCluster};

/// Creates a context whose queries run on a cluster.
///
/// Tables are registered as in any context, and their files are listed here, for each query. The number of partitions is
/// that of `config`: several times the number of slots of all executors makes them end at about the same time.
///
/// # Errors
///
/// Fails if the configuration cannot be that of a cluster. Nothing is connected yet: a query fails if there is no scheduler.
pub fn context(client: &Client, config: SessionConfig) -> Result<SessionContext> {
    let codec = Arc::new(SgfLogicalCodec::default());
    let config = config
        .upgrade_for_ballista()
        .with_ballista_logical_extension_codec(codec.clone())
        .set_u64(BALLISTA_CLIENT_GRPC_MAX_MESSAGE_SIZE, MAX_MESSAGE.into())
        // The client asks how far a query is. It learns soon that the scheduler has gone.
        .set_bool(BALLISTA_CLIENT_PULL, true)
        // A task of one partition is what is done again if it fails, and an executor has as many of them as slots.
        .set_u64(BALLISTA_SCHEDULER_MAX_PARTITIONS_PER_TASK, 1)
        // The adaptive planner gives wrong rows for UNION ALL (55.0).
        .set_bool(BALLISTA_ADAPTIVE_PLANNER_ENABLED, false)
        .set_bool("datafusion.execution.enable_file_stream_work_stealing", false);
    let planner = ClusterPlanner::new(client.clone(), config.ballista_config(), codec);
    let config = config.with_ballista_query_planner(Arc::new(planner)).with_extension(Arc::new(OnCluster));
    let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    Ok(SessionContext::new_with_state(state.upgrade_for_ballista(client.scheduler().url())?))
}

//! The process that plans queries, and assigns tasks to executors.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::extension::SessionConfigExt;
use ballista_core::utils::{default_config_producer, default_session_builder};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};

use super::MAX_MESSAGE;
use super::address::Address;
use super::codec::{SgfLogicalCodec, SgfPhysicalCodec};
use crate::{external, functions};

/// A scheduler. It needs to reach neither executors nor files: executors ask it for tasks.
#[derive(Clone, Debug)]
pub struct Scheduler {
    bind: Address,
    executor_timeout: Duration,
}

impl Scheduler {
    /// Creates a scheduler that will listen at an address.
    pub fn new(bind: Address) -> Self {
        Scheduler { bind, executor_timeout: Duration::from_secs(60) }
    }

    /// Sets the time without a heartbeat after which an executor is considered lost. Default: 60 seconds.
    ///
    /// Other executors then take over its tasks. An executor sends a heartbeat every 5 seconds, so the minimum is 6. On
    /// overloaded machines heartbeats may be late; the work of an executor wrongly considered lost is discarded.
    #[must_use]
    pub fn executor_timeout(self, executor_timeout: Duration) -> Self {
        Scheduler { executor_timeout: executor_timeout.max(Duration::from_secs(6)), ..self }
    }

    /// Runs until the process ends. `listening` is called with the address, as soon as clients can connect.
    ///
    /// # Errors
    ///
    /// Fails if it cannot listen at the address.
    pub async fn run(self, listening: impl FnOnce(&Address)) -> Result<()> {
        let listener = self.bind.bind().await.map_err(|error| external(format!("{}: {error}", self.bind)))?;
        let address = Address::from(listener.local_addr()?);
        let codec = Arc::new(SgfLogicalCodec::default());
        let timeout = self.executor_timeout.as_secs();
        let config = SchedulerConfig {
            external_host: address.host().to_owned(),
            bind_host: address.host().to_owned(),
            bind_port: address.port(),
            // Executors ask for work: they may come and go, and their ports need not be reached from here.
            scheduling_policy: TaskSchedulingPolicy::PullStaged,
            grpc_server_max_decoding_message_size: MAX_MESSAGE,
            grpc_server_max_encoding_message_size: MAX_MESSAGE,
            grpc_client_max_message_size: MAX_MESSAGE,
            executor_timeout_seconds: timeout,
            expire_dead_executor_interval_seconds: 1,
            no_executors_grace_period_seconds: timeout,
            override_logical_codec: Some(codec.clone()),
            override_physical_codec: Some(Arc::new(SgfPhysicalCodec::default())),
            override_config_producer: Some(Arc::new(move || {
                default_config_producer().with_ballista_logical_extension_codec(codec.clone())
            })),
            override_session_builder: Some(Arc::new(|config: SessionConfig| {
                let mut state = SessionStateBuilder::new_from_existing(default_session_builder(config)?);
                state.scalar_functions().get_or_insert_default().extend(functions::all().map(Arc::new));
                Ok(state.build())
            })),
            ..Default::default()
        };
        let cluster = BallistaCluster::new_from_config(&config).await.map_err(external)?;
        let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config));
        let scheduler = scheduler.await.map_err(external)?;
        listening(&address);
        start_grpc_service_with_listener(listener, scheduler).await.map_err(external)
    }
}

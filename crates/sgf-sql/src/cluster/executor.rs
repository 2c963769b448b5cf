//! The process that reads files.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::BallistaError;
use ballista_core::extension::{
    SessionConfigExt, ballista_aggregate_functions, ballista_scalar_functions, ballista_window_functions,
};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::{create_grpc_server, create_grpc_server_incoming};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::flight_service::BallistaFlightService;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;

use super::MAX_MESSAGE;
use super::address::Address;
use super::client::Client;
use super::codec::{SgfLogicalCodec, SgfPhysicalCodec};
use crate::progress::Progress;
use crate::{external, functions, stores};

/// An executor. It asks a scheduler for tasks, and serves their results to other executors and to clients.
#[derive(Clone, Debug)]
pub struct Executor {
    scheduler: Address,
    bind: Address,
    advertise: Option<String>,
    slots: usize,
    work_dir: Option<PathBuf>,
    memory: Option<u64>,
    wait: Duration,
    progress: Progress,
}

/// Maximum length of the parts that results are sent in, in bytes.
const MAX_PART: usize = 64 << 20;

impl Executor {
    /// Creates an executor that serves its results at an address.
    pub fn new(scheduler: Address, bind: Address) -> Self {
        Executor {
            scheduler,
            bind,
            advertise: None,
            slots: thread::available_parallelism().map_or(1, usize::from),
            work_dir: None,
            memory: None,
            wait: Duration::from_secs(30),
            progress: Progress::none(),
        }
    }

    /// Sets the host name or IP address of this executor for others.
    ///
    /// Default: the IP address that the scheduler sees.
    #[must_use]
    pub fn advertise(self, host: impl Into<String>) -> Self {
        Executor { advertise: Some(host.into()), ..self }
    }

    /// Sets the number of tasks that run at the same time, at least 1. Default: one per core.
    #[must_use]
    pub fn slots(self, slots: usize) -> Self {
        Executor { slots: slots.max(1), ..self }
    }

    /// Sets the directory for intermediate results.
    ///
    /// It is created if missing. Default: a temporary directory.
    #[must_use]
    pub fn work_dir(self, work_dir: impl Into<PathBuf>) -> Self {
        Executor { work_dir: Some(work_dir.into()), ..self }
    }

    /// Sets the memory in bytes for sorts, groups and joins, before they use the disk.
    ///
    /// Default: 70 % of the memory of the machine or container.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Executor { memory: Some(bytes), ..self }
    }

    /// Sets the time to wait for the scheduler. Default: 30 seconds.
    #[must_use]
    pub fn wait(self, wait: Duration) -> Self {
        Executor { wait, ..self }
    }

    /// Sets a counter of the bytes and games that are read.
    #[must_use]
    pub fn progress(self, progress: Progress) -> Self {
        Executor { progress, ..self }
    }

    /// Runs until the process is told to end. `listening` is called with the address of the results.
    ///
    /// # Errors
    ///
    /// Fails if it cannot listen at its address, if the scheduler cannot be reached in time, or if the directory cannot be
    /// created.
    pub async fn run(self, listening: impl FnOnce(&Address)) -> Result<()> {
        let temporary;
        let work_dir = match &self.work_dir {
            Some(path) => {
                std::fs::create_dir_all(path).map_err(|error| external(format!("{}: {error}", path.display())))?;
                path.clone()
            }
            None => {
                temporary = tempfile::Builder::new().prefix("sgf-sql-executor-").tempdir()?;
                temporary.path().to_owned()
            }
        };
        let not_utf8 = || external(format!("{}: the path is not UTF-8", work_dir.display()));
        let work_dir = work_dir.to_str().ok_or_else(not_utf8)?.to_owned();
        let unbound = |error: std::io::Error| external(format!("{}: {error}", self.bind));
        let mut addresses = tokio::net::lookup_host((self.bind.host(), self.bind.port())).await.map_err(unbound)?;
        let address = addresses.next().ok_or_else(|| external(format!("{}: there is no such host", self.bind)))?;
        let grpc = ballista_core::utils::GrpcServerConfig::default();
        let incoming =
            create_grpc_server_incoming(address, &grpc).map_err(|error| external(format!("{}: {error}", self.bind)))?;
        let address = incoming.local_addr().map_err(unbound)?;
        listening(&Address::from(address));
        // Ballista's own waiting does not end (55.0).
        let client = Client::new(self.scheduler.clone()).wait(self.wait);
        client.scheduler_answers().await.map_err(external)?;
        let incoming = Mutex::new(Some(incoming));
        let temporary_files = work_dir.clone();
        let codec = Arc::new(SgfLogicalCodec::default());
        let config = ExecutorProcessConfig {
            bind_host: match address.ip() {
                ip if ip.is_ipv6() => format!("[{ip}]"),
                ip => ip.to_string(),
            },
            external_host: self.advertise.clone(),
            port: address.port(),
            scheduler_host: match self.scheduler.host() {
                host if host.contains(':') => format!("[{host}]"),
                host => host.to_owned(),
            },
            scheduler_port: self.scheduler.port(),
            vcores: self.slots,
            task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
            work_dir: Some(work_dir),
            memory_pool_size: self.memory,
            grpc_max_decoding_message_size: MAX_MESSAGE,
            grpc_max_encoding_message_size: MAX_MESSAGE,
            override_function_registry: Some(Arc::new(functions_of_executors())),
            // Stores are made when a task names them.
            override_runtime_producer: Some(Arc::new(move |_: &SessionConfig| {
                let runtime = RuntimeEnvBuilder::new().with_temp_file_path(temporary_files.clone());
                runtime.with_object_store_registry(Arc::new(stores::Registry::default())).build_arc()
            })),
            override_config_producer: Some(Arc::new(move || {
                SessionConfig::new_with_ballista().with_ballista_logical_extension_codec(codec.clone())
            })),
            override_logical_codec: Some(Arc::new(SgfLogicalCodec::default())),
            override_physical_codec: Some(Arc::new(SgfPhysicalCodec::new(self.progress.clone()))),
            // The socket exists already: others can connect as soon as they know the port.
            override_arrow_flight_service: Some(Arc::new(move |work_dir, address, mut shutdown, grpc| {
                let incoming = incoming.lock().unwrap_or_else(PoisonError::into_inner).take();
                tokio::spawn(async move {
                    let incoming = match incoming {
                        Some(incoming) => incoming,
                        None => create_grpc_server_incoming(address, &grpc)?,
                    };
                    let service = FlightServiceServer::new(BallistaFlightService::new(work_dir))
                        .max_decoding_message_size(MAX_PART)
                        .max_encoding_message_size(MAX_PART);
                    let server = create_grpc_server(&grpc).add_service(service);
                    let served = server.serve_with_incoming_shutdown(incoming, shutdown.recv()).await;
                    served.map_err(BallistaError::TonicError)
                })
            })),
            ..Default::default()
        };
        let scheduler = self.scheduler;
        start_executor_process(Arc::new(config)).await.map_err(|error| external(format!("{scheduler}: {error}")))
    }
}

/// The functions of SQL, and ours.
fn functions_of_executors() -> BallistaFunctionRegistry {
    let mut functions = BallistaFunctionRegistry::default();
    let scalar = ballista_scalar_functions().into_iter().chain(functions::all().map(Arc::new));
    functions.scalar_functions.extend(scalar.map(|function| (function.name().to_owned(), function)));
    let aggregate = ballista_aggregate_functions().into_iter();
    functions.aggregate_functions.extend(aggregate.map(|function| (function.name().to_owned(), function)));
    let window = ballista_window_functions().into_iter();
    functions.window_functions.extend(window.map(|function| (function.name().to_owned(), function)));
    functions
}

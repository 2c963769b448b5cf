//! Distributed queries with Apache Ballista (feature `cluster`).
//!
//! | process | does |
//! |---|---|
//! | client ([`context`]) | parses the query, and lists the files |
//! | [`Scheduler`] | plans: byte ranges of files, stages, tasks |
//! | [`Executor`] | reads byte ranges; one per machine, or several |
//!
//! ```no_run
//! use datafusion::prelude::SessionConfig;
//! use sgf_sql::cluster::{Client, context};
//! use sgf_sql::Options;
//! use sgf_table::Table;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let client = Client::new("scheduler.example:50050".parse()?);
//! let ctx = context(&client, SessionConfig::new().with_target_partitions(64))?;
//! sgf_sql::register(&ctx, "games", "s3://bucket/archive/", Options::new(Table::Games))?;
//! ctx.sql("SELECT black, count(*) FROM games GROUP BY black").await?.show().await?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All processes must have the same version of this crate. The client and the executors must be able to read the same paths
//! and URLs; the scheduler does not need them.
//!
//! There is no encryption and no authentication: anyone who can reach the scheduler can read every file the executors can
//! read. Use a trusted network.

mod address;
mod client;
mod codec;
mod context;
mod executor;
mod findings;
mod message;
mod planner;
mod scheduler;

pub use self::address::{Address, InvalidAddress};
pub use self::client::{Client, ClusterError};
pub use self::codec::{SgfLogicalCodec, SgfPhysicalCodec};
pub use self::context::context;
pub use self::executor::Executor;
pub use self::scheduler::Scheduler;

/// Maximum length of a message in bytes. A plan contains each of its files, with about 100 bytes.
const MAX_MESSAGE: u32 = 1 << 30;

/// Marks the sessions whose queries run on a cluster.
#[derive(Debug)]
pub(crate) struct OnCluster;

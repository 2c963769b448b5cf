//! The client of a scheduler.

use std::io;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::address::Address;

/// Time for a connection, and for an answer of a scheduler that does nothing but answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time between two questions for executors.
const STEP: Duration = Duration::from_millis(100);

/// A client of a scheduler.
#[derive(Clone, Debug)]
pub struct Client {
    scheduler: Address,
    wait: Duration,
}

/// An error of a cluster that cannot run queries. It names the scheduler.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// There is no connection.
    #[error("{scheduler}: the scheduler cannot be reached: {error}")]
    Unreachable {
        /// The scheduler.
        scheduler: Address,
        /// The cause.
        error: io::Error,
    },
    /// Another program listens at the address.
    #[error("{scheduler}: this address belongs to another program, not to a scheduler of sgf-sql")]
    NotAScheduler {
        /// The address.
        scheduler: Address,
    },
    /// No executor came in time.
    #[error("{scheduler}: the scheduler has no executors: none came within {} s", .waited.as_secs())]
    NoExecutors {
        /// The scheduler.
        scheduler: Address,
        /// The time that was waited.
        waited: Duration,
    },
}

impl Client {
    /// Creates a client, which connects for each query.
    pub fn new(scheduler: Address) -> Self {
        Client { scheduler, wait: Duration::from_secs(30) }
    }

    /// Sets how long a query waits for the first executor. Default: 30 seconds.
    #[must_use]
    pub fn wait(self, wait: Duration) -> Self {
        Client { wait, ..self }
    }

    /// Returns the address of the scheduler.
    pub fn scheduler(&self) -> &Address {
        &self.scheduler
    }

    /// Waits until the scheduler has an executor.
    ///
    /// # Errors
    ///
    /// Fails if there is no scheduler, if it does not answer within 5 seconds, or if no executor comes in time.
    pub async fn ready(&self) -> Result<(), ClusterError> {
        let start = Instant::now();
        loop {
            match self.ask().await? {
                true => return Ok(()),
                false if start.elapsed() < self.wait => sleep(STEP).await,
                false => {
                    return Err(ClusterError::NoExecutors { scheduler: self.scheduler.clone(), waited: self.wait });
                }
            }
        }
    }

    /// Waits until there is a scheduler, for an executor.
    pub(super) async fn scheduler_answers(&self) -> Result<(), ClusterError> {
        let start = Instant::now();
        loop {
            match self.ask().await {
                Ok(_) => return Ok(()),
                Err(ClusterError::Unreachable { .. }) if start.elapsed() < self.wait => sleep(STEP).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Asks the scheduler whether it has executors, through its readiness page.
    async fn ask(&self) -> Result<bool, ClusterError> {
        let unreachable = |error| ClusterError::Unreachable { scheduler: self.scheduler.clone(), error };
        let late = |what: &str| {
            let message = format!("{what} within {} s", PATIENCE.as_secs());
            unreachable(io::Error::new(io::ErrorKind::TimedOut, message))
        };
        let address = (self.scheduler.host(), self.scheduler.port());
        let connected = timeout(PATIENCE, TcpStream::connect(address)).await;
        let mut stream = connected.map_err(|_| late("no connection"))?.map_err(unreachable)?;
        let asked = async {
            let question = format!("GET /readyz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.scheduler);
            stream.write_all(question.as_bytes()).await?;
            let mut answer = Vec::new();
            stream.take(4096).read_to_end(&mut answer).await?;
            Ok(answer)
        };
        let answer = timeout(PATIENCE, asked).await.map_err(|_| late("no answer"))?.map_err(unreachable)?;
        // Schedulers say who they are in a header.
        let head = String::from_utf8_lossy(&answer).to_ascii_lowercase();
        let is_scheduler = head.contains("\r\nserver: ballista/");
        match head.split_ascii_whitespace().nth(1) {
            Some("200") if is_scheduler => Ok(true),
            Some("503") if is_scheduler => Ok(false),
            _ => Err(ClusterError::NotAScheduler { scheduler: self.scheduler.clone() }),
        }
    }
}

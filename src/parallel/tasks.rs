//! Runs tasks on rayon's threads, and returns their results to the caller.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::iter;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rayon::ThreadPool;

/// Maximum number of tasks per thread whose results were not taken.
const AHEAD: usize = 3;

/// Time that an idle thread of the pool waits before it looks for work again.
const IDLE: Duration = Duration::from_millis(1);

/// A queue that runs tasks on rayon's threads.
///
/// Results come in order, or as tasks finish. It uses the pool of the caller, or else the global one.
/// [`ParReader`](super::ParReader) is built on this type. Use it directly to read more than one stream, for example
/// many small files.
///
/// ```
/// use sgf_stream::parallel::Tasks;
///
/// let (mut lens, mut tasks) = (Vec::new(), Tasks::new());
/// for line in "(;FF[4])\n(;B[aa]\n(;W[bb])".lines() {
///     if tasks.is_full() {
///         lens.extend(tasks.next());
///     }
///     tasks.give(move || line.len());
/// }
/// lens.extend(tasks);
/// assert_eq!(lens, [8, 7, 8]);
/// ```
///
/// To limit memory and keep all threads busy, take a result instead of adding a task while
/// [`is_full`](Self::is_full). In a pool of one thread, the thread that adds a task runs it. A panic in a task
/// resumes when its result is taken. When the queue is dropped, running tasks finish, and their results are dropped.
#[doc(hidden)]
pub struct Tasks<T> {
    in_order: bool,
    /// `None` for the pool of the caller.
    pool: Option<Arc<ThreadPool>>,
    capacity: usize,
    sender: Sender<(u64, Done<T>)>,
    receiver: Receiver<(u64, Done<T>)>,
    /// Number of tasks added.
    given: u64,
    taken: u64,
    /// Results that came before their turn, by task number.
    early: BTreeMap<u64, Done<T>>,
}

type Done<T> = Result<T, Box<dyn Any + Send>>;

impl<T: Send + 'static> Tasks<T> {
    /// Creates a queue whose results come in the order of the tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::of(None, rayon::current_num_threads())
    }

    /// Creates such a queue for the threads of a pool.
    ///
    /// For programs in which the global pool is not usable, for example because they fork.
    #[must_use]
    pub fn in_pool(pool: Arc<ThreadPool>) -> Self {
        let threads = pool.current_num_threads();
        Self::of(Some(pool), threads)
    }

    /// Creates such a queue without threads: a task runs when it is added.
    #[must_use]
    pub fn in_caller() -> Self {
        Self::of(None, 1)
    }

    fn of(pool: Option<Arc<ThreadPool>>, threads: usize) -> Self {
        let (sender, receiver) = channel();
        let capacity = if threads == 1 { 1 } else { AHEAD * threads };
        Tasks { in_order: true, pool, capacity, sender, receiver, given: 0, taken: 0, early: BTreeMap::new() }
    }

    /// Yields results as tasks finish.
    #[must_use]
    pub fn unordered(self) -> Self {
        Tasks { in_order: false, ..self }
    }

    /// Applies a function to each item, on all cores, and returns the results in order.
    ///
    /// Items are taken from the iterator as results are taken, so memory is bounded.
    ///
    /// ```
    /// use sgf_stream::parallel::Tasks;
    ///
    /// let games = ["(;FF[4])", "(;B[aa]", "(;W[bb])"];
    /// assert!(Tasks::map(games, str::len).eq([8, 7, 8]));
    /// ```
    pub fn map<I, F>(items: I, task: F) -> impl Iterator<Item = T>
    where
        I: IntoIterator,
        I::Item: Send + 'static,
        F: Fn(I::Item) -> T + Clone + Send + 'static,
    {
        let (mut items, mut tasks) = (items.into_iter().fuse(), Tasks::new());
        iter::from_fn(move || {
            while !tasks.is_full()
                && let Some(item) = items.next()
            {
                let task = task.clone();
                tasks.give(move || task(item));
            }
            tasks.next()
        })
    }

    pub(super) fn ordered(in_order: bool) -> Self {
        Tasks { in_order, ..Tasks::new() }
    }

    /// Returns whether all threads have enough to do, so that a result should be taken.
    pub fn is_full(&self) -> bool {
        self.given - self.taken >= self.capacity as u64
    }

    /// Runs a task on the pool.
    pub fn give(&mut self, task: impl FnOnce() -> T + Send + 'static) {
        let (number, sender) = (self.given, self.sender.clone());
        self.given += 1;
        let run = move || {
            let done = panic::catch_unwind(AssertUnwindSafe(task));
            _ = sender.send((number, done)); // fails if the receiver was dropped, which is fine
        };
        match &self.pool {
            _ if self.capacity == 1 => run(),
            Some(pool) => pool.spawn(run),
            None => rayon::spawn(run),
        }
    }

    /// Adds a finished result at its position in the order. It counts as a task.
    pub fn give_done(&mut self, result: T) {
        _ = self.sender.send((self.given, Ok(result)));
        self.given += 1;
    }

    /// Waits for a result. A thread of the pool runs other work meanwhile; otherwise the pool could wait
    /// for itself.
    fn receive(&self) -> Option<(u64, Done<T>)> {
        loop {
            if let Ok(received) = self.receiver.try_recv() {
                return Some(received);
            }
            match rayon::yield_now() {
                Some(rayon::Yield::Executed) => {}
                // Other threads may add work soon.
                Some(rayon::Yield::Idle) => {
                    if let Ok(received) = self.receiver.recv_timeout(IDLE) {
                        return Some(received);
                    }
                }
                None => return self.receiver.recv().ok(), // not in a pool
            }
        }
    }
}

impl<T: Send + 'static> Default for Tasks<T> {
    fn default() -> Self {
        Tasks::new()
    }
}

impl<T> fmt::Debug for Tasks<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("given", &self.given).field("taken", &self.taken).finish_non_exhaustive()
    }
}

/// Yields the results that have not been taken, and waits for each.
impl<T: Send + 'static> Iterator for Tasks<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.taken == self.given {
            return None;
        }
        let done = loop {
            if let Some(done) = self.early.remove(&self.taken) {
                break done;
            }
            let (number, done) = self.receive()?;
            if number == self.taken || !self.in_order {
                break done;
            }
            self.early.insert(number, done);
        };
        self.taken += 1;
        Some(done.unwrap_or_else(|panic| panic::resume_unwind(panic)))
    }
}

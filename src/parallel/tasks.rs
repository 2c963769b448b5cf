//! Tasks on rayon's threads, whose results come back to whoever gave them.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Tasks for each thread that have been given, and whose results have not been taken.
const AHEAD: usize = 3;

/// How long a thread of the pool that has nothing to do waits before it looks again.
const IDLE: Duration = Duration::from_millis(1);

/// Does tasks on the threads of rayon's pool (the one that the caller is in, or the global one), and gives
/// their results back: in the order of the tasks, or as they come.
///
/// [`ParReader`](super::ParReader) is made of this. It is here for those who read more than one stream: many
/// small files, say.
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
/// Who gives no task while they are full, and takes a result instead, keeps memory bounded and threads busy.
/// In a pool of one thread whoever gives a task does it. A panic in a task goes on where its result would come.
/// Tasks that are under way when this is dropped are finished, for nobody.
pub struct Tasks<T> {
    in_order: bool,
    most: usize,
    sender: Sender<(u64, Done<T>)>,
    receiver: Receiver<(u64, Done<T>)>,
    /// How many have been given, and taken.
    given: u64,
    taken: u64,
    /// Results that came before their turn, by the number of the task.
    early: BTreeMap<u64, Done<T>>,
}

type Done<T> = Result<T, Box<dyn Any + Send>>;

impl<T: Send + 'static> Tasks<T> {
    /// Results come in the order of the tasks.
    #[must_use]
    pub fn new() -> Self {
        let (sender, receiver) = channel();
        let most = match rayon::current_num_threads() {
            1 => 1,
            threads => AHEAD * threads,
        };
        Tasks { in_order: true, most, sender, receiver, given: 0, taken: 0, early: BTreeMap::new() }
    }

    /// Results come as the tasks are done.
    #[must_use]
    pub fn unordered(self) -> Self {
        Tasks { in_order: false, ..self }
    }

    pub(super) fn ordered(in_order: bool) -> Self {
        Tasks { in_order, ..Tasks::new() }
    }

    /// Whether there is enough to do for all threads: time to take a result.
    pub fn is_full(&self) -> bool {
        self.given - self.taken >= self.most as u64
    }

    /// Has a task done.
    pub fn give(&mut self, task: impl FnOnce() -> T + Send + 'static) {
        let (number, sender) = (self.given, self.sender.clone());
        self.given += 1;
        let run = move || {
            let done = panic::catch_unwind(AssertUnwindSafe(task));
            _ = sender.send((number, done)); // if nobody waits any more, that is no matter
        };
        if self.most == 1 { run() } else { rayon::spawn(run) }
    }

    /// Gives a result that is there already, for its place in the order. It counts as a task.
    pub fn give_done(&mut self, result: T) {
        _ = self.sender.send((self.given, Ok(result)));
        self.given += 1;
    }

    /// Waits for a result. A thread of the pool helps with what there is to do meanwhile, or the pool could
    /// wait for itself.
    fn receive(&self) -> Option<(u64, Done<T>)> {
        loop {
            if let Ok(received) = self.receiver.try_recv() {
                return Some(received);
            }
            match rayon::yield_now() {
                Some(rayon::Yield::Executed) => {}
                // Others may have something to do soon.
                Some(rayon::Yield::Idle) => {
                    if let Ok(received) = self.receiver.recv_timeout(IDLE) {
                        return Some(received);
                    }
                }
                None => return self.receiver.recv().ok(), // in no pool
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

/// The results that have not been taken; waits for each.
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

//! Tables of counts with a bounded size.

use std::collections::HashMap;
use std::mem;

/// Default of the maximum number of keys in a table.
const MAX_KEYS: usize = 10_000;

/// Maximum length of a key in bytes; longer keys are cut.
const MAX_KEY_LEN: usize = 256;

/// Counts the occurrences of each key.
///
/// Consecutive keys are often equal (games of one server have the same FF and SZ), so a run of equal keys is
/// counted separately, at the cost of one comparison each.
pub(crate) struct Tally {
    counts: HashMap<String, u64>,
    max_keys: usize,
    run_key: Vec<u8>,
    run_len: u64,
    dropped: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Tally::with_keys(MAX_KEYS)
    }
}

impl Tally {
    /// Creates a table with room for so many keys.
    pub(crate) fn with_keys(max_keys: usize) -> Self {
        Tally { counts: HashMap::new(), max_keys, run_key: Vec::new(), run_len: 0, dropped: 0 }
    }

    pub(crate) fn add(&mut self, key: &[u8]) {
        // One byte more than the maximum shows that the key is longer.
        let key = &key[..key.len().min(MAX_KEY_LEN + 1)];
        if key != self.run_key {
            self.end_run();
            self.run_key.clear();
            self.run_key.extend_from_slice(key);
        }
        self.run_len += 1;
    }

    #[cold]
    fn end_run(&mut self) {
        let len = mem::take(&mut self.run_len);
        if len == 0 {
            return;
        }
        let key = match self.run_key.get(..MAX_KEY_LEN) {
            Some(kept) if self.run_key.len() > MAX_KEY_LEN => format!("{}…", String::from_utf8_lossy(kept)).into(),
            _ => String::from_utf8_lossy(&self.run_key),
        };
        if let Some(count) = self.counts.get_mut(&*key) {
            *count += len;
        } else if self.counts.len() < self.max_keys {
            self.counts.insert(key.into_owned(), len);
        } else {
            self.dropped += len;
        }
    }

    /// Adds the counts of a later part.
    pub(crate) fn append(&mut self, mut others: Tally) {
        self.end_run();
        others.end_run();
        self.dropped += others.dropped;
        let mut rows: Vec<_> = others.counts.into_iter().collect();
        if self.counts.len() + rows.len() > self.max_keys {
            rows.sort(); // so that the keys that are kept do not depend on the hash
        }
        for (key, count) in rows {
            if let Some(known) = self.counts.get_mut(&key) {
                *known += count;
            } else if self.counts.len() < self.max_keys {
                self.counts.insert(key, count);
            } else {
                self.dropped += count;
            }
        }
    }

    /// Returns the table, with rows that were counted elsewhere.
    pub(crate) fn into_table(mut self, others: impl IntoIterator<Item = (String, u64)>) -> Table {
        self.end_run();
        for (key, count) in others {
            *self.counts.entry(key).or_default() += count;
        }
        let mut rows: Vec<_> = self.counts.into_iter().filter(|&(_, count)| count > 0).collect();
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let beyond: u64 = rows.iter().skip(self.max_keys).map(|(_, count)| count).sum();
        rows.truncate(self.max_keys);
        Table { rows, dropped: self.dropped + beyond }
    }

    /// Returns the table, with a row for the difference between `total` and the sum of the counts.
    pub(crate) fn into_table_of(mut self, total: u64, key: &str) -> Table {
        self.end_run();
        let there = self.counts.values().sum::<u64>() + self.dropped;
        self.into_table([(key.to_owned(), total - there)])
    }
}

/// Keys and their counts, most frequent first, then by name.
pub(crate) struct Table {
    pub(crate) rows: Vec<(String, u64)>,
    /// Sum of the counts of keys that did not fit.
    pub(crate) dropped: u64,
}

impl Table {
    /// Returns the sum of all counts.
    pub(crate) fn total(&self) -> u64 {
        self.rows.iter().map(|(_, count)| count).sum::<u64>() + self.dropped
    }

    pub(crate) fn get(&self, key: &str) -> u64 {
        self.rows.iter().find(|(name, _)| name == key).map_or(0, |&(_, count)| count)
    }
}

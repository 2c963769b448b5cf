//! Sorting of more numbers than there is memory for.
//!
//! Numbers are collected until there are many; then they are sorted and written to a file, as a *run*. At the end, all runs
//! are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::vec;

use rayon::prelude::*;

/// The bytes of a number in the file.
const WIDTH: usize = size_of::<u128>();

/// The numbers of a run that are read at a time.
const CHUNK: usize = 4096;

/// Numbers to be sorted.
pub(super) struct Sorter {
    /// The most numbers in memory.
    most: usize,
    numbers: Vec<u128>,
    file: RunFile,
    runs: Vec<Run>,
}

impl Sorter {
    /// Creates a sorter that keeps at most `most` numbers in memory, and writes the others to `file`.
    pub(super) fn new(file: PathBuf, most: usize) -> Self {
        Sorter { most, numbers: Vec::new(), file: RunFile { path: file, file: None }, runs: Vec::new() }
    }

    /// Adds numbers.
    pub(super) fn extend(&mut self, numbers: impl IntoIterator<Item = u128>) -> io::Result<()> {
        for number in numbers {
            if self.numbers.len() == self.most {
                self.write_run()?;
            }
            self.numbers.push(number);
        }
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.numbers.par_sort_unstable();
        let file = self.file.open()?;
        let start = file.stream_position()?;
        let mut out = BufWriter::with_capacity(CHUNK * WIDTH, &mut *file);
        self.numbers.drain(..).try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        out.flush()?;
        drop(out);
        self.runs.push(Run { left: start..file.stream_position()?, numbers: Vec::new().into_iter() });
        Ok(())
    }

    /// Returns all numbers in order.
    pub(super) fn sorted(self) -> io::Result<Sorted> {
        let Sorter { mut numbers, file, mut runs, .. } = self;
        numbers.par_sort_unstable();
        runs.push(Run { left: 0..0, numbers: numbers.into_iter() });
        let mut sorted = Sorted { file, runs, next: BinaryHeap::new() };
        for n in 0..sorted.runs.len() {
            sorted.next.extend(sorted.runs[n].next(&mut sorted.file)?.map(|first| Reverse((first, n))));
        }
        Ok(sorted)
    }
}

/// Numbers in order.
pub(super) struct Sorted {
    file: RunFile,
    runs: Vec<Run>,
    /// The next number of each run that has one.
    next: BinaryHeap<Reverse<(u128, usize)>>,
}

impl Iterator for Sorted {
    type Item = io::Result<u128>;

    fn next(&mut self) -> Option<io::Result<u128>> {
        let mut first = self.next.peek_mut()?;
        let Reverse((number, run)) = *first;
        match self.runs[run].next(&mut self.file) {
            Ok(Some(after)) => *first = Reverse((after, run)),
            Ok(None) => _ = PeekMut::pop(first),
            Err(error) => {
                drop(first);
                self.next.clear();
                return Some(Err(error));
            }
        }
        Some(Ok(number))
    }
}

/// Sorted numbers: those that were read, and the bytes of the file that were not.
struct Run {
    left: Range<u64>,
    numbers: vec::IntoIter<u128>,
}

impl Run {
    fn next(&mut self, file: &mut RunFile) -> io::Result<Option<u128>> {
        if self.numbers.len() == 0 && !self.left.is_empty() {
            let len = (self.left.end - self.left.start).min((CHUNK * WIDTH) as u64);
            let mut bytes = vec![0; len as usize];
            let file = file.open()?;
            file.seek(SeekFrom::Start(self.left.start))?;
            file.read_exact(&mut bytes)?;
            self.left.start += len;
            let numbers: Vec<u128> = bytes.as_chunks().0.iter().map(|bytes| u128::from_le_bytes(*bytes)).collect();
            self.numbers = numbers.into_iter();
        }
        Ok(self.numbers.next())
    }
}

/// The file of all runs, which is created when it is needed, and removed in the end.
struct RunFile {
    path: PathBuf,
    file: Option<File>,
}

impl RunFile {
    fn open(&mut self) -> io::Result<&mut File> {
        Ok(match &mut self.file {
            Some(file) => file,
            none => none.insert(File::options().read(true).write(true).create(true).truncate(true).open(&self.path)?),
        })
    }
}

impl Drop for RunFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            _ = fs::remove_file(&self.path); // if this fails, the next change of the index removes it
        }
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn numbers_come_in_order_from_any_number_of_runs(numbers: Vec<u128>, most: u8) -> bool {
            let name = format!("sgf-sort-{}-{:?}", std::process::id(), std::thread::current().id());
            let path = std::env::temp_dir().join(name);
            let mut sorter = Sorter::new(path.clone(), usize::from(most % 20) + 1);
            numbers.chunks(7).try_for_each(|some| sorter.extend(some.to_vec())).unwrap();
            let sorted: Vec<u128> = sorter.sorted().unwrap().map(Result::unwrap).collect();
            let mut expected = numbers;
            expected.sort_unstable();
            sorted == expected && !path.exists()
        }
    }

    #[test]
    fn long_runs_are_read_in_pieces() {
        let path = std::env::temp_dir().join(format!("sgf-sort-{}-long", std::process::id()));
        let mut sorter = Sorter::new(path.clone(), 3 * CHUNK + 1);
        let count = 10 * CHUNK as u128;
        sorter.extend((0..count).map(|n| n * 7919 % count)).unwrap();
        assert!(path.exists());
        assert!(sorter.sorted().unwrap().map(Result::unwrap).eq(0..count));
        assert!(!path.exists());
    }
}

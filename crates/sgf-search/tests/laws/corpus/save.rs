//! A file of the hits of the naive replay, for the tests of SQL, which share no code with this package's tests.
//!
//! ```text
//! file unknown/a.sgf            each file of the corpus that was searched; the first one has the number 0
//! find (;AB[qd]VW[ka:sj])\tfixed variations
//! 0 3\t17 0 0 B pd 18,17 4 1    file, game; of each hit: ply, symmetry, 1 if colors are exchanged, next move and its ply
//! ```

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};

use super::{Case, Hits, RealFile};
use crate::games::letters;
use crate::naive::{Hit, Pattern, Place, Settings};

pub(super) struct HitsFile {
    out: BufWriter<File>,
    numbers: HashMap<String, usize>,
}

impl HitsFile {
    /// Creates the file that the environment names, if it names one.
    pub(super) fn create(files: &[RealFile]) -> Option<Self> {
        let path = std::env::var_os("SGF_HITS")?;
        let mut out = BufWriter::new(File::create(path).unwrap());
        for file in files {
            writeln!(out, "file {}", file.name).unwrap();
        }
        let numbers = files.iter().enumerate().map(|(number, file)| (file.name.clone(), number)).collect();
        Some(HitsFile { out, numbers })
    }

    /// Writes the hits of a pattern.
    pub(super) fn write(&mut self, (pattern, settings): &Case, hits: &Hits) {
        writeln!(self.out, "find {}\t{}", pattern.text(), words(*settings)).unwrap();
        for ((file, game), hits) in hits {
            let mut hits: Vec<String> = hits.iter().map(|hit| text(hit, pattern)).collect();
            hits.sort();
            writeln!(self.out, "{} {game}\t{}", self.numbers[file], hits.join(",")).unwrap();
        }
        self.out.flush().unwrap();
    }
}

/// The options of a search in SQL.
fn words(settings: Settings) -> String {
    let place = match settings.place {
        Place::BySides => "",
        Place::Fixed => "fixed",
        Place::Anywhere => "anywhere",
    };
    let flags = [
        (!settings.symmetries, "no_symmetries"),
        (!settings.swaps, "keep_colors"),
        (settings.variations, "variations"),
        (settings.every_place, "every_place"),
    ];
    let flags = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| *word);
    std::iter::once(place).chain(flags).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn text(hit: &Hit, pattern: &Pattern) -> String {
    let place = format!("{} {} {}", hit.ply, hit.symmetry, u8::from(hit.swapped));
    match hit.next {
        Some((color, (x, y), ply)) => {
            let point = letters((pattern.at.0 + x, pattern.at.1 + y));
            format!("{place} {} {point} {ply}", if color == 'X' { 'B' } else { 'W' })
        }
        None => place,
    }
}

//! The inputs that fuzzing has kept, `fuzz/corpus`, through the functions of the fuzz targets.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use crate::support::targets::TARGETS;

#[test]
fn every_input_of_the_fuzz_targets_is_replayed() {
    for (name, target) in TARGETS {
        let folder = Path::new(crate::PROJECT).join("fuzz/corpus").join(name);
        let inputs: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(inputs.len() >= 10, "{}: {} inputs", folder.display(), inputs.len());
        for path in inputs {
            let input = fs::read(&path).unwrap();
            if let Err(panicked) = panic::catch_unwind(AssertUnwindSafe(|| target(&input))) {
                eprintln!("{}: b\"{}\"", path.display(), input.escape_ascii());
                panic::resume_unwind(panicked);
            }
        }
    }
}

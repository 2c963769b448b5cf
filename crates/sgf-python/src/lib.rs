//! The Python package `sgf_stream`: what the library does, for programs in Python.
//!
//! Tables come first, as Arrow streams ([`tables`], [`find`]); objects are created on demand ([`games`], [`trees`]);
//! [`positions`] are NumPy arrays. The interpreter's lock is released while games are read. The names, shapes and defaults are documented where Python users look for them: in
//! the modules beside this crate (`python/sgf_stream`), whose stubs `stubtest` compares with it.
//!
//! [`sources`] opens what a caller names, for all functions alike, and [`error`] is the one exception.

mod error;
mod find;
mod games;
mod index;
mod positions;
mod rewrite;
mod sources;
mod tables;
mod trees;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule]
mod _sgf_stream {
    #[pymodule_export]
    use crate::error::SgfError;
    #[pymodule_export]
    use crate::find::find;
    #[pymodule_export]
    use crate::games::{Game, Games, games};
    #[pymodule_export]
    use crate::index::index;
    #[pymodule_export]
    use crate::positions::{Batch, Positions, planes, positions};
    #[pymodule_export]
    use crate::rewrite::{Diagnostic, Note, Rewritten, check, fix, fmt};
    #[pymodule_export]
    use crate::sources::total_size;
    #[pymodule_export]
    use crate::tables::{Reader, Rows, columns, read};
    #[pymodule_export]
    use crate::trees::{Node, Tree, parse};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python packages have")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}

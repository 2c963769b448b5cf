//! Checks, repairs and formatting of bytes.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sgf_check::{Checker, Rewriter, Rules};
use sgf_stream::Parser;

/// A diagnostic of the checker.
#[pyclass(module = "sgf_stream", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Diagnostic {
    rule: String,
    severity: String,
    message: String,
    property: Option<String>,
    offset: u64,
    line: Option<u64>,
    column: Option<u64>,
    is_fixable: bool,
    text: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic: {}>", self.text)
    }
}

/// Returns what the checker reports about bytes.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, data: &[u8], strict: bool) -> Vec<Diagnostic> {
    let rules = if strict { Rules::strict() } else { Rules::new() };
    py.detach(|| {
        let mut found = Vec::new();
        let mut checker =
            Checker::with_parser(&sgf_input::limited(Parser::new()), rules, |diagnostic: &sgf_check::Diagnostic| {
                let position = diagnostic.position();
                found.push(Diagnostic {
                    rule: diagnostic.rule().to_string(),
                    severity: diagnostic.severity().to_string(),
                    message: diagnostic.message().to_owned(),
                    property: diagnostic.property().map(str::to_owned),
                    offset: diagnostic.offset(),
                    line: position.map(|position| position.line),
                    column: position.map(|position| position.column),
                    is_fixable: diagnostic.is_fixable(),
                    text: diagnostic.to_string(),
                });
            });
        // A slice is read to its end.
        _ = checker.check(data);
        found
    })
}

/// A note about a change, or about what was left unchanged.
#[pyclass(module = "sgf_stream", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Note {
    code: &'static str,
    kind: String,
    message: Option<String>,
    is_error: bool,
    offset: u64,
    line: u64,
    column: u64,
}

#[pymethods]
impl Note {
    fn __repr__(&self) -> String {
        let message = self.message.as_deref().map(|message| format!(": {message}")).unwrap_or_default();
        format!("<Note: line {}, column {}: {} {}{message}>", self.line, self.column, self.code, self.kind)
    }
}

/// Bytes that were rewritten, with notes.
#[pyclass(module = "sgf_stream", frozen)]
pub(crate) struct Rewritten {
    #[pyo3(get)]
    data: Py<PyBytes>,
    #[pyo3(get)]
    notes: Vec<Note>,
    #[pyo3(get)]
    has_changed: bool,
    #[pyo3(get)]
    has_errors: bool,
}

#[pymethods]
impl Rewritten {
    fn __bytes__(&self, py: Python<'_>) -> Py<PyBytes> {
        self.data.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!("<Rewritten: has_changed={}, {} notes>", self.has_changed, self.notes.len())
    }
}

impl Rewritten {
    fn of(py: Python<'_>, data: &[u8], rewriter: &Rewriter) -> Self {
        let (bytes, rewritten) = py.detach(|| rewriter.rewrite_slice(data));
        let note = |note: &sgf_check::Note| Note {
            code: note.code,
            kind: format!("{:?}", note.kind).to_lowercase(),
            message: note.message.clone(),
            is_error: note.is_error,
            offset: note.position.offset,
            line: note.position.line,
            column: note.position.column,
        };
        Rewritten {
            data: PyBytes::new(py, &bytes).unbind(),
            notes: rewritten.notes().iter().map(note).collect(),
            has_changed: rewritten.has_changed(),
            has_errors: rewritten.has_errors(),
        }
    }
}

/// Repairs bytes.
#[pyfunction]
pub(crate) fn fix(py: Python<'_>, data: &[u8], lossy: bool, guess_charset: bool) -> Rewritten {
    let rewriter = Rewriter::with_rules(&sgf_input::limited(Parser::new()), Rules::new())
        .lossy(lossy)
        .guess_charset(guess_charset);
    Rewritten::of(py, data, &rewriter)
}

/// Formats bytes: canonical form, or an exact copy with the syntax repaired.
#[pyfunction]
pub(crate) fn fmt(py: Python<'_>, data: &[u8], exact: bool, lossy: bool, guess_charset: bool) -> Rewritten {
    let rewriter = Rewriter::new(&sgf_input::limited(Parser::new())).lossy(lossy).guess_charset(guess_charset);
    let rewriter = if exact { rewriter } else { rewriter.canonical() };
    Rewritten::of(py, data, &rewriter)
}

//! What the parser says, on its way to the checker.
//!
//! The parser's listener has to be shareable between threads, and the checker is no such thing. So what
//! is heard waits here until the checker comes by, which it does with every node, every finding and
//! every piece of input.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Diagnostic};

#[derive(Debug, Default)]
pub(super) struct Heard {
    any: AtomicBool,
    waiting: Mutex<Vec<Diagnostic>>,
}

impl Heard {
    /// A parser whose diagnostics wait here.
    pub(super) fn listen_to(self: &Arc<Self>, parser: Parser) -> Parser {
        let heard = Arc::clone(self);
        parser.also_on_diagnostic(move |found| {
            // Whether lower-case letters are a fault is known when the root is: the checker tells of them.
            if found.code != Code::LowercaseInIdent {
                heard.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(*found);
                heard.any.store(true, Ordering::Relaxed);
            }
        })
    }

    #[inline]
    pub(super) fn is_some(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    pub(super) fn take(&self) -> Vec<Diagnostic> {
        if !self.any.swap(false, Ordering::Relaxed) {
            return Vec::new();
        }
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

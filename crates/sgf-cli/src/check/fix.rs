//! `--dry-run`: shows the changes of a file as a diff, and checks its new form.

use std::cell::RefCell;
use std::io::{self, BufReader, BufWriter, PipeWriter, Stdout, Write};
use std::rc::Rc;
use std::thread::{self, JoinHandle};

use sgf_check::{Checker, Rules, Summary};
use sgf_stream::Parser;

use crate::input::Name;
use crate::rewrite::diff::Diff;
use crate::rewrite::{NewForm, Stop};
use crate::terminal;

/// The diagnostics in the new forms of all files.
#[derive(Clone, Default)]
pub(super) struct Checked(Rc<RefCell<Summary>>);

impl Checked {
    pub(super) fn take(&self) -> Summary {
        self.0.take()
    }
}

/// The new form of a file, which is shown.
pub(super) struct Preview {
    diff: Diff<BufWriter<Stdout>>,
    /// To the thread that checks.
    pipe: BufWriter<PipeWriter>,
    checking: JoinHandle<io::Result<Summary>>,
    checked: Checked,
}

impl Preview {
    pub(super) fn new(name: &Name, parser: Parser, rules: Rules, checked: Checked) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        let out = BufWriter::new(io::stdout());
        let check = move || Checker::with_parser(&parser, rules, |_: &_| {}).check(BufReader::new(reader));
        Ok(Preview {
            diff: Diff::new(name.to_string(), terminal::get().shows_output(), out),
            pipe: BufWriter::new(writer),
            checking: thread::spawn(check),
            checked,
        })
    }
}

impl NewForm for Preview {
    fn same(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.pipe.write_all(bytes)?;
        self.diff.same(bytes).map_err(Stop::Output)
    }

    fn change(&mut self, old: &[u8], new: &[u8]) -> Result<(), Stop> {
        self.pipe.write_all(new)?;
        self.diff.change(old, new);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Stop> {
        let Preview { diff, pipe, checking, checked } = *self;
        drop(pipe.into_inner().map_err(io::IntoInnerError::into_error)?); // ends the stream
        diff.finish().map_err(Stop::Output)?;
        let summary = checking.join().unwrap_or_else(|_| Err(io::Error::other("the checker panicked")));
        *checked.0.borrow_mut() += summary?;
        Ok(())
    }
}

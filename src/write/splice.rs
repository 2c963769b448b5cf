//! Edits in place: bytes of a source are replaced, and all others are kept.

use std::borrow::Cow;
use std::ops::Range;

use super::edit::{Edit, apply};

/// An editor of bytes: it replaces some and keeps all others.
///
/// Use it where a [`Writer`](super::Writer) would lose white space and junk. The ranges come from
/// [`SliceReader::with_spans`](crate::SliceReader::with_spans) or from the offsets of any reader. Edits may be added in
/// any order, and all refer to the source. [`finish`](Self::finish) applies them.
///
/// This program removes the markup of all games and adds a property to each root. Nothing else changes:
///
/// ```
/// use sgf_stream::write::Splicer;
/// use sgf_stream::{Event, Parser};
///
/// const MARKUP: [&str; 6] = ["CR", "LB", "MA", "SQ", "TR", "SL"];
///
/// fn edit(source: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
///     let mut splicer = Splicer::new(source);
///     let (mut depth, mut in_root, mut is_markup) = (0, false, false);
///     for event in Parser::new().slice(source).with_spans() {
///         let (event, span) = event?;
///         match event {
///             Event::StartTree => (depth, in_root) = (depth + 1, depth == 0),
///             Event::EndTree => depth -= 1,
///             Event::Node if std::mem::take(&mut in_root) => splicer.insert(span.end, "US[me]"),
///             Event::Property(ident) => {
///                 is_markup = MARKUP.iter().any(|name| ident == *name);
///                 if is_markup {
///                     splicer.delete(span);
///                 }
///             }
///             Event::Value(_) if is_markup => splicer.delete(span),
///             _ => {}
///         }
///     }
///     Ok(splicer.finish()?.into_owned())
/// }
///
/// let source = b"x (;FF[4]  C[odd ] text]TR[aa][bb]\n;B[dd]LB[cc:A](;W[pp])(;W[dp] ) junk (;W[pd])";
/// let edited = edit(source)?;
/// assert_eq!(edited, b"x (;US[me]FF[4]  C[odd ] text]\n;B[dd](;W[pp])(;W[dp] ) junk (;W[pd])");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An editor does not read: bytes that are inserted need the escapes that SGF needs, as a typed value prints them.
#[derive(Clone, Debug)]
pub struct Splicer<'a> {
    source: &'a [u8],
    /// In the order in which they were added.
    edits: Vec<Edit>,
}

impl<'a> Splicer<'a> {
    /// Creates an editor without edits.
    pub fn new(source: &'a [u8]) -> Self {
        Splicer { source, edits: Vec::new() }
    }

    /// Removes a range of bytes.
    pub fn delete(&mut self, span: Range<usize>) {
        self.replace(span, []);
    }

    /// Inserts bytes at an offset.
    ///
    /// Insertions at one offset keep the order in which they were added. An insertion at the start or end of a removed range is kept. At the start, it comes before the replacement.
    pub fn insert(&mut self, offset: usize, bytes: impl Into<Vec<u8>>) {
        self.replace(offset..offset, bytes);
    }

    /// Replaces a range of bytes.
    ///
    /// An empty range is an insertion.
    pub fn replace(&mut self, span: Range<usize>, bytes: impl Into<Vec<u8>>) {
        self.edits.push(Edit { range: span, with: bytes.into() });
    }

    /// Returns whether no edit was added.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Applies the edits and returns the edited bytes.
    ///
    /// Without edits, these are the source, not a copy.
    ///
    /// # Errors
    ///
    /// Fails if a range is not in the source, if two replaced or removed ranges overlap, or if an insertion is inside of
    /// such a range.
    ///
    /// ```
    /// use sgf_stream::write::{SpliceError, Splicer};
    ///
    /// let mut splicer = Splicer::new(b"(;B[dd])");
    /// splicer.delete(2..7);
    /// splicer.insert(7, "W[pp]");
    /// splicer.insert(4, "[aa]");
    /// let error = splicer.finish().unwrap_err();
    /// assert_eq!(error, SpliceError::Conflict { first: 2..7, second: 4..4 });
    /// assert_eq!(error.to_string(), "the edits of bytes 2..7 and 4..4 conflict; make one edit of them");
    /// ```
    pub fn finish(self) -> Result<Cow<'a, [u8]>, SpliceError> {
        let Splicer { source, mut edits } = self;
        let is_outside = |edit: &&Edit| edit.range.start > edit.range.end || edit.range.end > source.len();
        if let Some(edit) = edits.iter().find(is_outside) {
            return Err(SpliceError::Outside { span: edit.range.clone(), len: source.len() });
        }
        if edits.is_empty() {
            return Ok(source.into());
        }
        edits.sort_by_key(Edit::place);
        let mut pairs = edits.iter().zip(edits.iter().skip(1));
        if let Some((first, second)) = pairs.find(|(first, second)| second.range.start < first.range.end) {
            return Err(SpliceError::Conflict { first: first.range.clone(), second: second.range.clone() });
        }
        Ok(apply(source, edits.iter()).into())
    }
}

/// An error of a [`Splicer`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpliceError {
    /// A range that is not in the source, or that ends before it starts.
    #[error("bytes {}..{} are not in the source of {len} bytes; use offsets of this source", .span.start, .span.end)]
    Outside {
        /// The range.
        span: Range<usize>,
        /// The length of the source.
        len: usize,
    },
    /// Two edits of the same bytes.
    #[error(
        "the edits of bytes {}..{} and {}..{} conflict; make one edit of them",
        .first.start, .first.end, .second.start, .second.end
    )]
    Conflict {
        /// The range that starts first.
        first: Range<usize>,
        /// The other one; empty for an insertion.
        second: Range<usize>,
    },
}

//! Control flow, the return value of an event handler.

use std::ops::ControlFlow;

/// The return value of an event handler: how to continue after an event.
///
/// A handler may return `()` (always continue), [`ControlFlow<()>`](ControlFlow), or a `Flow`.
///
/// ```
/// use sgf_stream::{Event, Flow, Parser};
///
/// // Count the comments of a file, skipping the variations of its variations.
/// let mut comments = 0;
/// let mut depth = 0;
/// Parser::new().parse(b"(;C[a](;C[b](;C[c])))", |event, _offset| {
///     match event {
///         Event::StartTree if depth == 2 => return Flow::Skip,
///         Event::StartTree => depth += 1,
///         Event::EndTree => depth -= 1,
///         Event::Property(ident) if ident == "C" => comments += 1,
///         _ => {}
///     }
///     Flow::Continue
/// })?;
/// assert_eq!(comments, 2);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flow {
    /// Continue with the next event.
    Continue,
    /// Skip the rest of the current item.
    ///
    /// After `StartTree`, skips the whole tree with its `EndTree`; after `Node`, its properties; after `Property`,
    /// its values; after `Value`, the property's remaining values; after `ValuePart`, the remaining fragments of the
    /// value. After `EndTree` it has no effect.
    ///
    /// A skipped tree is only scanned for its end, so that only a missing end is reported. The rest of a skipped node
    /// is parsed as usual; only its events are omitted.
    Skip,
    /// Skip the rest of this game. No further events of it follow, not even its `EndTree`.
    SkipGame,
    /// Stop after this event. The rest of the input stays unread.
    Break,
}

impl From<()> for Flow {
    #[inline]
    fn from((): ()) -> Flow {
        Flow::Continue
    }
}

impl From<ControlFlow<()>> for Flow {
    #[inline]
    fn from(flow: ControlFlow<()>) -> Flow {
        match flow {
            ControlFlow::Continue(()) => Flow::Continue,
            ControlFlow::Break(()) => Flow::Break,
        }
    }
}

//! What a handler answers.

use std::ops::ControlFlow;

/// The answer to an event: how to go on.
///
/// A closure may return `()` (go on, always), [`ControlFlow<()>`](ControlFlow), or this.
///
/// ```
/// use sgf_stream::{Event, Flow, Parser};
///
/// // Count the comments of a file without looking at its variations' variations.
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
    /// Go on with the next event.
    Continue,
    /// Leave out the rest of what has begun: after `StartTree` the whole tree, its `EndTree`
    /// included; after `Node` the rest of its properties; after `Property` its values; after
    /// `Value` the property's further values. After `EndTree` it means nothing.
    ///
    /// A skipped tree is not looked at closely: of its faults, only a missing end is reported. The
    /// rest of a node is read as ever, and only its events are left out. After a `ValuePart`, no
    /// more parts of that value follow.
    Skip,
    /// Leave out the rest of this game, without further events for it.
    SkipGame,
    /// Stop after this event. What has not been read stays to be read.
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

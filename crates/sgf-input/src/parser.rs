//! The limits with which all tools parse games, so that they agree on what is too long.

use sgf_stream::Parser;

/// Maximum length of a value and of a node in bytes: 16 MiB.
///
/// The library's own default for values is 1 MiB, since one of its parsers may serve one of many peers. A tool reads files of
/// its user, and a long comment that is lost helps nobody.
pub const MAX_VALUE_LEN: usize = 16 << 20;

/// Returns the parser with the limits of the tools.
///
/// The commands, SQL, Python and training data all read with it.
///
/// ```
/// use sgf_stream::Parser;
///
/// let game = format!("(;C[{}])", "x".repeat(2 << 20));
/// assert!(Parser::strict().parse(game.as_bytes(), |_, _| {}).is_err());
/// sgf_input::limited(Parser::strict()).parse(game.as_bytes(), |_, _| {})?;
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
pub fn limited(parser: Parser) -> Parser {
    parser.max_value_len(MAX_VALUE_LEN).max_node_len(MAX_VALUE_LEN)
}

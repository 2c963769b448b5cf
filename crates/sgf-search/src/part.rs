//! Searches of parts of a stream.

use sgf_stream::parts::Part;
use sgf_stream::{Error, Parser};

use crate::matcher::Matcher;
use crate::quick::QuickMatch;

impl Matcher {
    /// Searches the games of a part of a stream. Returns those that match, also if it fails.
    ///
    /// Games count from the start of the part, and offsets from the start of the stream. For programs that give parts to threads:
    ///
    /// ```
    /// use sgf_search::{Pattern, Search};
    /// use sgf_stream::Parser;
    /// use sgf_stream::parts::Next;
    ///
    /// let (parser, games) = (Parser::new(), &b"(;SZ[9];B[gc];W[gg])(;SZ[9];B[ee])(;SZ[9];B[gg];W[gc])"[..]);
    /// let mut matcher = Search::new(Pattern::parse("X/./././O")?).matcher();
    /// let mut found = Vec::new();
    /// let mut parts = parser.parts(games);
    /// while let Some(Next::Part(part)) = parts.next_part()? {
    ///     let (games, read) = matcher.read_part(&part, &parser);
    ///     read?;
    ///     found.extend(games.iter().map(|game| game.offset));
    /// }
    /// assert_eq!(found, [0, 34]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the parser does, in strict mode. The games before the error are searched.
    pub fn read_part(&mut self, part: &Part<'_>, parser: &Parser) -> (Vec<QuickMatch>, Result<(), Error>) {
        let mut quick = self.quick();
        if part.parse_into(parser, &mut quick).is_err() {
            // The games before an error come from a reader.
            let mut found = Vec::new();
            let read = self.read(&mut part.reader(parser), |game| found.push(game.into()));
            return (found, read.map(drop));
        }
        let (mut found, left) = quick.finish();
        if left.is_empty() {
            return (found, Ok(()));
        }
        let read = self.read_some(&mut part.reader(parser), &left, |game| found.push(game.into()));
        found.sort_by_key(|game| game.number);
        (found, read)
    }
}

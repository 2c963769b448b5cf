//! Strict mode, game by game: a syntax error affects only its game, is reported once, and the next game is read under
//! the same rules. Also sources that fail occasionally.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use sgf_stream::{
    Code, Error, Event, GameIndex, Ident, Parser, RawValue, Reader, Skip, SyntaxError, Variation, Visitor,
};

use crate::support::generate::Input;
use crate::support::holds;

/// Writes a game down.
struct Written;

impl Visitor for Written {
    type Game = String;
    type Output = String;

    fn begin_game(&mut self, _: u64) -> ControlFlow<String, String> {
        ControlFlow::Continue("(".into())
    }

    fn start_tree(&mut self, game: &mut String, _: Variation) -> ControlFlow<String, Skip> {
        game.push('(');
        ControlFlow::Continue(Skip::No)
    }

    fn node(&mut self, game: &mut String, _: u64) -> ControlFlow<String, Skip> {
        game.push(';');
        ControlFlow::Continue(Skip::No)
    }

    fn property(&mut self, game: &mut String, ident: Ident<'_>, _: u64) -> ControlFlow<String, Skip> {
        game.push_str(&ident.spelling());
        ControlFlow::Continue(Skip::No)
    }

    fn value(&mut self, game: &mut String, value: RawValue<'_>, _: u64) -> ControlFlow<String> {
        *game += &format!("[{}]", value.simple_text());
        ControlFlow::Continue(())
    }

    fn end_tree(&mut self, game: &mut String, _: u64) -> ControlFlow<String> {
        game.push(')');
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: String) -> String {
        game + ")"
    }
}

type Games = Vec<Result<String, Code>>;

/// The games that each of the game-level interfaces gives. They have to agree.
fn games(parser: &Parser, bytes: &[u8]) -> Games {
    let mut slice = parser.slice(bytes);
    let from_slice: Games =
        std::iter::from_fn(|| slice.read_game(&mut Written).map_err(|e| e.code()).transpose()).collect();
    for capacity in [1, 16, 4096] {
        let mut reader = parser.reader(BufReader::with_capacity(capacity, bytes));
        let code = |error: Error| error.as_syntax().unwrap().code();
        let from_reader: Games =
            std::iter::from_fn(|| reader.read_game(&mut Written).map_err(code).transpose()).collect();
        assert_eq!(from_reader, from_slice, "{}", bytes.escape_ascii());
    }
    for size in [1, 3, 1000] {
        let (mut push, mut pushed) = (parser.push_games(Written), Games::new());
        let take: &mut dyn FnMut(_) = &mut |game: Result<_, SyntaxError>| pushed.push(game.map_err(|e| e.code()));
        bytes.chunks(size).for_each(|chunk| push.feed(chunk, &mut *take));
        push.finish(take);
        assert_eq!(pushed, from_slice, "{}", bytes.escape_ascii());
    }
    from_slice
}

#[test]
fn a_fault_costs_its_game_and_no_other() {
    let ok = |game: &str| Ok(game.to_owned());
    for (input, parser, expected) in [
        ("(;B)(;W[cc])", Parser::strict(), vec![Err(Code::PropertyWithoutValue), ok("(;W[cc])")]),
        // The rules hold for the next game too.
        (
            "(;B)(B[bb])(;W[cc])",
            Parser::strict(),
            vec![Err(Code::PropertyWithoutValue), Err(Code::MissingSemicolon), ok("(;W[cc])")],
        ),
        ("(B[bb])(Black[b])", Parser::strict(), vec![Err(Code::MissingSemicolon), Err(Code::LowercaseInIdent)]),
        // A bracket that was held back counts.
        ("(;A[a]((;B[b]))(;C[c]))(;D[d])", Parser::strict(), vec![Err(Code::TreeWithoutNodes), ok("(;D[d])")]),
        ("(;A[a](;B[b])(;C[c]))(;D[d])", Parser::strict().max_depth(1), vec![Err(Code::TreeTooDeep), ok("(;D[d])")]),
        ("(;A[a]()(;C[c]))(;D[d])", Parser::strict(), vec![Err(Code::TreeWithoutNodes), ok("(;D[d])")]),
        // Faults are reported once, and "no data" only if there is nothing else to say.
        ("(B[bb])", Parser::strict(), vec![Err(Code::MissingSemicolon)]),
        ("(", Parser::strict(), vec![Err(Code::UnclosedTree)]),
        ("", Parser::strict(), vec![Err(Code::NoSgfData)]),
        ("(;A[a", Parser::strict(), vec![Err(Code::UnterminatedValue)]),
        // The next game ends a faulty one where lenient mode would end it.
        ("(;B\n(;FF[4])", Parser::strict(), vec![Err(Code::PropertyWithoutValue), ok("(;FF[4])")]),
        ("(;a)x(;b)(;C[c])", Parser::strict(), vec![Err(Code::JunkInTree), Err(Code::JunkInTree), ok("(;C[c])")]),
    ] {
        assert_eq!(games(&parser, input.as_bytes()), expected, "{input}");
    }
}

#[test]
fn a_value_that_is_not_closed_is_one_fault_however_long() {
    let input = format!("(;C[{}) (;hello", "x".repeat(400));
    for parser in [Parser::strict(), Parser::strict().value_parts(true).max_value_len(8)] {
        assert_eq!(games(&parser, input.as_bytes()), [Err(Code::UnterminatedValue)]);
    }
    for capacity in [1, 16, 4096] {
        let mut reader = Parser::strict().reader(BufReader::with_capacity(capacity, input.as_bytes()));
        assert!(reader.skip_game().is_err());
        assert!(reader.read_game(&mut Written).unwrap().is_none());
    }
}

#[test]
fn skipping_after_a_fault_skips_the_next_game() {
    for (input, left) in [("(;B)(;W[a])(;B[b])", "(;B[b])"), ("(;B](;V[v]))(;W[a])(;B[b])", "(;B[b])")] {
        let mut reader = Parser::strict().slice(input.as_bytes());
        assert!(reader.read_game(&mut Written).is_err(), "{input}");
        assert!(reader.skip_game().unwrap(), "{input}");
        assert_eq!(reader.read_game(&mut Written).unwrap().as_deref(), Some(left), "{input}");
    }
    let mut reader = Parser::strict().slice(b"(;B[aa]");
    assert!(reader.skip_game().is_err());
    assert!(!reader.skip_game().unwrap());
}

/// Fails at some places, once at each.
struct Fails<'a> {
    parts: Vec<&'a [u8]>,
}

impl Read for Fails<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!("readers of `BufRead` use `fill_buf`")
    }
}

impl BufRead for Fails<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.parts.len() > 1 && self.parts[0].is_empty() {
            self.parts.remove(0);
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(self.parts[0])
    }

    fn consume(&mut self, amount: usize) {
        self.parts[0] = &self.parts[0][amount..];
    }
}

#[test]
fn calls_may_be_mixed_after_an_io_error() {
    // The rest of a game that was being skipped stays skipped.
    let mut reader = Reader::new(Fails { parts: vec![b"(;A[a]", b";B[b])(;C[c])"] });
    assert_eq!(reader.next_event().unwrap(), Some(Event::StartTree));
    assert!(reader.skip_game().is_err());
    assert_eq!(reader.next_event().unwrap(), Some(Event::StartTree));
    assert_eq!(reader.game_offset(), Some(12));

    // A game to come that could not be reached is not skipped later.
    let mut reader = Reader::new(Fails { parts: vec![b"", b"(;A[a])"] });
    assert!(reader.skip_game().is_err());
    assert_eq!(reader.read_game(&mut Written).unwrap().as_deref(), Some("(;A[a])"));

    // A visitor in the middle of a variation that it skips.
    struct MainLine;
    impl Visitor for MainLine {
        type Game = ();
        type Output = ();
        fn begin_game(&mut self, _: u64) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, (): ()) {}
    }
    let parts: Vec<&[u8]> = vec![b"(;A[a](;B[b])(;C[c]", b";D[d]))(;E[e])(;F[f])"];
    let mut reader = Reader::new(Fails { parts });
    assert!(reader.read_game(&mut MainLine).is_err());
    assert_eq!(reader.next_event().unwrap(), Some(Event::EndTree));
    assert_eq!(reader.depth(), 0);
    assert_eq!(reader.read_game(&mut Written).unwrap().as_deref(), Some("(;E[e])"));
    assert_eq!(reader.read_game(&mut Written).unwrap().as_deref(), Some("(;F[f])"));
}

#[test]
fn an_index_goes_by_names_and_first_values_and_is_not_trusted() {
    let archive = b"(;Black[aa]PB[x][y]PlayerBlack[z])";
    let index = GameIndex::build(&Parser::new(), &archive[..], &["B", "PlayerBlack", "PB"]).unwrap();
    for (field, value) in [("B", "aa"), ("Black", "aa"), ("PB", "x"), ("PlayerBlack", "x")] {
        assert_eq!(index.value(0, field).unwrap().simple_text(), value, "{field}");
    }
    for line in ["18446744073709551615\t1\t1", "0\t0\t1", "0\t1\t0", "0\t1\t3", "x\t1\t1", "0\t1\t1\tmore", "0"] {
        let file = format!("sgf-index 1\n{line}\n");
        let error = GameIndex::load(file.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{line}");
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}

#[test]
fn a_saved_index_is_loaded_and_leads_to_the_same_games() {
    fn law(input: Input) {
        let Ok(index) = GameIndex::build(&Parser::new(), &input.0[..], &["PB", "GM"]) else { return }; // no SGF data
        let mut file = Vec::new();
        index.save(&mut file).unwrap();
        let loaded = GameIndex::load(&file[..]).unwrap();
        assert_eq!(loaded, index);
        let mut in_order = Parser::new().slice(&input.0);
        for game in 0..index.len() {
            let mut sought = Parser::new().slice(&input.0);
            sought.seek(loaded.position(game).unwrap());
            let (found, expected) = (sought.read_game(&mut Written), in_order.read_game(&mut Written));
            assert_eq!(found, expected, "game {game}");
        }
    }
    holds(500, law as fn(Input));
}

#[test]
fn an_index_leads_slices_and_streams_to_the_same_place() {
    let archive = b"mail\n(;FF[4]PB[a]) (;FF[4]PB[b]\n;black[dd])";
    let index = GameIndex::build(&Parser::new(), &archive[..], &["PB"]).unwrap();
    let second = index.position(1).unwrap();
    let at = (second.offset, second.line, second.column);
    assert_eq!(at, (19, 2, 15));

    let error = Parser::strict();
    let mut slice = error.slice(archive);
    slice.seek(second);
    let from_slice = slice.read_game(&mut Written).unwrap_err();
    let mut reader = error.reader(io::Cursor::new(archive));
    reader.seek(second).unwrap();
    let from_reader = reader.read_game(&mut Written).unwrap_err();
    assert_eq!(from_reader.as_syntax(), Some(&from_slice));
    assert_eq!((from_slice.position().line, from_slice.position().column), (3, 2));

    // An index of something else.
    let mut slice = Parser::new().slice(b"(;)");
    slice.seek(second);
    assert!(slice.next().is_none_or(|event| event.is_err()));
}

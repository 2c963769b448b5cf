//! Hostile inputs for the laws of linear time and bounded memory: many small things of each kind, at any length.

/// Inputs as a head, a section that is repeated, and a tail.
const REPEATED: &[(&str, &str, &str)] = &[
    // Properties, values and diagnostics in one node.
    ("(;", "AB[aa]\n", ")"),
    ("(;FF[4];", "\nAB[aa]", ")"),
    ("(;", "\nKM[6,5]", ")"),
    ("(;FF[4];", "\nTR[aa]LB[aa:x]", ")"),
    ("(;FF[4];", "\nTR[ a a]LB[ a a:x]", ")"),
    ("(;FF[4];", "C[x]", ")"),
    ("(;FF[4];", "B[dd]W[dd]", ")"),
    ("(;FF[4];C", "[x]", ")"),
    ("(;FF[4];TR", "[]", ")"),
    ("(;FF[4];TR", "[aa]\n", ")"),
    ("(;FF[4];TR", "[ a a ]\n", ")"),
    ("(;FF[4]SZ[52];TR", "[aa:ZZ]", ")"),
    ("(;FF[4]SZ[52];AB", "[aa:ZZ]", ")"),
    ("(;FF[4]SZ[52]", ";AB[aa:ZZ];AW[aa:ZZ]", ")"),
    ("(;GM[11];MA", "[a1:crxp65536][zzz9:zzzz99]", ")"),
    ("(;FF[3]SZ[19]", "L[aa]LB[aa:x]M[bb]MA[cc]", ")"),
    ("(;FF[3]", "OM[10]OP[30]KI[13]", ")"),
    // Variations, nodes, games.
    ("(;FF[4]", "(;B[dd]", ""),
    ("", "(;", ""),
    ("(;FF[4]", "(;B[dd])", ")"),
    ("(;FF[4]AB[aa]", "(;AW[dd])\n", ")"),
    ("(;FF[4]", "(;B[dd](;W[ee]))", ")"),
    ("(;FF[4]", "(;B[dd])(;B[ee]", ""),
    ("(;FF[4]", "(;B[dd]);W[ee]", ")"),
    ("(;FF[4]", ";B[dd];W[pp]", ")"),
    ("(;FF[4]", ";B[aa];W[aa]", ")"),
    ("(;FF[4]", ";", ")"),
    ("", "(;FF[4]PB[a];B[dd])\n", ""),
    ("", "(;)", ""),
    ("", "(", ""),
    ("(;FF[4];B[dd]", ")", ""),
    // Lines, white space, junk.
    ("(;FF[4];C[", "\n", "])"),
    ("(;FF[4]", "\n", ")"),
    ("(;FF[4]", "\r\n", ")"),
    ("(;FF[4];B[dd]", "! ", ")"),
    ("", "From: x\n", "(;FF[4])"),
    ("(;FF[4];B[dd]", "x[]\n", ")"),
    // Long values, escapes, texts.
    ("(;FF[4];C[", "x", "])"),
    ("(;FF[4];C[", "\u{E9}", "])"),
    ("(;FF[4];C[", "x", ""),
    ("(;FF[4];C[", "\\]", "])"),
    ("(;FF[4];C[", "\\\\", "])"),
    ("(;FF[4];C[", "\\\n", "])"),
    ("(;FF[4];C[", "[", "])"),
    ("(;FF[4];C[a", "[x]y", "])"),
    ("(;FF[4];C[", "see (;GM[1 ", "])"),
    ("(;FF[4];LB[aa:", "\\:", "])"),
    ("(;FF[4]DT[1996-01-01", ",02", "])"),
    ("(;FF[4]DT[1996-01-01", ", 02", "])"),
    ("(;FF[4]RE[", "B+R ", "])"),
    ("(;FF[4]KM[", "6", "])"),
    ("(;FF[4]OT[", "5x30 byo-yomi ", "])"),
    ("(;FF[4]", "CA[GBK]", ")"),
    ("(;FF[4];", "A", "[x])"),
    // Boards: roots, rectangles, setup before each move, long lines, deep variations, other games, moves in one node.
    ("(;SZ[19]AB", "[aa]", ";B[dd])"),
    ("(;SZ[52];", "AB[aa:ZZ]AE[aa:ZZ]", ")"),
    ("(;GM[11]SZ[52];", "AB[a1:az52]", ")"),
    ("(;SZ[52]", ";B[ZZ];AE[ZZ]", ")"),
    ("(;SZ[19](", ";B[aa];W[bb]", "))"),
    ("(;SZ[19](;", "B[aa];W[bb];", "))"),
    ("(;SZ[52]", "(;B[aa]", ""),
    ("(;SZ[52]", "(;B[aa];AE[aa])", ")"),
    ("(;GM[11]SZ[19]", ";B[a1];W[b2]", ")"),
    ("(;GM[11]SZ[19];B[a1]", ";W[swap-pieces]", ")"),
    ("(;GM[6]", ";B[52lcab];W[31ab]", ")"),
    ("(;SZ[19]", ";B[aa]W[bb]", ")"),
    ("(;SZ[19];", "B[aa]C[x]", ")"),
    ("(;SZ[19];", "B[aa]CC[x]BL[1]", ")"),
    ("(;GM[11]SZ[52]", "(;B[a1](;W[swap-pieces]))", ")"),
    ("", "(;SZ[52]AB[aa:ZZ])", ""),
    // Marks and figures: all of a node, inherited ones, an analysis that is compressed.
    ("(;SZ[19];LB", "[aa:x]", ")"),
    ("(;SZ[19];", "TR[]", ")"),
    ("(;SZ[52];VW", "[aa:ZZ]", ")"),
    ("(;SZ[52]", "(;DD[aa:ZZ]VW[]", ""),
    ("(;SZ[19]", ";FG[257:x]VW[aa:cc]PM[1]", ")"),
    ("(;SZ[19]", ";B[aa]KT[][][H4sIAAAAAAACA6tWKsrPL1GyUhgFo2AUjIJRQFcAAGX8vYqABQAA]", ")"),
    // Charsets: shifts that are never taken back, characters with brackets in them, NULs, another one in each game.
    ("(;CA[ISO-2022-JP]C[", "\x1B$B]\x1B(B", "])"),
    ("(;CA[ISO-2022-JP]PB[\x1B$B!!\x1B(B]", ";B[aa]C[\u{E9}]", ")"),
    ("(;CA[GBK]C[", "\u{E9}\u{81}", "])"),
    ("(;C[", "\0a", "])"),
    ("", "(;CA[Big5]C[\u{E9}])(;CA[Shift_JIS]C[\u{E9}])", ""),
    // Game info: in each game, in each variation, in one value.
    ("", "(;PB[a]PW[b]DT[2000-01-01,02,04]RE[B+0.5]EV[c];B[dd])", ""),
    ("(;FF[4]", "(;PB[a]DT[2000];B[dd])", ")"),
    ("(;FF[4]AP[", "a:", "])"),
];

/// A head, the nth section, and a tail.
type Varied = (&'static str, fn(usize) -> String, &'static str);

/// Returns inputs with names and points that differ.
fn varied() -> Vec<Varied> {
    fn name(mut n: usize) -> String {
        let mut name = String::new();
        for _ in 0..4 {
            name.push(char::from(b'A' + (n % 26) as u8));
            n /= 26;
        }
        name
    }
    fn point(n: usize) -> String {
        [n % 19, n / 19 % 19].map(|at| char::from(b'a' + at as u8)).iter().collect()
    }
    fn rect(n: usize) -> String {
        let n = n * 10_007; // sizes come in no order, so that twice the length has twice the points
        let (left, top) = (n % 18, n / 18 % 18);
        let (right, bottom) = (left + 1 + n / 324 % (18 - left), top + 1 + n / 777 % (18 - top));
        [left, top].map(|at| char::from(b'a' + at as u8)).iter().collect::<String>()
            + ":"
            + &[right, bottom].map(|at| char::from(b'a' + at as u8)).iter().collect::<String>()
    }
    vec![
        ("(;FF[4]", |n| name(n) + "[x]", ")"),
        ("(;FF[4];", |n| name(n) + "a[x]\n", ")"),
        ("(;FF[4];", |n| name(n / 2) + "[x]", ")"),
        ("(;FF[4];AB", |n| format!("[{}]", point(n)), ")"),
        ("(;FF[4];TR", |n| format!("[{}]", rect(n)), ")"),
        ("(;FF[4];AB", |n| format!("[{}]", rect(n)), ")"),
        ("(;FF[4];LN", |n| format!("[{}]", rect(n)), ")"),
        ("(;FF[4];LB", |n| format!("[{}:{n}]", point(n)), ")"),
        ("(;FF[3]", |n| format!("M[{}]MA[{}]", rect(2 * n), rect(2 * n + 1)), ")"),
        ("(;FF[4]", |n| format!(";C[{n}]\n"), ")"),
    ]
}

/// Returns each input at a length in bytes, with its name.
pub(crate) fn inputs(len: usize) -> Vec<(String, Vec<u8>)> {
    let repeated = REPEATED.iter().map(|(head, part, tail)| {
        (format!("{head}{part}{tail}"), [head, &*part.repeat(len / part.len()), tail].concat())
    });
    let varied = varied().into_iter().map(|(head, part, tail)| {
        let mut text = head.to_owned();
        for n in 0.. {
            if text.len() >= len {
                break;
            }
            text.push_str(&part(n));
        }
        text.push_str(tail);
        (format!("{head}{}…", part(0)), text)
    });
    repeated.chain(varied).map(|(name, text)| (name, text.into_bytes())).collect()
}

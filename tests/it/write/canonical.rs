//! Canonical style: FF[4], its conversions, its lines and its limit.

use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Event, Ident, Parser, PartEnd, RawValue, ValuePart};

use super::{canonical, shown};
use crate::support::EachEvent;

/// Canonical style writes each input as the output beside it, and writes that unchanged.
#[track_caller]
fn are_canonical<B: AsRef<[u8]>>(cases: &[(B, B)]) {
    for (input, output) in cases {
        let (input, output) = (input.as_ref(), output.as_ref());
        assert_eq!(shown(&canonical(input)), shown(output), "{}", shown(input));
        assert_eq!(shown(&canonical(output)), shown(output), "again: {}", shown(input));
    }
}

#[test]
fn canonical_style_writes_ff4() {
    are_canonical(&[
        ("(;)", "(;FF[4])\n"),
        ("(;;B[aa](;)(;;W[bb]))", "(;FF[4]\n;B[aa](;)(;;W[bb]))\n"),
        // The order of the root, and of nothing else.
        (
            "(;C[c]KM[6.5]QQ[x]PB[b]SZ[9]CA[UTF-8]FF[3]GM[1];C[c]B[aa])",
            "(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[b]KM[6.5]C[c]QQ[x]\n;C[c]B[aa])\n",
        ),
        // The letters and digits of a point are those of a game.
        ("(;GM[1]SZ[11];B[g5])", "(;FF[4]GM[1]SZ[11]\n;B[gg])\n"),
        ("(;SZ[11];B[g5];W[swap-sides])", "(;FF[4]SZ[11]\n;B[g5];W[swap-sides])\n"),
        // Identifiers by name, once, but for moves, whose order has a meaning.
        ("(;White[aa]Black[bb]W[cc])", "(;FF[4]W[aa]B[bb]W[cc])\n"),
        ("(;;B[aa]C[x]White[bb]W[cc]B[dd]MN[1]B[ee]W[ff])", "(;FF[4]\n;B[aa]C[x]W[bb][cc]B[dd][ee]W[ff]MN[1])\n"),
        ("(;;B[aa]C[x]B[bb]W[cc])", "(;FF[4]\n;B[aa][bb]C[x]W[cc])\n"),
        ("(;;W[aa]B[bb]W[aa])", "(;FF[4]\n;W[aa]B[bb]W[aa])\n"),
        ("(;TR[aa]AB[bb]TR[cc])", "(;FF[4]TR[aa][cc]AB[bb])\n"),
        ("(;C[a]C[]C[b\\]])", "(;FF[4]C[a\n\n\n\nb\\]])\n"),
        // Types.
        (
            "(;FF[4]SZ[19:19]KM[ 6,5 ]HA[02]TM[1h]PL[black]KO[1]DM[])",
            "(;FF[4]SZ[19]KM[6.5]HA[2]TM[3600]PL[B]KO[]DM[1])\n",
        ),
        ("(;SZ[19];B[tt];W[ d d ];AB[ee:cc][ aa])", "(;FF[4]SZ[19]\n;B[];W[dd];AB[cc:ee][aa])\n"),
        ("(;SZ[21];B[tt];W[zz])", "(;FF[4]SZ[21]\n;B[tt];W[zz])\n"),
        ("(;GM[11]SZ[11];B[A3];W[swap])", "(;FF[4]GM[11]SZ[11]\n;B[a3];W[swap-pieces])\n"),
        ("(;RE[black resigned.]BR[9 dan]AP[foo]RU[japanese])", "(;FF[4]AP[foo:]BR[9d]RE[W+Resign]RU[Japanese])\n"),
        ("(;LB[aa:a:b][bb:\\a])", "(;FF[4]LB[aa:a\\:b][bb:a])\n"),
        ("(;B[nonsense]KM[six])", "(;FF[4]KM[six]B[nonsense])\n"),
        // Nothing is lost.
        ("(;DT[2000/9/8])", "(;FF[4]DT[2000-09-08])\n"),
        ("(;DT[2005\u{5E74}3\u{6708}12\u{65E5}])", "(;FF[4]DT[2005-03-12])\n"),
        ("(;DT[20070314])", "(;FF[4]DT[2007-03-14])\n"),
        ("(;DT[1932.10.19-20])", "(;FF[4]DT[1932-10-19,20])\n"),
        ("(;DT[1932.10.19-21])", "(;FF[4]DT[1932.10.19-21])\n"),
        ("(;DT[ca. 1665])", "(;FF[4]DT[ca. 1665])\n"),
        ("(;DT[1660s])", "(;FF[4]DT[1660s])\n"),
        ("(;DT[昭和52年3月14日])", "(;FF[4]DT[昭和52年3月14日])\n"),
        ("(;RE[共185手 黑中盘胜])", "(;FF[4]RE[共185手 黑中盘胜])\n"),
        ("(;RE[和棋]KM[5 1/2])", "(;FF[4]RE[Draw]KM[5.5])\n"),
        ("(;RE[B+5 3/4]SZ[19x19])", "(;FF[4]SZ[19]RE[B+5.75])\n"),
        ("(;DT[2000-09-08 17:29])", "(;FF[4]DT[2000-09-08 17:29])\n"),
        ("(;DT[Saturday 2000-09-08])", "(;FF[4]DT[Saturday 2000-09-08])\n"),
        ("(;RE[B+Offline]BR[9p, Honinbo])", "(;FF[4]BR[9p, Honinbo]RE[B+Offline])\n"),
        ("(;DT[Summer 1857])", "(;FF[4]DT[Summer 1857])\n"),
        // What a value tells another property.
        ("(;TM[1:00:00 (5x30)])", "(;FF[4]TM[3600]OT[5x30])\n"),
        ("(;TM[10분40초3회]OT[fast])", "(;FF[4]TM[10분40초3회]OT[fast])\n"),
        (
            "(;C[x]HA[호선 - 6집 반 공제];HA[호선 - 6집 반 공제]C[y])",
            "(;FF[4]KM[6.5]HA[0]C[x]\n;HA[호선 - 6집 반 공제]C[y])\n",
        ),
        ("(;KM[0];HA[호선 - 6집 반 공제]KM[])", "(;FF[4]KM[0]\n;HA[호선 - 6집 반 공제]KM[])\n"),
        ("(;OT[x];TM[10분40초3회])", "(;FF[4]OT[x]\n;TM[10분40초3회])\n"),
        ("(;RU[Japanese];KM[375])", "(;FF[4]RU[Japanese]\n;KM[375])\n"),
        ("(;HA[호선 - 6집 반 공제]KM[])", "(;FF[4]KM[6.5]HA[0])\n"),
        ("(;HA[호선 - 6집 반 공제]KM[6.5][6.50])", "(;FF[4]KM[6.5]HA[0])\n"),
        ("(;HA[호선 - 6집 반 공제]KM[0])", "(;FF[4]KM[0]HA[호선 - 6집 반 공제])\n"),
        ("(;GK[1]HD[호선 - 6집 반 공제]KM[650])", "(;FF[4]GM[1]KM[6.5]HA[0])\n"),
        ("(;KM[375][375];KM[750]RU[Japanese])", "(;FF[4]KM[7.5]\n;KM[750]RU[Japanese])\n"),
        ("(;KM[375]RU[Japanese];KM[450])", "(;FF[4]RU[Japanese]KM[375]\n;KM[450])\n"),
        (
            "(;RE[207\u{C218} \u{D751}\u{BD88}\u{ACC4}\u{C2B9}])",
            "(;FF[4]RE[207\u{C218} \u{D751}\u{BD88}\u{ACC4}\u{C2B9}])\n",
        ),
        // Texts.
        ("(;C[\\a\\:\\\\\\]\\\nb\r\nc\td]N[a\nb])", "(;FF[4]C[a:\\\\\\]b\nc d]N[a b])\n"),
        ("(;QQ[\\a\\:\\\nb\r\nc])", "(;FF[4]QQ[\\a\\:\\\nb\r\nc])\n"),
        // Older versions and dialects.
        ("(;FF[3]L[aa][bb]LB[cc:x]VW[aa][cc])", "(;FF[4]LB[cc:x][aa:A][bb:B]VW[aa:cc])\n"),
        ("(;M[aa]MA[bb]M[cc])", "(;FF[4]MA[bb][aa][cc])\n"),
        ("(;M[aa][bb]MA[bb])", "(;FF[4]MA[bb][aa])\n"),
        // A single value is not given another: what says the same is one, and what does not stays.
        ("(;KI[11]KM[6])", "(;FF[4]KM[6]KI[11])\n"),
        ("(;KI[11]KM[5.50])", "(;FF[4]KM[5.5])\n"),
        ("(;PTM[5]C[x]TL[1m])", "(;FF[4]TM[5]C[x]TL[1m])\n"),
        ("(;KO[x]KM[6,5])", "(;FF[4]KM[6.5]KO[x])\n"),
        ("(;GK[1]KO[1]KM[6.5])", "(;FF[4]GM[1]KM[6.5][1])\n"), // or it would be the KO of FF[4]
        ("(;SZ[19]SZ[9]SZ[19:19])", "(;FF[4]SZ[19][9])\n"),
        ("(;DM[1]DM[ 1]PB[a\nb]PB[a b];B[aa][aa][bb])", "(;FF[4]PB[a b]DM[1]\n;B[aa][bb])\n"),
        ("(;OM[25]OP[600]OB[3])", "(;FF[4]OT[25/600 Canadian]OB[3])\n"),
        ("(;OM[0]OP[0])", "(;FF[4]OM[0]OP[0])\n"),
        ("(;OP[600]OT[x]OM[25])", "(;FF[4]OT[x]OP[600]OM[25])\n"),
        ("(;CH[1]ID[x])", "(;FF[4]CH[1]ID[x])\n"),
        ("(;GK[1]TE[event]KO[0]RD[2020-01-02]EV[mine])", "(;FF[4]GM[1]EV[mine]DT[2020-01-02]KM[0]TE[event])\n"),
        ("(;GM[1]FF[4]GK[1]RD[2007-05-01]KO[])", "(;FF[4]GM[1]DT[2007-05-01]GK[1]KO[])\n"),
        ("(;FF[4]RD[20061206])", "(;FF[4]DT[2006-12-06])\n"),
        ("(;FF[4]RD[2006-12-06]DT[20061206])", "(;FF[4]DT[2006-12-06])\n"),
        ("(;FF[4]RD[2006-12-06]DT[2006-12-07])", "(;FF[4]DT[2006-12-07]RD[2006-12-06])\n"),
        ("(;FF[4]RD[06-11-28])", "(;FF[4]RD[06-11-28])\n"),
        ("(;GK[7]GM[1];B[tt])", "(;FF[4]GM[1]GK[7]\n;B[])\n"),
        ("(;GM[Go]GK[11]SZ[5];B[A1])", "(;FF[4]GM[Go]SZ[5]GK[11]\n;B[a1])\n"),
    ]);
}

/// Beside the board a rectangle keeps its spelling, and is the same in another one.
#[test]
fn what_an_older_property_repeats_is_written_once() {
    are_canonical(&[
        ("(;FF[3]SZ[2];MA[bb:cc]M[cc:bb])", "(;FF[4]SZ[2]\n;MA[bb:cc])\n"),
        ("(;FF[3]SZ[2];M[cc:bb]MA[x:][bb:cc])", "(;FF[4]SZ[2]\n;MA[x:][bb:cc])\n"),
        ("(;FF[3]SZ[2];MA[bb:cc]M[cc:bb][aa])", "(;FF[4]SZ[2]\n;MA[bb:cc][aa])\n"),
        ("(;FF[3];MA[bb:cc]M[cc:bb])", "(;FF[4]\n;MA[bb:cc])\n"),
    ]);
}

#[test]
fn canonical_texts_stay_in_their_charset() {
    are_canonical::<&[u8]>(&[
        // What is escaped, is escaped for the charset; CA comes first.
        (b"(;PB[\x83\\\\]CA[Shift_JIS]PW[\x83\\])", b"(;FF[4]CA[Shift_JIS]PB[\x83\\\\\\]PW[\x83\\])\n"),
        (b"(;PB[\x83\\]]CA[Shift_JIS])", b"(;FF[4]CA[Shift_JIS]PB[\x83\\\\]])\n"),
        (b"(;CA[GBK]C[\x83]\\a\x83\\\\]b\r\nc])", b"(;FF[4]CA[GBK]C[\x83]a\x83\\\\]b\nc])\n"),
        (b"(;CA[GBK]LB[aa:\x83]\\a])", b"(;FF[4]CA[GBK]LB[aa:\x83]\\a])\n"),
        (b"(;CA[GBK]BR[9\xB6\xCE])", b"(;FF[4]CA[GBK]BR[9\xB6\xCE])\n"),
        (b"(;CA[GBK]BR[9\xE6\xAE\xB5])", b"(;FF[4]CA[GBK]BR[9d])\n"),
        (b"(;CA[ISO-8859-1]PB[\xE9\\a])", b"(;FF[4]CA[ISO-8859-1]PB[\xE9a])\n"),
        (b"(;PB[\xE9\\a])", b"(;FF[4]PB[\xE9a])\n"),
        // What is shifted is left alone.
        (b"(;CA[ISO-2022-JP]PB[\x1B$B\\a\x1B(B])", b"(;FF[4]CA[ISO-2022-JP]PB[\x1B$B\\a\x1B(B])\n"),
        // Two that are in different charsets are not joined.
        (b"(;CA[GBK]C[\x81;]C[\xe5\xad\x97])", b"(;FF[4]CA[GBK]C[\x81;][\xe5\xad\x97])\n"),
        (b"(;CA[GBK]C[\x81;]C[a])", b"(;FF[4]CA[GBK]C[\x81;\n\na])\n"),
        // An escape that goes would make UTF-8 of what was not.
        (b"(;CA[GBK]C[\xE6\xA3\\\x8B]a])", b"(;FF[4]CA[GBK]C[\xE6\xA3\\\x8B]a])\n"),
    ]);
}

/// What is converted is what an escape hides too, be it inside a character: otherwise a second run would find
/// something to do.
#[test]
fn canonical_style_converts_what_escapes_hide() {
    are_canonical::<&[u8]>(&[
        (b"(;DT[27.12.\\1996])", b"(;FF[4]DT[1996-12-27])\n"),
        (b"(;DT[1996-\\\n12-27])", b"(;FF[4]DT[1996-12-27])\n"),
        (b"(;DT[2005\xE5\\\xB9\xB43\xE6\x9C\\\x8812\xE6\x97\xA5])", b"(;FF[4]DT[2005-03-12])\n"),
        (b"(;RE[\xED\\\x9D\x91\xEB\xB6\x88\\\xEA\xB3\x84\xEC\x8A\xB9])", b"(;FF[4]RE[B+Resign])\n"),
        (b"(;RE[b\\+r])", b"(;FF[4]RE[B+Resign])\n"),
        (b"(;BR[9\xEB\x8B\\\xA8]RU[\\japanese])", b"(;FF[4]BR[9d]RU[Japanese])\n"),
        (b"(;C[caf\xC3\\\xA9]N[caf\xC3\\\n\xA9])", b"(;FF[4]C[caf\xC3\xA9]N[caf\xC3\xA9])\n"),
        (b"(;LB[aa:caf\xC3\\\xA9])", b"(;FF[4]LB[aa:caf\xC3\xA9])\n"),
        (b"(;AP[caf\xC3\\\xA9])", b"(;FF[4]AP[caf\xC3\xA9:])\n"),
        // A second program is not a composed value, and its meaning is unknown.
        (b"(;AP[a:1]C[x]AP[b])", b"(;FF[4]AP[a:1][b]C[x])\n"),
        (b"(;AP[a]AP[b][a:]AP[b:])", b"(;FF[4]AP[a:][b])\n"),
        (b"(;QQ[caf\xC3\\\xA9])", b"(;FF[4]QQ[caf\xC3\\\xA9])\n"),
        // Where no text is wanted there are no escapes.
        (b"(;KM[6\\.5]SZ[1\\9])", b"(;FF[4]SZ[1\\9]KM[6\\.5])\n"),
    ]);
}

#[test]
fn canonical_lines_end_between_nodes_properties_and_values() {
    let lines = |input: &str, width: usize| {
        let mut writer = Writer::canonical(Vec::new()).line_width(width);
        Parser::new().each_event(input.as_bytes(), |event, _| writer.write(event).unwrap()).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    };
    for (input, width, output) in [
        ("(;;B[aa];W[bb];B[cc];W[dd])", 12, "(;FF[4]\n;B[aa];W[bb]\n;B[cc];W[dd])\n"),
        ("(;;B[aa];W[bb];B[cc];W[dd])", 11, "(;FF[4]\n;B[aa]\n;W[bb]\n;B[cc]\n;W[dd])\n"),
        ("(;;B[aa];W[bb];B[cc];W[dd])", usize::MAX, "(;FF[4];B[aa];W[bb];B[cc];W[dd])\n"),
        ("(;;B[aa];W[bb])", 0, "(;FF[4]\n;B[aa]\n;W[bb])\n"),
        // A node stays on one line where it can.
        ("(;;B[aa];W[bb]C[cc])", 15, "(;FF[4]\n;B[aa]\n;W[bb]C[cc])\n"),
        ("(;;B[aa];W[bb]C[cccccccc])", 15, "(;FF[4]\n;B[aa];W[bb]\nC[cccccccc])\n"),
        ("(;AB[aa][bb][cc][dd])", 12, "(;FF[4]\nAB[aa][bb]\n[cc][dd])\n"),
        ("(;(;B[aa];W[bb](;B[cc])(;B[dd]C[d])))", 14, "(;FF[4](;B[aa]\n;W[bb](;B[cc])(\n;B[dd]C[d])))\n"),
        // Never before a parenthesis, nor in a value.
        ("(;(;B[aa](;W[bb])(;W[cc])))", 4, "(;FF[4](\n;B[aa](\n;W[bb])(\n;W[cc])))\n"),
        ("(;;C[a b c d e f g]N[h])", 9, "(;FF[4]\n;C[a b c d e f g]\nN[h])\n"),
        ("(;C[12\n1234]N[h])", 12, "(;FF[4]C[12\n1234]N[h])\n"),
    ] {
        assert_eq!(lines(input, width), output, "{input}");
    }
}

#[test]
fn canonical_style_refuses_digits_in_identifiers() {
    let mut writer = Writer::canonical(Vec::new());
    writer.start_tree().unwrap().node().unwrap();
    let error = writer.property("P0").unwrap_err();
    assert_eq!(error.to_string(), "expected an identifier of upper-case letters, found \"P0\"");
    writer.property("P").unwrap().value("x").unwrap().end_tree().unwrap();
    assert_eq!(writer.finish().unwrap(), b"(;FF[4]P[x])\n");
}

/// A limit is met exactly: N passes, N + 1 is refused, and so is all that follows.
#[test]
fn canonical_style_holds_no_node_beyond_the_limit() {
    let part = |bytes, end| Event::ValuePart(ValuePart { bytes, end });
    let value = |bytes| Event::Value(RawValue::new(bytes));
    let ident = |bytes| Event::Property(Ident::new(bytes));
    let cases: [(&[Event<'_>], usize, &str); 5] = [
        (&[ident(b"C"), value(b"abc")], 1 + 3 + 2 * 32, "C"),
        (&[ident(b"Cc"), value(b"abc")], 2 + 3 + 2 * 32, "C"),
        (&[ident(b"TR"), value(b"aa"), value(b"bb")], 2 + 4 + 3 * 32, "TR"),
        (&[ident(b"C"), value(b""), ident(b"N"), value(b"n")], 3 + 4 * 32, "N"),
        (&[ident(b"C"), part(b"ab", PartEnd::More), part(b"cd", PartEnd::Complete)], 5 + 3 * 32, "C"),
    ];
    for (events, len, name) in cases {
        let mut fits = Writer::canonical(Vec::new()).max_node_len(len);
        fits.start_tree().unwrap().node().unwrap();
        events.iter().for_each(|&event| fits.write(event).unwrap());
        // The limit is one of a node.
        fits.node().unwrap();
        events.iter().for_each(|&event| fits.write(event).unwrap());
        fits.end_tree().unwrap();
        assert!(fits.finish().is_ok());

        let mut writer = Writer::canonical(Vec::new()).max_node_len(len - 1);
        writer.start_tree().unwrap().node().unwrap();
        let (last, before) = events.split_last().unwrap();
        before.iter().for_each(|&event| writer.write(event).unwrap());
        let is_refused = |result: Result<(), WriteError>| {
            let limit = len - 1;
            matches!(result, Err(WriteError::NodeTooLong { limit: l, property }) if l == limit && property == name)
        };
        assert!(is_refused(writer.write(*last)) && is_refused(writer.write(*last)));
        assert!(is_refused(writer.node().map(|_| ())) && is_refused(writer.end_tree().map(|_| ())));
        writer.flush().unwrap();
        assert_eq!(shown(writer.get_ref()), "");
        assert!(is_refused(writer.finish().map(|_| ())));
        // Exact style holds none.
        let mut exact = Writer::new(Vec::new()).max_node_len(0);
        exact.start_tree().unwrap().node().unwrap();
        events.iter().for_each(|&event| exact.write(event).unwrap());
    }
}

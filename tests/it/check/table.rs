//! Each rule: inputs in which it finds something, with the places, and inputs in which it does not.

use std::collections::BTreeSet;

use sgf_check as check;
use sgf_check::{Rule, Rules};
use sgf_stream::Severity;

use super::{TakeDiagnostic, found, messages, only};

/// A rule, inputs with the offsets that it finds, inputs without.
type Row = (&'static str, &'static [(&'static str, &'static [u64])], &'static [&'static str]);

const TABLE: &[Row] = &[
    (
        "root-property-outside-root",
        &[
            ("(;;FF[4])", &[3]),
            ("(;FF[4](;B[aa]GM[1]SZ[9])(;W[aa]CA[x]))", &[14, 19, 32]),
            ("(;;AP[a:1]ST[2])", &[3, 10]),
            ("(;GM[11];IS[tried:on])", &[9]),
        ],
        &["(;FF[4]GM[1]SZ[9]CA[x]AP[a:1]ST[2])(;FF[4])", "(;;WV[1])", "(;;IS[tried:on])"],
    ),
    (
        "setup-and-move",
        &[
            ("(;;B[aa]AW[bb])", &[8]),
            ("(;;PL[B]B[aa]AB[bb]W[cc])", &[8]),
            ("(;;AE[aa]MN[3])", &[9]),
            ("(;B[aa]AB[bb])", &[7]),
            ("(;GM[6];CO[b]B[31hefe])", &[13]),
            ("(;GM[18];AA[aa]B[djddgd])", &[15]),
        ],
        &["(;AB[aa];B[bb])", "(;;B[aa]C[x]MA[bb]TB[cc])", "(;FF[3];B[aa]AB[bb])", "(;;AB[aa]C[x]DD[aa])"],
    ),
    (
        "second-game-info",
        &[("(;PB[a];DT[1999])", &[8]), ("(;(;PB[a](;PW[b])(;C[x];RE[0]KM[1])))", &[11, 24])],
        &["(;PB[a]PW[b]DT[1999])", "(;(;PB[a])(;PB[b];C[x]))(;PB[c])", "(;PB[a];BC[Japan])"],
    ),
    (
        "two-moves",
        &[("(;B[aa]W[bb])", &[7]), ("(;;W[aa]B[bb]W[cc])", &[8])],
        &["(;B[aa];W[bb])", "(;B[aa]WL[1]BL[2])", "(;;B[aa]B[bb])"],
    ),
    ("ko-without-move", &[("(;FF[4];KO[]C[x])", &[8])], &["(;FF[4];KO[]B[aa])", "(;KO[6.5]GK[1])"]),
    (
        "annotation-without-move",
        &[("(;TE[2])", &[2]), ("(;;BM[1]C[x])", &[3]), ("(;;DO[]IT[])", &[3, 7])],
        &["(;;TE[1]B[aa])", "(;;W[]DO[])", "(;;GB[1])", "(;GK[1]TE[first])"],
    ),
    (
        "annotation-conflict",
        &[("(;B[cc]TE[1]BM[1];W[dd]BM[1]TE[1])", &[12, 28]), ("(;;B[aa]DO[]IT[]TE[1])", &[12, 16])],
        &["(;B[aa]TE[1]GB[1];W[bb]BM[1]HO[1])", "(;;B[aa]TE[1]TE[2])"],
    ),
    (
        "evaluation-conflict",
        &[("(;FF[4];GB[2]GW[1])", &[13]), ("(;;DM[1]UC[1]V[3]GW[1])", &[8, 17])],
        &["(;;GB[1]HO[1]V[2];GW[2])", "(;;GB[1]B[aa]TE[1])"],
    ),
    (
        "duplicate-property",
        &[
            ("(;C[a]C[b])", &[6]),
            ("(;FF[4]LB[aa:1]C[x]LB[bb:2]C[y];W[aa]W[bb])", &[19, 27, 37]),
            ("(;AddBlack[aa]AB[bb])", &[14]),
            ("(;XX[a]XX[b]XX[c])", &[7, 12]),
            ("(;ABCDEFGHIJKL[a]ABCDEFGHIJKL[b]ABCDEFGHIJKM[c])", &[17]),
        ],
        &["(;C[a];C[b](;C[c]))", "(;B[aa]W[bb])", "(;AB[aa][bb])"],
    ),
    (
        "second-application",
        &[
            ("(;AP[GNU Go:3.8]KM[0]AP[foxwq])", &[21]),
            ("(;FF[4]AP[a:1][b:2])", &[14]),
            ("(;FF[4]AP[a:1]AP[a:1])", &[14]),
        ],
        &["(;AP[a:1])(;AP[b:1])", "(;SZ[19]SZ[13])"],
    ),
    (
        "unknown-property",
        &[("(;KX[a];KX[b]QQ[c])(;KX[a])", &[2, 13, 21]), ("(;HANDICAPPED[2])", &[2])],
        &["(;KK[a]WV[1]BC[x]LT[3]L[aa])", "(;Black[aa])"],
    ),
    (
        "property-of-another-game",
        &[("(;GM[11]KM[6.5];TB[aa];TB[bb])", &[8, 16]), ("(;CV[2])", &[2])],
        &["(;KM[6.5]TB[aa])", "(;GM[6]CV[2])", "(;XX[1])"],
    ),
    (
        "property-not-in-version",
        &[("(;FF[4];L[aa][bb];CH[1];CH[1])", &[8, 18]), ("(;FF[3]AP[a:1];SQ[aa])", &[7, 15])],
        &["(;L[aa])", "(;FF[1]L[aa]CH[1])", "(;FF[4]WV[1])", "(;FF[1])", "(;FF[5]L[aa])"],
    ),
    (
        "superseded-property",
        &[("(;KI[11])(;KM[3.5]KI[7])", &[2, 18]), ("(;PDT[1999])", &[2])],
        &["(;KM[5.5])", "(;WV[1])"],
    ),
    (
        "private-clash",
        &[
            ("(;GK[1]TE[first Kisei]KO[6.5])", &[7, 22]),
            ("(;CO[3]DI[7k])", &[2, 7]),
            ("(;FF[4];B[aa]TE[the event])", &[15]),
        ],
        &["(;GM[6]CO[b]DI[31])", "(;;B[aa]KO[]TE[1])", "(;FF[4];B[aa]BM[x])"],
    ),
    (
        "not-in-version",
        &[("(;FF[3]SZ[13:9];AB[aa:ee])", &[9, 18]), ("(;SZ[9:8]FF[1])", &[4])],
        &["(;SZ[13:9]AB[aa:bb])", "(;FF[4]SZ[13:9]AB[aa:bb])", "(;FF[3]AB[aa][bb]C[a:b])"],
    ),
    (
        "pass-not-in-version",
        &[("(;GM[1]FF[3];B[])", &[14]), ("(;FF[1];W[aa];W[])", &[15])],
        &["(;B[];W[])", "(;FF[4];B[])", "(;FF[3];B[tt])"],
    ),
    ("view-corners", &[("(;FF[3]VW[aj][ak][al][am])", &[7])], &["(;FF[3]VW[aa][cc])", "(;FF[4]VW[aj][ak][al])"]),
    (
        "bad-value",
        &[
            ("(;B[111];PL[r])", &[3, 11]),
            ("(;;B[90])", &[4]),
            ("(;GM[11];B[swap])", &[]),
            ("(;GM[11];B[3a])", &[10]),
            ("(;GM[6];B[7])", &[9]),
            ("(;GM[9];B[z99z])", &[9]),
            ("(;GM[19];B[99x]AS[33])", &[10]),
            ("(;;AB[a?][aa]MN[third])", &[5, 15]),
            ("(;;GB[3])", &[5]),
            ("(;;AR[aa:b?])", &[5]),
        ],
        &[
            "(;B[aa];W[])",
            "(;GM[12];B[weird move])",
            "(;GM[3];B[e2e4])",
            "(;KX[anything])",
            "(;SBKV[anything]LT[x]LT[y]TT[])",
            "(;GM[11];B[a3];W[swap-pieces];B[resign])",
            "(;GM[6];B[31hefe])",
            "(;GM[9];B[C2:C5++])",
            "(;GM[18];B[djddgd])",
            "(;GM[20];B[dd:dg])",
            "(;GM[19];B[33+B!])",
            "(;C[\u{e9}])",
        ],
    ),
    (
        "sloppy-value",
        &[
            ("(;FF[4];B[a a];DM[])", &[9, 17]),
            ("(;;LB[a a : text])", &[5]),
            ("(;KM[6.]TM[1h])", &[4, 10]),
            ("(;AB[cc:aa][ee:ee])", &[4, 11]),
            ("(;SZ[19x19])", &[4]),
            ("(;HA[호선 - 6집 반 공제]KM[6집 반])", &[4, 32]),
            ("(;;B[pass]KO[1])", &[4, 12]),
            ("(;FF[ 4 ])", &[4]),
            ("(;RE[b+r]DT[1999/1/2])", &[4, 11]),
            ("(;TM[10분40초3회]RE[W+J]DT[1832-40])", &[4, 22, 29]),
            ("(;PL[black])", &[4]),
        ],
        &["(;FF[4]KM[6.5]AB[aa:cc][dd];B[tt])", "(;SZ[9:9])", "(;SZ[1000])", "(;C[ a ]PB[ x ])", "(;KM[x])"],
    ),
    ("missing-program-version", &[("(;AP[GoGui])", &[4])], &["(;AP[GoGui:1.4])", "(;AP[])"]),
    (
        "bad-root-value",
        &[("(;FF[four]GM[Go]SZ[-12])", &[4, 12, 18]), ("(;FF[0])", &[4]), ("(;ST[x]SZ[19-19])", &[4, 9])],
        &["(;FF[4]GM[1]SZ[19]ST[0])", "(;KM[x])", "(;FF[5])"],
    ),
    (
        "bad-game-info",
        &[("(;RE[Someone wins])", &[4]), ("(;KM[A]DT[a sunny afternoon]TM[x])", &[4, 9, 30]), ("(;HA[two])", &[4])],
        &["(;RE[B+3.5]DT[1999-01-02]KM[6.5]TM[60]HA[2]RU[x]RO[x]BR[x]PB[x])", "(;RE[W+]DT[])", "(;RE[?])"],
    ),
    (
        "missing-colon",
        &[("(;FF[4];LB[aa][bb][cc])", &[10, 14, 18]), ("(;;AR[aa]LN[bb])", &[5, 11]), ("(;GM[6]MI[x])", &[9])],
        &["(;;LB[aa:A][bb:]AR[aa:bb])", "(;AP[x])", "(;GM[6]MI[length:3])"],
    ),
    (
        "empty-value",
        &[
            ("(;PL[]AB[])", &[4, 8]),
            ("(;VW[][aa])", &[4]),
            ("(;KM[]SZ[]FF[ ])", &[4, 8, 12]),
            ("(;;LB[][aa:A])", &[5]),
            ("(;DD[][])", &[6]),
            ("(;DD[aa][][bb][])", &[8, 14]),
        ],
        &["(;B[];W[]KO[])", "(;;DD[]VW[]TB[])", "(;C[]PB[]DT[])", "(;GB[])", "(;KX[])", "(;FG[])", "(;C[ ])"],
    ),
    (
        "number-out-of-range",
        &[
            ("(;ST[4]PM[3]HA[-1])", &[4, 9, 14]),
            ("(;GM[6]CV[0]DI[71])", &[9, 14]),
            ("(;KM[750])(;KM[375])(;KM[450])", &[4, 14, 24]),
        ],
        &["(;ST[3]PM[2]HA[9])", "(;KM[-60.5])(;KM[50])", "(;GM[6]CV[64]DI[31])", "(;DI[7k])"],
    ),
    ("handicap-below-two", &[("(;HA[0])(;HA[1])", &[4, 12])], &["(;HA[2])"]),
    (
        "unknown-word",
        &[
            ("(;GM[6]CO[x])", &[9]),
            ("(;GM[9]AS[black]IP[Start]IY[1]SU[Mine])", &[9, 18, 27, 32]),
            ("(;GM[11]IS[tried:yes][x:on])", &[10, 21]),
        ],
        &[
            "(;GM[6]CO[c])",
            "(;GM[9]AS[Black]IP[End]IY[true]SU[Gemma])",
            "(;GM[11]IS[tried:on][lock:off])",
            "(;GM[21]SU[x])",
        ],
    ),
    (
        "square-size",
        &[("(;FF[4]SZ[13:13])", &[9]), ("(;GM[11]SZ[ 9: 9])", &[10])],
        &["(;SZ[13])", "(;SZ[13:9])", "(;SZ[x:x])"],
    ),
    (
        "board-too-big",
        &[("(;FF[4]SZ[1000]) (;FF[4]SZ[10:53])", &[9, 26])],
        &["(;SZ[52])", "(;SZ[52:1])", "(;GM[11]SZ[60])"],
    ),
    ("unknown-version", &[("(;FF[5])(;FF[77])", &[4, 12])], &["(;FF[1])(;FF[04])", "(;FF[x])", "(;)"]),
    ("unknown-game", &[("(;GM[0])(;GM[99])", &[4, 12])], &["(;GM[1])(;GM[40])", "(;GM[Go])"]),
    (
        "point-off-board",
        &[
            ("(;SZ[9];B[jj];W[tt];AB[aa:jj]MA[ja]LB[zz:x]AR[aa:zz])", &[9, 22, 31, 37, 45]),
            ("(;;B[tu])", &[4]),
            ("(;GM[11]SZ[5];B[f1];W[a6])", &[15, 21]),
            ("(;GM[20]SZ[9];B[dd:zz])", &[15]),
            ("(;GM[18]SZ[9];B[aaabzz])", &[15]),
            ("(;GM[9]SZ[8];AB[j1])", &[15]),
        ],
        &[
            "(;SZ[9];B[ii];AB[aa:ii])",
            "(;;B[tt])",
            "(;SZ[21];B[uu])",
            "(;GM[2];B[zz])",
            "(;GM[11]SZ[30];B[ad30])",
            "(;SZ[1000];B[zz])",
        ],
    ),
    ("nul-byte", &[("(;C[a\0b]PB[\0])", &[3, 10])], &["(;C[a b])"]),
    (
        "charset-conflict",
        &[("\u{FEFF}(;CA[ISO-8859-3])", &[7])],
        &["(;CA[ISO-8859-3])", "\u{FEFF}(;CA[UTF-8])(;CA[utf8])"],
    ),
    (
        "duplicate-point",
        &[
            ("(;FF[4];AB[aa][aa];MA[kk][kl][kk])", &[14, 29]),
            ("(;;AB[aa:cc][bb])", &[12]),
            ("(;;LB[aa:1][aa:2]DD[aa][aa])", &[11, 23]),
            ("(;;AR[aa:bb][bb:aa][aa:bb])", &[19]),
            ("(;GM[11];AB[a1][b1][a1])", &[19]),
            ("(;GM[18];AA[aa][aa])", &[15]),
        ],
        &[
            "(;;AB[aa]AW[aa])",
            "(;;DD[aa]VW[aa]LB[aa:1]MA[aa])",
            "(;GM[6];AB[a][a])",
            "(;GM[19];CS[33][33])",
            "(;GM[3];AB[a1][a1])",
            "(;;AR[aa:bb]LN[aa:bb])",
            "(;;KGSDE[aa][aa])",
        ],
    ),
    (
        "conflicting-point",
        &[
            ("(;FF[4];MA[kk]TR[kk])", &[16]),
            ("(;;AB[aa]AW[bb][aa]AE[bb])", &[15, 21]),
            ("(;;TB[aa:cc]TW[bb])", &[14]),
            ("(;;CR[aa]MA[bb]SL[cc]SQ[dd]TR[aa:dd])", &[29]),
        ],
        &["(;;CR[aa]MA[bb]LB[aa:x]AB[aa]TB[aa])", "(;;CR[aa];MA[aa])", "(;;MA[aa][aa])"],
    ),
    ("one-point-line", &[("(;;AR[aa:aa]LN[bb:bb][aa:bb])", &[5, 14])], &["(;;AR[aa:ab])"]),
    (
        "setup-without-effect",
        &[
            ("(;;B[cc];AB[cc])", &[11]),
            ("(;AE[aa])", &[4]),
            ("(;AB[aa:bb];AB[cc][bb];AE[dd])", &[18, 25]),
            ("(;;W[aa](;AB[bb];AB[bb])(;AB[bb]))", &[19]),
            // It was captured.
            ("(;AB[aa]AW[ab];W[ba];AE[aa])", &[23]),
        ],
        &["(;AB[aa]AW[bb])", "(;;B[aa];AE[aa];AB[aa])", "(;GM[2]AE[aa])", "(;AB[aa];AW[aa])", "(;SZ[60]AE[aa])"],
    ),
    (
        "occupied-point",
        &[
            ("(;GM[1];B[aa];W[aa])", &[15]),
            ("(;AB[cc];B[dd](;W[cc])(;W[dd]))", &[17, 25]),
            ("(;AB[aa]AW[ab];W[ba];W[aa];B[ba])", &[28]),
        ],
        &[
            "(;;B[aa](;W[bb])(;W[bb]))",
            "(;AB[aa]AW[ab];W[ba];W[aa])",
            "(;;B[aa];W[aa]KO[])",
            "(;;B[];W[];B[tt];W[tt])",
            "(;GM[11];B[a1];W[a1])",
            "(;;B[aa];AE[aa];W[aa])",
        ],
    ),
    (
        "ko-retaken",
        &[
            ("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[bb])", &[49]),
            ("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[bb];B[cb])", &[49, 55]),
            ("(;SZ[5];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb];W[bb];B[aa])", &[63]),
            ("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb](;W[bb])(;W[dd];B[ee];W[bb]))", &[50]),
            ("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[ee];B[aa];W[bb];B[cb])", &[67]),
        ],
        &[
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[dd];B[ee];W[bb])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[];B[];W[bb])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[tt];W[bb])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[zz];W[bb])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[nonsense];W[bb])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];B[bb])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];AE[aa];W[bb])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb];W[bb]KO[])",
            "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc];W[bb];B[cb](;W[ee])(;AB[bb];W[aa]))",
            "(;SZ[5];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb];W[];W[bb])",
            "(;SZ[5:1]AB[aa][da]AW[ca][ea];B[ba];W[ca])",
            "(;GM[11];B[a1];W[a1])",
        ],
    ),
    (
        "handicap-stones",
        &[
            ("(;GM[1]HA[3];B[bb])", &[9]),
            ("(;HA[2]AB[aa])(;HA[2]AW[aa][ab]AB[cc][dd])", &[4, 18]),
            ("(;HA[2]AB[aa:bb])", &[4]),
        ],
        &["(;HA[2]AB[aa][bb])", "(;HA[0])", "(;AB[aa][bb])", "(;GM[21]HA[2])", "(;HA[4]AB[aa:bb])"],
    ),
    ("move-in-root", &[("(;B[aa])(;W[bb])", &[2, 10])], &["(;;B[aa])", "(;BL[1])"]),
    ("setup-after-root", &[("(;GM[1];W[cc];AB[aa]AE[cc])", &[14])], &["(;AB[aa];B[bb])", "(;;PL[B])"]),
    (
        "out-of-turn",
        &[("(;GM[1];B[dd];W[cc];W[ee])", &[21]), ("(;;B[aa](;B[bb])(;W[cc];W[dd]))", &[11, 25])],
        &["(;;B[aa];W[bb];B[];W[cc])", "(;;B[aa];AB[bb];B[cc])", "(;;B[aa];PL[B];B[cc])", "(;;B[aa])(;;B[aa])"],
    ),
    ("empty-node", &[("(;;;C[empty])", &[2]), ("(;(;)(;C[x];))", &[3, 11])], &["(;)(;)", "(;;C[x])"]),
    (
        "empty-text",
        &[("(;C[]PB[]DT[])", &[3, 7, 11]), ("(;PB[ ]EV[\n\t]DT[ ])", &[4, 9, 15])],
        &["(;C[x]PL[]AB[])", "(;C[ ])", "(;B[])", "(;AP[ ])"],
    ),
    (
        "lone-variation",
        &[("(;(;C[b]))", &[2]), ("(;(;(;))(;))", &[4]), ("(;(;))(;(;))", &[2, 8])],
        &["(;(;)(;))", "(;;)"],
    ),
    ("long-identifier", &[("(;KGSDE[aa];KGSDE[aa]PIW[])", &[2, 21])], &["(;AB[aa]Black[aa])"]),
    ("missing-version", &[("(;GM[1])(;FF[4])(;)", &[1, 17])], &["(;FF[4])", "(;GM[1]FF[x])"]),
    ("version-differs", &[("(;GN[1]) (;FF[3]GN[2])", &[10])], &["(;FF[4])(;FF[4])", "(;)(;)"]),
    ("game-differs", &[("(;GM[1])(;GM[2])(;)", &[9])], &["(;)(;GM[1])"]),
    ("charset-differs", &[("(;CA[Big5])(;CA[GBK])(;CA[big5])", &[12])], &["(;CA[UTF-8])(;CA[utf-8])"]),
    (
        "suicide",
        &[
            ("(;SZ[5]AB[ab][ba];W[aa])", &[19]),
            ("(;SZ[5]RU[Japanese];B[ab];W[ee];B[ba];W[aa];B[dd];W[aa])", &[39, 51]),
            ("(;SZ[5];B[ab];W[ee];B[ba](;W[aa])(;W[dd];B[aa]))", &[28]),
            ("(;SZ[5]AB[ba][bb][ac]AW[aa];W[ab])", &[29]),
            ("(;SZ[1];B[aa])(;SZ[1]RU[NZ];B[aa])(;SZ[1];B[aa])", &[9, 43]),
        ],
        &[
            "(;SZ[5]AB[ba][ab]AW[ca][bb][ac];W[aa])",
            "(;SZ[5]AB[ab][ba];B[aa])",
            "(;SZ[5]AB[ab][ba];W[aa]KO[])",
            "(;SZ[5]AB[aa][ab][ba];W[aa])",
            "(;SZ[5]AB[ab][ba]RU[NZ];W[aa])",
            "(;SZ[5]AB[ab][ba]RU[GOE];W[aa])",
            "(;SZ[5]AB[ab][ba]RU[Tromp/Taylor];W[aa])",
            "(;SZ[5]AB[ab][ba]RU[koPOSITIONALscoreAREAtaxNONEsui1];W[aa])",
            "(;GM[11]SZ[1];B[a1])",
        ],
    ),
    ("game-not-checked", &[("(;GM[12];B[weird];W[x])", &[10])], &["(;GM[11];B[a1])", "(;GM[2];B[aa])"]),
    ("unusual-format", &[("(;BR[strong]WR[9 p]RO[x])", &[4, 14, 21])], &["(;BR[5k]WR[1d?]RO[5 (final)])", "(;RE[x])"]),
    (
        "extra-values",
        &[("(;;B[aa][bb][cc])", &[8]), ("(;B[cc;AW[dd][ee])", &[13]), ("(;C[a][b]PB[x][y])", &[6, 14])],
        &["(;AB[aa][bb])", "(;KX[a][b])", "(;KK[a][b])"],
    ),
    (
        "lowercase-in-ident",
        &[("(;FF[4];Black[cc];White[dd])", &[8, 18]), ("(;CoPyright[x]FF[4])", &[2])],
        &["(;Black[cc])", "(;FF[3];Black[cc])"],
    ),
    ("digit-in-ident", &[("(;P0[x])", &[2])], &["(;PB[x])"]),
    ("junk-in-tree", &[("(; illegal )", &[3])], &["(;)"]),
    ("unclosed-tree", &[("(;B[aa]", &[7])], &["(;)"]),
    ("no-sgf-data", &[("hello", &[0]), ("", &[0])], &["(;)"]),
];

#[test]
fn every_rule_finds_what_it_is_for_and_nothing_else() {
    let mut wrong = Vec::new();
    for (name, fires, silent) in TABLE {
        let rules = only(name.parse().unwrap());
        let silent = silent.iter().map(|input| (*input, &[][..]));
        for (input, offsets) in fires.iter().copied().chain(silent) {
            let offsets_found: Vec<u64> = found(&rules, input.as_bytes()).into_iter().map(|found| found.1).collect();
            if offsets_found != offsets {
                wrong.push(format!("{name}: {input}: {offsets_found:?} for {offsets:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_a_row() {
    let rows: BTreeSet<&str> = TABLE.iter().map(|row| row.0).collect();
    assert_eq!(rows.len(), TABLE.len());
    // Codes of syntax are those of the parser, which has tables of its own.
    let missing: Vec<_> = Rule::all()
        .filter(|rule| !matches!(rule, Rule::Syntax(_)) && !rows.contains(rule.as_str()))
        .map(Rule::as_str)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_rule_that_is_off_says_nothing() {
    for (name, fires, _) in TABLE {
        let rule: Rule = name.parse().unwrap();
        for (input, _) in *fires {
            let all = found(&Rules::strict(), input.as_bytes());
            let mut without = all.clone();
            without.retain(|found| found.0 != *name);
            assert_eq!(found(&Rules::strict().allow(rule), input.as_bytes()), without, "{name}: {input}");
        }
    }
}

#[test]
fn severities_are_those_of_the_rules() {
    let input = b"(;RE[x];SZ[9])";
    let severities = |rules: Rules| -> Vec<Severity> {
        check::check_slice_with(rules, input).diagnostics().iter().map(|diagnostic| diagnostic.severity()).collect()
    };
    assert_eq!(severities(Rules::new()), [Severity::Error; 2]);
    assert_eq!(severities(Rules::new().warn(Rule::BadGameInfo)), [Severity::Warning, Severity::Error]);
    assert_eq!(severities(Rules::none().warn(Rule::BadGameInfo)), [Severity::Warning]);
}

#[test]
fn messages_describe_the_fault() {
    for (input, sentence) in [
        (
            &b"(;FF[4];B[dd]AB[pp])"[..],
            "line 1, column 14 (byte 13): AB is a setup property, but the node has move properties [setup-and-move]",
        ),
        (
            b"(;PB[a]\r\n;PB[b])",
            "line 2, column 2 (byte 10): PB: this path already has game info, in the node at byte 1 [second-game-info]",
        ),
        (
            b"(;GM[11]KM[1])",
            "line 1, column 9 (byte 8): KM is a Go property, but the game is Hex [property-of-another-game]",
        ),
        (
            b"(;FF[3]SQ[aa])",
            "line 1, column 8 (byte 7): FF[3] does not have SQ; it is in FF[4] [property-not-in-version]",
        ),
        (
            b"(;FF[4]SZ[11];B[gg];W[swap-sides])",
            "line 1, column 22 (byte 21): W[swap-sides]: expected the end of the value after the first 2 bytes; it is a Hex \
             move, but without GM[11] the game is read as Go [bad-value]",
        ),
        (b"(;SZ[17:3];B[ad])", "line 1, column 13 (byte 12): B[ad] is off the 17x3 board [point-off-board]"),
        (
            b"(;KM[375])",
            "line 1, column 5 (byte 4): KM[375]: komi in hundredths; it means 7.5 points [number-out-of-range]",
        ),
        (
            "(;HA[호선 - 6집 반 공제])".as_bytes(),
            "line 1, column 5 (byte 4): HA[호선 - 6집 반 공제]: expected a digit; read as HA[0] and KM[6.5] [sloppy-value]",
        ),
        (
            b"(;KM[375]RU[Japanese])",
            "line 1, column 5 (byte 4): KM[375]: komi in hundredths; it may mean points or stones [number-out-of-range]",
        ),
        (
            "(;TM[10분40초3회])".as_bytes(),
            "line 1, column 5 (byte 4): TM[10분40초3회]: expected a digit after the first 2 bytes; read as TM[600] and OT[3x40 byo-yomi] [sloppy-value]",
        ),
        (b"(;;MA[aa]TR[aa])", "line 1, column 12 (byte 11): TR: aa is also in MA [conflicting-point]"),
        (
            b"(;FF[4];B[aa]KO[6.5])",
            "line 1, column 16 (byte 15): KO[6.5]: expected the end of the value; it may be komi (SGF2) [private-clash]",
        ),
        (
            b"(;KM[6.])",
            "line 1, column 5 (byte 4): KM[6.]: expected a digit after the first 2 bytes; read as KM[6] [sloppy-value]",
        ),
        (b"(;HA[2])", "line 1, column 5 (byte 4): HA[2], but AB places no stones [handicap-stones]"),
        (
            b"(;AB[aa];AB[aa:bb])",
            "line 1, column 12 (byte 11): AB: aa already has a black stone [setup-without-effect]",
        ),
    ] {
        assert_eq!(messages(input), [sentence]);
    }
}

#[test]
fn a_bad_byte_in_a_sentence_is_replaced() {
    let long = [&b"(;RE["[..], &[0xE9, b'\n'].repeat(100), b"])"].concat();
    let said = &messages(&long)[0];
    assert!(said.contains('\u{FFFD}') && said.contains('…') && said.len() < 300, "{said}");
}

#[test]
fn the_root_is_checked_by_what_comes_last_in_it() {
    assert_eq!(found(&Rules::new(), b"(;B[c4]AB[d4]GM[11])"), [("setup-and-move".to_owned(), 7)]);
    assert_eq!(found(&Rules::new(), b"(;AB[jj]SZ[9])"), [("point-off-board".to_owned(), 4)]);
}

#[test]
fn a_value_in_parts_is_one_value() {
    use sgf_stream::Parser;
    let mut found = Vec::new();
    let take: TakeDiagnostic<'_> = &mut |diagnostic| found.push(diagnostic.rule());
    let mut checker = check::Checker::new(take);
    let mut reader = Parser::new().max_value_len(4).value_parts(true).slice(b"(;C[a long comment][x];B[aaaaaaa]C[x])");
    reader.read_game(&mut checker.visitor()).unwrap();
    drop(checker);
    assert_eq!(found, [Rule::Syntax(sgf_stream::Code::ExtraValues)]);
}

#[test]
fn rules_have_the_numbers_of_sgfc() {
    for (rule, number) in [("missing-program-version", 23), ("ko-without-move", 43), ("empty-text", 17)] {
        let rule: Rule = rule.parse().unwrap();
        assert_eq!(rule.sgfc(), [number], "{rule}");
    }
}

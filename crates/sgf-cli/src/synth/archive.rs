//! The default set: games as servers and collections have them.
//!
//! The frequency of a root property is Brouwer's count divided by his 1,623,694 games (those with a PW). Comments
//! and clock readings of his other nodes are concentrated in a few games here, as in real archives.

use super::writer::Writer;

/// Frequency in 10,000 games, identifier, and the function that writes the value.
type Row = (u32, &'static str, fn(&mut Writer));

/// Root properties in output order. AB, AW and HA are written separately.
const ROOT: &[Row] = &[
    (4911, "FF", |w| w.one_of(&[(760, "4"), (235, "3"), (5, "1")])),
    (3196, "GM", |w| w.put(b"1")),
    (3818, "CA", charset),
    (2495, "AP", |w| {
        w.one_of(&[(400, "CGoban:3"), (250, "MultiGo:4.4.4"), (150, "gobase"), (120, "Sabaki:0.51"), (80, "gg:1.2")])
    }),
    (766, "ST", |w| w.one_of(&[(960, "2"), (30, "0"), (10, "1")])),
    (6002, "SZ", |w| w.put(b"19")),
    (9999, "PB", Writer::name),
    (7781, "BR", rank),
    (365, "BT", Writer::place),
    (1163, "BC", country),
    (10000, "PW", Writer::name),
    (7820, "WR", rank),
    (366, "WT", Writer::place),
    (1163, "WC", country),
    (8368, "EV", Writer::event),
    (3272, "RO", |w| w.one_of(&[(300, "1"), (250, "2"), (200, "3"), (100, "Final"), (150, "Game 5")])),
    (9666, "DT", date),
    (4720, "PC", Writer::place),
    (1787, "RU", |w| w.one_of(&[(600, "Japanese"), (300, "Chinese"), (60, "AGA"), (40, "NZ")])),
    (8350, "KM", |w| w.one_of(&[(600, "6.5"), (150, "5.5"), (120, "7.5"), (80, "0"), (30, "3.75"), (20, "4.5")])),
    (1649, "TM", |w| w.one_of(&[(400, "1800"), (300, "600"), (200, "10800"), (100, "0")])),
    (986, "OT", |w| w.one_of(&[(600, "3x30 byo-yomi"), (400, "25/600 Canadian")])),
    (199, "LC", |w| w.put(b"5")),
    (175, "LT", |w| w.put(b"30")),
    (9899, "RE", result),
    (2403, "SO", |w| w.one_of(&[(500, "gokifu.example"), (300, "Yearbook"), (200, "own record")])),
    (1845, "US", |w| w.one_of(&[(500, "ed"), (300, "GoGui user"), (200, "anon")])),
    (933, "GN", |w| w.random_number(99_999)),
    (399, "MN", |w| w.put(b"204")),
    (246, "TI", |w| w.random_number(999)),
    (191, "GC", Writer::remark),
    (135, "B", |w| w.put(b"qd")),
    (104, "TE", Writer::event),
    (103, "KO", |w| w.put(b"5.5")),
    (103, "RD", date),
    (85, "CP", |w| w.put(b"the club")),
    (76, "MULTIGOGM", |w| w.put(b"1")),
    (74, "GK", |w| w.put(b"1")),
    (37, "ID", |w| w.random_number(9_999)),
    (1526, "C", Writer::remark),
];

/// Games with comments in 10,000, and commented moves in 10,000 of their moves: 1.08 a game.
const COMMENTED: u32 = 200;
const COMMENTS: u32 = 2650;

/// Games in 10,000 whose moves have clock readings: 0.053 BL a game.
const CLOCKED: u32 = 5;

/// Writes a whole game.
pub(super) fn game(w: &mut Writer) {
    w.new_board();
    let breaks = w.random.chance(5000);
    w.put(b"(;");
    root(w, &[]);
    if breaks {
        w.put(b"\n");
    }
    let moves = length(w);
    let (commented, clocked) = (w.random.chance(COMMENTED), w.random.chance(CLOCKED));
    for number in 1..=moves {
        let color = w.play();
        if commented && w.random.chance(COMMENTS) {
            comment(w, number);
        }
        if clocked {
            clock(w, color, number);
        }
        if breaks && number % 10 == 0 {
            w.put(b"\n");
        }
    }
    w.put(b")\n");
}

/// Writes the properties of a root, with AB and AW for a handicap or a position. `own` replaces the rows with its
/// identifiers.
pub(super) fn root(w: &mut Writer, own: &[(&str, &str)]) {
    for (ident, value) in own {
        w.property(ident, |w| w.put(value.as_bytes()));
    }
    for &(in_10_000, ident, value) in ROOT {
        let always = ident == "CA" && w.texts.charset.is_some();
        let wanted = w.random.chance(in_10_000) || always;
        if wanted && own.iter().all(|&(there, _)| there != ident) {
            w.property(ident, value);
        }
    }
    if w.random.chance(1433) {
        let stones = w.random.between(2, 9);
        w.property("HA", |w| w.put_number(stones));
        w.points("AB", stones);
        w.white_moves_first();
    } else if w.random.chance(107) {
        w.property("HA", |w| w.put(b"0"));
    }
    if w.random.chance(887) {
        let stones = w.random.between(1, 4);
        w.points("AW", stones);
    }
}

/// Returns a number of moves: 204 on average, from 64 to 344.
pub(super) fn length(w: &mut Writer) -> u32 {
    64 + (0..4).map(|_| w.random.below(71)).sum::<u32>()
}

/// Writes a comment, sometimes with the markup that it refers to.
fn comment(w: &mut Writer, number: u32) {
    w.property("C", Writer::remark);
    if w.random.chance(2130) {
        let [column, row] = w.point();
        w.put(&[b'L', b'B', b'[', column, row, b':', b'A', b']']);
    }
    if w.random.chance(530) {
        w.points("CR", 1);
    }
    if w.random.chance(400) {
        w.points("TR", 2);
    }
    if w.random.chance(330) {
        w.property("MN", |w| w.put_number(number));
    }
}

/// Writes the seconds left, and the moves or periods left in overtime.
pub(super) fn clock(w: &mut Writer, color: u8, number: u32) {
    w.put(&[color]);
    w.property("L", |w| w.put_number(1800u32.saturating_sub(number * 7)));
    if number > 200 {
        w.put(&[b'O', color]);
        w.put(b"[3]");
    }
}

fn charset(w: &mut Writer) {
    match &w.texts.charset {
        Some(label) => w.out.extend_from_slice(label.as_bytes()),
        None => w.one_of(&[(600, "UTF-8"), (250, "GB2312"), (70, "gb2312"), (50, "ISO-8859-1"), (30, "Shift_JIS")]),
    }
}

fn rank(w: &mut Writer) {
    let rank = w.random.between(1, 9);
    w.put_number(rank);
    w.one_of(&[(500, "p"), (400, "d"), (100, "k")]);
}

fn country(w: &mut Writer) {
    w.one_of(&[(400, "CN"), (300, "KR"), (250, "JP"), (50, "TW")]);
}

fn date(w: &mut Writer) {
    let (year, month, day) = (w.random.between(1950, 2024), w.random.between(1, 12), w.random.between(1, 28));
    w.put(format!("{year}-{month:02}-{day:02}").as_bytes());
}

fn result(w: &mut Writer) {
    w.one_of(&[(500, "B+"), (490, "W+"), (10, "Void")]);
    if w.out.ends_with(b"+") {
        match w.random.below(10) {
            0 => w.put(b"T"),
            1..=6 => w.put(b"R"),
            _ => {
                let points = w.random.between(0, 20);
                w.put_number(points);
                w.put(b".5");
            }
        }
    }
}

impl Writer {
    fn random_number(&mut self, most: u32) {
        let number = self.random.between(1, most);
        self.put_number(number);
    }
}

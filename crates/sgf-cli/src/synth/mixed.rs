//! The set of `--mixed`: games in the style of many programs, most of them with more than moves.
//!
//! The frequencies of the kinds make `;B[dd]` about half of the bytes, as in real collections that do not come from
//! a server.

use super::archive;
use super::writer::Writer;

/// Faulty games in 10,000.
const FAULTY: u32 = 40;

/// Maximum nesting of the variations of a lesson.
const MAX_DEPTH: u32 = 9;

/// Writes a whole game, or a faulty one.
pub(super) fn game(w: &mut Writer) {
    w.new_board();
    if w.random.chance(FAULTY) {
        return faulty(w);
    }
    match w.random.below(100) {
        0..20 => archive::game(w),
        20..45 => lesson(w),
        45..65 => problem(w),
        65..71 => old(w),
        71..85 => clocked(w),
        _ => edited(w),
    }
}

/// Returns `\n`, or `\r\n` in one game of four.
fn line_break(w: &mut Writer) -> &'static [u8] {
    if w.random.chance(2500) { b"\r\n" } else { b"\n" }
}

/// Writes a text of up to `most` remarks, some on lines of their own, some after soft line breaks.
fn text(w: &mut Writer, most: u32, line_break: &[u8]) {
    w.remark();
    // Short texts are more frequent than long ones.
    let bound = w.random.below(most);
    for _ in 0..w.random.below(bound + 1) {
        match w.random.below(20) {
            0..12 => w.put(b" "),
            12..18 => w.put(line_break),
            18 => {
                w.put(b" \\");
                w.put(line_break);
            }
            _ => w.put(br" (a \\ b \]) "),
        }
        w.remark();
    }
}

/// Writes a commented game with variations.
fn lesson(w: &mut Writer) {
    let newline = line_break(w);
    w.put(b"(;");
    archive::root(w, &[("FF", "4"), ("GM", "1"), ("SZ", "19")]);
    w.property("GC", |w| text(w, 12, newline));
    w.put(newline);
    let moves = archive::length(w) / 2;
    line(w, moves, 1, newline);
    w.put(b")");
    w.put(newline);
}

/// Writes moves up to a branch, and the branches: the first one is long, the others are short.
fn line(w: &mut Writer, moves: u32, depth: u32, newline: &[u8]) {
    let here = if depth < MAX_DEPTH { w.random.between(4, 24).min(moves) } else { moves };
    for _ in 0..here {
        w.play();
        if w.random.chance(1500) {
            w.property("C", |w| text(w, 8, newline));
        }
        markup(w);
    }
    w.put(newline);
    if here == moves {
        return;
    }
    w.put(b"(");
    line(w, moves - here, depth + 1, newline);
    w.put(b")");
    w.put(newline);
    for _ in 0..w.random.between(1, 2) {
        let length = w.random.between(1, 9);
        w.put(b"(");
        line(w, length, depth + 4, newline);
        w.put(b")");
        w.put(newline);
    }
}

/// Writes marks on the board in one node of ten.
fn markup(w: &mut Writer) {
    let count = w.random.between(1, 5);
    match w.random.below(60) {
        0 | 1 => {
            w.put(b"LB");
            for label in (b'A'..).take(count as usize) {
                let [column, row] = w.point();
                w.put(&[b'[', column, row, b':', label, b']']);
            }
        }
        2 => w.points("TR", count),
        3 => w.points("MA", count),
        4 => w.points("CR", count),
        5 => w.points("SQ", count),
        _ => {}
    }
}

/// Writes a position and its possible moves.
fn problem(w: &mut Writer) {
    let newline = line_break(w);
    w.put(b"(;FF[4]GM[1]");
    w.put_charset();
    w.property("SZ", |w| w.one_of(&[(800, "19"), (120, "13"), (80, "9")]));
    let (black, white) = (w.random.between(4, 16), w.random.between(4, 16));
    w.points("AB", black);
    w.put(newline);
    w.points("AW", white);
    w.put(newline);
    w.property("PL", |w| w.put(b"B"));
    w.property("C", |w| text(w, 3, newline));
    w.put(newline);
    for _ in 0..w.random.between(1, 5) {
        let moves = w.random.between(1, 9);
        w.put(b"(");
        line(w, moves, 6, newline);
        w.put(b")");
    }
    w.put(b")");
    w.put(newline);
}

/// Writes a game in FF[3] or older: lower-case letters in identifiers, in the root or everywhere.
fn old(w: &mut Writer) {
    let newline = line_break(w);
    w.put(b"(;GaMe[1]SiZe[19]");
    w.put_charset();
    w.property("PlayerBlack", Writer::name);
    w.property("PlayerWhite", Writer::name);
    w.property("EVent", Writer::event);
    w.property("goWriteVersion", |w| w.put(b"1.4e"));
    w.put(newline);
    let spelled_out = w.random.chance(1500);
    for number in 1..=archive::length(w) {
        let color = w.play();
        if spelled_out {
            let at = w.out.len() - 4; // before `[dd]`
            let rest: &[u8] = if color == b'B' { b"lack" } else { b"hite" };
            w.out.splice(at..at, rest.iter().copied());
        }
        if number % 12 == 0 {
            w.put(newline);
        }
    }
    w.put(b")");
    w.put(newline);
}

/// Writes a game of a server that records every clock reading.
fn clocked(w: &mut Writer) {
    let newline = line_break(w);
    w.put(b"(;");
    archive::root(w, &[("GM", "1"), ("FF", "4"), ("TM", "1800"), ("OT", "5x30 byo-yomi")]);
    w.put(newline);
    for number in 1..=archive::length(w) {
        let color = w.play();
        archive::clock(w, color, number);
        if number % 2 == 0 {
            w.put(newline);
        }
    }
    w.put(b")");
    w.put(newline);
}

/// Writes a game of an editor with private properties and a long root.
fn edited(w: &mut Writer) {
    let newline = line_break(w);
    w.put(b"(;");
    archive::root(w, &[("AP", "MultiGo:4.4.4"), ("SZ", "19"), ("MULTIGOGM", "1")]);
    for ident in ["GN", "AN", "CP"] {
        w.put(newline);
        w.property(ident, Writer::event);
    }
    w.put(newline);
    let most = if w.random.chance(100) { 2000 } else { 60 };
    w.property("GC", |w| text(w, most, newline));
    w.property("KK", |w| text(w, 3, newline));
    w.put(newline);
    for _ in 0..archive::length(w) / 2 {
        w.play();
    }
    w.put(newline);
    w.put(b";");
    w.property("KGSSB", |w| w.put(b"84"));
    w.property("KGSSW", |w| w.put(b"77.5"));
    w.property("P0", |w| w.put(b"1"));
    w.points("KGSDE", 6);
    w.points("TB", 50);
    w.points("TW", 40);
    w.put(b")");
    w.put(newline);
}

/// Writes a game that is not well-formed, or text that is not a game.
fn faulty(w: &mut Writer) {
    match w.random.below(3) {
        // No `)`: the next game begins inside this one.
        0 => {
            archive::game(w);
            let end = w.out.len() - ")\n".len();
            w.out.truncate(end);
            w.put(b"\n");
        }
        // A letter between games.
        1 => w.put(b"From: secretary@club.example\nSubject: more games (as promised)\n\nHere they are:\n\n"),
        // A `]` that should have been escaped.
        _ => {
            w.put(b"(;FF[4]GM[1]");
            w.put_charset();
            w.property("PB", |w| w.put(b"Hane Jun [3d]"));
            w.property("C", |w| w.put(b"see [game 3] and others"));
            for _ in 0..archive::length(w) {
                w.play();
            }
            w.put(b")\n");
        }
    }
}

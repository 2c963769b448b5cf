//! Packed properties: all properties of a node as one run of bytes.
//!
//! ```text
//! node     = { property }
//! property = length identifier length { value }     (the second length is that of all its values)
//! value    = length raw
//! length   = { 1xxxxxxx } 0xxxxxxx                  (seven bits a byte, the lowest first)
//! ```
//!
//! So `B[dd]` takes six bytes, skipping a property is one step however many values it has, and the
//! properties of a game are contiguous in the order of its nodes.

use std::collections::{HashMap, HashSet};

use crate::node::{EIGHT, GROUP, MoveNode, eight_times};
use crate::syntax::event::Ident;
use crate::value::RawValue;
use crate::work;

/// Appends a length.
#[inline]
pub(super) fn put_len(out: &mut Vec<u8>, len: usize) {
    match len {
        0..0x80 => out.push(len as u8),
        _ => put_long_len(out, len),
    }
}

#[cold]
fn put_long_len(out: &mut Vec<u8>, mut len: usize) {
    while len >= 0x80 {
        out.push(len as u8 | 0x80);
        len >>= 7;
    }
    out.push(len as u8);
}

/// Appends a value. Most values are points, which are written in one copy.
#[inline]
pub(super) fn put_value(out: &mut Vec<u8>, raw: &[u8]) {
    if let &[column, row] = raw {
        return out.extend_from_slice(&[2, column, row]);
    }
    put_len(out, raw.len());
    out.extend_from_slice(raw);
}

/// A property being written: the position where its values begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    start: usize,
    values: usize,
}

/// Starts a property. Append its values, then call [`close`].
#[inline]
pub(super) fn open(out: &mut Vec<u8>, ident: &[u8]) -> Opened {
    let start = out.len();
    match *ident {
        [a] => out.extend_from_slice(&[1, a, 0]),
        [a, b] => out.extend_from_slice(&[2, a, b, 0]),
        _ => {
            put_len(out, ident.len());
            out.extend_from_slice(ident);
            out.push(0);
        }
    }
    Opened { start, values: out.len() }
}

/// The length of a packed move: one letter with a value of two.
pub(super) const MOVE: usize = 6;

/// Appends moves, each the only property of a node.
pub(super) fn put_moves(out: &mut Vec<u8>, nodes: &[[u8; MoveNode::LEN]]) {
    /// What stays where it is, and what goes to the next byte.
    const LETTER: [u8; GROUP] = eight_times([0, 0xFF, 0, 0, 0, 0]);
    const LETTERS: [u8; GROUP] = eight_times([0, 0, 0, 0, 0xFF, 0xFF]);
    const FRAME: [u8; GROUP] = eight_times([1, 0, 3, 2, 0, 0]);
    let (groups, rest) = nodes.as_chunks::<EIGHT>();
    for group in groups {
        let (bytes, mut before, mut packed) = (group.as_flattened(), [0; GROUP], FRAME);
        before[1..].copy_from_slice(&bytes[..GROUP - 1]);
        // Compilers make vector code of this.
        for at in 0..GROUP {
            packed[at] |= bytes[at] & LETTER[at] | before[at] & LETTERS[at];
        }
        out.extend_from_slice(&packed);
    }
    for node in rest.iter().map(MoveNode::alone) {
        let [x, y] = node.letters();
        out.extend_from_slice(&[1, node.letter(), 3, 2, x, y]);
    }
}

/// Ends a property after its last value. A property without values is removed.
#[inline]
pub(super) fn close(out: &mut Vec<u8>, opened: Opened) {
    let len = out.len() - opened.values;
    match len {
        0 => out.truncate(opened.start),
        1..0x80 => out[opened.values - 1] = len as u8,
        _ => close_long(out, opened.values, len),
    }
}

/// Ends a property whose length needs more than the one byte reserved for it.
#[cold]
fn close_long(out: &mut Vec<u8>, values: usize, len: usize) {
    let end = out.len();
    put_len(out, len);
    let taken = out.len() - end;
    // Rotate the length from the end to the front of the values; the reserved byte
    // goes to the end, and is dropped.
    out[values - 1..].rotate_right(taken);
    out[values - 1 + taken..].rotate_left(1);
    out.pop();
}

/// Appends a whole property, unless it has no values.
pub(super) fn put_property<'v>(out: &mut Vec<u8>, ident: &[u8], values: impl IntoIterator<Item = &'v [u8]>) {
    let opened = open(out, ident);
    values.into_iter().for_each(|value| put_value(out, value));
    close(out, opened);
}

/// Shorter runs are not two properties.
pub(super) const LEAST_OF_TWO: usize = 8;

/// Returns whether two of these properties have the same name.
pub(super) fn repeats_a_name(packed: &[u8]) -> bool {
    // Nearly all identifiers are one or two upper-case letters, for which a bit each is enough. Longer ones of upper-case
    // letters differ from those.
    let mut seen = [0_u32; 27];
    let mut has_long = false;
    for property in NodeProperties(packed) {
        let (row, column) = match *property.ident.as_bytes() {
            [a @ b'A'..=b'Z'] => (a - b'A', 0),
            [a @ b'A'..=b'Z', b @ b'A'..=b'Z'] => (a - b'A', b - b'A' + 1),
            _ if has_long || property.ident.has_lowercase() => return repeats_any_name(packed),
            _ => {
                has_long = true;
                continue;
            }
        };
        let (row, bit) = (&mut seen[usize::from(row)], 1 << column);
        if *row & bit != 0 {
            return true;
        }
        *row |= bit;
    }
    false
}

fn repeats_any_name(packed: &[u8]) -> bool {
    let mut names = HashSet::new();
    !NodeProperties(packed).all(|property| names.insert(property.ident))
}

/// Returns these properties with those of the same name as one, where the first of them is: it has the values of all, and
/// its own spelling.
pub(super) fn merged(packed: &[u8]) -> Vec<u8> {
    let mut properties: Vec<(Ident<'_>, Vec<&[u8]>)> = Vec::new();
    let mut places = HashMap::new();
    for NodeProperty { ident, values } in NodeProperties(packed) {
        work::note(1);
        let place = *places.entry(ident).or_insert(properties.len());
        match properties.get_mut(place) {
            Some((_, parts)) => parts.push(values),
            None => properties.push((ident, vec![values])),
        }
    }
    let mut out = Vec::with_capacity(packed.len());
    for (ident, parts) in properties {
        let opened = open(&mut out, ident.as_bytes());
        parts.into_iter().for_each(|values| out.extend_from_slice(values));
        close(&mut out, opened);
    }
    out
}

/// Removes a length from the front. Stored bytes are complete, so the premature end that the code allows for
/// does not occur.
#[inline]
fn take_len(bytes: &mut &[u8]) -> usize {
    match *bytes {
        [len @ 0..0x80, rest @ ..] => {
            *bytes = rest;
            usize::from(*len)
        }
        _ => take_long_len(bytes),
    }
}

#[cold]
fn take_long_len(bytes: &mut &[u8]) -> usize {
    let (mut len, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        len |= usize::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    len
}

#[inline]
fn take<'t>(bytes: &mut &'t [u8]) -> &'t [u8] {
    let len = take_len(bytes);
    let (taken, rest) = bytes.split_at(len.min(bytes.len()));
    *bytes = rest;
    taken
}

/// The properties of a node, in the order of the file: see [`Node::properties`](super::Node::properties).
#[derive(Clone)]
pub struct NodeProperties<'t>(pub(super) &'t [u8]);

impl<'t> Iterator for NodeProperties<'t> {
    type Item = NodeProperty<'t>;

    #[inline]
    fn next(&mut self) -> Option<NodeProperty<'t>> {
        if self.0.is_empty() {
            return None;
        }
        work::note(1);
        let ident = Ident::new(take(&mut self.0));
        Some(NodeProperty { ident, values: take(&mut self.0) })
    }
}

/// A property of a node: an identifier and at least one value.
///
/// Equal to a property with an equal name and equal raw values.
#[derive(Clone, Copy)]
pub struct NodeProperty<'t> {
    pub(super) ident: Ident<'t>,
    pub(super) values: &'t [u8],
}

impl<'t> NodeProperty<'t> {
    /// Returns the identifier, as spelled.
    pub fn ident(self) -> Ident<'t> {
        self.ident
    }

    /// Returns the first value.
    pub fn first(self) -> RawValue<'t> {
        let first = self.values().next();
        debug_assert!(first.is_some(), "every property has a value");
        first.unwrap_or_default()
    }

    /// Returns the values, in the order of the file.
    pub fn values(self) -> NodeValues<'t> {
        NodeValues(self.values)
    }
}

impl PartialEq for NodeProperty<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.ident == other.ident && self.values == other.values
    }
}

impl Eq for NodeProperty<'_> {}

/// Formats the property as SGF: `AB[aa][bb]`.
impl std::fmt::Debug for NodeProperty<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.ident)?;
        self.values().try_for_each(|value| write!(f, "{value:?}"))
    }
}

/// The raw values of a property.
#[derive(Clone, Default)]
pub struct NodeValues<'t>(&'t [u8]);

impl<'t> Iterator for NodeValues<'t> {
    type Item = RawValue<'t>;

    #[inline]
    fn next(&mut self) -> Option<RawValue<'t>> {
        if self.0.is_empty() { None } else { Some(RawValue::new(take(&mut self.0))) }
    }
}

impl std::fmt::Debug for NodeValues<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl std::fmt::Debug for NodeProperties<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;
    use crate::node::move_of;

    quickcheck! {
        /// However long a run is.
        fn a_run_is_packed_as_its_moves_are(moves: Vec<(u8, u8, u8)>, times: u8) -> bool {
            let (mut run, mut expected) = (Vec::new(), b"previous".to_vec());
            let letter = |first: u8, pick: u8| first + pick % 26;
            for (pick, x, y) in moves.repeat(usize::from(times % 8)) {
                let (ident, value) = ([letter(b'A', pick)], [letter(b'a', x), letter(b'A', y)]);
                run.push(move_of(ident[0], value));
                put_property(&mut expected, &ident, [&value[..]]);
            }
            let mut out = b"previous".to_vec();
            put_moves(&mut out, &run);
            out == expected
        }
    }

    #[test]
    fn properties_of_one_name_are_merged() {
        for (names, merged_names) in [
            ("B", "B:1"),
            ("AB C AW", "AB:1 C:1 AW:1"),
            ("AB C AB", "AB:2 C:1"),
            ("A AA A", "A:2 AA:1"),
            ("Black BL B W Bl", "Black:3 BL:1 W:1"),
            ("B AddBlack AB", "B:1 AddBlack:2"),
            ("MULTIGOGM KGSDE B", "MULTIGOGM:1 KGSDE:1 B:1"),
            ("MULTIGOGM B MULTIGOGM", "MULTIGOGM:2 B:1"),
            ("P0 P1 P", "P0:1 P1:1 P:1"),
            ("P0 P0", "P0:2"),
        ] {
            let mut packed = Vec::new();
            let names: Vec<_> = names.split(' ').collect();
            names.iter().for_each(|name| put_property(&mut packed, name.as_bytes(), [name.as_bytes()]));
            assert!(names.len() == 1 || packed.len() >= LEAST_OF_TWO, "{names:?}");
            let shown = |packed: &[u8]| {
                let show = |property: NodeProperty<'_>| {
                    format!("{}:{}", property.ident().spelling(), property.values().count())
                };
                NodeProperties(packed).map(show).collect::<Vec<_>>().join(" ")
            };
            let merged = merged(&packed);
            assert_eq!(shown(&merged), merged_names);
            assert_eq!(repeats_a_name(&packed), merged != packed, "{names:?}");
            assert!(!repeats_a_name(&merged), "{names:?}");
        }
    }

    quickcheck! {
        fn repeated_names_are_found(idents: Vec<(u8, u8, u8)>) -> bool {
            let mut packed = Vec::new();
            for (len, a, b) in idents {
                let letters = [b'A' + a % 3, b'A' + b % 3, b'a' + a % 2, b'0' + b % 2];
                let ident = [&letters[..1], &letters[..2], &letters[1..3], &letters[..4]][usize::from(len % 4)];
                put_property(&mut packed, ident, [&b""[..]]);
            }
            repeats_a_name(&packed) == repeats_any_name(&packed)
        }
    }

    #[test]
    fn properties_of_any_length_read_back() {
        for len in [0, 1, 2, 126, 127, 128, 129, 16_382, 16_383, 16_384, 70_000] {
            let long = vec![b'x'; len];
            for ident in [&b"B"[..], b"CoPyright", &[b'A'; 300]] {
                for values in [vec![&long[..]], vec![&long, b"dd", &long], vec![b"", &long, b""]] {
                    let mut out = b"previous".to_vec();
                    put_property(&mut out, ident, values.iter().copied());
                    put_property(&mut out, b"W", [&b"pp"[..]]);
                    put_property(&mut out, b"X", []);
                    let properties: Vec<_> = NodeProperties(&out[8..]).collect();
                    assert_eq!(properties.len(), 2, "{len}");
                    assert_eq!(properties[0].ident().as_bytes(), ident);
                    assert!(properties[0].values().map(RawValue::as_bytes).eq(values.iter().copied()), "{len}");
                    assert_eq!(properties[1].first().as_bytes(), b"pp");
                }
            }
        }
    }

    #[test]
    fn a_move_takes_six_bytes() {
        let mut out = Vec::new();
        put_property(&mut out, b"B", [&b"dd"[..]]);
        assert_eq!(out, b"\x01B\x03\x02dd");
    }
}

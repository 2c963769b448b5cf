//! Canonical form: node by node, in FF\[4\].
//!
//! A node is held to its end, since the form of a property may depend on others of the node: on a second one of the same
//! name, on its successor in FF\[4\], on the root's `GM` and `CA`.
//!
//! Canonical form is a fixed point: the output, read again, is written the same. So all decisions depend on what will be in
//! the output, in its version and its charset, and the new form of a value is [checked](value) to be stable.

mod moves;
mod text;
mod value;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};
use std::mem;

use self::moves::OpenMove;
use self::value::Values;
use super::WriteError;
use super::escape::escaped;
use super::output::Output;
use crate::node::{MoveNode, Moves, NodeRecord, PropertyRef, RootFacts};
use crate::property::canonical::InNode;
use crate::property::{self, Context, List, Successor, convert as successors};
use crate::raw::trim;
use crate::raw::two_byte::TwoByte;
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::value::RawValue;
use crate::work;

/// The default length of lines, in bytes.
pub(super) const WIDTH: usize = 80;

/// The first properties of a root, in this order; the others keep theirs. `FF` has to come first and `CA` second: no text
/// may come before `CA`.
#[rustfmt::skip]
const ROOT: &[&[u8; 2]] = &[
    b"FF", b"CA", b"GM", b"AP", b"ST", b"SZ",
    b"GN", b"EV", b"RO", b"PC", b"DT",
    b"PB", b"BR", b"BT", b"PW", b"WR", b"WT",
    b"RE", b"RU", b"KM", b"HA", b"TM", b"OT", b"ON",
    b"AN", b"US", b"SO", b"CP", b"GC",
];

/// The open node, and the facts of its game.
#[derive(Debug)]
pub(super) struct Canonical {
    node: NodeRecord<'static>,
    /// Number of events pushed, which are the offsets in `node`. They tell in which order the values came.
    pushed: u64,
    /// The open node, if it is a move so far. Then `node` is not used.
    open_move: OpenMove,
    /// The longest node: see [`Parser::max_node_len`](crate::Parser::max_node_len).
    max_node_len: usize,
    is_too_long: bool,
    place: Option<NodePlace>,
    /// The context of the properties that are read.
    from: Context,
    /// The context of the properties that are written, in FF\[4\].
    to: Context,
    /// The last node written was the root.
    is_after_root: bool,
}

/// The position of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodePlace {
    Root,
    /// The first node of a variation.
    Variation,
    Sequence,
}

/// A property to write.
#[derive(Debug)]
pub(crate) struct Outgoing<'r> {
    pub(crate) name: Cow<'r, str>,
    pub(crate) values: Vec<Cow<'r, [u8]>>,
    /// The values stay unchanged.
    is_final: bool,
    /// Its successor in FF\[4\], and its values there, if the node has that property already.
    meets: Option<(&'static str, Vec<Cow<'r, [u8]>>)>,
}

impl<'r> Outgoing<'r> {
    fn new(name: impl Into<Cow<'r, str>>, values: Vec<Cow<'r, [u8]>>) -> Self {
        Outgoing { name: name.into(), values, is_final: false, meets: None }
    }
}

impl Canonical {
    pub(super) fn new() -> Self {
        let (from, to) = (Context::default(), Context::default());
        Canonical {
            node: NodeRecord::new(),
            pushed: 0,
            open_move: OpenMove::NONE,
            max_node_len: crate::syntax::tokenizer::MAX_NODE_LEN,
            is_too_long: false,
            place: None,
            from,
            to,
            is_after_root: false,
        }
    }

    pub(super) fn set_max_node_len(&mut self, bytes: usize) {
        self.max_node_len = bytes;
    }

    /// Refuses everything after a node that was too long, of which a part is missing.
    pub(super) fn check_len(&self) -> Result<(), WriteError> {
        match self.is_too_long {
            true => Err(self.too_long()),
            false => Ok(()),
        }
    }

    #[cold]
    fn too_long(&self) -> WriteError {
        let property = self.node.open_ident().map(|ident| ident.name().into_owned());
        debug_assert!(property.is_some(), "the node grows by values, which have an identifier");
        let property = property.unwrap_or_default();
        WriteError::NodeTooLong { limit: self.max_node_len, property }
    }

    /// Starts a node.
    pub(super) fn start(&mut self, place: NodePlace) {
        let may_be_move = place == NodePlace::Sequence && self.max_node_len >= OpenMove::WEIGHT;
        if !(may_be_move && self.open_move.start()) {
            self.node.start(0);
        }
        self.place = Some(place);
    }

    /// Takes an event of a node of one move, or the node after it. Returns false if the event needs more thought.
    #[inline]
    pub(super) fn take_move<W: Write>(&mut self, event: Event<'_>, output: &mut Output<W>) -> io::Result<bool> {
        match self.open_move.before(event) {
            Some(node) => {
                self.open_move.start();
                self.write_move(&node, output)?;
                Ok(true)
            }
            None => Ok(self.open_move.take(event)),
        }
    }

    /// Takes a run of moves. Returns false, and takes nothing, if one of them may change.
    pub(super) fn take_moves<W: Write>(&mut self, moves: Moves<'_>, output: &mut Output<W>) -> io::Result<bool> {
        let mut copy = None;
        let nodes = moves.joined(&mut copy);
        if !self.open_move.are_plain(nodes) || self.is_too_long || self.max_node_len < OpenMove::WEIGHT {
            return Ok(false);
        }
        self.end_node(output)?;
        if mem::take(&mut self.is_after_root) {
            output.break_line()?;
        }
        output.plain_nodes(nodes.as_flattened(), MoveNode::LEN)?;
        Ok(true)
    }

    #[inline]
    fn write_move<W: Write>(&mut self, node: &[u8], output: &mut Output<W>) -> io::Result<()> {
        if mem::take(&mut self.is_after_root) {
            output.break_line()?;
        }
        output.plain_node(node)
    }

    /// Takes a property, a value, or a part of a value.
    #[inline]
    pub(super) fn push(&mut self, event: Event<'_>) -> Result<(), WriteError> {
        if self.open_move.is_open() {
            self.close_move();
        }
        self.pushed += 1;
        if self.node.take_up_to(self.max_node_len, event, self.pushed) {
            return Ok(());
        }
        self.is_too_long = true;
        Err(self.too_long())
    }

    /// Turns the open node into one that is more than a move.
    fn close_move(&mut self) {
        self.node.start(0);
        for event in self.open_move.close() {
            let has_room = self.node.take_up_to(self.max_node_len, event, 0);
            debug_assert!(has_room, "a node of one move is never too long");
        }
    }

    /// Writes the open node.
    #[inline]
    pub(super) fn end_node<W: Write>(&mut self, output: &mut Output<W>) -> io::Result<()> {
        let Some(place) = self.place.take() else { return Ok(()) };
        if self.open_move.is_open() {
            if let Some(node) = self.open_move.end() {
                return self.write_move(&node, output);
            }
            self.node.start(0); // it has no properties
        }
        self.write_node(place, output)
    }

    fn write_node<W: Write>(&mut self, place: NodePlace, output: &mut Output<W>) -> io::Result<()> {
        let is_root = place == NodePlace::Root;
        let charset = if is_root { self.read_root(output) } else { output.charset() };
        if !is_root && charset.is_none() && self.is_unchanged() {
            return self.write_unchanged(place, output);
        }
        self.write_changed(place, charset, output)
    }

    /// Writes the open node, whatever it is.
    fn write_changed<W: Write>(
        &mut self,
        place: NodePlace,
        charset: Option<TwoByte>,
        output: &mut Output<W>,
    ) -> io::Result<()> {
        let is_root = place == NodePlace::Root;
        let mut properties = in_ff4(&self.node, if is_root { self.from } else { self.from.after_root() });
        keep_order_of_moves(&self.node, &mut properties);
        if is_root {
            set_version(&mut properties);
            properties.sort_by_cached_key(|property| place_in_root(&property.name));
        }
        let rules_of = |name: &str| {
            let row = property::lookup(Ident::new(name.as_bytes()), &self.to);
            Values { row, context: &self.to, charset }
        };
        for Outgoing { name, values, is_final, .. } in &mut properties {
            let rules = rules_of(name);
            match &**name {
                // The name of the charset decides how all other values are read, so it is not changed.
                "CA" if is_root => {
                    let (first, others) = values.split_at_mut(1);
                    Values { charset: output.charset_of_label(), ..rules }.make_sound(first);
                    rules.make_sound(others);
                    // Only the first counts. Another one that says the same says nothing.
                    let mut is_first = true;
                    let first = values.first().cloned();
                    values.retain(|value| mem::take(&mut is_first) || Some(value) != first.as_ref());
                }
                "CA" => rules.make_sound(values),
                _ if *is_final => rules.make_sound(values),
                _ => rules.make_canonical(values),
            }
        }
        unite(&mut properties, rules_of);
        if is_root && tell_others(&mut properties, &self.to) {
            properties.sort_by_cached_key(|property| place_in_root(&property.name));
        }
        start_node(&mut self.is_after_root, place, len(&properties), output)?;
        for Outgoing { name, values, .. } in &properties {
            let mut ident = Some(Ident::new(name.as_bytes()));
            for value in values {
                match value {
                    // A value that did not change was found sound.
                    Cow::Borrowed(value) if name != "CA" => output.sound_value(ident.take(), value)?,
                    value => output.value(ident.take(), ValuePart { bytes: value, end: PartEnd::Complete })?,
                }
            }
        }
        Ok(())
    }

    /// Returns whether the open node, which is not a root, is in canonical form, in a charset without two-byte characters.
    /// It may be in canonical form even if this is false.
    fn is_unchanged(&self) -> bool {
        let from = self.from.after_root();
        self.node.iter().all(|property| {
            let ident = property.ident();
            let Some(row) = property::lookup(ident, &self.to) else { return false };
            let is_kept = ident.is_spelt(row.ident().as_bytes())
                && row.successor() == Successor::Itself
                && !matches!(row.ident(), "FF" | "CA" | "VW")
                && property::lookup(ident, &from).is_some_and(|old| std::ptr::eq(old, row))
                && (row.list() != List::Single || property.len() == 1);
            let rules = Values { row: Some(row), context: &self.to, charset: None };
            is_kept && property.values().all(|value| rules.is_canonical(value.as_bytes()))
        })
    }

    /// Writes the open node, which is in canonical form.
    fn write_unchanged<W: Write>(&mut self, place: NodePlace, output: &mut Output<W>) -> io::Result<()> {
        let len = self.node.iter().fold(";".len(), |len, property| {
            let values = property.values().map(|value| len_of_value(value.as_bytes()));
            values.fold(len.saturating_add(property.ident().as_bytes().len()), usize::saturating_add)
        });
        start_node(&mut self.is_after_root, place, len, output)?;
        for property in &self.node {
            let mut ident = Some(property.ident());
            for value in property.values() {
                output.sound_value(ident.take(), value.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Takes the facts of the game from its root. Returns its charset, if that has two-byte characters.
    fn read_root<W: Write>(&mut self, output: &Output<W>) -> Option<TwoByte> {
        let facts = RootFacts::of_root(&self.node);
        self.from = facts.root_context();
        self.to = Context::new(self.from.game(), 4).with_assumed_game(self.from.has_assumed_game());
        if let Some(board) = self.from.board() {
            self.to = self.to.with_size(board);
        }
        self.open_move.start_game(&self.from.after_root(), &self.to);
        let label = facts.charset().filter(|label| !trim(label.as_bytes()).is_empty());
        let named = label.and_then(|label| TwoByte::of_label(&escaped(label.as_bytes(), None)));
        output.charset_of(named, label.is_some())
    }
}

/// Writes `;`, and before it what separates the node from the one before. `len` is the length of the node.
fn start_node<W: Write>(
    is_after_root: &mut bool,
    place: NodePlace,
    len: usize,
    output: &mut Output<W>,
) -> io::Result<()> {
    let is_root = place == NodePlace::Root;
    let was_root = mem::replace(is_after_root, is_root);
    if place != NodePlace::Sequence {
        output.tree(is_root)?;
    } else if was_root {
        output.break_line()?;
    }
    if !is_root {
        output.keep_together(len)?;
    }
    output.node(is_root)
}

/// Returns the properties of a node, converted to FF\[4\] where possible. `to` is the context after the conversion, and
/// `label` the value of `CA`. All other properties stay unchanged.
pub(crate) fn united_in_ff4<'r>(
    node: &'r NodeRecord<'_>,
    from: Context,
    to: &Context,
    label: Option<RawValue<'_>>,
) -> Vec<Outgoing<'r>> {
    let charset = label.and_then(|label| TwoByte::of_label(&escaped(label.as_bytes(), None)));
    let mut properties = in_ff4(node, from);
    unite(&mut properties, |name| Values {
        row: property::lookup(Ident::new(name.as_bytes()), to),
        context: to,
        charset,
    });
    properties
}

/// Returns the properties of a node, converted to FF\[4\] where possible. Older ones may occur beside their successors.
fn in_ff4<'r>(node: &'r NodeRecord<'_>, context: Context) -> Vec<Outgoing<'r>> {
    let mut properties: Vec<Outgoing<'r>> = Vec::with_capacity(node.len() + 1);
    let overtime = overtime(node);
    let mut raw: Vec<RawValue<'r>> = Vec::new();
    for property in node {
        raw.clear();
        raw.extend(property.values());
        match (successors::to_ff4(property.ident(), &raw, &context), &overtime) {
            (Some(successors::Converted::Property { ident, values }), _) => {
                work::note(properties.len());
                let is_there = |ident| properties.iter().any(|known| known.name == ident) || node.contains(ident);
                properties.push(match property.ident() != ident && is_there(ident) {
                    true => Outgoing { is_final: true, meets: Some((ident, values)), ..as_it_is(property) },
                    false => Outgoing::new(ident, values),
                });
            }
            (Some(successors::Converted::PartOf(whole)), Some(overtime)) => {
                if property.ident() == "OM" {
                    let values = vec![Cow::Owned(overtime.clone().into_bytes())];
                    properties.push(Outgoing::new(whole, values));
                }
            }
            // It may stay, since FF[4] allows what it does not define.
            (converted, _) => properties.push(Outgoing {
                // Its values kept it from being converted, and in another form might not.
                is_final: converted.is_none() && has_other_successor(property.ident(), &context),
                ..as_it_is(property)
            }),
        }
    }
    properties
}

/// Repeats the properties of moves where the players alternate in a node, `W[bb]B[aa]W[cc]`: the moves are played in this
/// order.
fn keep_order_of_moves<'r>(node: &NodeRecord<'_>, properties: &mut Vec<Outgoing<'r>>) {
    const MOVES: [&str; 2] = ["B", "W"];
    let [Some(black), Some(white)] = MOVES.map(|name| node.get(name)) else { return };
    if black.len() + white.len() == 2 {
        return;
    }
    let mut moves: Vec<(u64, usize)> = black.values_with_offsets().map(|(_, at)| (at, 0)).collect();
    moves.extend(white.values_with_offsets().map(|(_, at)| (at, 1)));
    moves.sort_unstable();
    let mut runs = moves.chunk_by(|(_, one), (_, next)| one == next).map(|run| (run[0].1, run.len()));
    let at = MOVES.map(|name| properties.iter().position(|property| property.name == name));
    let [Some(black_at), Some(white_at)] = at else { return };
    let mut rest = [black_at, white_at].map(|at| mem::take(&mut properties[at].values).into_iter());
    let mut next = |player: usize, len: usize| rest[player].by_ref().take(len).collect::<Vec<_>>();
    let mut last = 0;
    for (player, len) in runs.by_ref().take(2) {
        last = [black_at, white_at][player];
        properties[last].values = next(player, len);
    }
    let repeated: Vec<_> = runs.map(|(player, len)| Outgoing::new(MOVES[player], next(player, len))).collect();
    properties.splice(last + 1..last + 1, repeated);
}

/// Writes what a value of a root [tells another property](InNode) there: `HA[호선 - 6집 반 공제]` becomes `HA[0]KM[6.5]`. All
/// values are canonical otherwise. Returns whether a property is new.
fn tell_others(properties: &mut Vec<Outgoing<'_>>, to: &Context) -> bool {
    let before = properties.len();
    // A komi may come from HA.
    for name in ["HA", "TM", "KM"] {
        let find = |name: &str| properties.iter().position(|known| known.name == name);
        let text_of = |at: usize| match &properties[at] {
            Outgoing { values, is_final: false, .. } if values.len() == 1 => str::from_utf8(&values[0]).ok(),
            _ => None,
        };
        let rules = find("RU").and_then(text_of);
        let row = property::lookup(Ident::new(name.as_bytes()), to);
        let Some(at) = find(name) else { continue };
        let form = text_of(at).and_then(|text| InNode::of(row?, text, rules)).filter(|form| form.fits(to));
        let Some(form) = form else { continue };
        if let Some((other, value)) = &form.beside {
            let value = Cow::Owned(value.clone().into_bytes());
            match find(other).map(|at| (at, text_of(at))) {
                None => properties.push(Outgoing::new(*other, vec![value])),
                Some((at, Some(text))) if text.trim_ascii().is_empty() => properties[at].values = vec![value],
                Some((_, Some(text))) if form.agrees_with(text, rules) => {}
                Some(_) => continue,
            }
        }
        properties[at].values = vec![Cow::Owned(form.value.into_bytes())];
    }
    properties.len() > before
}

fn as_it_is(property: PropertyRef<'_>) -> Outgoing<'_> {
    let values = property.values().map(|value| Cow::Borrowed(value.as_bytes()));
    Outgoing::new(property.ident().name(), values.collect())
}

fn has_other_successor(ident: Ident<'_>, context: &Context) -> bool {
    property::lookup(ident, context).is_some_and(|row| matches!(row.successor(), Successor::Other(_)))
}

/// Joins older properties with their successors in the same node, once all values are canonical. Lists become one list,
/// the older values last. Single values become one if they are equal; otherwise the older property is kept, unless FF\[4\]
/// takes it for another property (the komi `KO[1]` of SGF2 is a `KO` of FF\[4\]).
fn unite<'c>(properties: &mut Vec<Outgoing<'_>>, rules_of: impl Fn(&str) -> Values<'c>) {
    let mut at = 0;
    while at < properties.len() {
        let met = properties[at].meets.take();
        work::note(if met.is_some() { 2 * properties.len() } else { 1 }); // it is searched, and may be removed
        let met = met.and_then(|(ident, values)| Some((properties.iter().position(|p| p.name == ident)?, values)));
        let Some((to, mut values)) = met else {
            at += 1;
            continue;
        };
        let rules = rules_of(&properties[to].name);
        rules.make_canonical(&mut values);
        let mut known = properties[to].values.clone();
        rules.make_canonical(&mut known);
        work::note(known.len() + values.len());
        // Points beside the board have no canonical form, and may be spelled in two ways.
        let known_points: HashSet<_> = known.iter().filter_map(|value| rules.points(value)).collect();
        let known: HashSet<_> = known.into_iter().collect();
        let is_known_area = |value: &[u8]| rules.points(value).is_some_and(|points| known_points.contains(&points));
        values.retain(|value| !known.contains(value) && !is_known_area(value));
        let is_list = rules.row.is_some_and(|row| row.list() != List::Single);
        let own = rules_of(&properties[at].name);
        if values.is_empty() || is_list || own.are_of_ff4() && own.fit(&properties[at].values) {
            properties[to].values.extend(values);
            properties.remove(at);
            continue;
        }
        if own.are_of_ff4() {
            own.make_canonical(&mut properties[at].values); // as when it is read again
        }
        at += 1;
    }
}

/// Returns the `OT` for `OM` and `OP`, unless the node has one.
fn overtime(node: &NodeRecord<'_>) -> Option<String> {
    let one = |name| node.get(name).filter(|property| property.len() == 1).map(PropertyRef::first);
    let (moves, length) = (one("OM")?, one("OP")?);
    if node.contains("OT") { None } else { successors::overtime(moves, length) }
}

/// Returns the position of a property in the root.
fn place_in_root(name: &str) -> usize {
    let name = <[u8; 2]>::try_from(name.as_bytes()).ok();
    name.and_then(|name| ROOT.iter().position(|known| **known == name)).unwrap_or(ROOT.len())
}

/// Sets `FF[4]` in a root.
fn set_version(properties: &mut Vec<Outgoing<'_>>) {
    let values = vec![Cow::Borrowed(&b"4"[..])];
    match properties.iter_mut().find(|property| property.name == "FF") {
        Some(version) => version.values = values,
        None => properties.push(Outgoing::new("FF", values)),
    }
}

/// Returns the length of a value on a line, with its brackets, in bytes. `usize::MAX` if it has line breaks.
fn len_of_value(value: &[u8]) -> usize {
    if memchr::memchr(b'\n', value).is_some() { usize::MAX } else { value.len() + "[]".len() }
}

/// Returns the length of a node on a line, in bytes. `usize::MAX` if it has line breaks.
fn len(properties: &[Outgoing<'_>]) -> usize {
    let value = |value: &Cow<'_, [u8]>| len_of_value(value);
    let property = |of: &Outgoing<'_>| of.values.iter().map(value).fold(of.name.len(), usize::saturating_add);
    properties.iter().map(property).fold(";".len(), usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::parser::Parser;

    /// Properties that canonical form changes or not, alone or beside others.
    const PROPERTIES: &[&str] = &[
        "B[dd]",
        "W[tt]",
        "B[DD]",
        "W[zz]",
        "B[d4]",
        "B[dd][pp]",
        "BL[1793]",
        "WL[12.50]",
        "BL[3.25]",
        "BL[-0]",
        "OB[3]",
        "OB[03]",
        "MN[12345678901234567890]",
        "V[0.0]",
        "V[.5]",
        "C[a text]",
        "C[a\ttext]",
        "C[two\nlines]",
        "N[two\nlines]",
        "C[\\]\\\\]",
        "C[\\n]",
        "C[see (;GM\\[1]",
        "C[~{]",
        "N[\u{1b}$B]",
        "LB[dd:1][pp:2]",
        "LB[dd]",
        "AB[aa][bb:cc]",
        "AE[cc:bb]",
        "AB[]",
        "DD[]",
        "TR[aa]TR[bb]",
        "Ko[]",
        "KO[]",
        "KO[1]",
        "CA[GBK]",
        "FF[3]",
        "VW[]",
        "L[aa]LB[bb:x]",
        "M[aa]",
        "OM[25]OP[300]",
        "QQ[x]",
        "P[]",
        "PL[black]",
        "PL[B]",
        "FG[257:x]",
        "DM[1]",
        "DM[]",
        "KI[11]",
        "SE[a1]",
    ];

    /// Law L9 of nodes that stay unchanged.
    #[test]
    fn an_unchanged_node_is_written_as_any_other() {
        let mut unchanged = 0;
        for root in ["FF[4]", "FF[3]SZ[9]", "GM[11]", "SZ[26]", "TE[x]GK[1]"] {
            for (first, second) in
                PROPERTIES.iter().flat_map(|first| PROPERTIES.iter().map(move |second| (first, second)))
            {
                let mut canonical = Canonical::new();
                let mut output = Output::new(Vec::new()).with_lines(20);
                let game = format!("(;{root};{first}{second})");
                let mut nodes = 0;
                let events = Parser::new().parse(game.as_bytes(), |event, _| match event {
                    Event::Node => {
                        nodes += 1;
                        canonical.end_node(&mut output).unwrap();
                        canonical.start(if nodes == 1 { NodePlace::Root } else { NodePlace::Variation });
                    }
                    Event::Property(_) | Event::Value(_) => canonical.push(event).unwrap(),
                    _ => {}
                });
                assert!(events.is_ok() && nodes == 2);
                if canonical.is_unchanged() {
                    unchanged += 1;
                    let mut fast = Output::new(Vec::new()).with_lines(20);
                    let mut slow = Output::new(Vec::new()).with_lines(20);
                    canonical.write_unchanged(NodePlace::Variation, &mut fast).unwrap();
                    canonical.write_changed(NodePlace::Variation, None, &mut slow).unwrap();
                    for output in [&mut fast, &mut slow] {
                        output.end_tree(true).unwrap();
                        output.flush().unwrap();
                    }
                    let [fast, slow] = [fast, slow].map(|output| output.get_ref().escape_ascii().to_string());
                    assert_eq!(fast, slow, "{game}");
                }
            }
        }
        assert!(unchanged > 500, "{unchanged}");
    }
}

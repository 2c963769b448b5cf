//! Canonical style: node by node, in the form of FF\[4\].
//!
//! A node is held until it is over, since what becomes of a property may depend on others of the
//! node: on a second one of the same name, on its successor in FF\[4\], on the root's `GM` and `CA`.
//!
//! Canonical form is a fixed point: what is written reads as what writes the same again. So
//! everything that is decided here is decided by what will be in the output, in its version and
//! with its charset; what comes of a value is [checked](value) to stay as it is.

mod text;
mod value;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use self::value::Values;
use super::WriteError;
use super::escape::escaped;
use super::output::Output;
use crate::node::{NodeRecord, PropertyRef, RootFacts};
use crate::property::convert::{self, Converted};
use crate::property::{self, Context, List, Successor};
use crate::raw::two_byte::TwoByte;
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::value::RawValue;
use crate::work;

/// How long lines are, in bytes, unless the caller wants others.
pub(super) const WIDTH: usize = 80;

/// The properties that a root starts with, in this order. The others follow as they come. `FF` has to
/// come first and `CA` behind it: nothing that has a charset may stand in front.
#[rustfmt::skip]
const ROOT: &[&str] = &[
    "FF", "CA", "GM", "AP", "ST", "SZ",
    "GN", "EV", "RO", "PC", "DT",
    "PB", "BR", "BT", "PW", "WR", "WT",
    "RE", "RU", "KM", "HA", "TM", "OT", "ON",
    "AN", "US", "SO", "CP", "GC",
];

/// A node under way, and what its game has said of itself.
#[derive(Debug)]
pub(super) struct Canonical {
    node: NodeRecord<'static>,
    /// The longest node that is held: see [`Parser::max_node_len`](crate::Parser::max_node_len).
    max_node_len: usize,
    is_too_long: bool,
    place: Option<Place>,
    /// What the root says, as it was written; as it is behind the root.
    from: Context,
    /// The same in FF\[4\].
    to: Context,
    /// The last node that went out was the root.
    behind_root: bool,
}

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    /// The first node of a variation.
    Variation,
    Sequence,
}

/// A property on its way out.
#[derive(Debug)]
pub(crate) struct Outgoing<'r> {
    pub(crate) name: Cow<'r, str>,
    pub(crate) values: Vec<Cow<'r, [u8]>>,
    /// The values are to stay as they are.
    is_final: bool,
    /// What it would be in FF\[4\], but for a property of the node that is that already.
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
            max_node_len: crate::read::parser::MAX_NODE_LEN,
            is_too_long: false,
            place: None,
            from,
            to,
            behind_root: false,
        }
    }

    pub(super) fn set_max_node_len(&mut self, bytes: usize) {
        self.max_node_len = bytes;
    }

    /// Refuses everything after a node that was too long: without what was refused it would say less.
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

    /// A node begins.
    pub(super) fn start(&mut self, place: Place) {
        self.node.start(0);
        self.place = Some(place);
    }

    /// A property, a value, or a part of one.
    pub(super) fn push(&mut self, event: Event<'_>) -> Result<(), WriteError> {
        if self.node.take_up_to(self.max_node_len, event, 0) {
            return Ok(());
        }
        self.is_too_long = true;
        Err(self.too_long())
    }

    /// Writes the node that is under way.
    pub(super) fn end_node<W: Write>(&mut self, output: &mut Output<W>) -> io::Result<()> {
        let Some(place) = self.place.take() else { return Ok(()) };
        let is_root = place == Place::Root;
        let charset = if is_root { self.read_root(output) } else { output.charset() };
        let mut properties = in_ff4(&self.node, if is_root { self.from } else { self.from.after_root() });
        if is_root {
            set_version(&mut properties);
            properties
                .sort_by_key(|property| ROOT.iter().position(|name| *name == property.name).unwrap_or(ROOT.len()));
        }
        let rules_of = |name: &str| {
            let row = property::lookup(Ident::new(name.as_bytes()), &self.to);
            Values { row, context: &self.to, charset }
        };
        for Outgoing { name, values, is_final, .. } in &mut properties {
            let rules = rules_of(name);
            match &**name {
                // What names the charset decides how all others are read: better not touched.
                "CA" if is_root => {
                    let (first, others) = values.split_at_mut(1);
                    Values { charset: None, ..rules }.make_sound(first);
                    rules.make_sound(others);
                }
                "CA" => rules.make_sound(values),
                _ if *is_final => rules.make_sound(values),
                _ => rules.make_canonical(values),
            }
        }
        unite(&mut properties, rules_of);
        if place != Place::Sequence {
            output.tree(is_root)?;
        } else if self.behind_root {
            output.break_line()?;
        }
        if !is_root {
            output.keep_together(len(&properties))?;
        }
        output.node(is_root)?;
        self.behind_root = is_root;
        for Outgoing { name, values, .. } in &properties {
            let mut ident = Some(Ident::new(name.as_bytes()));
            for value in values {
                output.value(ident.take(), ValuePart { bytes: value, end: PartEnd::Complete })?;
            }
        }
        Ok(())
    }

    /// Takes up what the root says of its game.
    fn read_root<W: Write>(&mut self, output: &Output<W>) -> Option<TwoByte> {
        let facts = RootFacts::of_root(&self.node);
        self.from = facts.root_context();
        self.to = Context::new(self.from.game(), 4);
        if let Some(board) = self.from.board() {
            self.to = self.to.with_size(board);
        }
        let label = facts.charset().filter(|label| !label.as_bytes().trim_ascii().is_empty());
        let named = label.and_then(|label| TwoByte::of_label(&escaped(label.as_bytes(), None)));
        output.charset_of(named, label.is_some())
    }
}

/// The properties of a node in the form of FF\[4\], as far as they have one, in a game that is then in the
/// context `to`, and whose `CA` has this value. What need not change is as it was.
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

/// The same, but that older properties may meet their successors.
fn in_ff4<'r>(node: &'r NodeRecord<'_>, context: Context) -> Vec<Outgoing<'r>> {
    let mut properties: Vec<Outgoing<'r>> = Vec::with_capacity(node.len() + 1);
    let overtime = overtime(node);
    for property in node {
        let raw: Vec<RawValue<'r>> = property.values().collect();
        match (convert::to_ff4(property.ident(), &raw, &context), &overtime) {
            (Some(Converted::Property { ident, values }), _) => {
                work::note(properties.len());
                let is_there = |ident| properties.iter().any(|known| known.name == ident) || node.contains(ident);
                properties.push(match property.ident() != ident && is_there(ident) {
                    true => Outgoing { is_final: true, meets: Some((ident, values)), ..as_it_is(property) },
                    false => Outgoing::new(ident, values),
                });
            }
            (Some(Converted::PartOf(whole)), Some(overtime)) => {
                if property.ident() == "OM" {
                    let values = vec![Cow::Owned(overtime.clone().into_bytes())];
                    properties.push(Outgoing::new(whole, values));
                }
            }
            // It may stay: what FF[4] does not define, it allows.
            (converted, _) => properties.push(Outgoing {
                // What its values are kept it from being converted, and in another form they might not.
                is_final: converted.is_none() && has_other_successor(property.ident(), &context),
                ..as_it_is(property)
            }),
        }
    }
    properties
}

fn as_it_is(property: PropertyRef<'_>) -> Outgoing<'_> {
    let values = property.values().map(|value| Cow::Borrowed(value.as_bytes()));
    Outgoing::new(property.ident().name(), values.collect())
}

fn has_other_successor(ident: Ident<'_>, context: &Context) -> bool {
    property::lookup(ident, context).is_some_and(|row| matches!(row.successor(), Successor::Other(_)))
}

/// What becomes of older properties whose successor is in the node too, once all values are canonical:
/// lists become one list, behind what is in it already. A single value is not given another: where both
/// say the same they are one, and otherwise the older property stays what it is. That will not do
/// where FF\[4\] takes it for something else (the komi `KO[1]` of SGF2 is a `KO` of FF\[4\]).
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
        // What is beside the board has no canonical form, and may be spelled in two ways.
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
            own.make_canonical(&mut properties[at].values); // as next time
        }
        at += 1;
    }
}

/// The `OT` that `OM` and `OP` make, unless the node has one.
fn overtime(node: &NodeRecord<'_>) -> Option<String> {
    let one = |name| node.get(name).filter(|property| property.len() == 1).map(PropertyRef::first);
    let (moves, length) = (one("OM")?, one("OP")?);
    if node.contains("OT") { None } else { convert::overtime(moves, length) }
}

/// `FF[4]`, for a root.
fn set_version(properties: &mut Vec<Outgoing<'_>>) {
    let values = vec![Cow::Borrowed(&b"4"[..])];
    match properties.iter_mut().find(|property| property.name == "FF") {
        Some(version) => version.values = values,
        None => properties.push(Outgoing::new("FF", values)),
    }
}

/// How many bytes a node takes on a line, if it has no line breaks.
fn len(properties: &[Outgoing<'_>]) -> usize {
    let value = |value: &Cow<'_, [u8]>| if value.contains(&b'\n') { usize::MAX } else { value.len() + "[]".len() };
    let property = |of: &Outgoing<'_>| of.values.iter().map(value).fold(of.name.len(), usize::saturating_add);
    properties.iter().map(property).fold(";".len(), usize::saturating_add)
}

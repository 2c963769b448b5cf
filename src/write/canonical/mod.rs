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
use super::escape::escaped;
use super::output::Output;
use crate::event::{Event, Ident, PartEnd, ValuePart};
use crate::property::convert::{self, Converted};
use crate::property::{self, Context, Successor};
use crate::record::{NodeRecord, PropertyRef};
use crate::tokenizer::two_byte::TwoByte;
use crate::value::RawValue;

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
}

impl Canonical {
    pub(super) fn new() -> Self {
        let (from, to) = (Context::default(), Context::default());
        Canonical { node: NodeRecord::new(), place: None, from, to, behind_root: false }
    }

    /// A node begins.
    pub(super) fn start(&mut self, place: Place) {
        self.node.start(0);
        self.place = Some(place);
    }

    /// A property, a value, or a part of one.
    pub(super) fn push(&mut self, event: Event<'_>) {
        self.node.push(event, 0);
    }

    /// Writes the node that is under way.
    pub(super) fn end_node<W: Write>(&mut self, output: &mut Output<W>) -> io::Result<()> {
        let Some(place) = self.place.take() else { return Ok(()) };
        let is_root = place == Place::Root;
        let charset = if is_root { self.read_root() } else { output.charset() };
        let mut properties = in_ff4(&self.node, if is_root { self.from } else { self.from.after_root() });
        if is_root {
            set_version(&mut properties);
            properties
                .sort_by_key(|property| ROOT.iter().position(|name| *name == property.name).unwrap_or(ROOT.len()));
        }
        for Outgoing { name, values, is_final } in &mut properties {
            let row = property::lookup(Ident::new(name.as_bytes()), &self.to);
            let rules = Values { row, context: &self.to, charset };
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
    fn read_root(&mut self) -> Option<TwoByte> {
        self.from = Context::default();
        // The first value that says something counts, and GM more than what stands for it in SGF2.
        let (last, first): (Vec<_>, Vec<_>) = self.node.iter().partition(|property| property.ident() == "GM");
        for property in first.into_iter().chain(last) {
            for value in property.values().collect::<Vec<_>>().into_iter().rev() {
                self.from.note(property.ident(), value);
            }
        }
        self.to = Context::new(self.from.game(), 4);
        if let Some(board) = self.from.board() {
            self.to = self.to.with_size(board);
        }
        let label = self.node.get("CA")?.first();
        TwoByte::of_label(&escaped(label.as_bytes(), None))
    }
}

/// The properties of a node in the form of FF\[4\], as far as they have one.
pub(crate) fn in_ff4<'r>(node: &'r NodeRecord<'_>, context: Context) -> Vec<Outgoing<'r>> {
    let mut properties: Vec<Outgoing<'r>> = Vec::with_capacity(node.len() + 1);
    let mut second = Vec::new();
    let overtime = overtime(node);
    for property in node {
        let raw: Vec<RawValue<'r>> = property.values().collect();
        match (convert::to_ff4(property.ident(), &raw, &context), &overtime) {
            (Some(Converted::Property { ident, values }), _) => {
                let converted = Outgoing { name: Cow::Borrowed(ident), values, is_final: false };
                if property.ident() != ident && node.contains(ident) {
                    second.push(converted); // behind those that are in this form already
                } else {
                    join(&mut properties, converted);
                }
            }
            (Some(Converted::PartOf(whole)), Some(overtime)) => {
                if property.ident() == "OM" {
                    let values = vec![Cow::Owned(overtime.clone().into_bytes())];
                    properties.push(Outgoing { name: Cow::Borrowed(whole), values, is_final: false });
                }
            }
            // It may stay: what FF[4] does not define, it allows.
            (converted, _) => properties.push(Outgoing {
                name: property.ident().name(),
                values: raw.iter().map(|value| Cow::Borrowed(value.as_bytes())).collect(),
                // What its values are kept it from being converted, and in another form they might not.
                is_final: converted.is_none() && has_other_successor(property.ident(), &context),
            }),
        }
    }
    second.into_iter().for_each(|converted| join(&mut properties, converted));
    properties
}

fn has_other_successor(ident: Ident<'_>, context: &Context) -> bool {
    property::lookup(ident, context).is_some_and(|row| matches!(row.successor(), Successor::Other(_)))
}

/// Adds a converted property, of which there are a few kinds only, or its values to that of the same name.
fn join<'r>(properties: &mut Vec<Outgoing<'r>>, converted: Outgoing<'r>) {
    let Some(same) = properties.iter_mut().find(|property| property.name == converted.name) else {
        return properties.push(converted);
    };
    let known: HashSet<_> = same.values.iter().cloned().collect();
    same.values.extend(converted.values.into_iter().filter(|value| !known.contains(value)));
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
        None => properties.push(Outgoing { name: Cow::Borrowed("FF"), values, is_final: true }),
    }
}

/// How many bytes a node takes on a line, if it has no line breaks.
fn len(properties: &[Outgoing<'_>]) -> usize {
    let value = |value: &Cow<'_, [u8]>| if value.contains(&b'\n') { usize::MAX } else { value.len() + "[]".len() };
    let property = |of: &Outgoing<'_>| of.values.iter().map(value).fold(of.name.len(), usize::saturating_add);
    properties.iter().map(property).fold(";".len(), usize::saturating_add)
}

//! Converts the draft of a game to events.

use std::io;

use super::Error;
use super::draft::{Draft, Property};
use super::values::{Rules, Values};
use crate::node::{EventList, RootFacts};
use crate::property::Context;
use crate::raw::RawValue;
use crate::raw::two_byte::TwoByte;
use crate::syntax::event::{Event, Ident};
use crate::write::{WriteError, Writer};

/// A game as events, ready to be written. It is complete before the first event is written, so that a game with an
/// error writes nothing. It is reused for the next game.
#[derive(Default)]
pub(super) struct Output {
    events: EventList,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    values: Values,
    others: Values,
    /// The properties of a node, in the order of arrival; then the properties by name.
    properties: Vec<usize>,
    by_name: Vec<usize>,
}

impl Output {
    /// Converts a game.
    pub(super) fn fill(&mut self, draft: &Draft, options: Options) -> Result<(), Error> {
        self.events.clear();
        let (root, charset, two_byte) = self.rules(draft, options).map_err(|error| error.in_node(0))?;
        let after_root = Rules { context: root.context.after_root(), two_byte, ..root };
        let (mut tree, mut number) = (0, 0);
        loop {
            self.events.push(Event::StartTree, 0);
            for node in draft.nodes_of(tree) {
                let added = match number {
                    0 => self.root(draft, node, root, charset, two_byte),
                    _ => self.node(draft, node, &after_root),
                };
                added.map_err(|error| error.in_node(number))?;
                number += 1;
            }
            if let Some(variation) = draft.trees[tree].variations.first() {
                tree = variation;
                continue;
            }
            loop {
                self.events.push(Event::EndTree, 0);
                match (draft.trees[tree].next, draft.trees[tree].parent) {
                    (Some(next), _) => {
                        tree = next;
                        break;
                    }
                    (None, Some(parent)) => tree = parent,
                    (None, None) => return Ok(()),
                }
            }
        }
    }

    /// Writes the game.
    pub(super) fn write<W: io::Write>(&self, writer: &mut Writer<W>) -> Result<(), WriteError> {
        self.events.iter().try_for_each(|(event, _)| writer.write(event))
    }

    /// Evaluates the root. Returns the rules for the root itself, up to its `CA`, the relation of `CA` to the texts,
    /// and the two-byte charset declared from there on.
    fn rules(&mut self, draft: &Draft, options: Options) -> Result<(Rules, Charset, Option<TwoByte>), Error> {
        let Options { normalize, replace_charset, compress_points } = options;
        let context = Context::default();
        let mut rules = Rules { context, two_byte: None, normalize, is_utf8: false, compress_points };
        let mut facts = RootFacts::new();
        let values = &mut self.scratch.values;
        for property in draft.properties_of(draft.trees[0].root) {
            let property = &draft.properties[property];
            let ident = Ident::new(draft.name(property));
            // Invalid values are errors later, when the property is written. The properties that determine the
            // context look the same in any context.
            if values.fill(draft, property, &rules).is_err() {
                continue;
            }
            facts.note_all(ident, values.iter());
        }
        rules.context = facts.root_context();
        let label = facts.charset().map(RawValue::as_bytes);
        let charset = match &label {
            Some(label) if replace_charset && !is_utf8(label) => {
                rules.is_utf8 = true;
                return Ok((rules, Charset::Replaced, None));
            }
            _ if draft.is_ascii() => Charset::Fits,
            // As they were read: some of them happen to be UTF-8.
            None if draft.is_raw_in_another_charset() => Charset::Fits,
            None => {
                rules.is_utf8 = true;
                Charset::Missing
            }
            Some(label) if is_utf8(label) => Charset::Fits,
            Some(label) => {
                let label = label.escape_ascii();
                let found = format!("\"{label}\"; see `Serializer::replace_charset`");
                let expected = "UTF-8, because the game has texts that are not ASCII";
                return Err(Error::expected(expected, &found).in_property("CA"));
            }
        };
        Ok((rules, charset, label.and_then(TwoByte::of_label)))
    }

    fn root(
        &mut self,
        draft: &Draft,
        node: usize,
        mut rules: Rules,
        charset: Charset,
        two_byte: Option<TwoByte>,
    ) -> Result<(), Error> {
        self.events.push(Event::Node, 0);
        self.scratch.merge(draft, node, &rules)?;
        let mut missing = charset == Charset::Missing;
        for at in 0..self.scratch.properties.len() {
            let property = &draft.properties[self.scratch.properties[at]];
            let name = draft.name(property);
            if missing && !matches!(name, b"FF" | b"GM") {
                self.charset();
                missing = false;
            }
            if name == b"CA" && charset == Charset::Replaced {
                self.charset();
                continue;
            }
            self.property(draft, property, &rules)?;
            if name == b"CA" {
                rules.two_byte = two_byte;
            }
        }
        if missing {
            self.charset();
        }
        Ok(())
    }

    fn node(&mut self, draft: &Draft, node: usize, rules: &Rules) -> Result<(), Error> {
        self.events.push(Event::Node, 0);
        self.scratch.merge(draft, node, rules)?;
        for at in 0..self.scratch.properties.len() {
            self.property(draft, &draft.properties[self.scratch.properties[at]], rules)?;
        }
        Ok(())
    }

    fn property(&mut self, draft: &Draft, property: &Property, rules: &Rules) -> Result<(), Error> {
        let values = &mut self.scratch.values;
        values.fill(draft, property, rules).map_err(|error| in_property(error, draft, property))?;
        if !values.is_empty() {
            self.events.push(Event::Property(Ident::new(draft.name(property))), 0);
        }
        values.iter().for_each(|value| self.events.push(Event::Value(value), 0));
        Ok(())
    }

    /// Adds `CA[UTF-8]`.
    fn charset(&mut self) {
        self.events.push(Event::Property(Ident::new(b"CA")), 0);
        self.events.push(Event::Value(RawValue::new(b"UTF-8")), 0);
    }
}

impl Scratch {
    /// Collects the properties of a node, each once. A property from two sources, a field and `$rest`, is one if both
    /// have equal values.
    fn merge(&mut self, draft: &Draft, node: usize, rules: &Rules) -> Result<(), Error> {
        let Scratch { values, others, properties, by_name } = self;
        properties.clear();
        properties.extend(draft.properties_of(node));
        if properties.len() < 2 {
            return Ok(());
        }
        let name = |property: usize| draft.name(&draft.properties[property]);
        by_name.clear();
        by_name.extend_from_slice(properties);
        by_name.sort_unstable_by_key(|&property| (name(property), property));
        let mut repeated = false;
        for pair in by_name.windows(2) {
            let (first, second) = (&draft.properties[pair[0]], &draft.properties[pair[1]]);
            if name(pair[0]) != name(pair[1]) {
                continue;
            }
            repeated = true;
            for (values, property) in [(&mut *values, first), (&mut *others, second)] {
                values.fill(draft, property, rules).map_err(|error| in_property(error, draft, property))?;
            }
            if values != others {
                let error = "the node has two different properties of this name";
                return Err(in_property(Error::new(error), draft, first));
            }
        }
        if repeated {
            by_name.dedup_by_key(|property| name(*property));
            by_name.sort_unstable();
            properties.clone_from(by_name);
        }
        Ok(())
    }
}

/// The relation of `CA` to the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charset {
    /// It is correct, or does not matter.
    Fits,
    /// It is missing although texts are not ASCII. It must be added before the first of them.
    Missing,
    /// It names another charset, and must be replaced.
    Replaced,
}

/// The caller's options.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Options {
    /// Whether to convert white space that SGF cannot represent, instead of failing.
    pub(super) normalize: bool,
    /// Whether to write `CA[UTF-8]` instead of another charset.
    pub(super) replace_charset: bool,
    /// Whether to compress point lists to rectangles.
    pub(super) compress_points: bool,
}

/// Returns whether a label spells UTF-8, ignoring case, hyphens and blanks.
fn is_utf8(label: &[u8]) -> bool {
    let letters = label.iter().filter(|byte| !matches!(byte, b'-' | b'_' | b' '));
    letters.map(u8::to_ascii_lowercase).eq(*b"utf8")
}

#[cold]
fn in_property(error: Error, draft: &Draft, property: &Property) -> Error {
    error.in_property(&String::from_utf8_lossy(draft.name(property)))
}

//! The properties of a node that games have added to. They are written to the tree once, at the end.
//!
//! Many games may add to one node, above all to the root. Each looks up what it adds, and appends: it neither reads nor writes
//! the rest of the node.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::key::compared;
use crate::property::facts::OneOf;
use crate::property::{Context, List, Property, ValueType};
use crate::syntax::event::Ident;
use crate::tree::{NodeProperties, NodeProperty, packed};
use crate::value::RawValue;
use crate::value::typed::trim;
use crate::work;

/// A blank line, which separates paragraphs.
const BLANK: &[u8] = b"\n\n";

/// Number of values that are shown of a property that keeps its values.
pub(super) const MOST_KEPT: usize = 16;

/// The properties of a node.
#[derive(Default)]
pub(super) struct Held {
    properties: Vec<HeldProperty>,
    /// Indexes of properties.
    by_name: HashMap<Vec<u8>, usize>,
    /// Number of bytes that are not yet in the tree.
    pub(super) pending: usize,
}

struct HeldProperty {
    ident: Vec<u8>,
    /// Packed values.
    values: Vec<u8>,
    is_changed: bool,
    known: Option<Known>,
    /// The first values, once one of another game was left out.
    kept: Option<Arc<[Vec<u8>]>>,
}

/// What a property has, to be looked up.
#[derive(Default)]
struct Known {
    values: HashSet<Box<[u8]>>,
    has_empty: bool,
    /// For texts: all values as one, and its paragraphs.
    text: Vec<u8>,
    paragraphs: HashSet<Box<[u8]>>,
    /// For points with a text: the value of each point.
    labels: HashMap<Box<[u8]>, Vec<u8>>,
}

/// A value that is not added, and what is in its way: the name of a property, and values of it.
pub(super) struct Left<'v> {
    pub(super) value: &'v [u8],
    pub(super) kept_ident: String,
    pub(super) kept: Arc<[Vec<u8>]>,
}

impl Held {
    pub(super) fn of(properties: NodeProperties<'_>) -> Self {
        let mut held = Held::default();
        properties.for_each(|property| _ = held.put(property));
        held
    }

    fn put(&mut self, property: NodeProperty<'_>) -> usize {
        let index = self.properties.len();
        self.by_name.insert(name_of(property.ident()), index);
        let (ident, values) = (property.ident().as_bytes().to_vec(), property.values.to_vec());
        self.properties.push(HeldProperty { ident, values, is_changed: false, known: None, kept: None });
        index
    }

    /// Returns the values of a property.
    pub(super) fn get(&self, name: Ident<'_>) -> Option<NodeProperty<'_>> {
        self.by_name.get(&name_of(name)).map(|&index| self.properties[index].as_property())
    }

    /// Adds a property of another game. `row`: the row of the property in the registry. Returns the number of bytes added,
    /// and the values that are left out.
    pub(super) fn add<'v>(
        &mut self,
        property: NodeProperty<'v>,
        row: Option<&Property>,
        context: &Context,
    ) -> (usize, Vec<Left<'v>>) {
        if let Some(&index) = self.by_name.get(&name_of(property.ident())) {
            return self.properties[index].unite(property, row, context);
        }
        let is_of_node = |set: &OneOf| matches!(set, OneOf::Annotation | OneOf::Evaluation);
        let others = row.and_then(Property::exclusion).filter(is_of_node).into_iter().flat_map(OneOf::rows);
        match others.filter_map(|other| self.by_name.get(other.ident().as_bytes())).min() {
            Some(&index) => {
                let all = property.values().map(RawValue::as_bytes).collect();
                (0, self.properties[index].leave(all))
            }
            None => {
                let index = self.put(property);
                self.properties[index].is_changed = true;
                (property.ident().as_bytes().len() + property.values.len(), Vec::new())
            }
        }
    }

    /// Adds a property of the node itself. Values that it lacks are added after those that it has.
    pub(super) fn add_beside(&mut self, property: NodeProperty<'_>) {
        let index = self.by_name.get(&name_of(property.ident())).copied();
        let index = index.unwrap_or_else(|| self.put(property));
        let own = &mut self.properties[index];
        own.is_changed = true;
        let known = own.known(None);
        let is_new = |value: &&[u8]| !known.values.contains(&*compared(value));
        let new: Vec<&[u8]> = property.values().map(RawValue::as_bytes).filter(is_new).collect();
        for value in new {
            packed::put_value(&mut own.values, value);
            own.known.iter_mut().for_each(|known| known.add(value, None));
        }
    }

    /// Returns the properties of a node, with those that have changed in their place, and those that are new at the end. `None`
    /// if none has changed.
    pub(super) fn written(&self, node: NodeProperties<'_>) -> Option<Vec<u8>> {
        if !self.properties.iter().any(|property| property.is_changed) {
            return None;
        }
        let (mut packed, mut is_written) = (Vec::new(), vec![false; self.properties.len()]);
        for property in node {
            let index = self.by_name.get(&name_of(property.ident())).copied();
            index.into_iter().for_each(|index| is_written[index] = true);
            index.map_or(property, |index| self.properties[index].as_property()).put(&mut packed);
        }
        let new =
            self.properties.iter().zip(is_written).filter(|(property, is_written)| !is_written && property.is_changed);
        new.for_each(|(property, _)| property.as_property().put(&mut packed));
        Some(packed)
    }
}

impl NodeProperty<'_> {
    fn put(self, packed: &mut Vec<u8>) {
        let opened = packed::open(packed, self.ident.as_bytes());
        packed.extend_from_slice(self.values);
        packed::close(packed, opened);
    }
}

impl HeldProperty {
    fn as_property(&self) -> NodeProperty<'_> {
        NodeProperty { ident: Ident::new(&self.ident), values: &self.values }
    }

    /// Unites the values with those of another game.
    fn unite<'v>(
        &mut self,
        other: NodeProperty<'v>,
        row: Option<&Property>,
        context: &Context,
    ) -> (usize, Vec<Left<'v>>) {
        if self.values == other.values {
            return (0, Vec::new());
        }
        let known = self.known(row);
        let is_new = |value: &&[u8]| !known.values.contains(&*compared(value));
        let new: Vec<&[u8]> = other.values().map(RawValue::as_bytes).filter(is_new).collect();
        let has_empty = known.has_empty;
        match row {
            _ if new.is_empty() => (0, Vec::new()),
            Some(row) if is_text(row) => (self.add_texts(new), Vec::new()),
            Some(row) if row.list() != List::Single && !has_empty && !new.iter().any(|value| value.is_empty()) => {
                self.add_to_list(new, row)
            }
            // `tt` and the empty value are the same pass, and so on.
            Some(row) if is_same(row, self.as_property(), other, context) => (0, Vec::new()),
            _ => (0, self.leave(new)),
        }
    }

    /// Returns what the property has. `row` is its row in the registry.
    fn known(&mut self, row: Option<&Property>) -> &Known {
        let property = NodeProperty { ident: Ident::new(&self.ident), values: &self.values };
        self.known.get_or_insert_with(|| {
            let mut known = Known::default();
            for value in property.values() {
                known.add(value.as_bytes(), row);
            }
            known
        })
    }

    /// Adds texts, each after a blank line, if they have paragraphs that are new.
    fn add_texts(&mut self, new: Vec<&[u8]>) -> usize {
        let Some(known) = &mut self.known else { return 0 };
        let before = known.text.len();
        for text in new {
            if !paragraphs(text).all(|paragraph| known.paragraphs.contains(&*compared(paragraph))) {
                known.add_text(text);
            }
        }
        self.is_changed |= known.text.len() > before;
        known.text.len() - before
    }

    fn add_to_list<'v>(&mut self, new: Vec<&'v [u8]>, row: &Property) -> (usize, Vec<Left<'v>>) {
        let kept_ident = Ident::new(&self.ident).name().into_owned();
        let Some(known) = &mut self.known else { return (0, Vec::new()) };
        // A point has one label.
        let label_of = |value: &[u8]| known.labels.get(&*point_of(value)?).cloned();
        let (mut left, mut added, before) = (Vec::new(), Vec::new(), self.values.len());
        for value in new {
            match label_of(value).filter(|_| row.value_type() == ValueType::PointText) {
                Some(label) => left.push(Left { value, kept_ident: kept_ident.clone(), kept: Arc::new([label]) }),
                None => added.push(value),
            }
        }
        for value in added {
            packed::put_value(&mut self.values, value);
            known.add(value, Some(row));
        }
        self.is_changed |= self.values.len() > before;
        self.kept = self.kept.take().filter(|_| self.values.len() == before);
        (self.values.len() - before, left)
    }

    /// Leaves values of another game out.
    fn leave<'v>(&mut self, values: Vec<&'v [u8]>) -> Vec<Left<'v>> {
        let property = NodeProperty { ident: Ident::new(&self.ident), values: &self.values };
        let first = || property.values().take(MOST_KEPT).map(|value| value.as_bytes().to_vec()).collect();
        let kept = self.kept.get_or_insert_with(first);
        let name = property.ident().name();
        let leave = |value| Left { value, kept_ident: name.clone().into_owned(), kept: Arc::clone(kept) };
        values.into_iter().map(leave).collect()
    }

    /// Makes the text the only value, if texts were added.
    fn close(&mut self) {
        if let Some(known) = self.known.as_mut().filter(|known| self.is_changed && !known.text.is_empty()) {
            self.values.clear();
            packed::put_value(&mut self.values, &known.text);
            known.text = Vec::new();
        }
    }
}

impl Held {
    /// Ends the additions.
    pub(super) fn close(&mut self) {
        self.properties.iter_mut().for_each(HeldProperty::close);
    }
}

impl Known {
    fn add(&mut self, value: &[u8], row: Option<&Property>) {
        work::note(1);
        self.has_empty |= value.is_empty();
        self.values.insert(compared(value).into());
        match row {
            Some(row) if is_text(row) => self.add_text(value),
            Some(row) if row.value_type() == ValueType::PointText => {
                if let Some(point) = point_of(value) {
                    self.labels.entry(point).or_insert_with(|| value.to_vec());
                }
            }
            _ => {}
        }
    }

    fn add_text(&mut self, text: &[u8]) {
        work::note(text.len());
        if !self.text.is_empty() {
            self.text.extend_from_slice(BLANK);
        }
        self.text.extend_from_slice(text);
        self.values.insert(compared(text).into());
        self.paragraphs.extend(paragraphs(text).map(|paragraph| compared(paragraph).into()));
    }
}

fn name_of(ident: Ident<'_>) -> Vec<u8> {
    ident.name().into_owned().into_bytes()
}

/// Returns whether several values of a property are one text, with a blank line between them.
fn is_text(row: &Property) -> bool {
    row.value_type() == ValueType::Text && row.list() == List::Single
}

/// Returns the paragraphs of a text, without the white space around them.
fn paragraphs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    work::note(text.len());
    let ends = memchr::memmem::find_iter(text, BLANK).chain([text.len()]);
    let mut start = 0;
    ends.map(move |end| {
        let paragraph = trim(&text[start..end]).0;
        start = (end + BLANK.len()).min(text.len());
        paragraph
    })
    .filter(|paragraph| !paragraph.is_empty())
}

/// Returns the point of a point with a text.
fn point_of(value: &[u8]) -> Option<Box<[u8]>> {
    RawValue::new(value).compose().map(|(point, _)| trim(point.as_bytes()).0.into())
}

/// Returns whether single values are equal once they are read.
fn is_same(row: &Property, known: NodeProperty<'_>, other: NodeProperty<'_>, context: &Context) -> bool {
    let read = |value: RawValue<'_>| row.parse_lenient(value, context).ok();
    let is_single = |property: NodeProperty<'_>| property.values().nth(1).is_none();
    is_single(known) && is_single(other) && read(known.first()).is_some_and(|known| Some(known) == read(other.first()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_paragraphs() {
        for (text, other, expected) in [
            ("a", "a", true),
            ("a", "b", false),
            ("a\n\nb", "a", true),
            ("a\n\nb", "b", true),
            ("a\n\n\nb", "b", true),
            ("x\n\na\n\nb", "a\n\nb", true),
            ("good move", "good", false),
            ("good move\n\ngood", "good", true),
            ("aa\n\na", "a", true),
            ("a", "", true),
        ] {
            let mut known = Known::default();
            known.add_text(text.as_bytes());
            let has_all = paragraphs(other.as_bytes()).all(|paragraph| known.paragraphs.contains(paragraph));
            assert_eq!(has_all, expected, "{text:?} {other:?}");
        }
    }
}

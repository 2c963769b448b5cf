//! Converts FF\[1\] to FF\[3\] into FF\[4\], in place.

use std::borrow::Cow;

use super::edit::EditError;
use super::{GameTree, packed};
use crate::node::NodeRecord;
use crate::property::convert::{self, Converted};
use crate::property::{self, Context, PropertyType};
use crate::syntax::event::{Event, Ident};
use crate::value::{Number, RawValue};
use crate::write::united_in_ff4;

/// Statistics returned by [`GameTree::convert_to_ff4`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Ff4Report {
    /// Number of nodes whose properties changed.
    pub changed: usize,
    /// Number of nodes added, because setup and moves shared one.
    pub added: usize,
    /// Number of properties left unchanged because FF\[4\] has no counterpart.
    ///
    /// They count as private properties.
    pub left: usize,
}

/// A property to be written to a node.
type Outgoing<'r> = (Cow<'r, str>, Vec<Cow<'r, [u8]>>);

impl GameTree {
    /// Converts the game to FF\[4\].
    ///
    /// * Properties of older versions and of dialects become those of FF\[4\], according to
    ///   [`convert`]; those without a counterpart are kept.
    /// * Identifiers lose their lower-case letters, except those with digits, which FF\[4\] does not have.
    /// * In a game that does not declare FF\[4\], a node with both setup and moves is split in two: the
    ///   first has the setup, the node name, and the root and game info properties. `TE`
    ///   before `BM` becomes `IT`, and `BM` before `TE` becomes `DO`.
    /// * The root gets `FF[4]`.
    ///
    /// Other values are left unchanged; the [canonical form](crate::write#canonical-form) of the writer normalizes them.
    /// Nodes keep their ids.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game: GameTree = "(;GaMe[1];AB[aa]N[a node]B[dd]L[dd][pp]C[both];W[qq]BM[1]TE[1]EL[3])".parse()?;
    /// let done = game.convert_to_ff4()?;
    /// assert_eq!((done.changed, done.added, done.left), (3, 1, 1));
    /// assert_eq!(
    ///     String::from_utf8(game.to_vec()?)?,
    ///     "(;FF[4]GM[1];AB[aa]N[a node];B[dd]LB[dd:A][pp:B]C[both];W[qq]DO[]EL[3])\n",
    /// );
    /// assert_eq!(game.convert_to_ff4()?.changed, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the tree is full. Some nodes are then converted, and others are not.
    pub fn convert_to_ff4(&mut self) -> Result<Ff4Report, EditError> {
        let from = self.context;
        let version = self.root().raw("FF").and_then(|raw| Number::parse_lenient(raw).ok());
        let is_old = version.is_none_or(|version| version.get() < 4);
        let mut to = Context::new(from.game(), 4).with_assumed_game(from.has_assumed_game());
        if let Some(board) = from.board() {
            to = to.with_size(board);
        }
        let label = self.root().raw("CA").map(|label| label.as_bytes().to_vec());
        let nodes: Vec<u32> = self.arena.preorder(0).collect();
        let (mut done, mut record) = (Ff4Report::default(), NodeRecord::new());
        for node in nodes {
            let (is_root, from) = (node == 0, if node == 0 { from } else { from.after_root() });
            let (has_older, left) = self.has_older(node, &from);
            done.left += left;
            let has_mixture = is_old && (self.mixes(node, &to) || self.is_good_and_bad(node));
            if !has_older && !has_mixture && !is_root {
                continue;
            }
            self.fill(node, &mut record);
            let mut properties: Vec<Outgoing<'_>> = match has_older {
                true => {
                    let properties = united_in_ff4(&record, from, &to, label.as_deref().map(RawValue::new));
                    properties.into_iter().map(|outgoing| (outgoing.name, outgoing.values)).collect()
                }
                false => as_they_are(&record).collect(),
            };
            spell_digits(&mut properties, &record);
            let mut second = Vec::new();
            if is_old {
                join_annotations(&mut properties);
                second = moves_of(&mut properties, &to, is_root);
            }
            if is_root {
                set_version(&mut properties);
            }
            let (first, second) = (pack(&properties), pack(&second));
            if *first != *self.arena.packed(node) {
                done.changed += 1;
                self.set_packed(node, &first)?;
            }
            if !second.is_empty() {
                done.added += 1;
                let below = self.push_down(node)?;
                self.set_packed(below, &second)?;
            }
        }
        Ok(done)
    }

    /// Returns whether a property of a node has another form in FF[4], and how many have no form there.
    fn has_older(&self, node: u32, from: &Context) -> (bool, usize) {
        let (mut has_older, mut left) = (false, 0);
        for property in self.arena.properties(node) {
            has_older |= property.ident().has_lowercase();
            // The row alone decides for nearly all properties.
            let Some(row) = property::lookup(property.ident(), from) else { continue };
            if row.successor() != property::Successor::Itself || matches!(row.ident(), "FF" | "VW") {
                let values: Vec<_> = property.values().collect();
                match convert::to_ff4(property.ident(), &values, from) {
                    Some(Converted::NoSuccessor) => left += 1,
                    converted => has_older |= converted.is_some(),
                }
            }
        }
        (has_older, left)
    }

    /// Returns whether a node has both setup and moves.
    fn mixes(&self, node: u32, to: &Context) -> bool {
        let types = || self.arena.properties(node).filter_map(|property| type_of(property.ident(), to));
        types().any(|of| of == PropertyType::Setup) && types().any(|of| of == PropertyType::Move)
    }

    /// Returns whether a node is annotated as a good and a bad move.
    fn is_good_and_bad(&self, node: u32) -> bool {
        let has = |name| self.arena.properties(node).any(|property| property.ident() == name);
        has("TE") && has("BM")
    }

    fn fill(&self, node: u32, record: &mut NodeRecord<'static>) {
        record.start(0);
        for property in self.arena.properties(node) {
            record.push(Event::Property(property.ident()), 0);
            property.values().for_each(|value| record.push(Event::Value(value), 0));
        }
    }
}

fn type_of(ident: Ident<'_>, to: &Context) -> Option<PropertyType> {
    property::lookup(ident, to).map(|row| row.property_type())
}

fn as_they_are<'r>(record: &'r NodeRecord<'_>) -> impl Iterator<Item = Outgoing<'r>> {
    record.iter().map(|property| {
        let values = property.values().map(RawValue::as_bytes).map(Cow::Borrowed);
        (property.ident().name(), values.collect())
    })
}

/// Restores the spelling of identifiers with digits, which FF[4] does not allow: without its lower-case letter,
/// `t1A` would be a name that no program knows.
fn spell_digits<'r>(properties: &mut [Outgoing<'r>], record: &'r NodeRecord<'_>) {
    for (name, _) in properties.iter_mut().filter(|(name, _)| name.bytes().any(|byte| byte.is_ascii_digit())) {
        if let Some(property) = record.get(name) {
            *name = property.ident().spelling();
        }
    }
}

/// Removes the move properties from a node with setup and a move, and returns them. Unknown ones are kept in a root.
fn moves_of<'r>(properties: &mut Vec<Outgoing<'r>>, to: &Context, is_root: bool) -> Vec<Outgoing<'r>> {
    let type_of = |property: &Outgoing<'_>| type_of(Ident::new(property.0.as_bytes()), to);
    let has = |wanted| properties.iter().any(|property| type_of(property) == Some(wanted));
    if !has(PropertyType::Setup) || !has(PropertyType::Move) {
        return Vec::new();
    }
    let stays = |property: &Outgoing<'_>| match type_of(property) {
        Some(PropertyType::Setup | PropertyType::Root | PropertyType::GameInfo) => true,
        Some(PropertyType::None) => property.0 == "N",
        Some(PropertyType::Move) => false,
        None => is_root,
    };
    let (first, second) = std::mem::take(properties).into_iter().partition(stays);
    *properties = first;
    second
}

/// Merges annotations: `TE` before `BM` is an interesting move, `BM` before `TE` a doubtful one.
fn join_annotations(properties: &mut Vec<Outgoing<'_>>) {
    let find = |name| properties.iter().position(|property| property.0 == name);
    if let (Some(good), Some(bad)) = (find("TE"), find("BM")) {
        let name = if good < bad { "IT" } else { "DO" };
        properties[good.min(bad)] = (Cow::Borrowed(name), vec![Cow::Borrowed(b"")]);
        properties.remove(good.max(bad));
    }
}

fn set_version(properties: &mut Vec<Outgoing<'_>>) {
    let values = vec![Cow::Borrowed(&b"4"[..])];
    match properties.iter_mut().find(|property| property.0 == "FF") {
        Some(version) => version.1 = values,
        None => properties.insert(0, (Cow::Borrowed("FF"), values)),
    }
}

fn pack(properties: &[Outgoing<'_>]) -> Vec<u8> {
    let mut packed = Vec::new();
    for (name, values) in properties {
        packed::put_property(&mut packed, name.as_bytes(), values.iter().map(|value| &**value));
    }
    packed
}

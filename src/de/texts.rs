//! The environment in which the values of a node are read: context, charset and callback.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};

use super::error::{Error, Result};
use super::options::Options;
#[cfg(feature = "charset")]
use crate::charset::{CharsetError, TreeDecoder};
use crate::node::{NodeRef, PropertyRef, RootFacts};
use crate::property::{Context, TextRule};
use crate::raw::RawValue;
use crate::read::listener::Listener;
use crate::syntax::diagnostic::{Code, Diagnostic, Position};
use crate::syntax::event::Ident;
use crate::value::{Budget, PointList};

/// Maximum number of diagnostics that wait for their lines.
const MOST_FOUND: usize = 100;

/// Maximum number of points of all rectangles in a game, which may have many such properties.
const MAX_POINTS_OF_GAME: u32 = 4 * <PointList>::MAX_POINTS as u32;

/// State of a game, apart from its nodes.
pub(super) struct Env {
    /// The context of the game. It is computed for the first property whose type is needed, which in many games is
    /// none. Before that, the root must be the first of the nodes in memory.
    context: OnceCell<Context>,
    /// Number of properties in the root.
    root_len: usize,
    pub(super) listener: Listener,
    /// Whether values must follow FF[4] exactly if Rust's types leave a choice.
    pub(super) is_strict: bool,
    pub(super) options: Options,
    /// Offset of the current node. A move sets it only if it is handled like any other node.
    pub(super) node_at: Cell<u64>,
    /// The points that the rectangles of the game may still be expanded to.
    budget: Cell<Budget>,
    /// Diagnostics to be reported. They have offsets; only the tokenizer knows the lines.
    found: RefCell<Vec<Diagnostic>>,
    #[cfg(feature = "charset")]
    decoder: Option<RefCell<TreeDecoder>>,
}

impl Env {
    pub(super) fn new(context: Context, listener: Listener) -> Self {
        Env {
            context: OnceCell::from(context),
            root_len: 0,
            listener,
            is_strict: false,
            options: Options::new(),
            node_at: Cell::new(0),
            budget: Cell::new(Budget::new(MAX_POINTS_OF_GAME)),
            found: RefCell::default(),
            #[cfg(feature = "charset")]
            decoder: None,
        }
    }

    /// Prepares for other data, with the same settings.
    #[cfg(feature = "codec")]
    pub(super) fn restart(&mut self) {
        let (listener, is_strict, options) = (self.listener.clone(), self.is_strict, self.options);
        *self = Env { is_strict, options, ..Env::new(Context::default(), listener) };
    }

    #[cfg(feature = "charset")]
    pub(super) fn decode_with(&mut self, decoder: TreeDecoder) {
        self.decoder = Some(RefCell::new(decoder));
    }

    /// Returns whether texts may be in a charset other than UTF-8.
    #[cfg(feature = "charset")]
    #[inline]
    pub(super) fn decodes(&self) -> bool {
        self.decoder.is_some()
    }

    #[cfg(not(feature = "charset"))]
    #[inline]
    pub(super) fn decodes(&self) -> bool {
        false
    }

    /// Returns whether the charset may depend on all texts of a root.
    #[cfg(feature = "charset")]
    pub(super) fn may_detect(&self) -> bool {
        self.decoder.as_ref().is_some_and(|decoder| decoder.borrow().may_detect())
    }

    #[cfg(not(feature = "charset"))]
    pub(super) fn may_detect(&self) -> bool {
        false
    }

    /// Returns whether a text of the game has to be decoded, and its charset depends on texts that follow.
    #[cfg(feature = "charset")]
    pub(super) fn is_undecided(&self) -> bool {
        self.decoder.as_ref().is_some_and(|decoder| decoder.borrow().is_open())
    }

    #[cfg(not(feature = "charset"))]
    pub(super) fn is_undecided(&self) -> bool {
        false
    }

    /// Decodes the rest of the game like its texts so far.
    pub(super) fn settle_charset(&mut self) {
        #[cfg(feature = "charset")]
        if let Some(decoder) = &mut self.decoder {
            decoder.get_mut().settle();
        }
    }

    /// Counts the points of an expanded rectangle.
    ///
    /// # Errors
    ///
    /// Fails if the rectangles of the game have too many points.
    pub(super) fn expand(&self, points: u64) -> Result<()> {
        let mut budget = self.budget.get();
        if budget.take(points) {
            self.budget.set(budget);
            return Ok(());
        }
        Err(Error::data("the rectangles of the game exceed the limit of 4,000,000 points"))
    }

    /// Starts a game with its root.
    pub(super) fn enter_root(&mut self, root: NodeRef<'_>, at: u64) {
        self.budget.set(Budget::new(MAX_POINTS_OF_GAME));
        self.context.take();
        self.root_len = root.len();
        #[cfg(feature = "charset")]
        if let Some(decoder) = &mut self.decoder {
            let decoder = decoder.get_mut();
            decoder.next_game();
            decoder.observe(crate::syntax::event::Event::StartTree, at);
        }
        self.observe(root, at);
    }

    /// Returns the context that decides the type of a property of a node in memory.
    #[inline]
    pub(super) fn context_of(&self, property: PropertyRef<'_>) -> &Context {
        self.context.get_or_init(|| context_of_root(property.first_node(self.root_len)))
    }

    /// Returns the context, after the type of a property has been looked up.
    pub(super) fn known_context(&self) -> Context {
        debug_assert!(self.context.get().is_some(), "a property has been looked up");
        self.context.get().copied().unwrap_or_default()
    }

    /// Computes the context, before the root is discarded.
    pub(super) fn settle_context(&self, root: Option<NodeRef<'_>>) {
        if let Some(root) = root {
            self.context.get_or_init(|| context_of_root(root));
        }
    }

    /// Leaves the root, which is the first of the nodes in memory unless the context has been computed.
    pub(super) fn leave_root(&mut self, root: Option<NodeRef<'_>>) {
        self.settle_context(root);
        if let Some(context) = self.context.get_mut() {
            *context = context.after_root();
        }
    }

    /// Sets the current node, other than the root.
    pub(super) fn enter_node(&mut self, node: NodeRef<'_>, at: u64) {
        self.observe(node, at);
    }

    #[cfg(feature = "charset")]
    fn observe(&mut self, node: NodeRef<'_>, at: u64) {
        use crate::syntax::event::Event;

        let Some(decoder) = &mut self.decoder else { return };
        let decoder = decoder.get_mut();
        decoder.observe(Event::Node, at);
        for property in node.iter() {
            decoder.observe(Event::Property(property.ident()), property.offset());
            for (value, at) in property.values_with_offsets() {
                decoder.observe(Event::Value(value), at);
            }
        }
        self.report_findings();
    }

    #[cfg(not(feature = "charset"))]
    fn observe(&mut self, _: NodeRef<'_>, _: u64) {}

    #[cfg(feature = "charset")]
    fn report_findings(&self) {
        if let Some(decoder) = &self.decoder {
            let findings = decoder.borrow_mut().take_diagnostics();
            findings.into_iter().for_each(|finding| self.report(finding.code));
        }
    }

    /// Adds a diagnostic about the current node.
    pub(super) fn report(&self, code: Code) {
        if self.listener.is_some() {
            let position = Position { offset: self.node_at.get(), ..Position::START };
            self.found.borrow_mut().push(Diagnostic::new(code, position));
        }
    }

    /// Returns whether the diagnostics must be reported now, to limit memory.
    #[inline]
    pub(super) fn has_found_much(&mut self) -> bool {
        self.found.get_mut().len() > MOST_FOUND
    }

    /// Calls the callback with the diagnostics, given the positions of their offsets.
    pub(super) fn report_found(&mut self, position: impl Fn(u64) -> Position) {
        for mut found in self.found.get_mut().drain(..) {
            found.position = position(found.position.offset);
            self.listener.report(found);
        }
    }

    /// Reports a property with a value that does not fit its field. `at` is its offset, if the error has none.
    pub(super) fn report_invalid_field(&self, ident: Ident<'_>, at: u64, error: &Error) {
        if self.listener.is_some() {
            let detail = format!("{}: {}", ident.name(), error.message());
            let position = Position { offset: error.offset().unwrap_or(at), ..Position::START };
            self.found.borrow_mut().push(Diagnostic::new(Code::InvalidField, position).with_detail(&detail));
        }
    }

    /// Reports that only the first value of a property was taken.
    #[cold]
    pub(super) fn report_extra_values(&self, ident: Ident<'_>, count: usize) {
        if self.listener.is_some() {
            let position = Position { offset: self.node_at.get(), ..Position::START };
            let diagnostic = Diagnostic::extra_values(position, &ident.name(), count);
            self.found.borrow_mut().push(diagnostic);
        }
    }

    /// Reads a raw value as text, according to a rule. `at` is the offset of its `[`, or where that would be. With
    /// `is_decoded`, the value is UTF-8 regardless of the charset of the file.
    pub(super) fn read<'v>(&self, raw: &'v [u8], at: u64, rule: TextRule, is_decoded: bool) -> Result<Cow<'v, str>> {
        let value = RawValue::new(raw);
        #[cfg(feature = "charset")]
        if let (Some(decoder), false) = (&self.decoder, is_decoded) {
            let mut decoder = decoder.borrow_mut();
            let text = match rule {
                TextRule::Text => decoder.text(value, at),
                TextRule::Simple => decoder.simple_text(value, at),
                TextRule::Raw => decoder.decode(value, at),
            };
            drop(decoder);
            self.report_findings();
            return text.map_err(|error| refuse(&error, at));
        }
        let _ = (at, is_decoded);
        Ok(rule.read_utf8(value))
    }
}

/// Returns the context that decides the types of root properties.
fn context_of_root(root: NodeRef<'_>) -> Context {
    let mut facts = RootFacts::new();
    root.iter().for_each(|property| facts.note_all(property.ident(), property.values()));
    facts.root_context()
}

/// Converts the error of a text that the charset policy rejects.
#[cfg(feature = "charset")]
#[cold]
fn refuse(error: &CharsetError, at: u64) -> Error {
    let offset = error.offset().unwrap_or(at);
    match error {
        CharsetError::UnknownName { name, .. } => Error::data(format_args!("unknown charset name {name:?}")).at(offset),
        CharsetError::BadBytes { charset, .. } => {
            Error::data(format_args!("bytes that are invalid in {charset}")).at(offset)
        }
    }
}

//! `--summary`: how many values of each property are of its type, and examples of the others.
//!
//! A value counts as its row in the registry says, by game, version and dialect. It is read strictly, as FF[4] defines the
//! type, and leniently, as programs write it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::mem;

use serde_json::{Value, json};
use sgf_stream::charset::TreeDecoder;
use sgf_stream::node::{EventList, RootFacts};
use sgf_stream::property::{self, Context, Property, ValueType};
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Ident, RawValue};

use crate::tables::grouped;
use crate::tally::Tally;
use crate::visible::{Blanks, fitted};

/// Maximum number of different unread values that are counted for a property.
const MAX_SAMPLES: usize = 1000;

/// Maximum weight of root values that are held back, since `GM` may come last.
const MAX_ROOT: usize = 1 << 20;

/// Maximum number of examples of a property in the table and in JSON, and of columns of one in the table.
const EXAMPLES: usize = 3;
const EXAMPLES_IN_JSON: usize = 10;
const EXAMPLE: usize = 40;

/// Counts of values by property. The key is the index of the property in the registry; the last one is that of all unknown
/// identifiers.
#[derive(Default)]
pub(super) struct Values(BTreeMap<usize, Counts>);

struct Counts {
    property: Option<&'static Property>,
    /// Number of values that strict reading accepts, that only lenient reading accepts, and of all others.
    strict: u64,
    lenient: u64,
    unread: u64,
    /// The others; of unknown properties the identifiers.
    samples: Tally,
}

impl Counts {
    fn of(property: Option<&'static Property>) -> Self {
        Counts { property, strict: 0, lenient: 0, unread: 0, samples: Tally::with_keys(MAX_SAMPLES) }
    }

    fn all(&self) -> u64 {
        self.strict + self.lenient + self.unread
    }
}

impl Values {
    /// Adds the counts of later games.
    pub(super) fn append(&mut self, later: Values) {
        for (key, more) in later.0 {
            let counts = self.0.entry(key).or_insert_with(|| Counts::of(more.property));
            counts.strict += more.strict;
            counts.lenient += more.lenient;
            counts.unread += more.unread;
            counts.samples.append(more.samples);
        }
    }

    fn of(&mut self, property: Option<&'static Property>) -> &mut Counts {
        let all = property::all();
        let index = property.map_or(all.len(), |property| {
            (std::ptr::from_ref(property).addr() - all.as_ptr().addr()) / size_of::<Property>()
        });
        self.0.entry(index).or_insert_with(|| Counts::of(property))
    }

    /// Returns the lines of the table: the properties that have values that strict reading rejects, those with most of these
    /// first.
    pub(super) fn into_lines(self) -> Vec<String> {
        let mut rows: Vec<_> = self.0.into_values().filter(|counts| counts.strict < counts.all()).collect();
        rows.sort_by_key(|counts| Reverse(counts.all() - counts.strict));
        let line = |counts: Counts| {
            let numbers = [counts.all(), counts.strict, counts.lenient, counts.unread].map(grouped);
            let (name, game) = match counts.property {
                Some(property) => (property.ident(), property.game()),
                None => ("(unknown)", None),
            };
            let game = game.map(|game| format!(" ({game})")).unwrap_or_default();
            let samples = counts.samples.into_table([]).rows.into_iter().take(EXAMPLES);
            let samples: Vec<String> = samples
                .map(|(value, count)| format!("  {} × [{}]", grouped(count), fitted(&value, EXAMPLE, Blanks::Kept)))
                .collect();
            let [all, strict, lenient, unread] = numbers;
            format!("{all:>11} {strict:>11} {lenient:>9} {unread:>9}  {name}{game}{}", samples.concat())
        };
        rows.into_iter().map(line).collect()
    }

    /// Returns all rows, those with the most values first, unknown properties last.
    pub(super) fn into_json(self) -> Value {
        let mut rows: Vec<_> = self.0.into_values().collect();
        rows.sort_by_key(|counts| {
            (counts.property.is_none(), Reverse(counts.all()), counts.property.map(Property::ident))
        });
        let row = |counts: Counts| {
            let (property, all) = (counts.property, counts.all());
            let mut samples = counts.samples.into_table([]).rows;
            samples.truncate(EXAMPLES_IN_JSON);
            json!({
                "property": property.map(Property::ident),
                "game": property.and_then(Property::game).map(|game| game.name()),
                "type": property.map(|property| property.value().to_string()),
                "values": all, "strict": counts.strict, "lenient": counts.lenient, "unread": counts.unread,
                "samples": samples,
            })
        };
        rows.into_iter().map(row).collect()
    }
}

/// Counts the values of whole games of one file.
pub(super) struct Counting<'v> {
    values: &'v mut Values,
    facts: RootFacts,
    decoder: TreeDecoder,
    /// The context of the open game, once its root is over.
    context: Context,
    ident: Vec<u8>,
    /// Properties and values of the root, held back.
    root: EventList,
}

impl<'v> Counting<'v> {
    pub(super) fn new(values: &'v mut Values, decoder: TreeDecoder) -> Self {
        Counting {
            values,
            facts: RootFacts::new(),
            decoder,
            context: Context::default(),
            ident: Vec::new(),
            root: EventList::new(),
        }
    }

    /// Counts the values of the root that were held back.
    fn read_root(&mut self) {
        let (root, context) = (mem::take(&mut self.root), self.facts.root_context());
        let mut ident = Ident::new(b"");
        for (event, offset) in root.iter() {
            match event {
                Event::Property(next) => ident = next,
                Event::Value(value) => self.value(ident, value, offset, &context),
                _ => {}
            }
        }
        self.root = root;
        self.root.clear();
    }

    /// Keeps a property or value of the root. Where the root is too long to be kept, counts its values so far.
    fn hold(&mut self, event: Event<'_>, offset: u64) {
        self.root.push(event, offset);
        if matches!(event, Event::Value(_)) && self.root.weight() > MAX_ROOT {
            self.read_root();
            self.root.push(Event::Property(Ident::new(&self.ident)), offset);
        }
    }

    fn value(&mut self, ident: Ident<'_>, raw: RawValue<'_>, offset: u64, context: &Context) {
        let property = property::lookup(ident, context);
        let counts = self.values.of(property);
        let Some(property) = property else {
            counts.unread += 1;
            return counts.samples.add(ident.name().as_bytes());
        };
        // Decoded, every text is one. The form of a round is only recommended.
        if matches!(property.value_type(), ValueType::SimpleText | ValueType::Text | ValueType::Round) {
            counts.strict += 1;
            return;
        }
        // ASCII is the same in all charsets; bad bytes become U+FFFD.
        let text = match raw.as_bytes().is_ascii() {
            true => String::from_utf8_lossy(raw.as_bytes()),
            false => self.decoder.decode(raw, offset).unwrap_or_default(),
        };
        let value = RawValue::new(text.as_bytes());
        if property.parse(value, context).is_ok() {
            counts.strict += 1;
        } else if property.parse_lenient(value, context).is_ok() {
            counts.lenient += 1;
        } else {
            counts.unread += 1;
            counts.samples.add(text.as_bytes());
        }
    }
}

impl EventSink for Counting<'_> {
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        let was_in_root = self.facts.is_in_root();
        self.facts.observe(event);
        if was_in_root && self.facts.is_final() {
            self.read_root();
            self.context = self.facts.context();
        }
        self.decoder.observe(event, offset);
        match event {
            Event::Property(ident) => {
                self.ident.clear();
                self.ident.extend_from_slice(ident.as_bytes());
                if self.facts.is_in_root() {
                    self.hold(event, offset);
                }
            }
            Event::Value(_) if self.facts.is_in_root() => self.hold(event, offset),
            Event::Value(value) => {
                let (ident, context) = (mem::take(&mut self.ident), self.context);
                self.value(Ident::new(&ident), value, offset, &context);
                self.ident = ident;
            }
            _ => {}
        }
        Flow::Continue
    }

    fn diagnostic(&mut self, _: Diagnostic) {}
}

//! Counts of values, by property.

use std::collections::HashMap;

use sgf_stream::charset::{Decoding, TreeDecoder};
use sgf_stream::node::RootFacts;
use sgf_stream::property::{self, Context, Property};
use sgf_stream::{Event, Ident, RawValue};

/// Maximum number of different unread values kept for a property.
const MAX_SAMPLES: usize = 1000;

/// Maximum length of such a value in characters.
const MAX_SAMPLE_LEN: usize = 200;

/// Maximum bytes of root values that are held back, since `GM` may come last.
const MAX_ROOT: usize = 1 << 20;

/// The counts of a property, or of all identifiers that are not in the registry.
pub(super) struct Row {
    pub(super) property: Option<&'static Property>,
    pub(super) values: u64,
    /// Number of values that strict reading accepts.
    pub(super) strict: u64,
    /// Number of values that only lenient reading accepts.
    pub(super) lenient: u64,
    /// Values that could not be read, most frequent first.
    pub(super) samples: Vec<(String, u64)>,
}

/// Counts in progress.
#[derive(Default)]
pub(super) struct Count {
    rows: HashMap<Option<&'static Property>, Tally>,
    game: Game,
}

#[derive(Default)]
struct Tally {
    values: u64,
    strict: u64,
    lenient: u64,
    unread: HashMap<String, u64>,
}

/// The facts of the open game.
struct Game {
    facts: RootFacts,
    decoder: TreeDecoder,
    ident: Vec<u8>,
    /// Identifiers, values and offsets of the root, held back.
    root: Vec<(Vec<u8>, Vec<u8>, u64)>,
    root_len: usize,
}

impl Default for Game {
    fn default() -> Self {
        Game {
            facts: RootFacts::new(),
            decoder: TreeDecoder::new(Decoding::new()),
            ident: Vec::new(),
            root: Vec::new(),
            root_len: 0,
        }
    }
}

impl Count {
    /// Begins a file, with the decoder of its values.
    pub(super) fn begin_file(&mut self, decoder: TreeDecoder) {
        self.game = Game { decoder, ..Game::default() };
    }

    pub(super) fn event(&mut self, event: Event<'_>, offset: u64) {
        let was_in_root = self.game.facts.is_in_root();
        self.game.facts.observe(event);
        if was_in_root && self.game.facts.is_final() {
            self.read_root();
        }
        self.game.decoder.observe(event, offset);
        match event {
            Event::Property(ident) => {
                self.game.ident.clear();
                self.game.ident.extend_from_slice(ident.as_bytes());
            }
            Event::Value(value) if self.game.facts.is_in_root() => self.root_value(value, offset),
            Event::Value(value) => {
                let ident = std::mem::take(&mut self.game.ident);
                self.value(&ident, value, offset, self.game.facts.context());
                self.game.ident = ident;
            }
            _ => {}
        }
    }

    fn root_value(&mut self, value: RawValue<'_>, offset: u64) {
        let game = &mut self.game;
        game.root_len += game.ident.len() + value.as_bytes().len();
        game.root.push((game.ident.clone(), value.as_bytes().to_vec(), offset));
        if game.root_len > MAX_ROOT {
            self.read_root();
        }
    }

    /// Counts the values of the root that were held back.
    fn read_root(&mut self) {
        self.game.root_len = 0;
        let context = self.game.facts.root_context();
        for (ident, value, offset) in std::mem::take(&mut self.game.root) {
            self.value(&ident, RawValue::new(&value), offset, context);
        }
    }

    fn value(&mut self, ident: &[u8], raw: RawValue<'_>, offset: u64, context: Context) {
        let ident = Ident::new(ident);
        let property = property::lookup(ident, &context);
        let tally = self.rows.entry(property).or_default();
        tally.values += 1;
        let Some(property) = property else { return tally.unread(&ident.name()) };
        // ASCII is the same in all charsets; bad bytes become U+FFFD.
        let text = match raw.as_bytes().is_ascii() {
            true => String::from_utf8_lossy(raw.as_bytes()),
            false => self.game.decoder.decode(raw, offset).unwrap_or_default(),
        };
        let decoded = RawValue::new(text.as_bytes());
        if property.parse(decoded, &context).is_ok() {
            tally.strict += 1;
        } else if property.parse_lenient(decoded, &context).is_ok() {
            tally.lenient += 1;
        } else {
            tally.unread(&text);
        }
    }

    /// Returns the rows, those with the most values first, unknown identifiers last.
    pub(super) fn into_rows(self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.rows.into_iter().map(|(property, tally)| tally.into_row(property)).collect();
        rows.sort_by_key(|row| {
            (row.property.is_none(), std::cmp::Reverse(row.values), row.property.map(|property| property.ident()))
        });
        rows
    }
}

impl Tally {
    fn unread(&mut self, value: &str) {
        let sample: String = value.chars().take(MAX_SAMPLE_LEN).collect();
        if self.unread.len() < MAX_SAMPLES || self.unread.contains_key(&sample) {
            *self.unread.entry(sample).or_default() += 1;
        }
    }

    fn into_row(self, property: Option<&'static Property>) -> Row {
        let mut samples: Vec<_> = self.unread.into_iter().collect();
        samples.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Row { property, values: self.values, strict: self.strict, lenient: self.lenient, samples }
    }
}

//! Counts of values, by property.
//!
//! A value counts as its row in the registry says. Whether strict or lenient reading accepts it depends on its bytes, its
//! row and the context of its game only, so the verdicts on values of two lower-case letters, which nearly all points and
//! moves are, are kept for as long as the context stays the same.

use std::collections::HashMap;
use std::mem;

use sgf_stream::charset::TreeDecoder;
use sgf_stream::node::Moves;
use sgf_stream::node::{EventList, RootFacts};
use sgf_stream::property::{self, Context, Property, ValueType};
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Ident, RawValue};

/// Maximum number of different unread values kept for a property.
const MAX_SAMPLES: usize = 1000;

/// Maximum length of such a value in characters.
const MAX_SAMPLE_LEN: usize = 200;

/// Maximum weight of root values that are held back, since `GM` may come last.
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
pub(super) struct Counts {
    /// By the index of the property in the registry; the last one is that of unknown identifiers.
    tallies: Vec<Tally>,
}

impl Default for Counts {
    fn default() -> Self {
        Counts { tallies: (0..=property::all().len()).map(|_| Tally::default()).collect() }
    }
}

#[derive(Default)]
struct Tally {
    /// By [`Verdict`].
    values: [u64; 3],
    unread: HashMap<String, Sample>,
}

struct Sample {
    /// Number of other samples before it.
    index: usize,
    count: u64,
}

/// How a value reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Strict,
    Lenient,
    Unread,
}

impl Counts {
    /// Adds the counts of later games. What is kept of unread values is the same as if all had been counted together.
    pub(super) fn append(&mut self, others: Counts) {
        for (tally, more) in self.tallies.iter_mut().zip(others.tallies) {
            tally.append(more);
        }
    }

    /// Number of different unread values.
    pub(super) fn sample_count(&self) -> usize {
        self.tallies.iter().map(|tally| tally.unread.len()).sum()
    }

    /// Returns the rows, those with the most values first, unknown identifiers last.
    pub(super) fn into_rows(self) -> Vec<Row> {
        let properties = property::all().iter().map(Some).chain([None]);
        let rows = properties.zip(self.tallies).filter(|(_, tally)| tally.values != [0; 3]);
        let mut rows: Vec<Row> = rows.map(|(property, tally)| tally.into_row(property)).collect();
        rows.sort_by_key(|row| {
            (row.property.is_none(), std::cmp::Reverse(row.values), row.property.map(|property| property.ident()))
        });
        rows
    }
}

impl Tally {
    fn unread(&mut self, value: &str) {
        let sample: String = value.chars().take(MAX_SAMPLE_LEN).collect();
        let index = self.unread.len();
        self.unread.entry(sample).or_insert(Sample { index, count: 0 }).count += 1;
    }

    fn append(&mut self, others: Tally) {
        self.values.iter_mut().zip(others.values).for_each(|(count, more)| *count += more);
        let mut samples: Vec<_> = others.unread.into_iter().collect();
        samples.sort_unstable_by_key(|(_, sample)| sample.index);
        for (value, Sample { count, .. }) in samples {
            let index = self.unread.len();
            if let Some(sample) = self.unread.get_mut(&value) {
                sample.count += count;
            } else if index < MAX_SAMPLES {
                self.unread.insert(value, Sample { index, count });
            }
        }
    }

    fn into_row(self, property: Option<&'static Property>) -> Row {
        let mut samples: Vec<_> = self.unread.into_iter().map(|(value, sample)| (value, sample.count)).collect();
        samples.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let [strict, lenient, unread] = self.values;
        Row { property, values: strict + lenient + unread, strict, lenient, samples }
    }
}

/// Counts the values of whole games of one file.
pub(super) struct Counting<'c> {
    counts: &'c mut Counts,
    verdicts: &'c mut Verdicts,
    facts: RootFacts,
    decoder: TreeDecoder,
    /// The context of the open game, once its root is over.
    context: Context,
    ident: Vec<u8>,
    /// Properties and values of the root, held back.
    root: EventList,
}

impl<'c> Counting<'c> {
    pub(super) fn new(counts: &'c mut Counts, verdicts: &'c mut Verdicts, decoder: TreeDecoder) -> Self {
        Counting {
            counts,
            verdicts,
            facts: RootFacts::new(),
            decoder,
            context: Context::default(),
            ident: Vec::new(),
            root: EventList::new(),
        }
    }

    /// Number of different unread values so far.
    pub(super) fn sample_count(&self) -> usize {
        self.counts.sample_count()
    }

    /// Takes the counts so far.
    pub(super) fn take(&mut self) -> Counts {
        mem::take(self.counts)
    }

    /// Counts the values of the root that were held back.
    #[inline(never)]
    fn read_root(&mut self) {
        let (root, context) = (mem::take(&mut self.root), self.facts.root_context());
        let mut row = None;
        for (event, offset) in root.iter() {
            match event {
                Event::Property(ident) => row = Some(Found::of(ident, &context)),
                Event::Value(value) => {
                    if let Some(row) = &row {
                        self.value(row, value, offset, &context);
                    }
                }
                _ => {}
            }
        }
        self.root = root;
        self.root.clear();
    }

    /// Keeps a property or value of the root. If there is no room for it, counts those before it.
    fn hold(&mut self, event: Event<'_>, offset: u64) {
        self.root.push(event, offset);
        if matches!(event, Event::Value(_)) && self.root.weight() > MAX_ROOT {
            self.read_root();
            self.root.push(Event::Property(Ident::new(&self.ident)), offset);
        }
    }

    fn later_value(&mut self, value: RawValue<'_>, offset: u64) {
        let ident = mem::take(&mut self.ident);
        let context = self.context;
        self.value(&Found::of(Ident::new(&ident), &context), value, offset, &context);
        self.ident = ident;
    }

    fn value(&mut self, found: &Found<'_>, raw: RawValue<'_>, offset: u64, context: &Context) {
        let Found { ident, property, index } = *found;
        let tally = &mut self.counts.tallies[index];
        let Some(property) = property else {
            tally.values[Verdict::Unread as usize] += 1;
            return tally.unread(&ident.name());
        };
        if let &[x, y] = raw.as_bytes()
            && let Some(verdict) = self.verdicts.of(context).small(index, property, [x, y])
        {
            tally.values[verdict as usize] += 1;
            if verdict == Verdict::Unread {
                tally.unread(&String::from_utf8_lossy(&[x, y]));
            }
            return;
        }
        // Decoded, every text is one.
        if is_text(property) {
            tally.values[Verdict::Strict as usize] += 1;
            return;
        }
        // ASCII is the same in all charsets; bad bytes become U+FFFD.
        let text = match raw.as_bytes().is_ascii() {
            true => String::from_utf8_lossy(raw.as_bytes()),
            false => self.decoder.decode(raw, offset).unwrap_or_default(),
        };
        let verdict = Verdict::of(property, RawValue::new(text.as_bytes()), context);
        tally.values[verdict as usize] += 1;
        if verdict == Verdict::Unread {
            tally.unread(&text);
        }
    }
}

impl EventSink for Counting<'_> {
    #[inline]
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
            Event::Value(value) => self.later_value(value, offset),
            _ => {}
        }
        Flow::Continue
    }

    fn fault(&mut self, _: Diagnostic) {}

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        // The root is over. The values of a run tell nothing about the charset.
        self.event(Event::Node, moves.offset());
        let Counting { counts, verdicts, context, .. } = self;
        let verdicts = verdicts.of(context);
        moves.nodes().for_each(|node| {
            let (&[letter], &[x, y]) = (node.ident().as_bytes(), node.value().as_bytes()) else { return };
            let point = [x, y];
            let Found { property, index, .. } = verdicts.letter(letter);
            let tally = &mut counts.tallies[index];
            let verdict = match property {
                Some(property) => verdicts
                    .small(index, property, point)
                    .unwrap_or_else(|| Verdict::of(property, RawValue::new(&point), context)),
                None => Verdict::Unread,
            };
            tally.values[verdict as usize] += 1;
            if verdict == Verdict::Unread {
                let sample = if property.is_some() { &point[..] } else { &[letter] };
                tally.unread(&String::from_utf8_lossy(sample));
            }
        });
        Some(Flow::Continue)
    }
}

/// A property that was looked up.
#[derive(Clone, Copy)]
struct Found<'i> {
    ident: Ident<'i>,
    property: Option<&'static Property>,
    /// Index of its counts.
    index: usize,
}

impl<'i> Found<'i> {
    fn of(ident: Ident<'i>, context: &Context) -> Self {
        let property = property::lookup(ident, context);
        Found { ident, property, index: property.map_or(property::all().len(), index_of) }
    }
}

/// Returns the index of a row in the registry.
#[inline]
fn index_of(property: &'static Property) -> usize {
    let all = property::all();
    (std::ptr::from_ref(property).addr() - all.as_ptr().addr()) / size_of::<Property>()
}

/// Whether all texts are values of a property. The form of a round is only recommended.
fn is_text(property: &Property) -> bool {
    matches!(property.value_type(), ValueType::SimpleText | ValueType::Text | ValueType::Round)
}

impl Verdict {
    fn of(property: &Property, value: RawValue<'_>, context: &Context) -> Verdict {
        if is_text(property) || property.parse(value, context).is_ok() {
            Verdict::Strict
        } else if property.parse_lenient(value, context).is_ok() {
            Verdict::Lenient
        } else {
            Verdict::Unread
        }
    }
}

/// The verdicts on values of two lower-case letters, in the contexts of the last games.
#[derive(Default)]
pub(super) struct Verdicts {
    contexts: Vec<InContext>,
    /// Index of the context of the open game.
    current: usize,
}

/// Maximum number of contexts.
const CONTEXTS: usize = 32;

/// The properties that are known in a context.
struct InContext {
    context: Context,
    /// The properties of one letter.
    letters: [Option<Found<'static>>; 26],
    /// By the index of the property in the registry.
    by_property: Vec<Option<Box<Small>>>,
}

/// By the letters of the value.
type Small = [Option<Verdict>; 26 * 26];

impl Verdicts {
    /// Returns what is known in a context.
    #[inline]
    fn of(&mut self, context: &Context) -> &mut InContext {
        if self.contexts.get(self.current).is_none_or(|known| known.context != *context) {
            self.find(context);
        }
        &mut self.contexts[self.current]
    }

    #[inline(never)]
    fn find(&mut self, context: &Context) {
        let known = self.contexts.iter().position(|known| known.context == *context);
        self.current = known.unwrap_or_else(|| {
            let new = InContext {
                context: *context,
                letters: [None; 26],
                by_property: property::all().iter().map(|_| None).collect(),
            };
            if self.contexts.len() < CONTEXTS {
                self.contexts.push(new);
                return self.contexts.len() - 1;
            }
            let next = (self.current + 1) % CONTEXTS;
            self.contexts[next] = new;
            next
        });
    }
}

impl InContext {
    /// Returns the property of an upper-case letter.
    #[inline]
    fn letter(&mut self, letter: u8) -> Found<'static> {
        static LETTERS: [u8; 26] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let at = usize::from(letter.wrapping_sub(b'A')) % LETTERS.len();
        let context = &self.context;
        *self.letters[at].get_or_insert_with(|| Found::of(Ident::new(&LETTERS[at..=at]), context))
    }

    /// Returns the verdict on a value of two lower-case letters.
    #[inline]
    fn small(&mut self, index: usize, property: &'static Property, [x, y]: [u8; 2]) -> Option<Verdict> {
        let (x, y) = (x.wrapping_sub(b'a'), y.wrapping_sub(b'a'));
        if x >= 26 || y >= 26 {
            return None;
        }
        let at = usize::from(x) * 26 + usize::from(y);
        if let Some(small) = &self.by_property[index]
            && let known @ Some(_) = small[at]
        {
            return known;
        }
        self.judge(index, property, at)
    }

    #[inline(never)]
    fn judge(&mut self, index: usize, property: &'static Property, at: usize) -> Option<Verdict> {
        let small = self.by_property[index].get_or_insert_with(|| Box::new([None; 26 * 26]));
        let value = [b'a' + (at / 26) as u8, b'a' + (at % 26) as u8];
        let verdict = Verdict::of(property, RawValue::new(&value), &self.context);
        small[at] = Some(verdict);
        Some(verdict)
    }
}

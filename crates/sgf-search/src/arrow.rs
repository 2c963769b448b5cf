//! Hits as record batches of Apache Arrow.

use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BooleanArray, Int32Array, Int64Array, RecordBatch, RecordBatchOptions, StringArray};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};

use crate::hit::Hit;

/// The columns of hits, in order.
///
/// | column | content |
/// |---|---|
/// | `file`, `offset`, `game` | the game, as in the [table](sgf_table) `games` |
/// | `ply`, `end_ply` | the number of moves before the position, and before the end of the pattern's continuation |
/// | `symmetry`, `swapped` | the [`Orientation`](crate::Orientation) of the pattern |
/// | `next_color`, `next_point`, `next_ply` | the next move in the region, in the pattern's own terms, and its number |
/// | `elsewhere` | the number of moves elsewhere before it |
pub const COLUMNS: [&str; 11] = [
    "file",
    "offset",
    "game",
    "ply",
    "end_ply",
    "symmetry",
    "swapped",
    "next_color",
    "next_point",
    "next_ply",
    "elsewhere",
];

/// Returns the field of a column.
///
/// Columns that tables have too have the types that they have there.
pub fn field(name: &str, dictionaries: bool) -> Field {
    let data_type = match name {
        "file" if dictionaries => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        "file" | "next_color" | "next_point" => DataType::Utf8,
        "offset" | "game" => DataType::Int64,
        "swapped" => DataType::Boolean,
        _ => DataType::Int32,
    };
    Field::new(name, data_type, true)
}

/// A builder of record batches, whose rows are hits.
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_schema::Schema;
/// use sgf_search::arrow::{COLUMNS, HitBuilder, field};
/// use sgf_search::{Pattern, Search};
/// use sgf_stream::Parser;
///
/// let schema = Schema::new(COLUMNS.map(|name| field(name, false)).to_vec());
/// let mut hits = HitBuilder::new(Arc::new(schema));
/// let search = Search::new(Pattern::parse("(;SZ[9]AB[gc]AW[gg]VW[ea:ii])")?);
/// search.find(&Parser::new(), b"(;SZ[9];B[gc];W[cc];B[ee])", |game| {
///     hits.push(&"a.sgf".into(), game.offset(), Some(game.number()), game.hits()[0]);
/// })?;
/// let batch = hits.finish()?;
/// assert_eq!((batch.num_rows(), batch.num_columns()), (1, 11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HitBuilder {
    schema: SchemaRef,
    hits: Vec<Found>,
}

/// A hit in a file.
struct Found {
    file: Arc<str>,
    offset: u64,
    game: Option<u64>,
    hit: Hit,
}

impl HitBuilder {
    /// Creates a builder for some of the [`COLUMNS`].
    pub fn new(schema: SchemaRef) -> Self {
        HitBuilder { schema, hits: Vec::new() }
    }

    /// Adds the hit of a game.
    pub fn push(&mut self, file: &Arc<str>, offset: u64, game: Option<u64>, hit: Hit) {
        self.hits.push(Found { file: Arc::clone(file), offset, game, hit });
    }

    /// Returns the number of rows so far.
    pub fn rows(&self) -> usize {
        self.hits.len()
    }

    /// Returns the approximate number of bytes of the rows.
    pub fn bytes(&self) -> usize {
        self.hits.len() * size_of::<Found>()
    }

    /// Returns the rows so far as a batch, and begins a new one.
    ///
    /// # Errors
    ///
    /// Fails if the schema has a column with the name of one of [`COLUMNS`] and another type.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let hits = std::mem::take(&mut self.hits);
        let columns = self.schema.fields().iter().map(|field| column(field, &hits)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(hits.len()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
    }
}

impl std::fmt::Debug for HitBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HitBuilder").field("rows", &self.hits.len()).finish_non_exhaustive()
    }
}

fn column(field: &Field, found: &[Found]) -> ArrayRef {
    let offsets = |of: fn(&Found) -> Option<u64>| -> ArrayRef {
        Arc::new(found.iter().map(|found| of(found)?.try_into().ok()).collect::<Int64Array>())
    };
    let numbers = |of: fn(&Hit) -> Option<usize>| -> ArrayRef {
        Arc::new(found.iter().map(|found| of(&found.hit)?.try_into().ok()).collect::<Int32Array>())
    };
    let texts = |of: fn(&Hit) -> Option<String>| -> ArrayRef {
        Arc::new(found.iter().map(|found| of(&found.hit)).collect::<StringArray>())
    };
    match field.name().as_str() {
        "file" if *field.data_type() == DataType::Utf8 => {
            Arc::new(found.iter().map(|found| Some(&*found.file)).collect::<StringArray>())
        }
        "file" => {
            let mut files = StringDictionaryBuilder::<Int32Type>::new();
            files.extend(found.iter().map(|found| Some(&*found.file)));
            Arc::new(files.finish())
        }
        "offset" => offsets(|found| Some(found.offset)),
        "game" => offsets(|found| found.game),
        "ply" => numbers(|hit| Some(hit.ply())),
        "end_ply" => numbers(|hit| Some(hit.end_ply())),
        "symmetry" => numbers(|hit| Some(hit.symmetry().index())),
        "swapped" => Arc::new(found.iter().map(|found| Some(found.hit.is_swapped())).collect::<BooleanArray>()),
        "next_color" => texts(|hit| hit.next().map(|next| next.color.to_string())),
        "next_point" => texts(|hit| hit.next().map(|next| next.point.to_string())),
        "next_ply" => numbers(|hit| hit.next().map(|next| next.ply)),
        _ => numbers(|hit| hit.next().map(|next| next.elsewhere)),
    }
}

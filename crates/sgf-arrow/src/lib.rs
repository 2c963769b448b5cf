//! SGF (Smart Game Format) collections as Apache Arrow record batches and Parquet files.
//!
//! The tables, their columns and their rows are those of [`sgf_table`]. An [`ArrowTable`] reads them as record
//! batches, from slices, readers and byte ranges, and on all cores; a `ParquetWriter` (feature `parquet`) writes these as a
//! Parquet file.
//!
//! ```
//! use arrow_array::cast::AsArray;
//! use arrow_array::types::Decimal128Type;
//! use sgf_arrow::ArrowTable;
//! use sgf_stream::Parser;
//! use sgf_stream::charset::Decoding;
//! use sgf_table::{Table, TableBuilder};
//!
//! // Without a policy, texts are read as UTF-8.
//! let parser = Parser::new().charset(Decoding::new());
//! let archive = b"(;PB[Shusaku]PW[Gennan]RE[B+2];B[qd];W[dc])(;PB[Shuei]RE[W+R])";
//! let table = TableBuilder::new(&parser, Table::Games).columns(["black", "margin", "sgf_moves"])?;
//! for batch in ArrowTable::new(table).slice(archive) {
//!     let batch = batch?;
//!     let black: Vec<_> = batch.column(0).as_string::<i32>().iter().flatten().collect();
//!     assert_eq!(black, ["Shusaku", "Shuei"]);
//!     let margins: Vec<_> = batch.column(1).as_primitive::<Decimal128Type>().iter().collect();
//!     assert_eq!(margins, [Some(200), None]); // two decimals
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `parquet` | `ParquetWriter`; its compression needs a C compiler |
//!
//! `sgf-stream` is used with its feature `parallel`. For texts in charsets other than UTF-8, enable its feature `charset`
//! in your manifest.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod parallel;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

pub use batch::{BatchBuilder, data_type};
pub use parallel::ParTableReader;
#[cfg(feature = "parquet")]
pub use parquet::ParquetWriter;
pub use table::{ArrowTable, TableReader};

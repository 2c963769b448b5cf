//! Merges segments, so that an index that is often brought up to date has few of them.

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::{BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;

use super::IndexError;
use super::batch::{Class, IndexTable};
use super::manifest::{Manifest, SegmentEntry};
use super::query::IndexGame;
use super::segment::{Segment, SegmentWriter};

/// The most segments before some are merged.
const MOST: usize = 8;

/// Merges segments if there are many of them, or if most rows of one are of files that have changed. The old files stay.
pub(super) fn merge(directory: &Path, table: &IndexTable, manifest: &mut Manifest) -> Result<(), IndexError> {
    let chosen = choose(manifest);
    if chosen.is_empty() {
        return Ok(());
    }
    let number = manifest.next_segment;
    let mut parts = BTreeMap::new();
    let files = manifest.segments_of_files();
    for class in Class::ALL {
        let mut writer: Option<SegmentWriter> = None;
        for of in &chosen {
            let entry = &manifest.segments[of];
            if !entry.parts.contains_key(&class.name()) {
                continue;
            }
            let segment = Segment::open(Manifest::path(directory, *of, class), (*of, class), entry, false)?;
            for group in 0..segment.groups() {
                let names: Vec<&str> = segment.schema().fields().iter().map(|field| field.name().as_str()).collect();
                let arrays = segment.read(group, &names)?;
                let damaged = |error| IndexError::damaged(&segment.path, error);
                let mut batch = RecordBatch::try_new(segment.schema().clone(), arrays).map_err(damaged)?;
                if segment.has_stale {
                    let live = |row| super::query::is_live(&IndexGame::of(&batch, row), *of, &files);
                    let live: BooleanArray = (0..batch.num_rows()).map(|row| Some(live(row))).collect();
                    batch = filter_record_batch(&batch, &live).map_err(damaged)?;
                }
                let out = match &mut writer {
                    Some(writer) => writer,
                    None => {
                        let path = Manifest::path(directory, number, class);
                        writer.insert(SegmentWriter::create(path, table.schema(class), class)?)
                    }
                };
                out.write(batch)?;
            }
        }
        if let Some(writer) = writer {
            parts.insert(class.name(), writer.close()?);
        }
    }
    manifest.segments.retain(|of, _| !chosen.contains(of));
    manifest.segments.insert(number, SegmentEntry { parts, has_stale: false });
    manifest.next_segment += 1;
    for file in manifest.files.values_mut().filter(|file| chosen.contains(&file.segment)) {
        file.segment = number;
    }
    Ok(())
}

/// Chooses the segments to merge.
///
/// If there are too many, these are all but the largest ones that have more rows than all smaller ones together, so that a row
/// is copied a few times at most.
fn choose(manifest: &Manifest) -> Vec<u32> {
    let mut live: BTreeMap<u32, u64> = BTreeMap::new();
    for file in manifest.files.values() {
        *live.entry(file.segment).or_default() += file.games.games;
    }
    let segments = manifest.segments.iter();
    // Variations make rows more than games; then it is merged a little late.
    let is_mostly_stale = |number: &u32, entry: &SegmentEntry| {
        entry.has_stale && 2 * live.get(number).copied().unwrap_or(0) < entry.rows()
    };
    let mut chosen: Vec<u32> =
        segments.clone().filter(|(number, entry)| is_mostly_stale(number, entry)).map(|(number, _)| *number).collect();
    if manifest.segments.len() > MOST {
        let mut by_rows: Vec<(u64, u32)> = segments.map(|(number, entry)| (entry.rows(), *number)).collect();
        by_rows.sort_unstable();
        let mut before = 0;
        for (n, (rows, number)) in by_rows.iter().enumerate() {
            if n >= 2 && *rows > before {
                break;
            }
            before += rows;
            if !chosen.contains(number) {
                chosen.push(*number);
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

//! Benchmarks of the readers, with statistics: `cargo bench -p sgf-stream-benches --bench events`.
//!
//! There are two groups, one for each data set of `support/data.rs`, each with the speed of memory as the limit;
//! and one group for each data set against the peers, over a few of its games. An argument selects jobs (`--
//! archive/push`); `-- --profile-time 10 archive/push$` runs one job for a profiler. For ratios that hold on a
//! noisy machine see the bench `table`.

mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sgf_stream::Parser;

use support::clock::{Clock, OnCore};
use support::data::{self, Data};
use support::{TINY, jobs, measuring, peers};

/// Size of a data set in bytes: larger than most caches, and small enough for a run of two minutes.
const SIZE: usize = 32 * 1024 * 1024;

fn bench(criterion: &mut Criterion<OnCore>) {
    let size = if measuring() { SIZE } else { TINY };
    eprintln!("measured: {}", Clock::kind());
    for data in [data::archive(size), data::mixed(size)] {
        eprintln!("{}: {}, {} bytes", data.name, data.source, data.bytes.len());
        front_ends(criterion, &data);
        against_peers(criterion, &data);
    }
}

fn front_ends(criterion: &mut Criterion<OnCore>, data: &Data) {
    let bytes = data.bytes.as_slice();
    let mut group = group(criterion, data.name, bytes.len());
    let parser = Parser::new();
    let mut destination = vec![1; bytes.len()];
    group.bench_function("memcpy", |b| b.iter(|| jobs::memcpy(bytes, &mut destination)));
    drop(destination);
    group.bench_function("memchr_count", |b| b.iter(|| jobs::memchr_count(black_box(bytes))));
    group.bench_function("memchr2_stops", |b| b.iter(|| jobs::memchr2_stops(black_box(bytes))));
    group.bench_function("push", |b| b.iter(|| jobs::push(&parser, black_box(bytes))));
    let listening = Parser::new().on_diagnostic(|found| _ = black_box(found));
    group.bench_function("push_listening", |b| b.iter(|| jobs::push(&listening, black_box(bytes))));
    group.bench_function("slice", |b| b.iter(|| jobs::slice(&parser, black_box(bytes))));
    group.bench_function("chunks_64k", |b| b.iter(|| jobs::chunks(&parser, black_box(bytes))));
    group.bench_function("reader_64k", |b| b.iter(|| jobs::reader(&parser, black_box(bytes))));
    group.bench_function("looked_up", |b| b.iter(|| jobs::looked_up(&parser, black_box(bytes))));
    group.bench_function("typed", |b| b.iter(|| jobs::typed(&parser, black_box(bytes))));
    group.bench_function("main_line", |b| b.iter(|| jobs::main_line(&parser, black_box(bytes))));
    group.bench_function("trees", |b| b.iter(|| jobs::trees(&parser, black_box(bytes))));
    group.bench_function("skip_game", |b| b.iter(|| jobs::skip_games(&parser, black_box(bytes))));

    let sound = data::sound(bytes);
    group.throughput(Throughput::BytesDecimal(sound.len() as u64));
    group.bench_function("strict", |b| b.iter(|| jobs::push(&Parser::strict(), black_box(&sound))));
    group.finish();
}

fn against_peers(criterion: &mut Criterion<OnCore>, data: &Data) {
    let games = peers::Games::of(&data.bytes);
    eprintln!("{}_peers: {}", data.name, games.describe());
    let mut group = group(criterion, &format!("{}_peers", data.name), games.bytes);
    group.bench_function("sgf_stream", |b| b.iter(|| games.sgf_stream()));
    group.bench_function("sgf_parse", |b| b.iter(|| games.sgf_parse()));
    group.bench_function("sgf_parser", |b| b.iter(|| games.sgf_parser()));
    group.finish();
}

/// Makes a group with ten samples, each of one pass or a few.
fn group<'c>(criterion: &'c mut Criterion<OnCore>, name: &str, bytes: usize) -> BenchmarkGroup<'c, OnCore> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::BytesDecimal(bytes as u64));
    group.sampling_mode(SamplingMode::Flat);
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(OnCore);
    targets = bench
}
criterion_main!(benches);

//! The codecs of plans.

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::SessionContext;
use datafusion_proto::bytes::{
    logical_plan_from_bytes_with_extension_codec, logical_plan_to_bytes_with_extension_codec,
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{DefaultPhysicalProtoConverter, PhysicalExtensionCodec};
use quickcheck::{Arbitrary, Gen};
use sgf_sql::cluster::{SgfLogicalCodec, SgfPhysicalCodec};
use sgf_sql::{Options, SgfTable};
use sgf_table::{Names, Table};

use crate::laws::{Archive, ranges, runtime, sorted};
use crate::support::{TABLES, context, cut, directory, holds, text};

/// Options of tables, as settings.
#[derive(Clone, Debug)]
struct Settings(Vec<(&'static str, &'static str)>);

impl Arbitrary for Settings {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut settings = vec![("table", *g.choose(&["games", "moves", "properties"]).unwrap())];
        if settings[0].1 == "games" && bool::arbitrary(g) {
            settings.push(("columns", *g.choose(&["KK", "RE_text,KK_raw,PB"]).unwrap()));
        }
        for name in ["charset", "default_charset"] {
            if bool::arbitrary(g) {
                settings.push((name, *g.choose(&["latin1", "EUC-JP", "gb18030", "utf-8", "hz-gb-2312"]).unwrap()));
            }
        }
        if bool::arbitrary(g) {
            settings.push(("exclude", *g.choose(&["b.sgf", "/a.*", "{x,y}", "d/*", "**/b.sgf"]).unwrap()));
        }
        if bool::arbitrary(g) {
            settings.push(("player", *g.choose(&["a", "b", "x, y"]).unwrap()));
        }
        if u8::arbitrary(g) % 4 == 0 {
            settings.push(("find", *g.choose(&["X", "XO", "X.O/.X."]).unwrap()));
            settings.push(("find_options", *g.choose(&["", "variations, every_place", "keep_colors"]).unwrap()));
        }
        settings.push(("dictionaries", "false"));
        settings.push(("strict", if u8::arbitrary(g) % 8 == 0 { "true" } else { "false" }));
        Settings(settings)
    }
}

impl Settings {
    fn options(&self) -> Options {
        self.0.iter().fold(Options::new(Table::Games), |options, (name, value)| match *name {
            "player" => options.player_names(Names::from_iter([(*value, "Anna"), ("b ", "Bob"), ("c", "Cleo")])),
            _ => options.set(name, value).unwrap(),
        })
    }
}

/// Queries of a table `t` that a scan answers alone.
const QUERIES: &[&str] = &[
    "SELECT * FROM t",
    "SELECT \"offset\" FROM t",
    "SELECT file, \"offset\" FROM t WHERE \"offset\" % 3 = 0 AND file LIKE '%a.sgf'",
    "SELECT \"offset\" + 1 AS next, file FROM t WHERE \"offset\" BETWEEN 10 AND 200 OR file IS NULL",
    "SELECT file FROM t WHERE \"offset\" IN (0, 39, 40, 41) LIMIT 2",
];

async fn scan(path: &str, settings: &Settings, query: &str) -> (SessionContext, Arc<dyn ExecutionPlan>) {
    let ctx = context(1);
    sgf_sql::register(&ctx, "t", &format!("{path}/a.sgf"), settings.options()).unwrap();
    let plan = ctx.sql(query).await.unwrap().create_physical_plan().await.unwrap();
    (ctx, plan)
}

/// Partitions end in any order, so the rows are compared without theirs. An archive without SGF data is an error on both
/// sides; the far side marks it.
fn assert_alike(here: Result<String>, there: Result<String>) {
    match (here, there) {
        (Ok(here), Ok(there)) => assert_eq!(sorted(&here), sorted(&there)),
        (here, there) => {
            let (here, there) = (here.unwrap_err().to_string(), there.unwrap_err().to_string());
            let cause = here.trim_start_matches("External error: ");
            assert!(there.ends_with(cause), "{here}\n{there}");
        }
    }
}

/// A scan that was sent reads what the scan reads.
#[test]
fn a_scan_that_was_sent_reads_the_same() {
    fn law(archive: Archive, settings: Settings, query: usize, cuts: Vec<u16>) -> bool {
        let (_directory, path) = directory(&[("a.sgf", &archive.0)]);
        runtime().block_on(async {
            let query = QUERIES[query % QUERIES.len()];
            let (ctx, mut plan) = scan(&path, &settings, query).await;
            // A strict file is not cut, and neither is one whose games are counted.
            if !settings.0.contains(&("strict", "true")) && !query.contains('*') {
                plan = cut(&plan, &ranges(archive.0.len() as u64, cuts));
            }
            let codec = SgfPhysicalCodec::default();
            let bytes = physical_plan_to_bytes_with_extension_codec(Arc::clone(&plan), &codec).unwrap();
            let sent = physical_plan_from_bytes_with_extension_codec(&bytes, &ctx.task_ctx(), &codec).unwrap();
            assert_eq!(sent.schema(), plan.schema());
            let again = physical_plan_to_bytes_with_extension_codec(Arc::clone(&sent), &codec).unwrap();
            assert_eq!(again, bytes);
            let rows = |plan| async { collect(plan, ctx.task_ctx()).await.map(|rows| text(&rows)) };
            assert_alike(rows(plan).await, rows(sent).await);
        });
        true
    }
    holds(60, law as fn(Archive, Settings, usize, Vec<u16>) -> bool);
}

/// A table that was sent has the rows that the table has.
#[test]
fn a_table_that_was_sent_has_the_same_rows() {
    fn law(archive: Archive, settings: Settings) -> bool {
        let (_directory, path) = directory(&[("d/a.sgf", &archive.0), ("d/b.sgf", b"(;PB[b])")]);
        runtime().block_on(async {
            let ctx = context(3);
            let table = SgfTable::new([&path], settings.options()).unwrap();
            let codec = SgfLogicalCodec::default();
            ctx.register_table("t", Arc::new(table.clone())).unwrap();
            let query = "SELECT * FROM t WHERE \"offset\" % 3 <> 1";
            let plan = ctx.sql(query).await.unwrap().into_optimized_plan().unwrap();
            let error = logical_plan_to_bytes_with_extension_codec(&plan, &codec).unwrap_err().to_string();
            assert!(error.contains("the files were not listed"), "{error}");
            ctx.deregister_table("t").unwrap();
            ctx.register_table("t", Arc::new(table.snapshot(&ctx.state()).await.unwrap())).unwrap();
            let plan = ctx.sql(query).await.unwrap().into_optimized_plan().unwrap();
            let bytes = logical_plan_to_bytes_with_extension_codec(&plan, &codec).unwrap();
            let sent = logical_plan_from_bytes_with_extension_codec(&bytes, &ctx.task_ctx(), &codec).unwrap();
            let rows = |plan| async { ctx.execute_logical_plan(plan).await?.collect().await.map(|rows| text(&rows)) };
            assert_alike(rows(plan).await, rows(sent).await);
        });
        true
    }
    holds(20, law as fn(Archive, Settings) -> bool);
}

/// A change of a message.
#[derive(Clone, Debug)]
struct Damage(Vec<(usize, u8, u8)>);

impl Arbitrary for Damage {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = usize::arbitrary(g) % 4 + 1;
        Damage((0..count).map(|_| Arbitrary::arbitrary(g)).collect())
    }
}

impl Damage {
    fn done_to(&self, message: &[u8]) -> Vec<u8> {
        let mut bytes = message.to_vec();
        for &(at, how, byte) in &self.0 {
            // The first three bytes say whose message it is.
            let at = 3 + at % (bytes.len() - 2);
            match how % 5 {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                2 if at < bytes.len() => bytes[at] = byte,
                3 if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
                4 if at < bytes.len() => drop(bytes.remove(at)),
                _ => bytes.push(byte),
            }
        }
        bytes
    }
}

/// Bytes from the network are not trusted: they are a plan or an error.
#[test]
fn damaged_messages_are_errors() {
    fn law(settings: Settings, query: usize, damage: Damage, noise: Vec<u8>) -> bool {
        let (_directory, path) = directory(&[("a.sgf", b"(;PB[a])")]);
        runtime().block_on(async {
            let (ctx, plan) = scan(&path, &settings, QUERIES[query % QUERIES.len()]).await;
            let (physical, logical) = (SgfPhysicalCodec::default(), SgfLogicalCodec::default());
            let converter = DefaultPhysicalProtoConverter {};
            let (mut scan, mut table) = (Vec::new(), Vec::new());
            physical.try_encode(plan, &mut scan, &converter).unwrap();
            let snapshot = SgfTable::new([&path], settings.options()).unwrap().snapshot(&ctx.state()).await.unwrap();
            let (name, schema) = ("t".into(), settings.options().schema());
            logical.try_encode_table_provider(&name, Arc::new(snapshot), &mut table).unwrap();
            let noise = [&scan[..3], &noise].concat();
            for bytes in [damage.done_to(&scan), noise.clone()] {
                let _ = physical.try_decode(&bytes, &[], &ctx.task_ctx(), &converter);
            }
            for bytes in [damage.done_to(&table), noise] {
                let _ = logical.try_decode_table_provider(&bytes, &name, Arc::clone(&schema), &ctx.task_ctx());
            }
        });
        true
    }
    holds(200, law as fn(Settings, usize, Damage, Vec<u8>) -> bool);
}

/// Messages of another version, and of tables with other columns, say so.
#[tokio::test]
async fn versions_have_to_agree() {
    let (_directory, path) = directory(&[("a.sgf", b"(;PB[a])")]);
    let ctx = context(1);
    let (codec, name) = (SgfLogicalCodec::default(), "t".into());
    let options = Options::new(Table::Games);
    let table = SgfTable::new([&path], options.clone()).unwrap().snapshot(&ctx.state()).await.unwrap();
    let error = codec.try_encode_table_provider(&name, Arc::new(table), &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("t: a table of a cluster cannot have dictionaries"), "{error}");
    let options = options.dictionaries(false);
    let table = SgfTable::new([&path], options).unwrap().snapshot(&ctx.state()).await.unwrap();
    let mut bytes = Vec::new();
    codec.try_encode_table_provider(&name, Arc::new(table), &mut bytes).unwrap();
    let decode = |bytes: &[u8], table: Table| {
        let schema = Options::new(table).dictionaries(false).schema();
        codec.try_decode_table_provider(bytes, &name, schema, &ctx.task_ctx()).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(decode(&bytes, TABLES[0]), Ok(()));
    assert!(decode(&bytes, TABLES[1]).unwrap_err().contains("t: the columns are not those of this version"));
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let at = bytes.windows(version.len()).position(|bytes| bytes == version).unwrap();
    bytes[at] = b'7';
    let error = decode(&bytes, TABLES[0]).unwrap_err();
    assert!(error.contains("it is from sgf-sql \"7") && error.contains("but this is"), "{error}");
}

//! Object stores.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use datafusion::prelude::SessionContext;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetRange, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt,
    PutMultipartOptions, PutOptions, PutPayload, PutResult,
};
use sgf_sql::Options;
use sgf_table::Table;
use url::Url;

use crate::packed::{gzip, tar};
use crate::support::{archive, ask, context, context_of, directory, measured, register, try_ask};

/// A store in memory that counts requests, and fails from one of them on.
#[derive(Debug, Default)]
struct Counting {
    inner: InMemory,
    requests: AtomicUsize,
    fails_from: AtomicUsize,
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Counting")
    }
}

#[async_trait]
impl ObjectStore for Counting {
    async fn put_opts(&self, at: &Path, payload: PutPayload, how: PutOptions) -> object_store::Result<PutResult> {
        self.inner.put_opts(at, payload, how).await
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        how: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(at, how).await
    }

    async fn get_opts(&self, at: &Path, how: GetOptions) -> object_store::Result<GetResult> {
        if matches!(how.range, Some(GetRange::Bounded(Range { .. }))) {
            let request = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
            let fails_from = self.fails_from.load(Ordering::Relaxed);
            if fails_from > 0 && request >= fails_from {
                return Err(object_store::Error::Generic { store: "test", source: "it does not answer".into() });
            }
        }
        self.inner.get_opts(at, how).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, how: CopyOptions) -> object_store::Result<()> {
        self.inner.copy_opts(from, to, how).await
    }
}

async fn store(ctx: &SessionContext, files: &[(&str, &[u8])]) -> Arc<Counting> {
    let store = Arc::new(Counting::default());
    for (name, content) in files {
        store.put(&Path::from(*name), content.to_vec().into()).await.unwrap();
    }
    ctx.register_object_store(&Url::parse("mem://bucket").unwrap(), store.clone());
    store
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_has_the_rows_of_files() {
    let games = archive(40_000);
    let packed = gzip(&tar(&[("x.sgf", games.as_bytes())]));
    let files: [(&str, &[u8]); 4] =
        [("d/a.sgf", games.as_bytes()), ("d/b/c.sgf", b"(;PB[c])"), ("d/no.txt", b"x"), ("d/z.tar.gz", &packed)];
    let sums = "SELECT count(*), sum(\"offset\"), sum(length), sum(move_count), count(DISTINCT file) FROM games";
    let (_directory, path) = directory(&files);
    let expected = ask(&context_of(&path, 1), sums).await;
    for partitions in [1, 2, 7, 64] {
        let ctx = context(partitions);
        store(&ctx, &files).await;
        register(&ctx, "mem://bucket/d");
        assert_eq!(ask(&ctx, sums).await, expected, "{partitions}");
    }
}

#[tokio::test]
async fn files_of_stores_have_urls() {
    let ctx = context(1);
    store(&ctx, &[("d/a.sgf", b"(;PB[a])"), ("d/e/b.sgf", b"(;PB[b])"), ("f.sgf", b"(;PB[f])")]).await;
    for (name, url, files) in [
        ("one", "mem://bucket/d/a.sgf", "mem://bucket/d/a.sgf"),
        ("two", "mem://bucket/d/", "mem://bucket/d/a.sgf\nmem://bucket/d/e/b.sgf"),
        ("three", "mem://bucket/d", "mem://bucket/d/a.sgf\nmem://bucket/d/e/b.sgf"),
        ("four", "mem://bucket/*.sgf", "mem://bucket/f.sgf"),
        ("five", "mem://bucket/**/b.sgf", "mem://bucket/d/e/b.sgf"),
    ] {
        sgf_sql::register(&ctx, name, url, Options::new(Table::Games)).unwrap();
        assert_eq!(ask(&ctx, &format!("SELECT file FROM {name} ORDER BY 1")).await, files, "{url}");
    }
    sgf_sql::register(&ctx, "six", "mem://bucket/missing.sgf", Options::new(Table::Games)).unwrap();
    let error = try_ask(&ctx, "SELECT file FROM six").await.unwrap_err().to_string();
    assert!(error.contains("mem://bucket/missing.sgf: "), "{error}");
}

#[tokio::test]
async fn files_of_stores_can_be_excluded() {
    let ctx = context(1);
    let members = tar(&[("a.sgf", b"(;PB[a])"), ("old/b.sgf", b"(;PB[b])")]);
    let files: [(&str, &[u8]); 4] =
        [("d/a.sgf", b"(;PB[a])"), ("d/e/b.sgf", b"(;PB[b])"), ("d/old/c.sgf", b"(;PB[c])"), ("d/x.tar", &members)];
    store(&ctx, &files).await;
    for (at, (url, glob, files)) in [
        ("d", "old", "d/a.sgf d/e/b.sgf d/x.tar!/a.sgf"),
        ("d/", "{e,x.tar}", "d/a.sgf d/old/c.sgf"),
        ("d/", "/a.sgf", "d/e/b.sgf d/old/c.sgf d/x.tar!/old/b.sgf"),
        // Paths begin at the PATH, or where its pattern does.
        ("d/", "d/**", "d/a.sgf d/e/b.sgf d/old/c.sgf d/x.tar!/a.sgf d/x.tar!/old/b.sgf"),
        ("d/**/*.sgf", "e/*", "d/a.sgf d/old/c.sgf"),
        ("d/old", "old", "d/old/c.sgf"),
        ("d/a.sgf", "a.*", ""),
        // A directory is not missing if all of it is excluded.
        ("d", "*", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let (name, options) = (format!("t{at}"), Options::new(Table::Games).exclude([glob]).unwrap());
        sgf_sql::register(&ctx, &name, &format!("mem://bucket/{url}"), options).unwrap();
        let expected: Vec<_> = files.split_whitespace().map(|file| format!("mem://bucket/{file}")).collect();
        let found = ask(&ctx, &format!("SELECT file FROM {name} ORDER BY 1")).await;
        assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{url} without {glob}");
    }
}

/// A range costs its bytes, and a little before and after it.
#[tokio::test(flavor = "multi_thread")]
async fn few_bytes_are_read_twice() {
    let games = archive(160_000);
    let (len, partitions) = (games.len(), 4);
    let ctx = context(partitions);
    let store = store(&ctx, &[("a.sgf", games.as_bytes())]).await;
    register(&ctx, "mem://bucket/a.sgf");
    let (rows, bytes) = measured(&ctx, "SELECT count(*) FROM games", &["bytes_scanned"]).await;
    assert_eq!(rows, "160000");
    let requests = store.requests.load(Ordering::Relaxed);
    println!("{requests} requests and {} bytes for {len}", bytes[0]);
    assert!(bytes[0] >= len && bytes[0] < len + partitions * (96 << 10), "{bytes:?} of {len}");
    assert!(requests <= len.div_ceil(4 << 20) + partitions * 6, "{requests}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_ends_the_requests() {
    let games = archive(160_000);
    let ctx = context(1);
    let store = store(&ctx, &[("a.sgf", games.as_bytes())]).await;
    register(&ctx, "mem://bucket/a.sgf");
    assert_eq!(ask(&ctx, "SELECT black FROM games LIMIT 1").await, "black 0");
    let requests = store.requests.load(Ordering::Relaxed);
    assert!(requests <= 3, "{requests} for {}", games.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_fails_ends_the_query() {
    let games = archive(80_000);
    let ctx = context(1);
    let store = store(&ctx, &[("a.sgf", games.as_bytes())]).await;
    let options = Options::new(Table::Games).on_unreadable(|fault| panic!("{fault}"));
    sgf_sql::register(&ctx, "games", "mem://bucket/a.sgf", options).unwrap();
    for fails_from in [1, 2, 3] {
        store.requests.store(0, Ordering::Relaxed);
        store.fails_from.store(fails_from, Ordering::Relaxed);
        let error = try_ask(&ctx, "SELECT count(*) FROM games").await.unwrap_err().to_string();
        assert!(error.contains("mem://bucket/a.sgf: ") && error.contains("it does not answer"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changed_ends_the_query() {
    let games = archive(80_000);
    let ctx = context(1);
    let store = store(&ctx, &[("a.sgf", games.as_bytes())]).await;
    register(&ctx, "mem://bucket/a.sgf");
    let plan = ctx.sql("SELECT max(black) FROM games").await.unwrap().create_physical_plan().await.unwrap();
    store.put(&Path::from("a.sgf"), games.as_bytes()[..games.len() / 2].to_vec().into()).await.unwrap();
    let error = datafusion::physical_plan::collect(plan, ctx.task_ctx()).await.unwrap_err().to_string();
    assert!(error.contains("mem://bucket/a.sgf: the file changed while the query ran"), "{error}");
}

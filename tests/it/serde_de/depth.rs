//! Types that contain themselves, of any size, at any depth that is allowed, on the stack that threads have: 2 MiB.

use std::thread;

use serde::{Deserialize, Serialize};
use sgf_stream::Parser;
use sgf_stream::de::Options;

/// Declares a module with a tree whose nodes have these fields.
macro_rules! tree_of {
    ($name:ident: $($field:ident)*) => {
        mod $name {
            use super::*;

            #[derive(Deserialize, Serialize)]
            #[allow(dead_code, non_snake_case)]
            pub(super) struct Node { $($field: Option<String>),* }

            #[derive(Deserialize, Serialize)]
            pub(super) struct Tree {
                #[serde(rename = "$root")]
                root: Node,
                #[serde(rename = "$nodes")]
                nodes: Vec<Node>,
                #[serde(rename = "$variations")]
                variations: Vec<Tree>,
            }

            impl Levels for Tree {
                fn levels(&self) -> usize {
                    1 + self.variations.first().map_or(0, Tree::levels)
                }
            }

            #[derive(Deserialize, Serialize)]
            #[serde(untagged)]
            #[allow(dead_code, non_snake_case)]
            pub(super) enum Untagged {
                Numbered { #[serde(rename = "MN")] number: u32, $($field: Option<String>),* },
                Tree { #[serde(rename = "$variations", default)] variations: Vec<Untagged>, $($field: Option<String>),* },
            }

            impl Levels for Untagged {
                fn levels(&self) -> usize {
                    match self {
                        Untagged::Numbered { .. } => 1,
                        Untagged::Tree { variations, .. } => 1 + variations.first().map_or(0, Untagged::levels),
                    }
                }
            }

            #[derive(Deserialize, Serialize)]
            #[serde(tag = "TE")]
            #[allow(dead_code, non_snake_case, clippy::large_enum_variant)] // as users' types are
            pub(super) enum Tagged {
                Tree { #[serde(rename = "$variations", default)] variations: Vec<Tagged>, $($field: Option<String>),* },
                Boxed(Box<Inner>),
            }

            #[derive(Deserialize, Serialize)]
            #[allow(dead_code, non_snake_case)]
            pub(super) struct Inner {
                #[serde(rename = "$variations", default)]
                variations: Vec<Tagged>,
                $($field: Option<String>),*
            }

            impl Levels for Tagged {
                fn levels(&self) -> usize {
                    let variations = match self {
                        Tagged::Tree { variations, .. } => variations,
                        Tagged::Boxed(inner) => &inner.variations,
                    };
                    1 + variations.first().map_or(0, Tagged::levels)
                }
            }
        }
    };
}

tree_of!(one: C);
tree_of!(usual: B W C N AB AW AE PL CR DD LB LN MA SL SQ TR DM GB GW HO UC V BM DO IT BL OB OW WL TB TW);
tree_of!(large: B W C N AB AW AE PL CR DD LB LN MA SL SQ TR DM GB GW HO UC V BM DO IT BL OB OW WL TB TW KO AR FG PM
    VW AN AP BR BT CA CP DT EV FF GC GM GN HA KM ON OT PB PC PW RE RO RU SO ST SZ TM US WR WT AA AC AD AG AH AI AJ AK AM);

/// The number of trees in one another.
trait Levels {
    fn levels(&self) -> usize;
}

fn deep(levels: usize) -> String {
    "(;C[x]".repeat(levels) + &")".repeat(levels)
}

/// Runs on the stack that threads have.
fn in_thread<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run);
        thread.unwrap().join().unwrap()
    })
}

const TOO_DEEP: &str = "variations are nested deeper than the limit of 512; see `max_depth`";

fn any_depth<T: for<'de> Deserialize<'de> + Serialize + Levels + 'static>() {
    in_thread(|| {
        for levels in [1, 343, 512, 513, 100_000] {
            let sgf = deep(levels);
            let ways = [
                sgf_stream::from_str::<T>(&sgf),
                sgf_stream::from_slice::<T>(sgf.as_bytes()),
                sgf_stream::from_reader::<_, T>(sgf.as_bytes()),
                Parser::new().reader(sgf.as_bytes()).games::<T>().next().unwrap(),
                Parser::new()
                    .slice(sgf.as_bytes())
                    .games_with::<T>(Options::new().lenient_fields(true))
                    .next()
                    .unwrap(),
            ];
            for read in ways {
                match read {
                    Ok(tree) => {
                        assert_eq!((tree.levels(), levels <= 512), (levels, true));
                        assert_eq!(sgf_stream::to_string(&tree).unwrap().trim_end(), sgf);
                    }
                    Err(error) => assert_eq!((error.message(), levels > 512), (TOO_DEEP.into(), true)),
                }
            }
        }
    });
}

#[test]
fn trees_of_one_field_fit_a_thread() {
    any_depth::<one::Tree>();
}

#[test]
fn trees_of_32_fields_fit_a_thread() {
    any_depth::<usual::Tree>();
}

#[test]
fn trees_of_80_fields_fit_a_thread() {
    any_depth::<large::Tree>();
}

/// Types that serde makes from a buffer, without calling the crate at each level.
fn any_depth_of_buffered<T>(start: &str)
where
    T: for<'de> Deserialize<'de> + Serialize + Levels + 'static,
{
    in_thread(|| {
        for levels in [1, 512, 513, 100_000] {
            let sgf = deep(levels).replace("(;", start);
            let first = |games: sgf_stream::de::Result<Vec<T>>| games.map(|mut games| games.remove(0));
            let ways = [
                first(sgf_stream::from_str(&sgf)),
                Parser::new().reader(sgf.as_bytes()).games::<T>().next().unwrap(),
                Parser::new()
                    .slice(sgf.as_bytes())
                    .games_with::<T>(Options::new().lenient_fields(true))
                    .next()
                    .unwrap(),
                sgf_stream::from_str::<Typed<T>>(&format!("(;{sgf})")).map(|mut game| game.variations.remove(0)),
            ];
            for (way, read) in ways.into_iter().enumerate() {
                let most = if way == 3 { 511 } else { 512 };
                match read {
                    Ok(tree) => {
                        assert_eq!((tree.levels(), levels <= most), (levels, true));
                        assert_eq!(sgf_stream::to_string(&tree).unwrap().trim_end(), sgf);
                    }
                    Err(error) => assert_eq!((error.message(), levels > most), (TOO_DEEP.into(), true)),
                }
            }
            // A seed can be used only once: such a game is read on the stack that is left, or an error.
            let mut games = Parser::new().slice(sgf.as_bytes()).games::<()>();
            match games.next_seed(std::marker::PhantomData::<T>).unwrap() {
                Ok(tree) => assert_eq!(tree.levels(), levels),
                Err(error) => {
                    let message = error.message();
                    let is_right = message.contains("levels that fit the stack") && levels > 1 || message == TOO_DEEP;
                    assert!(is_right, "{levels}: {message}");
                }
            }
        }
    });
}

/// A struct around an enum.
#[derive(Deserialize)]
struct Typed<T> {
    #[serde(rename = "$variations")]
    variations: Vec<T>,
}

#[test]
fn untagged_enums_of_any_size_fit_a_thread() {
    any_depth_of_buffered::<one::Untagged>("(;");
    any_depth_of_buffered::<usual::Untagged>("(;");
    any_depth_of_buffered::<large::Untagged>("(;");
}

#[test]
fn internally_tagged_enums_of_any_size_fit_a_thread() {
    any_depth_of_buffered::<one::Tagged>("(;TE[Tree]");
    any_depth_of_buffered::<usual::Tagged>("(;TE[Boxed]");
    any_depth_of_buffered::<large::Tagged>("(;TE[Tree]");
}

#[cfg(feature = "codec")]
#[test]
fn records_of_80_fields_fit_a_task() {
    records_fit_a_task::<large::Tree>();
    records_fit_a_task::<large::Untagged>();
}

#[cfg(feature = "codec")]
fn records_fit_a_task<T: for<'de> Deserialize<'de> + Levels + Send + Unpin + 'static>() {
    use futures::StreamExt;

    let sgf = deep(512) + &deep(513) + "(;C[y])";
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let levels = runtime.block_on(async move {
        let task = tokio::spawn(async move {
            let mut records = Parser::new().record_stream::<T, _>(sgf.as_bytes());
            let mut levels = Vec::new();
            while let Some(record) = records.next().await {
                levels.push(record.unwrap().map(|tree| tree.levels()).map_err(|error| error.message()));
            }
            levels
        });
        task.await.unwrap()
    });
    assert_eq!(levels, [Ok(512), Err(TOO_DEEP.into()), Ok(1)]);
}

//! The command `sgf`, which is a package of its own.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// The program, compiled with the settings of this bench.
pub(crate) static SGF: LazyLock<PathBuf> = LazyLock::new(|| {
    let bench = env::current_exe().expect("a bench knows its path"); // target/release/deps/table-0123456789abcdef
    let folders: Vec<_> = bench.ancestors().collect();
    let [_, _, profile, target, ..] = folders[..] else { unreachable!("Cargo has put it there: {}", bench.display()) };
    let name = if profile.ends_with("debug") { "dev" } else { "bench" };
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/sgf-cli/Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--bin", "sgf", "--profile", name, "--manifest-path", manifest, "--target-dir"]);
    assert!(cargo.arg(target).status().is_ok_and(|status| status.success()), "`sgf` is compiled");
    profile.join("sgf").with_extension(env::consts::EXE_EXTENSION)
});

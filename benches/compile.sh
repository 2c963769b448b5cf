#!/bin/sh
# What a dependency costs to compile: CPU seconds (debug, release) from an empty target directory, and packages.
# `benches/compile.sh` measures this crate beside its relatives; `benches/compile.sh FEATURES` one set of features
# ("" for none).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
unset CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG CARGO_PROFILE_RELEASE_DEBUG RUSTFLAGS RUSTC_WRAPPER 2>/dev/null || true
# As a dependency from a registry is compiled.
export CARGO_INCREMENTAL=0 CARGO_TERM_QUIET=true

# measure NAME MANIFEST_LINE...
measure() {
    name=$1
    shift
    package=$work/package
    rm -rf "$package"
    mkdir -p "$package/src"
    : >"$package/src/lib.rs"
    {
        printf '[package]\nname = "user"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n'
        printf '%s\n' "$@"
    } >"$package/Cargo.toml"
    cd "$package"
    cargo fetch
    packages=$(cargo tree --edges normal,build --prefix none | sed 's/ (\*)$//' | sort -u | sed 1d | wc -l)
    cpu=
    for flag in '' --release; do
        # shellcheck disable=SC2086
        cpu="$cpu $(bash -c "TIMEFORMAT='%U %S'; time cargo build -j2 $flag" 2>&1 | awk '{ print $1 + $2 }')"
    done
    # shellcheck disable=SC2086
    printf '%-34s %8.1f %8.1f %8d\n' "$name" $cpu "$packages"
    cd "$root"
}

ours() {
    measure "sgf-stream, $1" "sgf-stream = { path = \"$root\", $2 }"
}

printf '%-34s %8s %8s %8s\n' 'CPU seconds, cold, two jobs' debug release packages
if [ $# -gt 0 ]; then
    for features; do
        ours "${features:-none}" "default-features = false, features = [$(printf %s "$features" | sed 's/[^,]*/"&"/g; s/^""$//')]"
    done
    exit
fi
ours 'default features' 'version = "*"'
ours 'no features' 'default-features = false'
measure sgf-parse 'sgf-parse = "*"'
measure csv 'csv = "*"'
measure 'quick-xml with serde' 'quick-xml = { version = "*", features = ["serialize"] }'

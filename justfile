# Shortcuts: `just` lists them. Each runs a command that also works without just.

# Lists the recipes.
default:
    @just --list --unsorted

# Runs what a change needs most of the time: formats, clippy, tests (about 6 minutes on two cores).
check:
    cargo fmt --all -- --check
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    cargo test

# Runs everything (about an hour on two cores); what is not installed is skipped.
ci:
    .ci/run

# Runs everything, installs what it needs, and skips nothing.
strict-ci:
    STRICT_CI=1 .ci/run

# Runs all inputs of all laws, and reads the real files of ../shared if they exist.
long *ARGS:
    SGF_LONG=1 cargo test --workspace --all-features {{ARGS}}

# Rewrites what tests generate: crates/sgf-check/src/rules.md, and the outputs and pictures of README and guide.
pages:
    UPDATE_PAGES=1 cargo test -p sgf-stream-tests --all-features --test it -- check::page guide::
    UPDATE_PAGES=1 cargo test -p sgf-cli --all-features --test cli -- pages:: pictures::

# Rewrites the lists of public items (needs a nightly compiler and cargo-public-api).
public-api:
    for package in sgf-stream sgf-board sgf-table sgf-check; do cargo +nightly public-api -p $package --all-features -sss > tests/public-api/$package.txt; done

# Builds the Python package, and tests it in clean environments.
python:
    crates/sgf-python/check

# Shows the guide and the reference.
doc:
    cargo doc --open --all-features

# Prints the tables of benches/README.md; for others: `just bench growth`.
bench NAME="table":
    cargo bench -p sgf-stream-benches --bench {{NAME}}

# Searches for inputs that break a law (needs a nightly compiler and cargo-fuzz): `just fuzz chunks 60`.
fuzz TARGET SECONDS="60":
    mkdir -p fuzz/found/{{TARGET}}
    cargo +nightly fuzz run {{TARGET}} fuzz/found/{{TARGET}} fuzz/corpus/{{TARGET}} -- -max_total_time={{SECONDS}}

# Checks licenses and advisories of all dependencies (needs cargo-deny).
deny:
    cargo deny check
    cargo deny --manifest-path crates/sgf-sql/Cargo.toml check --config deny.toml

# Looks for misspelled words (needs typos-cli).
typos:
    typos

#!/usr/bin/env bash
# Starts a scheduler and two executors on this machine, runs a query, and stops them:
#
#     examples/cluster.sh "SELECT count(*) FROM games" games/
#
# The program is `sgf-sql`, built with the feature `cluster`, from PATH or from the variable SGF_SQL. On more than one
# machine, the same commands run on each of them, with addresses of a trusted network instead of 127.0.0.1.
set -euo pipefail

sgf_sql=${SGF_SQL:-sgf-sql}
logs=$(mktemp -d)
processes=()
finish() {
    for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
    wait
    rm -r "$logs"
}
trap finish EXIT

# Starts a process, and waits until it listens.
start() {
    local log="$logs/${#processes[@]}"
    : >"$log"
    "$sgf_sql" "$@" >"$log" 2>"$log.err" &
    processes+=($!)
    until grep -q '^listening on ' "$log"; do
        kill -0 "${processes[-1]}" 2>/dev/null || { cat "$log.err" >&2; exit 2; }
        sleep 0.1
    done
    address=$(sed -n 's/^listening on //p' "$log")
}

start scheduler --bind 127.0.0.1:0
scheduler=$address
for _ in 1 2; do
    start executor --scheduler "$scheduler" --slots 1
done

result=0
"$sgf_sql" sql --cluster "$scheduler" "$@" || result=$?

# Executors report what they read when they end.
kill "${processes[@]:1}"
wait "${processes[@]:1}" || true
for log in "$logs"/*.err; do tail -n 1 "$log" >&2; done
exit "$result"

#!/usr/bin/env bash
# Build and run the benchmarks (make bench): CSV of each topic, and a table of ratios against targets.
# A slow machine is not a failure; wrong data, or a program that fails, is.
#
# usage: core/bench/run.sh [--small] [--out DIR] [--build DIR] [TOPIC...]
#
#   --small      small sizes (XTA_BENCH_SMALL=1): two minutes, 1 GB of disk instead of eight, 13 GB
#   --out DIR    where CSV goes and the work is done (default: bench-out beside the sources); the files
#                worked on are deleted at the end
#   --build DIR  where it is built (default: build-bench)
#   TOPIC        cells boxes cold curves io writes threads frames extend chunks address growth storage
#                order lookup o2tree realisations neighbours hilbert (default: all)
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=bench/run_common.sh
source "$source_dir/bench/run_common.sh"
out=$source_dir/bench-out
build=$source_dir/build-bench
small=${XTA_BENCH_SMALL:-0}
topics=()
while [ $# -gt 0 ]; do
    case $1 in
    --small) small=1 ;;
    --out) out=$2; shift ;;
    --build) build=$2; shift ;;
    --help) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "core/bench/run.sh: no option $1; see --help" >&2; exit 2 ;;
    *) topics+=("$1") ;;
    esac
    shift
done
if [ ${#topics[@]} -eq 0 ]; then
    topics=(cells boxes cold curves io writes threads frames extend address growth storage order chunks lookup
        o2tree realisations neighbours hilbert)
fi

mkdir -p "$out/work"
build_bench "$source_dir" "$build" "$out/build.log" --target xta_bench

trap 'rm -rf "$out/work"' EXIT
if [ "$small" = 0 ] && ! has_gib "$out/work" 20; then
    echo "less than 20 GiB free under $out: small sizes" >&2
    small=1
fi

export XTA_BENCH_DIR=$out/work XTA_BENCH_SMALL=$small
XTA_BENCH_COMMIT=$(commit_of "$source_dir")
export XTA_BENCH_COMMIT

failed=()
for topic in "${topics[@]}"; do
    started=$SECONDS
    if "$build/core/bench/bench_$topic" >"$out/$topic.csv.part"; then
        mv "$out/$topic.csv.part" "$out/$topic.csv"
        echo "$topic: $((SECONDS - started)) s" >&2
    else
        failed+=("$topic")
    fi
    rm -rf "${XTA_BENCH_DIR:?}"/*
done

"$python" "$source_dir/core/bench/report.py" summary "$out"
if [ ${#failed[@]} -gt 0 ]; then
    echo "core/bench/run.sh: failed: ${failed[*]}" >&2
    exit 1
fi

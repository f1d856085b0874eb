#!/usr/bin/env bash
# Build and run the bench of cubes: means of boxes of 1 GiB of float32, by xta_cube_query and by xta_reduce, both in the
# page cache. Prints CSV: what a new cube and a small growth cost, then for each box both times, their ratio, what was
# read, and the surface of the box. Writes OUT/cube.csv.
#
# usage: reduce/bench/cube.sh [--small] [--out DIR] [--build DIR]
#
#   --small       128 MiB instead of 1 GiB
#   --out DIR     where the table goes and the work is done (default: bench-out beside the sources)
#   --build DIR   where it is built (default: build-bench)
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=bench/run_common.sh
source "$source_dir/bench/run_common.sh"
out=$source_dir/bench-out
build=$source_dir/build-bench
while [ $# -gt 0 ]; do
    case $1 in
    --small) export XTA_BENCH_SMALL=1 ;;
    --out) out=$2; shift ;;
    --build) build=$2; shift ;;
    --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "reduce/bench/cube.sh: no option $1; see --help" >&2; exit 2 ;;
    esac
    shift
done

mkdir -p "$out/work"
out=$(cd "$out" && pwd)
build_bench "$source_dir" "$build" "$out/build.log" --target bench_cube
export XTA_BENCH_DIR=$out/work
trap 'rm -rf "$out/work"' EXIT
{
    echo "what,seconds,base cells,cube cells"
    "$build/reduce/bench/bench_cube" make
    echo "edge,cells,reduce seconds,query seconds,ratio,groups read,base cells read,surface"
    "$build/reduce/bench/bench_cube" run
} | tee "$out/cube.csv"

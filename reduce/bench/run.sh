#!/usr/bin/env bash
# Build and run the bench of reductions over axes: sums of float32 in the page cache against memcpy and a loop that only
# loads, by one thread and two, and against NumPy, xarray with bottleneck, Dask, ncwa, cdo and DuckDB over the same
# cells. Prints tables of ratios and writes OUT/reduce.md. A slow machine is not a failure: processor times stand beside
# the times.
#
# usage: reduce/bench/run.sh [--small] [--out DIR] [--build DIR] [--rounds N]
#
#   --small       128 MiB instead of 1 GiB
#   --out DIR     where the tables go and the work is done (default: bench-out beside the sources)
#   --build DIR   where it is built (default: build-bench)
#   --rounds N    how often the peers are measured; the best counts (default: 5)
#
# Peers that are not installed are skipped, and named: python3-xarray, python3-bottleneck, python3-dask,
# python3-netcdf4, nco, cdo; and DuckDB, if there is no npm and node, or they cannot have @duckdb/node-api in OUT/duckdb.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=bench/run_common.sh
source "$source_dir/bench/run_common.sh"
out=$source_dir/bench-out
build=$source_dir/build-bench
rounds=5
while [ $# -gt 0 ]; do
    case $1 in
    --small) export XTA_BENCH_SMALL=1 ;;
    --out) out=$2; shift ;;
    --build) build=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --help) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "reduce/bench/run.sh: no option $1; see --help" >&2; exit 2 ;;
    esac
    shift
done

mkdir -p "$out/work"
out=$(cd "$out" && pwd)
build_bench "$source_dir" "$build" "$out/build.log" --target bench_reduce
export XTA_BENCH_DIR=$out/work OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
trap 'rm -rf "$out/work"' EXIT
"$build/reduce/bench/bench_reduce" make
"$build/reduce/bench/bench_reduce" run >"$out/reduce.csv"

"$python" "$source_dir/reduce/bench/peers.py" "$out/work" "$rounds" >"$out/reduce_peers.csv"
duckdb=$out/duckdb/node_modules
if command -v npm >/dev/null && command -v node >/dev/null &&
    { [ -d "$duckdb/@duckdb" ] || npm install --silent --prefix "$out/duckdb" @duckdb/node-api >"$out/npm.log" 2>&1; }; then
    NODE_PATH=$duckdb node "$source_dir/reduce/bench/duckdb.cjs" "$out/work" "$rounds" >>"$out/reduce_peers.csv" ||
        echo "SKIPPED: DuckDB has failed" >&2
else
    echo "SKIPPED: DuckDB: no npm, or it cannot install @duckdb/node-api" >&2
fi
python3 "$source_dir/reduce/bench/report.py" "$out/reduce.csv" "$out/reduce_peers.csv" | tee "$out/reduce.md"

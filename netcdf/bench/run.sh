#!/usr/bin/env bash
# Build and run the bench of reading through the NetCDF library: XTA's data set through libxta and through NetCDF, and the
# same cells in a file of NetCDF-4. Prints a table and writes OUT/netcdf.csv.
#
# usage: netcdf/bench/run.sh [--small] [--out DIR] [--build DIR]
#
#   --small       128 MiB instead of 1 GiB
#   --out DIR     where the table goes and the work is done (default: bench-out beside the sources)
#   --build DIR   where it is built (default: build-bench)
#
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
    *) echo "netcdf/bench/run.sh: no option $1; see --help" >&2; exit 2 ;;
    esac
    shift
done

mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d "$out/netcdf.XXXXXX")
trap 'rm -rf "$work"' EXIT
build_bench "$source_dir" "$build" "$out/build.log" --target bench_netcdf
XTA_BENCH_DIR=$work "$build/netcdf/bench/bench_netcdf" >"$out/netcdf.csv"
column -s, -t "$out/netcdf.csv"

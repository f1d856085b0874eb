#!/usr/bin/env bash
# Build and run the benchmarks of many processes (make bench-parallel): XTA against plain MPI-IO, parallel
# HDF5, PnetCDF and the stock Disk Resident Arrays, under Open MPI; CSV of each topic, and a table of
# ratios against targets. A slow machine is not a failure; wrong data, or a program that fails, is.
#
# usage: mpi/bench/run.sh [--small] [--out DIR] [--build DIR] [--ranks LIST] [--io IO] [TOPIC...]
#
#   --small       arrays of 128 MiB instead of 1 GiB (XTA_BENCH_SMALL=1)
#   --out DIR where CSV goes and the work is done (default: bench-out beside the sources); the files worked on are
#   deleted at the end; the time of each repetition stays in TOPIC.log
#   --build DIR   where it is built (default: build-bench)
#   --ranks LIST  numbers of ranks (default: "1 2 4")
#   --io IO       topic parallel: our path through mappings (auto), through MPI-IO (mpi), or both, interleaved in one
#                 run (default: both)
#   TOPIC         parallel parallel_growth parallel_applications (default: all)
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=bench/run_common.sh
source "$source_dir/bench/run_common.sh"
out=$source_dir/bench-out
build=$source_dir/build-bench
small=${XTA_BENCH_SMALL:-0}
ranks="1 2 4"
topics=()
while [ $# -gt 0 ]; do
    case $1 in
    --small) small=1 ;;
    --out) out=$2; shift ;;
    --build) build=$2; shift ;;
    --ranks) ranks=$2; shift ;;
    --io)
        case $2 in
        auto | mpi | both) export XTA_BENCH_IO=$2 ;;
        *) echo "mpi/bench/run.sh: --io $2: give auto, mpi or both" >&2; exit 2 ;;
        esac
        shift ;;
    --help) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "mpi/bench/run.sh: no option $1; see --help" >&2; exit 2 ;;
    *) topics+=("$1") ;;
    esac
    shift
done
if [ ${#topics[@]} -eq 0 ]; then
    topics=(parallel parallel_growth parallel_applications)
fi

mkdir -p "$out/work"
build_bench "$source_dir" "$build" "$out/build.log" --target xta_bench_parallel

trap 'rm -rf "$out/work"' EXIT
if [ "$small" = 0 ] && ! has_gib "$out/work" 8; then
    echo "less than 8 GiB free under $out: small sizes" >&2
    small=1
fi

export XTA_BENCH_DIR=$out/work XTA_BENCH_SMALL=$small
XTA_BENCH_COMMIT=$(commit_of "$source_dir")
export XTA_BENCH_COMMIT
# There may be more ranks than processors; waiting ranks must then yield.
export OMPI_MCA_rmaps_base_oversubscribe=1 OPENBLAS_NUM_THREADS=1
if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
mpirun=$(command -v mpirun.openmpi || command -v mpirun)

# on_ranks N PROGRAM [ARGUMENTS]
on_ranks() {
    local yield=0
    [ "$1" -le "$(nproc)" ] || yield=1
    OMPI_MCA_mpi_yield_when_idle=$yield timeout 7200 "$mpirun" -n "$@"
}

# Rows of one program for all numbers of ranks, under one head.
run_program() {
    local n
    for n in $ranks; do
        on_ranks "$n" "$build/mpi/bench/bench_$1" >"$out/$1.run" 2>>"$out/$1.log" || return 1
        if [ -s "$out/$1.csv.part" ]; then
            sed -i '/^#/d; /^topic,/d' "$out/$1.run"
        fi
        cat "$out/$1.run" >>"$out/$1.csv.part"
        rm "$out/$1.run"
    done
}

run_applications() {
    local n application arguments=(--csv)
    [ "$small" = 0 ] || arguments+=(--small)
    for application in matmul lennard_jones cavity; do
        for n in $ranks; do
            on_ranks "$n" "$build/mpi/bench/application_$application" "${arguments[@]}" \
                "$XTA_BENCH_DIR" >>"$out/$1.rows" 2>>"$out/$1.log" || return 1
            rm -rf "${XTA_BENCH_DIR:?}"/*
        done
    done
    "$build/mpi/bench/bench_$1" <"$out/$1.rows" >"$out/$1.csv.part"
}

failed=()
for topic in "${topics[@]}"; do
    started=$SECONDS
    run=run_program
    [ "$topic" != parallel_applications ] || run=run_applications
    # Results of an earlier run must not be mistaken for those of this one.
    rm -f "$out/$topic".{csv,csv.part,log,rows,run}
    if $run "$topic"; then
        mv "$out/$topic.csv.part" "$out/$topic.csv"
        echo "$topic: $((SECONDS - started)) s" >&2
    else
        tail -n 5 "$out/$topic.log" >&2
        failed+=("$topic")
    fi
    rm -rf "${XTA_BENCH_DIR:?}"/*
done

"$python" "$source_dir/core/bench/report.py" summary "$out"
if [ ${#failed[@]} -gt 0 ]; then
    echo "mpi/bench/run.sh: failed: ${failed[*]}" >&2
    exit 1
fi

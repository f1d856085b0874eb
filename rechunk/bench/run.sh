#!/usr/bin/env bash
# Build and run the bench of repartitioning (make bench-rechunk): a cube of u16 goes from blocks of one shape
# into blocks of another, by XTA and by every other program installed here that can do it, each under a memory limit
# that counts the page cache, and each from a cold cache. `cp` of the same bytes under the same limit is the floor.
# Prints a table of ratios and writes OUT/rechunk.md. A slow machine is not a failure; wrong data is.
#
# usage: rechunk/bench/run.sh [--small] [--out DIR] [--build DIR] [--rounds N] [--seconds LIMIT] [CASE...]
#
#   --small          a cube of 420^3 (148 MB) under 192 MiB, instead of 1050^3 (2.3 GB) under 512 MiB
#   --out DIR        where the tables go and the work is done (default: bench-out beside the sources); needs
#                    four times the cube; the files worked on are deleted at the end
#   --build DIR      where it is built (default: build-bench)
#   --rounds N       how often the fast ones are measured; the median counts (default: 3)
#   --seconds LIMIT  when a contender is given up (default: 600)
#   CASE             cubes (105^3 -> 150^3) or pencils (1 x 1050 x 1050 -> 1050 x 30 x 35); default: both
#
# Peers that are not installed (nccopy, h5repack, h5py, zarr, dask) are left out, with a message.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=bench/run_common.sh
source "$source_dir/bench/run_common.sh"
here=$source_dir/rechunk/bench
out=$source_dir/bench-out
build=$source_dir/build-bench
small=${XTA_BENCH_SMALL:-0}
rounds=3
seconds=600
cases=()
while [ $# -gt 0 ]; do
    case $1 in
    --small) small=1 ;;
    --out) out=$2; shift ;;
    --build) build=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --help) sed -n '2,20s/^# \{0,1\}//p' "$0"; exit 0 ;;
    cubes | pencils) cases+=("$1") ;;
    *) echo "rechunk/bench/run.sh: no option or case $1; see --help" >&2; exit 2 ;;
    esac
    shift
done
[ ${#cases[@]} -gt 0 ] || cases=(cubes pencils)

mkdir -p "$out"
out=$(cd "$out" && pwd)
build_bench "$source_dir" "$build" "$out/build.log" --target xta_tool xta_formats
export XTA_TOOL=$build/xta

n=1050 limit=$((512 << 20)) memory=$((440 << 20))
if [ "$small" = 1 ]; then
    n=420 limit=$((192 << 20)) memory=$((96 << 20))
fi
work=$out/rechunk-work
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
free_kib=$(df -Pk "$work" | awk 'NR == 2 { print $4 }')
if [ "$free_kib" -lt $((9 * n * n * n / 1024)) ]; then
    echo "rechunk/bench/run.sh: less than four times the cube is free under $out" >&2
    exit 1
fi

results=$out/rechunk.jsonl
run_log=$out/rechunk.log
: >"$results"
: >"$run_log"
{
    printf '{"about": {"n": %s, "limit_bytes": %s, "memory_bytes": %s, "rounds": %s, "commit": "%s", ' \
        "$n" "$limit" "$memory" "$rounds" \
        "$(commit_of "$source_dir")"
    printf '"machine": "%s, %s processors, %s"}}\n' \
        "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
        "$(df -PT "$work" | awk 'NR == 2 { print $2 }')"
} >>"$results"

cold=1
drop_caches() {
    sync
    if ! echo 3 2>/dev/null >/proc/sys/vm/drop_caches; then
        [ "$cold" = 0 ] || echo "rechunk/bench/run.sh: THE PAGE CACHE CANNOT BE DROPPED: sources are warm" >&2
        cold=0
    fi
}

failed=0

# note CASE NAME ROUND JSON: record one result.
note() {
    printf '{"case": "%s", "name": "%s", "round": %s, "cold": %s, "answer": %s}\n' \
        "$1" "$2" "$3" "$cold" "$4" >>"$results"
}

# count_operations LOG: reads and writes counted by strace.
count_operations() {
    awk '$NF ~ /^p?(read|write)(v|v2|64)?$/ { if ($NF ~ /read/) r += $4; else w += $4 }
         END { printf "{\"reads\": %d, \"writes\": %d}", r, w }' "$1"
}

# contend CASE NAME FORMAT RESULT COMMAND...: measure a contender, check its result, count its operations. A contender
# that times out or is killed, or needs longer than a minute, is not run again.
contend() {
    local case=$1 name=$2 format=$3 result=$4 round answer outcome whole_seconds=0
    shift 4
    for ((round = 1; round <= rounds; round++)); do
        rm -rf "$work/out"
        mkdir "$work/out"
        drop_caches
        echo "== $case, $name" >>"$run_log"
        answer=$("$python" "$here/limited.py" --memory "$limit" --seconds "$seconds" --log "$run_log" \
            -- "$@") || return 1
        note "$case" "$name" "$round" "$answer"
        outcome=$(sed 's/.*"outcome": "\([a-z]*\)".*/\1/' <<<"$answer")
        echo "$case: $name: $outcome, $(sed 's/.*"synced": \([0-9.]*\).*/\1/' <<<"$answer") s" >&2
        if [ "$outcome" != ok ]; then
            return 0
        fi
        if [ "$round" = 1 ] && ! "$python" "$here/data.py" check "$work/out" "$n" "$format" "$result"; then
            echo "rechunk/bench/run.sh: $case: $name: wrong data" >&2
            failed=1
        fi
        whole_seconds=$(sed 's/.*"seconds": \([0-9]*\).*/\1/' <<<"$answer")
        [ "$whole_seconds" -lt 60 ] || break
    done
    # Each counted call costs ten times as much as without strace.
    if [ "$whole_seconds" -lt 60 ] && command -v strace >/dev/null; then
        rm -rf "$work/out"
        mkdir "$work/out"
        if timeout "$seconds" strace -f -c -o "$work/strace" "$@" >>"$run_log" 2>&1; then
            printf '{"case": "%s", "name": "%s", "operations": %s}\n' "$case" "$name" \
                "$(count_operations "$work/strace")" >>"$results"
        fi
    fi
}

# have CASE WHAT COMMAND...: whether a peer is installed.
have() {
    local case=$1 what=$2
    shift 2
    if ! "$@" >/dev/null 2>&1; then
        echo "$case: $what is not installed: left out" >&2
        return 1
    fi
}
have_module() { have "$1" "python3-$2" "$python" -c "import $2"; }

xta_contenders() {
    local case=$1 to=$2 s
    local run=("$XTA_TOOL" rechunk)
    for s in sweep keep baseline; do
        contend "$case" "XTA $s, one file" xta t \
            "${run[@]}" "$work/source" "$work/out/t" --chunk "$to" --memory "$memory" --strategy "$s"
    done
    for s in sweep keep baseline; do
        contend "$case" "XTA $s, block files" npy t \
            "${run[@]}" "$work/source_npy/{0}_{1}_{2}.npy" "$work/out/t/{0}_{1}_{2}.npy" \
            --chunk "$to" --memory "$memory" --strategy "$s"
    done
    [ ! -e "$work/source.nc" ] || contend "$case" "XTA sweep, HDF5" nc t.h5 \
        "${run[@]}" "$work/source.nc:cube" "$work/out/t.h5:cube" --format hdf5 --chunk "$to" \
        --memory "$memory"
}

peers() {
    local case=$1 to=$2
    local x=${to%%,*} rest=${to#*,}
    if [ -e "$work/source.nc" ]; then
        ! have "$case" nccopy command -v nccopy || contend "$case" nccopy nc t.nc \
            nccopy -c "z/$x,y/${rest%%,*},x/${rest##*,}" "$work/source.nc" "$work/out/t.nc"
        ! have "$case" h5repack command -v h5repack || contend "$case" h5repack nc t.nc \
            h5repack -l "cube:CHUNK=${to//,/x}" "$work/source.nc" "$work/out/t.nc"
        contend "$case" h5py nc t.h5 "$python" "$here/peers.py" h5py "$work/source.nc" "$work/out/t.h5" "$to"
    fi
    if [ -e "$work/source.zarr" ]; then
        contend "$case" zarr.copy zarr t.zarr/cube "$python" "$here/peers.py" zarr "$work/source.zarr" \
            "$work/out/t.zarr" "$to"
        ! have_module "$case" dask || contend "$case" dask zarr t.zarr "$python" "$here/peers.py" dask \
            "$work/source.zarr" "$work/out/t.zarr" "$to"
    fi
}

# run_case CASE FROM TO
run_case() {
    local case=$1 from=$2 to=$3 format
    rm -rf "$work"
    mkdir -p "$work/out"
    for format in raw xta npy nc zarr; do
        "$python" "$here/data.py" make "$work" "$n" "$format" "$from" 2>"$work/why" || {
            cat "$work/why" >&2
            [ "$format" = nc ] || [ "$format" = zarr ] || return 1
        }
        # The dense file is only needed for the import.
        [ "$format" != xta ] || rm "$work/source.raw"
    done
    contend "$case" cp xta source cp "$work/source.xta" "$work/source.xmd" "$work/out/"
    xta_contenders "$case" "$to"
    peers "$case" "$to"
}

for case in "${cases[@]}"; do
    case $case in
    cubes) run_case cubes "$((n / 10)),$((n / 10)),$((n / 10))" "$((n / 7)),$((n / 7)),$((n / 7))" ;;
    pencils) run_case pencils "1,$n,$n" "$n,$((n / 35)),$((n / 30))" ;;
    esac
done
"$python" "$here/report.py" "$results" "$out/rechunk.md"
exit "$failed"

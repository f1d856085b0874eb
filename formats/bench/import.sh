#!/bin/bash
# Whole NetCDF-4 files into data sets, beside cp and nccopy:
#
#     formats/bench/import.sh [MIB [ROUNDS [FOLDER]]]
#
# Makes two files of MIB (1024) in FOLDER ($TMPDIR), chunks of 8 x 256 x 256 f32 cells, one of them shuffled and
# deflated; then copies and imports them ROUNDS (5) times, in turns, all with warm page cache. Each contender's files are
# on disk when its time ends. Prints the median of the seconds, and ratios: the peer's time by ours.
# Needs python3-netcdf4, netcdf-bin, and the tool in $XTA_TOOL (build/xta).
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
mib=${1:-1024} rounds=${2:-5} folder=${3:-${TMPDIR:-/tmp}}
tool=$(realpath "${XTA_TOOL:-$(dirname "$0")/../../build/xta}")
work=$(mktemp -d "$folder/xta-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

/usr/bin/python3 - "$mib" <<'END'
import sys
import netCDF4
import numpy as np

n = max(8, int(sys.argv[1]) // 4)
for name, options in (("plain.nc", {}), ("deflated.nc", dict(zlib=True, complevel=4, shuffle=True))):
    with netCDF4.Dataset(name, "w") as f:
        for axis, length in (("time", None), ("y", 1024), ("x", 1024)):
            f.createDimension(axis, length)
        t = f.createVariable("t", "f4", ("time", "y", "x"), chunksizes=(8, 256, 256), **options)
        base = np.cumsum(np.random.default_rng(1).normal(size=(1024, 1024)), axis=1)
        for k in range(0, n, 8):
            t[k:k + 8] = np.round(base + np.arange(k, k + 8)[:, None, None] * 0.1, 1)
END

# timed NAME COMMAND...: its seconds until everything is on disk, into NAME.times.
timed() {
    local name=$1 start end
    rm -rf out out.new*
    sync -f .
    cat plain.nc deflated.nc >/dev/null
    start=$(date +%s%N)
    "${@:2}" >/dev/null
    sync -f .
    end=$(date +%s%N)
    awk -v ns=$((end - start)) 'BEGIN { printf "%.3f\n", ns / 1e9 }' >>"$name.times"
}
for ((k = 0; k < rounds; k++)); do
    timed cp cp plain.nc out
    timed plain "$tool" import plain.nc out/
    timed nccopy nccopy -d0 deflated.nc out
    timed deflated "$tool" import deflated.nc out/
done

median() {
    sort -n "$1.times" | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'
}
# row OURS PEER TARGET
row() {
    awk -v ours="$(median "$1")" -v peer="$(median "$2")" -v name="$1" -v with="$2" -v target="$3" 'BEGIN {
        printf "%-10s xta import %.3f s, %s %.3f s: ratio %.2f (target %s)\n", name, ours, with, peer, peer / ours, target }'
}
echo "$mib MiB of f32, $rounds rounds, on $(stat -f -c %T .):"
row plain cp 0.8
row deflated nccopy 1.0

#!/bin/bash
# Files that the toolkit's own DRA wrote, on 1 and 4 ranks, into one file and into several, become arrays by
# `xta import`, cell for cell; and libpexta_dra opens what was imported.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
run=$XTA_SOURCE_DIR/mpi/tests/parallel/run.sh
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
count=0

# try RANKS TYPE NUMFILES NUMIOPROCS "DIMS" "REQDIMS"
try() {
    rm -f f f.* a.*
    local -a dims typical
    read -r -a dims <<<"$5"
    read -r -a typical <<<"$6"
    bash "$run" "$XTA_TEST_MPI" "$1" "$XTA_TEST_PROGRAM" "$place/f" "$2" "$3" "$4" "${dims[@]}" \
        "${typical[@]}" >out 2>&1 ||
        { cat out; exit 1; }
    "$XTA_TOOL" import f.info a >out
    "$XTA_TOOL" read a --as raw >cells
    "${XTA_PYTHON:-/usr/bin/python3}" - "$2" "$3" "$(cat out)" "${dims[@]}" <<'PYTHON'
import glob
import sys

import numpy as np

types = {1001: "i4", 1002: "i8", 1003: "f4", 1004: "f8", 1006: "c8", 1007: "c16"}
shape = tuple(map(int, sys.argv[4:]))
dtype = types[int(sys.argv[1])]
want = np.arange(int(np.prod(shape)))
want = (want - 1j * want).astype(dtype) if dtype[0] == "c" else want.astype(dtype)
got = np.fromfile("cells", dtype=dtype)
assert got.shape == want.shape and (got == want).all(), (shape, np.argmax(got != want))
assert sys.argv[3] == ",".join(f"0:{n}" for n in shape), sys.argv[3]
n_files = int(sys.argv[2])
assert len(glob.glob("f.[0-9]*")) == (0 if n_files == 1 else n_files), glob.glob("f*")
PYTHON
    count=$((count + 1))
}

try 1 1004 1 1 "5 7" "2 3"
try 1 1001 1 1 "41 30 17" "10 -1 6"
try 1 1007 1 1 "13" "4"
try 1 1003 1 1 "9 8 7 6" "4 3 2 5"
try 4 1004 1 4 "700 600" "100 200"
try 4 1002 1 1 "33 29 31" "-1 -1 -1"
try 4 1004 4 4 "50 70" "20 30"
try 4 1001 4 4 "41 30 17" "10 7 6"
try 4 1006 3 3 "20 9 8 7" "6 5 4 3"
try 4 1004 2 2 "900 800" "-1 -1"
try 4 1003 4 4 "3 2" "3 2"
if "$XTA_TOOL" attr a | grep -q 'of the toolkit'; then
    echo "stock_dra: $count arrays imported"
else
    echo "the name is lost"
    exit 1
fi

# Imported arrays are opened by libpexta_dra, in all types, under either pair of suffixes.
for type in 1001 1002 1003 1004 1006 1007; do
    suffix=.pma
    [ "$type" -lt 1006 ] || suffix=
    bash "$run" "$XTA_TEST_MPI" 2 "$XTA_TEST_PROGRAM" "$place/f" "$type" 2 2 47 31 23 20 20 20 >out 2>&1
    "$XTA_TOOL" import --format dra f "g$type$suffix" >/dev/null
    if [ -n "$suffix" ] && { [ ! -f "g$type.pma" ] || [ ! -f "g$type.pta" ]; }; then
        echo "no pair g$type.pma, g$type.pta: $(echo g*)"
        exit 1
    fi
done
bash "$run" "$XTA_TEST_MPI" 3 "$XTA_TEST_READER" read "$place/g"

#!/bin/bash
# Mistakes under the names of DRA end the job, with the text of the toolkit and a reason.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
run=$XTA_SOURCE_DIR/mpi/tests/parallel/run.sh
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
failures=0
count=0

# mistake CASE TEXT: on 2 ranks it ends with a code other than 0, prints the text, and no rank goes on.
mistake() {
    local code=0
    bash "$run" "$XTA_TEST_MPI" 2 "$XTA_TEST_PROGRAM" "$1" "$place/$1" >"$place/out" 2>&1 || code=$?
    count=$((count + 1))
    if [ "$code" -eq 0 ] || [ "$code" -eq 124 ] || grep -q 'still alive' "$place/out" ||
        ! grep -qF "$2" "$place/out"; then
        echo "$1: code $code, wanted the text '$2' in:"
        head -n 20 "$place/out"
        failures=$((failures + 1))
    fi
}

bash "$run" "$XTA_TEST_MPI" 2 "$XTA_TEST_PROGRAM" none "$place/none" | grep -c 'still alive'
mistake type 'invalid type : ndra_create: there are C_CHAR'
mistake dims 'ndra_create: disk array dimension invalid : axis 0 has 0 cells'
mistake axes 'ndra_create: disk array dimension invalid : an array has 1 to 7 axes, not 8'
mistake folder 'ndra_create:failed to open file: '
mistake long-name 'ndra_create:failed to open file: '
mistake create-reading 'ndra_create:failed to open file: '
mistake handle 'invalid DRA handle: '
mistake closed 'disk array not active: dra_close: '
mistake request 'dra_wait: '
mistake init 'dra_init: incorrect max number of arrays: '
mistake damaged 'dra_open failed (-1): '
mistake early 'call DRA_Init first'
mistake write-type 'ndra_write: type mismatch: '
mistake write-axes 'ndra_write: dimension mismatch: '
mistake write-dims 'ndra_write: dims mismatch: axis 0: '
mistake write-not-allowed 'ndra_write: write not allowed to this array: '
mistake read-dims 'ndra_read: dims mismatch: axis 0: '
mistake read-not-allowed 'ndra_read: read not allowed: '
mistake section-disk 'ndra_write_sect: d_a dim error: axis 0 '
mistake section-ga 'ndra_read_sect: g_a dim error: axis 0 '
mistake section-cells 'ndra_write_sect: d_a and g_a sections do not match : 30 and 25 cells'
mistake section-shape 'DRA move: Inconsistent dimensions found : axis 0 '
mistake section-not-allowed 'ndra_write_sect: write not allowed: '
echo "dra_errors: $count mistakes, $failures wrong"
[ "$failures" -eq 0 ]

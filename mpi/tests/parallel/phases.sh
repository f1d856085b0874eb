#!/bin/bash
# An array written on 4 ranks is opened on 1, 2, 3 and 7; the serial tool grows it while each of them has it open, at
# the back and at the front; they see the growth after refresh and not before, and write the new cells.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
run=$XTA_SOURCE_DIR/mpi/tests/parallel/run.sh
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
ranks() { # number of ranks, then words for the program
    local n=$1
    shift
    bash "$run" "$XTA_TEST_MPI" "$n" "$XTA_TEST_PROGRAM" "$@"
}
ranks 4 write "$place/a"
growths=("--axis 0 --by 3 --front" "--axis 2 --by 4 --axis 1 --by 1 --front" "--axis 0 --by 8" "--axis 1 --by 5")
io=(auto mpi auto auto)
k=0
for n in 1 2 3 7; do
    ranks "$n" look "$place/a" "$place/marker" "${io[k]}" &
    program=$!
    for ((wait = 0; wait < 1200; wait++)); do
        [ ! -e "$place/marker" ] || break
        sleep 0.05
    done
    # shellcheck disable=SC2086  # these are words
    "$XTA_TOOL" extend "$place/a" ${growths[k]} >/dev/null
    rm "$place/marker"
    wait "$program"
    k=$((k + 1))
done
[ "$("$XTA_TOOL" info "$place/a" | sed -n 's/^bounds *//p')" = "-3:17,-1:16,0:17" ]
[ "$("$XTA_TOOL" read "$place/a" --box -3,-1,16)" = $((-3 * 10007 - 101 + 16)) ]
"$XTA_TOOL" check "$place/a" >/dev/null
echo "phases: written on 4 ranks, seen on 1, 2, 3 and 7"

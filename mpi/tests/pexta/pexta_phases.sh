#!/bin/bash
# An array written on 4 ranks is read on 1, 2 and 3; the bytes do not depend on the number of ranks; the tool grows
# it, before the ranks open it and while they have it open, and each sees the changes of the other.
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
is() { # box, wanted value
    local got
    got=$("$XTA_TOOL" read "$place/a" --box "$1")
    [ "$got" = "$2" ] || {
        echo "pexta_phases: the tool reads $got at $1, not $2"
        exit 1
    }
}
for n in 4 1 3; do
    ranks "$n" create "$place/a$n"
done
for n in 1 3; do
    cmp -i 64 "$place/a4.pta" "$place/a$n.pta" # but for the header, which holds the uuid
done
mv "$place/a4.pma" "$place/a.pma"
mv "$place/a4.pta" "$place/a.pta"
for n in 1 2 3; do
    ranks "$n" read "$place/a"
done
is 39,23,17 89073068

"$XTA_TOOL" extend "$place/a" --axis 0 --by 6 --front --axis 2 --by 9 >/dev/null
ranks 3 grow "$place/a"
ranks 1 read_grown "$place/a"
ranks 2 read_grown "$place/a"
is -6,-3,31 44047082

# While the ranks have it open.
ranks 2 live "$place/a" "$place/marker" &
program=$!
for ((k = 0; k < 600; k++)); do
    [ ! -e "$place/marker" ] || break
    sleep 0.1
done
"$XTA_TOOL" extend "$place/a" --axis 1 --by 4 >/dev/null
wait "$program"
is 0,27,0 50077051
ranks 3 read_grown "$place/a"
"$XTA_TOOL" check "$place/a" >/dev/null
echo "pexta_phases: fine"

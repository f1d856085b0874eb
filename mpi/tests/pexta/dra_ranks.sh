#!/bin/bash
# Arrays made under the names of DRA on 4 ranks are read on 1, 2 and 3, and those made on 1 on 4; the tool reads and
# extends them, and the ranks see the extended arrays.
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
ranks 4 write "$place/f"
ranks 1 write "$place/one"
cells() { # of files, whose headers hold uuids of their own
    for file in "$@"; do
        tail -c +65 "$file"
    done | sha256sum
}
[ "$(cells "$place"/f*.pta)" = "$(cells "$place"/one*.pta)" ] || {
    echo "the bytes depend on the number of ranks"
    exit 1
}
for n in 1 2 3; do
    ranks "$n" read "$place/f"
done
ranks 4 read "$place/one"
for file in "$place"/f*.pma; do
    "$XTA_TOOL" check "${file%.pma}" >/dev/null
    "$XTA_TOOL" extend "${file%.pma}" --axis 0 --by 11 >/dev/null
done
ranks 2 grown "$place/f"
ranks 3 long "$place/f"
[ "$("$XTA_TOOL" read "$place/f1001" --box 57,30,22)" = $((58 * 31 * 23 - 1)) ] || {
    echo "the tool reads another last cell"
    exit 1
}
echo "dra_ranks: fine"

#!/bin/bash
# The listing of [DRX] IV.B on the array of examples/drxmp_paper.c: it prints the zones of the paper and the cells of
# rank 3, on chunks alone and, with `disp` moved, on our data file; and each slip that docs/ERRATA.md names shows, if it
# is put back.
#
#   drxmp_listing.sh <mpi> <drxmp_paper> <drxmp_listing> <drxmp_listing.c> <mpicc>
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
mpi=$1 paper=$2 listing=$3 source=$4 mpicc=$5
runner=$(realpath "$(dirname "$0")/run.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "drxmp_listing: $*" >&2
    exit 1
}
# run RANKS PROGRAM: in the folder `work`, since run.sh removes its own
run() {
    # shellcheck disable=SC2016
    bash "$runner" "$mpi" "$1" /bin/bash -c 'cd "$0" && exec "$1"' "$work" "$2" 2>"$work/errors"
}
# build NAME SED-EXPRESSION: the listing with a change
build() {
    sed "$2" "$source" >"$work/$1.c"
    ! cmp -s "$source" "$work/$1.c" || fail "'$2' changes nothing in the listing"
    "$mpicc" -std=c11 -Wall -Wextra -Werror -o "$work/$1" "$work/$1.c" 2>"$work/errors"
}

run 4 "$paper" >"$work/zones" || {
    cat "$work/errors"
    fail "drxmp_paper does not run"
}
tail -c +4097 "$work/drxmp_paper.xta" >"$work/chunkedArray4.dat"
[ "$(stat -c %s "$work/chunkedArray4.dat")" -ge $((20 * 6 * 8)) ] || fail "the data file does not have 20 chunks"

# What the listing must print: for each rank its chunks, with where each goes in memory, and of rank 3 the cells, chunk
# by chunk. Ranks print in any sequence.
want() {
    local zones=('0 1 2 3 4 5' '6 7 8 12 13 14' '9 10 16 17' '11 15 18 19')
    local places=('0 1 2 3 4 5' '0 2 4 1 3 5' '0 1 2 3' '0 1 2 3')
    local rank k n=0 corner i j zone place
    for rank in 0 1 2 3; do
        read -r -a zone <<<"${zones[rank]}"
        read -r -a place <<<"${places[rank]}"
        for k in "${!zone[@]}"; do
            echo "Rank $rank: map[$k] = ${zone[k]},           inmemmap[$k] = ${place[k]}"
        done
        echo "Rank $rank: Number read = ${#zone[@]}"
    done
    for corner in '6 6' '6 9' '8 6' '8 9'; do
        read -r i j <<<"$corner"
        for k in 0 1 2 3 4 5; do
            echo "Rank 3: $n->val = $((100 * (i + k / 3) + j + k % 3)).000000"
            n=$((n + 1))
        done
    done
}
want | sort >"$work/want"
# prints PROGRAM
prints() {
    run 4 "$1" >"$work/out" || {
        cat "$work/errors"
        fail "${1##*/} does not run"
    }
    sort "$work/out" | diff "$work/want" - || fail "${1##*/} prints something else"
}
prints "$listing"
grep '^Rank 3: map' "$work/out"

# On our own data file, whose chunks begin at byte 4096.
build moved 's/disp = 0 ;/disp = 4096 ;/; s/chunkedArray4\.dat/drxmp_paper.xta/' || fail "the moved listing does not build"
prints "$work/moved"
build unmoved 's/chunkedArray4\.dat/drxmp_paper.xta/' || fail "the listing does not build"
run 4 "$work/unmoved" >"$work/out" || fail "the listing does not run on our data file"
! sort "$work/out" | cmp -s "$work/want" - || fail "our data file begins with chunks, docs/ERRATA.md says it does not"

# Four variables that are never used.
for declaration in 'int globalSize[NDims]' 'int globalSizeByChunks[NDims]' 'int chunkShape[NDims]' 'MPI_Comm comm'; do
    name=${declaration##* }
    ! build unused "s/^    double \*memBuf ;/    $declaration;\n&/" || fail "$name may be declared"
    grep -q "unused variable '\?‘\?${name%%\[*}" "$work/errors" || fail "$name is refused for another reason"
done

# As printed it ends well on another number of processes: MPI_Abort is given the MPI_SUCCESS of MPI_Comm_size.
build printed '/Size must be 4/{n;s/MPI_COMM_WORLD, 1/MPI_COMM_WORLD, ierr/}' || fail "the printed MPI_Abort does not build"
# What ranks print goes into a file, line by line: an abort may overtake what MPICH's launcher forwards.
code=0
# shellcheck disable=SC2016
bash "$runner" "$mpi" 2 /bin/bash -c 'cd "$0" && exec stdbuf -oL "$1" >>said' "$work" "$work/printed" 2>"$work/errors" || code=$?
grep -q 'Size must be 4' "$work/said" || fail "2 ranks are accepted"
[ $code -eq 0 ] || fail "MPI_Abort as printed ends with code $code"
! run 2 "$listing" >"$work/out" || fail "the listing ends well on 2 ranks"
echo "drxmp_listing: zones and cells as in the paper, slips as in docs/ERRATA.md ($mpi)"

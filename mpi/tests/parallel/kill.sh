#!/bin/bash
# One rank killed at a random moment, 50 times: kill.sh <flavour> <program kill.c> <xta>
#
# Each time 2, 3 or 4 ranks work on a new array, mapped or through MPI-IO. After a random number of
# steps (or, in one run of eight, while they create it) and a random time one of them gets SIGKILL; the launcher must
# end the others by itself. Then `xta check` and the judge of kill.c check what is left. Two runs go in parallel, as the
# launcher needs most of the time.
#
# XTA_KILLS says how many times, XTA_SEED which random numbers.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
[ $# -eq 3 ] || {
    echo "kill.sh: want FLAVOUR PROGRAM XTA" >&2
    exit 2
}
flavour=$1 program=$2 xta=$3
here=$(cd "$(dirname "$0")" && pwd)
kills=${XTA_KILLS:-50} seed=${XTA_SEED:-20240907}
export XTA_TEST_SECONDS=30
# Open MPI gives the other ranks a second to end before it kills them: 50 seconds of sleep in all.
export OMPI_MCA_odls_base_sigkill_timeout=0

top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# The ranks that have written their process ids.
ready() {
    local folder=$1 ranks=$2 rank
    for ((rank = 0; rank < ranks; rank++)); do
        [ -s "$folder/pid.$rank" ] || return 1
    done
}

# Wait until rank 0 has ended this many steps, but not long: it may be slow.
progress() {
    local trail=$1/trail.0 steps=$2 tries
    for ((tries = 0; tries < 75; tries++)); do
        [ "$(stat -c %s "$trail" 2>/dev/null || echo 0)" -lt $((4 * steps)) ] || return 0
        sleep 0.02
    done
}

fail() {
    echo "kill.sh: round $1: $2 (XTA_SEED=$seed)" >&2
    cat "$3/log" >&2
    return 1
}

# One run, one kill, one check.
round() {
    local k=$1 folder=$top/$1 ranks=$((2 + $1 % 3)) io=$(($1 / 3 % 2)) code=0 launcher
    mkdir "$folder"
    RANDOM=$(((seed + k) % 32768))
    local victim=$((RANDOM % ranks)) steps=$((RANDOM % 8 == 0 ? 0 : RANDOM % 120)) wait_ms=$((RANDOM % 30))
    bash "$here/run.sh" "$flavour" "$ranks" "$program" go "$folder" "$io" $((seed + k)) \
        >"$folder/log" 2>&1 &
    launcher=$!
    while ! ready "$folder" "$ranks"; do
        kill -0 "$launcher" 2>/dev/null || {
            fail "$k" "the ranks did not start" "$folder"
            return
        }
        sleep 0.02
    done
    progress "$folder" "$steps"
    sleep "$(printf '0.%03d' "$wait_ms")"
    kill -KILL "$(cat "$folder/pid.$victim")" 2>/dev/null || true
    wait "$launcher" || code=$?
    case $code in
    0) fail "$k" "the launcher says that all went well" "$folder" ;;
    77) exit 77 ;;
    124) fail "$k" "the launcher did not end the other ranks" "$folder" ;;
    esac
    if [ -e "$folder/a.xmd" ]; then
        "$xta" check "$folder/a" >>"$folder/log" 2>&1 || fail "$k" "xta check" "$folder"
    fi
    "$program" judge "$folder" $((seed + k)) "$ranks" >>"$folder/log" 2>&1 ||
        fail "$k" "the judge, on $ranks ranks, io $io, rank $victim after $steps steps and $wait_ms ms" "$folder"
    tail -n 1 "$folder/log" | sed "s/^/$ranks ranks, io $io: /" >>"$top/told"
    rm -rf "$folder"
}

lane() {
    local k
    for ((k = $1; k < kills; k += 2)); do
        round "$k"
    done
}

code=0
lane 0 &
first=$!
lane 1 &
second=$!
wait $first || code=$?
wait $second || code=$?
[ "$code" -eq 0 ] && echo "kill.sh: killed $kills times under $flavour, nothing wrong"
cat "$top/told"; exit "$code"

# xta cube --follow: updates while the array grows at both ends, a clean end on each signal, and bases that
# shrink.
# SPDX-License-Identifier: Apache-2.0
# In memory, where the machine has a file system there: cubes sync many files.
if folder=$(mktemp -d /dev/shm/cube.XXXXXX 2>/dev/null); then
    trap 'rm -rf "$folder"' EXIT
    cd "$folder" || exit 1
fi
# wait_for COMMAND...: until it succeeds, at most 20 seconds.
wait_for() {
    for _ in $(seq 400); do
        "$@" && return 0
        sleep 0.05
    done
    echo "in vain: $*"
}
lines() {
    [ -e out ] && [ "$(wc -l <out)" -ge "$1" ]
}
xta create t --type i16 --bounds 4 --chunk 4 --names x
echo 1 2 3 4 | xta write t --box : --from -
for signal in INT TERM HUP; do
    echo "== SIG$signal"
    rm -rf c out
    env --default-signal=INT xta cube t c --levels 'x:1>2>4' --follow --every 0.05 >out 2>err &
    follower=$!
    wait_for lines 1
    xta extend t --axis x --by 2 >/dev/null
    wait_for lines 2
    xta extend t --axis x --by 3 --front >/dev/null
    wait_for lines 3
    kill -"$signal" "$follower"
    wait "$follower"
    echo "exit $?"
    cat out err
    xta query c --measure count,sum --explain
done
echo "== the base shrinks"
rm out
xta cube c --follow --every 0.05 --json >out 2>err &
follower=$!
wait_for lines 1
xta shrink t --axis x --by 1 >/dev/null
wait "$follower"
echo "exit $?"
cat out err
echo "== errors"
xta cube c --every 1 2>&1
echo "exit $?"
xta cube c --follow --every 0 2>&1
echo "exit $?"

# xta hyper follow, killed at each of its system calls that write, and with a disk that is full from then on: the next
# run continues and ends with the same bytes.
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/hyper_scene.sh"
if ! strace -o /dev/null true 2>/dev/null; then
    echo "SKIPPED: strace is missing, or not allowed to watch" >&2
    exit 77
fi
python3 - <<'PYTHON'
import numpy
r = numpy.random.default_rng(11)
x = r.integers(100, 3000, (30, 20, 5)).astype("u2")
numpy.save("first.npy", x[:20])
numpy.save("more.npy", x[20:])
PYTHON
how=(--count 3 --keep 'basis,ppi,mei,labels,abundances' --projections 20 --once)
xta import first.npy scene --axes line,sample,band --chunk 10,20,5 >/dev/null
xta hyper follow scene before "${how[@]}" >/dev/null
xta import more.npy scene --append line >/dev/null
cp -r before after
# Endmembers change, so that old labels are written again.
xta hyper follow scene after "${how[@]}" --json >json
json json 'j["endmembers_changed"]'
calls=write,pwrite64,ftruncate,fallocate,fsync,fdatasync,msync,rename,unlink,openat
same() { # A B: states, texts, and the bytes of the arrays
    diff -r -x follow.lock -x '*.xmd' "$1" "$2"
}
# go HOW-TO-INTERRUPT: exit code of a traced run from `before` in `out`.
go() {
    rm -rf out
    cp -r before out
    # In a separate function, since the shell would report the killed process. LeakSanitizer does not work under strace.
    (ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -o trace -e "trace=$calls" -e "inject=$1" \
        xta hyper follow scene out "${how[@]}" >log 2>err; exit $?) >/dev/null 2>&1
}
n_killed=0 n_failed=0
for call in write pwrite64 ftruncate fallocate fsync fdatasync msync rename unlink; do
    for k in 1 2 3 5 8 12 17 23 30 40 55; do
        go "$call:signal=KILL:when=$k"
        [ $? = 137 ] || break
        n_killed=$((n_killed + 1))
        xta hyper follow scene out "${how[@]}" >/dev/null || echo "not resumed after $call $k"
        same out after || echo "killed at $call $k: differs"
    done
done
for call in pwrite64 ftruncate fallocate fsync fdatasync msync rename; do
    for k in 1 2 4 7 11 16 22 30; do
        go "$call:error=ENOSPC:when=$k+"
        code=$?
        [ "$code" != 0 ] || break
        n_failed=$((n_failed + 1))
        [ "$code" = 1 ] && [ "$(wc -l <err)" = 1 ] || { echo "$call $k: exit $code"; cat err; }
        xta hyper follow scene out "${how[@]}" >/dev/null || echo "not resumed after $call $k"
        same out after || echo "no room at $call $k: differs"
    done
done
[ "$n_killed" -ge 20 ] && [ "$n_failed" -ge 10 ] && echo 'many were killed and failed'
echo "$n_killed killed, $n_failed failed" >&2

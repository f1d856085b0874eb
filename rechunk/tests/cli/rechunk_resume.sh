# A run that is stopped half-way can be resumed, and ends with the same bytes. It is stopped by a full disk, and by a
# signal; a run that could not start leaves no files behind.
# SPDX-License-Identifier: Apache-2.0
if ! strace -o /dev/null true 2>/dev/null; then
    echo "SKIPPED: strace is missing, or not allowed to watch" >&2
    exit 77
fi
python3 -c '
import numpy
numpy.save("n.npy", (numpy.arange(2**21, dtype="u4") * 2654435761).reshape(128, 128, 128))'
xta import n.npy a --chunk 16,128,128 >/dev/null
xta rechunk a 'source/{0}_{1}_{2}.npy' --memory 4MiB >/dev/null
options=(--chunk 16,64,64 --memory 2560KiB)
xta rechunk a whole "${options[@]}" >/dev/null
# The disk is full at the n-th write, by strace; LeakSanitizer does not work under strace.
stop() { # N TARGET
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -o /dev/null -e trace=pwrite64 \
        -e inject=pwrite64:error=ENOSPC:when="$1+" xta rechunk 'source/{0}_{1}_{2}.npy' "$2" "${options[@]}" >out 2>err
    echo "exit $?, $(wc -l <err) line, $(grep -c 'No space.*and --resume goes on' err) about --resume"
}
stop 50 b
stop 70 'blocks/{0}_{1}_{2}.npy'
ls ./*.resume
xta rechunk 'source/{0}_{1}_{2}.npy' b "${options[@]}" >out 2>err
echo "without --resume: exit $?, $(grep -c 'has left it' err)"
# Not for another target shape.
xta rechunk 'source/{0}_{1}_{2}.npy' 'blocks/{0}_{1}_{2}.npy' --chunk 8,8,8 --resume >out 2>err
echo "another shape: exit $?"
n_finished=$(grep -c '^block' blocks.resume)
for target in b 'blocks/{0}_{1}_{2}.npy'; do
    touch mark
    sleep 0.02
    xta rechunk 'source/{0}_{1}_{2}.npy' "$target" "${options[@]}" --resume --verify | grep -c '^resumed'
done
echo "not written again: $(($(find blocks -name '*.npy' ! -newer mark | wc -l) == n_finished && n_finished > 0))"
# The header has the uuid of its own array.
cmp -i 64 whole.xta b.xta && echo 'the same bytes'
xta rechunk 'blocks/{0}_{1}_{2}.npy' back.npy --memory 4MiB >/dev/null && cmp n.npy back.npy && echo 'the same cells'
find . -name '*.resume'
# Killed anywhere.
n_resumed=0
for k in 1 2 3 4 5 6 7 8; do
    xta rechunk a "k$k" "${options[@]}" >/dev/null 2>&1 &
    sleep "0.0$((k * 3 / 2))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    if [ -e "k$k.resume" ]; then
        xta rechunk a "k$k" "${options[@]}" --resume >/dev/null 2>err || cat err
        n_resumed=$((n_resumed + 1))
    elif [ ! -e "k$k.xmd" ]; then
        xta rechunk a "k$k" "${options[@]}" >/dev/null 2>err || cat err
    fi
    cmp -i 64 whole.xta "k$k.xta" || echo "k$k differs"
    rm -f "k$k".*
done
echo "$n_resumed of 8 were resumed" >&2
# In place: the array is unchanged until all is done.
cp a.xta before.xta
ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -o /dev/null -e trace=pwrite64 \
    -e inject=pwrite64:error=ENOSPC:when=60+ xta rechunk a --in-place "${options[@]}" >out 2>err
echo "in place: exit $?, $(grep -c 'No space.*and --resume goes on' err)"
cmp before.xta a.xta && xta info a | grep '^chunk '
xta rechunk a --in-place "${options[@]}" --resume | grep -c '^resumed'
cmp -i 64 whole.xta a.xta && xta check a
find . -name 'a.*' | sort
xta rechunk a b --resume "${options[@]}" >out 2>err
echo "nothing to resume: exit $?, $(grep -c 'no notes' err)"
xta rechunk a never --chunk 16,64,64 --memory 1 2>err
echo "no memory: exit $?"
xta rechunk a 'never/{0}_{1}_{2}.npy' --chunk 16,64,64 --memory 1 2>err
echo "no memory: exit $?"
ls -d never* 2>/dev/null
true

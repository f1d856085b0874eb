# Peak resident memory is at most the limit and the memory that `--plan` states in addition to it: 16 MiB between
# arrays, 64 MiB with formats of other libraries. The size is the system's own (VmHWM), by GNU time.
# SPDX-License-Identifier: Apache-2.0
if grep -q __asan_init "$XTA_TOOL"; then
    echo "SKIPPED: the sanitizer takes memory of its own" >&2
    exit 77
fi
python3 -c '
import numpy
numpy.save("n.npy", numpy.arange(96 * 100 * 110 * 32, dtype="u2").reshape(96, 100, 110, 32))'
xta import n.npy a --chunk 24,50,22,32 >/dev/null
xta rechunk a b --plan --chunk 10,100,10,32 --memory 16MiB | grep '^beside it'
# measure LIMIT BESIDE ARGUMENT...
measure() {
    limit=$1 beside=$2
    shift 2
    rm -f out.* out
    /usr/bin/time -f %M -o resident xta rechunk "$@" --memory "${limit}MiB" >/dev/null || echo "$*: failed"
    most=$(((limit + beside) * 1024))
    [ "$(cat resident)" -le "$most" ] || echo "$* within $limit MiB: $(cat resident) KiB resident, at most $most expected"
    echo "$* within $limit MiB: $(cat resident) KiB resident" >&2
}
for limit in 16 48; do
    measure "$limit" 16 a out --chunk 10,100,10,32
    measure "$limit" 16 a out --chunk 96,7,9,32 --strategy keep
    measure "$limit" 16 a out --chunk 16,100,110,4
    measure "$limit" 64 a out.npy
    measure "$limit" 64 n.npy out --chunk 24,50,22,32
    for suffix in nii h5 nc; do
        xta rechunk --plan a "out.$suffix" >/dev/null 2>&1 && measure "$limit" 64 a "out.$suffix"
    done
done
echo measured

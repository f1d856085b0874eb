# An array of a million chunks of 8 bytes, as a record that was appended a million times: into chunks of 4096 cells and into a
# single one, within limits that the tables of a million pieces would exceed.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i64 --bounds 1000000 --chunk 1 >/dev/null
python3 -c '
import numpy
numpy.save("n.npy", numpy.arange(1000000, dtype="i8") * 7919)'
xta import n.npy a --at 0 >/dev/null
for chunk in 4096 1000000; do
    xta rechunk a b --chunk $chunk --memory 32MiB --plan | grep '^blocks'
    /usr/bin/time -f %M -o resident xta rechunk a b --chunk $chunk --memory 32MiB >/dev/null || echo failed
    # The limit, and the memory that --plan states in addition to it.
    if ! grep -q __asan_init "$XTA_TOOL" && [ "$(cat resident)" -gt $((48 * 1024)) ]; then
        echo "$(cat resident) KiB were resident"
    fi
    xta export b back.npy >/dev/null
    cmp n.npy back.npy && echo 'the same cells'
    rm -f b.* back.npy
done
# And in place, by another strategy.
xta rechunk a --in-place --chunk 250000 --memory 64MiB --strategy keep >/dev/null
xta info a | grep '^chunk '

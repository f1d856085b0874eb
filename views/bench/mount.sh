#!/bin/bash
# xta mount against a passthrough of a plain file, by the same FUSE session: 1 GiB read by dd and by NumPy, and random
# reads of 4 KiB. Prints CSV; `ratio` is the speed by that of the passthrough.
#
#   mount.sh [BUILD]        BUILD is build-bench unless given
#
# SPLICE=1: also a passthrough that moves pages, which slows down what comes after it.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

build=$(realpath "${1:-build-bench}")
here=$(dirname "$(realpath "$0")")
if [ ! -w /dev/fuse ]; then
    echo "SKIPPED: there is no /dev/fuse, or it may not be opened"
    exit 77
fi
work=$(mktemp -d "${XTA_BENCH_DIR:-${TMPDIR:-/tmp}}/xta-mount.XXXXXX")
servers=()

end() {
    for pid in "${servers[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap end EXIT

mkdir "$work"/{data,view,plain,splice}
/usr/bin/python3 - "$work/t.npy" "${MIB:-1024}" <<'PYTHON'
import sys
import numpy
array = numpy.lib.format.open_memmap(sys.argv[1], "w+", "f4", (int(sys.argv[2]), 512, 512))
for k in range(len(array)):
    array[k] = numpy.arange(512 * 512, dtype="f4").reshape(512, 512) + k
PYTHON
"$build/xta" import "$work/t.npy" "$work/data/t" ${CHUNK:+--chunk $CHUNK} >/dev/null
"$build/libexec/xta/xta-mount" "$work/data" "$work/view" --foreground &
servers+=($!)
"$build/views/bench/passthrough" "$work/t.npy" "$work/plain" &
servers+=($!)
mounts=(view plain) spliced=()
if [ -n "${SPLICE:-}" ]; then
    "$build/views/bench/passthrough" "$work/t.npy" "$work/splice" --splice &
    servers+=($!)
    mounts+=(splice) spliced=("passthrough-splice=$work/splice/file@$!")
fi
for k in "${!mounts[@]}"; do
    until mountpoint -q "$work/${mounts[k]}"; do
        kill -0 "${servers[k]}" 2>/dev/null || { echo "mount.sh: ${mounts[k]}: its program has ended" >&2; exit 1; }
        sleep 0.1
    done
done
cmp "$work/view/t.npy" "$work/t.npy"
/usr/bin/python3 "$here/mount_reads.py" "passthrough=$work/plain/file@${servers[1]}" \
    "npy=$work/view/t.npy@${servers[0]}" "nc=$work/view/t.nc@${servers[0]}" "${spliced[@]}"

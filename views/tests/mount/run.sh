#!/bin/bash
# Run one of the scripts beside this one on a machine that has FUSE.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

name=$1
if [ ! -e /dev/fuse ]; then
    echo "SKIPPED: there is no /dev/fuse; load the module fuse, or give the container the device"
    exit 77
fi
test -x "$XTA_BUILD_DIR/libexec/xta/xta-mount"
work=$(mktemp -d)
trap 'rmdir "$work"' EXIT
# The device may be there and mounting forbidden, as in a container without CAP_SYS_ADMIN.
mkdir "$work/mnt"
if ! "$XTA_BUILD_DIR/libexec/xta/xta-mount" "$work" "$work/mnt" 2>"$work.log"; then
    echo "SKIPPED: this machine does not let us mount: $(head -1 "$work.log")"
    rmdir "$work/mnt"
    rm "$work.log"
    exit 77
fi
fusermount3 -u "$work/mnt"
rmdir "$work/mnt"
rm "$work.log"
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$(dirname "$0")/$name.py"

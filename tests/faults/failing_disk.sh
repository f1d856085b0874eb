#!/bin/bash
# failing_disk.sh PROGRAM [DISKS]: run test_failing_disk on disks that fail.
#
# The disk is an image in a tmpfs that has no space for all of it: the file system on it gives out blocks, and
# the device answers EIO when they are written back. Then the tmpfs gets space, the disk is mounted anew, and what
# was synced has to be there. On ext4: on such a disk XFS of Linux 6.18 lost blocks that a plain program had written
# and synced, once in some 50 disks. Needs the right to mount (root) and a loop device; else it is skipped, and says so.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
program=$(realpath "$1")
disks=${2:-6}
work=$(mktemp -d)
end() {
    umount "$work/disk" 2>/dev/null || true
    umount "$work/tmpfs" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
mkdir "$work/disk" "$work/tmpfs"

skip() {
    echo "SKIPPED: disks that fail: $(tail -n 1 "$work/why")"
    exit 77
}

one_disk() { # SEED
    mount -t tmpfs -o size=1g none "$work/tmpfs" 2>"$work/why" || skip
    truncate -s 400m "$work/tmpfs/image"
    PATH=$PATH:/sbin:/usr/sbin mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0,nodiscard \
        "$work/tmpfs/image" 2>"$work/why" || skip
    mount -o loop "$work/tmpfs/image" "$work/disk" 2>"$work/why" || skip
    sync
    local taken
    taken=$(du -k "$work/tmpfs/image" | cut -f 1)
    mount -o "remount,size=$((taken + 2000 + RANDOM % 4000))k" "$work/tmpfs"

    export XTA_SEED=$1
    "$program" write "$work/disk/a" "$work/state-$1"
    umount "$work/disk" 2>/dev/null || umount -l "$work/disk"
    mount -o remount,size=1g "$work/tmpfs"
    mount -o loop "$work/tmpfs/image" "$work/disk"
    "$program" verify "$work/disk/a" "$work/state-$1"
    umount "$work/disk"
    umount "$work/tmpfs"
}

first=${XTA_SEED:-1}
for ((k = 0; k < disks; k++)); do
    one_disk $((first + k))
done

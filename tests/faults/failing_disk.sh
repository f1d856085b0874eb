#!/bin/bash
# failing_disk.sh PROGRAM [DISKS [KIND]]: run test_failing_disk on disks that fail.
#
#   KIND   space (if not given): see below; mapper: from some block on the device mapper answers EIO to everything
#
# space: the disk is an image in a tmpfs that has no space for all of it: the file system on it gives out blocks, and
# the device answers EIO when they are written back. Then the tmpfs gets space, the disk is mounted anew, and what
# was synced has to be there. mapper: the table of the device is changed, and changed back. On ext4: on such a disk XFS
# of Linux 6.18 lost blocks that a plain program had written and synced, once in some 50 disks. Needs the right to mount
# (root), a loop device and perhaps the device mapper; else it is skipped, and says so.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
program=$(realpath "$1")
disks=${2:-6}
kind=${3:-space}
PATH=$PATH:/sbin:/usr/sbin
work=$(mktemp -d)
device=xta-test-$$
loop=
end() {
    umount "$work/disk" 2>/dev/null || true
    [ -z "$loop" ] || dmsetup remove "$device" 2>/dev/null || true
    [ -z "$loop" ] || losetup -d "$loop" 2>/dev/null || true
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
    mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0,nodiscard \
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

change_table() { # TABLE
    dmsetup load "$device" <<<"$1"
    dmsetup suspend --nolockfs "$device"
    dmsetup resume "$device"
}

one_mapped_disk() { # SEED
    local n first good bad
    mount -t tmpfs -o size=1g none "$work/tmpfs" 2>"$work/why" || skip
    truncate -s 400m "$work/tmpfs/image"
    loop=$(losetup -f --show "$work/tmpfs/image" 2>"$work/why") || skip
    n=$(blockdev --getsz "$loop")
    good="0 $n linear $loop 0"
    dmsetup create "$device" <<<"$good" 2>"$work/why" || skip
    dmsetup mknodes "$device" # where nobody else makes them
    mkfs.ext4 -q -F -b 4096 -E lazy_itable_init=0,lazy_journal_init=0,nodiscard \
        "/dev/mapper/$device" 2>"$work/why" || skip
    mount "/dev/mapper/$device" "$work/disk" 2>"$work/why" || skip
    sync
    # All that the file may have in the first 64 MiB behind the metadata; the journal lies beyond.
    first=$(dumpe2fs "/dev/mapper/$device" 2>/dev/null | sed -n 's/^  Free blocks: \([0-9]*\)-.*/\1/p' | head -n 1)
    bad=$(printf '%s\n' "0 $((first * 8)) linear $loop 0" "$((first * 8)) 131072 error" \
        "$((first * 8 + 131072)) $((n - first * 8 - 131072)) linear $loop $((first * 8 + 131072))")
    export device bad
    export -f change_table
    export XTA_TEST_BREAK='bash -c "change_table \"\$bad\""'

    export XTA_SEED=$1
    "$program" write "$work/disk/a" "$work/state-$1"
    umount "$work/disk" 2>/dev/null || umount -l "$work/disk"
    change_table "$good"
    mount "/dev/mapper/$device" "$work/disk"
    "$program" verify "$work/disk/a" "$work/state-$1"
    umount "$work/disk"
    dmsetup remove "$device"
    losetup -d "$loop"
    loop=
    umount "$work/tmpfs"
}

first=${XTA_SEED:-1}
for ((k = 0; k < disks; k++)); do
    case "$kind" in
    space) one_disk $((first + k)) ;;
    mapper) one_mapped_disk $((first + k)) ;;
    *)
        echo "failing_disk.sh: no kind '$kind' (there are space and mapper)" >&2
        exit 2
        ;;
    esac
done

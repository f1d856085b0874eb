#!/bin/bash
# failing_disk.sh PROGRAM [DISKS [KIND]]: run test_failing_disk on disks that fail.
#
#   KIND   space (if not given): see below; mapper: from some block on the device mapper returns EIO for everything
#
# space: the disk is an image in a tmpfs that has no space for all of it: the file system on it allocates blocks, and
# the device returns EIO when they are written back. Then the tmpfs gets space, the disk is mounted again, and synced
# data must be there. mapper: the table of the device is changed, and changed back. On ext4: on such a disk XFS of Linux
# 6.18 lost blocks that a plain program had written and synced, once in some 50 disks. Needs the right to mount (root),
# a loop device and perhaps the device mapper; else it is skipped, with a message.
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
    echo "SKIPPED: disks that fail: $(head -n 1 "$work/why")"
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

# Load the table in a file into the device.
cat >"$work/change" <<'EOF'
set -e
dmsetup load "$1" "$2"
dmsetup suspend --nolockfs "$1"
dmsetup resume "$1"
EOF

# The 64 MiB from the first block of the file on fail, or fewer at the end of the disk.
cat >"$work/break" <<'EOF'
set -e
device=$1 loop=$2 file=$3 work=$4
n=$(blockdev --getsz "$loop")
begin=$(filefrag -v "$file" | sed -n 's/^ *0: *[0-9]*\.\. *[0-9]*: *\([0-9]*\)\.\..*/\1/p')
begin=$((begin * 8))
end=$((begin + 131072 < n ? begin + 131072 : n))
{
    echo "0 $begin linear $loop 0"
    echo "$begin $((end - begin)) error"
    [ "$end" -eq "$n" ] || echo "$end $((n - end)) linear $loop $end"
} >"$work/bad"
exec sh "$work/change" "$device" "$work/bad"
EOF

one_mapped_disk() { # SEED
    mount -t tmpfs -o size=1g none "$work/tmpfs" 2>"$work/why" || skip
    truncate -s 400m "$work/tmpfs/image"
    loop=$(losetup -f --show "$work/tmpfs/image" 2>"$work/why") || skip
    echo "0 $(blockdev --getsz "$loop") linear $loop 0" >"$work/good"
    dmsetup create "$device" "$work/good" 2>"$work/why" || skip
    dmsetup mknodes "$device" # if udev does not make them
    mkfs.ext4 -q -F -b 4096 -E lazy_itable_init=0,lazy_journal_init=0,nodiscard \
        "/dev/mapper/$device" 2>"$work/why" || skip
    mount "/dev/mapper/$device" "$work/disk" 2>"$work/why" || skip

    export XTA_SEED=$1
    export XTA_TEST_BREAK="sh $work/break $device $loop $work/disk/a.xta $work"
    "$program" write "$work/disk/a" "$work/state-$1"
    umount "$work/disk" 2>/dev/null || umount -l "$work/disk"
    sh "$work/change" "$device" "$work/good"
    # The file system may lose metadata of its own that it could not write: those writes failed with an error.
    mount "/dev/mapper/$device" "$work/disk"
    umount "$work/disk"
    if e2fsck -fn "/dev/mapper/$device" >"$work/why" 2>&1; then
        mount "/dev/mapper/$device" "$work/disk"
        "$program" verify "$work/disk/a" "$work/state-$1"
        umount "$work/disk"
        verified=$((verified + 1))
    else
        echo "seed $1: the file system has lost metadata; not verified"
    fi
    dmsetup remove "$device"
    losetup -d "$loop"
    loop=
    umount "$work/tmpfs"
}

verified=0
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
if [ "$kind" = mapper ]; then
    echo "failing_disk.sh: $verified of $disks disks verified"
    [ "$verified" -gt 0 ]
fi

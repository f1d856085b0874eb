#!/bin/bash
# on_image.sh KIND PROGRAM [ARGUMENT...]: run a test on a separate small file system in an image, which $XTA_TEST_DISK
# names.
#
#   KIND      ext4-SIZE-BLOCK or xfs-SIZE, perhaps with options of the mount: ext4-64m-4096:data=journal;
#             btrfs-SIZE-QUOTA or ext4-SIZE-BLOCK-QUOTA: no more than QUOTA bytes of it (a quota of the user as whom the
#             program runs, without the right to exceed it), and $XTA_TEST_QUOTA is set
#
# Needs the right to mount (root) and a loop device, for quotas of ext4 a kernel that has them; else it is skipped, with
# a message.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
[ $# -ge 2 ] || {
    echo "on_image.sh: want KIND PROGRAM [ARGUMENT...]" >&2
    exit 2
}
program=$(realpath "$2")
IFS=: read -r kind options <<<"$1"
IFS=- read -r system size block quota <<<"$kind"
shift 2

work=$(mktemp -d)
trap 'umount "$work/disk" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/disk"
truncate -s "$size" "$work/image"
case "$system" in
ext4)
    make=(mkfs.ext4 -q -m 0 -b "${block:-4096}")
    if [ -n "${quota:-}" ]; then
        make+=(-O quota -E quotatype=usrquota)
        options=usrquota${options:+,$options}
    fi
    ;;
xfs) make=(mkfs.xfs -q) ;;
btrfs) make=(mkfs.btrfs -q) ;;
*)
    echo "on_image.sh: no file system of kind '$kind' (there are ext4-SIZE-BLOCK, xfs-SIZE and btrfs-SIZE-QUOTA)" >&2
    exit 2
    ;;
esac
if ! PATH=$PATH:/sbin:/usr/sbin "${make[@]}" "$work/image" 2>"$work/why" ||
    ! mount -o "loop${options:+,$options}" "$work/image" "$work/disk" 2>>"$work/why"; then
    echo "SKIPPED: a file system of kind $kind: $(sed '/dmesg(1)/d' "$work/why" | tail -n 1)"
    exit 77
fi
if [ "$system" = btrfs ]; then
    btrfs quota enable "$work/disk"
    btrfs qgroup limit "$block" "$work/disk"
    export XTA_TEST_QUOTA=$block
fi
run=()
if [ "$system" = ext4 ] && [ -n "${quota:-}" ]; then
    kib=$(($(numfmt --from=iec "${quota^^}") / 1024))
    PATH=$PATH:/sbin:/usr/sbin setquota -u "$(id -u)" 0 "$kib" 0 0 "$work/disk"
    run=(setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource)
    export XTA_TEST_QUOTA=$quota
fi
XTA_TEST_DISK=$work/disk "${run[@]}" "$program" "$@"

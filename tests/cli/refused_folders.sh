# A folder that cannot be written, and a disk that is full: one line, nothing changed. As root a read-only
# or a small file system is mounted in a name space of its own.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f64 --bounds 4 --chunk 4
one_line() {
    xta "$@" >/dev/null 2>"$OUT/err"
    printf '%s: %s %s %s\n' "$1" "$?" "$(wc -l <"$OUT/err")" "$(grep -c "^xta $1: " "$OUT/err")"
}
read_only() {
    one_line create b --type f64 --bounds 4 --chunk 4
    one_line extend a --axis 0 --by 1
    one_line write a --box : --from "$OUT/cells"
    one_line fill a --box : --value 1
    one_line attr a x=1
    one_line compact a
    one_line read a --out c.npy
    xta read a
    xta check a
    ls
}
full_disk() {
    xta create ../b --type u8 --bounds 1048576 --chunk 4096
    xta create a --type u8 --bounds 1048576 --chunk 4096
    one_line fill a --box : --value 1
    one_line write a --box : --from "$OUT/ones.raw"
    one_line read ../b --out c.raw
    one_line create c --type u8 --bounds 4
    xta check a
    ls
}
OUT=$(mktemp -d)
trap 'rm -rf "$OUT"' EXIT
export OUT
echo 1 2 3 4 >"$OUT/cells"
head -c 1048576 /dev/zero | tr '\0' '\1' >"$OUT/ones.raw"
export -f one_line read_only full_disk
if ! unshare -m true 2>/dev/null; then
    if [ "$(id -u)" = 0 ]; then
        echo "SKIPPED: root, and no name space of mounts to be had: read-only folder and full disk" >&2
        exit 77
    fi
    echo "SKIPPED: no name space of mounts to be had: full disk; the read-only folder goes untested too" >&2
    exit 77
fi
unshare -m bash -c '
    mkdir ro && mount --bind . ro && mount -o remount,ro,bind ro && cd ro && read_only' || exit 1
rmdir ro
mkdir small
unshare -m bash -c 'mount -t tmpfs -o size=256k none small && cd small && full_disk'

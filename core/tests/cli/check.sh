# Check: clean, a torn tail (a note), a journal cut short, a flipped byte, a missing half, another format; never writes.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f64 --bounds 4,4 --chunk 2,2
xta extend a --axis 0 --by 2
xta fill a --box :,: --value 1
xta check a
try() {
    sha256sum "$1".x* >before 2>/dev/null
    xta check "$1" >out 2>err
    code=$?
    sha256sum "$1".x* >after 2>/dev/null
    cmp before after
    echo "exit $code fatal $(grep -c '^fatal: ' out) notes $(grep -c '^note: ' out) errors $(wc -l <err)" \
        "$(grep -c '^xta check: ' err)"
}
copy() { cp a.xmd "$1.xmd" && cp a.xta "$1.xta"; }
copy torn; printf 'half a record' >>torn.xmd; try torn
copy cut; truncate -s -3 cut.xmd; try cut
# A byte of the UUID, which is random: a constant would be the byte that stands there, once in 256 arrays.
byte=$(od -An -tu1 -j20 -N1 a.xmd)
# shellcheck disable=SC2059  # The format is the byte.
copy head; printf "\\$(printf %03o $((byte ^ 255)))" | dd of=head.xmd bs=1 seek=20 conv=notrunc status=none; try head
copy nodata; rm nodata.xta; try nodata
copy nojournal; rm nojournal.xmd; try nojournal
copy foreign; printf 'CDF\001 and so on, and on, and on, and on, and on, and on, and on' >foreign.xmd; try foreign
copy empty; : >empty.xmd; try empty
try none
xta check 2>&1; echo "exit $?"
xta check a b 2>&1; echo "exit $?"
xta check a --repair 2>&1; echo "exit $?"

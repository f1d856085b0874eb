# Rename: arrays, axes, attributes, in folders; refusals.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
mkdir set
xta create set/a --type u8 --bounds 2,3 --chunk 2,3 --names t,x
seq 1 6 | xta write set/a --box :,: --from -
xta attr set/a title=one
xta attr set/a values=1,2,3 --axis x --type i32
try rename set/a b
ls set
xta read set/b
try rename set/b set/c --axis t=time --attribute title=name
xta attr set/c
xta info set/c | grep '^axis'
try rename set/c --attribute values=positions --on x
xta attr set/c
xta check set/c
echo "== the suffixes stay"
xta create p.pma --type u8 --bounds 2 --chunk 2
try rename p q
ls q.* p.* 2>/dev/null
echo "== folders"
mkdir set/sub
xta copy set/c set/sub/d
xta create set/e --type u8 --bounds 2 --chunk 2 --names y
try rename set --axis time=t
for name in c e sub/d; do xta info set/$name | grep '^axis'; done
try rename set --axis z=y
echo "== refused"
xta copy set/c set/f
try rename set/c f
try rename set/c ../c
try rename set/c c.xmd
try rename set/c
try rename set/c d --on x
try rename set/c --axis t
try rename set/c --axis t=x
try rename set/c --attribute nothing=a
xta attr set/c other=two
try rename set/c --attribute name=other
try rename set sets
try rename nothing a
ln -s c.xmd set/l.xmd
ln -s c.xta set/l.xta
xta rename set/l m 2>&1 | sed "s,is a link to .*/set/,is a link to .../set/,"
ls set
echo "== after a growth of several arrays"
mkdir grown
for name in a b; do xta create grown/$name --type u8 --bounds 2 --chunk 2 --names t; done
xta extend grown/a grown/b --axis t --by 1
try rename grown/a c
try rename grown/b d
xta extend grown/c grown/d --axis t --by 1

# Diff: each kind of difference, tolerances, folders, JSON, exit codes.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta diff "$@" 2>&1
    echo "exit $?"
}
xta create a --type f64 --bounds 3,4 --chunk 2,2 --names t,x
seq 1 12 | xta write a --box :,: --from -
xta attr a title=one
xta attr a values=10,20,30 --axis t --type f64
xta copy a b
echo "== equal"; try a b; try a b --json
echo "== cells, in the order of the coordinates whatever the chunks"
echo 5.5 | xta write b --box 1,0 --from -
echo nan | xta write b --box 0,3 --from -
echo -8 | xta write b --box 1,3 --from -
try a b
try a b --tolerance 0.5
try a b --relative 0.1 --tolerance 0.4
try a b --tolerance 100
try a b --quiet
try a b --json
echo "== NaN equals NaN"
echo nan | xta write a --box 0,3 --from -
try a b --tolerance 16
echo "== structure and attributes"
xta copy a c --type f32 --fill 7
xta extend c --axis x --by 2 >/dev/null
xta rename c --axis t=time
xta attr c --axis x --set-unit m
xta attr c title=two
xta attr c --remove values --axis time
xta attr c values=10,20,31 --axis time --type f64
xta attr c more=1,2,3 --type i32
try a c
try a c --cells
try a c --no-attributes
try a c --quiet
echo "== integers that binary64 cannot tell apart, of different types"
xta create i --type i64 --bounds 2 --chunk 2
xta create u --type u64 --bounds 2 --chunk 2
echo 9007199254740992 -1 | xta write i --box : --from -
echo 9007199254740993 18446744073709551615 | xta write u --box : --from -
try i u
try i u --cells
echo "== bytes, complex numbers, other numbers of axes"
xta create p --type bytes:2 --bounds 2 --chunk 2
xta copy p q
echo 0x0102 | xta write q --box 1 --from -
try p q
try p q --json
xta create z --type c64 --bounds 2 --chunk 2
xta copy z w
echo 3+4i | xta write w --box 0 --from -
try z w
try z w --tolerance 5
try z p
try a p --cells
echo "== folders"
mkdir -p one/sub two/sub
for name in one/a two/a one/sub/b two/sub/b; do xta copy a $name; done
xta copy a one/left
xta copy a two/sub/right
echo 0 | xta write two/sub/b --box 2,3 --from -
try one two
try one two --json
try one one
echo "== trouble"
try a nothing
try a one
try a
try a b --tolerance x
try a b --tolerance -1
try a b --quiet --json

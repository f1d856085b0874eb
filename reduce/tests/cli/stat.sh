# Stat: extremes and where they are, missing cells, boxes, axes that remain, types, folders, JSON.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta stat "$@" 2>&1
    echo "exit $?"
}
xta create a --type f32 --bounds 2,3 --chunk 2,2 --names t,x
xta extend a --axis t --by 1 --front >/dev/null
echo 5 -1.5 nan 2 0.1 9 9 -1.5 0 | xta write a --box :,: --from -
try a
try a --box=-1:1,1:3
try a --over t
try a --over x --ddof 1
try a --over x --json
try a --json --box=-1,2
echo "== missing values"
xta attr a _FillValue=9 --type f64
try a
try a --missing none
try a --missing 2 --json
try a --missing fill
xta attr a missing_value=2 --type f32
try a
echo "== nothing counts"
xta create n --type f64 --bounds 2,2 --chunk 2,2 --fill nan
try n
try n --json
xta create e --type u8 --bounds 0,2 --chunk 2,2
try e
try e --over 0
echo "== integers beyond 2^53, bool"
xta create i --type i64 --bounds 3 --chunk 2
echo 9007199254740993 -9007199254740993 9007199254740993 | xta write i --box : --from -
try i
xta create b --type bool --bounds 4 --chunk 4
echo 0 1 1 0 | xta write b --box : --from -
try b
echo "== folders"
mkdir -p set/sub
xta copy i set/i; xta copy b set/sub/b
xta create set/z --type c64 --bounds 2 --chunk 2
try set
try set --json
echo "== errors"
try set --over t
try set/z
try a --over y
try a --over t,0
try a --box 0:9,:
try a --missing x
try nothing
try

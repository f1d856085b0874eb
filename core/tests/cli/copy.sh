# Copy: structure, coordinates, boxes, types, holes, folders, refusals.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
xta create a --type i16 --bounds 4,3 --chunk 2,2 --names t,x --fill -9
xta extend a --axis t --by 5 --front
seq 1 27 | xta write a --box :,: --from - 2>&1
seq 1 12 | xta write a --box 0:4,: --from -
xta attr a title=one
xta attr a values=1,2,3,4,5,6,7,8,9 --axis t --type f64
xta attr a values//regular=0.5,0.25 --axis x --type f64
xta attr a "wavelength=$(printf 'a\nb\nc\n')" --axis x
echo "== all of it"
try copy a b
try diff a b
xta info b | sed -n '3,7p;9,10p'
echo "== a box keeps its coordinates, lists are cut"
try copy a c --box=-1:2,1:3
xta read c
xta attr c
xta read c --box=-1,2
echo "== type, chunk, order, fill"
try copy a d --type f32 --chunk 4,4 --order hilbert --fill nan
xta diff a d --cells
xta info d | grep -E '^(type|chunk |fill)'
xta extend d --axis x --by 1
xta read d --box 0,:
echo "== what a type cannot hold"
xta copy a large
echo 300 | xta write large --box=-1,2 --from -
try copy a e --type u8
try copy large e --type u8 --fill 0
ls e.* 2>&1
echo "== holes stay holes"
xta create h --type f64 --bounds 4096,4096 --chunk 512,512 --fill 3
echo 1 | xta write h --box 4000,4000 --from -
xta copy h i
xta diff h i
xta info i --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["data_real_bytes"] < 4200000)'
echo "== never over another"
try copy a b
try copy c b --overwrite
try diff b c
try copy b b --overwrite
echo "== folders"
mkdir -p set/sub
xta copy a set/a
xta copy c set/sub/c
try copy set new
try diff set new
try copy set new
xta attr set/a title=two
try copy set new --overwrite
try diff set new
try copy set set/sub/inner
ls set/sub
try copy set new --box 0:1,:
try copy a nowhere/a
try copy nothing b
try copy a e --box 0:9,:
try copy a e --chunk 1
xta ls

# Address: each question, repeated and mixed, ghosts, over-allocated chunks, and what is refused.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i16 --bounds 3,5 --chunk 2,3
xta extend a --axis 0 --by 2 --front
xta address a --chunk 0,0 --chunk -1,1 --cell 2,4 --cell -1,0 --address 3 --address 4 --offset 4096 \
    --offset 4099 --offset 4143 --offset 4118
xta address a --all
xta create over --type i16 --bounds 1,1 --chunk 1,1 --policy linear:3
xta extend over --axis 0 --by 1
xta address over --all --address 2
xta create padded --type u8 --bounds 4 --chunk 2 --align 8
xta address padded --cell 3 --offset 4105
try() {
    xta address "$@" >out 2>err
    printf '%s %s %s %s\n' "$?" "$(wc -l <out)" "$(wc -l <err)" "$(cut -c1-30 err)"
}
try a
try a --as-of 0
try a --chunk 9,9
try a --chunk 1
try a --chunk a,b
try a --cell 5,5
try a --cell 0,5
try a --address 12
try a --address -1
try a --offset 5095
try a --offset 4095
try a --offset -1
try a --as-of 1 --address x
try padded --offset 4101
try none --all
xta create bare --type i16 --bounds 3,5 --chunk 2,3 --headerless
xta address bare --cell 2,4 --offset 38

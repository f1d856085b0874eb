# Several arrays in one step: bounds, history, and refusals that change none of them.
# SPDX-License-Identifier: Apache-2.0
mkdir deep
xta create a --type i32 --bounds 2,2 --chunk 2,2 --names t,x
xta create deep/b --type f64 --bounds 2,3 --chunk 2,3 --names t,y
xta create c --type u8 --bounds 3,2 --chunk 1,1 --names z,t
xta extend a deep/b --axis t --by 4 --axis 1 --by 1 --front
xta extend c a --axis t --by 1 --front
for array in a deep/b c; do
    xta info $array | sed -n '/^history/,$p'
    xta check $array
done
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
try extend a c a --axis t --by 1
try extend a deep/b --axis x --by 1
try extend a none --axis t --by 1
try extend a deep/b --axis t --by -1
xta info a | grep ^bounds
xta info deep/b | grep ^bounds

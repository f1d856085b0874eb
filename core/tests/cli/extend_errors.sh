# Extend and shrink refuse half pairs, unknown axes and impossible lengths, and change nothing.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i32 --bounds 2,2 --chunk 1,1 --names y,x
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
for command in extend shrink; do
    try $command
    try $command a
    try $command a --axis y
    try $command a --by 3
    try $command a --front
    try $command a --axis y --axis x --by 1
    try $command a --axis y --by 1 --by 2
    try $command a --axis y --by one
    try $command a --axis y --by 1 --frnt
    try $command a --axis y --by 1 --front=yes
done
# What the library refuses is one line that names the array or the axis.
one_line() {
    xta "$@" >out 2>err
    printf '%s %s %s\n' "$?" "$(wc -l <err)" "$(wc -l <out)"
}
one_line extend a --axis z --by 1
one_line extend a --axis 2 --by 1
one_line extend a --axis y --by -1
one_line extend a --axis y --by 9223372036854775807
one_line extend a --axis y --by 4611686018427387904
one_line extend a --axis y --by 1 --axis x --by 4611686018427387904
one_line shrink a --axis y --by 3
one_line shrink a --axis y --by 1 --axis x --by 3
one_line extend none --axis 0 --by 1
xta info a | grep ^bounds

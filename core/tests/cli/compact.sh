# Compact: the journal becomes smaller, nothing else changes, the history is dropped.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i32 --bounds 1,2 --chunk 1,1 --names t,x
for _ in $(seq 30); do
    xta extend a --axis t --by 1 --axis x --by 1 >/dev/null
done
xta fill a --box 3,: --value 5
xta attr a title=Kept
xta address a --all >before
xta read a >cells
xta compact a >sizes
python3 -c '
words = open("sizes").read().split()
print(words[1:3], words[4:], int(words[3]) < int(words[0]))'
xta address a --all | cmp - before
xta read a | cmp - cells
xta attr a title
xta info a | sed -n '/^history/,$p' | wc -l
xta extend a --axis t --by 1 --front
xta check a
xta compact none 2>err
echo "exit $? $(wc -l <err)"

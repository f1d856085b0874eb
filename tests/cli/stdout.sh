# A standard output that is full, closed or gone is an error, and never lends its number to a data file.
# SPDX-License-Identifier: Apache-2.0
xta create a --type u8 --bounds 300,300 --chunk 1,1
fails() { # what is said on standard error, and the exit code
    "$@" 2>err
    echo "exit $? $(cat err)"
}
full() { "$@" >/dev/full; }
closed() { "$@" >&-; }
for way in full closed; do
    fails $way xta --version
    fails $way xta help read
    fails $way xta info a
    fails $way xta address a --all
    fails $way xta read a
    fails $way xta read a --as npy
    fails $way xta ls .
    fails $way xta extend a --axis 0 --by 1
done
xta read a --out /dev/full 2>&1
echo "exit $?"
(xta address a --all 2>err; echo "exit $? $(cat err)" >code) | head -n 1
cat code
(xta read a 2>err; echo "exit $? $(cat err)" >code) | head -n 1 | cut -c1-9
cat code
# Nothing of what was to be printed has reached the array.
xta create b --type u8 --bounds 4096 --chunk 4096
xta fill b --box : --value 1 >&-
xta extend b --axis 0 --by 4096 >&- 2>/dev/null
xta read b | tr ' ' '\n' | sort | uniq -c | sed 's/^ *//'
xta check b
xta read b --box 0 2>&- >/dev/null <&-
echo "exit $?"

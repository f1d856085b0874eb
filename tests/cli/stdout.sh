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
echo "-- a closed pipe is quiet, in programs of one verb too, and for those that ignore the signal"
xta create c --type f64 --bounds 300000 --chunk 1000
unread() { # a command, into a pipe that nobody reads any more
    exec 3> >(:)
    wait $!
    "$@" 2>err >&3
    echo "$*: exit $? $(cat err)"
    exec 3>&-
}
for verb in "info c" "ls" "read c" "read c --as raw" "read c --out -" "address c --all" "stat c" "reduce c --over 0" "help"; do
    # shellcheck disable=SC2086  # Words.
    unread xta $verb
done
(trap '' PIPE; unread xta read c)
# What was to be done is done all the same.
unread xta extend c --axis 0 --by 1
xta info c | grep '^bounds'
# Nothing of what was to be printed has reached the array.
xta create b --type u8 --bounds 4096 --chunk 4096
xta fill b --box : --value 1 >&-
xta extend b --axis 0 --by 4096 >&- 2>/dev/null
xta read b | tr ' ' '\n' | sort | uniq -c | sed 's/^ *//'
xta check b
xta read b --box 0 2>&- >/dev/null <&-
echo "exit $?"

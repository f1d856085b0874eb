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
printf 'box 0:2 one\n' >regions
xta attr c title=one
xta copy c d
xta fill d --box 0 --value 1
mkdir first && xta copy c first/c
xta copy first set
xta cube c cubed --measures sum,count --levels '0:1>1000' >/dev/null
xta read c --out a.npy
for verb in "info c" "info c --json" "info set" "info set --json" "ls" "ls -R ." "read c" "read c --json" \
    "read c --as raw" "read c --out -" "address c --all" "address c --all --json" "attr c" "history set" "check set" "check c --json" \
    "diff c d" "tune c --query :@10" "stat c" "reduce c --over 0" "reduce c --json" "query cubed --by 0:1000" \
    "extract c --regions regions" "rechunk c e --plan --chunk 5000" "import a.npy --describe" "version" "help" \
    "help read" "help --json" "draw c --out -"; do
    # shellcheck disable=SC2086  # Words.
    unread xta $verb
done
(trap '' PIPE; unread xta read c; unread xta reduce c --json)
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
echo "-- a stream where a file is needed is refused; where it is not it is taken"
for verb in "create - --type u8 --bounds 2" "info -" "read -" "ls -" "copy c -" "import - e" "import --describe -" \
    "export c -" "rechunk - e --chunk 2" "reduce c --over 0 --out -" "draw - --out a.png"; do
    # shellcheck disable=SC2086  # Words.
    xta $verb 2>&1 >/dev/null | cut -d, -f1
done
ls -- * | grep -c '^-'
xta draw c --out - --format bmp 2>&1
xta draw c --out - --json 2>&1
xta read a --as npy --json 2>&1
xta draw a --out - | head -c 4 | tail -c 3
echo
xta rechunk --plan --bounds 8,8 --from 2,2 --chunk 4,4 --type f32 --json |
    xta draw --plan - --out - --format svg | head -c 5
echo
xta extract c --regions - --out - <regions | wc -l
ls "${TMPDIR:-/tmp}" | grep -c '^xta-draw' || true

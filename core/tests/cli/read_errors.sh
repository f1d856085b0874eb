# Read refuses wrong boxes, steps, types and files; a failed read leaves no file.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f64 --bounds 3,4 --chunk 2,2
xta create i --type i16 --bounds 2 --chunk 2 --fill 300
xta create s --type bytes:3 --bounds 2 --chunk 2
try() {
    xta read "$@" 2>&1
    echo "exit $?"
}
try
try a --box 0:4,:
try a --box -1:2,:
try a --box :,3:9
try a --box 0:2
try a --box 0:2,:,:
try a --box 2:1,:
try a --box x:1,:
try a --box 1:2:3,:
try a --box ,:
try a --box 99999999999999999999,:
try a --box --as text
try a --step 1
try a --step 0,1
try a --as csv
try a --order hilbert
try a --type f65
try a --type text
try a --outt x
try a --out missing/x.npy
try a --as-of -1
try a --as-of one
one_line() {
    xta read "$@" >out 2>err
    printf '%s %s %s\n' "$?" "$(wc -l <err)" "$(grep -c '^xta read: ' err)"
}
one_line i --type i8
one_line i --type i8 --out never.npy
one_line s --type f64
one_line a --as-of 9
one_line none
one_line none.xmd --box 0
ls

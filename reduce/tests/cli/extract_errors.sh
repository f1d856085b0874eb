# Extract refuses what is wrong, naming file, line, axis, value and what would be right, and leaves
# nothing behind.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f64 --bounds 4,6 --chunk 2,2
xta create c --type c64 --bounds 4,6 --chunk 2,2
xta create m --type i8 --bounds 4,6 --chunk 2,2
xta create n --type i8 --bounds 4,5 --chunk 2,2
xta create f --type f32 --bounds 4,6 --chunk 2,2 --fill 0.5
xta create t --type u8 --bounds 4,6,4,6 --chunk 2,2,2,2
xta fill m --box :,: --value 1
xta fill n --box :,: --value 1
echo 'box :,: all' >good
try() {
    xta extract "$@" 2>&1
    echo "exit $?"
}
line() {
    printf '%s\n' '# a remark' "$1" >regions
    shift
    try a --regions regions "$@"
}
try a
try a --regions good --mask m
try a --regions none
try none --regions good
line 'ball 1,2 3'
line 'box'
line 'box 0:2,0:2 one two'
line 'box 0:2'
line 'box 0:x,:'
line 'box 2:1,:'
line 'box 0:2,3:9 far'
line 'box -1:2,:'
line 'sphere 1,2'
line 'sphere 1,2 -3'
line 'sphere 1,nan 3'
line 'sphere 1,2,3 4'
line 'sphere 1e30,2 4'
line '# nothing'
line 'sphere 1,2 3' --spacing 1
line 'sphere 1,2 3' --spacing 1,0
line 'box :,:' --background 3
line 'box :,:' --as npy
line 'box :,:' --cells d --as csv
line 'box :,: a/b' --cells d
printf 'box :,: x\nbox :,: x\n' >regions
try a --regions regions --cells d
mkdir d
try a --regions good --cells d
try a --regions good --out missing/x.csv
try a --regions good --cells missing/d
try a --regions good --memory 10
try a --regions good --memory lots
try a --mask m
try a --mask n
try c --mask m
try a --mask c
try a --mask none
try a --mask m --clip
try a --mask m --axes 1
try c --regions good
try t --mask m
try t --regions good
try t --regions good --axes 1,0
try t --regions good --axes 1,y
try t --regions good --axes 0,1,2,3,1
xta extract a --mask f 2>&1 | grep -c '^xta extract: .*f: '
rm -r d
ls

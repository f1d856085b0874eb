# Create: every option, the messages about a chosen chunk, types and fill values of each kind.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f64 --bounds 4,3,1 --chunk 2,3,1 --names t,y,x && xta read a --box :,:,0
xta create chosen --type i16 --bounds 512,512
xta create small --type u8 --bounds 4096,4096 --chunk-bytes 64KiB >said
python3 - said <<'PYTHON'
import sys
words = open(sys.argv[1]).read().split()
a, b = map(int, words[1].split(","))
print(words[0], words[2], 16384 <= a * b <= 131072)
PYTHON
xta create b --type=bytes:4 --bounds 2 --chunk 2 --fill 0x01ff00aB && xta read b
xta create c --type bytes:4 --bounds 1 --chunk 1 --fill ab && xta read c
xta create d --type c128 --bounds 1 --chunk 1 --fill 1+2i && xta read d
xta create e --type c64 --bounds 1 --chunk 1 --fill=-0.5-1e3j && xta read e
xta create f --type f32 --bounds 1 --chunk 1 --fill nan && xta read f
xta create g --type f16 --bounds 1 --chunk 1 --fill -inf && xta read g
xta create h --type bool --bounds 2 --chunk 2 --fill true && xta read h
xta create i --type u64 --bounds 1 --chunk 1 --fill 18446744073709551615 && xta read i
xta create j --type i8 --bounds 1 --chunk 1 --fill -0x80 && xta read j
xta create k --type int16 --bounds 1 --chunk 1 --fill -5 --align 4KiB && xta info k | grep ^slot
for order in row column morton hilbert; do
    xta create o_$order --type f64 --bounds 8,8 --chunk 4,4 --order $order &&
        xta info o_$order | grep ^chunk
done
for policy in exact linear:3 exponential:2 cubical shell; do
    name=p_${policy%:*}
    xta create "$name" --type f64 --bounds 2,2 --chunk 1,1 --policy $policy &&
        xta extend "$name" --axis 0 --by 1 &&
        xta info "$name" | grep -E '^(policy|allocated)'
done
xta create q --problem bytes:12:6x8:c3x4:ocolumn:plinear=4 && xta info q | grep -E '^(type|bounds|chunk |policy)'
xta create r --problem f64:0x5:c2x5 && xta info r | grep -E '^(bounds|allocated)'
ls a.*

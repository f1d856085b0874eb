# Read: boxes, omitted limits, steps, orders, forms, conversions, negative coordinates.
# SPDX-License-Identifier: Apache-2.0
say() { echo "-- $*"; }
xta create a --type i32 --bounds 3,4 --chunk 2,2
seq 12 | xta write a --box :,: --from -
xta extend a --axis 0 --by 1 --front --axis 1 --by 1 --front
say whole; xta read a
say box; xta read a --box -1:2,0:2
say equals; xta read a --box=-1:2,0:2
say omitted; xta read a --box 1:,:1
say one; xta read a --box 2,3
say empty; xta read a --box 1:1,:
say step; xta read a --box 0:,0: --step 2,3
say column; xta read a --box 0:2,0: --order column
say type; xta read a --box 0,0: --type f32 --as raw | od -An -t f4 -w16
say raw; xta read a --box 1,: --as raw | od -An -t d4 -w20
say npy
xta read a --out whole.npy
xta read a --out column.npy --order column --step 1,2
xta read a --as npy --type c64 --box 0,0 >complex.npy
python3 -c '
import numpy
for name in ("whole", "column", "complex"):
    a = numpy.load(name + ".npy")
    print(name, a.dtype, a.shape, a.flags.f_contiguous and not a.flags.c_contiguous)
    print(a.tolist())'
say file; xta read a --box 0,: --out text.txt; cat text.txt
say planes
xta create b --type u8 --bounds 2,2,2,2 --chunk 1,2,2,2
seq 16 | xta write b --box :,:,:,: --from -
xta read b
say column; xta read b --box :,:,0,: --order column
say line; xta create c --type u8 --bounds 3 --chunk 3; xta read c
say none; xta create d --type u8 --bounds 0,3 --chunk 1,3; xta read d
xta read d --out d.npy; python3 -c 'import numpy; print(numpy.load("d.npy").shape)'
say replaced; echo old >old.raw; xta read a --box 0,0 --out old.raw; od -An -t d4 old.raw
xta read a --box 0,0 --out /dev/stdout --as text
ls

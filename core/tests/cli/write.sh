# Write: text, .npy and raw, from files and pipes, with conversion, orders and foreign byte order.
# SPDX-License-Identifier: Apache-2.0
say() { echo "-- $*"; }
xta create a --type f64 --bounds 2,3 --chunk 2,2
say text; printf '1,2 3\n4\t5\r\n 6' | xta write a --box :,: --from -; xta read a
say file; echo 7 8 >t.txt; xta write a --box 0,1:3 --from t.txt; xta read a
say column; seq 6 | xta write a --box :,: --from - --order column; xta read a
python3 - <<'PYTHON'
import numpy
n = numpy.arange(6).reshape(2, 3)
numpy.save("i16.npy", n.astype("<i2"))
numpy.save("big.npy", n.astype(">i4") * 100000)
numpy.save("fortran.npy", numpy.asfortranarray(n.astype("f4") + 0.5))
numpy.save("bool.npy", n > 2)
numpy.save("bigc.npy", (n + 1j * n).astype(">c16"))
n.astype("<i2").tofile("i16.raw")
numpy.lib.format.write_array(open("v2.npy", "wb"), n.astype("u1"), version=(2, 0))
numpy.save("s.npy", numpy.array([b"ab", b"xyz"]))
PYTHON
for f in i16 big fortran bool v2; do
    say $f; xta write a --box :,: --from $f.npy; xta read a
done
say raw; xta write a --box :,: --from i16.raw --type i16; xta read a
say stdin; xta write a --box :,: --from - --as npy <fortran.npy; xta read a
say complex; xta create c --type c128 --bounds 2,3 --chunk 2,3; xta write c --box :,: --from bigc.npy
xta read c
say bytes; xta create s --type bytes:3 --bounds 2 --chunk 2; xta write s --box : --from s.npy; xta read s
say part; xta extend a --axis 0 --by 1 --front; echo 9 | xta write a --box -1,2 --from -; xta read a
say empty; xta write a --box 0:0,: --from /dev/null --as text; xta read a --box -1,:

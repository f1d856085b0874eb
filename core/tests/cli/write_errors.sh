# Write refuses values that do not fit, and then has written nothing.
# SPDX-License-Identifier: Apache-2.0
xta create a --type u8 --bounds 2,3 --chunk 2,2 --fill 7
python3 - <<'PYTHON'
import numpy
numpy.save("shape.npy", numpy.zeros((3, 2), "u1"))
numpy.save("axes.npy", numpy.zeros(6, "u1"))
numpy.save("range.npy", numpy.full((2, 3), 256, "i2"))
numpy.save("object.npy", numpy.array([["a", 1]], dtype=object), allow_pickle=True)
numpy.save("time.npy", numpy.zeros((2, 3), "M8[s]"))
numpy.save("wide.npy", numpy.zeros((2, 3), "S5"))
PYTHON
head -c 100 axes.npy >cut.npy
head -c 4 axes.npy >tiny.npy
echo 1 2 3 4 5 >short.txt
echo 1 2 3 4 5 6 7 >long.txt
printf '1 2 3\n4 x 6\n' >word.txt
printf '1 2 3\n4 256 6\n' >big.txt
printf '12345' >short.raw
try() {
    xta write a "$@" 2>&1
    echo "exit $?"
}
try
try --box :,:
try --from short.txt
try --box :,: --from short.txt
try --box :,: --from long.txt
try --box :,: --from word.txt
try --box :,: --from big.txt
try --box :,: --from short.raw
try --box :,: --from shape.npy
try --box :,: --from axes.npy
try --box :,: --from object.npy
try --box :,: --from time.npy
try --box :,: --from tiny.npy
try --box :,: --from cut.npy
try --box :,: --from short.txt --as npy
try --box :,: --from none.npy
try --box :,: --from axes.npy --order row
try --box :,: --from axes.npy --type u8
try --box :,: --from short.raw --as zip
try --box :,:3,: --from short.raw
try --box 0:9,: --from short.raw
try --box 0,0:9 --from short.raw
try --box :,: --from - <short.txt
try --box :,: --from - <long.txt
try --box :,: --from - <word.txt
try --box :,: --from - --as raw <short.raw
one_line() {
    xta write "$@" >out 2>err
    printf '%s %s %s\n' "$?" "$(wc -l <err)" "$(grep -c '^xta write: ' err)"
}
one_line a --box :,: --from range.npy
one_line a --box :,: --from wide.npy
one_line none --box :,: --from axes.npy
xta read a

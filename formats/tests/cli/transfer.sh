# Import and export of .npy and raw through the tool, in each placement, and what is refused.
# SPDX-License-Identifier: Apache-2.0
python3 - <<'PYTHON'
import numpy
n = numpy.arange(6, dtype="i4").reshape(2, 3)
numpy.save("n.npy", n)
n.astype("<i2").tofile("n.raw")
numpy.save("name:with.npy", n)
PYTHON
xta import n.npy a --chunk 2,2 --order column
xta info a | grep ^chunk
xta attr a --axis 0 --set-name t
xta import n.npy a --append t
xta import n.npy a --append t --front
xta import n.npy a --append -t
xta import n.npy a --at 0,-3 --memory 1MiB
xta read a
xta import n.raw b --type i16 --bounds 2,3 --format raw
xta read b
xta import name:with.npy c
xta export a out.npy --box -2:2,0:
xta export a out.dat --format raw --order column --memory 1MiB
xta export a then.npy --as-of 0
python3 -c '
import numpy
print(numpy.load("out.npy").tolist(), numpy.load("then.npy").tolist())
print(numpy.fromfile("out.dat", "i4").reshape(6, 8).T[2].tolist())'
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
try import n.npy
try import n.npy a --front
try import n.npy a --append t --at 0,0
try import n.npy a --append t --chunk 1,1
try import n.npy a --append t --order row
try import n.npy a --at 0
try import n.npy d --order zigzag
try import n.raw d --type i16 --bounds 2,3 --chunk 1
try import n.npy d --memory lots
try export a
try export a x.npy --box 0
try export a x.npy --box 0:9,:
try export a x.npy --order hilbert
try export a x.npy --interlaced bip
one_line() {
    xta "$@" >out 2>err
    printf '%s %s %s %s\n' "$?" "$(wc -l <out)" "$(wc -l <err)" "$(grep -c "^xta $1: " err)"
    rm -f out err
}
one_line import n.npy a
one_line import none.npy d
one_line import n.npy d --format pony
one_line import n.npy d --append t
one_line import n.npy a --append z
one_line export none x.npy
one_line export a x.unknown
one_line export a missing/x.npy
ls

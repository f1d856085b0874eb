# Rechunk: from and into arrays, folders of blocks, dense files and variables; every cell is checked.
# SPDX-License-Identifier: Apache-2.0
python3 - <<'PYTHON'
import numpy
n = numpy.arange(13 * 17 * 19, dtype="u2").reshape(13, 17, 19)
numpy.save("n.npy", n)
n.tofile("n.raw")
PYTHON
xta import n.npy a --chunk 5,4,7
xta attr a --axis 0 --set-name time
xta attr a history=made
# The work done is printed; times and rates differ from run to run.
done_lines() { sed 's/^time .*/time/; s/^memory .*/memory/; s/, [0-9]* operations/, N operations/'; }
same() { # NAME...: each has the cells of n.npy
    for name in "$@"; do
        rm -f out.npy
        xta export "$name" out.npy --force && python3 -c '
import numpy
print(numpy.array_equal(numpy.load("n.npy"), numpy.load("out.npy")))' | sed "s/^/$name: /"
    done
}
xta rechunk a b --chunk 3,17,6 --memory 64KiB --no-history | done_lines
xta info b | grep -E '^(bounds|chunk|axis 0|attribute) '
same b
for s in sweep keep baseline split merge; do
    xta rechunk a "s_$s" --chunk 6,3,4 --memory 40KiB --strategy "$s" --verify --threads 1 >log ||
        cat log
    same "s_$s"
done
xta rechunk a c --chunk 4,4,4 --order hilbert --memory 1MiB >log && same c
xta info c | grep '^chunk '
xta rechunk a c_again --chunk 5,4,7 --memory 64KiB --json | grep -cE '^  "(reads|writes|seconds)": [0-9.]+'
xta rechunk a 'blocks/{0}_{1}_{2}.npy' --chunk 13,1,19 --memory 64KiB 2>&1 | grep -c operations
find blocks -type f | wc -l
xta rechunk 'blocks/{0}_{1}_{2}.npy' d --chunk 6,6,6 --memory 64KiB >log && same d
xta rechunk a 'raw/b{0:02}x{1:02}x{2:02}.raw' --chunk 7,7,7 --memory 64KiB >log && find raw -type f | wc -l
xta rechunk 'raw/b{0:02}x{1:02}x{2:02}.raw' e --bounds 13,17,19 --from 7,7,7 --type u16 \
    --chunk 4,5,6 --memory 64KiB >log && same e
xta rechunk a back.npy --memory 64KiB >log && cmp n.npy back.npy && echo 'back.npy: True'
xta rechunk n.raw f --bounds 13,17,19 --type u16 --chunk 4,17,2 --memory 64KiB >log && same f
# A dense file in Fortran's order: the same bytes, axes transposed.
xta rechunk n.raw h --bounds 19,17,13 --type u16 --from-order column --chunk 5,5,5 --memory 64KiB >log &&
    xta export h h.npy && python3 -c '
import numpy
print("h:", numpy.array_equal(numpy.load("n.npy").T, numpy.load("h.npy")))'
# Coordinates below 0 stay.
xta extend a --axis 0 --by 3 --front
xta rechunk a g --chunk 2,2,19 --memory 64KiB >log && xta info g | grep ^bounds
xta read a --box -1:1,0:2,0:3 >one && xta read g --box -1:1,0:2,0:3 | cmp one - && echo 'g: True'
# In place, while the other commands keep working.
cp c.xta c_before.xta
xta rechunk c --in-place --chunk 13,2,19 --order row --memory 64KiB --verify | done_lines
xta info c | grep '^chunk '
same c
xta check c
find . -name '*.part*' -o -name '*.resume*' -o -name '*.next*'

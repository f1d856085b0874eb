# Boxes larger than the buffer of 32 MiB go through in slabs, in both orders, files and pipes alike.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f32 --bounds 210,220,230 --chunk 32,32,230
python3 - <<'PYTHON'
import numpy
numpy.save("in.npy", numpy.random.default_rng(1).random((210, 220, 230), dtype="f4"))
PYTHON
xta write a --box :,:,: --from in.npy
xta read a --out row.npy
xta read a --order column --as npy >column.npy
xta read a --step 1,1,1 --as raw --type f64 >f64.raw
xta create b --type f64 --bounds 210,220,230 --chunk 70,70,70
xta read a --as raw --type f64 | xta write b --box :,:,: --from - --as raw
xta read b --type f32 --box :,:,: --out back.npy
xta create c --type f32 --bounds 210,220,230 --chunk 64,64,64
xta write c --box :,:,: --from column.npy
xta read c --out again.npy
python3 - <<'PYTHON'
import numpy
a = numpy.load("in.npy")
for name in ("row", "column", "back", "again"):
    print(name, (numpy.load(name + ".npy") == a).all())
print("f64", (numpy.fromfile("f64.raw").reshape(a.shape) == a).all())
PYTHON
head -c 43000000 f64.raw | xta write b --box :,:,: --from - --as raw 2>&1
echo "exit $?"

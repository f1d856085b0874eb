# Reduce refuses what is wrong, naming option, axis, value and what would be right, and leaves
# nothing behind.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f64 --bounds 4,4 --chunk 2,2 --names y,x
xta create c --type c64 --bounds 4,6 --chunk 2,2
xta create big --type i64 --bounds 3 --chunk 2 --fill 9000000000000000000
python3 -c '
import numpy
numpy.save("four.npy", numpy.arange(4)); numpy.save("three.npy", numpy.arange(3))
numpy.save("flat.npy", numpy.zeros((2, 2), "i4")); numpy.save("real.npy", numpy.array([.5, 1, 2, 3]))'
try() {
    xta reduce "$@" 2>&1
    echo "exit $?"
}
try
try none
try a --over z
try a --over 5
try a --over y,0
try a --with median
try a --with maen
try a --with sum,sum
try a --nan ignore
try a --missing much
try a --threads 0
try a --min-count -1
try a --over x --groups y:2
try a --groups y:0
try a --groups four.npy
try a --groups y:three.npy
try a --over y --groups three.npy
try a --groups y:flat.npy
try a --groups y:real.npy
try a --groups y:absent.npy
try a --memory 100
xta create wide --type u8 --bounds 400000,2
try wide --over 1 --memory 1MiB
try wide --over 1 --memory 1KiB --out means
try a --out -
try c
try big --with sum
try big --with sum,count --out folder
try a --out a
mkdir there
try a --with sum,mean --out there
ls

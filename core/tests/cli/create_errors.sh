# Create refuses what makes no sense, in one line each, and leaves no files behind.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta create "$@" 2>&1
    echo "exit $?"
}
try
try a
try a --type f64
try a --type f65 --bounds 4
try a --type text --bounds 4
try a --type bytes --bounds 4
try a --type bytes:0 --bounds 4
try a --type f64 --bounds 4,x
try a --type f64 --bounds 4,
try a --type f64 --bounds 4 --bounds 5
try a --type f64 --bounds 4,4 --chunk 2
try a --type f64 --bounds 4,4 --chunk 2,2 --order zigzag
try a --type f64 --bounds 4,4 --chunk 2,2 --policy double
try a --type f64 --bounds 4,4 --chunk 2,2 --policy linear:0
try a --type f64 --bounds 4,4 --chunk 2,2 --policy exact:2
try a --type i8 --bounds 4 --fill 128
try a --type u8 --bounds 4 --fill -1
try a --type i8 --bounds 4 --fill 1.5
try a --type f32 --bounds 4 --fill 1e39
try a --type f64 --bounds 4 --fill 1+2i
try a --type c64 --bounds 4 --fill 1+2
try a --type bytes:2 --bounds 4 --fill abc
try a --type bool --bounds 4 --fill 2
try a --type f64 --bounds 4,4 --names t
try a --type f64 --bounds 4 --chunk-bytes 4kX
try a --type f64 --bounds 4 --bound 3
try a --type f64 --bounds 4 --chunk
try a b --type f64 --bounds 4
try a --problem f64:4x4 --type f64
try a --problem f64
try a --problem f64:4x4:c2
try a --problem f64:4x4:oup
try a --problem f64:4x4:pexact=2
try a --problem f64:4x4:z1
try a --problem f64:4x4:c2x2:c2x2
try a --type f64 --bounds 4 -x
ls

# xta tune FILE:VARIABLE, and xta import --describe, which it asks: HDF5, NetCDF, NumPy; and what is refused.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import h5py' 2>/dev/null || {
    echo "SKIPPED: h5py is not there (python3-h5py)"
    exit 77
}
command -v h5repack >/dev/null && command -v ncgen >/dev/null || {
    echo "SKIPPED: h5repack or ncgen is not there (hdf5-tools, netcdf-bin)"
    exit 77
}
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
python3 - <<'PYTHON'
import h5py, numpy
with h5py.File("f.h5", "w") as f:
    f.create_dataset("g/v", data=numpy.arange(2400.0).reshape(60, 40), chunks=(8, 8), maxshape=(None, None))
    f["plain"] = numpy.arange(2400, dtype="i2").reshape(60, 40)
    f.create_dataset("empty", shape=(0, 40), chunks=(8, 8), maxshape=(None, 40), dtype="f4")
    f["text"] = "no numbers"
numpy.save("n.npy", numpy.zeros((60, 40), dtype="u1"))
PYTHON
cat >c.cdl <<'CDL'
netcdf c {
dimensions: time = UNLIMITED ; x = 40 ;
variables: float v(time, x) ; v:_ChunkSizes = 4, 40 ;
data: v = 1, 2, 3 ;
}
CDL
ncgen -k nc4 -o c.nc c.cdl
echo "-- described"
xta import f.h5:g/v --describe
xta import f.h5:plain --describe
xta import n.npy --describe
xta import c.nc:v --describe
xta import f.h5:g/v --describe --axes row,column | head -2
echo "-- the best shape"
sha256sum f.h5 >sum
xta tune f.h5:g/v --query 60,1
xta tune f.h5:g/v --query 60,1 --chunk-bytes 1KiB --bounds 600,40
xta tune f.h5:plain --query 1,: --chunk-bytes 1KiB
xta tune c.nc:v --query :,1 --bounds 1000,40
xta tune f.h5:empty --query :,1 --bounds 64,40 | grep -e ^present -e ^proposed
xta tune n.npy --query 2,2@3 --chunk-bytes 100 --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(answer["bounds"], answer["cell_bytes"], answer["proposed"]["bytes"] <= 100, "present" in answer)'
sha256sum -c --quiet sum && echo "f.h5 is as it was"
echo "-- the same as for an array"
xta import f.h5:g/v a --chunk 8,8
for what in a f.h5:g/v; do
    xta tune $what --query 60,1 --query 2,:@4 | grep -v -e ^then -e ^or | sha256sum
done
echo "-- from a log"
printf '# XTA access log 1\nr 0:60,3:4\nr 0:60,7:8\nr 5:6,0:40\n' >log
xta tune f.h5:g/v --log log
echo "-- as proposed"
h5repack -l g/v:CHUNK=60x1 f.h5 repacked.h5
xta import repacked.h5:g/v --describe | grep ^chunk
xta tune f.h5:g/v --query 60,1 --apply b | tail -1
xta info b | grep '^chunk '
xta read a >a.txt; xta read b >b.txt; cmp a.txt b.txt && echo equal
echo "-- an array goes before a file"
cp n.npy both
xta create both --type f64 --bounds 5,5
xta tune both --query 1,5 | head -1
echo "-- refused"
try tune f.h5 --query 1,1
try tune f.h5:none --query 1,1
try tune f.h5:empty --query 1,1
try tune f.h5:text --query 1
try tune f.h5:g/v --query 1
try tune f.h5:g/v --query 1,1 --type f64
try tune f.h5:g/v --query 1,1 --as-of 0
try tune f.h5:g/v
try tune none.h5:v --query 1,1
echo "no array" >words
try tune words --query 1,1
try import f.h5:g/v | cut -c1-41
try import f.h5:g/v a --describe
try import f.h5:g/v --describe --append 0
echo "-- other programs in its place"
mkdir fake
for line in 'exit 3' 'echo "broken" >&2; exit 1' 'echo "xta import: out of luck" >&2; exit 1' 'kill -9 $$' \
    'echo "bounds 3,x"' 'echo "bounds      3,4"; echo "type        f99"' 'echo "bounds      3,4"' 'exit 0' \
    'head -c 100000 /dev/zero | tr "\0" x' \
    'printf "warning: old\nbounds      3,4\ntype        i16\nchunk       -\nmore        1\n"'; do
    printf '#!/bin/sh\n%s\n' "$line" >fake/xta-import
    chmod +x fake/xta-import
    echo "$line:"
    XTA_EXEC_PATH=$PWD/fake try tune f.h5:g/v --query 3,1 | cut -c1-100
done
rm -r fake
mkdir empty
XTA_EXEC_PATH=$PWD/empty try tune f.h5:g/v --query 1,1
ls

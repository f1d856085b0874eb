# FILE:GROUP/NAME of NetCDF-4 and HDF5: import, export, source and target of rechunk; and names with colons.
# SPDX-License-Identifier: Apache-2.0
cat >b.cdl <<'CDL'
netcdf b {
dimensions: x = 4 ;
variables: double x(x) ; int top(x) ;
data: x = 10, 20, 30, 40 ; top = 1, 2, 3, 4 ;
group: g {
  dimensions: t = 3 ;
  variables: short u(t, x) ; double t(t) ;
  data: u = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ; t = 5, 6, 7 ;
}
}
CDL
ncgen -4 -o b.nc b.cdl
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
echo "== none named, no such name"
try import b.nc a
try rechunk b.nc a --chunk 2,2
try import b.nc:g/none a
try import b.nc:none/u a
ls
for suffix in nc h5; do
    echo "== $suffix"
    rm -f a.* back.* there.*
    xta import b.nc:g/u a
    xta attr a import/variable
    for axis in 0 1; do xta attr a --axis $axis values; done
    try export a "out.$suffix"
    try export a "out.$suffix:g/h/v"
    xta import "out.$suffix:g/h/v" back
    xta read back --box 1,:
    for axis in 0 1; do xta attr back --axis $axis values; done
    try import "out.$suffix" back
    echo "- rechunk"
    try rechunk "out.$suffix:g/h/v" there --chunk 2,2 | tail -1
    xta read there --box 1,:
    try rechunk there "far.$suffix:r/s/w" --chunk 3,1 | tail -1
    xta import "far.$suffix:r/s/w" far
    xta attr far --axis 0 values
    xta read far --box 1,:
    rm -f far.xta far.xmd
done
ncdump -h out.nc | grep -E 'group:|\(|dimensions'
echo "== colons in names"
cp b.nc odd:top
xta import odd:top odd --format netcdf 2>&1 | cut -c1-60
xta import odd:top:top odd
xta read odd
mkdir a:b
xta export odd a:b/f.npy && ls a:b
ls

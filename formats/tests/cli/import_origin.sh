# xta export says where an array begins that does not begin at 0, and xta import puts the cells there.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
# 4 rows from -2 on, 3 columns from 1 on, with coordinates of the rows.
xta create a --type i32 --bounds 2,4 --chunk 2,2 --names y,x
xta extend a --axis y --by 2 --front
xta shrink a --axis x --by 1 --front
seq 12 | xta write a --box :,: --from -
xta attr a --axis y --type f64 values=10,20,30,40
for name in a.h5 a.nc a.fits; do
    echo "== $name"
    xta export a "$name" --no-history
    try import "$name" "${name#a.}"
    xta read "${name#a.}" --box -2:0,1:3
    xta attr "${name#a.}" | grep -i "orig\|XTAORG"
    xta export "${name#a.}" "again-$name"
    xta import "again-$name" "again-${name#a.}"
done
echo "== what the files say"
h5dump -a /a/xta_origin a.h5 | grep "(0)"
ncdump -h a.nc | grep origin
ncdump -v y a.nc | grep "y = "
head -c 2880 a.fits | fold -w 80 | grep XTAORG | sed 's/ *$//'
echo "== without coordinates, into an array, part of it, a box that begins at 0"
try export a plain.nc --no-coordinates
ncdump -h plain.nc | grep -c origin
try import a.h5 zero --no-coordinates
try import a.nc nc --append y --no-coordinates
try import a.h5 h5 --at -2,4
xta attr h5 | grep -c origin
try export a box.h5 --box -1:1,2:4
try import box.h5 box
xta read box --box :,:
try export a corner.nc --box 0:1,1
try import corner.nc corner --fold 1=1,1
xta info corner | grep bounds
echo "== only an axis with coordinates does not begin at 0"
xta create b --type i32 --bounds 2,3 --names y,x
xta extend b --axis y --by 1 --front
xta attr b --axis y --type f64 values=5,6,7
try export b labelled.nc --no-history
ncdump -h labelled.nc | grep -c origin
ncdump -v y labelled.nc | grep "y = "
echo "== origins that are none"
for origin in 1099511627776 '1, 2' '"here"'; do
    printf 'netcdf no { dimensions: x = 2 ; variables: byte v(x) ; v:xta_origin = %s ; }' \
        "$(echo "$origin" | sed '/^[0-9]*$/s/$/LL/')" | ncgen -4 -o no.nc
    try import no.nc no
done
[ -e no.xta ] || [ -e no.xmd ] || echo "nothing is left"

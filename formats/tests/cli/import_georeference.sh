# xta import of georeferenced tiles: the georeference says where they belong, and nothing else is accepted.
# SPDX-License-Identifier: Apache-2.0
# tile NAME X Y: two bands of 2 x 3 cells of 10 x 10 whose corner lies there
tile() {
    xta create tile --type u8 --bounds 2,2,3 --chunk 2,2,3 --names band,y,x
    xta fill tile --box :,:,: --value 7
    [ $# -lt 3 ] || xta attr tile --type f64 "geotransform=$2,10,0,$3,0,-10"
    xta export tile "$1.tif"
    rm tile.*
}
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
tile first 100 500
tile right 130 500
tile below 100 480
tile bare
xta import first.tif a
sha256sum a.xta a.xmd >sum
try import below.tif a --append x
try import first.tif a --append y
try import right.tif a --at 0,0,1
try import right.tif a --append band
try import bare.tif a --append y
sha256sum -c --quiet sum
try import right.tif a --append x
try import below.tif a --at 0,2,0
try import below.tif a --at auto
xta attr a geotransform
xta import bare.tif b
try import right.tif b --append x
try import right.tif b --append x --no-coordinates
try attr b geotransform

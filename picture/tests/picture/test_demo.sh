#!/bin/bash
# The demo does its job, on the real data if it is there and on a made scene always, both into one
# folder; and it would notice if a single cell or attribute came out different.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

for program in gdal_translate gdalinfo ncdump ncgen; do
    if ! command -v "$program" >/dev/null; then
        echo "SKIPPED: the demo needs $program; tools/install-deps brings it" >&2
        exit 77
    fi
done
/usr/bin/python3 -c 'from osgeo import gdal' || {
    echo 'SKIPPED: the demo needs the Python binding of GDAL; tools/install-deps brings it' >&2
    exit 77
}

folder=$(mktemp -d "${XTA_TEST_DIR:-${TMPDIR:-/tmp}}/xta-demo-XXXXXX")
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
demo=$XTA_SOURCE_DIR/tools/demo
compare="/usr/bin/python3 $XTA_SOURCE_DIR/tools/demo_compare.py"

export OUT=$folder/out
code=0
data=${XTA_DATA:-$XTA_SOURCE_DIR/../shared/data}
if [ -d "$data/hyperspectral/enmap_potsdam" ]; then
    "$demo" >"$folder/log"
    [ -s "$OUT/index.html" ] || fail 'there is no page'
    grep -q 'made scene' "$folder/log" && fail 'the real data is there, but was not taken'
else
    echo "SKIPPED: the demo on real data, of which there is none in $data" >&2
    code=77
fi

touch "$OUT/left_over.png" 2>/dev/null || true # of an earlier run
export XTA_DATA=$folder/nothing
"$demo" >"$folder/log"
grep -q 'The demo makes a scene' "$folder/log" || fail 'a made scene was not said to be one'
[ ! -e "$OUT/left_over.png" ] || fail 'a second run left files of the first'
for name in scene.png sst.png months.png spectra.png scene_chunks.svg tos_chunks.svg index.html; do
    [ -s "$OUT/$name" ] || fail "there is no $name"
done

grep -q 'name="viewport"' "$OUT/index.html" && grep -q 'prefers-color-scheme: dark' "$OUT/index.html" ||
    fail 'the page has one width, or one scheme of colours'
if command -v tidy >/dev/null; then
    tidy -qe --drop-empty-elements no "$OUT/index.html" >"$folder/log.tidy" 2>&1 ||
        fail "the page is not valid HTML: $(head -n 3 "$folder/log.tidy")"
fi

# The end of it: scenes analysed while they grow.
if "$XTA_TOOL" help hyper follow >/dev/null 2>&1; then
    for name in enmap samson; do
        grep -q 'made up' "$OUT/$name.html" || fail "there is no page of $name, or it is of another run"
        grep -q 'href="'$name'.html"' "$OUT/index.html" || fail "the page does not name $name"
    done
    [ "$(grep -c 'byte for byte those of a run from nothing' "$folder/log")" = 2 ] ||
        fail 'results of growing scenes were not compared'
fi

# The comparison must be able to fail: one cell, one attribute.
work=$OUT/work
original=$work/made/hyperspectral/enmap_potsdam/images/enmap_potsdam_tile_64_0.tif
cp "$original" "$folder/tile.tif"
$compare raster "$original" "$folder/tile.tif" >/dev/null || fail 'a copy is not equal'
/usr/bin/python3 - "$folder/tile.tif" <<'PYTHON'
import sys
from osgeo import gdal
tile = gdal.Open(sys.argv[1], gdal.GA_Update)
band = tile.GetRasterBand(7)
cells = band.ReadAsArray()
cells[3, 4] += 1
band.WriteArray(cells)
PYTHON
$compare raster "$original" "$folder/tile.tif" >"$folder/log" && fail 'a wrong cell was not noticed'
grep -q 'DIFFERENT: .* 1 of ' "$folder/log" || fail 'a wrong cell was not named'

month=$work/tos_20150101-20150201.nc
ncdump -p 9,17 "$month" >"$folder/month.cdl"
ncgen -k nc4 -o "$folder/same.nc" "$folder/month.cdl"
$compare netcdf "$month" "$folder/same.nc" >/dev/null || fail 'the same in another file is not equal'
sed 's/degree_C/kelvin/' "$folder/month.cdl" | ncgen -k nc4 -o "$folder/unit.nc" -
$compare netcdf "$month" "$folder/unit.nc" >/dev/null && fail 'another unit was not noticed'
sed 's/-80,/-79,/' "$folder/month.cdl" | ncgen -k nc4 -o "$folder/cell.nc" -
$compare netcdf "$month" "$folder/cell.nc" >/dev/null && fail 'another number was not noticed'

# It does not delete what is not its own.
mkdir "$folder/mine"
touch "$folder/mine/thesis.txt"
OUT=$folder/mine "$demo" >"$folder/log" 2>&1 && fail 'a folder of somebody else was taken'
[ -e "$folder/mine/thesis.txt" ] || fail 'a file of somebody else was deleted'
echo "demo: ok"
exit $code

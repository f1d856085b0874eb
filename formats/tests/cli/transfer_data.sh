# Real files through the tool: tiles placed by coordinates and by georeference, months appended at the
# front, variables by name.
# SPDX-License-Identifier: Apache-2.0
data=${XTA_DATA:-$XTA_SOURCE_DIR/../shared/data}
if [ ! -d "$data/netcdf" ]; then
    echo "SKIPPED: no data in $data: imports of tiles and NetCDF files" >&2
    exit 77
fi
for format in gdal netcdf; do
    if ! xta version | grep -q "^bridge $format: "; then
        echo "SKIPPED: this build has no bridge for $format: imports of tiles and NetCDF files" >&2
        exit 77
    fi
done
tile=$(find "$data" -path '*images/enmap_potsdam_tile_96_0.tif')
month=$data/netcdf/nemo_1m_2015
xta import "$tile" scene --chunk 224,16,16
xta import "${tile/96_0/64_0}" scene --at auto
xta import "${tile/96_0/128_32}" scene --at 0,32,32
xta info scene | grep -E '^(bounds|chunk |moved|axis)'
xta export scene back.tif --box :,0:32,-32:0 --interleave bip --memory 1MiB
xta import back.tif back
xta read scene --box :,0:32,-32:0 --as raw | cmp - <(xta read back --as raw)
xta import "${month}0201-20150301_grid-T.nc:tos" tos
xta import "${month}0301-20150401_grid-T.nc:tos" tos --append time_counter
xta import "${month}0101-20150201_grid-T.nc:tos" tos --append -time_counter
xta attr tos units
xta export tos tos.nc:tos --box 0,: 2>/dev/null
echo "exit $?"
xta export tos tos.nc:sst --box 0,:,: --as-of 0
xta import tos.nc:sst sst
xta read tos --box 0,:,: --as raw | cmp - <(xta read sst --as raw)
xta import tos.nc:nothing never 2>err
echo "exit $? $(wc -l <err) $(grep -c '^xta import: ' err)"

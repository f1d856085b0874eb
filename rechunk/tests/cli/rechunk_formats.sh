# Rechunk between files of other formats supported by this build: NetCDF and HDF5.
# SPDX-License-Identifier: Apache-2.0
if ! xta version | grep -q '^bridge netcdf'; then
    echo "SKIPPED: this build has no NetCDF" >&2
    exit 77
fi
python3 -c 'import numpy; numpy.save("n.npy", numpy.arange(24 * 10 * 9, dtype="f4").reshape(24, 10, 9))'
xta import n.npy a --chunk 1,10,9
xta attr a --axis 0 --set-name time
xta attr a --axis 1 --set-name y
xta attr a --axis 2 --set-name x
xta export a a.nc:t
xta rechunk a.nc:t b --chunk 24,2,3 --memory 64KiB >log || cat log
xta export b b.npy && cmp n.npy b.npy && echo 'b: True'
xta rechunk b c.nc:t --chunk 6,5,9 --memory 64KiB >log || cat log
ncdump -hs c.nc | grep -E '_ChunkSizes|float t' | tr -d '\t'
xta rechunk c.nc:t d.h5:t --chunk 24,1,9 --memory 64KiB --verify >log || cat log
xta rechunk d.h5 e --variable t --chunk 5,5,5 --memory 64KiB >log || cat log
xta export e e.npy && cmp n.npy e.npy && echo 'e: True'
# Coordinates that do not cover the cells are not invented.
xta attr a --axis 0 "values=$(seq -s, 0 23)" --type f64
xta extend a --axis time --by 1 >/dev/null
for target in f.nc:t f.h5:t; do
    xta rechunk a "$target" --chunk 5,5,9 2>err >log
    echo "$target: exit $?, $(grep -c 'has no item for cell 24 of axis 0 (time)\|has 24 items' err)"
    ls "${target%:t}"* 2>/dev/null
    xta rechunk a "$target" --chunk 5,5,9 --no-coordinates 2>err >log
    echo "$target without them: exit $?"
done

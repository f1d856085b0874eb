# Names of endmembers and wavelengths of bands are exported with results to rasters, and imported again; the axes of a
# raster are recognized by their names, in any position.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
xta hyper synth map library.csv scene --type u16 --scale 10000 --mixing 2 --seed 5 --abundances truth >/dev/null
xta hyper unmix scene library.csv shares >/dev/null 2>&1
for name in shares truth; do
    for end in tif img; do
        echo "# $name.$end"
        xta export $name $name.$end && xta import $name.$end back_$name.$end >/dev/null
        xta attr back_$name.$end gdal/description --axis band
        cmp <(xta read $name --box :,:,: --as raw) <(xta read back_$name.$end --box :,:,: --as raw) && echo 'the same'
    done
done
grep -A 4 '^band names' shares.hdr | tr '\n' ' ' | tr -s ' '
echo
echo '# some of the layers, and names that were set by hand'
xta export shares some.tif --box 1:3,:,: && xta import some.tif some
xta attr some gdal/description --axis band
xta create hand --type f32 --bounds 2,3,4 --chunk 2,3,4 --names band,y,x
xta attr hand "gdal/description=$(printf 'first\nsecond')" --axis band
xta attr hand wavelength=450,550 --type f64 --axis band
xta export hand hand.img --format ENVI && grep -A 2 -E '^(band names|wavelength)' hand.hdr
echo '# from the names that a report shows'
xta hyper report page.html --abundances back_shares.tif && grep -o 'Abundance of [a-z]*' page.html | sort -u
echo '# a scene whose bands are its last axis'
xta export scene scene.img --format ENVI && grep -E '^(samples|lines|bands)' scene.hdr
xta import scene.img again && xta attr again wavelength --axis band
xta hyper unmix again library.csv shares2 2>/dev/null | tail -n 1
cmp <(xta read shares --box :,:,: --as raw) <(xta read shares2 --box :,:,: --as raw) && echo 'the same'
echo '# names of classes: the same endmembers as labels'
xta hyper classify scene library.csv labels --by sad >/dev/null
for end in img tif; do
    xta export labels labels.$end && xta import labels.$end back_labels.$end >/dev/null
    xta attr back_labels.$end class_names | head -n 5 | tr '\n' ' '
    echo
done

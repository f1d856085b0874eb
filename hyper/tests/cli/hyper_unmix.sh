# Abundances of a scene whose truth is known, by all methods; endmembers from files of several kinds, resampled to the
# bands in use; pixels without data.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
xta hyper synth map library.csv scene --type f64 --mixing 2 --variation 0.2 --abundances truth --seed 5 >/dev/null
for method in fcls nnls scls ucls; do
    xta hyper unmix scene library.csv by_$method --method $method --residual rest_$method | tail -n 2 |
        awk '/mean residual/ { print "residual small:", $3 < 1e-9; next } { print }'
    xta hyper score --endmembers library.csv --reference library.csv --abundances by_$method \
        --truth-abundances truth --scene scene --json >score.json
    json score.json 'j["abundance_rmse"] < 1e-6, j["reconstruction_rmse"] < 1e-6, j["mean_sad"] < 1e-6'
done
# Brighter pixels: the shape is still recognized.
xta hyper synth map library.csv bright --type f64 --brightness 0.5 --mixing 2 --seed 5 --abundances same_truth >/dev/null
xta hyper unmix bright library.csv plain >/dev/null
xta hyper unmix bright library.csv shape --normalise >/dev/null
for name in plain shape; do
    xta hyper score --endmembers library.csv --reference library.csv --abundances $name \
        --truth-abundances same_truth --json >$name.json
done
json plain.json 'j["abundance_rmse"] > 1.5 * json.load(open("shape.json"))["abundance_rmse"]'
# Fewer bands in use; a library at other wavelengths; one without wavelengths; an ENVI library.
xta hyper unmix scene library.csv few --use-bands 3:25 --json >few.json
json few.json 'j["scene"]["bands_in_use"], j["pixels"]'
{ head -n 1 library.csv; sed 1d library.csv | awk 'NR % 2 == 1 || NR == 30'; } >coarse.csv
xta hyper unmix scene coarse.csv coarse | tail -n 1
sed 's/^wavelength (nm)/band/; 2,$s/^[0-9]*/0/' library.csv >plain.csv
xta hyper unmix scene plain.csv without | tail -n 1
cmp <(xta read without --box :,:,: --as raw) <(xta read by_fcls --box :,:,: --as raw) && echo 'the same'
# A pixel without data has no abundances, and the names of the endmembers are exported.
xta fill scene --box 3,4,: --value -1
xta hyper unmix scene library.csv holes --nodata -1 | tail -n 1
xta read holes --box :,3,4 --as text | tr -s ' ,\n' ' '
echo
xta attr holes gdal/description --axis endmember

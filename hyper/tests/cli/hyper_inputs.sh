# Inputs that seem right and are not: a library of reflectances for a scene of counts, wavelengths without a unit, a
# library that does not cover all bands, a truth of another size, many spectra, headers without their file.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
mean() { # of the abundances of a JSON file, rounded
    json "$1" '" ".join("%.2f" % e["mean_abundance"] for e in j["endmembers"])'
}
xta hyper synth map library.csv real --type f64 --mixing 2 --seed 5 --abundances truth >/dev/null
xta hyper synth map library.csv counts --type u16 --scale 10000 --mixing 2 --seed 5 >/dev/null
xta attr counts reflectance_scale_factor 2>/dev/null || echo 'no scale'
xta hyper unmix real library.csv wanted --json >wanted.json 2>notes.txt
mean wanted.json && cat notes.txt

echo '# a library of reflectances for counts, whose ENVI header says how they are scaled'
xta attr counts --remove reflectance_scale_factor
xta attr counts reflectance_scale_factor=10000 --type f64
xta export counts counts.img --format ENVI && grep '^reflectance' counts.hdr
xta import counts.img scaled 2>/dev/null
xta hyper unmix scaled library.csv out1 --json >out1.json 2>notes.txt
mean out1.json && cat notes.txt
json out1.json 'j["library_factor"], len(j["notes"])'
echo '# the same in a library that says its scale, too; nothing is guessed'
awk -F, -v OFS=, 'BEGIN { print "# Reflectance scale factor: 100" } NR > 1 { for (k = 2; k <= NF; k++) $k *= 100 } 1' \
    library.csv >percent.csv
xta hyper unmix scaled percent.csv out2 --json >out2.json 2>notes.txt
mean out2.json && cat notes.txt
json out2.json 'j["library_factor"], j["notes"]'
echo '# NetCDF says it by a factor and an offset, GDAL for each band'
xta hyper synth map library.csv packed --type i16 --scale 10000 --mixing 2 --seed 5 >/dev/null
xta attr packed --remove reflectance_scale_factor 2>/dev/null
xta attr packed scale_factor=0.0001 --type f64
xta hyper unmix packed library.csv out3 --method nnls --json >out3.json 2>notes.txt
mean out3.json && cat notes.txt
xta attr packed --remove scale_factor
xta attr packed "gdal/scale=$(yes 0.0001 | head -n 30)" --axis band
xta attr packed "gdal/offset=$(yes 0 | head -n 30)" --axis band
xta hyper unmix packed library.csv out4 --json >out4.json 2>/dev/null
mean out4.json
echo '# no scale anywhere: a warning, also in JSON; shapes need none'
xta attr counts --remove reflectance_scale_factor
xta hyper unmix counts library.csv out5 --json >out5.json 2>notes.txt
cat notes.txt
json out5.json 'j["notes"][0][:40]'
xta hyper unmix counts library.csv out6 --normalise >/dev/null
xta hyper classify counts library.csv out7 --by sad >/dev/null
echo '# the siblings: labels by abundance, follow, score'
xta hyper classify scaled library.csv out8 --by abundance --truth map --json 2>/dev/null >out8.json
xta hyper classify real library.csv out9 --by abundance --truth map --json 2>/dev/null >out9.json
json out8.json 'j["score"]["overall_accuracy"] == json.load(open("out9.json"))["score"]["overall_accuracy"]'
xta hyper follow scaled followed --endmembers library.csv --keep endmembers,labels,abundances --once >/dev/null 2>notes.txt
cat notes.txt
cmp <(xta read followed/abundances --box :,:,: --as raw) <(xta read out1 --box :,:,: --as raw) && echo 'follow: the same'
xta hyper score --endmembers library.csv --reference library.csv --abundances out1 --truth-abundances truth \
    --scene scaled --json >score.json 2>/dev/null
json score.json 'j["abundance_rmse"] < 1e-3, j["reconstruction_rmse"] < 1'
echo '# endmembers of a scaled scene say so, in every kind of file'
for end in csv sli mat; do
    xta hyper endmembers scaled em.$end --count 4 >/dev/null
    xta hyper unmix scaled em.$end em_$end --json >em_$end.json
    json em_$end.json 'j["library_factor"], j["notes"]'
done
xta hyper follow scaled found --count 4 --once >/dev/null && grep -c '^# reflectance scale factor: 10000' found/endmembers.csv
sed -n '/^wavelength/s/,.*//p' found/endmembers.csv
echo '# swaths of another scale'
xta hyper synth map library.csv counts2 --lines 0:20 --type u16 --scale 10000 >/dev/null
xta hyper synth map library.csv counts2 --lines 20:40 --append --scale 100 2>&1

echo '# wavelengths without a unit, in micrometres'
awk -F, -v OFS=, 'NR == 1 { sub(/ \(nm\)/, "") } NR > 1 { $1 /= 1000 } 1' library.csv >micro.csv
xta hyper unmix real micro.csv out10 --json >out10.json 2>notes.txt
mean out10.json && cat notes.txt
json out10.json 'len(j["notes"])'
xta attr real --remove wavelength_units
xta hyper unmix real micro.csv out11 --json >out11.json 2>notes.txt
mean out11.json && cat notes.txt
xta hyper score --endmembers library.csv --reference micro.csv 2>&1 | tail -n 1
sed 's/^wavelength/wavelength (cm-1)/' micro.csv >wave.csv
xta hyper score --endmembers library.csv --reference wave.csv 2>&1
xta attr real wavelength_units=nm

echo '# a library that covers less'
awk -F, 'NR == 1 || ($1 > 400 && $1 < 690)' library.csv >narrow.csv
xta hyper unmix real narrow.csv out12 2>&1
xta hyper unmix real narrow.csv out12 --use-bands overlap --json >out12.json && mean out12.json
json out12.json 'j["scene"]["bands_in_use"]'
awk -F, 'NR == 1 || ($1 > 450 && $1 < 600)' library.csv >narrower.csv
xta hyper unmix real narrower.csv out13 2>&1
xta hyper classify real narrower.csv out13 --by sad --use-bands overlap
xta hyper follow real partly --endmembers narrower.csv --keep endmembers,labels --once --use-bands overlap | head -n 1 | cut -c 1-20
xta hyper score --endmembers library.csv --reference narrow.csv 2>&1
xta hyper score --endmembers library.csv --reference narrow.csv --use-bands overlap | tail -n 1
xta hyper score --endmembers library.csv --reference narrow.csv --use-bands overlap --abundances out12 --scene real | tail -n 1 | cut -c 1-6
xta hyper count real --use-bands overlap 2>&1
sed 's/^wavelength (nm)/band/' narrow.csv >plain.csv
xta hyper unmix real plain.csv out14 --use-bands overlap 2>&1
awk -F, -v OFS=, 'NR > 1 { $1 += 5000 } 1' library.csv >far.csv
xta hyper unmix real far.csv out14 --use-bands overlap 2>&1

echo '# a truth of another size, and one of the same size elsewhere'
xta create small --type u8 --bounds 30,50 --chunk 30,50
xta read map --box 0:30,: --as raw | xta write small --box :,: --from - --as raw
xta hyper classify real library.csv out15 --by sad --truth small 2>&1
xta hyper classify real library.csv out15 --by sad --truth small --truth-at 0,0 | grep -c overall
xta hyper score out15 small 2>&1
xta create moved --type u8 --bounds 40,50 --chunk 40,50
xta extend moved --axis 0 --front --by 10 && xta shrink moved --axis 0 --by 10
xta read map --box 0:30,: --as raw | xta write moved --box 0:30,: --from - --as raw
xta hyper score out15 moved | grep -c overall # by its own coordinates
xta hyper synth map library.csv grown --lines -10:30 --type f64 --seed 5 >/dev/null
xta hyper classify grown library.csv out17 --by sad >/dev/null
xta export map map.npy
xta hyper score out17 map.npy 2>&1
xta hyper score out17 map.npy --truth-at 0,0 | grep -c overall
xta export truth truth.npy && xta import truth.npy cut --axes material,line,sample && xta shrink cut --axis 1 --by 5
xta hyper score --endmembers library.csv --reference library.csv --abundances wanted --truth-abundances cut 2>&1

echo '# 300 spectra'
awk 'BEGIN { printf "wavelength (nm)"; for (k = 1; k <= 300; k++) printf ",s%d", k; print ""
    for (i = 0; i < 30; i++) { printf "%d", 400 + 10 * i
        for (k = 1; k <= 300; k++) printf ",%.6f", 1 + 0.9 * sin(0.02 * k + i * (1 + k / 300)); print "" } }' >many.csv
xta create all --type u16 --bounds 10,30 --chunk 10,30 --names line,sample
seq 1 300 | xta write all --box :,: --from -
xta create wide --type f64 --bounds 10,30,30 --chunk 10,30,30 --names line,sample,band
awk -F, 'NR > 1 { for (k = 2; k <= NF; k++) v[k] = v[k] " " $k } END { for (k = 2; k <= NF; k++) print v[k] }' many.csv |
    xta write wide --box :,:,: --from -
xta hyper classify wide many.csv labels300 --by sad --truth all | grep overall
xta info labels300 | grep '^type'
xta read labels300 --box 9,27:30
xta attr labels300 class_names | wc -l
xta export labels300 labels300.dat --format ENVI && grep '^classes' labels300.hdr
xta import labels300.dat back300 && cmp <(xta read back300 --box :,: --as raw) <(xta read labels300 --box :,: --as raw) &&
    xta attr back300 class_names | sed -n 301p
xta hyper follow wide follow300 --endmembers many.csv --keep endmembers,labels --once >/dev/null
cmp <(xta read follow300/labels --box :,: --as raw) <(xta read labels300 --box :,: --as raw) && echo 'follow: the same'
xta attr follow300/labels class_names | tail -n 1
xta hyper score labels300 all | tail -n 1
xta hyper report many.html --scene wide --labels labels300 --truth all
xta export labels300 labels300.png && od -An -tu1 -j 24 -N 2 labels300.png # 16 bits, grey

echo '# a header whose file of cells has another name'
mv counts.img other.name
xta import counts.hdr nothing 2>&1
xta import other.name nothing 2>&1 | head -n 1 | cut -c 1-20
cp counts.hdr other.name.hdr && xta import other.name something && cmp <(xta read something --box :,:,: --as raw) \
    <(xta read scaled --box :,:,: --as raw) && echo 'the same'
xta hyper endmembers real lib.sli --count 3 >/dev/null && mv lib.sli lib.other
xta hyper unmix real lib.hdr out16 2>&1
mv lib.hdr gone.hdr && mv lib.other lib.sli
xta hyper unmix real lib.sli out16 2>&1
[ ! -e out16.xmd ] && echo 'nothing was left behind'

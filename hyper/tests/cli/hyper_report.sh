# hyper report: its input, its output, and what is refused before anything is written.
# SPDX-License-Identifier: Apache-2.0
if ! xta help hyper report >/dev/null 2>&1; then
    echo "SKIPPED: this build has no hyperspectral analysis, or draws no pictures" >&2
    exit 77
fi
# A scene that has grown in front: lines -2 to 3.
xta create scene --type u16 --bounds 4,5,6 --chunk 4,4,4 --names y,x,band
seq 120 | xta write scene --box :,:,: --from -
xta extend scene --axis y --by 2 --front
seq 60 | xta write scene --box -2:0,:,: --from -
printf '# how it was made\n# a: line -1, sample 2, score 1\n# b: line 3, sample 4, score 2\n' >em.csv
printf 'band,a,b\n' >>em.csv
for band in 0 1 2 3 4 5; do echo "$band,$((band + 1)),$((9 - band))" >>em.csv; done
xta create labels --type u8 --bounds 6,5 --chunk 4,4 --names y,x
printf '%s\n' 1 1 1 1 1 2 2 2 2 2 1 1 1 1 1 2 2 2 2 2 1 1 2 2 2 0 0 0 0 0 |
    xta write labels --box :,: --from -
xta create truth --type u8 --bounds 6,5 --chunk 4,4 --names y,x
printf '%s\n' 4 4 4 4 4 7 7 7 7 7 4 4 4 4 4 7 7 7 7 7 4 4 4 4 4 7 7 7 7 7 |
    xta write truth --box :,: --from -

xta hyper report all.html --scene scene --endmembers em.csv --labels labels --truth truth --json \
    --pictures pictures | sed 's/"version": "[^"]*"/"version": "V"/'
ls pictures
# The pixel of the first endmember, in the coordinates of the scene.
grep -o '<th scope="row"><span[^>]*></span>a</th><td class="n">-1</td><td class="n">2</td>' all.html
grep -o 'how it was made' all.html
grep -o '<td>6 (-2 to 3)</td>' all.html
# 22 of 30 pixels: the labels 1 and 2 are the classes 4 and 7.
grep -c '<td>73.33 %</td>' all.html
grep -c '<script' all.html

# A folder of a follower: any files that exist.
mkdir followed
cp em.csv followed/endmembers.csv
cp labels.xta followed/labels.xta
cp labels.xmd followed/labels.xmd
xta hyper report followed.html --follow followed --title 'Only two'
grep -o '<title>.*</title>' followed.html
grep -c '<img' followed.html

try() {
    xta hyper report "$@" 2>&1
    echo "exit $?"
}
try none.html
try none.html --truth-at 0,0
try none.html --reference em.csv
try none.html --scene nowhere
try none.html --endmembers nowhere.csv
try none.txt --scene scene
try none.html --labels labels --truth scene
try nowhere/none.html --scene scene
try none.html --scene scene --pictures em.csv/x
find . -name "none*" | wc -l

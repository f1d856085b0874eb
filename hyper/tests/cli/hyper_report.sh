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

# The report as data: the numbers that the page shows, and those that its charts were drawn from.
xta hyper report same.html --scene scene --endmembers em.csv --labels labels --truth truth --data same.json
cmp all.html same.html
python3 -m json.tool same.json >/dev/null && echo valid
xta hyper report em.html --endmembers em.csv --data em.json --json | grep -o '"report": .*, "endmembers"'
cat >compare.py <<'PYTHON'
import html, json, re
with open("same.html", encoding="utf-8") as file:
    page = file.read()
with open("same.json", encoding="utf-8") as file:
    data = json.load(file)

def texts(pattern, inside=page):
    return [html.unescape(text) for text in re.findall(pattern, inside, re.S)]

def same(what, ours, shown):
    assert ours == shown and shown, f"{what}: {ours} in the data, {shown} on the page"
    print(f"{what}: {len(shown)} the same")

elements = [e for section in data["sections"] for e in section["elements"]]
figures = [e for e in elements if e["kind"] == "figure"]
tables = [e for e in elements if e["kind"] == "table"]
same("titles", [data["title"], data["lead"]], texts("<h1>(.*?)</h1>") + texts('<p class="lead">(.*?)</p>'))
same("headings", [s["heading"] for s in data["sections"]], texts("<h2[^>]*>(.*?)</h2>"))
same("pictures", [f["data"] for f in figures], texts('<img [^>]*src="([^"]*)"'))
same("alt texts", [f["alt"] for f in figures], texts('<img alt="([^"]*)"'))
same("captions of pictures", [f["caption"] for f in figures if f["caption"]], texts("<figcaption>(.*?)</figcaption>"))
same("captions of tables", [t["caption"] for t in tables if t["caption"]],
     texts("<(?:caption|summary)>(.*?)</(?:caption|summary)>"))
shown = re.findall("<table>(.*?)</table>", page, re.S)
same("heads", [t["heads"] or [] for t in tables], [texts('<th scope="col"[^>]*>(.*?)</th>', t) for t in shown])
same("cells", [[cell for row in t["rows"] for cell in row] for t in tables],
     [texts("<(?:th scope=.row.|td)[^>]*>(?:<span[^>]*></span>)?(.*?)</t[hd]>", t) for t in shown])
same("patches", [colour for t in tables for colour in t["colours"] or []],
     texts('style="background:(#[0-9a-f]{6})"'))
same("columns of numbers", [sum(t["numbers"] or []) * len(t["rows"]) for t in tables],
     [len(re.findall('<t[hd](?: scope="row")? class="n"', t)) for t in shown])

spectra, confusion = [f["chart"] for f in figures if f["chart"]]
for one in spectra["spectra"]:
    print(one["name"], one["colour"], one["dashed"], one["values"], spectra["wavelength"], spectra["band"])
matrix = next(t for t in tables if t["caption"] == "Confusion matrix as a table")
same("counts", [[str(n) for n in row] for row in confusion["counts"]], [row[1:] for row in matrix["rows"]])
same("labels", confusion["columns"], matrix["heads"][1:])
same("classes", confusion["rows"], [row[0] for row in matrix["rows"]])
each = next(t for t in tables if t["caption"] == "Accuracy of each class")
def percent(shares):
    return ["-" if s is None else f"{100 * s:.2f} %" for s in shares]
shares = zip(percent(confusion["producer_accuracy"]), percent(confusion["user_accuracy"]))
same("accuracies", [list(pair) for pair in shares], [row[-2:] for row in each["rows"]])
print(confusion["counts"], confusion["overall_accuracy"], confusion["kappa"])
PYTHON
python3 compare.py
# The comparison notices a page with another number.
sed -i 's|<td>73.33 %</td>|<td>73.34 %</td>|' same.html
python3 compare.py 2>&1 | tail -n 1 | cut -c 1-24
try none.html --scene scene --data none.txt
try kept.html --scene scene --data nowhere/none.json
ls kept.html
find . -name "none*" | wc -l

# A scene like EnMAP's: two detectors that overlap, a bad band, one that the product leaves out and one beside it that
# nothing marks, in which water vapour absorbs the light. Cells are reflectances times 10000. The chart shows what the
# legends show, and its lines join only neighbours of one detector.
nm=960,970,980,990,905,915,925,935,1300,1310,1320,1330,1939,1970,1980,1990
xta create em --type u16 --bounds 2,2,16 --chunk 2,2,16 --names y,x,band
for pixel in 1 2 3 4; do
    for band in $(seq 16); do [ "$band" = 13 ] && echo 60000 || echo $((1000 * pixel + 10 * band)); done
done | xta write em --box :,:,: --from -
xta attr em "wavelength=$nm" --type f64 --axis band
xta attr em bbl=1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1 --type f64 --axis band
xta attr em wavelength_units=nm
chart() {
    python3 - "$1" <<'PYTHON'
import json, sys
data = json.load(open(sys.argv[1], encoding="utf-8"))
figure = next(e for s in data["sections"] for e in s["elements"] if e.get("chart"))
chart = figure["chart"]
print(chart["label"], figure["caption"].partition("left out.")[2].strip())
print([[chart["wavelength"][k] for k in line] for line in chart["lines"]])
print([round(v, 6) for v in chart["spectra"][0]["values"]])
PYTHON
}
xta hyper endmembers em pixels.csv --count 2 --method nfindr >/dev/null
for attribute in none reflectance_scale_factor=10000 scale_factor=0.0001; do
    [ "$attribute" = none ] || xta attr em "$attribute" --type f64
    xta hyper report em.html --scene em --endmembers pixels.csv --data em.json >/dev/null 2>&1
    chart em.json
    xta attr em --remove reflectance_scale_factor 2>/dev/null
done
xta attr em long_name=radiance
xta attr em units=W
xta hyper report em.html --scene em --endmembers pixels.csv --data em.json --bad-bands-too >/dev/null 2>&1
chart em.json
# Spectra of a laboratory have no air in between.
grep -v '^#' pixels.csv >library.csv
xta hyper report em.html --endmembers library.csv --data em.json >/dev/null
chart em.json

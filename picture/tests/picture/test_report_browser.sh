#!/bin/bash
# A report of everything at once, opened in a browser: nothing on its console, all pictures decoded, nothing asked
# of the network, no wider than a phone, and valid HTML. Each check is shown to be able to fail on a page that
# was made wrong.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

xta=$XTA_TOOL
skip() {
    echo "SKIPPED: $*" >&2
    exit 77
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
command -v chromium >/dev/null || skip 'there is no chromium; tools/install-deps brings it'
command -v tidy >/dev/null || skip 'there is no tidy; tools/install-deps brings it'
/usr/bin/python3 -c 'import numpy; from osgeo import gdal' 2>/dev/null ||
    skip 'there is no NumPy, or no GDAL for Python; tools/install-deps brings them'
"$xta" help hyper report >/dev/null 2>&1 || skip 'this build has no hyperspectral analysis'

folder=$(mktemp -d "${XTA_TEST_DIR:-${TMPDIR:-/tmp}}/xta-report-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

/usr/bin/python3 - <<'PYTHON'
import numpy as np
lines, samples, bands, p = 50, 40, 30, 3
y, x = np.mgrid[0:lines, 0:samples]
spectra = np.array([[1000 + 40 * k, 3000 - 60 * k, 400 + 900 * np.sin(k / 5) ** 2] for k in range(bands)]).T
weight = np.stack([1 + np.sin(y / 9), 1 + np.cos(x / 7), 1 + np.sin((x + y) / 11)]) + 0.05
share = weight / weight.sum(0)
np.save("scene.npy", np.einsum("pyx,pb->yxb", share, spectra).astype("u2"))
np.save("abundances.npy", share.astype("f4"))
labels = (share.argmax(0) + 1).astype("u1")
np.save("labels.npy", labels)
truth = labels % 3 + 1  # other numbers: class 2 is label 1
truth[20:25, :] = 1
truth[:10, :10] = 0
np.save("truth.npy", truth)
ppi = np.zeros((lines, samples), "u4")
ppi[5, 7], ppi[30, 2] = 120, 3
np.save("ppi.npy", ppi)
np.save("mei.npy", share.max(0).astype("f4"))
with open("endmembers.csv", "w") as out:
    out.write("# made by hand & eye\n")
    for k, name in enumerate(("soil", "tree <tall>", "water")):
        out.write(f"# {name}: line {5 + k}, sample {7 * k}, score 1\n")
    out.write("wavelength,soil,tree <tall>,water\n")
    for k in range(bands):
        out.write(f"{400 + 20 * k}," + ",".join(repr(float(v)) for v in spectra[:, k]) + "\n")
PYTHON
for name in scene abundances labels truth ppi mei; do
    "$xta" import "$name.npy" "$name" >/dev/null
done
"$xta" attr truth class_names=$'none\nearth\nforest\nlake'

"$xta" hyper report page.html --scene scene --endmembers endmembers.csv --abundances abundances \
    --labels labels --truth truth --ppi ppi --mei mei --title 'A report of <everything> & more' \
    --pictures pictures >printed
[ "$(cat printed)" = page.html ] || fail "printed: $(cat printed)"
for name in scene endmembers abundance-1 abundance-2 abundance-3 labels truth confusion ppi mei; do
    [ "$(head -c 4 "pictures/$name.png" | tail -c 3)" = PNG ] || fail "there is no picture of $name"
done
n_pictures=$(find pictures -name '*.png' | wc -l)

# A class is drawn in the colour of the label taken for it: as many pixels as it has cells, and its patch.
/usr/bin/python3 - <<'PYTHON' || fail 'the truth is not in the colours of the labels'
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
truth = np.load("truth.npy")
image = gdal.Open("pictures/truth.png").ReadAsArray()[:3]
side = 8
for label, colour in ((1, (15, 85, 165)), (2, (220, 100, 20)), (3, (70, 190, 150))):
    cells = int((truth == label % 3 + 1).sum()) * side**2
    shown = int((image == np.array(colour)[:, None, None]).all(0).sum())
    if not cells <= shown <= cells + 500:
        sys.exit(f"label {label}: {shown} pixels, want {cells}")
PYTHON

# browse WIDTH PAGE OPTIONS...: what the page has become, in dom; what the browser says, in log.
browse() {
    timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" \
        --no-first-run --disable-background-networking --disable-component-update --disable-sync \
        --disable-extensions --enable-logging=stderr --virtual-time-budget=10000 \
        --window-size="$1,900" "${@:3}" --dump-dom "file://$folder/$2" >dom 2>log
}
# probe PAGE COPY: a copy that says, as attributes of <html>, what a script finds in it. The page itself forbids
# scripts, so the copy goes without that line.
probe() {
    grep -v 'Content-Security-Policy' "$1" >"$2"
    cat >>"$2" <<'SCRIPT'
<script>
// Drawing waits for the decoder; a picture that cannot be decoded leaves the canvas empty.
function drawn(image) {
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d");
    canvas.width = canvas.height = 16;
    if (image.naturalWidth > 1) pen.drawImage(image, 0, 0, 16, 16);
    return pen.getImageData(0, 0, 16, 16).data.some(v => v > 0);
}
addEventListener("load", function () {
    const root = document.documentElement;
    const foreign = performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:"));
    root.dataset.images = document.images.length;
    root.dataset.undecoded = [...document.images].filter(i => !drawn(i)).length;
    root.dataset.foreign = foreign.length;
    root.dataset.wider = root.scrollWidth > innerWidth ? 1 : 0;
    root.dataset.title = document.title;
});
</script>
SCRIPT
}
found() {
    grep -o "<html[^>]*" dom | head -n 1 | grep -o "data-$1=\"[^\"]*\"" | cut -d'"' -f2
}

browse 1000 page.html
grep -q 'A report of &lt;everything&gt; &amp; more</h1>' dom || fail "the browser does not show the page: $(tail -n 3 log)"
! grep 'CONSOLE' log || fail 'the browser complains about the page'
for width in 1000 500; do
    probe page.html probed.html
    browse "$width" probed.html
    ! grep 'CONSOLE' log || fail 'the browser complains about the copy'
    [ "$(found images)" = "$n_pictures" ] || fail "$(found images) images, $n_pictures pictures"
    [ "$(found undecoded)" = 0 ] || fail "$(found undecoded) images cannot be decoded"
    [ "$(found foreign)" = 0 ] || fail "$(found foreign) things were asked of the network"
    [ "$(found wider)" = 0 ] || fail "the page is wider than $width"
done
[ "$(found title)" = 'A report of &lt;everything&gt; &amp; more' ] || fail "the title is $(found title)"
# As wide as a phone, which the window of the browser cannot be: in a frame. Letters of large pictures stay legible,
# since these scroll within it, and on dark screens the page is dark.
phone() {
    cat >framed.html <<HTML
<!DOCTYPE html><html lang="en"><title>phone</title>
<iframe src="$1" style="border:0;width:400px;height:3000px"></iframe>
<script>
addEventListener("load", function () {
    const page = document.querySelector("iframe").contentDocument, root = document.documentElement;
    const wide = [...page.querySelectorAll(".wide img")];
    root.dataset.wider = page.documentElement.scrollWidth > 400 ? 1 : 0;
    root.dataset.wide = wide.length;
    root.dataset.narrow = wide.filter(i => i.width < Math.min(700, i.naturalWidth - 4)).length;
    root.dataset.ground = getComputedStyle(page.body).backgroundColor;
});
</script></html>
HTML
    browse 600 framed.html --allow-file-access-from-files "--blink-settings=preferredColorScheme=$2"
}
phone probed.html 1
[ "$(found wider)" = 0 ] || fail 'the page is wider than a phone'
[ "$(found wide)" -gt 2 ] && [ "$(found narrow)" = 0 ] || fail 'a large picture is made small on a phone'
[ "$(found ground)" = 'rgb(255, 255, 255)' ] || fail "the ground of a light page is $(found ground)"
phone probed.html 0
[ "$(found ground)" = 'rgb(20, 23, 26)' ] || fail "the ground of a dark page is $(found ground)"
sed 's/min-width:min(44rem/min-width:min(4rem/; s/prefers-color-scheme:dark/prefers-contrast:more/' probed.html >wrong.html
phone wrong.html 0
[ "$(found narrow)" -gt 0 ] && [ "$(found ground)" = 'rgb(255, 255, 255)' ] || fail 'a bad phone page was not noticed'

# All of this must be able to fail.
sed 's|<main>|<main><img alt="x" src="http://127.0.0.1:9/x.png"><p style="width:3000px">wide</p>|
    s|data:image/png;base64,....|data:image/png;base64,AAAA|' page.html >wrong.html
browse 1000 wrong.html
grep -q 'CONSOLE.*Content Security Policy' log || fail 'the page may ask the network'
probe wrong.html probed.html
browse 500 probed.html
[ "$(found undecoded)" -gt 5 ] && [ "$(found foreign)" -gt 0 ] && [ "$(found wider)" = 1 ] ||
    fail "a wrong page was not noticed: $(found undecoded), $(found foreign), $(found wider)"

tidy -qe --drop-empty-elements no page.html >tidied 2>&1 || fail "not valid HTML: $(head -n 3 tidied)"
sed 's|</table>||' page.html >wrong.html
! tidy -qe --drop-empty-elements no wrong.html >/dev/null 2>&1 || fail 'tidy does not notice'

# What is written: the figures of the confusion matrix are those that `xta hyper score` prints.
score=$("$xta" hyper score labels truth --json | grep -o '"overall_accuracy": [0-9.]*' | cut -d' ' -f2)
grep -q "<td>$(awk -v s="$score" 'BEGIN { printf "%.2f %%", 100 * s }')</td>" page.html ||
    fail "the overall accuracy of the report is not $score"
grep -q '<th scope="row">' page.html && grep -q 'tree &lt;tall&gt;' page.html || fail 'a name is missing'
grep -q 'made by hand &amp; eye' page.html || fail 'a note is missing'

# The same inputs give the same page.
"$xta" hyper report again.html --scene scene --endmembers endmembers.csv --abundances abundances \
    --labels labels --truth truth --ppi ppi --mei mei --title 'A report of <everything> & more' >printed
cmp page.html again.html || fail 'the same inputs give another page'
echo 'report in a browser: ok'

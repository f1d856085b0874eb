#!/bin/bash
# A report of everything at once, opened in a browser: nothing on its console, all pictures decoded, nothing asked
# of the network, no wider than a phone, and valid HTML. Each check is shown to be able to fail on a page that
# was made wrong.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

xta=$XTA_TOOL
here=$(cd "$(dirname "$0")" && pwd)
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

# One browser for all pages: it takes longer to start than to show them.
/usr/bin/python3 -B "$here/report_pages.py" "$n_pictures" || fail 'in a browser'

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

# Endmembers: every method finds a pure pixel of each material; files, images, candidates, skewers and bases.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
xta hyper synth map library.csv scene --mixing 1 --type u16 --scale 10000 --noise 45 --seed 9 --abundances truth >/dev/null
found() { # the quality of the endmembers found
    xta hyper score --endmembers "$1" --reference library.csv --json >score.json
    json score.json '"mean SAD below '"${2:-0.03}"':", j["mean_sad"] < '"${2:-0.03}"
}
for method in nfindr sga vca ppi amee; do
    xta hyper endmembers scene $method.csv --method $method --count 4 --seed 1 --json >$method.json
    json $method.json 'j["method"], j["found"], j["score"], all(0 <= e["line"] < 40 and 0 <= e["sample"] < 50 for e in j["endmembers"])'
    # AMEE needs the borders of materials, which are mixed here.
    if [ $method = amee ]; then found $method.csv 0.1; else found $method.csv; fi
done
# The file: comments with the pixels, a head, a row for each band; spectra are those of the pixels.
grep -c '^# em[1-4]: line [0-9]*, sample [0-9]*, squared height ' nfindr.csv
sed -n '5,6p' nfindr.csv
wc -l <nfindr.csv
at=$(json nfindr.json 'str(j["endmembers"][1]["line"]) + "," + str(j["endmembers"][1]["sample"])')
cmp <(sed 1,6d nfindr.csv | cut -d, -f3) <(xta read scene --box "$at,:" --as text | tr -s ' ,' '\n' | grep .) &&
    echo 'the spectrum of its pixel'
xta hyper endmembers scene found.sli --count 4 >/dev/null
found found.sli
head -n 1 found.sli.txt | sed 's/height .*/height/'
# Images.
xta hyper endmembers scene a.csv --method ppi --count 4 --projections 50 --image counts >/dev/null
xta info counts | grep -E '^(type|bounds)'
xta read counts --box :,: --as text | tr -s ' ,' '\n' | awk '{ s += $1 } END { print s }'
xta hyper endmembers scene b.csv --method amee --count 4 --image mei --radius 1 --iterations 2 >/dev/null
xta info mei | grep -E '^(type|bounds)'
xta hyper endmembers scene c.csv --method amee --count 4 --select regions --json >regions.json
xta hyper endmembers scene m.csv --method amee --count 4 --means >/dev/null
cmp c.csv m.csv && echo 'regions are means'
xta hyper endmembers scene n.csv --method nfindr --count 4 --means --region-angle 0.02 >/dev/null
found n.csv
xta hyper endmembers scene o.csv --method amee --count 4 --candidates 20 --json >few.json
json few.json 'j["candidates"]'
json regions.json 'all(e["region_pixels"] >= 1 for e in j["endmembers"])'
xta hyper endmembers scene d.csv --method amee --count 4 --select top --json >top.json
json top.json '[a["mei"] >= b["mei"] for a, b in zip(j["endmembers"], j["endmembers"][1:])]'
xta hyper endmembers scene e.csv --method ppi --count 4 --select top --json >top.json
json top.json '[a["score"] >= b["score"] for a, b in zip(j["endmembers"], j["endmembers"][1:])]'
# Skewers from a file: the same in any file format, and known extremes: of band 0 alone.
awk 'BEGIN { for (b = 0; b < 30; b++) printf "%d%s", b == 0, b < 29 ? "," : "\n" }' >band0.csv
xta hyper endmembers scene f.csv --method ppi --count 2 --skewers band0.csv --image extremes >/dev/null
xta read extremes --box :,: --as npy --out extremes.npy
xta read scene --box :,:,0 --as npy --out band0.npy
python3 - <<'PYTHON'
import numpy as np
n, x = np.load("extremes.npy").ravel(), np.load("band0.npy").ravel()
print(n.sum(), sorted(np.flatnonzero(n)) == sorted((int(x.argmin()), int(x.argmax()))))
PYTHON
# Bases.
xta hyper pct scene scores --components 5 --basis frozen >/dev/null
xta hyper endmembers scene g.csv --count 4 --basis pct:5 --json >now.json
xta hyper endmembers scene h.csv --count 4 --basis frozen --json >then.json
cmp <(json now.json 'j["endmembers"]') <(json then.json 'j["endmembers"]') && echo 'frozen today: the same'
found g.csv
xta hyper endmembers scene i.csv --count 4 --basis mnf:5 --json >mnf.json
json mnf.json 'j["basis"], j["found"]'
# More than possible.
xta hyper synth map library.csv clean >/dev/null
xta hyper endmembers clean j.csv --count 9 | tail -n 1
# The same for two threads and little memory.
xta hyper endmembers scene k.csv --count 4 --threads 2 --memory 4MiB >/dev/null
cmp nfindr.csv k.csv && echo 'the same'

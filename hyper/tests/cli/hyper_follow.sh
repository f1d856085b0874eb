# Results beside a scene that grows: the output, the stored files, refusals, and that the results are those of a run
# from nothing, also by other commands; stopped by a signal and by a limit.
# SPDX-License-Identifier: Apache-2.0
. "$(dirname "$0")/hyper_scene.sh"
python3 - <<'PYTHON'
import numpy
r = numpy.random.default_rng(7)
e = r.integers(200, 3000, (4, 12))
a = r.dirichlet([0.3] * 4, 60 * 25)
x = (a @ e + r.normal(0, 9, (60 * 25, 12))).clip(0).astype("u2").reshape(60, 25, 12)
for name, lo, hi in (("front", 0, 7), ("first", 7, 41), ("back", 41, 60)):
    numpy.save(name + ".npy", x[lo:hi])
PYTHON
xta import first.npy scene --axes line,sample,band --chunk 10,9,12 >/dev/null
cp scene.xmd small.xmd && cp scene.xta small.xta
keep=(--count 3 --keep 'basis,ppi,mei,labels,abundances' --projections 50)
quiet() { sed -E 's/[0-9]+\.[0-9]+ s/T s/g; s/(endmembers [a-z]+), [0-9]+/\1, N/'; }
echo '--- the first time, again, and after swaths at both ends'
xta hyper follow scene out "${keep[@]}" --once | quiet
xta hyper follow scene out "${keep[@]}" --once | quiet
xta import back.npy scene --append line >/dev/null
xta import front.npy scene --append line --front >/dev/null
xta hyper follow scene out "${keep[@]}" --once --threads 2 --json >json
json json 'j["lines"], j["lines_new"], j["changed"], j["from_start"], sorted(r["name"] for r in j["results"])'
json json '[r["lines"] for r in j["results"] if r["name"] in ("basis", "ppi", "mei")]'
ls out
echo '--- as from nothing, and as by the other commands'
xta hyper follow scene fresh "${keep[@]}" --once >/dev/null
same() { # A B: the results in two folders
    for name in follow.state endmembers.csv pct.basis; do
        cmp "$1/$name" "$2/$name" || echo "$name differs"
    done
    for name in labels abundances residual mei ppi; do
        xta export "$1/$name" a.npy --force >/dev/null && xta export "$2/$name" b.npy --force >/dev/null
        cmp a.npy b.npy || echo "$name differs"
        rm -f a.npy b.npy
    done
}
same out fresh && echo 'the same'
xta hyper endmembers scene spectra.csv --count 3 >/dev/null
grep -v '^#' spectra.csv >a && grep -v '^#' out/endmembers.csv | cmp - a && echo 'the endmembers'
xta hyper unmix scene spectra.csv mine >/dev/null
xta export mine a.npy --force >/dev/null && xta export out/abundances b.npy --force >/dev/null && cmp a.npy b.npy && echo 'the abundances'
rm -f a.npy b.npy
xta attr out/labels | cut -c1-60
echo '--- with endmembers that stay, in a frozen basis, by other methods'
for how in '--endmembers spectra.csv --keep labels' '--count 3 --basis out/pct.basis --method sga' \
    '--count 3 --method ppi --projections 80' '--count 2 --method amee --regions' '--count 3 --method vca --seed 5'; do
    # shellcheck disable=SC2086  # Words.
    for scene in small scene; do
        xta hyper follow "$scene" "out-$scene" $how --once >/dev/null || echo "not $how"
    done
    cp small.xmd grown.xmd && cp small.xta grown.xta
    xta hyper follow grown out-grown $how --once >/dev/null
    xta import back.npy grown --append line >/dev/null
    xta import front.npy grown --append line --front >/dev/null
    xta hyper follow grown out-grown $how --once >/dev/null
    cmp out-grown/follow.state out-scene/follow.state
    cmp out-grown/endmembers.csv out-scene/endmembers.csv && echo "good: $how"
    rm -rf out-*
done
echo '--- until told to stop'
cp small.xmd live.xmd && cp small.xta live.xta
xta hyper follow live live-out "${keep[@]}" --interval 0.05 >log &
follower=$!
while [ "$(grep -c '^lines' log)" -lt 1 ]; do sleep 0.05; done
xta hyper follow live live-out "${keep[@]}" --once 2>&1 | sed "s/$follower/PID/"
xta import back.npy live --append line >/dev/null
while [ "$(grep -c '^lines' log)" -lt 2 ]; do sleep 0.05; done
xta import front.npy live --append line --front >/dev/null
while [ "$(grep -c '^lines' log)" -lt 3 ]; do sleep 0.05; done
kill -TERM "$follower"
wait "$follower"
echo "exit $?"
grep '^lines' log | quiet
same live-out fresh && echo 'the same'
xta hyper follow live live-out "${keep[@]}" --until-lines 60 --interval 9 | quiet
echo '--- a page, and its data'
xta hyper follow scene paged "${keep[@]}" --once --report paged.html --data paged.json >/dev/null
xta hyper report again.html --scene scene --follow paged --title scene --data again.json >/dev/null
cmp paged.html again.html && cmp paged.json again.json && echo 'as xta hyper report writes them'
echo '--- refused'
exec 2>&1
xta hyper follow scene out --count 4 --keep 'basis,ppi,mei,labels,abundances' --projections 50 --once
xta hyper follow scene out "${keep[@]}" --use-bands 0:5 --once
xta hyper follow scene out "${keep[@]}" --keep labels --once
xta hyper follow scene out --once
xta hyper follow scene out --endmembers spectra.csv --count 3 --once
xta hyper follow scene out --count 3 --keep labels,nothing --once
xta hyper follow scene out "${keep[@]}" --as-of 0
xta hyper follow scene no/such/folder --count 3 --once
mkdir mine.d && echo mine >mine.d/endmembers.csv
xta hyper follow scene mine.d --count 3 --once --again
cat mine.d/endmembers.csv
xta hyper follow scene out "${keep[@]}" --once --data out.json
xta hyper follow scene out "${keep[@]}" --once --report out.html --data out.txt
head -c 500 out/follow.state >short && cp out/follow.state whole && cp short out/follow.state
xta hyper follow scene out "${keep[@]}" --once
xta hyper follow scene out "${keep[@]}" --once --again >/dev/null && cmp whole out/follow.state && echo 'made again'

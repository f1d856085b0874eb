# Plans: from shapes alone, of real files, as JSON, as a table and as pictures. The shapes are those of the
# thesis on the keep heuristic, so its tables can be looked up.
# SPDX-License-Identifier: Apache-2.0
shapes=(--bounds 3500,3500,3500 --from 350,350,350 --chunk 500,500,500 --type f16 --memory 4.3GiB --blocks files)
# The peak memory of the default is not fixed here, but it has no more runs than there are blocks.
xta rechunk --plan "${shapes[@]}" | sed -E '/^(alive|allocated)/s/[0-9.]+ [KMG]iB \([0-9]+ bytes\)/SIZE/g'
xta rechunk --plan "${shapes[@]}" --strategy keep | grep -E '^(strategy|read shape|runs|seeks|bound|alive)'
xta rechunk --plan "${shapes[@]}" --strategy all | sed -n '/^strategy/,$p' | cut -c 1-10,35-84 |
    grep -E '^(strategy|sweep|keep|baseline)'
xta rechunk --plan "${shapes[@]}" --json | python3 -c '
import json, sys
plan = json.load(sys.stdin)
print(sorted(plan), plan["count"], plan["memory_bytes"], plan["from"]["home"], plan["to"]["axes"][0])
one = plan["plans"][0]
print(sorted(one))
print(one["strategy"], one["possible"], one["n_from"], one["n_to"], one["at_lower_bound"])'
# The memory counted by the limit, irregular cuts, block storage.
xta rechunk --plan --bounds 100,60 --from 10+30+60,20 --chunk 25,60 --type u8 --memory 4000 --count allocated \
    --blocks files,chunks | grep -E '^(cells|from|to|limit) '
xta rechunk --plan --bounds 100,60 --from 10+30+60,20 --chunk 25,60 --type u8 --memory 1kB --json >plan.json
python3 -c 'import json; print(json.load(open("plan.json"))["from"]["axes"])'
# Of a file: its own blocks, the target's by --chunk or as the target would have them. Nothing is left behind.
python3 -c 'import numpy; numpy.save("n.npy", numpy.zeros((8, 8), "i4"))'
xta import n.npy a --chunk 2,8
xta rechunk a --plan --chunk 8,2 | grep -E '^(cells|from|to|limit) '
xta rechunk a 'out/{0}_{1}.npy' --plan --chunk 8,2 | grep -E '^(from|to)'
ls
if xta help draw | grep -q 'draws no pictures'; then
    echo "SKIPPED: pictures of plans, this build has none" >&2
    exit 77
fi
magic() { head -c 4 "$1" | od -An -c | tr -d ' \n'; echo " $1"; }
xta rechunk --plan "${shapes[@]}" --draw plan.png --json >plan.json && magic plan.png >&2
xta rechunk --plan "${shapes[@]}" --strategy keep --draw keep.svg >/dev/null && grep -c '<svg' keep.svg >&2
xta draw --plan plan.json --out again.png && cmp plan.png again.png && echo 'the same picture' >&2
xta draw --plan plan.json --out other.svg --rows 2 --columns 0 --title 'Other axes' && grep -c 'Other axes' other.svg >&2
for file in plan.png keep.svg again.png other.svg; do
    [ -s "$file" ] || echo "$file was not drawn"
done

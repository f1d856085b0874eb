# Buffers of keep: given, uneven, mirrored, in another order; irregular blocks, there and back.
# SPDX-License-Identifier: Apache-2.0
shapes=(--plan --bounds 3500,3500,3500 --from 175,175,175 --chunk 250,250,250 --type f16 --memory 4.3GiB --blocks files)
for v in any-order uneven mirrored any-order,uneven,mirrored whole-reads; do
    xta rechunk "${shapes[@]}" --strategy keep --variants "$v" | grep -E '^(strategy|read shape|buffers|runs)'
done
xta rechunk "${shapes[@]}" --strategy keep --read 250,350,350 | grep -E '^(read shape|seeks)'
xta rechunk "${shapes[@]}" --strategy keep --variants uneven --json >plan.json
python3 -c '
import json
plan = json.load(open("plan.json"))
one = plan["plans"][0]
print(plan["variants"], one["buffer_order"], one["uneven_axes"], one["mirrored_axes"])'
# Runs: every variant, with regular blocks and with irregular ones.
python3 -c 'import numpy; numpy.save("n.npy", numpy.arange(24 * 20 * 22, dtype="u2").reshape(24, 20, 22))'
xta import n.npy a --chunk 4,5,6
mkdir u
xta rechunk a 'u/{0}_{1}_{2}.npy' --chunk 1+7+2+14,20,3+9+10 --memory 24KiB >log && ls u | wc -l
for more in '--variants any-order' '--variants uneven' '--variants mirrored' '--variants whole-reads,uneven' \
    '--read 8,10,6' '--read 3+21,20,22'; do
    rm -rf v b.xta b.xmd
    mkdir v
    # shellcheck disable=SC2086
    xta rechunk 'u/{0}_{1}_{2}.npy' 'v/{0}_{1}_{2}.npy' --chunk 5+5+6+8,7,11 --memory 96KiB --strategy keep $more \
        --verify >log || cat log
    xta rechunk 'v/{0}_{1}_{2}.npy' b --chunk 4,5,6 --memory 48KiB >log || cat log
    xta export b out.npy --force && cmp n.npy out.npy && echo "$more: same"
done
try() {
    xta rechunk "$@" 2>&1
    echo "exit $?"
}
try "${shapes[@]}" --read 2,2,2
try "${shapes[@]}" --strategy keep --read 2,2
try "${shapes[@]}" --strategy keep --read 3000+100,2,2
try "${shapes[@]}" --strategy keep --read 2,2,2 --variants uneven
try "${shapes[@]}" --strategy keep --variants uneven,bent
try "${shapes[@]}" --strategy merge --variants uneven
try "${shapes[@]}" --variants whole-reads
try a --in-place --chunk 8,8,8 --strategy keep --read 2,2,2

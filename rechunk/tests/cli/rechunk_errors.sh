# What rechunk refuses, and that a refusal leaves no files behind.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import numpy; numpy.save("n.npy", numpy.arange(64 * 64, dtype="u2").reshape(64, 64))'
xta import n.npy a --chunk 8,64
xta rechunk a 'b/{0}_{1}.npy' --chunk 64,8 --memory 64KiB >/dev/null
try() {
    xta rechunk "$@" 2>&1
    echo "exit $?"
}
shapes=(--plan --bounds 64,64 --from 8,64 --chunk 64,8 --type u16)
try
try a
try a b c
try a c --memory 0 --chunk 8,8
try a c --memory 4.5 --chunk 8,8
try a c --memory 4.3XB --chunk 8,8
try a c --chunk 8
try a c --chunk 8,0
try a c --chunk 8,x
try a c --chunk 8,8 --strategy swep
try a c --chunk 8,8 --strategy all
try a c --chunk 8,8 --threads 3
try a c --chunk 8,8 --order zigzag
try a c --chunk 8,8 --from-order hilbert
try a c --chunk 8,8 --count live
try a c --chunk 8,8 --blocks files
try a c --chunk 8,8 --draw c.png
try a c --chunk 8,8 --from 8,8
try a c --chunk 8,8 --in-place
try a --in-place
try a --in-place --chunk 8,8 --blocks files --plan
try "${shapes[@]}" --resume
try "${shapes[@]}" --verify
try "${shapes[@]}" --count pears
try "${shapes[@]}" --blocks shelves
try --plan --bounds 64,64 --chunk 8,8 --type u16
try --plan --bounds 64,64 --from 8,64 --type u16
try --plan --bounds 64,0 --from 8,64 --chunk 8,8 --type u16
try --plan --bounds 64,64 --from 8+8,64 --chunk 8,8 --type u16
try --plan --bounds 64,64 --from 8,64 --chunk 8,8 --type pear
# These are refused by the library; its message, whatever the text, is one line that names the file or the number.
one_line() {
    xta rechunk "$@" >out 2>err
    printf '%s %s %s %s\n' "$?" "$(wc -l <out)" "$(wc -l <err)" "$(grep -c '^xta rechunk: ' err)"
}
one_line a c --chunk 8,8 --memory 1
grep -cE '[0-9]+ bytes are enough' err
one_line none c --chunk 8,8
one_line a a --chunk 8,8
one_line a 'b/{0}_{1}.npy' --chunk 8,8
one_line a missing/c --chunk 8,8
one_line a c --chunk 8,8 --resume
one_line a c.unknown/x.npy --chunk 8,8
one_line n.npy c --chunk 8,8 --format pony
one_line a c --chunk 8,8 --to-format pony
one_line none --in-place --chunk 8,8
one_line n.npy --in-place --chunk 8,8
rm 'b/0_3.npy'
one_line 'b/{0}_{1}.npy' c --chunk 8,8
grep -c 'number 3' err
head -c 100 b/0_4.npy >b/0_3.npy
one_line 'b/{0}_{1}.npy' c --chunk 8,8
grep -c 0_3.npy err
head -c 1000 n.npy >short.npy
one_line short.npy c --chunk 8,8
# A plan that is drawn.
xta rechunk "${shapes[@]}" --json >plan.json
draw() {
    xta draw "$@" >out 2>err
    printf '%s %s %s\n' "$?" "$(wc -l <err)" "$(grep -c '^xta draw: ' err)"
}
draw --plan none.json --out x.svg
head -c 100 plan.json >half.json
draw --plan half.json --out x.svg
draw --plan n.npy --out x.svg
draw --plan plan.json
draw a --plan plan.json --out x.svg
draw --plan plan.json --out x.svg --zoom 3
draw --plan plan.json --out x.svg --rows 2
draw --plan plan.json --out x.svg --rows 0 --columns 0
draw --plan plan.json --out x.bmp
rm -f out err
ls -d ./*

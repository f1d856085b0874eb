# Extract: boxes, spheres and masks; statistics as CSV and JSON; cells as .npy and as arrays.
# SPDX-License-Identifier: Apache-2.0
say() { echo "-- $*"; }
show() { python3 -c '
import sys, numpy
for name in sys.argv[1:]:
    a = numpy.load(name)
    print(name, a.dtype, a.shape, a.tolist())' "$@"; }
xta create a --type i16 --bounds 3,4 --chunk 2,2 --names y,x
seq 12 | xta write a --box :,: --from -
xta extend a --axis 0 --by 1 --front
cat >regions <<'END'
# Blanks, remarks and empty lines do not matter.
box   -1:2,0:3  corner

sphere 1,1.5 1.2   ball   # at a corner of four cells
box :,3
box 3:3,: none
END
say boxes and spheres; xta extract a --regions regions
say as JSON; xta extract a --regions regions --json
say standard input; echo 'box :,: "all"' | xta extract a --regions -
say spacing; echo 'sphere 1,1 2.5' | xta extract a --regions - --spacing 2,0.5
say clipped; echo 'box 1:99,-5:2' | xta extract a --regions - --clip
say cells; sed '$d' regions | xta extract a --regions - --cells out/; ls out
show out/corner.npy out/ball.npy out/ball.coords.npy out/2.npy
say cells and statistics; xta extract a --regions regions --cells both --out s.csv; ls both; wc -l <s.csv
say arrays; xta extract a --regions regions --cells arrays --as xta; ls arrays/*.xmd
xta read arrays/corner; xta attr arrays/corner; xta read arrays/ball --box :; xta read arrays/ball.coords
say mask
xta create m --type u8 --bounds 3,4 --chunk 3,1
printf '0 0 5 5 \n 0 2 2 5 \n 2 2 0 0\n' | xta write m --box :,: --from -
xta extend m --axis 0 --by 1 --front
xta extract a --mask m
xta extract a --mask m --background 2 --cells labels; ls labels
show labels/5.npy labels/5.coords.npy
say npy mask; python3 -c '
import numpy
numpy.save("m.npy", numpy.asfortranarray([[9, 9, 9, 9], [0, 0, 5, 5], [0, 2, 2, 5], [2, 2, 0, 0]]))'
xta extract a --mask m.npy
say series
xta create t --type f32 --bounds 2,2,3 --chunk 1,2,2 --names t,y,x
printf '1 2 3 4 5 6 nan 8 9 inf 11 12\n' | xta write t --box :,:,: --from -
python3 -c 'import numpy; numpy.save("k.npy", numpy.array([[1, 1, 0], [0, 2, 2]], dtype="i4"))'
xta extract t --mask k.npy
xta extract t --mask k.npy --axes y,x --cells series; show series/1.npy series/2.coords.npy
printf 'box 0:1,: top\n' | xta extract t --regions - --axes 1,2 --json
say little memory; xta extract a --regions regions --memory 4KiB 2>&1 | tail -2
xta create e --type c64 --bounds 2 --chunk 2
say complex; echo 'box :' | xta extract e --regions - --cells complex; show complex/0.npy
ls

# Reduce: axes, statistics, groups, missing cells, NaN; printed and into arrays.
# SPDX-License-Identifier: Apache-2.0
say() { echo "-- $*"; }
xta create a --type i16 --bounds 3,4 --chunk 2,2 --names y,x
seq 12 | xta write a --box :,: --from -
xta extend a --axis 0 --by 1 --front
say everything; xta reduce a --with count,sum,mean,min,max,var
say over y; xta reduce a --over y --with sum,mean
say over x; xta reduce a --over 1 --with mean,count --missing fill
say few; xta reduce a --over x --with sum,min,mean --missing 0 --min-count 2
say unbiased; xta reduce a --with var --ddof 1
say groups of two; xta reduce a --over y --groups y:2 --with sum
say groups of all; xta reduce a --groups x:3 --with mean,count
python3 -c 'import numpy; numpy.save("l.npy", numpy.array([7, 2, -1, 7], dtype="i2"))'
say labels; xta reduce a --over x --groups l.npy --with sum,count
say labels of an axis; xta reduce a --groups y:l.npy --with sum
say JSON; xta reduce a --over x --with mean,min --missing 0 --json
say into an array; xta reduce a --over x --with mean --out m; xta info m | grep -E 'type|bounds|names'
xta read m
say into a folder; xta reduce a --over x --groups l.npy --with sum,max --out both; ls both
xta read both/sum; xta attr both/sum --axis 1 2>/dev/null || xta attr both/sum
say an earlier step; xta reduce a --with count --as-of 0
xta create f --type f32 --bounds 2,3 --chunk 1,2
printf '1 nan 3 -inf 5 6\n' | xta write f --box :,: --from -
say NaN; xta reduce f --over 1 --with sum,min,count; xta reduce f --over 1 --with sum,min,count --nan propagate
say one line of JSON; xta reduce f --with max --json
say empty; xta create e --type u8 --bounds 0,3 --chunk 2,2; xta reduce e --over 0 --with count,sum,max
say the largest and the smallest cells; xta create u --type u8 --bounds 2,2; printf '255 1 255 2\n' | xta write u --box :,: --from -
xta reduce u --over 0 --with min,max; xta reduce u --over 0 --with max --missing 255; xta reduce u --over 0 --with max --json
python3 -c 'import numpy; numpy.save("none.npy", numpy.array([-1, -1]))'
say no label counts; xta reduce u --over 0 --groups 0:none.npy --with sum,max
rm none.npy
ls

# Coordinates of axes move to the data set: by upgrade, or by a growth. Labels answer the same before and after.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
labels() {
    xta read $1/a --sel time=2001-02:2001-03,x=3
    xta read $1/b --sel time=2001-04
    xta read $1/names --sel site=Ulm
}
mkdir set
xta create set/a --type u8 --bounds 4,3 --chunk 2,2 --names time,x
xta create set/b --type u8 --bounds 4 --chunk 4 --names time
xta create set/names --type u8 --bounds 3 --chunk 4 --names site
seq 12 | xta write set/a --box :,: --from -
seq 21 24 | xta write set/b --box : --from -
seq 31 33 | xta write set/names --box : --from -
for name in a b; do
    xta attr set/$name --axis time values=0,31,59,90 --type f64
    xta attr set/$name --axis time --set-unit "days since 2001-01-01"
    xta attr set/$name --axis time calendar=noleap
    xta attr set/$name --axis time standard_name=time
done
xta attr set/a --axis x values=1.5,3,4.5 --type f32
xta attr set/a --axis x units=km
xta attr set/names --axis site "values=Bern
Ulm
Rom"
labels set
# Arrays that disagree: nothing moves.
cp -r set other
xta attr other/b --axis time values=0,31,60,90 --type f64
try upgrade other | grep -v newest
xta attr other/b --axis time values=0,31,59,90 --type f64
xta attr other/b --axis time calendar=360_day
try extend other --axis x --by 1
ls other
xta attr other/b --axis time calendar=noleap
try extend other --axis x --by 1
labels other
xta read other/a --sel time=2001-01,x=6
try upgrade set
ls set
labels set
xta info set
try upgrade set --json
# A list needs the coordinates of new cells.
try extend set --axis time --by 1
try extend set --axis time --by 1 --coordinates 120
xta read set/b --sel time=2001-05

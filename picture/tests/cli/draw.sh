# Draw: both pictures in both formats with every option, and what is refused.
# SPDX-License-Identifier: Apache-2.0
if ! xta help draw >/dev/null 2>&1; then
    echo "SKIPPED: this build has no pictures" >&2
    exit 77
fi
xta create a --type f64 --bounds 4,6,3 --chunk 2,2,1 --names y,x,band
seq 72 | xta write a --box :,:,: --from -
xta extend a --axis x --by 2 --front
magic() { head -c 4 "$1" | od -An -c | tr -d ' \n'; echo " $1"; }
xta draw a --out map.png && magic map.png
xta draw a --out map.svg --rows y --columns band --at 0,1,0 --title 'A map' && grep -c '<svg' map.svg
xta draw a --out look.png --quicklook && magic look.png
xta draw a --out rgb.png --quicklook --rows y --columns x --band-axis band --bands 0,1,2 --zoom 10 &&
    magic rgb.png
xta draw a --out one.png --quicklook --band 1 --band-axis band --colormap magma --range -1:80 --flip --legend \
    --title One --box :,0:,: --max-pixels 400 && magic one.png
xta draw a --out pct.svg --quicklook --band 0 --percent 5 && grep -c '<svg' pct.svg
xta draw a --out then.png --as-of 0 && magic then.png
try() {
    xta draw "$@" 2>&1
    echo "exit $?"
}
try a
try a --out x.png --zoom 3
try a --out x.png --quicklook --zoom 0
try a --out x.png --quicklook --percent 50
try a --out x.png --quicklook --range 5
try a --out x.png --quicklook --range 5:5
try a --out x.png --quicklook --range a:5
try a --out x.png --quicklook --bands 1,2
try a --out x.png --quicklook --bands 1,2,0 --band 1
try a --out x.png --quicklook --at 0,0,0
try a --out x.png --at 0
one_line() {
    xta draw "$@" >out 2>err
    printf '%s %s %s\n' "$?" "$(wc -l <err)" "$(grep -c '^xta draw: ' err)"
}
one_line a --out x.bmp
one_line a --out missing/x.png
one_line a --out x.png --rows z
one_line a --out x.png --quicklook --colormap plaid
one_line none --out x.png
ls ./*.png ./*.svg
# Lines, small multiples and Hovmoeller diagrams. The mean over x of the last row of a, at each y and band.
texts() { grep -o '>[^<]*</text>' "$1" | sed 's/^>//; s|</text>$||'; }
xta attr a values//regular=100,10 --type f64 --axis y
xta attr a --set-unit m --axis y
xta draw a --out line.svg --series y --point x=-1,band=2 --point x=3 --title Lines && texts line.svg | tail -n 5
xta draw a --out part.svg --series 1 --box 1:3,0:4,: && texts part.svg | tail -n 1
xta draw a --out panels.svg --panels band --title Panels --colormap gray && texts panels.svg | grep -E 'Panels|band|^y'
xta draw a --out mean.svg --hovmoeller band,y && texts mean.svg | grep -E 'mean|y|band|×'
xta draw a --out cells.svg --quicklook --legend --band 1 --cell-axes --no-graticule && texts cells.svg | grep -c 'y \[m\]'
xta draw a --out coordinates.svg --quicklook --legend --band 1 && texts coordinates.svg | grep -c 'y \[m\]'
# 2 bands of 3 rows and 2 columns: the mean over the columns is 1.5, 3.5, 5.5 and 7.5, 9.5, 11.5.
xta create m --type i16 --bounds 2,3,2 --chunk 2,3,2 --names time,y,x
seq 12 | xta write m --box :,:,: --from -
xta draw m --out m.svg --hovmoeller y,time --percent 0.001 && texts m.svg | grep -E '^(2|4|6|8|10|12|y|time)'
# By label: the second of three rows, 3.5 and 9.5; and of the first column alone, 3 and 9.
xta attr m --axis y values=40,45,50 --type f32
xta draw m --out sel.svg --hovmoeller y,time --sel x=0,y=45 --percent 0.001 --legend && texts sel.svg | paste -sd' '
xta draw m --out sel.svg --series time --sel y=45,x=1 && texts sel.svg | tail -n 1
xta draw m --out sel.svg --series time --point y=44~,x=1 --point y=50.0,x=1 && texts sel.svg | tail -n 2
xta draw m --out sel.svg --quicklook --sel y=45:,time=1 --legend && texts sel.svg | grep -E '^(45|50|10|12)$'
xta draw m --out sel.svg --panels time --sel y=45: && texts sel.svg | grep -c 'time'
# Dates, of a member of a data set too: coordinates of the axis time are a member.
xta attr m --axis time values=0,31 --type f64
xta attr m --axis time --set-unit 'days since 2015-01-01'
xta draw m --out dates.svg --series time --sel y=45,x=1 && texts dates.svg | grep -E '^(2015|time)'
mkdir set
xta create set/time --type f64 --bounds 2 --chunk 2 --names time
echo 0 31 | xta write set/time --box : --from -
xta attr set/time units='days since 2015-01-01'
xta create set/m --type i16 --bounds 2,3,2 --chunk 2,3,2 --names time,y,x
seq 12 | xta write set/m --box :,:,: --from -
xta draw set/m --out dates.svg --series time --sel y=1,x=1 && texts dates.svg | grep -E '^(2015|time)'
xta draw set/m --out dates.svg --hovmoeller time,y && texts dates.svg | grep -E '^(2015|time)'
try a --out x.png --series y --panels band
try a --out x.png --series y --zoom 3
try a --out x.png --series y --point 3
try a --out x.png --series y --point z=3
try a --out x.png --series y --point x=99
try m --out x.png --series time --point y=44.0
try m --out x.png --series time --point y=44:50
try a --out x.png --point x=1
try a --out x.png --panels band --zoom 3
try a --out x.png --panels y
try a --out x.png --hovmoeller y
try a --out x.png --hovmoeller y,y
try a --out x.png --hovmoeller y,band --box :,9:10,:
try a --out x.png --series y --sel x=::2
try a --out x.png --hovmoeller y,band --rows y
try a --out x.png --quicklook --at 0,0,0
try a --out x.png --quicklook --bad-bands-too

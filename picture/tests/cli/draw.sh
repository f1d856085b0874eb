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

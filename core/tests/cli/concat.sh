# Concat: order, coordinates of each kind, refusals that name the value, folders.
# SPDX-License-Identifier: Apache-2.0
export SOURCE_DATE_EPOCH=1764068400
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
month() { # name, rows, first value, coordinates
    xta create "$1" --type i32 --bounds "$2",2 --chunk 2,2 --names t,x
    seq "$3" $(($3 + 2 * $2 - 1)) | xta write "$1" --box :,: --from -
    [ -z "$4" ] || xta attr "$1" values="$4" --axis t --type f64
}
month jan 2 1 10,20
month feb 1 5 30
month mar 2 7 40,50
xta extend jan --axis t --by 1 --front
xta attr jan values=0,10,20 --axis t --type f64
xta attr jan units=m
echo "== in the order given; the first array keeps its coordinates"
try concat out jan feb mar --along t
xta read out
xta info out | grep -E '^(bounds|attribute)'
echo "== sorted"
try concat sorted mar jan feb --along t --sort
try diff out sorted
echo "== refused, with the value"
try concat bad mar jan feb --along t
try concat bad jan feb feb --along t
try concat bad jan jan --along 0 --sort
month none 1 1 ""
try concat bad jan none --along t
try concat wide2 jan jan --along x
xta info wide2 | grep '^bounds'
try concat bad jan feb --along y
try concat bad jan feb
try concat out jan feb --along t
xta copy feb other --type f32
try concat bad jan other --along t
xta copy feb wide
xta extend wide --axis x --by 1 >/dev/null
try concat bad jan wide --along t
xta copy feb unit
xta attr unit --axis t --set-unit days
try concat bad jan unit --along t
ls bad.* 2>&1
echo "== regular coordinates stay regular if they continue"
for k in 0 1 2; do
    month r$k 2 1 ""
    xta attr r$k values//regular=$((20 * k)),10 --axis t --type i32
done
try concat r r0 r1 r2 --along t
xta attr r
try concat gap r0 r2 --along t
xta attr gap
echo "== names"
for k in a b; do
    month n$k 2 1 ""
    xta attr n$k "values=$(printf '%s1\n%s2\n' $k $k)" --axis t
done
try concat names na nb --along t
xta attr names values --axis t
try concat bad na nb na --along t
try concat bad na nb --along t --sort
echo "== coordinates without an order need only be unique"
month s1 2 1 5,3
month s2 2 1 4,9
month s3 1 1 7
try concat stations s1 s2 s3 --along t
xta attr stations values --axis t
echo "== folders"
for k in one two; do mkdir -p $k/sub; done
xta copy jan one/rain; xta copy feb two/rain
xta copy r0 one/sub/r; xta copy r1 two/sub/r
xta create one/height --type f32 --bounds 2 --chunk 2 --names x
try concat all one two --along t
xta ls -R -l all
try concat all one two --along t
try concat new one jan --along t

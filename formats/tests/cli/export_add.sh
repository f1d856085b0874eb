# xta export into a NetCDF file that is there: it gets one more variable and loses none.
# SPDX-License-Identifier: Apache-2.0
cat >base.cdl <<'CDL'
netcdf base {
dimensions: time = UNLIMITED ; x = 4 ; nv = 2 ;
variables:
  double time(time) ; time:units = "days since 2000-01-01" ; time:bounds = "time_bnds" ;
  double time_bnds(time, nv) ; float x(x) ; short u(time, x) ; u:units = "m s-1" ; int other ;
  :title = "kept" ;
data: time = 0, 1, 2 ; time_bnds = 0, 1, 1, 2, 2, 3 ; x = 10, 20, 30.5, 40 ;
  u = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ; other = 7 ;
}
CDL
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
# The names and shapes of all variables, then the values of those that are asked for.
show() {
    ncdump -h "$1" | grep -E '^[[:space:]]+[a-z0-9]+ [a-z_0-9]+(\(|;| ;)|group:|title'
    for v in "${@:2}"; do ncdump -v "$v" "$1" | sed -n '/^data:/,$p' | tr -d '\n ' && echo; done
}
for kind in classic 64-bit-offset netCDF-4; do
    echo "== $kind"
    ncgen -k "$kind" -o base.nc base.cdl
    rm -f u.xta u.xmd
    xta import base.nc:u u --no-history
    cp base.nc f.nc
    try export u f.nc:w
    show f.nc w u other x
    echo "- a variable of that name"
    try export u f.nc
    xta fill u --box 0,: --value 99
    try export u f.nc --replace
    show f.nc u w
    xta attr u units=m/s
    try export u f.nc --replace
    ncdump -h f.nc | grep units
    echo "- of another shape"
    try export u f.nc --replace --box 0:2,:
    try export u f.nc:part --box 0:2,:
    try export u f.nc:part --box :,0:3
    xta create wide --type i32 --bounds 3,4 --chunk 3,4 --names time,x
    try export wide f.nc:u --replace --no-coordinates
    rm wide.*
    show f.nc
done
echo "== groups"
try export u f.nc:g/h/deep
show f.nc g/h/deep
try export u f.nc:g/h/part --box 0:2,:
try export u f.nc:g/part --box 0:2,:
show f.nc
xta import f.nc:g/part back
xta attr back import/variable
xta read back --box :,0
xta attr back --axis time values
echo "== coordinates that disagree"
cp base.nc f.nc
cp u.xta shifted.xta
cp u.xmd shifted.xmd
xta attr shifted --axis x --type f32 values=10,20,30.6,40
try export shifted f.nc:w
xta attr shifted --axis x --type f64 values=10,20,30.50000001,40
try export shifted f.nc:w
xta attr shifted --axis time 'units=hours since 2000-01-01'
try export shifted f.nc:w2
xta attr shifted --axis x --remove values
xta attr shifted --axis x --remove values//box
xta attr shifted --axis time 'units=days since 2000-01-01'
try export shifted f.nc:w2
try export shifted f.nc:w2 --no-coordinates
ncgen -k classic -o bare.nc - <<'CDL'
netcdf bare { dimensions: x = 4 ; time = 3 ; variables: int v(x) ; data: v = 1, 2, 3, 4 ; }
CDL
try export u bare.nc
try export u bare.nc --no-coordinates
show bare.nc u v
echo "== types that the file cannot hold"
xta create big --type u64 --bounds 4 --chunk 4 --names x
ncgen -k classic -o classic.nc base.cdl
try export big classic.nc --no-coordinates
echo "== what is no NetCDF file, or a damaged one"
echo "some text" >text.nc
try export u text.nc
try export u text.nc --replace
cat text.nc
head -c 150 classic.nc >cut.nc
try export u cut.nc:w
head -c 3000 base.nc >cut4.nc
try export u cut4.nc:w
stat -c '%n %s' cut.nc cut4.nc
try export u text.nc --force
show text.nc
echo "== a mode and a link stay"
chmod 640 f.nc
ln -s f.nc link.nc
try export u link.nc:more --no-coordinates
stat -c '%n %a %F' f.nc link.nc
show f.nc
echo "== nothing is left beside"
find . -name '.xta*'
echo "== killed in the middle"
xta create large --type f64 --bounds 100000 --chunk 1000 --names n
sha256sum f.nc >sum
(ulimit -f 200 && xta export large f.nc:large) >out 2>&1
echo "exit $?" # by SIGXFSZ
sha256sum -c sum
rm -rf .xta-export-*
try export large f.nc:large
show f.nc
find . -name '.xta*'

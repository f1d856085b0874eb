# xta import --append and --at: coordinates of file and array must be those of the same cells.
# SPDX-License-Identifier: Apache-2.0
# make NAME TIMES LATITUDES [SED-COMMAND]: two latitudes, two longitudes
make() {
    sed "s/TIMES/$2/; s/LATS/$3/; s/CELLS/$(seq -s, $((4 * $(tr -cd , <<<"$2" | wc -c) + 4)))/; ${4-}" >"$1.cdl" <<'CDL'
netcdf f {
dimensions: time = UNLIMITED ; lat = 2 ; lon = 2 ; nv = 2 ;
variables:
  double time(time) ; time:units = "days since 2000-01-01" ; time:calendar = "noleap" ;
  float lat(lat) ; lat:units = "degrees_north" ; lat:bounds = "lat_bnds" ;
  double lat_bnds(lat, nv) ; float lon(lon) ; short v(time, lat, lon) ;
data: time = TIMES ; lat = LATS ; lat_bnds = 0, 1, 2, 3 ; lon = 5, 6 ; v = CELLS ;
}
CDL
    ncgen -k classic -o "$1.nc" "$1.cdl" && rm "$1.cdl"
}
state() {
    xta info "$1" | grep ^bounds
    for axis in time lat lon; do xta attr "$1" --axis $axis values; done
}
# refused NAME ...: import NAME.nc as the words say; the array must be as it was, byte for byte.
refused() {
    sha256sum a.xta a.xmd >sum
    xta import "$1.nc" "${@:2}" 2>&1
    echo "exit $?"
    sha256sum -c --quiet sum
}
make first "0, 1" "10, 20"
make next "2, 3" "10, 20"
make before "-2, -1" "10, 20"
xta import first.nc a
echo "== in order"
xta import next.nc a --append time
xta import before.nc a --append -time
state a
echo "== other latitudes"
make far "4" "20, 30"
refused far a --append time
make last "4" "10, 20.1"
refused last a --append time
make upside "4" "20, 10"
refused upside a --append time
echo "== a millionth of the step is no difference, and changes nothing"
make near "4" "10.000009, 20"
xta import near.nc a --append time
state a
echo "== times that are there, or out of order"
make again "4" "10, 20"
refused again a --append time
make earlier "3.5" "10, 20"
refused earlier a --append time
make later "5" "10, 20"
refused later a --append -time
make mixed "5, 7, 6" "10, 20"
refused mixed a --append time
make falling "7, 6, 5" "10, 20"
refused falling a --append time
make nan "NaN" "10, 20"
refused nan a --append time
echo "== units, calendars, types, names"
make hours "5" "10, 20" "s/days since/hours since/"
refused hours a --append time
make epoch "5" "10, 20" "s/2000-01-01/1970-01-01/"
refused epoch a --append time
make unitless "5" "10, 20" 's/time:units = [^;]*;//'
refused unitless a --append time
make gregorian "5" "10, 20" "s/noleap/standard/"
refused gregorian a --append time
make nolabel "5" "10, 20" 's/float lon(lon) ;//; s/lon = 5, 6 ;//'
refused nolabel a --append time
make names "5" "10, 20" 's/lon\([ (),:;]\)/x\1/g'
refused names a --append time
make corners "5" "10, 20" "s/0, 1, 2, 3/0, 1, 2, 4/"
refused corners a --append time
make int "5" "10, 20" "s/double time/int time/"
xta import int.nc a --append time
xta import int.nc b
make half "5.5" "10, 20"
xta import half.nc b --append time 2>&1
echo "== at coordinates"
refused first a --at 1,0,0
xta import first.nc a --at 0,0,0
refused next a --at 7,0,0
make gap "9" "10, 20"
refused gap a --at 7,0,0
state a
echo "== only one of the two has coordinates"
python3 -c 'import numpy; numpy.save("plain.npy", numpy.zeros((1, 2, 2), "i2"))'
sha256sum a.xta a.xmd >sum
xta import plain.npy a --append time 2>&1
sha256sum -c --quiet sum
xta import plain.npy c
xta import first.nc c --append 0 --axes time,lat,lon 2>&1
xta import first.nc c --append 0 --no-coordinates
xta attr c --axis 0 values 2>&1
echo "== asked to leave coordinates out, and what an export says to that"
xta import far.nc a --append time --no-coordinates
state a
xta export a out.nc 2>&1
xta export a out.npy && xta export a out.nc --no-coordinates && ncdump -h out.nc | grep '(.*) ;'
xta attr a --axis time --type f64 values=-2,-1,0,1,2,3,4,5,6
xta export a labelled.nc && ncdump -v time labelled.nc | grep 'time ='
echo "== extended past its coordinates, and lists of a wrong length"
xta import first.nc e
xta extend e --axis time --by 1
xta export e e.nc 2>&1
xta export e e.nc --box 0:2,:,: && ncdump -v time e.nc | grep 'time ='
sha256sum e.xmd >sum
xta import next.nc e --append time 2>&1
sha256sum -c --quiet sum
xta attr e --axis time --type f64 values=0,1
xta attr e --axis time --remove values//box
xta export e f.nc 2>&1
xta attr e --axis time --type f64 values=0,1,1.5
xta export e f.nc && ncdump -v time f.nc | grep 'time ='
xta import next.nc e --append time
xta attr e --axis time values
echo "== descending"
make down "0" "20, 10"
xta import down.nc d
make down2 "0" "0, -10" "s/0, 1, 2, 3/4, 5, 6, 7/"
xta import down2.nc d --append lat
xta attr d --axis lat values
make down3 "0" "-5, -20" "s/0, 1, 2, 3/8, 9, 10, 11/"
xta import down3.nc d --append lat 2>&1
make up "0" "40, 30" "s/0, 1, 2, 3/8, 9, 10, 11/"
xta import up.nc d --append -lat
xta attr d --axis lat values
ls -a | grep -v '\.nc$\|\.xta$\|\.xmd$\|\.npy$'

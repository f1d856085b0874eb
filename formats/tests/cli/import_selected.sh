# xta import --sel and --box: whole files and one variable, cut to some cells.
# SPDX-License-Identifier: Apache-2.0
cat >in.cdl <<'CDL'
netcdf in {
dimensions: time = UNLIMITED ; lat = 3 ; lon = 4 ; nv = 2 ; station = 3 ;
variables:
  double time(time) ; time:units = "days since 2015-01-30" ; time:calendar = "noleap" ; time:bounds = "time_bnds" ;
  double time_bnds(time, nv) ;
  float lat(lat) ; lat:units = "degrees_north" ;
  int lon(lon) ; lon:units = "degrees_east" ;
  double nav(lat, lon) ;
  short v(time, lat, lon) ;
  int height(station) ;
data:
  time = 0, 1, 2, 3 ; time_bnds = 0, 1, 1, 2, 2, 3, 3, 4 ; lat = 60, 50, 45.5 ; lon = 0, 10, 20, 30 ;
  nav = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ; height = 7, 8, 9 ;
  v = 0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23,
      100, 101, 102, 103, 110, 111, 112, 113, 120, 121, 122, 123,
      200, 201, 202, 203, 210, 211, 212, 213, 220, 221, 222, 223,
      300, 301, 302, 303, 310, 311, 312, 313, 320, 321, 322, 323 ;
}
CDL
ncgen -k nc4 -o in.nc in.cdl
echo "== a month, a range of descending latitudes, the nearest longitude"
xta import in.nc set/ --no-history --sel time=2015-02,lat=45:55,lon=12~
xta info set
xta read set/v
xta read set/time_bnds
xta read set/nav
xta read set/height
echo "== a list and a step"
xta import in.nc listed/ --sel 'time=::3,lon=[30,0]'
xta read listed/v --sel lon=30
xta info listed | grep 'double time('
echo "== one variable"
xta import in.nc:v one --sel 'time=2015-02-01:,lat=60'
xta attr one --axis time values
xta read one
xta import in.nc:v box --box 1:3,:,2
xta read box --sel time=2015-02-01,lat=50
xta import in.nc:v both --sel lat=50 --box 3,:,1:
xta read both
xta import in.nc:v --describe --sel lon=10:20
echo "== two files of which one has no such cell"
sed 's/time = 0, 1, 2, 3 ; /time = 4, 5, 6, 7 ; /' in.cdl >next.cdl
ncgen -k nc4 -o next.nc next.cdl
xta import next.nc in.nc months/ --append time --sel time=2015-02-03:2015-02-04,lon=10
xta read months/v
xta import next.nc in.nc months2/ --at auto --sel time=2015-02-02:2015-02-03
xta read months2/v --box :,0,0
echo "== refused"
refused() {
    xta import "$@" 2>&1
    echo "exit $?"
    ls -d bad* 2>/dev/null
}
refused in.nc bad/ --sel depth=3
refused in.nc bad/ --sel lat=47
refused in.nc bad/ --sel lat=47:49
refused in.nc bad/ --sel time=2015-02-30
refused in.nc bad/ --sel lat=45.5,lat=60
refused in.nc bad/ --sel lat
refused in.nc bad/ --box 0:1
refused in.nc:v bad --sel depth=3
refused in.nc:v bad --sel lat=47
refused in.nc:v bad --box 0:1
refused in.nc:v bad --box :,:,2:9
refused in.nc:v bad --sel lat=60 --box :,1:,:
refused in.nc next.nc bad/ --append time --sel time=::2
refused in.nc next.nc bad/ --append time --sel 'lon=[10,30,0]'
refused in.nc next.nc bad/ --append time --sel time=2017
printf 'abcdefgh' >plain.raw
refused plain.raw bad --type u8 --bounds 2,4 --sel 0=1
xta import plain.raw cut --type u8 --bounds 2,4 --box 1,1:3
xta read cut

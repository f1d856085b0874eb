# Cells by label: --sel in each verb that takes a box; beside --box; lists and steps where they can be taken.
# SPDX-License-Identifier: Apache-2.0
say() { echo "-- $*"; }
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
join() { paste -sd, -; }
xta create t --type i32 --bounds 60,3,4 --chunk 8,2,2 --names time,lat,lon
seq 0 719 | xta write t --box :,:,: --from -
xta attr t --axis time --set-unit 'days since 2015-01-01'
xta attr t --axis time calendar=noleap
xta attr t --axis time values="$(seq 0 59 | join)" --type f64
xta attr t --axis lat values=40,45,50 --type f32
xta attr t --axis lat --set-unit degrees_north
xta attr t --axis lon values="$(printf '%s\n' west middle east '"far, east"')"
say read
xta read t --sel time=2015-01-03,lat=45
xta read t --sel time=2015-02:,lat=46~,lon=west | paste -sd' '
xta read t --sel 'time=2015-01-01,lon="""far, east"""' | paste -sd' '
say a list and a step
xta read t --sel 'time=[2015-02-01,2015-01-01],lat=50'
xta read t --sel 'time=::20,lat=45:,lon=west:east' 2>&1
xta read t --sel 'time=::20,lat=45,lon=[east,west]'
xta read t --sel 'lon=[middle,west]' --box 0:2,1,: --as npy >list.npy
python3 -c 'import numpy; print(numpy.load("list.npy").tolist())'
say beside --box
xta read t --sel time=2015-01-03 --box :,0:2,1:
try read t --sel time=2015-01-03 --box 2,0:2,1:
try read t --sel time=2015-01-03 --box 0:60,0:2,1:
try read t --sel time=2015-01-03 --box :,0:2
try read t --sel time=2016
try read t --sel depth=3
try read t --sel time
try read t --sel 'lat=40,lat=50'
say fill and write
xta copy t u
xta fill u --sel time=2015-01-03,lat=50 --value -1
seq 101 104 | xta write u --sel time=2015-01-03,lat=40 --from -
xta read u --sel time=2015-01-03
try fill u --sel 'lat=[40,50]' --value 7
try write u --sel time=::2 --from t
try fill u --value 7
try write u --from t
xta diff t u --quiet >/dev/null 2>&1; echo "differ: $?"
say info
xta info t --io --sel time=2015-01 | head -1
try info t --sel time=2015-01
try info t --io --sel time=::2
say copy
xta copy t box --sel time=2015-02:2015-02-03,lat=45:
xta info box | grep bounds
xta attr box --axis time values; xta attr box --axis lat values; xta attr box --axis time calendar
xta read box --sel time=2015-02-01,lat=50
xta copy t list --sel 'time=::20,lon=[east,west],lat=40:45' --chunk 2,2,2 --type i64
xta info list | grep -E '^(type|bounds|chunk shape)'
xta attr list --axis time values; xta attr list --axis lat values; xta attr list --axis lon values
xta read list
xta read list --sel time=2015-02-10,lon=west,lat=45
xta copy t list --sel 'lat=[50]' --overwrite
xta read list --sel time=2015-01-02
try copy t list --sel 'lat=[40]'
say regular coordinates
xta attr t --axis time --remove values
xta attr t --axis time values//regular=0,1,12 --type f64
xta copy t step --sel time=2015-02:2015-02-20:5
xta attr step --axis time | tr '\t' ' '
xta read step --sel time=2015-02-06,lat=40
say negative cells
xta extend t --axis time --by 3 --front
xta fill t --sel time=:2014-12-31 --value 5
xta read t --sel time=2014-12-30:2015-01-01,lat=40
xta copy t front --sel 'time=2014-12-29:2014-12-30'
xta info front | grep bounds
xta copy t front2 --sel 'lon=[east,west]'
xta info front2 | grep bounds
xta read front2 --sel time=2014-12-31:2015-01-01,lat=45
say a folder has no axes
mkdir folder; xta copy t folder/t
try copy folder other --sel time=2015

# The attribute history: what imports, exports and results get, above what there was; --no-history.
# SPDX-License-Identifier: Apache-2.0
export SOURCE_DATE_EPOCH=1764083431
lines() {
    python3 - "$@" <<'P'
import sys
import h5py
for path in sys.argv[1:]:
    with h5py.File(path) as f:
        text = f.attrs.get("history", b"(none)")
        print(text.decode() if isinstance(text, bytes) else text)
P
}
python3 - <<'P'
import netCDF4
with netCDF4.Dataset("a.nc", "w") as f:
    f.history = "Tue Nov 24 10:00:00 2026: ncks old.nc a.nc"
    f.createDimension("t", 4)
    f.createVariable("v", "f4", ("t",))[:] = [1, 2, 3, 4]
P
echo "-- whole files"
xta import a.nc set/ && xta export set b.nc && lines b.nc
xta export set c.nc --no-history && lines c.nc
xta import a.nc bare/ --no-history && xta export bare d.nc --no-history && lines d.nc
echo "-- one array"
xta import a.nc:v v && xta attr v global/history
xta export v e.nc && lines e.nc
xta export v 'my file.h5' && lines 'my file.h5'
xta export v f.h5 --no-history && lines f.h5
xta import a.nc:v w --no-history && xta attr w global/history
echo "-- an array of no file"
xta create n --type f32 --bounds 4 --names t
xta export n g.nc && lines g.nc
xta attr n history=made
xta export n h.nc && lines h.nc
echo "-- one more variable leaves the file's history alone"
xta export n g.nc:m && lines g.nc
echo "-- appends add no line"
xta import a.nc:v v --append t --no-coordinates && xta attr v global/history
echo "-- results"
xta reduce v --with sum --out s && xta attr s history
xta reduce v --with sum,min --out both && xta attr both/min history
xta reduce v --with sum --out q --no-history && xta attr q
xta rechunk v r --chunk 3 >log && xta attr r global/history
xta cube v c --levels t:1\>2 >log && xta cube c >log
xta export c i.nc && lines i.nc
echo "-- old arrays keep coordinates at their axes until they are upgraded"
mkdir old && xta create old/a --type u8 --bounds 3 --chunk 3 --names t
xta attr old/a --axis t values=1,2,5 --type f64
xta export old old.nc 2>&1
xta upgrade old && xta export old new.nc && ncdump -v t new.nc | grep 't ='
echo "-- the local time"
unset SOURCE_DATE_EPOCH
export TZ=XTA-5
before=$(date '+%a %b %e %H:%M:%S %Y')
xta import a.nc:v local && line=$(xta attr local global/history | head -1)
after=$(date '+%a %b %e %H:%M:%S %Y')
# The hour, and the date, of the two ends of the call.
case ${line%%: xta*} in
"${before:0:13}"*"${before: -4}" | "${after:0:13}"*"${after: -4}") echo "as date prints it" ;;
*) echo "$line is not between $before and $after" ;;
esac

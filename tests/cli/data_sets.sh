# Whole data sets in the verbs: concat, copy, diff, history, check, of sets with regular coordinates.
# SPDX-License-Identifier: Apache-2.0
if ! python3 -c 'import netCDF4' 2>/dev/null || ! xta version | grep -q '^bridge netcdf'; then
    echo 'SKIPPED: no NetCDF'
    exit 77
fi
export SOURCE_DATE_EPOCH=1764068400
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
python3 - <<'END'
import netCDF4
import numpy

for name, first, n in (("jan", 0.5, 4), ("feb", 4.5, 3), ("apr", 20.5, 2)):
    with netCDF4.Dataset(name + ".nc", "w") as file:
        file.title = "days"
        file.createDimension("time", None)
        file.createDimension("x", 3)
        time = file.createVariable("time", "f8", ("time",))
        time.units = "days since 2000-01-01"
        time[:] = first + numpy.arange(n)
        file.createVariable("x", "i4", ("x",))[:] = [10, 20, 30]
        file.createVariable("t2m", "f4", ("time", "x"))[:] = numpy.arange(3 * n).reshape(n, 3) + first
        file.createVariable("mask", "i1", ("x",))[:] = [0, 1, 1]
END
python3 - <<'END'
import netCDF4

with netCDF4.Dataset("order.nc", "w") as file:
    file.title = "other"
    file.createDimension("time", 4)
    file.createDimension("x", 3)
    file.createVariable("mask", "i1", ("x",))[:] = [0, 1, 1]
    file.createVariable("t2m", "f4", ("time", "x"))[:] = 0
END
for name in order jan feb apr; do xta import $name.nc $name/; done
echo "== concat: regular coordinates go on, or become a list"
try concat two jan feb --along time
xta info two | grep time
try concat gap jan feb apr --along time
xta info gap | grep time
xta read gap/time --box :
xta history gap
xta history gap --files
try concat bad feb jan --along time
try concat bad jan jan --along time
try concat bad jan feb --along x
ls -d bad 2>&1
echo "== copy and diff"
try copy two three
xta history three
try diff two three
try diff two three --history
xta extend three --axis x --by 1 >/dev/null
try diff jan three --no-attributes
try diff two gap
try diff two gap --json
xta diff jan order | grep -v netcdf/
echo "== extend: regular coordinates go on"
try extend two --axis time --by 2 --front
xta info two | grep 'time ='
try extend two --axis time --by 1 --coordinates 7.5
try extend two --axis time --by 1 --coordinates 9
xta read two/time --box :
echo "== rename"
try rename two/t2m temperature
try rename two --axis x=lon
try rename two --axis time=t
try rename two/t two/u
try rename two/mask two/temperature
xta info two | grep -E 'lon|temp|mask'
xta read two/t --box 0:3
mkdir two/group && xta create two/group/a --type u8 --bounds 2 --names lon
try rename two/group/ member
try rename two/member mask
xta ls two
echo "== check"
try check two
rm three/mask.x*
truncate -s 64 three/t2m.xta
try check three

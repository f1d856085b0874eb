#!/usr/bin/env bash
# Programs that know nothing of XTA, run by xta-nc: cdo, NCO, netcdf4-python and a Fortran program find what they find in
# an exported file, write through netcdf4-python, and each of them opens a data set that grows twice.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
xta=${XTA_TOOL:?} nc=${XTA_BUILD_DIR:?}/xta-nc ways=${XTA_SOURCE_DIR:?}/netcdf/tests/ways
export XTA_NC=$nc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
skipped=0

fail() {
  echo "FAILED: $*"
  exit 1
}

has() {
  command -v "$1" >/dev/null && return 0
  echo "SKIPPED: $1 is not installed"
  skipped=1
  return 1
}

cat >ocean.cdl <<'EOF'
netcdf ocean {
dimensions: time = UNLIMITED ; lat = 4 ; lon = 6 ;
variables:
  double time(time) ; time:units = "days since 2000-01-01" ; time:calendar = "standard" ; time:standard_name = "time" ;
  double lat(lat) ; lat:units = "degrees_north" ; lat:standard_name = "latitude" ;
  double lon(lon) ; lon:units = "degrees_east" ; lon:standard_name = "longitude" ;
  float sst(time, lat, lon) ; sst:units = "K" ; sst:_FillValue = -99.f ;
  :Conventions = "CF-1.8" ;
data: time = 0, 1, 3 ; lat = -45, -15, 15, 45 ; lon = 0, 60, 120, 180, 240, 300 ;
  sst = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, _,
        31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54,
        61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84 ;
}
EOF
ncgen -4 -o source.nc ocean.cdl
"$xta" import source.nc ocean/ --no-history >log
"$xta" export ocean ocean.nc --format netcdf-4 --no-history >log

for words in "" "-4 -d 1" "-k classic"; do
  # shellcheck disable=SC2086 # several words
  "$nc" nccopy $words ocean copy.nc
  diff <(ncdump ocean.nc | sed 1d) <(ncdump copy.nc | sed 1d) || fail "nccopy $words"
done

if has cdo; then
  for operator in infon ntime showname griddes "outputtab,date,value"; do
    cdo -s "$operator" ocean.nc >wanted
    "$nc" cdo -s "$operator" ocean >found
    diff wanted found || fail "cdo $operator"
  done
  "$nc" cdo -s -f nc4 timmean ocean mean.nc
  cdo -s -f nc4 timmean ocean.nc wanted.nc
  diff <(ncdump -v sst wanted.nc | sed '1,/^data:/d') <(ncdump -v sst mean.nc | sed '1,/^data:/d') || fail "cdo timmean"
fi

if has ncks; then
  for words in "-d time,1,2" "-d lat,-20.,50." "-v sst -d lon,0,5,2"; do
    # shellcheck disable=SC2086 # several words
    { ncks -O -h $words ocean.nc wanted.nc && "$nc" ncks -O -h $words ocean found.nc; } 2>log || fail "ncks $words: $(cat log)"
    diff <(ncdump wanted.nc | sed 1d) <(ncdump found.nc | sed 1d) || fail "ncks $words"
  done
  "$nc" ncrcat -O -h ocean ocean twice.nc
  [ "$(ncdump -h twice.nc | grep -c '(6 currently)')" = 1 ] || fail "ncrcat: not 6 times"
  "$nc" ncra -O -h ocean mean.nc
  cp -r ocean changed
  "$nc" ncatted -h -a units,sst,o,c,degC -a about,global,c,c,"a word" changed
  [ "$("$xta" attr changed/sst units)" = degC ] || fail "ncatted: units of sst"
  "$nc" ncdump -h changed | grep ':about = "a word"' >log || fail "ncatted: a global attribute"
  if "$nc" ncrename -h -v sst,t changed 2>log; then
    fail "ncrename renamed a variable"
  fi
  "$xta" check changed >log || fail "after ncatted: $(cat log)"
fi

if /usr/bin/python3 -c 'import netCDF4' 2>/dev/null; then
  cat >write.py <<'EOF'
import sys
import netCDF4
import numpy as np

with netCDF4.Dataset(sys.argv[1], "r+") as data:
    n = len(data.dimensions["time"])
    data["sst"][n:n + 2] = np.arange(48).reshape(2, 4, 6)
    data["time"][n:n + 2] = [10, 20]
    data["sst"][0, 1:3, ::2] = 5
    data.title = "changed"
    assert data["sst"].shape == (n + 2, 4, 6) and data["sst"].chunking() != "contiguous"
    data.sync()
with netCDF4.Dataset(sys.argv[1]) as data:
    print(data.title, data["time"][:], data["sst"][:].sum(), data["sst"][0, 3, 5])
EOF
  /usr/bin/python3 write.py ocean.nc >wanted
  "$nc" /usr/bin/python3 write.py ocean >found
  diff wanted found || fail "netcdf4-python"
  diff <(ncdump ocean.nc | sed 1d) <("$nc" ncdump ocean | sed 1d) || fail "what netcdf4-python wrote"
  "$xta" check ocean >log || fail "xta check: $(cat log)"
else
  echo "SKIPPED: python3-netcdf4 is not installed"
  skipped=1
fi

readers=ncdump_reader
if has gfortran && has nf-config; then
  # shellcheck disable=SC2046 # flags are several words
  gfortran -O1 -o reader -J . "$ways/fortran_reader.f90" $(nf-config --fflags) $(nf-config --flibs) 2>log || fail "$(cat log)"
  export FORTRAN_READER=$folder/reader
  readers+=" fortran_reader"
fi
if /usr/bin/python3 -c 'import netCDF4' 2>/dev/null; then
  readers+=" netcdf4_reader"
  ! has ncks || readers+=" ncks_reader"
  ! has cdo || readers+=" cdo_reader"
fi
"$XTA_BUILD_DIR/netcdf/tests/format/netcdf_grower" grown 100 20 >log &
grower=$!
while ! grep -q created log; do sleep 0.1; done
n=0
for round in 1 2; do
  for reader in $readers; do
    timeout 60 "$ways/$reader" grown >seen 2>&1 || fail "$reader, round $round: $(cat seen)"
    grep -q '"cells"' seen || fail "$reader says nothing"
    n=$((n + 1))
  done
done
wait "$grower" || fail "the writer: $(cat log)"
echo "$n opens of a data set that grew, the last: $(cat seen)"
[ "$skipped" = 0 ] || exit 77

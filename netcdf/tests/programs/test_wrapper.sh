#!/usr/bin/env bash
# xta-nc: which arguments become addresses, names with bytes that have a meaning there, and what it says.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
xta=${XTA_TOOL:?} nc=${XTA_BUILD_DIR:?}/xta-nc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
folder=$(cd "$folder" && pwd -P)
cd "$folder"
n=0

expect() { # WANTED COMMAND...
  local wanted=$1 found
  shift
  found=$("$@" 2>&1) || true
  n=$((n + 1))
  [ "$found" = "$wanted" ] && return 0
  printf 'FAILED: %s\nwanted: %s\nfound:  %s\n' "$*" "$wanted" "$found"
  exit 1
}

mkdir plain other
ncgen -4 -o ocean.nc <<'EOF'
netcdf ocean { dimensions: dim0 = 2 ; dim1 = 3 ; variables: float sst(dim0, dim1) ; }
EOF
"$xta" import ocean.nc ocean/ --no-history >log
"$xta" create plain/v --type i16 --bounds 4 >log
[ -e ocean/dataset.xmd ] || { echo "FAILED: no dataset.xmd was made"; exit 1; }

# A program of each kind: one that gets files, and those that get addresses.
mkdir bin
printf '#!/bin/sh\nprintf "%%s|" "$@"\n' | tee bin/show bin/cdo >bin/ncdump
chmod +x bin/*
expect 'ocean/dataset.xmd|-h|' "$nc" bin/show ocean -h
expect "file://$folder/ocean#mode=udf0|-v|" "$nc" bin/cdo ocean/ -v
expect "file://$folder/plain#mode=udf0|other|nothing|" "$nc" bin/show plain other nothing
expect 'ocean/sst.xmd|ocean/dataset.xmd|' "$nc" bin/show ocean/sst.xmd ocean/dataset.xmd
expect "file://$folder/ocean/sst.xmd#mode=udf1|" "$nc" bin/cdo ocean/sst.xmd
expect "--in=file://$folder/ocean#mode=udf0|--x=y|" "$nc" bin/cdo --in=ocean --x=y
expect "file:///a#mode=udf0|" "$nc" bin/cdo 'file:///a#mode=udf0'
expect "a b|c*|" "$nc" bin/show 'a b' 'c*'

for name in 'a b' 'a#b' 'a%20b' 'a?b[c]' 'é' "a'b\"c" 'a\b' 'a&b=c;d'; do
  cp -r ocean "$name"
  [ "$("$nc" ncdump -h "$name" | grep -c sst)" = 1 ] || { echo "FAILED: ncdump -h $name"; exit 1; }
  n=$((n + 1))
done

expect "$(printf 'netcdf sst {\ndimensions:\n\tdim0 = 2 ;\n\tdim1 = 3 ;\nvariables:\n\tfloat sst(dim0, dim1) ;\n}')" \
  "$nc" ncdump -h ocean/sst.xmd
expect 'ncdump: nothing: No such file or directory' "$nc" ncdump nothing
rm ocean/sst.xta
expect "$(printf 'xta: %s\nncdump: %s' "$folder/ocean/sst.xta: the data file is missing, its journal $folder/ocean/sst.xmd is there; restore it" \
  "file://$folder/ocean#mode=udf0: No such file or directory")" "$nc" ncdump -h ocean
expect "ncdump: file://$folder/ocean#mode=udf0: No such file or directory" env XTA_NC_VERBOSE=0 "$nc" ncdump -h ocean
"$nc" --help | grep '^Usage: xta-nc PROGRAM' >log || { echo "FAILED: no help"; exit 1; }
if "$nc" >log 2>&1; then
  echo "FAILED: xta-nc without a program succeeds"
  exit 1
fi
if "$nc" false; then
  echo "FAILED: the program's failure is lost"
  exit 1
fi
echo "$n calls as they should be"

#!/bin/bash
# The commands of gdal/README.md, one after the other, on files that are made for them.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
command -v gdalmdimtranslate >/dev/null || { echo "SKIPPED: GDAL's programs are not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ln -s "$XTA_BUILD_DIR" build
"$XTA_TOOL" create sst --type f32 --bounds 2,30,40 --names time,y,x >/dev/null
"$XTA_TOOL" create picture --type u8 --bounds 30,40 --names y,x >/dev/null
"$XTA_TOOL" fill picture --box 3:20,5:9 --value 7 >/dev/null
"$XTA_TOOL" export picture in.tif >/dev/null
mkdir arrays
"$XTA_TOOL" copy sst arrays/sst >/dev/null
"$XTA_TOOL" export arrays/ in.nc >/dev/null
"$XTA_TOOL" import in.nc ocean/ >/dev/null
sed -n '/^```sh$/,/^```$/p' "$XTA_SOURCE_DIR/gdal/README.md" | sed '/^```/d' >commands
[ "$(wc -l <commands)" -ge 7 ] || { echo "readme: only $(wc -l <commands) commands found" >&2; exit 1; }
bash -euo pipefail commands >printed
# What they print and make.
grep -q '^Size is 40, 30' printed
grep -q '"full_name": *"/time"' printed
[ "$(gdalinfo -checksum out.tif | grep -c 'Checksum=')" -eq 1 ]
[ "$(gdalinfo -checksum out.tif | grep Checksum)" = "$(gdalinfo -checksum in.tif | grep Checksum)" ]
"$XTA_TOOL" info out | grep -q '^chunk  *30,40\|^chunk  *512,512'
for set in ocean ocean2; do
    "$XTA_TOOL" export "$set/sst" "$set.npy" >/dev/null
done
cmp ocean.npy ocean2.npy
echo "readme: $(wc -l <commands) commands"

#!/bin/sh
# Run a program of NetCDF on XTA's data sets and arrays: xta-nc ncdump -h ocean
#
# The library is loaded into the program, and arguments that are data sets or arrays become what NetCDF opens as such:
# of a data set the file .../ocean/dataset.xmd, which NetCDF knows by its first bytes, as it does an array's .../sst.xmd.
# Programs that take no file of an unknown kind (cdo), or print its name (ncdump), get the address
# file:///.../ocean#mode=udf0 (an array: #mode=udf1). So do all for folders of arrays without a dataset.xmd.
#
# SPDX-License-Identifier: Apache-2.0
set -eu

usage() {
  cat <<'EOF'
Usage: xta-nc PROGRAM [ARGUMENT...]

Runs a program that is linked with the system's NetCDF library (ncdump, cdo,
NCO, ncview, Python with netCDF4, your own), so that it opens XTA's data sets
and arrays while they grow. An argument that is a data set (a folder) becomes
ocean/dataset.xmd, which NetCDF opens as it does an array, sst.xmd; for ncdump,
nccopy and cdo, and of a folder without dataset.xmd, it becomes the address
file:///abs/ocean#mode=udf0 (of an array #mode=udf1). --OPTION=PATH likewise.
In a script write either yourself.

Example:
  xta-nc ncdump -h ocean

Environment:
  XTA_NC_VERBOSE  1 (what xta-nc sets): print why something failed, which
                  NetCDF's codes do not say; 0: print nothing
EOF
}

# In an address %XX stands for a byte that has a meaning there, or that NetCDF would drop.
encoded() {
  case $1 in
    *[!A-Za-z0-9/._~+@:,=-]*)
      LC_ALL=C awk 'BEGIN {
        for (i = 1; i < 256; i++) code[sprintf("%c", i)] = sprintf("%%%02X", i)
        n = length(ARGV[1])
        for (i = 1; i <= n; i++) {
          c = substr(ARGV[1], i, 1)
          printf "%s", c ~ /[A-Za-z0-9\/._~+@:,=-]/ ? c : code[c]
        }
      }' "$1"
      ;;
    *) printf '%s' "$1" ;;
  esac
}

absolute() {
  case $1 in
    /*) printf '%s' "$1" ;;
    *) printf '%s' "$(pwd -P)/$1" ;;
  esac
}

has_arrays() {
  for entry in "$1"/*.xmd "$1"/*.pma "$1"/*/dataset.xmd; do
    [ -e "$entry" ] && return 0
  done
  return 1
}

# The address of a path; the path itself if it is none of ours.
address() {
  path=$1
  while [ "$path" != "${path%/}" ] && [ "$path" != / ]; do
    path=${path%/}
  done
  case $path in
    '' | -* | *://*) mode= ;;
    dataset.xmd | */dataset.xmd) mode= ;;
    *.xmd | *.pma)
      mode=
      [ ! -f "$path" ] || mode=udf1
      ;;
    *)
      mode=
      if [ -d "$path" ] && has_arrays "$path"; then mode=udf0; fi
      ;;
  esac
  if [ -z "$mode" ]; then
    printf '%s' "$1"
  elif [ "$wants_files" = yes ] && [ -e "$path/dataset.xmd" ]; then
    printf '%s/dataset.xmd' "$path"
  elif [ "$wants_files" = yes ] && [ "$mode" = udf1 ]; then
    printf '%s' "$path"
  else
    printf 'file://%s#mode=%s' "$(encoded "$(absolute "$path")")" "$mode"
  fi
}

case ${1-} in
  '' | -h | --help)
    usage
    [ -n "${1-}" ]
    exit
    ;;
esac

program=$1
shift
case ${program##*/} in
  ncdump | nccopy | cdo) wants_files=no ;;
  *) wants_files=yes ;;
esac
for argument in "$@"; do
  shift
  case $argument in
    -*=*) argument="${argument%%=*}=$(address "${argument#*=}")" ;;
    *) argument=$(address "$argument") ;;
  esac
  set -- "$@" "$argument"
done

here=$(dirname "$(readlink -f "$0")")
library=$here/@XTA_NC_LIBRARY@
if [ ! -e "$library" ]; then
  echo "xta-nc: $library: not there; install XTA with its NetCDF plugin" >&2
  exit 1
fi
LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}
XTA_NC_VERBOSE=${XTA_NC_VERBOSE-1}
export LD_PRELOAD XTA_NC_VERBOSE
exec "$program" "$@"

#!/bin/sh
# Run a program of NetCDF on XTA's data sets and arrays: xta-nc ncdump -h ocean
#
# The library is loaded into the program. An argument that is a data set, or a folder with arrays, becomes
# file:///.../ocean#mode=udf0, and an array file:///.../sst.xmd#mode=udf1, since NetCDF does not ask a format before it
# has tried to read a path itself.
#
# SPDX-License-Identifier: Apache-2.0
set -eu

usage() {
  cat <<'EOF'
Usage: xta-nc PROGRAM [ARGUMENT...]

Runs a program that is linked with the system's NetCDF library (ncdump, ncks,
cdo, ncview, Python with netCDF4, your own), so that it opens XTA's data sets
and arrays while they grow. Arguments that are data sets (folders), or arrays
(with or without .xmd), are replaced by the address under which NetCDF finds
them; OPTION=PATH likewise. In a script, write the address itself:
file:///abs/ocean#mode=udf0, of an array file:///abs/sst.xmd#mode=udf1.

Example:
  xta-nc ncdump -h ocean

Environment:
  XTA_NC_VERBOSE  1 (what xta-nc sets): print why something failed, which
                  NetCDF's codes do not say; 0: print nothing
EOF
}

# Bytes that have a meaning in an address.
encoded() {
  printf '%s' "$1" | sed 's/%/%25/g; s/#/%23/g; s/?/%3F/g; s/\[/%5B/g; s/\]/%5D/g; s/ /%20/g; s/\\/%5C/g'
}

absolute() {
  case $1 in
    /*) encoded "$1" ;;
    *) encoded "$(pwd -P)/$1" ;;
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
    '' | -* | *://*) printf '%s' "$1" ;;
    dataset.xmd | */dataset.xmd) printf 'file://%s#mode=udf0' "$(absolute "$path")" ;;
    *.xmd | *.pma)
      if [ -f "$path" ]; then printf 'file://%s#mode=udf1' "$(absolute "$path")"; else printf '%s' "$1"; fi
      ;;
    *)
      if [ -d "$path" ] && has_arrays "$path"; then
        printf 'file://%s#mode=udf0' "$(absolute "$path")"
      elif [ ! -e "$path" ] && { [ -f "$path.xmd" ] || [ -f "$path.pma" ]; }; then
        printf 'file://%s#mode=udf1' "$(absolute "$path")"
      else
        printf '%s' "$1"
      fi
      ;;
  esac
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
for argument in "$@"; do
  shift
  # The name of an option may stand before a path.
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

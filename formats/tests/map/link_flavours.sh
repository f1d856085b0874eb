#!/usr/bin/env bash
# A program compiled against one HDF5 links with the mapping of that HDF5, and with no other.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "link_flavours: $*" >&2
    exit 1
}
read -r -a flavours <<<"$XTA_MAPS"
linked=0 refused=0
for headers in "${flavours[@]}"; do
    read -r -a flags < <(pkg-config --cflags "hdf5-$headers")
    "${XTA_CC:-cc}" -std=c11 -c -o "$work/$headers.o" -I"$XTA_SOURCE_DIR/core/include" -I"$XTA_SOURCE_DIR/formats/include" \
        "${flags[@]}" "$XTA_SOURCE_DIR/examples/map_hdf5.c"
    for library in "${flavours[@]}"; do
        read -r -a libraries < <(pkg-config --libs "hdf5-$library")
        line=("${XTA_CC:-cc}" -o "$work/program" "$work/$headers.o" -L"$XTA_BUILD_DIR" "-lxta_map-$library" -lxta
            "${libraries[@]}" -Xlinker -rpath-link -Xlinker "$XTA_BUILD_DIR")
        if [ "$headers" = "$library" ]; then
            "${line[@]}" || fail "a program of $headers does not link with libxta_map-$library"
            linked=$((linked + 1))
            continue
        fi
        ! "${line[@]}" 2>"$work/log" || fail "a program of $headers links with libxta_map-$library"
        grep -q "undefined reference to .xtaHDFmap_$headers'" "$work/log" || {
            cat "$work/log"
            fail "it is not the flavour that keeps a program of $headers from linking with libxta_map-$library"
        }
        refused=$((refused + 1))
    done
done
echo "link_flavours: $linked pairs link, $refused do not (${flavours[*]})"

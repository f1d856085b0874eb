#!/bin/bash
# libxta is built by one line, without CMake, and needs libc and libm only.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"

# The folders of libxta are the lines of LAYERS that are neither public nor marked mpi.
mapfile -t folders < <(awk '!/^#/ && NF && $2 != "public" && !/ mpi/ { print "src/" $1 }' src/LAYERS)
sources=()
for folder in "${folders[@]}"; do
    sources+=("$folder"/*.c)
done

cat >"$work/first.c" <<'END'
#include <stdio.h>
#include <xta/xta.h>

int main(void)
{
    xta_array *array = NULL;
    xta_error err;
    int64_t bounds[2] = {4, 3}, corner[2] = {3, 2};
    int16_t seven = 7, back = 0;

    if (xta_array_new(XTA_I16, 2, bounds, NULL, &array, &err) != XTA_OK ||
        xta_array_put(array, corner, &seven, &err) != XTA_OK ||
        xta_array_get(array, corner, &back, &err) != XTA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    xta_array_close(array, NULL);
    printf("%d\n", back);
    return back == 7 ? 0 : 1;
}
END

cc=${XTA_CC:-cc}
"$cc" -std=c11 -O1 -DXTA_VERSION_TEXT="\"$(head -n 1 VERSION)\"" -Iinclude -Isrc -o "$work/first" "$work/first.c" "${sources[@]}" -lm
[ "$("$work/first")" = 7 ]
needed=$(readelf -d "$work/first" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | tr '\n' ' ')
for library in $needed; do
    case "$library" in
    libc.so.* | libm.so.* | libpthread.so.* | ld-linux*) ;;
    *)
        echo "one_cc_line: needs $library" >&2
        exit 1
        ;;
    esac
done
echo "one_cc_line: ${#sources[@]} files in one line; needs $needed"

#!/bin/bash
# libxta is built by the one line given in the README, without CMake, exports the same symbols as CMake's, and needs
# libc and libm only.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1 # the compilers' memory in huge pages

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

# The line of the README, with the compiler of this build and without optimisation.
cc=${XTA_CC:-cc}
sed -n '/^    cc -std=c11/,/-pthread$/p' README.md |
    sed "s|-o libxta.so|-o $work/libxta.so|; s|^ *cc |$cc |; s|-O2|-O0|" >"$work/line"
[ "$(wc -l <"$work/line")" = 2 ]
bash -eu "$work/line"
exported() { nm -D --defined-only "$1" | awk '{ print $NF }' | grep '^xta_' | sed 's/@.*//' | sort; }
diff <(exported "$XTA_BUILD_DIR/libxta.so") <(exported "$work/libxta.so")

"$cc" -std=c11 -Icore/include -o "$work/first" "$work/first.c" "$work/libxta.so" -Wl,-rpath,"$work"
[ "$("$work/first")" = 7 ]
needed=$(readelf -d "$work/libxta.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | tr '\n' ' ')
for library in $needed; do
    case "$library" in
    libc.so.* | libm.so.* | libpthread.so.* | ld-linux*) ;;
    *)
        echo "one_cc_line: needs $library" >&2
        exit 1
        ;;
    esac
done
echo "one_cc_line: $(exported "$work/libxta.so" | wc -l) functions by the line of the README; needs $needed"

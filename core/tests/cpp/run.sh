#!/bin/bash
# xta.hpp with each compiler of C++ that is here, as C++17 and C++20, without a warning: its test, and the example.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

here=$(dirname "$(realpath "$0")")
work=$(mktemp -d "${XTA_TEST_DIR:-${TMPDIR:-/tmp}}/xta-cpp.XXXXXX")
trap 'rm -rf "$work"' EXIT
flags=(-Wall -Wextra -pedantic -Wshadow -Wconversion -Werror -I "$XTA_SOURCE_DIR/core/include")
libraries=(-L "$XTA_BUILD_DIR" -lxta "-Wl,-rpath,$XTA_BUILD_DIR")
n=0
for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    for standard in 17 20; do
        mkdir "$work/$compiler$standard"
        cd "$work/$compiler$standard"
        "$compiler" -std=c++$standard "${flags[@]}" "$here/test_hpp.cpp" -o test "${libraries[@]}"
        ./test "$PWD"
        n=$((n + 1))
    done
    "$compiler" -std=c++17 "${flags[@]}" "$here/growth.cpp" -o growth "${libraries[@]}"
    [ "$(./growth)" = "0 1 2 3 "$'\n'"XTA_EBOX" ]
done
if [ "$n" = 0 ]; then
    echo "SKIPPED: neither g++ nor clang++ is here"
    exit 77
fi
lines=$(wc -l <"$XTA_SOURCE_DIR/core/include/xta.hpp")
[ "$lines" -lt 600 ] || {
    echo "xta.hpp has $lines lines; it is to stay below 600"
    exit 1
}

#!/bin/bash
# Each public header compiles alone, twice in one file, in C11 -pedantic and in C++17, with gcc and clang;
# and each @param of its comments names a parameter that there is. Doors of src/ stand alone, too.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"
strict=(-Wall -Wextra -Wpedantic -pedantic-errors -Wshadow -Werror -fsyntax-only)
count=0

for path in include/xta/*.h; do
    header=${path#include/}
    printf '#include <%s>\n#include <%s>\nint only(void);\nint only(void) { return 0; }\n' \
        "$header" "$header" >"$work/one.c"
    cp "$work/one.c" "$work/one.cc"
    gcc -std=c11 "${strict[@]}" -Wstrict-prototypes -Iinclude "$work/one.c"
    clang -std=c11 "${strict[@]}" -Wdocumentation -Iinclude "$work/one.c"
    g++ -std=c++17 "${strict[@]}" -Iinclude "$work/one.cc"
    clang++ -std=c++17 "${strict[@]}" -Iinclude "$work/one.cc"
    count=$((count + 1))
done
[ "$count" -ge 8 ] || { echo "header_alone: only $count headers" >&2; exit 1; }

# C++ users start from the _INIT macros of the options.
{
    printf '#include <%s>\n' xta/xta.h xta/bridge.h xta/picture.h
    sed -n 's/^#define \(XTA_[A-Z]*\)_OPTIONS_INIT.*/\1/p' include/xta/*.h | while read -r name; do
        type=$(printf '%s' "${name#XTA_}" | tr '[:upper:]' '[:lower:]')
        echo "xta_${type}_options ${type}_options = ${name}_OPTIONS_INIT;"
    done
} >"$work/init.cc"
[ "$(grep -c OPTIONS_INIT "$work/init.cc")" -ge 6 ]
g++ -std=c++17 "${strict[@]}" -Iinclude "$work/init.cc"
clang++ -std=c++17 "${strict[@]}" -Iinclude "$work/init.cc"

# The folders of libxta; those above may have foreign headers in theirs.
doors=0
for name in $(awk '!/^#/ && NF && $2 != "public" { print $1 }' src/LAYERS); do
    if [ -f "src/$name/$name.h" ]; then
        printf '#include "%s/%s.h"\nint only(void);\nint only(void) { return 0; }\n' \
            "$name" "$name" >"$work/door.c"
        gcc -std=c11 "${strict[@]}" -Iinclude -Isrc "$work/door.c"
        doors=$((doors + 1))
    fi
done
[ "$doors" -ge 8 ] || { echo "header_alone: only $doors doors" >&2; exit 1; }
echo "header_alone: $count headers in two languages and two compilers, $doors doors"

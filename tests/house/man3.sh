#!/bin/bash
# Section 3 of the manual: mandoc has no warning about any page; every function that a header declares has a page, whose
# synopsis, formatted, is its prototype; links lead to pages; a contract that is changed changes the page.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "man3: $*" >&2
    exit 1
}

maker=$XTA_SOURCE_DIR/tools/make_man3
"$maker" --out "$work/man3"
cd "$work/man3"
mapfile -t pages < <(grep -L '^\.so ' -- *.3)
mandoc -T lint -W warning "${pages[@]}" >"$work/lint" || {
    cat "$work/lint"
    fail "mandoc has warnings"
}

# The functions are those that the preprocessor leaves of the headers' own text: XTA_API, then the first name before `(`.
functions=0
while read -r name; do
    [ -f "$name.3" ] || fail "$name has no page"
    page=$name.3
    read -r request target <"$page"
    [ "$request" != .so ] || page=${target#man3/}
    [ -f "$page" ] || fail "the page of $name leads to $page, which is missing"
    grep -q "^\.Fo $name\$" "$page" || fail "$page has no synopsis of $name"
    functions=$((functions + 1))
done < <(sed '/^#/d; s|//.*||; s|^ \*.*||; s|/\*.*\*/||' "$XTA_SOURCE_DIR"/*/include/xta/*.h "$XTA_SOURCE_DIR"/*/include/xta/*/*.h |
    tr '\n' ' ' | grep -oE 'XTA_API [^;(]*\(' | sed -E 's/.*[ *]([A-Za-z_0-9]+) ?\($/\1/' | sort -u)
[ "$functions" -gt 500 ] || fail "only $functions functions found in the headers"

# In words as well: a page as it is read.
mandoc -T ascii xta_array_lifetime.3 | sed 's/.\x08//g' >"$work/page"
for words in 'xta_array_open(const char \*path, const xta_open_options \*options,' 'XTA_EBUSY' \
    'The journal is read once, from its latest checkpoint on; no data is' '#include <xta/array_lifetime.h>'; do
    grep -q "$words" "$work/page" || fail "xta_array_lifetime(3) does not say: $words"
done

# A function that is gone takes its page with it, one that is new gets one.
mkdir -p "$work/tree/core/include/xta" "$work/tree/core/src"
touch "$work/tree/core/CMakeLists.txt"
header=$work/tree/core/include/xta/small.h
printf '/** @file\n * Small things.\n */\n/** Add. */\nXTA_API int xta_old(int a);\n' >"$header"
"$maker" --root "$work/tree" --out "$work/small"
[ -f "$work/small/xta_old.3" ] || fail "xta_old has no page"
sed -i 's/xta_old(int a)/xta_new(const char *text, int (*each)(void *, int), void *user)/' "$header"
"$maker" --root "$work/tree" --out "$work/small"
[ ! -e "$work/small/xta_old.3" ] || fail "the page of a function that is gone remains"
grep -qxF '.Fa "int (*each)(void *, int)"' "$work/small/xta_small.3" || fail "a parameter is cut at its inner comma"
"$maker" --root "$work/tree" --list core >"$work/list"
grep -qx xta_new.3 "$work/list" || fail "--list does not name xta_new.3"
echo "man3: ${#pages[@]} pages, $functions functions"

#!/bin/bash
# Every C file has the format that .clang-format describes. `make format` gives it.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$XTA_SOURCE_DIR"
# Products, tests, examples and everything else that is built.
lists=(*/CMakeLists.txt)
mapfile -d '' files < <(find "${lists[@]%/*}" \( -name '*.[ch]' -o -name '*.cpp' \) -print0 | sort -z)
[ ${#files[@]} -gt 10 ] || { echo "clang_format: only ${#files[@]} files found" >&2; exit 1; }
# One line for each file is enough.
if ! clang-format-14 --dry-run --Werror --ferror-limit=1 "${files[@]}" 2>"${TMPDIR:-/tmp}/format.$$"; then
    grep -E '^[^ ]+:[0-9]+:[0-9]+: error' "${TMPDIR:-/tmp}/format.$$" | sort -u -t: -k1,1 >&2 || true
    rm -f "${TMPDIR:-/tmp}/format.$$"
    echo "clang_format: run 'make format'" >&2
    exit 1
fi
rm -f "${TMPDIR:-/tmp}/format.$$"
echo "clang_format: ${#files[@]} files"

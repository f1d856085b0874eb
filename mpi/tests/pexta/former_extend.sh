#!/bin/bash
# The former PEXTA_Extend, with int64_t lengths, does not compile, and the compiler names PEXTA_Extend64; the present one
# does, also through a function pointer.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"
includes=(-Icore/include -Impi/include)
fail() {
    echo "former_extend: $*" >&2
    exit 1
}

# compile NAME COMPILER STATEMENTS
compile() {
    printf '#include <xta/pexta.h>\nint grow(int p_a);\nint grow(int p_a)\n{\n%s\n}\n' "$3" >"$work/$1.c"
    "$2" -std=c11 -O0 -Wall -Wextra -Werror "${includes[@]}" -c -o "$work/$1.o" "$work/$1.c" 2>"$work/$1.log"
}

for compiler in gcc clang; do
    compile present "$compiler" '    size_t more[2] = {1, 2}, order[2] = {1, 0};
    int request = 0;
    int (*const extend)(int, size_t[], size_t[], int *) = PEXTA_Extend;
    return PEXTA_Extend(p_a, more, NULL, &request) + extend(p_a, more, order, NULL);' ||
        fail "$compiler refuses the present form: $(cat "$work/present.log")"
    compile lengths "$compiler" '    const int64_t more[2] = {1, 2};
    return PEXTA_Extend(p_a, more, NULL, NULL);' && fail "$compiler takes int64_t lengths"
    grep -q PEXTA_Extend64 "$work/lengths.log" || fail "$compiler does not name PEXTA_Extend64: $(cat "$work/lengths.log")"
    compile result "$compiler" '    size_t more[2] = {1, 2};
    int64_t lengths[2];
    return PEXTA_Extend(p_a, more, lengths, NULL);' && fail "$compiler takes int64_t as the order"
    grep -q PEXTA_Extend64 "$work/result.log" || fail "$compiler does not name PEXTA_Extend64: $(cat "$work/result.log")"
done
echo "former_extend: refused by both compilers"

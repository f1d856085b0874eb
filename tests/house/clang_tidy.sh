#!/bin/bash
# clang-tidy finds nothing in the libraries and the tools; .clang-tidy lists the checks.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"

# Only C and C++, and only what this build compiles: a build without a bridge's library has no commands for its files.
# Files compiled for each MPI have several commands, of which the first is used.
mapfile -t files < <(/usr/bin/python3 - "$XTA_BUILD_DIR/compile_commands.json" "$work" <<'END'
import json, os, re, sys
ours = re.compile(re.escape(os.getcwd()) + r"/\w+/(src|tool)/.*\.(c|cc|cpp)$")
with open(sys.argv[1], encoding="utf-8") as handle:
    entries = json.load(handle)
first = {entry["file"]: entry for entry in reversed(entries) if ours.match(entry["file"])}
with open(os.path.join(sys.argv[2], "compile_commands.json"), "w", encoding="utf-8") as handle:
    json.dump(list(first.values()), handle)
print("\n".join(sorted(first)))
END
)
[ ${#files[@]} -gt 10 ] || { echo "clang_tidy: only ${#files[@]} files found" >&2; exit 1; }

# clang does not know gcc's own warnings, and -Werror would turn unknown ones into errors. The
# analyzer gives up on a function after 50,000 states instead of 225,000: a fifth of the time, and its findings up to
# then are still reported. Of gcc's own headers it gets that of Fortran's descriptors alone; it has others of its own.
ln -s "$(gcc -print-file-name=include/ISO_Fortran_binding.h)" "$work/"
# It has the processors while tests of many ranks wait for each other, and its memory in huge pages where there are any.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
printf '%s\0' "${files[@]}" | nice -n 19 xargs -0 -n 16 clang-tidy-14 -quiet \
    -p "$work" --extra-arg=-idirafter --extra-arg="$work" \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-error \
    --extra-arg=-Xclang --extra-arg=-analyzer-config \
    --extra-arg=-Xclang --extra-arg=max-nodes=50000
echo "clang_tidy: ${#files[@]} files"

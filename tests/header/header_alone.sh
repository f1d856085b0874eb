#!/bin/bash
# Each public header compiles alone, twice in one file, in C11 -pedantic and in C++17, with gcc and clang;
# and each @param of its comments names a parameter that there is. Doors of src/ stand alone, too. Headers of
# the parallel layer do so with each MPI that is there.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"
strict=(-Wall -Wextra -Wpedantic -pedantic-errors -Wshadow -Werror -fsyntax-only)
count=0

# Foreign headers are not held to our warnings. A folder that compilers look into anyway must not be named.
foreign() {
    local folder
    for folder in "$@"; do
        [ "$folder" = /usr/include ] || [ -z "$folder" ] || printf '%s\n' -isystem "$folder"
    done
}

# alone HEADER [OPTION...]
alone() {
    local header=$1
    shift
    printf '#include <%s>\n#include <%s>\nint only(void);\nint only(void) { return 0; }\n' \
        "$header" "$header" >"$work/one.c"
    cp "$work/one.c" "$work/one.cc"
    gcc -std=c11 "${strict[@]}" -Wstrict-prototypes -Iinclude "$@" "$work/one.c"
    clang -std=c11 "${strict[@]}" -Wdocumentation -Iinclude "$@" "$work/one.c"
    g++ -std=c++17 "${strict[@]}" -Iinclude "$@" "$work/one.cc"
    clang++ -std=c++17 "${strict[@]}" -Iinclude "$@" "$work/one.cc"
    count=$((count + 1))
}

# Headers that need <mpi.h> or Global Arrays, and those that do not.
plain=() parallel=() pexta=()
while IFS= read -r path; do
    if grep -qE '^# *include <(ga|ga-mpi|macdecls|dra)\.h>' "$path"; then
        pexta+=("${path#include/}")
    elif grep -qE '^# *include <(mpi|xta/parallel)\.h>' "$path"; then
        parallel+=("${path#include/}")
    else
        plain+=("${path#include/}")
    fi
done < <(find include -name '*.h' | sort)

for header in "${plain[@]}"; do
    alone "$header"
done
[ "$count" -ge 9 ] || { echo "header_alone: only $count headers" >&2; exit 1; }
for one in ${XTA_MPI_FOLDERS:-}; do
    mpi=${one%%:*}
    IFS=: read -r -a folders <<<"${one#*:}"
    mapfile -t options < <(foreign "${folders[@]}")
    for header in "${parallel[@]}"; do
        alone "$header" "${options[@]}"
    done
    case " ${XTA_GA_MPIS:-} " in
    *" $mpi "*) ;;
    *) continue ;;
    esac
    mapfile -t -O "${#options[@]}" options < <(foreign "$XTA_GA_FOLDER")
    for header in "${pexta[@]}"; do
        alone "$header" "${options[@]}"
    done
done

# C++ users start from the _INIT macros of the options.
{
    printf '#include <%s>\n' "${plain[@]}"
    for header in "${plain[@]}"; do
        sed -n 's/^#define \(XTA_[A-Z]*\)_OPTIONS_INIT.*/\1/p' "include/$header"
    done | while read -r name; do
        type=$(printf '%s' "${name#XTA_}" | tr '[:upper:]' '[:lower:]')
        echo "xta_${type}_options ${type}_options = ${name}_OPTIONS_INIT;"
    done
    echo "xta_distribution distribution = XTA_DISTRIBUTION_INIT;"
} >"$work/init.cc"
[ "$(grep -c OPTIONS_INIT "$work/init.cc")" -ge 6 ]
g++ -std=c++17 "${strict[@]}" -Iinclude "$work/init.cc"
clang++ -std=c++17 "${strict[@]}" -Iinclude "$work/init.cc"
if [ -n "${XTA_MPI_FOLDERS:-}" ]; then
    printf '#include <%s>\n%s\n' xta/parallel.h \
        'xta_parallel_options parallel_options = XTA_PARALLEL_OPTIONS_INIT;' >"$work/init.cc"
    g++ -std=c++17 "${strict[@]}" -Iinclude "${options[@]}" "$work/init.cc"
    clang++ -std=c++17 "${strict[@]}" -Iinclude "${options[@]}" "$work/init.cc"
fi

# The folders of libxta; those above may have foreign headers in theirs.
doors=0
for name in $(awk '!/^#/ && NF && $2 != "public" && !/ mpi/ { print $1 }' src/LAYERS); do
    if [ -f "src/$name/$name.h" ]; then
        printf '#include "%s/%s.h"\nint only(void);\nint only(void) { return 0; }\n' \
            "$name" "$name" >"$work/door.c"
        gcc -std=c11 "${strict[@]}" -Iinclude -Isrc "$work/door.c"
        doors=$((doors + 1))
    fi
done
[ "$doors" -ge 8 ] || { echo "header_alone: only $doors doors" >&2; exit 1; }
echo "header_alone: $count headers in two languages and two compilers, $doors doors"

#!/bin/bash
# Each public header compiles alone, twice in one file, in C11 -pedantic and in C++17, with gcc and clang;
# and each @param of its comments names a parameter that there is. Headers inside libxta stand alone, too. Headers of
# the parallel layer do so with each MPI that is there.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1 # the compilers' memory in huge pages
includes=()
for folder in */include; do
    includes+=("-I$folder")
done
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
    gcc -std=c11 "${strict[@]}" -Wstrict-prototypes "${includes[@]}" "$@" "$work/one.c"
    clang -std=c11 "${strict[@]}" -Wdocumentation "${includes[@]}" "$@" "$work/one.c"
    g++ -std=c++17 "${strict[@]}" "${includes[@]}" "$@" "$work/one.cc"
    clang++ -std=c++17 "${strict[@]}" "${includes[@]}" "$@" "$work/one.cc"
    count=$((count + 1))
}

# Headers that need <mpi.h>, Global Arrays, or libraries of other formats, and those that do not.
plain=() parallel=() pexta=() maps=()
while IFS= read -r path; do
    if grep -qE '^# *include <(ga|ga-mpi|macdecls|dra)\.h>' "$path"; then
        pexta+=("${path#*/include/}")
    elif grep -qE '^# *include <(mpi|xta/parallel)\.h>' "$path"; then
        parallel+=("${path#*/include/}")
    elif grep -qE '^# *include <(hdf5|netcdf|fitsio)\.h>' "$path"; then
        maps+=("${path#*/include/}")
    else
        plain+=("${path#*/include/}")
    fi
done < <(find ./*/include/xta -name '*.h' | sort)

for header in "${plain[@]}"; do
    alone "$header"
done
[ "$count" -ge 30 ] || { echo "header_alone: only $count headers" >&2; exit 1; }
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

# Mappings: that of HDF5 with each HDF5 that is there, the others with the serial one.
for flavour in ${XTA_MAPS:-}; do
    read -r -a folders < <(pkg-config --cflags-only-I "hdf5-$flavour" | sed 's/-I//g')
    mapfile -t options < <(foreign "${folders[@]}")
    for header in "${maps[@]}"; do
        [ "$flavour" = serial ] || [ "$header" = xta/map_hdf5.h ] || continue
        # A build may lack NetCDF or CFITSIO.
        grep -hE '^# *include <(hdf5|netcdf|fitsio)\.h>' "formats/include/$header" |
            gcc -E "${options[@]}" -o /dev/null -x c - 2>/dev/null || continue
        alone "$header" "${options[@]}"
    done
done

# C++ users start from the _INIT macros of the options.
{
    printf '#include <%s>\n' "${plain[@]}"
    for header in "${plain[@]}"; do
        sed -n 's/^#define \(XTA_[A-Z]*\)_OPTIONS_INIT.*/\1/p' ./*/include/"$header"
    done | while read -r name; do
        type=$(printf '%s' "${name#XTA_}" | tr '[:upper:]' '[:lower:]')
        echo "xta_${type}_options ${type}_options = ${name}_OPTIONS_INIT;"
    done
    echo "xta_distribution distribution = XTA_DISTRIBUTION_INIT;"
} >"$work/init.cc"
[ "$(grep -c OPTIONS_INIT "$work/init.cc")" -ge 6 ]
g++ -std=c++17 "${strict[@]}" "${includes[@]}" "$work/init.cc"
clang++ -std=c++17 "${strict[@]}" "${includes[@]}" "$work/init.cc"
if [ -n "${XTA_MPI_FOLDERS:-}" ]; then
    printf '#include <%s>\n%s\n' xta/parallel.h \
        'xta_parallel_options parallel_options = XTA_PARALLEL_OPTIONS_INIT;' >"$work/init.cc"
    g++ -std=c++17 "${strict[@]}" "${includes[@]}" "${options[@]}" "$work/init.cc"
    clang++ -std=c++17 "${strict[@]}" "${includes[@]}" "${options[@]}" "$work/init.cc"
fi

# Headers inside libxta, with what .c files ask of the system; those of the products above may have foreign headers in theirs.
inside=0
while IFS= read -r path; do
    printf '#include "%s"\nint only(void);\nint only(void) { return 0; }\n' "${path#*/src/}" >"$work/inside.c"
    gcc -std=c11 "${strict[@]}" -D_GNU_SOURCE "${includes[@]}" -Icore/src "$work/inside.c"
    inside=$((inside + 1))
done < <(find core/src -name '*.h' | sort)
[ "$inside" -ge 140 ] || { echo "header_alone: only $inside headers inside" >&2; exit 1; }
echo "header_alone: $count headers in two languages and two compilers, $inside inside libxta"

#!/bin/bash
# The files installed by `cmake --install` are sufficient: a program builds and runs against them by pkg-config and by
# find_package, the tool runs from there, and DESTDIR is honoured. Nothing accesses the build folder.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
fail() {
    echo "install_test: $*" >&2
    exit 1
}

DESTDIR='' cmake --install "$XTA_BUILD_DIR" --prefix "$prefix" >"$work/log" || {
    cat "$work/log"
    fail "cmake --install failed"
}
version=$(head -n 1 "$XTA_SOURCE_DIR/VERSION")
while IFS= read -r header; do
    # Without MPI, or Global Arrays, the headers that need them are not installed.
    case "$header" in
    xta/parallel.h | xta/drxmp.h | xta/drxmpx.h) [ -n "${XTA_MPIS:-}" ] || continue ;;
    xta/pexta.h | xta/compat/dra.h) [ -n "${XTA_GA_MPIS:-}" ] || continue ;;
    xta/map_*.h | xta/mapping.h) [ -n "${XTA_MAPS:-}" ] || continue ;;
    esac
    [ -f "$prefix/include/$header" ] || fail "$header is missing"
done < <(cd "$XTA_SOURCE_DIR" && find ./*/include/xta -name '*.h' | sed 's|.*/include/||')
for page in "$XTA_SOURCE_DIR"/*/man/*.[15]; do
    [ -f "$prefix/share/man/man${page##*.}/$(basename "$page")" ] || fail "$page is missing"
done
if [ -d "$XTA_BUILD_DIR/man3" ]; then
    [ -f "$prefix/share/man/man3/xta_array_open.3" ] || fail "section 3 of the manual is missing"
fi
if [ -f "$XTA_SOURCE_DIR/tools/completion/xta.bash" ]; then
    [ -f "$prefix/share/bash-completion/completions/xta" ] || fail "the completion is missing"
    if [ -d "$XTA_BUILD_DIR/completion" ]; then
        [ -f "$prefix/share/zsh/site-functions/_xta" ] || fail "the completion for zsh is missing"
        [ -f "$prefix/share/fish/vendor_completions.d/xta.fish" ] || fail "the completion for fish is missing"
    fi
fi
if grep -rlI -e "$XTA_SOURCE_DIR" -e "$XTA_BUILD_DIR" "$prefix"; then
    fail "these installed files name the source or the build folder"
fi

# Nor do the files of CMake have any other path of this machine: their users find MPI and Global Arrays on their own
# machine.
if grep -rnE --include='*.cmake' '(^|[";> ])(-[IL])?/[A-Za-z]' "$prefix"; then
    fail "these lines of the installed CMake files name a place of this machine"
fi

# The tool runs from where it was installed, and from where it is moved to.
"$prefix/bin/xta" --version | grep -qF "$version" || fail "xta --version does not say $version"
mv "$prefix" "$work/moved"
prefix=$work/moved
"$prefix/bin/xta" --version | grep -qF "$version" || fail "the moved xta does not run"
"$prefix/bin/xta" extract --help >/dev/null || fail "the moved xta does not find the programs of its verbs"

mkdir "$work/user"
cat >"$work/user/main.c" <<'END'
#include <stdio.h>
#include <xta/bridge.h>
#include <xta/xta.h>

int main(void)
{
    xta_array *array = NULL;
    xta_error err;
    int64_t bounds[2] = {4, 3};

    if (xta_array_new(XTA_F64, 2, bounds, NULL, &array, &err) != XTA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    printf("%s %d %s\n", xta_version(), xta_array_ndim(array), xta_bridge_name(0));
    return xta_array_close(array, NULL) == XTA_OK ? 0 : 1;
}
END
libdir=$(dirname "$(find "$prefix" -name libxta.so | head -n 1)")
want="$version 2 "

# By pkg-config, shared; the static archive by hand, as without the shared one.
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -r -a flags < <(pkg-config --cflags --libs xta_formats)
"${XTA_CC:-cc}" -std=c11 -Wall -Werror -o "$work/user/by_pc" "$work/user/main.c" "${flags[@]}" \
    -Wl,-rpath,"$libdir"
"$work/user/by_pc" | grep -qF "$want" || fail "the program built by pkg-config is wrong"
for module in xta xta_formats xta_reduce; do
    [ "$(pkg-config --modversion $module)" = "$version" ] || fail "$module.pc has another version"
done

cat >"$work/user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(xta REQUIRED COMPONENTS xta formats reduce)
add_executable(user main.c)
target_link_libraries(user PRIVATE xta::xta xta::formats xta::reduce)
file(WRITE ${CMAKE_BINARY_DIR}/static.c
  "#include <xta/xta.h>\nint main(void) { return xta_version()[0] == 0; }\n")
add_executable(user_static ${CMAKE_BINARY_DIR}/static.c)
target_link_libraries(user_static PRIVATE xta::static)
END
if ! { cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$prefix" &&
    cmake --build "$work/user/build"; } >"$work/log" 2>&1; then
    cat "$work/log"
    fail "the program that uses find_package does not build"
fi
"$work/user/build/user" | grep -qF "$want" || fail "the program built by find_package is wrong"
"$work/user/build/user_static" || fail "the program with the static archive is wrong"

# The parallel layer, for each MPI, by pkg-config and by find_package, with the compiler and without wrappers;
# the same under the plain names, which are those of one of the MPIs.
cat >"$work/user/many.c" <<'END'
#include <stdio.h>
#include <xta/parallel.h>

int main(int argc, char **argv)
{
    xta_parallel *array = NULL;
    xta_error err;
    int64_t bounds[2] = {4, 3};

    MPI_Init(&argc, &argv);
    if (argc < 2 || xta_parallel_create(MPI_COMM_WORLD, argv[1], XTA_F64, 2, bounds, NULL, NULL, &array,
                                        &err) != XTA_OK ||
        xta_parallel_close(array, &err) != XTA_OK) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
END
# The minimum that a program of Global Arrays needs, in two lines, with one of our names.
cat >"$work/user/arrays.c" <<'END'
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <xta/pexta.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    GA_Initialize();
    int code = PEXTA_Init(-1, -1, -1, -1) == 0 && PEXTA_Terminate() == 0 ? 0 : 1;
    GA_Terminate();
    MPI_Finalize();
    return code;
}
END
cat >"$work/user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(xta REQUIRED COMPONENTS parallel-${MPI})
add_executable(many_${MPI} many.c)
target_link_libraries(many_${MPI} PRIVATE xta::parallel-${MPI})
if(GA)
  find_package(xta REQUIRED COMPONENTS pexta-${MPI} pexta_dra-${MPI})
  foreach(library pexta pexta_dra)
    add_executable(${library}_${MPI} arrays.c)
    target_link_libraries(${library}_${MPI} PRIVATE xta::${library}-${MPI})
  endforeach()
endif()
END

# by_pc MODULE SOURCE PROGRAM [FLAG...]
by_pc() {
    local flags
    read -r -a flags < <(pkg-config --cflags --libs "$1")
    "${XTA_CC:-cc}" -std=c11 -Wall "${@:4}" -o "$3" "$2" "${flags[@]}" -Wl,-rpath,"$libdir" || fail "$1.pc is not enough"
}

# runs MPI PROGRAM [ARGUMENT...]: on $ranks ranks
ranks=2
runs() {
    bash "$XTA_SOURCE_DIR/mpi/tests/parallel/run.sh" "$1" $ranks "${@:2}" >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "${2##*/} does not run under $1"
    }
}
built=$work/user/build
for mpi in ${XTA_MPIS:-}; do
    ga=OFF
    case " ${XTA_GA_MPIS:-} " in *" $mpi "*) ga=ON ;; esac
    by_pc "xta_parallel-$mpi" "$work/user/many.c" "$work/user/many_pc"
    runs "$mpi" "$work/user/many_pc" "$work/many_pc_$mpi"
    # The prototypes of [DRX] IV.C as function pointers, with the zones of its four processes; and its listing.
    by_pc "xta_parallel-$mpi" "$XTA_SOURCE_DIR/mpi/tests/parallel/test_drxmp_calls.c" "$work/user/calls" -Wextra -Werror
    ranks=4 runs "$mpi" "$work/user/calls"
    for zone in '{0,1,2,3,4,5}' '{6,7,8,12,13,14}' '{9,10,16,17}' '{11,15,18,19}'; do
        grep -qxF "$zone" "$work/log" || fail "the calls of [DRX] IV.C do not print the zone $zone under $mpi"
    done
    by_pc "xta_parallel-$mpi" "$XTA_SOURCE_DIR/examples/drxmp_listing.c" "$work/user/listing" -Wextra -Werror
    rm -rf "$built"
    if ! { cmake -S "$work/user" -B "$built" -DCMAKE_PREFIX_PATH="$prefix" -DMPI="$mpi" -DGA=$ga &&
        cmake --build "$built"; } >"$work/log" 2>&1; then
        cat "$work/log"
        fail "the $mpi program that uses find_package does not build"
    fi
    runs "$mpi" "$built/many_$mpi" "$work/many_$mpi"
    if [ $ga = ON ]; then
        for name in pexta pexta_dra; do
            by_pc "$name-$mpi" "$work/user/arrays.c" "$work/user/arrays_pc"
            runs "$mpi" "$work/user/arrays_pc"
            runs "$mpi" "$built/${name}_$mpi"
        done
    fi
done
if [ -n "${XTA_MPIS:-}" ]; then
    [ -e "$libdir/libxta_parallel.so" ] || fail "libxta_parallel.so is missing, or leads nowhere"
    by_pc xta_parallel "$work/user/many.c" "$work/user/many_plain"
    # The plain names in CMake, in one project with the others; without components; and where there is no MPI.
    read -r first _ <<<"$XTA_MPIS"
    ga=
    case " ${XTA_GA_MPIS:-} " in *" $first "*) ga='pexta pexta_dra' ;; esac
    cat >"$work/user/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(xta REQUIRED COMPONENTS parallel $ga parallel-$first xta)
add_executable(many_plain many.c)
target_link_libraries(many_plain PRIVATE xta::parallel)
foreach(library $ga)
  add_executable(\${library}_plain arrays.c)
  target_link_libraries(\${library}_plain PRIVATE xta::\${library})
endforeach()
END
    configure() { cmake -S "$work/user" -B "$built" -DCMAKE_PREFIX_PATH="$prefix" "$@" >"$work/log" 2>&1; }
    rm -rf "$built"
    if ! { configure && cmake --build "$built" >"$work/log" 2>&1; }; then
        cat "$work/log"
        fail "the program of find_package(xta COMPONENTS parallel) does not build"
    fi
    runs "$first" "$built/many_plain" "$work/many_by_cmake"
    for name in $ga; do
        runs "$first" "$built/${name}_plain"
    done
    sed -i 's/ COMPONENTS .*/)/' "$work/user/CMakeLists.txt"
    rm -rf "$built"
    configure || {
        cat "$work/log"
        fail "find_package without components does not give xta::parallel"
    }
    sed -i 's/^find_package.*/find_package(xta REQUIRED COMPONENTS parallel)/' "$work/user/CMakeLists.txt"
    rm -rf "$built"
    ! configure -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DXTA_MPICC_"$first"="$(command -v false)" ||
        fail "find_package says that there is an MPI where there is none"
    tr -s ' \n' ' ' <"$work/log" | grep -q "parallel needs the MPI $first" || {
        cat "$work/log"
        fail "find_package does not say that the MPI is missing"
    }
fi

# Mappings, for each HDF5, by pkg-config and by find_package. The programs are those of examples/.
mkdir "$work/maps"
cp "$XTA_SOURCE_DIR"/examples/{map_hdf5.c,map_netcdf.c,map_fits.c,example.h} "$work/maps"
cat >"$work/maps/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(maps C)
find_package(xta REQUIRED COMPONENTS map-${FLAVOUR})
foreach(name ${NAMES})
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE xta::map-${FLAVOUR})
endforeach()
END
for flavour in ${XTA_MAPS:-}; do
    names=map_hdf5
    if [ "$flavour" = serial ]; then
        for module in netcdf fits; do
            [ ! -f "$prefix/include/xta/map_$module.h" ] || names="$names;map_$module"
        done
    fi
    rm -rf "$built"
    if ! { cmake -S "$work/maps" -B "$built" -DCMAKE_PREFIX_PATH="$prefix" -DFLAVOUR="$flavour" -DNAMES="$names" &&
        cmake --build "$built"; } >"$work/log" 2>&1; then
        cat "$work/log"
        fail "the mappings of $flavour by find_package do not build"
    fi
    for name in ${names//;/ }; do
        (cd "$work/maps" && "$built/$name" >/dev/null) || fail "$name of $flavour does not run"
        by_pc "xta_map-$flavour" "$work/maps/$name.c" "$work/maps/$name"
        (cd "$work/maps" && ./"$name" >/dev/null) || fail "$name of $flavour, by pkg-config, does not run"
    done
done

# DESTDIR is put before the prefix.
DESTDIR=$work/stage cmake --install "$XTA_BUILD_DIR" --prefix /usr >/dev/null
[ -x "$work/stage/usr/bin/xta" ] || fail "DESTDIR is not honoured"
echo "install_test: installed, moved, used by pkg-config and by find_package (MPI: ${XTA_MPIS:-none}; mappings: ${XTA_MAPS:-none}), staged"

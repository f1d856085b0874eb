#!/bin/bash
# What `cmake --install` leaves behind is enough: a program builds and runs against it by pkg-config and
# by find_package, the tool runs from there, and DESTDIR is honoured. Nothing looks into the build.
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
for header in "$XTA_SOURCE_DIR"/include/xta/*.h; do
    [ -f "$prefix/include/xta/$(basename "$header")" ] || fail "$(basename "$header") is missing"
done
for page in "$XTA_SOURCE_DIR"/docs/man/*.[15]; do
    [ -e "$page" ] || continue
    [ -f "$prefix/share/man/man${page##*.}/$(basename "$page")" ] || fail "$page is missing"
done
if [ -f "$XTA_SOURCE_DIR/tools/completion/xta.bash" ]; then
    [ -f "$prefix/share/bash-completion/completions/xta" ] || fail "the completion is missing"
fi
if grep -rlI -e "$XTA_SOURCE_DIR" -e "$XTA_BUILD_DIR" "$prefix"; then
    fail "these installed files name the source or the build folder"
fi

# The tool runs from where it was put, and from where it is moved to.
"$prefix/bin/xta" --version | grep -qF "$version" || fail "xta --version does not say $version"
mv "$prefix" "$work/moved"
prefix=$work/moved
"$prefix/bin/xta" --version | grep -qF "$version" || fail "the moved xta does not run"

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

# By pkg-config, shared; the static archive by hand, as somebody without the shared one would.
export PKG_CONFIG_PATH=$libdir/pkgconfig
read -r -a flags < <(pkg-config --cflags --libs xta_bridge)
"${XTA_CC:-cc}" -std=c11 -Wall -Werror -o "$work/user/by_pc" "$work/user/main.c" "${flags[@]}" \
    -Wl,-rpath,"$libdir"
"$work/user/by_pc" | grep -qF "$want" || fail "the program built by pkg-config is wrong"
[ "$(pkg-config --modversion xta)" = "$version" ] || fail "xta.pc has another version"

cat >"$work/user/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(xta REQUIRED COMPONENTS xta bridge)
add_executable(user main.c)
target_link_libraries(user PRIVATE xta::xta xta::bridge)
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

# DESTDIR is put before the prefix.
DESTDIR=$work/stage cmake --install "$XTA_BUILD_DIR" --prefix /usr >/dev/null
[ -x "$work/stage/usr/bin/xta" ] || fail "DESTDIR is not honoured"
echo "install_test: installed, moved, used by pkg-config and by find_package, staged"

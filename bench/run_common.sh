#!/bin/bash
# Sourced by the run.sh of each product's benchmarks.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# build_bench SOURCE BUILD LOG [OPTION...]: configure and build with the options of `cmake --build`; if that fails,
# print the log and end.
build_bench() {
    local source=$1 build=$2 log=$3
    if ! cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF \
        >"$log" 2>&1 ||
        ! cmake --build "$build" -j 2 "${@:4}" >>"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
}

# has_gib FOLDER N: whether N GiB are free there.
has_gib() {
    [ "$(df -Pk "$1" | awk 'NR == 2 { print $4 }')" -ge $(($2 * 1024 * 1024)) ]
}

# commit_of SOURCE: what is measured, for the tables.
commit_of() {
    git -C "$1" describe --always --dirty 2>/dev/null || echo unknown
}

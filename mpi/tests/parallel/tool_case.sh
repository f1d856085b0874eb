#!/bin/bash
# Sourced at the start of a test of xta-mpi: its arguments, a folder of its own, and counted checks.
#
#   TEST.sh <flavour> <xta-mpi> <xta> <number of ranks...>
#
# Sets flavour, program, xta, runner, source_dir, python and work, enters the folder $work, and leaves the numbers of
# ranks as arguments.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034  # the variables are for the test
set -euo pipefail
flavour=$1 program=$(realpath "$2") xta=$(realpath "$3")
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(cd "$here/../../.." && pwd)
runner=$here/run.sh
command -v "${XTA_MPIRUN:-mpirun.$flavour}" >/dev/null || {
    echo "$(basename "$0"): there is no launcher: skipped"
    exit 77
}
python=/usr/bin/python3
[ -x "$python" ] || python=python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0 checks=0

complain() {
    echo "not so: $*" >&2
    failed=$((failed + 1))
}

check() { # WHAT COMMAND...
    local what=$1
    checks=$((checks + 1))
    "${@:2}" || complain "$what"
}

# Print the counts; fails if a check failed, or if there were fewer than expected.
the_end() { # NUMBER
    echo "$checks checks, $failed failed"
    [ "$failed" = 0 ] && [ "$checks" -ge "$1" ]
}

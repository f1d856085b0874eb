#!/bin/bash
# Run one MPI test: run.sh <flavour> <number of ranks> <program> [argument...]
#
# The program runs in an empty folder, which $XTA_TEST_DIR names and which is removed afterwards. $XTA_TEST_RANKS is the
# number of ranks requested. $XTA_MPIRUN is the launcher; $XTA_TEST_SECONDS, the time after which a run counts as
# hanging (100). With XTA_TEST_MACHINES=1 each rank is alone on a machine that machine.sh simulates, and they
# communicate by TCP only; that needs root, or it is skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
[ $# -ge 3 ] || {
    echo "run.sh: want FLAVOUR RANKS PROGRAM [ARGUMENT...]" >&2
    exit 2
}
flavour=$1 ranks=$2 program=$(realpath "$3")
shift 3
launcher=${XTA_MPIRUN:-mpirun.$flavour}
command -v "$launcher" >/dev/null || {
    echo "run.sh: there is no $launcher: skipped"
    exit 77
}

XTA_TEST_DIR=$(mktemp -d)
trap 'rm -rf "$XTA_TEST_DIR"' EXIT
export XTA_TEST_DIR XTA_TEST_RANKS=$ranks
# One thread for each rank: the ranks outnumber the processors as it is.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
# The test itself checks for leaks, before MPI ends: see mpi_test.h.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}leak_check_at_exit=0

options=()
case "$flavour" in
openmpi)
    # More ranks than processors, without binding, yielding while they wait, and as root in a container.
    options=(--oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
    if [ "$(id -u)" -eq 0 ]; then
        options+=(--allow-run-as-root)
    fi
    ;;
mpich)
    # ARMCI-MPI needs it under MPICH, or Global Arrays hang or get wrong cells.
    export ARMCI_USE_WIN_ALLOCATE=0
    ;;
*)
    echo "run.sh: no MPI is called '$flavour' here (there are openmpi and mpich)" >&2
    exit 2
    ;;
esac

# One name for each rank: m0,m1,...
if [ "${XTA_TEST_MACHINES:-0}" = 1 ]; then
    XTA_TEST_LOCAL=$(mktemp -d)
    trap 'rm -rf "$XTA_TEST_DIR" "$XTA_TEST_LOCAL"' EXIT
    export XTA_TEST_LOCAL
    agent=$(dirname "$(realpath "$0")")/machine.sh
    if ! why=$("$agent" m0 true 2>&1); then
        echo "run.sh: SKIPPED: no machines can be simulated here (it takes root and mount namespaces): $why"
        exit 77
    fi
    machines=$(seq -s, -f 'm%g' 0 $((ranks - 1)))
    case "$flavour" in
    openmpi)
        options+=(-H "$machines" --mca plm_rsh_agent "$agent" --mca btl "self,tcp" --mca pml ob1
            --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo --mca osc ^ucx)
        ;;
    mpich)
        export UCX_TLS=tcp,self
        options+=(-launcher ssh -launcher-exec "$agent" -hosts "$machines" -localhost 127.0.0.1)
        ;;
    esac
fi

# In one of some 300 runs over TCP, MPI_Finalize of MPICH 4.0.2 never returns, also for a program that does
# nothing but a few reductions: a rank waits in PMI's barrier while another still needs it to close the
# connection (pmodels/mpich pull request 6596). In that case the outcome agreed by the ranks before that is the result.
log=""
if [ "$flavour" = mpich ] && [ "${XTA_TEST_MACHINES:-0}" = 1 ]; then
    log=$XTA_TEST_LOCAL/output
fi

code=0
cd "$XTA_TEST_DIR"
if [ -n "$log" ]; then
    exec > >(tee "$log")
fi
timeout -k 5 "${XTA_TEST_SECONDS:-100}" "$launcher" "${options[@]}" -n "$ranks" "$program" "$@" \
    </dev/null || code=$?
if [ "$code" -eq 124 ] && [ -n "$log" ] && grep -q "^$ranks ranks: [1-9][0-9]* checks, 0 failed$" "$log"; then
    echo "run.sh: every check had been made; MPI_Finalize of MPICH hung, as it may over TCP"
    code=0
fi
if [ "$code" -eq 124 ]; then
    echo "run.sh: still running after ${XTA_TEST_SECONDS:-100} s: taken for hanging" >&2
fi
exit "$code"

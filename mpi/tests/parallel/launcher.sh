#!/bin/bash
# Programs of one MPI and launchers of the other: refused with both names before anything is made, in both directions;
# and nothing is refused that was started correctly or is a single process by intent.
#
#   launcher.sh <folder of launcher_<mpi>> <folder of xta-mpi-<mpi>> <xta> <mpi>...
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
programs=$1 tools=$2 xta=$3
shift 3
runner=$(realpath "$(dirname "$0")/run.sh")
unset XTA_MPIRUN # each MPI has its own here
for mpi in "$@"; do
    command -v "mpirun.$mpi" >/dev/null || {
        echo "SKIPPED: there is no mpirun.$mpi"
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 checks=0
check() { # WHAT COMMAND...
    checks=$((checks + 1))
    "${@:2}" && return
    echo "not so: $1" >&2
    head -n 5 "$work/log" >&2
    failed=$((failed + 1))
}
# run COMMAND...: its output in log, its exit code in $code
run() {
    code=0
    "$@" >"$work/log" 2>&1 </dev/null || code=$?
}
name_of() { if [ "$1" = openmpi ]; then echo 'Open MPI'; else echo MPICH; fi; }
# refused WHAT LAUNCHER MPI VARIABLE: with the names of both, and how to go on; nothing is made
refused() {
    check "$1 ends in error" test "$code" -ne 0 -a "$code" -ne 124
    check "$1 names the launcher" grep -q "launcher of $2 has started 3 processes ($4)" "$work/log"
    check "$1 names its own MPI" grep -q "linked with $(name_of "$3")[^:]*.*launcher of that MPI (mpirun.$3)" \
        "$work/log"
    check "$1 makes nothing" test -z "$(ls "$work/out")"
}
went() { check "$1 goes well" test "$code" -eq 0; }
"$xta" create "$work/a" --type i32 --bounds 20,20 >/dev/null
mkdir "$work/out"
# own_folder FOLDER COMMAND...: with a TMPDIR of its own. Single processes of Open MPI that start at the same time can
# fail over the folder that each of them makes there ("mkdir ... File exists").
cat >"$work/own_folder" <<'END'
#!/bin/sh
TMPDIR=$(mktemp -d "$1/rank.XXXXXX") && export TMPDIR && shift && exec "$@"
END
chmod +x "$work/own_folder"

for own in "$@"; do
    program=$programs/launcher_$own tool=$tools/xta-mpi-$own
    for launcher in "$@"; do
        if [ "$launcher" = "$own" ]; then
            for what in all self whole; do
                run bash "$runner" "$own" 3 "$program" $what "$work/out/x"
                went "$what of 3 ranks of $own"
                check "$what has 3 ranks" grep -qx '3 ranks' "$work/log"
            done
            check "each rank has an array of its own" "$xta" check "$work/out/x2" >"$work/log"
            run bash "$runner" "$own" 2 "$tool" rechunk "$work/a" "$work/out/b" --chunk 5,5
            went "xta-mpi of $own"
            rm -rf "$work/out"/*
            continue
        fi
        variable=PMI_SIZE
        [ "$launcher" = mpich ] || variable=OMPI_COMM_WORLD_SIZE
        for what in all self whole; do
            run bash "$runner" "$launcher" 3 "$program" $what "$work/out/x"
            refused "$what of $own by $launcher" "$(name_of "$launcher")" "$own" $variable
            check "$what of $own by $launcher is XTA_ESTATE" grep -q '^XTA_ESTATE: ' "$work/log"
        done
        run bash "$runner" "$launcher" 3 "$program" open "$work/a"
        refused "open of $own by $launcher" "$(name_of "$launcher")" "$own" $variable
        run bash "$runner" "$launcher" 3 "$tool" rechunk "$work/a" "$work/out/b" --chunk 5,5
        refused "xta-mpi of $own by $launcher" "$(name_of "$launcher")" "$own" $variable
        run bash "$runner" "$launcher" 3 "$tool" hyper follow "$work/a" "$work/out/f"
        refused "xta-mpi hyper of $own by $launcher" "$(name_of "$launcher")" "$own" $variable
        run bash "$runner" "$launcher" 2 "$work/own_folder" "$work" "$tool" --version
        went "xta-mpi --version of $own by $launcher"

        # A single process is accepted whatever has started it, and so is one that a job of the other MPI has started by
        # its own launcher.
        run bash "$runner" "$launcher" 1 "$program" all "$work/out/x"
        went "one rank of $own by $launcher"
        rm -rf "$work/out"/*
        run env $variable=3 bash "$runner" "$own" 1 "$program" all "$work/out/x"
        went "one rank of $own within a job of $launcher"
        rm -rf "$work/out"/*
    done

    # Without a launcher; within the script of a Slurm job, or a step without support for starting MPI.
    for setting in XTA_NONE=3 SLURM_NTASKS=3 SLURM_STEP_NUM_TASKS=3; do
        run env $setting "$program" all "$work/out/x"
        went "$own alone with $setting"
        rm -rf "$work/out"/*
    done
    run env SLURM_STEP_NUM_TASKS=3 bash "$runner" "$own" 2 "$program" all "$work/out/x"
    went "2 ranks of $own within a step of Slurm"
    rm -rf "$work/out"/*
done

# A step of Slurm that offers PMIx to an MPI that does not support it.
run env SLURM_STEP_NUM_TASKS=3 PMIX_RANK=0 "$programs/launcher_mpich" all "$work/out/x"
refused "MPICH by a PMIx step" Slurm mpich SLURM_STEP_NUM_TASKS
run env SLURM_STEP_NUM_TASKS=3 PMIX_RANK=0 bash "$runner" mpich 1 "$programs/launcher_mpich" all "$work/out/x"
went "one rank of MPICH by its own launcher within a PMIx step"
echo "launcher: $checks checks, $failed failed"
[ "$failed" -eq 0 ]

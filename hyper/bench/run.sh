#!/usr/bin/env bash
# Build and run the bench of hyperspectral analysis (make bench-hyper): each step by XTA from an array file and by
# Spectral Python or a NumPy/SciPy program from memory, in turn; one thread and two; a tenth of the lines appended
# against a full run; one, two and four processes; and a scene four times the memory limit. Prints tables of ratios and
# writes OUT/hyper.md, and OUT/partition.csv of spectral against spatial partitioning. A slow machine is not a failure.
#
# usage: hyper/bench/run.sh [--small] [--out DIR] [--build DIR] [--rounds N]
#
#   --small       Samson and SalinasA only, and no processes
#   --out DIR     where the tables go and the work is done (default: bench-out beside the sources)
#   --build DIR   where it is built (default: build-bench)
#   --rounds N    how often everything is measured; the best counts (default: 3)
#
# Scenes: Samson, SalinasA (where the data is: $XTA_DATA, else ../shared/data) and one made by `xta hyper synth`
# of Salinas' size, 512 x 217 x 204, int16, 16 materials.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=bench/run_common.sh
source "$source_dir/bench/run_common.sh"
here=$source_dir/hyper/bench
out=$source_dir/bench-out
build=$source_dir/build-bench
data=${XTA_DATA:-$source_dir/../shared/data}
small=${XTA_BENCH_SMALL:-0}
rounds=3
while [ $# -gt 0 ]; do
    case $1 in
    --small) small=1 ;;
    --out) out=$2; shift ;;
    --build) build=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --help) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "hyper/bench/run.sh: no option $1; see --help" >&2; exit 2 ;;
    esac
    shift
done

mkdir -p "$out"
out=$(cd "$out" && pwd)
build_bench "$source_dir" "$build" "$out/build.log"
xta=$build/xta
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
# An OpenBLAS older than the processor uses its slowest kernels; the tool selects better ones when it starts (unless the
# user has set them), and the peers get the same.
flags=" $(sed -n 's/^flags[^:]*: //p' /proc/cpuinfo | head -n 1) "
if [ -z "${OPENBLAS_CORETYPE:-}" ]; then
    if [[ $flags == *" avx512f "* && $flags == *" avx512bw "* && $flags == *" avx512dq "* && $flags == *" avx512vl "* ]]; then
        export OPENBLAS_CORETYPE=SkylakeX
    elif [[ $flags == *" avx2 "* && $flags == *" fma "* ]]; then
        export OPENBLAS_CORETYPE=Haswell
    fi
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

work=$out/hyper-work
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
results=$out/hyper.csv
{
    echo "#,Commit $(commit_of "$source_dir"), $(sed -n \
        's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc --all) processors, OpenBLAS kernels for ${OPENBLAS_CORETYPE:-what it finds} on both sides, best of $rounds rounds."
} >"$results"

# note SCENE WHAT: lines `step,who,seconds` on standard input become rows.
note() {
    sed "s/^/$1,$2,/" | tee -a "$results" >&2
}

# measure SCENE STEP...: each step by the peers and by XTA in turn, so that other load affects both.
measure() {
    local scene=$1 step round
    shift
    for ((round = 1; round <= rounds; round++)); do
        for step in "$@"; do
            if "$python" "$here/peers.py" "$work/$scene.npy" "$work/$scene.csv" "$step" \
                >"$work/peer" 2>>"$out/hyper.log"; then
                note "$scene" 1 <"$work/peer"
            elif [ "$step" != moments ] && [ "$step" != amee3 ]; then
                echo "hyper/bench/run.sh: $scene, $step: no peer (see hyper.log)" >&2
            fi
            for threads in 1 2; do
                "$build/hyper/bench/bench_hyper" "$work/$scene" "$work/$scene.csv" "$work/scratch" $threads "$step" |
                    note "$scene" $threads
            done
        done
        "$build/hyper/bench/bench_hyper" "$work/$scene" "$work/$scene.csv" "$work/scratch" 1 append | note "$scene" 1
    done
}

steps=(moments pct ppi nfindr fcls labels amee amee3)
samson=$data/hyperspectral/samson
salinas=$data/hyperspectral/salinas
if [ -e "$samson/samson_1.img" ]; then
    "$xta" import "$samson/samson_1.img" "$work/samson_bands"
    "$python" - "$samson/samson_1.img" "$work/samson.npy" <<'PYTHON'
import sys
import numpy as np
cube = np.fromfile(sys.argv[1], dtype="<i2").reshape(156, 95, 95).transpose(1, 2, 0)
np.save(sys.argv[2], np.ascontiguousarray(cube))
PYTHON
    "$xta" import "$work/samson.npy" "$work/samson" --axes line,sample,band
    "$xta" hyper endmembers "$work/samson" "$work/samson.csv" --method sga --count 3
    measure samson "${steps[@]}"
fi
if [ -e "$salinas/SalinasA_corrected.mat" ]; then
    "$xta" import "$salinas/SalinasA_corrected.mat:salinasA_corrected" "$work/salinasA"
    "$xta" export "$work/salinasA" "$work/salinasA.npy"
    "$xta" hyper endmembers "$work/salinasA" "$work/salinasA.csv" --method sga --count 6
    measure salinasA "${steps[@]}"
fi
[ -e "$work/samson" ] || [ -e "$work/samson.xmd" ] || echo "hyper/bench/run.sh: NO REAL SCENES in $data" >&2

# processes SCENE: whole commands under MPI.
processes() {
    local scene=$1 ranks started ended
    local run=$build/xta-mpi-openmpi
    [ -x "$run" ] || return 0
    for ranks in 1 2 4; do
        for method in ppi nfindr amee; do
            started=$(date +%s.%N)
            mpiexec.openmpi -n $ranks "$run" hyper endmembers "$work/$scene" "$work/mpi.csv" --method $method \
                --count 16 >>"$out/hyper.log" 2>&1
            ended=$(date +%s.%N)
            rm -f "$work"/mpi.csv*
            echo "endmembers $method,xta,$(echo "$ended - $started" | bc)" | note "$scene" "ranks$ranks"
        done
    done
}

# A scene four times the memory limit, in a control group that also counts the page cache.
memory_limit() {
    local limit=$((16 << 20)) method answer
    for method in ppi nfindr sga amee; do
        answer=$("$python" "$source_dir/rechunk/bench/limited.py" --memory $((64 << 20)) --seconds 600 \
            --log "$out/hyper.log" -- "$xta" hyper endmembers "$work/long" "$work/limit.csv" \
            --method $method --count 4 --memory $limit)
        rm -f "$work"/limit.csv*
        echo "#,Scene of $(stat -c %s "$work/long.xta") bytes under --memory $limit, $method: $answer" |
            tee -a "$results" >&2
    done
}

if [ "$small" != 1 ]; then
    "$python" "$here/data.py" "$work" "$data"
    "$xta" import "$work/labels.npy" "$work/labels"
    "$xta" hyper synth "$work/labels" "$work/library.csv" "$work/salinas" --mixing 1 --variation 0.3 \
        --brightness 0.2 --noise 35 --seed 1 --type i16
    "$xta" export "$work/salinas" "$work/salinas.npy"
    cp "$work/library.csv" "$work/salinas.csv"
    measure salinas "${steps[@]}"
    processes salinas
    "$xta" hyper synth "$work/labels" "$work/library.csv" "$work/long" --mixing 1 --variation 0.3 \
        --brightness 0.2 --noise 35 --seed 2 --type i16 --lines 0:760
    memory_limit
fi

# Spectral against spatial partitioning ([CXA] 9.1), on the largest scene that is there; without one a cube is made up.
partitioned=()
for scene in salinas salinasA samson; do
    if [ ${#partitioned[@]} = 0 ] && [ -e "$work/$scene.xmd" ]; then
        partitioned=("$work/$scene")
    fi
done
XTA_BENCH_DIR=$work XTA_BENCH_SMALL=$small "$build/hyper/bench/bench_partition" "${partitioned[@]}" | tee "$out/partition.csv" >&2

"$python" "$here/report.py" "$results" "$out/hyper.md"
echo "hyper/bench/run.sh: the tables are in $out/hyper.md" >&2

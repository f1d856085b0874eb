#!/bin/bash
# xta-mpi hyper follow: the bytes do not depend on the number of ranks, an error ends all ranks, and when a rank is
# killed a run on another number of ranks continues.
#
#   hyper_follow.sh <flavour> <xta-mpi> <xta> <number of ranks...>
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=mpi/tests/parallel/tool_case.sh
source "$(dirname "$0")/tool_case.sh"
"$xta" help hyper follow >/dev/null 2>&1 || {
    echo "hyper_follow.sh: this build has no xta hyper: skipped"
    exit 77
}
on_ranks() { bash "$runner" "$flavour" "$1" "$program" hyper "${@:2}"; }
# Texts, state and cells of two folders.
same() {
    local name
    for name in follow.state endmembers.csv pct.basis mnf.basis; do
        cmp "$1/$name" "$2/$name" || return 1
    done
    for name in labels abundances residual mei ppi; do
        rm -f a.npy b.npy
        "$xta" export "$1/$name" a.npy --force >/dev/null && "$xta" export "$2/$name" b.npy --force >/dev/null
        cmp a.npy b.npy || return 1
    done
}

"$python" - <<'PYTHON'
import numpy
r = numpy.random.default_rng(3)
e = r.integers(200, 3000, (4, 9))
x = r.dirichlet([0.3] * 4, 150 * 45) @ e + r.normal(0, 9, (150 * 45, 9))
x = x.clip(0).reshape(150, 45, 9)
x[20, 3] = numpy.nan
at = [0, 70, 71, 104, 109, 150]
for kind in ("u2", "f4"):
    y = numpy.nan_to_num(x, nan=500).astype(kind) if kind == "u2" else x.astype(kind)
    for k in range(5):
        numpy.save(f"{kind}_{k}.npy", y[at[k]:at[k + 1]])
PYTHON
how=(--count 3 --keep 'basis,ppi,mei,labels,abundances' --noise --projections 50)
# The first part to arrive is number 2; 1 and 0 are added at the front.
for kind in u2 f4; do
    "$xta" import "${kind}_2.npy" "s_$kind" --axes line,sample,band --chunk 9,16,4 >/dev/null
    parts=("1 --front" "3" "0 --front" "4")
    turn=0
    counts=("$@")
    for part in none "${parts[@]}"; do
        if [ "$part" != none ]; then
            read -r number side <<<"$part"
            # shellcheck disable=SC2086  # There may be no word.
            "$xta" import "${kind}_$number.npy" "s_$kind" --append line $side >/dev/null
        fi
        n=${counts[$((turn % ${#counts[@]}))]}
        turn=$((turn + 1))
        check "$kind, part $part on $n ranks" on_ranks "$n" follow "$work/s_$kind" "$work/out_$kind" \
            "${how[@]}" --threads $((1 + turn % 2)) --once >/dev/null
    done
    "$xta" hyper follow "s_$kind" "fresh_$kind" "${how[@]}" --once >/dev/null
    check "$kind: as by one process from nothing" same "out_$kind" "fresh_$kind"
done

for n in "$@"; do
    code=0
    on_ranks "$n" follow "$work/s_u2" "$work/out_u2" "${how[@]}" --seed 3 --once >/dev/null 2>err || code=$?
    check "another request is refused on $n ranks" test "$code" -ne 0 -a "$code" -ne 124
    check "in one line on $n ranks" test "$(grep -c 'seed 0.*seed 3' err)" = 1
    # The other commands.
    rm -rf em.csv mine.*
    check "endmembers on $n ranks" on_ranks "$n" endmembers "$work/s_u2" "$work/em.csv" --count 3 >/dev/null
    check "unmix on $n ranks" on_ranks "$n" unmix "$work/s_u2" "$work/em.csv" "$work/mine" >/dev/null
    rm -f a.npy b.npy
    "$xta" export mine a.npy --force >/dev/null && "$xta" export fresh_u2/abundances b.npy --force >/dev/null
    check "abundances on $n ranks" cmp a.npy b.npy
done

# A rank is killed by strace during an update.
cat >one_bad <<'END'
#!/bin/bash
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
if [ "$rank" = "$XTA_BAD_RANK" ]; then
    exec strace -f -o /dev/null -e trace="$XTA_BAD_TRACE" -e "inject=$XTA_BAD_CALL" "$XTA_BAD_PROGRAM" "$@"
fi
exec "$XTA_BAD_PROGRAM" "$@"
END
chmod +x one_bad
export XTA_BAD_RANK XTA_BAD_CALL XTA_BAD_TRACE XTA_BAD_PROGRAM=$program
ranks=${*: -1}
interrupt() { # WHAT: a run that must fail, and one process that continues it.
    local code=0
    rm -rf bad
    cp -r half bad
    bash "$runner" "$flavour" "$ranks" "$work/one_bad" hyper follow "$work/s_u2" "$work/bad" "${how[@]}" --once \
        >/dev/null 2>err || code=$?
    check "$1 is an error, and nobody waits for ever" test "$code" -ne 0 -a "$code" -ne 124
    check "$1: it goes on" "$xta" hyper follow s_u2 bad "${how[@]}" --once >/dev/null
    check "$1: and has the same bytes" same bad fresh_u2
}
if strace -f -o /dev/null true 2>/dev/null; then
    # The state before the last part arrived.
    "$xta" import u2_2.npy s_half --axes line,sample,band --chunk 9,16,4 >/dev/null
    "$xta" hyper follow s_half half "${how[@]}" --once >/dev/null
    XTA_BAD_RANK=0 XTA_BAD_TRACE=fsync XTA_BAD_CALL=fsync:error=ENOSPC:when=3+
    interrupt "a full disk"
    check "a full disk is told" grep -q 'No space' err
    XTA_BAD_RANK=0 XTA_BAD_TRACE=rename XTA_BAD_CALL=rename:signal=KILL:when=2
    interrupt "a killed rank 0"
    XTA_BAD_RANK=$((ranks - 1)) XTA_BAD_TRACE=pwrite64,fallocate,msync,fdatasync,fsync
    XTA_BAD_CALL=fallocate,pwrite64,msync,fdatasync,fsync:signal=KILL:when=2
    interrupt "a killed rank"
else
    echo "strace is missing, or not allowed to watch: no interruptions"
fi

the_end 1

#!/bin/bash
# xta-mpi rechunk: the bytes do not depend on the number of ranks, an error ends all ranks, and interrupted runs can be
# resumed.
#
#   rechunk.sh <flavour> <xta-mpi> <xta> <number of ranks...>
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=mpi/tests/parallel/tool_case.sh
source "$(dirname "$0")/tool_case.sh"
on_ranks() { bash "$runner" "$flavour" "$1" "$program" rechunk "${@:2}"; }

"$python" - <<'PYTHON'
import numpy
numpy.save("n.npy", (numpy.arange(48 * 50 * 40, dtype="u4") * 2654435761).reshape(48, 50, 40))
PYTHON
"$xta" import n.npy a --chunk 8,10,40 >/dev/null
"$xta" extend a --axis 0 --by 4 --front >/dev/null

# With enough components for all ranks, with fewer than ranks, and with a plan that has only one.
for case in '24,25,20 sweep many' '12,50,8 sweep few' '11,13,40 sweep one' '24,25,20 keep keep'; do
    read -r chunk strategy name <<<"$case"
    "$xta" rechunk a "$work/one_$name" --chunk "$chunk" --strategy "$strategy" --memory 256KiB >/dev/null
    for ranks in "$@"; do
        target=$work/${name}_$ranks
        check "$name on $ranks ranks ends well" on_ranks "$ranks" "$work/a" "$target" --chunk "$chunk" \
            --strategy "$strategy" --memory 512KiB --verify >log
        check "$name on $ranks ranks says what it did" grep -q '^written ' log
        check "$name on $ranks ranks has the same bytes" cmp -i 64 "$work/one_$name.xta" "$target.xta"
        check "$name on $ranks ranks is sound" "$xta" check "$target" >/dev/null
        check "$name on $ranks ranks leaves no notes" test -z "$(ls "$target".resume* 2>/dev/null)"
    done
done

for ranks in "$@"; do
    # Into files and out of them.
    on_ranks "$ranks" "$work/a" "$work/f$ranks/{0}_{1}_{2}.npy" --chunk 13,17,11 --memory 256KiB >/dev/null ||
        complain "into files on $ranks ranks"
    on_ranks "$ranks" "$work/f$ranks/{0}_{1}_{2}.npy" "$work/g$ranks.npy" --memory 256KiB >/dev/null ||
        complain "out of files on $ranks ranks"
    check "files on $ranks ranks" "$python" -c '
import numpy, sys
back = numpy.load(sys.argv[1])
sys.exit(not (numpy.array_equal(numpy.load("n.npy"), back[-48:]) and not back[:4].any()))' "g$ranks.npy"

    # Errors: all ranks end, with one line, and no file is left.
    code=0
    on_ranks "$ranks" "$work/a" "$work/g$ranks.npy" 2>err >/dev/null || code=$?
    check "a target that exists is refused ($ranks ranks)" test "$code" -ne 0
    check "in one line ($ranks ranks)" test "$(grep -c '^xta-mpi rechunk: ' err)" = 1
    code=0
    on_ranks "$ranks" "$work/a" "$work/no$ranks" --chunk 5,5,5 --memory "$ranks" 2>err >/dev/null || code=$?
    check "too small a limit is refused ($ranks ranks)" grep -q 'bytes are enough' err
    check "nothing is left ($ranks ranks)" test -z "$(ls -d "$work/no$ranks"* 2>/dev/null)"
    code=0
    on_ranks "$ranks" "$work/a" 2>err >/dev/null || code=$?
    check "the command line is checked ($ranks ranks)" grep -q 'argument is missing' err
    on_ranks "$ranks" "$work/a" "$work/j$ranks" --chunk 11,13,40 --memory 300000 --json >log 2>&1 || cat log
    check "all ranks together stay below the limit ($ranks ranks)" "$python" -c '
import json
done = json.load(open("log"))
raise SystemExit(not 0 < done["peak_bytes"] <= 300000)'

    # Only one rank reads a block file that cannot be read; the others must not wait for it.
    cp -r "$work/f$ranks" "$work/bad$ranks"
    last=$(find "$work/bad$ranks" -name '3_2_*.npy' | sort | tail -n 1)
    size=$(stat -c %s "$last")
    code=0
    (
        # The length is right when it is checked, but the last bytes cannot be read: a hole in a directory is no file.
        rm "$last"
        mkdir "$last"
        on_ranks "$ranks" "$work/bad$ranks/{0}_{1}_{2}.npy" "$work/h$ranks" --chunk 8,8,8 --memory 256KiB \
            2>"$work/err" >/dev/null
    ) || code=$?
    check "a missing block is an error of all ($ranks ranks, $size bytes)" test "$code" -ne 0
done

# One rank has no space on its disk, or is killed, by strace; all others end, too, and the run can be resumed by the
# same number of ranks.
cat >one_bad <<'END'
#!/bin/bash
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
if [ "$rank" = "$XTA_BAD_RANK" ]; then
    # shellcheck disable=SC2086
    exec strace -f -o /dev/null $XTA_STRACE "$XTA_BAD_PROGRAM" "$@"
fi
exec "$XTA_BAD_PROGRAM" "$@"
END
chmod +x one_bad
export XTA_BAD_RANK XTA_STRACE XTA_BAD_PROGRAM=$program
ranks=${*: -1}
# interrupt WHAT TARGET: a run that must fail, and the one that resumes it.
interrupt() {
    local code=0
    bash "$runner" "$flavour" "$ranks" one_bad rechunk "$work/a" "$work/$2" --chunk 11,13,40 \
        --memory 256KiB >/dev/null 2>err || code=$?
    check "$1 is an error, and nobody waits for ever" test "$code" -ne 0 -a "$code" -ne 124
    check "$1 leaves the notes of all ranks" test "$(find "$work" -name "$2.resume.*of$ranks" | wc -l)" = "$ranks"
    check "$1: it is resumed" on_ranks "$ranks" "$work/a" "$work/$2" --chunk 11,13,40 --memory 256KiB --resume \
        >/dev/null
    check "$1: and has the same bytes" cmp -i 64 "$work/one_one.xta" "$work/$2.xta"
    check "$1: no notes are left" test -z "$(find "$work" -name "$2.resume*")"
}
if strace -f -o /dev/null true 2>/dev/null; then
    XTA_BAD_RANK=$((ranks - 1)) XTA_STRACE="-e trace=pwrite64 -e inject=pwrite64:error=ENOSPC:when=8+"
    interrupt "a full disk" full
    check "a full disk is told" grep -q -e 'No space.*--resume goes on' err
    XTA_BAD_RANK=$((ranks / 2)) XTA_STRACE="-e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=8"
    interrupt "a killed rank" killed
    # Its share is done, and the run has removed its name of the resume log.
    log=$work/ended.resume.$((XTA_BAD_RANK + 1))of$ranks
    XTA_STRACE="-e trace=unlink,rename -P $log -P $log.running"
    XTA_STRACE="$XTA_STRACE -e inject=unlink:signal=KILL:when=3 -e inject=rename:signal=KILL:when=1"
    interrupt "a rank that is killed at its end" ended
else
    echo "strace is missing, or not allowed to watch: no interruptions"
fi

the_end 1

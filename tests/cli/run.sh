#!/bin/bash
# Run one test of the tool: tests/cli/run.sh FOLDER/NAME.sh
#
# The script runs in an empty folder with the tool as `xta` in its PATH. What it prints must be what stands
# in NAME.stdout.exact, or must match NAME.stdout.glob line by line; its exit code must be the number
# in NAME.exit (0 without that file). Exit code 77 means that the script has said what it skips, and why.
#
# SPDX-License-Identifier: Apache-2.0
set -u
export LC_ALL=C

script=${1:?usage: run.sh FOLDER/NAME.sh}
here=$(cd "$(dirname "$script")" && pwd)
name=$(basename "$script" .sh)
: "${XTA_TOOL:?say which tool to test}"
XTA_SOURCE_DIR=${XTA_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
export XTA_SOURCE_DIR XTA_TOOL

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/folder"
ln -s "$XTA_TOOL" "$work/bin/xta"
# The tool of many processes lies beside it, if there is MPI.
[ -e "$(dirname "$XTA_TOOL")/xta-mpi" ] && ln -s "$(dirname "$XTA_TOOL")/xta-mpi" "$work/bin/xta-mpi"
# So does the wrapper for programs of NetCDF, if its format is built.
[ -e "$(dirname "$XTA_TOOL")/xta-nc" ] && ln -s "$(dirname "$XTA_TOOL")/xta-nc" "$work/bin/xta-nc"
# The Python of the system has NumPy; another one that stands first in the PATH may not.
[ -x /usr/bin/python3 ] && ln -s /usr/bin/python3 "$work/bin/python3"
export PATH="$work/bin:$PATH"

cd "$work/folder" || exit 1
bash "$here/$name.sh" >"$work/stdout" 2>"$work/stderr" </dev/null
code=$?
if [ "$code" = 77 ]; then
    cat "$work/stdout" "$work/stderr"
    exit 77
fi

failed=0
complain() {
    echo "$name: $*"
    failed=1
}

wanted=0
[ -f "$here/$name.exit" ] && wanted=$(cat "$here/$name.exit")
[ "$code" = "$wanted" ] || complain "exit code $code, wanted $wanted"

if [ -f "$here/$name.stdout.exact" ]; then
    diff -u "$here/$name.stdout.exact" "$work/stdout" || complain "printed something else"
elif [ -f "$here/$name.stdout.glob" ]; then
    mapfile -t patterns <"$here/$name.stdout.glob"
    mapfile -t lines <"$work/stdout"
    [ "${#lines[@]}" = "${#patterns[@]}" ] ||
        complain "printed ${#lines[@]} lines, wanted ${#patterns[@]}"
    for k in "${!patterns[@]}"; do
        # shellcheck disable=SC2053  # The right side is a pattern.
        [[ ${lines[$k]-} == ${patterns[$k]} ]] ||
            complain "line $((k + 1)): '${lines[$k]-}' does not match '${patterns[$k]}'"
    done
else
    complain "has neither .stdout.exact nor .stdout.glob"
fi
if [ "$failed" = 1 ]; then
    echo "--- standard error:"
    cat "$work/stderr"
    [ -f "$here/$name.stdout.glob" ] && echo "--- standard output:" && cat "$work/stdout"
fi
exit "$failed"

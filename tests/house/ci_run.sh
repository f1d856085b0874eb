#!/bin/bash
# .ci/run itself, on a tree whose demo and check are one line each: the order of steps, the last line, the exit codes,
# with a bare machine and without one, and that a signal leaves no files behind.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "ci_run: $*" >&2
    sed 's/^/    /' "$work/out" >&2
    exit 1
}
export TMPDIR=$work/scratch
mkdir -p "$work/tree/.ci" "$work/tree/tools" "$work/shared" "$TMPDIR"
cd "$work/tree"
cp "$XTA_SOURCE_DIR/.ci/run" .ci/run
echo 'echo "packages are there"' >tools/install-deps
# A machine that records the requested commands. $BARE is its exit code if it cannot be made.
cat >tools/bare-machine <<'END_OF_MACHINE'
#!/bin/bash
[ "$1" = --root ] || exit 9
mkdir -p "$2"
shift 2
[ "$BARE" = 0 ] || { echo "NO ROOT CAN BE MADE: on purpose" >&2; exit "$BARE"; }
echo "$*" >>"$NOTES"
exec "$@"
END_OF_MACHINE
cat >Makefile <<'END_OF_MAKEFILE'
.RECIPEPREFIX = >
demo:
>@echo "demo in $(CURDIR)"; [ -d ../shared ] && [ "$$XTA_NO_SKIPS" = 1 ]; exit $(or $(DEMO),0)
check:
>@echo "check in $(CURDIR)"; sleep $(or $(SLEEP),0); echo "some test"; echo "3 passed, $(or $(BAD),0) failed, 0 skipped"; exit $(or $(BAD),0)
END_OF_MAKEFILE
chmod +x .ci/run tools/*
git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm 'a tree'

export NOTES=$work/notes
# run CODE: .ci/run must end with this exit code.
run() {
    local code=0
    : >"$NOTES"
    .ci/run >"$work/out" 2>&1 </dev/null || code=$?
    [ "$code" = "$1" ] || fail "exit code $code instead of $1"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
}
last() { tail -n 1 "$work/out"; }

BARE=0 run 0
[ "$(cat "$NOTES")" = $'true\ntools/install-deps\nmake demo\nmake check' ] || fail "asked for: $(cat "$NOTES")"
[ "$(last)" = '3 passed, 0 failed, 0 skipped' ] || fail "the last line is $(last)"
[ "$(grep -c 'passed' "$work/out")" = 1 ] || fail "the last line stands twice"
grep -qE '^ci: seconds: root [0-9]+ s; packages [0-9]+ s; demo [0-9]+ s; check [0-9]+ s; all [0-9]+ s$' "$work/out" ||
    fail 'no seconds'
grep -q '^some test$' "$work/out" || fail 'the output is not shown'

BARE=0 BAD=2 run 2
[ "$(last)" = '3 passed, 2 failed, 0 skipped' ] || fail "the last line is $(last)"
BARE=0 DEMO=1 run 2
! grep -q 'passed' "$work/out" || fail 'checked after the demo had failed'
BARE=3 run 3

# No bare machine: a clear message, and the rest runs here, in separate clones.
BARE=125 run 0
grep -q 'NO ROOT CAN BE MADE: on purpose' "$work/out" || fail 'the reason is not shown'
grep -q 'NO BARE MACHINE' "$work/out" || fail 'not said loudly'
[ "$(last)" = '3 passed, 0 failed, 0 skipped' ] || fail "the last line is $(last)"
! grep -qF "in $work/tree" "$work/out" || fail 'not in a clone'

# Stopped half-way.
code=0
(BARE=125 SLEEP=100 exec .ci/run >"$work/out" 2>&1 </dev/null) &
pid=$!
while ! grep -q 'check in' "$work/out" 2>/dev/null; do sleep 0.05; done
kill -TERM "$pid"
wait "$pid" || code=$?
[ "$code" = 143 ] || fail "exit code $code after SIGTERM"
[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind after SIGTERM: $(ls "$TMPDIR")"
echo 'ci_run: good and bad ends, with and without a bare machine, stopped'

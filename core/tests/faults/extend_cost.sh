#!/bin/bash
# The cost of an extension in system calls.
#
# One extension of an array of 10^6 chunks writes at most 256 bytes, all to the journal; the data file only gets
# longer (ftruncate), no byte of it is written and it uses no more disk space. Cubical growth to 10^6 chunks
# leaves a journal of at most 64 KiB, which is opened with a few system calls that read it once.
#
# SPDX-License-Identifier: Apache-2.0
set -u
program=$XTA_BUILD_DIR/core/tests/faults/extend_cost
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

say() { echo "extend_cost: $*"; }
fail() { say "FAILED: $*"; failed=1; }

if ! command -v strace >/dev/null || ! strace -o /dev/null true 2>/dev/null; then
    say "SKIPPED: strace is missing or not allowed"
    exit 77
fi

"$program" make "$folder/a" || exit 1
blocks_before=$(stat -c %b "$folder/a.xta")
bytes_before=$(stat -c %s "$folder/a.xta")
journal_before=$(stat -c %s "$folder/a.xmd")
strace -f -y -o "$folder/trace" "$program" extend "$folder/a" 2>/dev/null || exit 1

# The calls between the two marks on standard error.
sed -n '/write(2<.*"now\\n"/,/write(2<.*"then\\n"/p' "$folder/trace" >"$folder/during"
[ -s "$folder/during" ] || fail "the marks are not in the trace"

writes='^[0-9]+ +(write|pwrite64|writev|pwritev|pwritev2|fallocate|copy_file_range|sendfile)\('
journal_bytes=$(grep -E "$writes" "$folder/during" | grep -F '.xmd>' | sed 's/.*= //' |
    awk '{n += $1} END {print n + 0}')
say "bytes written to the journal: $journal_bytes"
[ "$journal_bytes" -gt 0 ] || fail "nothing was written to the journal"
[ "$journal_bytes" -le 256 ] || fail "more than 256 bytes were written to the journal"
if grep -E "$writes" "$folder/during" | grep -F '.xta>'; then
    fail "the data file was written"
fi
if grep -E 'mmap\(.*PROT_WRITE.*MAP_SHARED.*\.xmd>' "$folder/trace"; then
    fail "the journal is written through a mapping, which strace cannot count"
fi
[ "$(stat -c %s "$folder/a.xmd")" -le $((journal_before + 256)) ] ||
    fail "the journal grew by more than 256 bytes"
[ "$(stat -c %s "$folder/a.xta")" -ge "$bytes_before" ] || fail "the data file got shorter"
[ "$(stat -c %b "$folder/a.xta")" -le "$blocks_before" ] || fail "the data file takes more space"

journal_before=$(stat -c %s "$folder/a.xmd")
changed=$(strace -f -y -o "$folder/trace" "$program" exclusive "$folder/a" 2>/dev/null) || exit 1
sed -n '/write(2<.*"now\\n"/,/write(2<.*"then\\n"/p' "$folder/trace" | grep -vF 'write(2<' >"$folder/during"
grep -q '"now' "$folder/trace" || fail "the marks are not in the trace"
say "an exclusive writer: $(wc -l <"$folder/during") calls, $changed bytes of the journal changed"
[ -s "$folder/during" ] && fail "an extension by an exclusive writer called the system"
if [ "${changed:-0}" -le 0 ] || [ "$changed" -gt 256 ]; then
    fail "not 1 to 256 bytes of the journal changed"
fi
[ "$(stat -c %s "$folder/a.xmd")" -le $((journal_before + 256)) ] ||
    fail "an exclusive writer left more than 256 bytes behind"
[ "$(stat -c %b "$folder/a.xta")" -le "$blocks_before" ] || fail "the data file takes more space"

bytes=$("$program" cubical "$folder/c")
[ "${bytes:-65537}" -le 65536 ] || fail "the journal is larger than 64 KiB"
strace -f -y -o "$folder/trace" "$program" open "$folder/c" 2>/dev/null || exit 1
sed -n '/write(2<.*"now\\n"/,/write(2<.*"then\\n"/p' "$folder/trace" | grep -vF 'write(2<' >"$folder/during"
# The depth of the folder does not count: a path is resolved folder by folder.
n_calls=$(grep -cvF 'readlink(' "$folder/during")
n_read=$(grep -E '^[0-9]+ +(read|pread64|readv|preadv2?)\(' "$folder/during" | sed 's/.*= //' |
    awk '{n += $1} END {print n + 0}')
say "cubical growth to 10^6 chunks: journal of $bytes bytes, opened with $n_calls calls that read $n_read bytes"
[ "$n_calls" -gt 0 ] || fail "opening called nothing"
[ "$n_calls" -le 32 ] || fail "opening takes more than 32 system calls"
[ "$n_read" -le $((bytes + 8192)) ] || fail "opening reads more than the journal"
exit $failed

#!/bin/bash
# run.sh FUZZER SEEDS TOPIC: a run of $XTA_FUZZ_SECONDS (5) from fresh seeds. With CORPUS=folder what is
# found of interest is kept there for the next run; an input that breaks something is left in the current
# folder in any case, and `FUZZER that-file` repeats it.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
fuzzer=$1 seeds=$2 topic=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$seeds" "$work"
corpus=${CORPUS:-$work/new}
mkdir -p "$corpus"

# One input may take 10 s and 256 MiB in one piece: more is a finding of its own. An array in memory may
# ask for as much as its caller wants, and be refused.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}
piece=256
[ "$topic" != box ] || piece=1000000000
"$fuzzer" -max_total_time="${XTA_FUZZ_SECONDS:-5}" -timeout=10 -malloc_limit_mb="$piece" \
    -rss_limit_mb=8192 -max_len=4096 -print_final_stats=1 -verbosity=0 "$corpus" "$work/$topic"

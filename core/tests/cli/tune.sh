# Tune: queries, logs, shapes from numbers alone, and the values passed to rechunk.
# SPDX-License-Identifier: Apache-2.0
say() { echo "-- $*"; }
try() {
    xta tune "$@" 2>&1
    echo "exit $?"
}
say shapes alone
xta tune --bounds 1000,180,360 --type f32 --query 1,:,:@10 --query :,1,1
xta tune --bounds 4096,4096 --type f64 --query 1,: --query :,1 --chunk-bytes 32KiB
xta tune --bounds 4096,4096 --type f64 --query 1,: --query :,1@4 --chunk-bytes 30000 --powers-of-two
xta tune --bounds 4096,4096 --type f64 --query :,1 --chunk 64,64
say JSON
xta tune --bounds 100,80 --type u8 --query 1,: --query :,2@3 --chunk-bytes 1000 --json |
    python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(sorted(answer), sorted(answer["proposed"]), answer["queries"][1]["length"])
chunk = answer["proposed"]["chunk"]
print(chunk, answer["proposed"]["bytes"] == chunk[0] * chunk[1] <= 1000, answer["proposed"]["exact"])
# The mean over all positions of all queries, counted.
def touched(bounds, length, chunk):
    n = [(at + length - 1) // chunk - at // chunk + 1 for at in range(bounds - length + 1)]
    return sum(n) / len(n)
cost = [touched(100, q["length"][0], chunk[0]) * touched(80, q["length"][1], chunk[1])
        for q in answer["queries"]]
print(abs((cost[0] + 3 * cost[1]) / 4 - answer["proposed"]["touched"]) < 1e-12)'
say an array
xta create a --type i32 --bounds 60,40 --chunk 8,8
seq 2400 | xta write a --box :,: --from -
xta tune a --query 60,1
xta tune a --query 60,1 --bounds 600,40 --chunk-bytes 1KiB
xta create h --type i32 --bounds 60,40 --chunk 8,8 --order hilbert
xta tune h --query 60,1
say a log
xta read a --box 5,: --log log >row
xta read a --box 9,: --log log >row
XTA_ACCESS_LOG=log xta read a --box :,7 --step 4,1 >column
echo 7 | XTA_ACCESS_LOG=log xta write a --box 0,0 --from -
cat log
xta tune a --log log
xta tune a --log log --only read --placed
xta tune a --log log --only write
say applied
xta tune a --log log --only read --apply b | grep -c -e ^proposed -e ^then
xta info b | grep '^chunk '
xta read a >a.txt; xta read b >b.txt; cmp a.txt b.txt && echo equal
say refused
try
try a
try a --query 1,2 --log log
try a --query 1
try a --query 1,2,3
try a --query 0,2
try a --query 1,x
try a --query 1,2@0
try a --query 1,2@x
try a --query 1,2 --placed
try a --query 1,2 --type f64
try a --query 1,2 --bounds 3
try a --query 1,2 --bounds 3,0
try a --query 1,2 --chunk 3
try a --query 1,2 --chunk 3,0
try a --query 1,2 --chunk-bytes 3
try a --log none
try a --log row
try a --log log --only all
try --bounds 3,4 --query 1,2
try --bounds 3,4 --query 1,2 --type text
try --bounds 3,4 --query 1,2 --type u8 --apply b
try none --query 1,2
printf '# XTA access log 1\nr 1:2,0:3\nr 1:2\n' >short
try a --log short
printf '# XTA access log 1\nw 100:200,0:3\n' >away
try a --log away
xta read a --box 0,0 --log row 2>&1
xta read a --box 0,0 --log missing/log 2>&1
ls

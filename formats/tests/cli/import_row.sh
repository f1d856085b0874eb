# A row that does not fit into the memory is appended with its cells before its bounds: whatever stops the import, the
# array is as it was, and nothing is left to be resumed or undone.
# SPDX-License-Identifier: Apache-2.0
truncate -s 64M row.raw
printf 'abcdefgh' | dd of=row.raw bs=1 seek=67108856 conv=notrunc 2>/dev/null
printf 'ijkl' | dd of=row.raw bs=1 seek=5000 conv=notrunc 2>/dev/null
append=(a --append 0 --format raw --type u8 --bounds 1,67108864)
xta create a --type u8 --bounds 2,67108864 --chunk 1,65536 >/dev/null
xta fill a --box 0:2,0:4 --value 7 >/dev/null
state() {
    xta info a | grep '^bounds\|^unfinished'
    xta check a
}
used() {
    stat -c %b a.xta
}
# cut SIGNAL: an append that gets the signal when it has written cells.
cut() {
    local before code
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        before=$(used)
        xta import row.raw "${append[@]}" --memory 64KiB >out 2>err &
        while kill -0 $! 2>/dev/null && [ "$(used)" -lt $((before + 64)) ]; do
            :
        done
        kill "-$1" $! 2>/dev/null
        code=0
        wait $! 2>/dev/null || code=$?
        [ "$code" = 0 ] || break
        xta shrink a --axis 0 --by 1 >/dev/null # it was too fast
    done
    echo "exit $code, $(wc -l <err) line"
    state
}
echo killed
cut KILL
echo 'asked to stop'
cut TERM
sed 's/after [0-9]* bytes/after N bytes/' err
echo appended
xta import row.raw "${append[@]}" --memory 64KiB
state
xta export a row.npy --box 2:3,: && tail -c 67108864 row.npy | cmp - row.raw
xta import row.raw "${append[@]}" --front --memory 64KiB
state
xta export a row.npy --force --box=-1:0,: && tail -c 67108864 row.npy | cmp - row.raw
xta export a two.npy --box 0:2,0:5 && tail -c 10 two.npy | od -An -tx1

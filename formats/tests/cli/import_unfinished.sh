# An import that is killed leaves a mark that everybody tells of, and that --resume or undo ends; one that is asked to
# stop takes back what it did.
# SPDX-License-Identifier: Apache-2.0
truncate -s 128M zeros.raw
printf 'abcdefgh' | dd of=zeros.raw bs=1 seek=134217720 conv=notrunc 2>/dev/null
raw=(--format raw --type u8 --bounds 1024,131072 --memory 256KiB)
# cut SIGNAL WORDS...: an import that gets the signal when it is at work.
cut() {
    local signal=$1 code
    shift
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        xta import zeros.raw "$@" "${raw[@]}" >out 2>err &
        while kill -0 $! 2>/dev/null && ! xta info "$1" 2>/dev/null | grep -q 'goes on'; do
            :
        done
        kill "-$signal" $! 2>/dev/null
        code=0
        wait $! 2>/dev/null || code=$?
        [ "$code" = 0 ] || break
        rm -f "$1".* # it was too fast
        [ "$1" = new ] || { cp old.xmd "$1.xmd" && cp old.xta "$1.xta"; }
    done
    echo "exit $code, $(wc -l <err) line"
}
told() {
    xta info "$1" | grep -c '^unfinished .* was interrupted: from .zeros.raw'
    xta info "$1" --json | python3 -c 'import json, sys
for w in json.load(sys.stdin)["unfinished"]:
    print(w["verb"], w["state"], w["created_array"])'
    xta check "$1" | grep -c 'was cut off'
    xta export "$1" no.npy 2>err
    echo "export: exit $?, $(grep -c 'was cut off.*xta undo' err)"
    xta rechunk "$1" no --chunk 64,1024 2>err
    echo "rechunk: exit $?, $(grep -c 'was cut off.*xta undo' err)"
    xta rechunk "$1" 'no/{0}_{1}.npy' --chunk 64,1024 2>err
    echo "rechunk to files: exit $?, $(grep -c 'was cut off.*xta undo' err)"
    ls -d no* 2>/dev/null
    xta export "$1" part.npy --box 0:1,0:4 --allow-unfinished && ls part.npy
}
echo 'a new array, killed'
cut KILL new
told new
xta import zeros.raw new --resume --append 0 2>&1 | sed 's/;.*//'
cp zeros.raw other.raw
xta import other.raw new "${raw[@]}" --resume 2>&1
xta import zeros.raw new --format raw --type u8 --bounds 1023,131072 --resume 2>&1 | sed 's/;.*//'
xta import zeros.raw new "${raw[@]}" --resume
xta export new all.raw && cmp all.raw zeros.raw && xta check new
xta import zeros.raw new "${raw[@]}" --resume 2>&1
echo 'undone'
rm -f new.* part.npy
cut KILL new
xta undo new && ls new.* 2>/dev/null
echo 'appended, killed'
xta create old --type u8 --bounds 3,131072 --chunk 64,1024 >/dev/null
xta fill old --value 7 --box :,: >/dev/null
cp old.xmd a.xmd
cp old.xta a.xta
cut KILL a --append 0
told a
xta import zeros.raw a "${raw[@]}" --resume
xta export a all.raw --force --box 3:1027,: && cmp all.raw zeros.raw && xta check a
echo 'asked to stop'
rm -f new.*
cut TERM new
ls new.* 2>/dev/null
cp old.xmd a.xmd
cp old.xta a.xta
cut TERM a --append 0
xta info a | grep '^bounds\|^unfinished'
xta check a

# Every command that opens an array refuses what is none, in one line that names the file.
# SPDX-License-Identifier: Apache-2.0
printf 'CDF\001 this is another format, and it goes on for a while, as formats do' >x.xmd
: >x.xta
: >empty.xmd
: >empty.xta
xta create half --type f64 --bounds 4 --chunk 4
xta fill half --box : --value 1
rm half.xta
xta create other --type f64 --bounds 4 --chunk 4
rm other.xmd
echo 1 >one.txt
for a in x empty half other none; do
    for words in "info $a" "read $a" "address $a --all" "write $a --box 0 --from one.txt" \
        "fill $a --box 0 --value 1" "extend $a --axis 0 --by 1" "shrink $a --axis 0 --by 1" \
        "add-axis $a --at 0" "attr $a" "compact $a" "check $a" "export $a o.npy"; do
        # shellcheck disable=SC2086  # Words are to be split.
        xta $words >out 2>err
        code=$?
        [ "$code" = 1 ] && [ "$(wc -l <err)" = 1 ] &&
            grep -q "^xta ${words%% *}: .*$a" err || echo "$words: exit $code: $(cat err)"
    done
done
ls

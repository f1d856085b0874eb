# Fish completion: commands, options, values, arrays, files and axes, as fish completes them.
# SPDX-License-Identifier: Apache-2.0
command -v fish >/dev/null || { echo 'SKIPPED: fish is not installed'; exit 77; }
export HOME=$PWD/home
mkdir home
"$XTA_SOURCE_DIR/tools/make_completion" --tool "$(command -v xta)" --out fish || exit 1
xta create runs --type f64 --bounds 2,3 --chunk 2,3 --names time,lon
mkdir set
xta create set/inner --type f64 --bounds 2 --chunk 2
: >cells.npy
# A line that ends with a blank has a mark after it.
sed 's/|$//' <<'END' | timeout 100 fish --no-config -c 'source fish/xta.fish
while read -l typed
    set -l found (complete -C "$typed" | string replace -r \t.\* "")
    echo "$typed: $found"
end'
xta ex
xta help add
xta help hyper un
xta read ru
xta read set/
xta read runs --bo
xta extend runs --axis t
xta create a --order h
xta create a --policy l
xta create --type c
xta write runs --box :,: --from ce
xta import cells.npy ru
xta hyper s
xta hyper pct ru
xta hyper classify runs --by s
xta reduce runs --by se
xta stat runs --over l
xta nothing |
END

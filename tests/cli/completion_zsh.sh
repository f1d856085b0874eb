# Zsh completion: commands, options, values, arrays, files and axes, as an interactive zsh completes them.
# SPDX-License-Identifier: Apache-2.0
command -v zsh >/dev/null || { echo 'SKIPPED: zsh is not installed'; exit 77; }
"$XTA_SOURCE_DIR/tools/make_completion" --tool "$(command -v xta)" --out zsh || exit 1
xta create runs --type f64 --bounds 2,3 --chunk 2,3 --names time,lon
mkdir set
xta create set/inner --type f64 --bounds 2 --chunk 2
: >cells.npy
# A line that ends with a blank has a mark after it.
sed 's/|$//' <<'END' | timeout 100 zsh -f "$XTA_SOURCE_DIR/tests/cli/completion_ask.zsh" "$PWD/zsh/_xta"
xta ex
xta --v
xta help add
xta help hyper un
xta read ru
xta read set/
xta read runs --b
xta extend runs --axis |
xta extend runs --axis ti
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

# Ls: arrays and folders, with and without facts, broken arrays and no folder.
# SPDX-License-Identifier: Apache-2.0
mkdir set set/sub
xta create set/b --type f64 --bounds 2,3 --chunk 2,3
xta create set/a --type bytes:5 --bounds 4 --chunk 4
xta create set/sub/c --type u8 --bounds 1 --chunk 1
echo other >set/notes.txt
xta ls set
echo --; xta ls -l set
echo --; (cd set/sub && xta ls --long)
echo --; mkdir empty; xta ls empty
echo "not a journal, but long enough to be one, one would think" >set/bad.xmd
: >set/bad.xta
echo --; xta ls set --long 2>err
echo "exit $? $(wc -l <err) $(grep -c '^xta ls: .*bad' err)"
xta ls missing 2>err
echo "exit $? $(wc -l <err) $(grep -c '^xta ls: .*missing' err)"
xta ls set --lnog 2>&1
echo "exit $?"
# Names in a hostile folder are escaped before they reach a terminal.
mkdir odd
xta create "$(printf 'odd/a\033[2Jb\377\302\233c')" --type u8 --bounds 2 --chunk 2
xta ls odd
xta info "$(printf "odd/no\033ne")" 2>&1 || true
echo "== folders in folders"
rm set/bad.*
mkdir -p set/sub/deep set/void
xta create set/sub/deep/d --type f32 --bounds 3 --chunk 3
xta ls set -R
xta ls -R -l set
xta ls set --json
xta ls set --json --recursive
mkdir circle
ln -s . circle/again
xta ls -R circle 2>&1 | tail -n 1
echo "not a journal" >set/sub/bad.xmd
xta ls set -R --json 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["entries"][2]["entries"][0])'

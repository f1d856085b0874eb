# Info: every line of it, as of an earlier step, and a long history in part and whole.
# SPDX-License-Identifier: Apache-2.0
xta create a --type c64 --bounds 4,3 --chunk 2,2 --fill 1-2i --names t,x --policy linear:2
xta extend a --axis x --by 2 --front
xta add-axis a --at 0 --name run
xta shrink a --axis t --by 1
xta attr a title=Test
xta attr a --axis t --set-unit days
xta attr a --axis t calendar=noleap
xta info a
echo --
xta info a --as-of 1 | grep -E '^(bounds|allocated|axis)'
xta read a --as-of 1 --box 0,-2
xta address a --as-of 0 --all
xta info a --as-of 9 2>err
echo "exit $? $(wc -l <err)"
xta create long --type u8 --bounds 1 --chunk 1
for _ in $(seq 45); do xta extend long --axis 0 --by 1; done >/dev/null
xta info long | sed -n '/^history/,$p' | wc -l
xta info long | grep steps
xta info long --history | sed -n '/^history/,$p' | wc -l
xta info long --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["history"]))'

# upgrade of a folder: every array in it, and in the folders in it, with its cells.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
mkdir -p set/sub
xta create set/a --type u8 --bounds 3 --chunk 2 --headerless
xta create set/b --type u8 --bounds 3 --chunk 2
xta create set/sub/c --type u8 --bounds 3 --chunk 2 --headerless
for name in a b sub/c; do seq 1 3 | xta write set/$name --box : --from -; done
try upgrade set
try upgrade set/ --json
for name in a b sub/c; do xta read set/$name; done
try check set
try upgrade none

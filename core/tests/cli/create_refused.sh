# What the library refuses: each error is one line that names the file, and no file is left behind.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta create "$@" >out 2>err
    code=$?
    rm -f out
    printf '%s %s %s\n' "$code" "$(wc -l <err)" "$(grep -c "^xta create: .*$1" err)"
    rm -f err
}
try big --type f64 --bounds 4611686018427387904,4611686018427387904 --chunk 1,1
try big --type f64 --bounds 9223372036854775807 --chunk 1
try big --type f64 --bounds 4000000000,4000000000,4000000000 --chunk 1,1,1
try neg --type f64 --bounds -4 --chunk 1
try zero --type f64 --bounds 4 --chunk 0
try morton --type f64 --bounds 4,4 --chunk 3,3 --order morton
try missing/folder/a --type f64 --bounds 4 --chunk 4
ls
xta create a --type f64 --bounds 4 --chunk 4
try a --type f64 --bounds 4 --chunk 4
xta create twins --type f64 --bounds 4,4 --chunk 4,4 --names x,x 2>/dev/null || echo refused
ls

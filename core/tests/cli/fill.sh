# Fill: boxes, values of the array's type, disk space freed where chunks are fill again, errors.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i16 --bounds 4,4 --chunk 2,2 --fill -7
xta fill a --box 1:,:2 --value 5
xta read a
xta extend a --axis 0 --by 1 --front
xta fill a --box -1,: --value=-9
xta read a --box -1:1,:
xta create big --type u8 --bounds 1048576 --chunk 65536
xta fill big --box : --value 1
xta info big --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["data_real_bytes"] > 1000000)'
xta fill big --box : --value 0
xta info big --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["data_real_bytes"] < 500000)'
try() {
    xta fill a "$@" 2>&1
    echo "exit $?"
}
try
try --box :,:
try --value 3
try --box :,: --value x
try --box :,: --value 40000
try --box : --value 1
xta fill a --box :,0:5 --value 1 2>err
echo "exit $? $(wc -l <err)"
xta fill none --box : --value 1 2>err
echo "exit $? $(wc -l <err)"

# The methods by which cells of a write get into the file (docs/decisions/0022-io-path.md).
# SPDX-License-Identifier: Apache-2.0
xta create cube --type f64 --bounds 256,256,256 --chunk 64,64,64
# Whole chunks; few rows; so many rows that blocks are reserved; long rows.
xta info cube --io
xta info cube --io --box 100:104,100:104,100:104
xta info cube --io --box 70:134,80:144,90:154
xta info cube --io --box 0:256,0:256,77
xta info cube --io --box 77,0:256,0:256
xta info cube --io --box 0:0,:,:
status=0
xta info cube --box 0,0,0 2>&1 || status=$?
echo $status
for option in --json --history; do
    status=0
    xta info cube --io $option 2>&1 || status=$?
    echo $status
done
status=0
xta info cube --io --box 0:300,:,: 2>&1 || status=$?
echo $status

# Shrink: both sides in one step; removed cells do not come back.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i32 --bounds 4,4 --chunk 2,2 --fill -1
seq 16 | xta write a --box :,: --from -
xta shrink a --axis 0 --by 1 --front --axis 1 --by 2
xta read a
xta extend a --axis 0 --by 1 --front --axis 1 --by 2
xta read a
xta info a | grep -E '^(allocated|chunks)'
xta shrink a --axis 0 --by 4
xta read a
xta check a

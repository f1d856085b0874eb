# Extend: single pairs and several, both sides, axes by name and number, --name=value.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i32 --bounds 2,2 --chunk 1,1 --names y,x
echo 1 2 3 4 | xta write a --box :,: --from -
xta extend a --axis y --by 1
xta extend a --axis 1 --by 1 --front
xta extend a --axis=x --by=1 --front --axis=y --by=2
xta extend a --axis y --front --by 1
xta extend a --axis y --by 0
xta read a
xta address a --all
xta info a | grep -A9 ^history

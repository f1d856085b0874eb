# Add-axis: any position; addresses stay; the new axis grows at both sides.
# SPDX-License-Identifier: Apache-2.0
xta create a --type i16 --bounds 2,3 --chunk 1,3 --names y,x
seq 6 | xta write a --box :,: --from -
xta add-axis a --at 0 --name t
xta add-axis a --at 3
xta read a
xta extend a --axis t --by 1 --front
xta address a --all
xta read a --box 0,:,:,0
xta info a | grep -A6 ^history
try() {
    xta add-axis a "$@" 2>&1
    echo "exit $?"
}
try
try --at 5
try --at -1
try --at x
xta add-axis a --at 0 --name y 2>/dev/null
echo "exit $?"
xta info a | grep ^bounds

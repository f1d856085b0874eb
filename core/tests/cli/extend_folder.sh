# A folder grows as a data set: all arrays that have the axis, with listed coordinates, in one step.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
mkdir set
xta create set/time --type f64 --bounds 2 --chunk 4 --names time
printf '10 20' | xta write set/time --box : --from -
xta create set/t2m --type f32 --bounds 2,3 --chunk 2,3 --names time,x
xta create set/mask --type u8 --bounds 3 --chunk 3 --names x
xta create set/name --type bytes:4 --bounds 3 --chunk 3 --names x
echo "== no coordinates"
try extend set --axis x --by 1 --axis x --by 2 --front
try extend set --axis x --by 0
try extend set --axis x --by 1 --json
echo "== listed coordinates"
try extend set --axis time --by 2 --coordinates 30,45.5
try extend set/ --axis time --by 1 --front --coordinates 1e0
python3 -c 'import numpy; numpy.save("days.npy", numpy.array([50, 60, 70], "i4"))'
try extend set --axis time --by 3 --coordinates days.npy
xta read set/time --box :
xta info set/t2m | grep ^bounds
for name in time t2m mask name; do xta check set/$name; done
echo "== names"
mkdir names
xta create names/station --type bytes:6 --bounds 1 --chunk 4 --names station
xta create names/rain --type f64 --bounds 1 --chunk 4 --names station
try extend names --axis station --by 2 --coordinates bonn,kiel
xta read names/station --box :
try extend names --axis station --by 1 --coordinates heidelberg
echo "== refused"
try extend set --axis time --by 1
try extend set --axis time --by 1 --coordinates 70
try extend set --axis time --by 2 --coordinates 80
try extend set --axis time --by 1 --coordinates 80,90
try extend set --axis time --by 1 --coordinates 80,
try extend set --axis time --by 1 --coordinates days.npy
try extend set --axis time --by 0 --coordinates 80
try extend set --axis x --by 1 --coordinates 80
try extend set --axis x --by 1 --axis time --by 1 --coordinates 80
try extend set --axis z --by 1
try extend set --axis x
try extend set --by 1
try extend set set/mask --axis x --by 1
try extend set/mask set --axis x --by 1
try extend set/mask --axis x --by 1 --coordinates 1
xta read set/time --box :
xta info set/mask | grep ^bounds

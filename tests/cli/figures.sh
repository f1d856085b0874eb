# The figures of the papers: [DRX] Fig. 1 and 3, [CXA] Fig. 3.3.1 (DESIGN 2).
# SPDX-License-Identifier: Apache-2.0
xta create fig1 --type u8 --bounds 1,1 --chunk 1,1
for axis in 1 0 0 1 0 1 0; do
    xta extend fig1 --axis $axis --by 1 >bounds
done
cat bounds
xta address fig1 --chunk 4,2 --address 18
# The four zones of the listing.
xta address fig1 --all | python3 -c '
import sys
zones = {}
for line in sys.stdin:
    address, coord = line.split("\t")
    row, column = map(int, coord.split(","))
    zones.setdefault((row // 3, column // 2), []).append(int(address))
for zone in sorted(zones):
    print(zone, zones[zone])'

xta create fig3 --type u8 --bounds 4,3,1 --chunk 1,1,1
xta extend fig3 --axis 2 --by 1
xta extend fig3 --axis 2 --by 1
xta extend fig3 --axis 1 --by 1
xta extend fig3 --axis 0 --by 2
xta extend fig3 --axis 2 --by 1
xta address fig3 --chunk 2,1,0 --chunk 3,1,2 --chunk 4,2,2
xta address fig3 --address 7 --address 34 --address 56
xta address fig3 --all | wc -l

xta create fig331 --type u8 --bounds 3,3,2 --chunk 1,1,1
xta extend fig331 --axis 1 --by 2
xta extend fig331 --axis 0 --by 2
xta extend fig331 --axis 2 --by 1
xta address fig331 --chunk 1,4,0 --chunk 2,4,1 --chunk 3,3,1

# A million chunks: every line is there, in order, and the box is right at its ends.
# SPDX-License-Identifier: Apache-2.0
xta create a --type u8 --bounds 100,100,50 --chunk 1,1,1
xta extend a --axis 2 --by 50 --front
xta address a --all >lines
wc -l <lines
head -n 1 lines
tail -n 1 lines
cut -f 1 lines | awk '$1 != NR - 1 { print "out of order", NR; exit }'
cut -f 2 lines | sort -u | wc -l

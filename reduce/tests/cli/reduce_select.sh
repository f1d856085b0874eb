# Cells by label in reduce, stat and extract.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
xta create t --type i32 --bounds 4,3 --chunk 2,2 --names time,lat
seq 0 11 | xta write t --box :,: --from -
xta attr t --axis time --set-unit 'days since 2015-01-30'
xta attr t --axis time values=0,1,2,3 --type f64
xta attr t --axis lat values=40,45,50 --type f32
echo "== reduce"
xta reduce t --sel time=2015-02
xta reduce t --sel time=2015-02 --over time --with mean,count
xta reduce t --sel 'time=[2015-02-02,2015-01-30]' --over lat --with sum
xta reduce t --sel time=::2 --over time --with sum --groups time:1
xta reduce t --sel lat=45: --box 1:3,: --over lat --out r
xta info r | grep bounds
xta read r
try reduce t --sel time=2015-02 --box 1:3,:
try reduce t --sel time=2016
echo "== stat"
xta stat t --sel time=2015-02,lat=:45
try stat t --sel time=::2
mkdir set; xta copy t set/t
try stat set --sel time=2015-02
echo "== extract"
printf 'sel time=2015-02 february\nsel lat=45:,time=2015-01-31 point\nbox :,0:1\n' >regions
xta extract t --regions regions
echo 'sel lat=40:45' | xta extract t --regions - --axes lat
for line in 'sel time=::2' 'sel depth=3' 'sel time=2016' 'sel time=2015-02 a b'; do
    echo "$line" >regions
    try extract t --regions regions
done
echo 'sel time=2015-02' >regions
try extract t --regions regions --axes lat

# Attr: set, get, list and remove on the array and its axes; names and units; types; escapes.
# SPDX-License-Identifier: Apache-2.0
xta create a --type f64 --bounds 2,3 --chunk 2,3 --names t,x
xta attr a 'title=A line, = and "quotes"'
xta attr a --type f32 scale=0.1,nan,-inf
xta attr a --type i64 big=9223372036854775807
xta attr a --type c64 z=1+2i
xta attr a --type bytes:2 raw=0x00ff,ab
xta attr a --type u8 none=
xta attr a --type text text=plain
xta attr a "lines=$(printf 'one\ntwo\tthree\\ end')"
xta attr a empty=
xta attr a --axis t calendar=noleap
xta attr a --axis 1 --type i16 stride=2
xta attr a
echo "-- one axis"; xta attr a --axis t
echo "-- get"; xta attr a title; xta attr a scale; xta attr a lines; xta attr a --axis x stride; xta attr a empty
xta attr a --type f64 scale=0.1
echo "-- replaced"; xta attr a scale
echo "-- long"
xta attr a --type i32 many="$(seq -s , 20)"
xta attr a long="$(printf '%0300d' 0)"
xta attr a | grep ^many
xta attr a | grep ^long | tail -c 20
xta attr a many
xta attr a long | wc -c
xta attr a --remove many
xta attr a --remove long
xta attr a --remove title
xta attr a --remove calendar --axis t
xta attr a --axis 1 --set-unit degrees_east --set-name lon
xta attr a --axis t --set-unit 'days since 1900-01-01'
xta info a | grep -E '^(axis|attribute)' | grep -v lines
xta attr a --axis lon --set-name '' --set-unit ''
xta info a | grep ^axis
try() {
    xta attr a "$@" 2>&1
    echo "exit $?"
}
try --set-name y
try --axis t --set-name y title
try --remove x title
try --type f64
try --type f64 title
try --type f64 v=1,x
try --type u8 v=256
try --type f65 v=1
try --type bytes v=1
try a=b c=d
one_line() {
    xta attr "$@" >out 2>err
    printf '%s %s %s\n' "$?" "$(wc -l <err)" "$(grep -c '^xta attr: ' err)"
}
one_line a missing
one_line a --remove missing
one_line a --axis z
one_line a --axis 1 --set-name t
one_line a =value
one_line none

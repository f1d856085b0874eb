# Cubes: levels, measures, growth on every side, questions, tables, JSON, what was read, errors.
# SPDX-License-Identifier: Apache-2.0
try() {
    echo "-- $*"
    xta "$@" 2>&1
    echo "exit $?"
}
# In memory, where the machine has a file system there: cubes sync many files.
if folder=$(mktemp -d /dev/shm/cube.XXXXXX 2>/dev/null); then
    trap 'rm -rf "$folder"' EXIT
    cd "$folder" || exit 1
fi
numbers() {
    python3 -c "print(*(k * 7 % 23 for k in range($1)))"
}
xta create t --type i32 --bounds 90,4,6 --names time,y,x --chunk 16,4,6
xta attr t 'values//regular=-45,1,8' --type i64 --axis time
xta attr t --axis time --set-unit 'days since 2014-01-01'
numbers 2160 | xta write t --box :,:,: --from -
echo "== a cube"
try cube t c --levels 'time:1>month>year,y:1>2,x:1>3'
try query c --measure mean,sum,count,min,max
try query c --by month --explain
try query c --sel time=2014-01:2014-02-10,y=1:3 --by year,x:3 --json --explain
try query c --by month,y:2 --pivot y --measure max
try query c --over time,y --box 3:80,1:,2:5
try query c --over none --box 3,1:3,2:5
try query c --by season --measure count
echo "== growth"
xta extend t --axis time --by 4 --front >/dev/null
numbers 96 | xta write t --box=-4:0,:,: --from -
xta extend t --axis y --by 1 >/dev/null
try query c --explain
try cube c --json
try cube --update c
try query c --explain
echo "== the same as a cube made afresh"
xta cube t fresh --levels 'time:1>month>year,y:1>2,x:1>3' >/dev/null
for member in c/*_*.xmd; do
    xta diff "${member%.xmd}" "fresh/$(basename "$member" .xmd)" || echo "different: $member"
done
ls c | wc -l
echo "== what does not count"
xta create f --type f32 --bounds 6 --chunk 4 --names x
echo 1 nan 9 4 nan 5 | xta write f --box : --from -
try cube f skip --levels x:2 --missing 9
try query skip --measure mean,count,min --by x:2
try cube f propagate --levels x:2 --nan propagate --measures sum
try query propagate --measure sum,count --by x:2
try query propagate --measure min
echo "== errors"
try cube t d --levels time:week
try cube t d --levels x:0
try cube t d --levels y:4,y:2
try cube t d --levels y:3'>'4
try cube t d --levels y:month
try cube t d --levels y:1
try cube t d --levels z:2
try cube t d --levels y:2 --measures sum,mean
try cube t d
try cube t c --levels y:2
try cube c --levels y:2
try cube --update t c
try cube nothing
try query t
try query c --measure mena
try query c --by foo
try query c --by y:2,y:4
try query c --over x,x
try query c --sel time=2020
try query c --box :,: --sel y=1
try query c --pivot x
try query c --box 0:9,9:12,:
xta shrink t --axis time --by 1 >/dev/null
try query c
try cube c
xta rename t u
try query c | sed "s#$(pwd -P)/##"

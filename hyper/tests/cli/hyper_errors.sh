# The commands of `xta hyper` refuse wrong input in one line that names file, axis, value and remedy, and leave no files
# behind.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
try() {
    xta hyper "$@" 2>&1
    echo "exit $?"
}
xta hyper synth map library.csv scene >/dev/null
xta create flat --type f64 --bounds 4 --chunk 4
xta create deep --type f64 --bounds 2,3,4,5 --chunk 2,3,4,5
xta create complex --type c64 --bounds 4,5,6 --chunk 4,5,6
xta create empty --type f32 --bounds 4,5,6 --chunk 4,5,6 --names line,sample,band --fill nan
xta create here --type u8 --bounds 2,2 --chunk 2,2
printf 'band,a,b\n0,1,2\n1,2,3\n' >short.csv
printf 'band,a,a2\n' >same.csv
for ((b = 0; b < 30; b++)); do echo "$b,$((b + 1)),$((b + 1))"; done >>same.csv
printf '1,2,3\n4,5\n' >ragged.csv
printf '1,2,3\n' >three.csv
echo '1,two' >words.csv
ls >before
echo '# scenes'
try count none
try count flat
try count deep
try count complex
try count empty
try count scene --bands z
try count scene --lines line --samples line
try count scene --use-bands 5,3
try count scene --use-bands 0:100
try count scene --use-bands x
try count scene --nodata none
try count scene --memory 1
try count scene --memory lots
try count scene --threads 0
try count scene --false-alarm 2
echo '# endmembers'
try endmembers scene out.csv
try endmembers scene out --count 3
try endmembers scene out.csv --count 0
try endmembers scene out.csv --count 3 --method best
try endmembers scene out.csv --count 3 --skewers three.csv
try endmembers scene out.csv --count 3 --method ppi --skewers three.csv
try endmembers scene out.csv --count 3 --method ppi --skewers ragged.csv
try endmembers scene out.csv --count 3 --method ppi --skewers words.csv
try endmembers scene out.csv --count 3 --method ppi --skewers none
try endmembers scene out.csv --count 3 --method ppi --skewers three.csv --seed 1
try endmembers scene out.csv --count 3 --method ppi --select otsu
try endmembers scene out.csv --count 3 --method amee --basis pct:3
try endmembers scene out.csv --count 3 --method amee --radius 99
try endmembers scene out.csv --count 3 --method amee --region-angle 0.1
try endmembers scene out.csv --count 3 --candidates 5
try endmembers scene out.csv --count 3 --method amee --image here
try endmembers scene out.csv --count 3 --basis pct:0
try endmembers scene out.csv --count 3 --basis pct:31
try endmembers scene out.csv --count 3 --basis none
try endmembers scene missing/out.csv --count 3
try endmembers scene out.csv --count 3 --seed -1
echo '# pct'
try pct scene out --components 31
try pct scene out --mnf --uncentred
try pct scene here
try pct scene out --basis short.csv
xta hyper pct scene scores --components 2 --basis frozen --use-bands 0:9 >/dev/null
try pct scene out --basis frozen
try pct scene out --basis frozen --components 3
rm frozen scores.*
echo '# unmix'
try unmix scene none.csv out
try unmix scene short.csv out
try unmix scene same.csv out
try unmix scene library.csv here
try unmix scene library.csv out --residual here
try unmix scene library.csv out --method best
try unmix scene map out
echo '# classify'
try classify scene out
try classify scene library.csv out --by colour
try classify scene library.csv out --by sad --method fcls
try classify scene library.csv out --by sad --seed 3
try classify scene library.csv out --by abundance --angles a
try classify scene out --supervised lda
try classify scene out --supervised forest --truth map
try classify scene library.csv out --supervised lda --truth map
try classify scene out --supervised lda --truth none
try classify scene out --supervised lda --truth deep
try classify scene out --supervised lda --truth map --train 1
try classify scene out --supervised lda --truth map --components 99
try classify scene library.csv out --by sad --truth map --truth-at 500,0
try classify scene library.csv out --by sad --truth here --truth-at scene
try classify scene library.csv out --by sad --truth-at 0,0
echo '# score'
try score
try score map
try score map none
try score map scene
try score map map --reference library.csv
try score --endmembers library.csv
try score map map --endmembers library.csv --reference library.csv
try score --endmembers library.csv --reference short.csv
try score --endmembers library.csv --reference library.csv --abundances map
try score --endmembers library.csv --reference library.csv --abundances map --truth-abundances map
try score here here
echo '# synth'
try synth map library.csv here
try synth none library.csv out
try synth map none.csv out
try synth map library.csv out --lines 5
try synth map library.csv out --lines 5:5
try synth map library.csv out --mixing 99
try synth map library.csv out --mixing 1.5
try synth map library.csv out --variation 2
try synth map library.csv out --type c64
try synth map library.csv out --materials 9
try synth map library.csv scene --append --lines 60:70
try synth map library.csv scene --append --type u8 --lines 40:50
try synth map library.csv here --append --lines 40:50
try synth map library.csv out --append --lines 40:50
ls | grep -v '^before$' | diff - <(grep -v '^before$' before) && echo 'nothing is left behind'

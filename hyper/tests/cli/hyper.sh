# Common parts of the commands of `xta hyper`: help of each, unknown words, one JSON object from all.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
xta help hyper | cmp - <(xta hyper --help)
xta help hyper | cmp - <(xta hyper -h)
for command in $(xta hyper --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
    echo "$command"
    xta help hyper "$command" >help.txt || echo "help hyper $command failed"
    xta hyper "$command" --help | cmp - help.txt
    grep -q "^Usage: xta hyper $command" help.txt && grep -q '^Options:' help.txt &&
        grep -q '^Example:' help.txt || echo "$command: a part of the help is missing"
    awk -v name="$command" 'length($0) > 79 { print name ": line too long: " $0 }' help.txt
    grep -A2 '^Example:' help.txt | grep -q "xta hyper $command" || echo "$command: no example"
done
try hyper
try hyper endmember
try hyper frobnicate
try help hyper endmember
try help hyper pct more
try help read pct
try hyper pct
try hyper pct a b c
try hyper pct a b --component 3
xta hyper synth map library.csv scene --noise 30 --mixing 1 --abundances truth --json >synth.json
xta hyper count scene --json >count.json
xta hyper pct scene components --components 3 --json >pct.json
xta hyper endmembers scene found.csv --count 4 --json >endmembers.json
xta hyper unmix scene found.csv abundances --residual rest --json >unmix.json
xta hyper classify scene found.csv labels --by sad --truth map --json >classify.json
xta hyper classify scene trained --supervised lda --truth map --json >trained.json
xta hyper score labels map --json >score.json
xta hyper score --endmembers found.csv --reference library.csv --abundances abundances \
    --truth-abundances truth --scene scene --json >spectra.json
for file in synth count pct endmembers unmix classify trained score spectra; do
    json $file.json 'j["command"], " ".join(j)'
done

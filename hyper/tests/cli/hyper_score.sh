# Scores worked out by hand: a confusion matrix with labels of other numbers than the classes, with classes that were
# not found, shifted against the truth; and angles.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
xta create truth --type u8 --bounds 3,4 --chunk 3,4
echo 1 1 1 1 2 2 2 2 3 3 0 0 | xta write truth --box :,: --from -
xta create labels --type u16 --bounds 3,4 --chunk 3,4
echo 7 7 7 2 2 2 2 9 2 2 2 7 | xta write labels --box :,: --from -
xta attr truth "class_names=$(printf 'none\noats\nrye\nhay')"
xta hyper score labels truth
xta hyper score labels truth --json >score.json
json score.json '{k: v for k, v in j["score"].items() if k not in ("classes", "class_size_note")}'
json score.json '[(c["class"], c["name"], c["label"], c["producer_accuracy"], c["user_accuracy"]) for c in j["score"]["classes"]]'
xta hyper score truth truth --same | tail -n 3 | head -n 2
xta hyper score labels truth --same --json >same.json
json same.json 'j["score"]["correct"]'
# The truth starts at other coordinates.
xta create far --type u8 --bounds 3,4 --chunk 3,4
xta read truth --box :,: --as text | xta write far --box :,: --from -
xta extend far --axis 0 --by 5 --front >/dev/null
xta shrink far --axis 0 --by 3 >/dev/null
xta read truth --box :,: --as text | xta write far --box -3:0,: --from -
xta shrink far --axis 0 --by 2 --front >/dev/null
xta info far | grep ^bounds
xta hyper score labels far 2>&1
xta hyper score labels far --truth-at scene --json >moved.json
cmp <(json moved.json 'j["score"]["confusion"]') <(json score.json 'j["score"]["confusion"]') && echo 'moved: the same'
xta hyper score labels far --truth-at 0,0 --json >placed.json
cmp <(json placed.json 'j["score"]["confusion"]') <(json score.json 'j["score"]["confusion"]') && echo 'placed: the same'
# Angles: swapped spectra are matched, one reference stays unmatched.
cut -d, -f1,3,2 library.csv | awk -F, -v OFS=, '{ print $1, $3, $2 }' >two.csv
xta hyper score --endmembers two.csv --reference library.csv

# Labels by angle, by abundance and by training, against a truth map that is aligned with the scene by coordinates.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
xta hyper synth map library.csv scene --noise 30 --seed 2 --lines -10:30 >/dev/null
xta hyper classify scene library.csv by_angle --by sad --truth map --angles angles --json >angle.json
json angle.json 'j["score"]["labelled_pixels"], j["score"]["overall_accuracy"] > 0.98'
xta hyper classify scene library.csv by_share --by abundance --method nnls --truth map --json >share.json
json share.json 'j["score"]["labelled_pixels"], j["score"]["overall_accuracy"] > 0.98'
# Shifted by five lines it no longer fits.
xta hyper classify scene library.csv moved --by sad --truth map --truth-at -5,0 --json >moved.json
json moved.json 'j["score"]["labelled_pixels"], j["score"]["overall_accuracy"] < 0.9'
xta attr by_angle class_names
for method in lda ml; do
    xta hyper classify scene $method --supervised $method --truth map --train 0.2 --components 5 --seed 4 --json \
        >$method.json
    json $method.json 'j["trained_on"], j["score"]["labelled_pixels"], j["score"]["overall_accuracy"] > 0.98'
done
xta hyper classify scene again --supervised lda --truth map --train 0.2 --components 5 --seed 4 --threads 2 >/dev/null
cmp <(xta read lda --box :,: --as raw) <(xta read again --box :,: --as raw) && echo 'the seed decides'
xta info by_angle | grep -E '^(type|bounds|axis)'
# Pixels without data have no class.
xta fill scene --box 5,6,: --value nan
xta hyper classify scene library.csv holes --by sad | tail -n 1
xta read holes --box 5,5:8 --as text

# Real scenes, as a user would process them: Samson with its reference endmembers and abundances, SalinasA with its
# classes. The figures are those of docs/HYPERSPECTRAL.md.
# SPDX-License-Identifier: Apache-2.0
data=${XTA_DATA:-$XTA_SOURCE_DIR/../shared/data}/hyperspectral
if [ ! -d "$data/samson" ]; then
    echo "SKIPPED: no data in $data: real scenes under xta hyper" >&2
    exit 77
fi
if ! xta version | grep -q '^bridge matlab: '; then
    echo "SKIPPED: this build has no bridge for .mat files: real scenes under xta hyper" >&2
    exit 77
fi
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
end3=$data/samson/end3.mat
echo '# Samson'
xta import "$data/samson/samson_1.mat:V" samson --fold 1=95,95:column --axes band,y,x
xta import "$end3:A" truth --fold 1=95,95:column --axes band,y,x
for method in nfindr amee ppi; do
    xta hyper endmembers samson $method.csv --method $method --count 3 --json >found.json
    xta hyper unmix samson $method.csv $method --normalise >/dev/null
    xta hyper score --endmembers $method.csv --reference "$end3:M" --abundances $method --truth-abundances truth \
        --json >score.json
    json found.json 'j["method"], [(e["line"], e["sample"]) for e in j["endmembers"]]'
    json score.json '"SAD %.3f aRMSE %.3f" % (j["mean_sad"], j["abundance_rmse"]),
        [m["reference"] for m in j["matches"]]'
done
for method in nfindr amee; do
    xta hyper endmembers samson means.csv --method $method --count 3 --means >/dev/null
    xta hyper score --endmembers means.csv --reference "$end3:M" | tail -n 1
done
xta hyper count samson
echo '# SalinasA'
xta import "$data/salinas/SalinasA_corrected.mat" salinas
gt=$data/salinas/SalinasA_gt.mat:salinasA_gt
xta hyper endmembers salinas nine.csv --method nfindr --count 9 >/dev/null
xta hyper classify salinas nine.csv labels --by sad --truth "$gt" | tail -n 3 | head -n 2
xta hyper score labels "$gt" | tail -n 3 | head -n 2
for method in lda ml; do
    xta hyper classify salinas $method --supervised $method --train 0.1 --truth "$gt" --json >$method.json
    json $method.json 'j["trained_on"], j["score"]["labelled_pixels"], j["score"]["overall_accuracy"] >= 0.985'
done
# Shuffled labels: the class-size score does not see it.
xta read "$(xta import "$gt" gt >/dev/null && echo gt)" --box :,: --as npy --out gt.npy
python3 - <<'PYTHON'
import numpy as np
gt = np.load("gt.npy")
mixed = gt.copy()
mixed[gt > 0] = np.random.default_rng(1).permutation(gt[gt > 0])
np.save("mixed.npy", mixed)
PYTHON
xta hyper score mixed.npy "$gt" --same --json >mixed.json
json mixed.json 'j["score"]["class_size_score"], j["score"]["overall_accuracy"] < 0.3'
echo '# a file cut short'
xta hyper score "$data/salinas/Salinas_corrected.truncated.mat" "$gt" 2>&1 | grep -c '^xta hyper score: .*truncated'

# Components of a scene, a basis that is frozen in a file while the scene grows, and counts.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
xta hyper synth map library.csv scene --type u16 --scale 10000 --noise 40 --lines 0:33 --seed 3
xta hyper pct scene before --components 3 --basis frozen >/dev/null
xta hyper synth map library.csv scene --append --lines 33:40 --scale 10000 --noise 40 --seed 3
xta hyper pct scene after --basis frozen --json >after.json
json after.json 'j["frozen"], j["components"], j["kind"]'
xta hyper pct scene fresh --components 3 --json >fresh.json
json fresh.json 'j["frozen"], j["components"], len(j["eigenvalues"]), sorted(j["eigenvalues"], reverse=True) == j["eigenvalues"]'
cmp <(xta read before --box :,:,: --as raw) <(xta read after --box :,0:33,: --as raw) &&
    echo 'frozen: old pixels keep their components'
cmp -s <(xta read before --box :,:,: --as raw) <(xta read fresh --box :,0:33,: --as raw) ||
    echo 'not frozen: they do not'
# Against numpy: variances of the components are the eigenvalues, and components are not correlated.
xta read fresh --box :,:,: --as npy --out fresh.npy
python3 - <<'PYTHON'
import json
import numpy as np
c = np.load("fresh.npy").reshape(3, -1).astype(float)
values = json.load(open("fresh.json"))["eigenvalues"][:3]
cov = np.cov(c)
print("variances", np.allclose(np.diag(cov), values, rtol=1e-4),
      "correlation", abs(np.corrcoef(c) - np.eye(3)).max() < 1e-3)
PYTHON
xta hyper pct scene noise --mnf --components 2 | tail -n 1
xta hyper pct scene origin --uncentred --components 2 | tail -n 1
xta hyper pct scene few --use-bands 0:10,12,20:30 --components 2 --json >few.json
json few.json 'j["scene"]["bands_in_use"]'
xta hyper pct scene one --threads 1 --components 4 >/dev/null
xta hyper pct scene two --threads 2 --components 4 --memory 8MiB >/dev/null
cmp <(xta read one --box :,:,: --as raw) <(xta read two --box :,:,: --as raw) && echo 'threads make no difference'
xta hyper count scene --json >count.json
json count.json '[h["false_alarm"] for h in j["hfc"]], all(3 <= h["count"] <= 30 for h in j["hfc"]), j["hysime"] >= 3'
xta hyper count scene --false-alarm 1e-3 | sed 's/: [0-9]*$/: N/'

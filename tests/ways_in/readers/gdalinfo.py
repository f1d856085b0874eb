"""gdalinfo -stats: of each band (a time) its least, greatest and mean cell, which tell t and the range of y.
SPDX-License-Identifier: Apache-2.0"""
import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

info = json.loads(subprocess.run(["gdalinfo", "-json", "-stats", sys.argv[1]], capture_output=True, text=True, check=True).stdout)
(width, height), to = info["size"], info["geoTransform"]
y = to[3] + to[5] * (np.arange(height) + 0.5)
x = to[0] + to[1] * (np.arange(width) + 0.5)
least = np.array([band["minimum"] for band in info["bands"]])
# 1e6 t + 1e3 y, with y between -500 and 499
time = np.floor((least + 5e5) / 1e6) * expected.HOURS
cells = expected.temp(time, y, x)
for what, found, wanted in (("minimum", least, cells.min(axis=(1, 2))),
                            ("maximum", np.array([band["maximum"] for band in info["bands"]]), cells.max(axis=(1, 2)))):
    # They are printed with three decimals.
    expected.compare(what, np.round(found, 3), wanted)
mean = np.array([band["mean"] for band in info["bands"]])
if not np.allclose(mean, cells.mean(axis=(1, 2)), rtol=1e-12, atol=2e-3):
    sys.exit(f"mean: {mean}, not {cells.mean(axis=(1, 2))}")
expected.found(time, y, cells.size)

"""rasterio: bands are times, lines are y. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import sys

import numpy as np
import rasterio

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

with rasterio.open(sys.argv[1]) as temp:
    cells = temp.read()
    to = temp.transform
    y = to.f + to.e * (np.arange(temp.height) + 0.5)
    x = to.c + to.a * (np.arange(temp.width) + 0.5)
    time = np.floor((cells[:, 0, 0] + 5e5) / 1e6) * expected.HOURS
    expected.compare("temp", cells, expected.temp(time, y, x))
expected.found(time, y, cells.size)

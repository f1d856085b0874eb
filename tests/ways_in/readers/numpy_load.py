"""numpy.load of the files of a mounted view. The files of two arrays are opened one after the other, and may be of two
steps; so the coordinates of temp are told by its first cell. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

temp = np.load(pathlib.Path(sys.argv[1]) / "ocean" / "temp.npy")
# 1e6 t + 1e3 y, with y between -500 and 499
first_t = np.floor((temp[0, 0, 0] + 5e5) / 1e6)
first_y = (temp[0, 0, 0] - 1e6 * first_t) / 1e3
time = (first_t + np.arange(temp.shape[0])) * expected.HOURS
y = (first_y + np.arange(temp.shape[1])) * expected.METRES + expected.METRES / 2
x = np.arange(temp.shape[2]) * expected.METRES + expected.METRES / 2
expected.compare("temp", temp, expected.temp(time, y, x))
expected.found(time, y, temp.size)

"""A raster layer of QGIS: the blocks of its provider. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import sys

import numpy as np
from qgis.core import QgsApplication, QgsRasterLayer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
layer = QgsRasterLayer(sys.argv[1], "temp", "gdal")
if not layer.isValid():
    sys.exit(f"{sys.argv[1]}: QGIS: {layer.error().message()}")
extent, width, height = layer.extent(), layer.width(), layer.height()
planes = []
for band in range(1, layer.bandCount() + 1):
    block = layer.dataProvider().block(band, extent, width, height)
    planes.append(np.frombuffer(bytes(block.data()), "f8").reshape(height, width))
cells = np.stack(planes)
x = extent.xMinimum() + layer.rasterUnitsPerPixelX() * (np.arange(width) + 0.5)
y = extent.yMinimum() + layer.rasterUnitsPerPixelY() * (np.arange(height) + 0.5)
# Lines go from north to south for QGIS, which warps a raster that lies otherwise: its extent is off by 3e-11 m.
x, y = np.round(x, 6), np.round(y, 6)
y = y[::-1]
time = np.floor((cells[:, 0, 0] + 5e5) / 1e6) * expected.HOURS
if y[0] > y[-1]:
    cells, y = cells[:, ::-1], y[::-1]
expected.compare("temp", cells, expected.temp(time, y, x))
expected.found(time, y, cells.size)
del layer
application.exitQgis()

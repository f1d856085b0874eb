# What the judges of rasters share: GDAL's own view of a file, by its Python module.
# SPDX-License-Identifier: Apache-2.0
import json

from osgeo import gdal

from judge import check, run

gdal.UseExceptions()


def gdalinfo(path):
    """What gdalinfo prints, but for names of files and what is computed from them."""
    options = ["-json", "-mdd", "all", "-checksum"]
    try:
        info = gdal.Info(path, options=options)
    except UnicodeDecodeError:  # metadata that are no text, as in frames of CADRG
        info = json.loads(run("gdalinfo", *options, path))
    for key in ("description", "files"):
        info.pop(key, None)
    for key in ("DERIVED_SUBDATASETS",):
        info.get("metadata", {}).pop(key, None)
    info.pop("stac", None)
    return info


def gdal_translate(*words):
    """The program of that name with these options and its two paths; here no process is started."""
    *options, source, target = [str(word) for word in words]
    check(gdal.Translate(target, source, options=options) is not None, "gdal_translate", words)


def raster_cells(path):
    """The cells as GDAL reads them: bands, rows, columns."""
    raster = gdal.Open(path)
    cells = raster.ReadAsArray()
    return cells.reshape(raster.RasterCount, raster.RasterYSize, raster.RasterXSize)

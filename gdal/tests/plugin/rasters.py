"""Rasters that `xta import` has imported show what their files show, and GDAL copies them both ways.

SPDX-License-Identifier: Apache-2.0
"""
import glob
import os
import subprocess
import sys

from osgeo import osr

from common import DATA, check, finish, folder, gdal, np, tool


def sources(scratch):
    """Every raster of the data, and rasters that have what those lack."""
    found = sorted(glob.glob(f"{DATA}/geotiff/*.tif")) + sorted(glob.glob(f"{DATA}/hyperspectral/*/*.img")) + \
        sorted(glob.glob(f"{DATA}/hyperspectral/*/*.raw")) + \
        sorted(glob.glob(f"{DATA}/hyperspectral/enmap_potsdam/**/*.tif", recursive=True))[:4]
    return [path for path in found if os.path.getsize(path) < 1 << 26] + made_rasters(scratch)


def made_rasters(scratch):
    """A palette with names of classes; points of control; scale, unit, no-data of each band."""
    driver = gdal.GetDriverByName("GTiff")
    classes = f"{scratch}/classes.tif"
    out = driver.Create(classes, 31, 17, 1, gdal.GDT_Byte)
    table = gdal.ColorTable()
    for k, color in enumerate([(0, 0, 0, 255), (200, 10, 20, 255), (1, 2, 3, 0)]):
        table.SetColorEntry(k, color)
    band = out.GetRasterBand(1)
    band.SetColorTable(table)
    band.SetCategoryNames(["none", "wood", "water, deep"])
    band.WriteArray(np.arange(31 * 17, dtype="u1").reshape(17, 31) % 3)
    out.FlushCache()
    out = band = None

    points = f"{scratch}/points.tif"
    out = driver.Create(points, 20, 10, 1, gdal.GDT_Int16)
    system = osr.SpatialReference()
    system.ImportFromEPSG(32633)
    out.SetGCPs([gdal.GCP(1000 + 30 * c, 2000 - 30 * r, 5.5, c + 0.5, r + 0.25) for r, c in
                 [(0, 0), (0, 19), (9, 0), (9, 19)]], system.ExportToWkt())
    out.GetRasterBand(1).WriteArray(np.arange(200, dtype="i2").reshape(10, 20))
    out = None

    bands = f"{scratch}/bands.tif"
    out = driver.Create(bands, 12, 9, 3, gdal.GDT_Float32, ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"])
    out.SetGeoTransform([10, 0.5, 0.1, 50, -0.2, -0.5])
    system.ImportFromEPSG(4326)
    out.SetProjection(system.ExportToWkt())
    out.SetMetadata({"TIFFTAG_SOFTWARE": "a test", "free text": "ä, b = c"})
    out.SetMetadata({"KEY": "value"}, "OTHER")
    for b in range(1, 4):
        band = out.GetRasterBand(b)
        band.SetDescription(f"band of {b} µm")
        band.SetNoDataValue(-9999)
        band.SetUnitType("m")
        band.SetScale(0.5 * b)
        band.SetOffset(-b)
        band.SetMetadata({"wavelength": str(0.25 * b), "note": "n" * b})
        band.WriteArray(np.arange(108, dtype="f4").reshape(9, 12) * b)
    out = band = None
    return [classes, points, bands]


def described(path):
    """What gdalinfo says."""
    info = gdal.Info(path, options=["-json", "-mdd", "all"])
    if info is None:
        sys.exit(f"{path}: {gdal.GetLastErrorMsg()}")
    return info


def system_of(info):
    """The system of coordinates that is described; texts of equal ones may differ in details of EPSG's lists."""
    about = info.get("coordinateSystem", {})
    if not about.get("wkt"):
        return None
    system = osr.SpatialReference(about["wkt"])
    system.SetDataAxisToSRSAxisMapping(about["dataAxisToSRSAxisMapping"])
    return system


def comparable(info):
    """What does not depend on the file: not its driver, blocks, compression, and how it was imported."""
    domains = {name: items for name, items in info["metadata"].items()
               if name not in ("IMAGE_STRUCTURE", "DERIVED_SUBDATASETS")}
    domains.setdefault("", {}).pop("history", None)
    kept = {key: info.get(key) for key in ("size", "geoTransform", "cornerCoordinates")}
    points = info.get("gcps", {})
    kept["gcps"] = points.get("gcpList")
    kept["system"], kept["system of points"] = map(system_of, (info, points))
    kept["metadata"] = {name: items for name, items in domains.items() if items}
    kept["bands"] = []
    for band in info["bands"]:
        band = {key: value for key, value in band.items() if key not in ("block", "mask", "overviews")}
        band["metadata"] = {name: items for name, items in band.get("metadata", {}).items()
                            if name not in ("IMAGE_STRUCTURE", "DERIVED_SUBDATASETS")}
        kept["bands"].append(band)
    return kept


def is_of_envi(info):
    return info["driverShortName"] == "ENVI"


def compare(name, one, other):
    """Differences between two descriptions, field by field."""
    for key in one:
        if key == "bands":
            check(len(one["bands"]) == len(other["bands"]), name, "number of bands")
            for b, (left, right) in enumerate(zip(one["bands"], other["bands"]), 1):
                for part in sorted(set(left) | set(right)):
                    check(left.get(part) == right.get(part), name, "band", b, part, left.get(part), right.get(part))
        elif key.startswith("system"):
            check(same_system(one[key], other[key]), name, key)
        else:
            check(one[key] == other[key], name, key, one[key], other[key])


def without_header(info):
    """ENVI's driver names items after the entries of its header, which imports keep in other ways."""
    info["metadata"] = {}
    return info


def commands(scratch, path):
    """The programs of GDAL load the driver as well."""
    for words in (["gdal_translate", "-q", "-of", "XTA", "-co", "CHUNK=2,5,5", path, f"{scratch}/c.xmd"],
                  ["gdalinfo", "-checksum", f"{scratch}/c.xmd"], ["gdalmdiminfo", f"{scratch}/c.xmd"],
                  ["gdalmanage", "delete", f"{scratch}/c.xmd"]):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        check(done.returncode == 0, words, done.stderr)
        if words[0] == "gdalinfo":
            check("Block=5x5" in done.stdout and "Driver: XTA" in done.stdout, done.stdout)
    check(not os.path.exists(f"{scratch}/c.xmd") and not os.path.exists(f"{scratch}/c.xta"), "deleted")


def main():
    n_bands = 0
    with folder() as scratch:
        files = sources(scratch)
        commands(scratch, files[-1])
        for number, path in enumerate(files):
            array = f"{scratch}/array{number}"
            tool("import", path, array)
            before, after = described(path), described(array + ".xmd")
            one, other = comparable(before), comparable(after)
            if is_of_envi(before):
                one, other = without_header(one), without_header(other)
            compare(path, one, other)
            source, opened = gdal.Open(path), gdal.Open(array + ".xmd")
            check(opened.GetDriver().ShortName == "XTA", path, "driver")
            check(opened.GetFileList()[:2] == [array + ".xmd", array + ".xta"], opened.GetFileList())
            check(np.array_equal(source.ReadAsArray(), opened.ReadAsArray(), equal_nan=True), path, "cells")
            for b in range(1, source.RasterCount + 1):
                n_bands += 1
                check(source.GetRasterBand(b).Checksum() == opened.GetRasterBand(b).Checksum(), path, b)
            translate_both_ways(scratch, path, array, number)
    finish(f"{len(files)} rasters with {n_bands} bands show what their files show; copies both ways are equal")


def same_system(one, other):
    """Whether two systems of coordinates are the same, or both are missing."""
    return other is None if one is None else other is not None and one.IsSame(other) == 1


def translate_both_ways(scratch, path, array, number):
    """To GeoTIFF, and from the file itself to an array without the import."""
    back, there = f"{scratch}/back{number}.tif", f"{scratch}/there{number}.xmd"
    for driver, one, other in (("GTiff", array + ".xmd", back), ("XTA", path, there)):
        check(gdal.Translate(other, one, format=driver) is not None, driver, one, gdal.GetLastErrorMsg())
    source = gdal.Open(path)
    for copy in (back, there):
        opened = gdal.Open(copy)
        check(np.array_equal(source.ReadAsArray(), opened.ReadAsArray(), equal_nan=True), copy, "cells")
        sums = [[d.GetRasterBand(b).Checksum() for b in range(1, d.RasterCount + 1)] for d in (source, opened)]
        check(sums[0] == sums[1], copy, "checksums", sums)
        check(source.GetGeoTransform() == opened.GetGeoTransform(), copy, "geotransform")
        check(same_system(source.GetSpatialRef(), opened.GetSpatialRef()), copy, "system of coordinates")
        check(same_system(source.GetGCPSpatialRef(), opened.GetGCPSpatialRef()), copy, "system of the points")
        check(source.GetGCPCount() == opened.GetGCPCount(), copy, "points")
    direct = comparable(described(there))
    if source.GetDriver().ShortName == "GTiff":
        expected = comparable(described(path))
        for band in expected["bands"] + direct["bands"]:
            band["metadata"].get("", {}).pop("STATISTICS_VALID_PERCENT", None)
        compare(there, expected, direct)


main()

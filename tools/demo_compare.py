#!/usr/bin/python3
"""Compare an exported file with its original, by readers that are not ours.

    tools/demo_compare.py raster ORIGINAL.tif COPY.tif    GDAL's Python binding
    tools/demo_compare.py netcdf ORIGINAL.nc COPY.nc      ncdump, and GDAL for the numbers
    tools/demo_compare.py mean FILE.nc VARIABLE VALUE time=YEAR:YEAR latitude=A:B longitude=A:B    NumPy

Rasters must agree in every bit of every cell, in place, projection, no-data value, and in the metadata of each band.
NetCDF files must agree in every bit of every variable and in the header that ncdump prints, except for the values of
global attributes: a series has one title, its files had one each. Prints one line; exit code 1 if anything differs.

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys


def differ(what):
    print(f"DIFFERENT: {what}")
    sys.exit(1)


def without_history(items):
    """The history of a copy begins with the commands that made it."""
    return {name: value for name, value in items.items() if name != "history"}


def compare_raster(original, copy):
    import numpy
    from osgeo import gdal
    gdal.UseExceptions()
    a, b = gdal.Open(original), gdal.Open(copy)
    facts = ("RasterXSize", "RasterYSize", "RasterCount")
    for fact in facts:
        if getattr(a, fact) != getattr(b, fact):
            differ(f"{copy}: {fact} is {getattr(b, fact)}, was {getattr(a, fact)}")
    if a.GetGeoTransform() != b.GetGeoTransform():
        differ(f"{copy}: lies at {b.GetGeoTransform()}, was at {a.GetGeoTransform()}")
    if a.GetProjection() != b.GetProjection():
        differ(f"{copy}: has another projection")
    if without_history(a.GetMetadata()) != without_history(b.GetMetadata()):
        differ(f"{copy}: has other metadata")
    for k in range(1, a.RasterCount + 1):
        p, q = a.GetRasterBand(k), b.GetRasterBand(k)
        for ask in ("GetDescription", "GetNoDataValue", "GetScale", "GetOffset", "GetMetadata",
                    "GetUnitType"):
            if getattr(p, ask)() != getattr(q, ask)():
                differ(f"{copy}: band {k}: {ask[3:]} is {getattr(q, ask)()}, "
                       f"was {getattr(p, ask)()}")
        if p.DataType != q.DataType:
            differ(f"{copy}: band {k} has another type")
    x, y = a.ReadAsArray(), b.ReadAsArray()
    if x.tobytes() != y.tobytes():
        where = numpy.argwhere(x != y)
        first = where[0] if len(where) else "(only in the sign of zeros or in NaN)"
        differ(f"{copy}: {len(where)} of {x.size} cells, the first at {first}")
    print(f"{os.path.basename(copy)}: {x.size} cells, georeference and {a.RasterCount} bands' "
          "metadata are equal")


def header(path):
    text = subprocess.run(["ncdump", "-h", path], check=True, capture_output=True).stdout
    lines = text.decode(errors="replace").split("\n")[1:]  # the first names the file
    if any(line.startswith("\t\t:history = ") for line in lines):  # a copy's begins with the commands that made it
        first = next(k for k, line in enumerate(lines) if line.startswith("\t\t:history = "))
        last = next(k for k in range(first, len(lines)) if lines[k].endswith(" ;"))
        del lines[first:last + 1]
    return ([line for line in lines if not line.startswith("\t\t:")],
            [line for line in lines if line.startswith("\t\t:")])


def compare_headers(original, copy):
    (a, global_a), (b, global_b) = header(original), header(copy)
    for x, y in zip(a, b):
        if x != y:
            differ(f"{copy}: ncdump says '{y.strip()}', said '{x.strip()}'")
    if len(a) != len(b):
        differ(f"{copy}: ncdump's header has {len(b)} lines, had {len(a)}")
    names = [line.split("=")[0] for line in global_a], [line.split("=")[0] for line in global_b]
    if names[0] != names[1]:
        differ(f"{copy}: attributes of the file as a whole are missing or new")
    others = sum(x != y for x, y in zip(global_a, global_b))
    return f"{others} of {len(global_a)} attributes of the file as a whole are those of the series"


def compare_netcdf(original, copy):
    from osgeo import gdal
    gdal.UseExceptions()
    said = compare_headers(original, copy)
    a = gdal.OpenEx(original, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    b = gdal.OpenEx(copy, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    names = a.GetMDArrayNames()
    n_bytes = 0
    for name in names:
        x, y = a.OpenMDArray(name).Read(), b.OpenMDArray(name).Read()
        if x != y:
            differ(f"{copy}: the numbers of {name}")
        n_bytes += len(x)
    print(f"{os.path.basename(copy)}: {len(names)} variables of {n_bytes} bytes and the header "
          f"are equal ({said})")


def compare_mean(path, variable, value, *ranges):
    """The mean of the cells whose coordinates lie in ranges, both ends included; of time, whole years."""
    import netCDF4
    import numpy
    with netCDF4.Dataset(path) as f:
        v = f[variable]
        choice = [numpy.ones(n, bool) for n in v.shape]
        for entry in ranges:
            name, limits = entry.split("=")
            low, high = map(float, limits.split(":"))
            at = f[name][:]
            if name == "time":
                at = numpy.array([d.year for d in netCDF4.num2date(at, f[name].units, f[name].calendar)])
            choice[v.dimensions.index(name)] = (at >= low) & (at <= high)
        want = v[:][numpy.ix_(*choice)].astype("f8").mean()
    if abs(want - float(value)) > 1e-9 * abs(want):
        differ(f"{path}: the mean is {want!r}, not {value}")
    print(f"{os.path.basename(path)}: NumPy has the same mean")


def main():
    if len(sys.argv) > 5 and sys.argv[1] == "mean":
        compare_mean(*sys.argv[2:])
        return
    kinds = {"raster": compare_raster, "netcdf": compare_netcdf}
    if len(sys.argv) != 4 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    kinds[sys.argv[1]](sys.argv[2], sys.argv[3])


if __name__ == "__main__":
    main()

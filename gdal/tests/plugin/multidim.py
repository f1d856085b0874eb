"""The multidimensional API: random slices, also with steps back, equal NumPy; dimensions, coordinates, attributes; new
groups and arrays; strings.

SPDX-License-Identifier: Apache-2.0
"""
import json
import struct
import subprocess

from common import DATA, SCALE, check, finish, folder, gdal, gdal_array, make, np, random_cells, refused, seeded, tool

SEEN = {np.dtype("bool"): "u1", np.dtype("f2"): "f4", np.dtype("i1"): "i2"}
TYPES = ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


def multidim(path, update=False):
    return gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | (gdal.OF_UPDATE if update else 0))


def random_slices(rng, shape, steps):
    """A slice of each axis, of at least one cell; a step of 0 gives one cell several times."""
    slices = []
    for n in shape:
        start = int(rng.integers(n))
        step = int(rng.choice(steps))
        most = 3 if step == 0 else start // -step + 1 if step < 0 else (n - 1 - start) // step + 1
        slices.append((start, int(rng.integers(1, most + 1)), step))
    return slices


def numpy_slices(slices):
    return tuple(start + step * np.arange(count) for start, count, step in slices)


def read_slices(rng, array, expected, what):
    slices = random_slices(rng, expected.shape, [-3, -2, -1, -1, 0, 1, 1, 2, 3])
    values = expected[np.ix_(*numpy_slices(slices))]
    own = expected.dtype
    wanted = own if rng.random() < 0.6 or own.kind == "c" else np.dtype(["f8", "f4"][rng.integers(2)])
    order = rng.permutation(len(slices))
    strides, step = [0] * len(slices), 1
    for axis in order:
        strides[axis] = step
        step *= values.shape[axis]
    raw = array.Read([s[0] for s in slices], [s[1] for s in slices], [s[2] for s in slices], strides,
                     gdal.ExtendedDataType.Create(gdal_array.NumericTypeCodeToGDALTypeCode(wanted)))
    if raw is None:
        check(False, what, "not read", gdal.GetLastErrorMsg())
        return
    got = np.ndarray(values.shape, wanted, bytes(raw), strides=[n * wanted.itemsize for n in strides])
    check(np.array_equal(got, values.astype(wanted), equal_nan=wanted.kind in "fc"), what, slices, wanted, strides)


def write_slices(rng, array, expected, what):
    """Dense memory, steps forward and back."""
    slices = random_slices(rng, expected.shape, [-3, -2, -1, 1, 2, 3])
    values = random_cells(rng, tuple(s[1] for s in slices), expected.dtype)
    done = array.WriteArray(values, [s[0] for s in slices], [s[2] for s in slices])
    check(done == 0, what, "not written", gdal.GetLastErrorMsg())
    expected[np.ix_(*numpy_slices(slices))] = values


def slices_test(rng, scratch):
    n_arrays, n_slices = int(20 * SCALE) or 1, 40
    for number in range(n_arrays):
        dtype = TYPES[rng.integers(len(TYPES))]
        shape = tuple(int(n) for n in rng.integers(1, 10, rng.integers(1, 6)))
        cells = random_cells(rng, shape, dtype)
        path = f"{scratch}/m{number}"
        chunk = [int(n) for n in rng.integers(1, 6, len(shape))]
        make(path, cells, None, chunk, [int(rng.integers(0, n)) for n in shape])
        what = f"{path}: {cells.dtype} {shape}"
        expected = cells.astype(SEEN.get(cells.dtype, cells.dtype))
        writes = cells.dtype not in SEEN
        dataset = multidim(path + ".xmd", update=writes)
        array = dataset.GetRootGroup().OpenMDArray(f"m{number}")
        check(list(array.GetBlockSize()) == chunk, what, array.GetBlockSize())
        check([d.GetSize() for d in array.GetDimensions()] == list(shape), what)
        for _ in range(n_slices):
            read_slices(rng, array, expected, what)
            if writes:
                write_slices(rng, array, expected, what)
        if writes and shape[0] > 1:
            twice = np.zeros((2,) + shape[1:], expected.dtype)
            refused(lambda: array.WriteArray(twice, None, [0] + [1] * (len(shape) - 1)), "step of 0")
        array = dataset = None
        again = multidim(path + ".xmd").GetRootGroup().OpenMDArray(f"m{number}").ReadAsArray()
        check(np.array_equal(again, expected, equal_nan=expected.dtype.kind in "fc"), what, "as a whole")
    return n_arrays * n_slices


def new_sets(scratch):
    """Groups, dimensions, arrays, attributes and strings that GDAL makes, and finds again."""
    path = f"{scratch}/new"
    driver = gdal.GetDriverByName("XTA")
    dataset = driver.CreateMultiDimensional(path)
    root = dataset.GetRootGroup()
    time = root.CreateDimension("time", "TEMPORAL", None, 4, ["UNLIMITED=YES"])
    lat, lon = root.CreateDimension("lat", None, None, 5), root.CreateDimension("lon", None, None, 6)
    real, whole = gdal.ExtendedDataType.Create(gdal.GDT_Float64), gdal.ExtendedDataType.Create(gdal.GDT_Int64)
    times = root.CreateMDArray("time", [time], whole)
    check(times.WriteArray(np.array([0, 24, 48, 96], "i8")) == 0, "times")
    check(times.SetUnit("hours since 2000-01-01") == 0, "unit")
    cells = np.arange(120, dtype="f4").reshape(4, 5, 6)
    sst = root.CreateMDArray("sst", [time, lat, lon], gdal.ExtendedDataType.Create(gdal.GDT_Float32),
                             ["CHUNK=1,5,3", "ORDER=COLUMN", "FILL=-1"])
    check(np.array_equal(sst.ReadAsArray(), np.full((4, 5, 6), -1, "f4")), "fill")
    check(sst.WriteArray(cells) == 0, "cells")
    sst.SetNoDataValueDouble(-1)
    sst.SetUnit("K")
    sst.SetScale(0.5)
    sst.SetOffset(2)
    from osgeo import osr
    system = osr.SpatialReference()
    system.ImportFromEPSG(4326)
    sst.SetSpatialRef(system)
    sst.CreateAttribute("long_name", [], gdal.ExtendedDataType.CreateString()).Write("temperature of the sea")
    sst.CreateAttribute("range", [3], real).Write([1.5, 2.5, -3])
    sst.CreateAttribute("count", [], gdal.ExtendedDataType.Create(gdal.GDT_Int32)).Write(7)
    root.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()).Write("made by GDAL")
    root.CreateAttribute("names", [2], gdal.ExtendedDataType.CreateString()).Write(["a", "long one"])
    scalar = root.CreateMDArray("crs", [], gdal.ExtendedDataType.Create(gdal.GDT_Int32))
    check(scalar.GetDimensionCount() == 0 and scalar.Write(b"\x2a\0\0\0") == 0, "scalar")
    names = root.CreateMDArray("station", [lat], gdal.ExtendedDataType.CreateString(6))
    check(names.Write(["a", "bc", "", "défg", "zzzzzz"]) == 0, "strings", gdal.GetLastErrorMsg())
    refused(lambda: names.Write(["toolong"] * 5), "7 bytes", "6")
    refused(lambda: root.CreateMDArray("x", [lat], gdal.ExtendedDataType.CreateString()), "STRING_LENGTH")
    refused(lambda: root.CreateMDArray("sst", [lat], real), "sst")
    refused(lambda: root.CreateMDArray("x", [lat], real, ["CHUNK=0"]), "CHUNK=0")
    refused(lambda: root.CreateDimension("lat", None, None, 9), "lat")
    refused(lambda: root.OpenGroup("none"), "no group 'none'")
    refused(lambda: root.OpenMDArray(".."), "no array")
    refused(lambda: root.CreateGroup("../out"), "..")
    group = root.CreateGroup("deep")
    level = group.CreateDimension("level", None, None, 3)
    group.CreateMDArray("w", [level], real).WriteArray(np.array([1.0, np.nan, 3.0]))
    scalar = names = times = sst = group = level = time = lat = lon = root = dataset = None
    found_again(path, cells)


def found_again(path, cells):
    root = multidim(path).GetRootGroup()
    check(set(root.GetMDArrayNames()) == {"time", "sst", "crs", "station"}, root.GetMDArrayNames())
    check(root.GetAttribute("title").Read() == "made by GDAL", "title")
    check(root.GetAttribute("names").Read() == ["a", "long one"], root.GetAttribute("names").Read())
    sst = root.OpenMDArray("sst")
    check(np.array_equal(sst.ReadAsArray(), cells), "cells again")
    check([d.GetName() for d in sst.GetDimensions()] == ["time", "lat", "lon"], "dimensions")
    times = sst.GetDimensions()[0].GetIndexingVariable()
    check(times is not None and list(times.ReadAsArray()) == [0, 24, 48, 96], "indexing variable")
    check(times.GetUnit() == "hours since 2000-01-01", times.GetUnit())
    check(list(sst.GetBlockSize()) == [1, 5, 3], sst.GetBlockSize())
    check(sst.GetNoDataValueAsDouble() == -1 and sst.GetUnit() == "K", "no data, unit")
    check(sst.GetScale() == 0.5 and sst.GetOffset() == 2, "scale, offset")
    check(sst.GetSpatialRef().GetAuthorityCode(None) == "4326", "system")
    check(list(sst.GetSpatialRef().GetDataAxisToSRSAxisMapping()) == [2, 3], "axes of the system")
    check(sst.GetAttribute("long_name").Read() == "temperature of the sea", "long_name")
    check(list(sst.GetAttribute("range").Read()) == [1.5, 2.5, -3], "range")
    check(sst.GetAttribute("count").Read() == 7, "count")
    check(sst.GetStructuralInfo()["ORDER"] == "column", sst.GetStructuralInfo())
    check(root.OpenMDArray("crs").GetDimensionCount() == 0 and root.OpenMDArray("crs").Read() == b"\x2a\0\0\0", "crs")
    station = root.OpenMDArray("station")
    check(station.Read() == ["a", "bc", "", "défg", "zzzzzz"], station.Read())
    deep = root.OpenGroup("deep").OpenMDArray("w").ReadAsArray()
    check(np.array_equal(deep, [1, np.nan, 3], equal_nan=True), deep)
    written_again(path)


def written_again(path):
    """What exists can be changed, and a reader cannot change it."""
    root = multidim(path).GetRootGroup()
    refused(lambda: root.CreateGroup("more"), "")
    refused(lambda: root.OpenMDArray("sst").WriteArray(np.zeros((4, 5, 6), "f4")), "")
    refused(lambda: root.CreateAttribute("x", [], gdal.ExtendedDataType.CreateString()), "reading")
    dataset = multidim(path, update=True)
    sst = dataset.GetRootGroup().OpenMDArray("sst")
    check(sst.GetAttribute("count").Write(8) == 0, "count written")
    sst = dataset = None
    check(multidim(path).GetRootGroup().OpenMDArray("sst").GetAttribute("count").Read() == 8, "count again")


def exact_coordinates(scratch):
    """Listed coordinates of all types, also 64-bit integers that no binary64 is equal to."""
    cases = {"i64": [2**60 + 1, 2**60 + 3, -2**63], "u64": [2**63 - 1, 1, 2**53 + 1], "i8": [-3, 0, 100],
             "f32": [0.5, 1.5, -2], "u8": [0, 3, 255]}
    for number, (kind, values) in enumerate(cases.items()):
        path = f"{scratch}/exact{number}"
        make(path, np.zeros((3, 2, 2), "u1"), ["t", "y", "x"])
        tool("attr", path, "values=" + ",".join(map(str, values)), "--type", kind, "--axis", "t")
        found = multidim(path + ".xmd").GetRootGroup().OpenMDArray("t").ReadAsArray()
        check([found[k].item() for k in range(3)] == values, kind, found)
        raster = gdal.Open(path + ".xmd")
        names = [raster.GetRasterBand(b).GetDescription() for b in (1, 2, 3)]
        check(kind == "f32" or names == [f"t={value}" for value in values], kind, names)


def coordinates(scratch):
    """Regular and listed coordinates of an array that is no member of a set; time as a date; info as JSON."""
    path = f"{scratch}/c"
    cells = np.arange(60, dtype="i2").reshape(3, 4, 5)
    make(path, cells, ["time", "lat", "lon"], None, [1, 2, 0])
    tool("attr", path, "values//regular=40,-0.5,12", "--type", "f64", "--axis", "lat")
    tool("attr", path, "values//regular=10,0.25,12", "--type", "f64", "--axis", "lon")
    tool("attr", path, "values=31,59,90", "--type", "i64", "--axis", "time")
    for axis, unit in (("time", "days since 2015-01-01"), ("lat", "degrees_north"), ("lon", "degrees_east")):
        tool("attr", path, "--set-unit", unit, "--axis", axis)
    root = multidim(path).GetRootGroup()
    array = root.OpenMDArray("c")
    wanted = {"time": [31, 59, 90], "lat": [41, 40.5, 40, 39.5], "lon": [10, 10.25, 10.5, 10.75, 11]}
    for dimension in array.GetDimensions():
        variable = dimension.GetIndexingVariable()
        name = dimension.GetName()
        check(variable is not None and list(variable.ReadAsArray()) == wanted[name], name, gdal.GetLastErrorMsg())
        steps = variable.ReadAsArray([len(wanted[name]) - 1], [2], [-2])
        check(list(steps) == wanted[name][::-2][:2], name, steps)
    check([d.GetType() for d in array.GetDimensions()] == ["TEMPORAL", "HORIZONTAL_Y", "HORIZONTAL_X"], "types")
    exact_coordinates(scratch)
    raster = gdal.Open(path + ".xmd")
    check(raster.GetGeoTransform() == (9.875, 0.25, 0, 41.25, 0, -0.5), raster.GetGeoTransform())
    check(raster.GetSpatialRef().IsGeographic() == 1, "geographic")
    names = [raster.GetRasterBand(b).GetDescription() for b in (1, 2, 3)]
    check(names == ["time=2015-02-01", "time=2015-03-01", "time=2015-04-01"], names)
    done = subprocess.run(["gdalmdiminfo", "-detailed", path + ".xmd"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stderr)
    info = json.loads(done.stdout)
    check(info["arrays"]["c"]["values"] == cells.tolist(), "values of gdalmdiminfo")
    check(info["arrays"]["lat"]["values"] == wanted["lat"], "coordinates of gdalmdiminfo")
    path = f"{scratch}/large"
    make(path, np.arange(3, dtype="i2"), ["line"], None, [0])
    tool("attr", path, "values=1,2,1152921504606846977", "--type", "i64", "--axis", "line")
    line = multidim(path).GetRootGroup().OpenMDArray("large").GetDimensions()[0].GetIndexingVariable()
    check(struct.unpack("3q", bytes(line.Read())) == (1, 2, 2**60 + 1), "integers beyond 2**53")


def whole_sets(scratch):
    """A NetCDF file that is imported as a set, and one that GDAL copies: the same arrays."""
    source = f"{DATA}/netcdf/A1B_north_america.nc"
    tool("import", source, f"{scratch}/na/")
    done = subprocess.run(["gdalmdimtranslate", "-q", "-of", "XTA", source, f"{scratch}/copied"], capture_output=True,
                          text=True, check=False)
    check(done.returncode == 0, "gdalmdimtranslate", done.stderr)
    reference = multidim(source).GetRootGroup()
    n = 0
    for path in (f"{scratch}/na", f"{scratch}/copied"):
        root = multidim(path).GetRootGroup()
        for name in reference.GetMDArrayNames():
            one, other = reference.OpenMDArray(name), root.OpenMDArray(name)
            if other is None:
                check(False, path, name, gdal.GetLastErrorMsg(), root.GetMDArrayNames())
                continue
            n += 1
            check(np.array_equal(one.ReadAsArray(), other.ReadAsArray(), equal_nan=True), path, name, "cells")
            check([d.GetSize() for d in one.GetDimensions()] == [d.GetSize() for d in other.GetDimensions()], path, name)
            check(one.GetUnit() == other.GetUnit(), path, name, one.GetUnit(), other.GetUnit())
    check(n >= 4, "few arrays", n)


def main():
    rng = seeded()
    with folder() as scratch:
        n = slices_test(rng, scratch)
        new_sets(scratch)
        coordinates(scratch)
        whole_sets(scratch)
    finish(f"{n} random slices equal NumPy; sets, coordinates and attributes are as they were made")


main()

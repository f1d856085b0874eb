# Whole NetCDF files into data sets and back: every group, dimension, variable, attribute and cell, judged by the
# NetCDF library itself and by xarray.
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import struct
import warnings

import h5py
import netCDF4
import numpy as np
import xarray

from judge import call, check, data_folder, done, run, workplace

warnings.simplefilter("ignore")
TOOL = os.environ["XTA_TOOL"]
DATA = data_folder("netcdf")
DATA = DATA and os.path.abspath(DATA)
HDF5 = data_folder("hdf5")
HDF5 = HDF5 and os.path.abspath(HDF5)


def equal(a, b):
    """Values of the same type and bits, or the same texts."""
    if type(a) is not type(b):
        return False
    x, y = np.asarray(a), np.asarray(b)
    return x.dtype == y.dtype and x.shape == y.shape and (
        np.array_equal(x, y) if x.dtype.kind in "OU" else x.tobytes() == y.tobytes())


def same_attributes(x, y, where):
    check(x.ncattrs() == y.ncattrs(), where, "attributes", x.ncattrs(), y.ncattrs())
    for name in x.ncattrs():
        check(equal(x.getncattr(name), y.getncattr(name)), where, name, x.getncattr(name), y.getncattr(name))


def same_variable(x, y, where):
    x.set_auto_maskandscale(False)
    y.set_auto_maskandscale(False)
    check(x.dtype == y.dtype and x.dimensions == y.dimensions, where, x, y)
    check(equal(x[...], y[...]), where, "cells")
    same_attributes(x, y, where)
    if x.group().data_model.startswith("NETCDF4"):
        check(x.chunking() == y.chunking(), where, "chunks", x.chunking(), y.chunking())
        check(x.filters() == y.filters(), where, "filters", x.filters(), y.filters())
        check(x.endian() == y.endian(), where, "byte order", x.endian(), y.endian())


def same_group(x, y, where="/"):
    same_attributes(x, y, where)
    check(list(x.dimensions) == list(y.dimensions), where, "dimensions", list(x.dimensions), list(y.dimensions))
    for name, d in x.dimensions.items():
        check(d.size == y.dimensions[name].size and d.isunlimited() == y.dimensions[name].isunlimited(), where, name)
    check(list(x.variables) == list(y.variables), where, "variables", list(x.variables), list(y.variables))
    for name in x.variables:
        same_variable(x.variables[name], y.variables[name], where + name)
    check(list(x.groups) == list(y.groups), where, "groups", list(x.groups), list(y.groups))
    for name in x.groups:
        same_group(x.groups[name], y.groups[name], where + name + "/")


def same_file(a, b):
    with netCDF4.Dataset(a) as x, netCDF4.Dataset(b) as y:
        check(x.data_model == y.data_model, a, x.data_model, y.data_model)
        same_group(x, y)
    with xarray.open_dataset(a, decode_times=False) as x, xarray.open_dataset(b, decode_times=False) as y:
        xarray.testing.assert_identical(x, y)


def round_trip(source, folder, *options):
    out = os.path.basename(source) + "." + folder + ".nc"
    run(TOOL, "import", "--no-history", source, folder + "/", *options)
    run(TOOL, "export", "--no-history", folder, out)
    return out


def make_rich(name):
    """Groups, inherited dimensions, texts, scalars, a name that no array can have, filters, a repeated dimension."""
    with netCDF4.Dataset(name, "w") as f:
        f.title = "made"
        f.numbers = np.array([1, 2, 3], "i2")
        f.setncattr_string("names", ["one", "", "three\nlines"])
        f.createDimension("time", None)
        f.createDimension("y", 3)
        f.createDimension("x", 4)
        f.createDimension("none", None)
        f.createDimension("unused", 7)
        t = f.createVariable("time", "f8", ("time",))
        t.units = "days since 2000-01-01"
        t.calendar = "noleap"
        t[:] = [0.5, 1.5, 2.5]
        y = f.createVariable("y", "f4", ("y",))
        y.units = "degrees_north"
        y[:] = [10, 11.5, 14]
        x = f.createVariable("x", "i8", ("x",))
        x.long_name = "nanoseconds"
        x[:] = 1420070400000000001 + 86400000000000 * np.arange(4)
        v = f.createVariable("temp", "i2", ("time", "y", "x"), fill_value=-99, zlib=True, complevel=4, shuffle=True,
                             fletcher32=True, chunksizes=(1, 2, 3))
        v.scale_factor = np.float32(0.01)
        v.set_auto_maskandscale(False)
        v[:] = np.arange(36).reshape(3, 3, 4)
        f.createVariable("crs", "i4", ())[...] = 7
        f.createVariable("label", str, ("y",))[:] = np.array(["a", "", "caf\u00e9"], object)
        f.createVariable("word", str, ())[...] = "single"
        f.createVariable("c", "S1", ("y", "x"))[:] = np.frombuffer(b"abcdefghijkl", "S1").reshape(3, 4)
        f.createVariable("dataset", "u8", ("y",))[:] = [0, 1, 2 ** 64 - 1]
        f.createVariable("square", "i4", ("y", "y"))[:] = np.arange(9).reshape(3, 3)
        f.createVariable("empty", "f4", ("none", "y"))
        f.createVariable("big", "f8", ("x",), endian="big")[:] = [1, 2, 3, np.nan]
        g = f.createGroup("inner")
        g.note = "a group"
        g.createDimension("z", 2)
        g.createVariable("deep", "f4", ("y", "z"))[:] = np.arange(6).reshape(3, 2)
        g.createVariable("z", "f4", ("z",))[:] = [-1, -2]
        h = g.createGroup("inmost")
        h.createVariable("deeper", "i1", ("z", "x"))[:] = np.arange(8).reshape(2, 4)
        f.createGroup("hollow").why = "no variables"


def make_classic(name, kind):
    with netCDF4.Dataset(name, "w", format=kind) as f:
        f.createDimension("time", None)
        f.createDimension("lat", 5)
        f.createDimension("n", 4)
        f.createVariable("time", "i4", ("time",))[:] = [3, 5, 9]
        f.createVariable("lat", "f4", ("lat",))[:] = np.linspace(-60, 60, 5, dtype="f4")
        f.createVariable("name", "S1", ("lat", "n"))[:] = np.full((5, 4), b"q")
        v = f.createVariable("v", "f4", ("time", "lat"), fill_value=np.float32("nan"))
        v[:] = np.arange(15).reshape(3, 5)
        f.history = "made\nand kept"


def read_items(payload):
    """The items of one record, as docs/FORMAT.md 15 has them: (kind, what, owner, name, bytes)."""
    count, at = struct.unpack_from("<I", payload)[0], 8
    for _ in range(count):
        length, kind, what, a, b = struct.unpack_from("<IBBHH", payload, at)
        owner = payload[at + 16:at + 16 + a].decode()
        name = payload[at + 16 + a:at + 16 + a + b].decode()
        yield kind, what, owner, name, payload[at + 16 + (a + b + 7) // 8 * 8:at + length]
        at += length


def read_journal(path):
    """A second reader of dataset.xmd, from docs/FORMAT.md alone: entries by kind, owner and name."""
    with open(path, "rb") as f:
        data = f.read()
    check(data[:8] == b"\x89XTS\r\n\x1a\n", "magic")
    entries, at = {}, 128
    while at + 24 <= len(data):
        n, kind_of_record = struct.unpack_from("<IH", data, at)
        payload = data[at + 24:at + 24 + n]
        check(kind_of_record in (1, 9), "record type", kind_of_record)
        if kind_of_record == 9:
            entries = {}
        for kind, what, owner, name, content in read_items(payload):
            if what == 1:
                entries[kind, owner, name] = content
            else:
                entries.pop((kind, owner, name), None)
        at += 24 + (n + 7) // 8 * 8
    check(at == len(data), "the records end with the file")
    return entries


def check_journal():
    entries = read_journal("rich/dataset.xmd")
    dimensions = [name for kind, _, name in entries if kind == 2]
    check(dimensions == ["time", "y", "x", "none", "unused", "y_2"], dimensions)
    flags, code, lo, hi, origin, step = struct.unpack("<IIqqqq", entries[2, "", "x"])
    check((flags, lo, hi, origin, step) == (2, 0, 4, 1420070400000000001, 86400000000000), flags, lo, hi, origin, step)
    flags, code, lo, hi, first, by = struct.unpack("<IIqqdd", entries[2, "", "time"])
    check((flags, lo, hi, first, by) == (3, 0, 3, 0.5, 1.0), flags, lo, hi, first, by)
    check(entries[1, "time", "calendar"][16:22] == b"noleap", entries[1, "time", "calendar"])
    check([name for kind, _, name in entries if kind == 4] == ["inner", "hollow"], "groups")
    check((3, "", "temp") in entries and (3, "", "time") not in entries, "members")


def check_info():
    """What xta info prints is CDL that describes the same file."""
    with open("rich.cdl", "w", encoding="utf-8") as f:
        f.write(run(TOOL, "info", "rich"))
    run("ncgen", "-k", "nc4", "-o", "header.nc", "rich.cdl")
    with netCDF4.Dataset("rich.nc") as x, netCDF4.Dataset("header.nc") as y:
        same_attributes(x, y, "header")
        for name, v in x.variables.items():
            if name not in ("dataset", "square"):  # another name, another dimension
                w = y.variables[name]
                check(np.dtype(v.dtype).newbyteorder("=") == np.dtype(w.dtype) and v.dimensions == w.dimensions, "header", name)
                same_attributes(v, w, "header " + name)
        check(y["square"].dimensions == ("y", "y_2") and "_dataset_" in y.variables, "header")
        check(x["inner"].note == y["inner"].note and y["inner"]["inmost"]["deeper"].dimensions == ("z", "x"), "groups")
    code, out, err = call(TOOL, "info", "rich", "--history")
    check(code == 2 and "--history" in err, err)


def check_copy():
    """A copy of the folder is a copy of the data set."""
    run(TOOL, "copy", "rich", "copied", "--no-history")
    run(TOOL, "export", "--no-history", "copied", "copied.nc")
    same_file("rich.nc", "copied.nc")
    listed = [line.split()[0] for line in run(TOOL, "ls", "copied").splitlines() if line.strip()]
    check("temp" in listed and "dataset" not in listed, listed)


def make_lossy(name):
    with netCDF4.Dataset(name, "w") as f:
        f.createDimension("n", 2)
        kind = f.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair")
        f.createVariable("pairs", kind, ("n",))
        e = f.createEnumType(np.uint8, "weather", {"clear": 0, "rain": 1})
        f.createVariable("sky", e, ("n",))[:] = [0, 1]
        f.createVariable("kept", "i4", ("n",))[:] = [5, 6]


def check_lossy():
    make_lossy("lossy.nc")
    code, out, err = call(TOOL, "import", "lossy.nc", "lossy/")
    check(code == 0, err)
    check("lost: pairs: " in err and "lost: sky: the names of its enumeration" in err, err)
    check(run(TOOL, "read", "lossy/kept").split() == ["5", "6"])
    check(run(TOOL, "read", "lossy/sky").split() == ["0", "1"])
    code, out, err = call(TOOL, "import", "lossy.nc", "strict/", "--strict")
    check(code == 1 and "pairs" in err and not os.path.exists("strict"), code, err)


def check_refused():
    code, out, err = call(TOOL, "import", "rich.nc", "rich/")
    check(code == 1 and "rich/" in err and "exists" in err, err)
    code, out, err = call(TOOL, "export", "rich", "rich.nc")
    check(code == 1 and "rich.nc" in err, err)
    code, out, err = call(TOOL, "export", "rich", "kind.nc", "--format", "netcdf-classic")
    check(code == 1 and "netcdf-4" in err and not os.path.exists("kind.nc"), err)
    code, out, err = call(TOOL, "import", "rich.nc", "other/", "--axes", "a")
    check(code == 2 and "--axes" in err, err)
    with open("rich.nc", "rb") as f:
        whole = f.read()
    with open("cut.nc", "wb") as f:
        f.write(whole[:len(whole) // 2])
    code, out, err = call(TOOL, "import", "cut.nc", "cut/")
    check(code == 1 and not os.path.exists("cut"), err)
    check(glob.glob("*.new-*") == [], "folders are left")
    run(TOOL, "export", "--no-history", "rich", "rich.nc", "--force")
    with netCDF4.Dataset("rich.nc") as f:
        check("temp" in f.variables)


def check_origin():
    """A dimension without coordinates that has grown at the front comes back where it was."""
    with netCDF4.Dataset("bare.nc", "w") as f:
        f.createDimension("y", 2)
        f.createDimension("x", 3)
        f.createVariable("v", "i4", ("y", "x"))[:] = np.arange(6).reshape(2, 3)
    run(TOOL, "import", "--no-history", "bare.nc", "bare/")
    run(TOOL, "extend", "bare/v", "--axis", "y", "--by", "2", "--front")
    run(TOOL, "fill", "bare/v", "--box", "-1:0,:", "--value", "7")
    run(TOOL, "export", "--no-history", "bare", "grown.nc")
    with netCDF4.Dataset("grown.nc") as f:
        check(list(f["v"].xta_origin) == [-2, 0], f["v"].xta_origin)
        check(f["v"][:, 0].tolist() == [None, 7, 0, 3], f["v"][:, 0])  # nobody wrote the first cell
    run(TOOL, "import", "--no-history", "grown.nc", "again/")
    check(run(TOOL, "read", "again/v", "--box", "-1:1,0").split() == ["7", "0"])


def make_hdf5(path):
    """What NetCDF does not make: compounds, enumerations, strings of a fixed length, links, a filter nobody has."""
    with h5py.File(path, "w") as f:
        f.attrs["title"] = "plain"
        site = np.zeros(4, [("lat", "f8"), ("n", "i4"), ("name", "S5")])
        site["lat"], site["n"], site["name"] = [1.5, 2.5, -3, 4], [1, 2, 3, 4], [b"a", b"bc", b"", b"defgh"]
        f["site"] = site
        f["fixed"] = np.array([b"one", b"three"], "S5")
        f.create_dataset("texts", data=np.array(["x", "long text", ""], object), dtype=h5py.string_dtype())
        f.create_dataset("colour", data=np.array([0, 2, 1], "u1"), dtype=h5py.enum_dtype({"red": 0, "blue": 2}, "u1"))
        f.create_dataset("empty", data=h5py.Empty("f4"))
        f["soft"] = h5py.SoftLink("/fixed")
        g = f.create_group("g")
        g["scalar"] = np.float32(2.5)
        g["x"] = np.array([10.0, 20, 40])
        g["x"].make_scale("x")
        v = g.create_dataset("v", data=np.arange(12, dtype=">i2").reshape(3, 4), chunks=(2, 2), maxshape=(None, 4),
                             fillvalue=-7, compression="gzip")
        v.dims[0].attach_scale(g["x"])
        v.attrs["units"] = "m"


def check_hdf5():
    make_hdf5("plain.h5")
    code, _, text = call(TOOL, "import", "plain.h5", "plain/")
    check(code == 0, text)
    lost = sorted(line.split("lost: ")[1] for line in text.splitlines())
    check(lost == ["colour: the names of its enumeration", "empty: it has no cells", "soft: a link"], lost)
    run(TOOL, "export", "--no-history", "plain", "plain.nc")
    with netCDF4.Dataset("plain.nc") as f:
        f.set_auto_mask(False)
        check(f.title == "plain" and set(f.variables) == {"site.lat", "site.n", "site.name", "fixed", "texts", "colour"},
              list(f.variables))
        check(f["site.lat"][:].tolist() == [1.5, 2.5, -3, 4] and f["site.n"][:].tolist() == [1, 2, 3, 4], "compound")
        check(f["site.name"][:].tolist() == ["a", "bc", "", "defgh"], f["site.name"][:])
        check(f["fixed"][:].tolist() == ["one", "three"] and f["texts"][:].tolist() == ["x", "long text", ""], "texts")
        check(f["colour"][:].tolist() == [0, 2, 1], f["colour"][:])
        g = f["g"]
        check(float(g["scalar"][()]) == 2.5 and g["x"][:].tolist() == [10, 20, 40], "scalar, scale")
        v = g["v"]
        check(v.dimensions[0] == "x" and g.dimensions["x"].isunlimited() and v.units == "m", v)
        check(v[:].tolist() == np.arange(12).reshape(3, 4).tolist() and v._FillValue == -7 and v.chunking() == [2, 2], v)
    check(call(TOOL, "import", "plain.h5", "strict/", "--strict")[0] == 1 and not os.path.exists("strict"), "strict")
    for source in sorted(glob.glob(f"{HDF5}/*.h*5")) if HDF5 else []:
        name = "real" + str(len(os.listdir(".")))
        run(TOOL, "import", "--no-history", source, name + "/")
        with h5py.File(source) as f:
            f.visititems(lambda path, item: compare_hdf5(name, path, item))


def compare_hdf5(folder, path, item):
    """Every dataset of numbers that h5py can read is there, with its cells."""
    if not isinstance(item, h5py.Dataset) or item.dtype.kind not in "iuf" or item.shape is None or item.size > 1e6:
        return
    if item.compression == "lzf":
        return  # a filter that only h5py has
    want = item[()]
    run(TOOL, "read", f"{folder}/{path}", "--out", "cells.npy")
    got = np.load("cells.npy")
    check(np.array_equal(got.reshape(np.shape(want)), want, equal_nan=want.dtype.kind == "f"), folder, path)


with workplace() as place:
    os.chdir(place)
    check_hdf5()
    make_rich("rich.nc")
    same_file("rich.nc", round_trip("rich.nc", "rich"))
    check(not os.path.exists("rich/time.xmd") and not os.path.exists("rich/x.xmd"), "regular coordinates take no array")
    check(os.path.exists("rich/y.xmd"), "others are listed")
    check_journal()
    check_info()
    check_copy()
    same_file("rich.nc", round_trip("rich.nc", "listed", "--all-listed"))
    check(os.path.exists("listed/time.xmd"))
    for kind in ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4_CLASSIC"]:
        make_classic(kind + ".nc", kind)
        same_file(kind + ".nc", round_trip(kind + ".nc", kind))
    check_lossy()
    check_refused()
    check_origin()
    folder = DATA
    for source in sorted(glob.glob(f"{folder}/*.nc")) if folder else []:
        same_file(source, round_trip(source, "real" + str(len(os.listdir(".")))))
    os.chdir("/")
done("whole_files")

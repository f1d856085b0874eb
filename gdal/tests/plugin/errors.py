"""Bad input through the driver: each gives NULL and an error of GDAL whose text names file and reason, and none ends the
process: missing and damaged files, types that GDAL lacks, arrays that shrink under a reader, names that lead elsewhere.

SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil
import sys

from common import SCALE, Writer, check, finish, folder, gdal, make, np, refused, seeded, tool

FORMAT = os.path.join(os.environ["XTA_SOURCE_DIR"], "core", "tests", "format")
CACHED = ["ACCESS=CACHED"]


def opened(path, flags=gdal.OF_RASTER, options=None):
    return gdal.OpenEx(path, flags | gdal.OF_VERBOSE_ERROR, allowed_drivers=["XTA"], open_options=options or [])


def damaged_cases():
    """The damaged journals of the tests of the format: what is there is made when it is asked for."""
    own = sys.modules.pop("common")
    sys.path.insert(0, FORMAT)
    with open(os.path.join(FORMAT, "bad.py"), encoding="utf-8") as file:
        text = file.read()
    names = {"__name__": "cases", "__file__": os.path.join(FORMAT, "bad.py")}
    exec(compile(text[:text.rindex("main()")], "bad.py", "exec"), names) # pylint: disable=exec-used
    for add in [value for name, value in names.items() if name.endswith("_cases") and callable(value)]:
        add()
    sys.path.remove(FORMAT)
    sys.modules["common"] = own
    return names["cases"], names["OK"]


def damaged(scratch):
    cases, good = damaged_cases()
    path = f"{scratch}/case"
    n = 0
    for _, name, what, data, status, text, writable in cases:
        for suffix in (".xmd", ".xta"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        if what is None:
            continue
        for suffix, content in ((".xmd", what if isinstance(what, bytes) else what.encode()), (".xta", data)):
            if content is not None:
                with open(path + suffix, "wb") as file:
                    file.write(content if isinstance(content, bytes) else b"")
                    if isinstance(content, int):
                        file.truncate(content)
        for flags in (gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER):
            if status is good:
                read_all(path + ".xmd", flags)
            elif not writable:
                n += 1
                refused(lambda: opened(f"XTA:{path}.xmd", flags), status, text, "case")
                check(gdal.GetLastErrorMsg() != "", name)
    check(n > 100, "few damaged files", n)
    return n


def read_all(path, flags):
    """Open what may be damaged and read what it shows; the result does not matter, that there is one does."""
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    dataset = opened(path, flags, CACHED)
    if dataset is not None and flags == gdal.OF_RASTER and dataset.RasterXSize * dataset.RasterYSize < 1 << 20:
        dataset.ReadAsArray()
    elif dataset is not None and flags == gdal.OF_MULTIDIM_RASTER:
        root = dataset.GetRootGroup()
        for name in root.GetMDArrayNames():
            array = root.OpenMDArray(name)
            if array is not None and np.prod([float(d.GetSize()) for d in array.GetDimensions()]) < 1 << 20:
                array.ReadAsArray()
    gdal.PopErrorHandler()


def mutated(rng, scratch):
    """Random bytes of both files are changed, or the files cut."""
    path = f"{scratch}/mutated"
    make(path, np.arange(240, dtype="f4").reshape(4, 6, 10), ["time", "lat", "lon"], [1, 4, 4], [1, 0, 2])
    tool("attr", path, "geotransform=0,1,0,0,0,-1", "--type", "f64")
    files = {}
    for suffix in (".xmd", ".xta"):
        with open(path + suffix, "rb") as file:
            files[suffix] = file.read()
    n = int(150 * SCALE) or 1
    for _ in range(n):
        for suffix, whole in files.items():
            content = bytearray(whole)
            for _ in range(int(rng.integers(1, 4)) if suffix == ".xmd" or rng.random() < 0.3 else 0):
                content[int(rng.integers(len(content)))] = int(rng.integers(256))
            if rng.random() < 0.2:
                content = content[:int(rng.integers(len(content)))]
            with open(path + suffix, "wb") as file:
                file.write(content)
        for flags in (gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER):
            read_all(path + ".xmd", flags)
    return n


def missing(scratch):
    for gone in (".xta", ".xmd"):
        path = f"{scratch}/half{gone[1:]}"
        make(path, np.zeros((2, 2), "u1"))
        os.remove(path + gone)
        for flags in (gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER):
            refused(lambda: opened(f"XTA:{path}", flags), path, "XTA_ENOENT")
    refused(lambda: gdal.Open(f"{scratch}/halfxta.xmd"), "halfxta", "XTA_ENOENT")
    refused(lambda: opened(f"XTA:{scratch}/none"), "none", "XTA_ENOENT")
    refused(lambda: opened("XTA:/vsimem/none"), "virtual")
    os.chmod(f"{scratch}/halfxta.xmd", 0)
    if os.getuid() != 0:
        refused(lambda: opened(f"XTA:{scratch}/halfxta"), "halfxta")


def types(scratch):
    tool("create", f"{scratch}/bytes", "--type", "bytes:3", "--bounds", "4,5")
    refused(lambda: opened(f"{scratch}/bytes.xmd"), "bytes", "multidimensional")
    array = opened(f"{scratch}/bytes.xmd", gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("bytes")
    check(array.Read() == [""] * 20, "strings")
    tool("create", f"{scratch}/empty", "--type", "f32", "--bounds", "0,5")
    refused(lambda: opened(f"{scratch}/empty.xmd"), "0 cells", "axis_0")
    array = opened(f"{scratch}/empty.xmd", gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("empty")
    check([d.GetSize() for d in array.GetDimensions()] == [0, 5], "an empty array")
    tool("create", f"{scratch}/many", "--type", "u8", "--bounds", "300,300,2,2")
    refused(lambda: opened(f"{scratch}/many.xmd"), "65536 bands")
    tool("create", f"{scratch}/long", "--type", "u8", "--bounds", "3000000000,2")
    refused(lambda: opened(f"{scratch}/long.xmd"), "3000000000")
    tool("create", f"{scratch}/line", "--type", "u8", "--bounds", "7")
    check(opened(f"{scratch}/line.xmd").ReadAsArray().shape == (1, 7), "one line")
    refused(lambda: opened(f"{scratch}/line.xmd", options=["ACCESS=NONE"]), "ACCESS=NONE")


def names(scratch):
    """Members are found by their names alone."""
    os.makedirs(f"{scratch}/set/group")
    make(f"{scratch}/outside", np.full((2, 2), 7, "u1"))
    make(f"{scratch}/set/inside", np.full((2, 3), 1, "u1"), ["y", "x"])
    make(f"{scratch}/set/group/deep", np.full((2, 4), 2, "u1"), ["y", "x"])
    whole = f'XTA:"{scratch}/set"'
    for member in ("../outside", "..", ".", "", "/", "group/../../outside", "group//deep", f"/{scratch}/outside",
                   "inside/..", "group/..", "inside.xmd", "none", "group/none", "none/inside", "a" * 5000, "\n", '"'):
        for flags in (gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER):
            refused(lambda: opened(f"{whole}:{member}", flags), "")
    for text in ("XTA:", 'XTA:""', 'XTA:"', f'XTA:"{scratch}/set', f'XTA:"{scratch}/set"x', f'XTA:"{scratch}/outside":a'):
        refused(lambda: opened(text), "")
    check(opened(f"{whole}:inside").ReadAsArray().tolist() == [[1] * 3] * 2, "inside")
    check(opened(f"{whole}:group/deep").ReadAsArray().tolist() == [[2] * 4] * 2, "deep")
    listed = opened(whole).GetSubDatasets()
    check([name for name, _ in listed] == [f"{whole}:inside", f"{whole}:group/deep"], listed)
    check([opened(name).RasterXSize for name, _ in listed] == [3, 4], "subdatasets")
    quoted = f'{scratch}/a "b":c/"d"'
    os.makedirs(quoted)
    for number, name in enumerate(('p"q', 'p":r', "s")):
        make(f"{quoted}/{name}", np.full((2, 3), number, "u1"), ["y", "x"])
    listed = opened(f'XTA:"{quoted}"').GetSubDatasets()
    check([opened(name).ReadAsArray()[0, 0] for name, _ in listed] == [1, 0, 2], "quotes in names", listed)
    tool("create", f"{scratch}/set/more", "--type", "u8", "--bounds", "3")
    driver = gdal.GetDriverByName("XTA")
    refused(lambda: driver.Delete(whole), "data set")
    refused(lambda: driver.Delete(f"{whole}:../outside"), "../outside")
    check(driver.Delete(f"{whole}:inside") == 0 and os.path.exists(f"{scratch}/outside.xmd"), "deleted a member")


def shrunk(scratch):
    """Cells that others remove read as fill values, or as they were; the bounds stay."""
    path = f"{scratch}/shrunk"
    cells = np.arange(1, 101, dtype="i4").reshape(10, 10)
    make(path, cells, ["y", "x"], [3, 3])
    datasets = [opened(path + ".xmd"), opened(path + ".xmd", options=CACHED),
                gdal.OpenEx(path + ".xmd", gdal.OF_RASTER | gdal.OF_UPDATE)]
    arrays = [opened(path + ".xmd", gdal.OF_MULTIDIM_RASTER),
              gdal.OpenEx(path + ".xmd", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)]
    opens = [dataset.GetRootGroup().OpenMDArray("shrunk") for dataset in arrays]
    writer = Writer(path)
    writer.change("shrink", 0, False, 5)
    writer.change("shrink", 1, True, 4)
    writer.close()
    # A change of attributes shows a handle the new bounds of the array.
    datasets[2].SetGeoTransform([0, 1, 0, 0, 0, -1])
    opens[1].SetUnit("m")
    expected = cells.copy()
    expected[5:], expected[:, :4] = 0, 0
    for dataset in datasets:
        got = dataset.ReadAsArray()
        check(got.shape == (10, 10) and np.array_equal(got[:5, 4:], cells[:5, 4:]), "cells that are left")
        check(np.all((got == expected) | (got == cells)), "cells that are gone")
        steps = dataset.ReadAsArray(buf_xsize=5, buf_ysize=5)
        check(np.array_equal(steps, got[1::2, 1::2]), "every second cell")
        as_real = dataset.GetRasterBand(1).ReadAsArray(buf_type=gdal.GDT_Float64)
        check(np.array_equal(as_real, got), "converted")
    check(np.array_equal(datasets[2].ReadAsArray(), expected), "fill values")
    for array in opens:
        got = array.ReadAsArray()
        check(np.all((got == expected) | (got == cells)), "cells that are gone from an array")
        check(np.array_equal(array.ReadAsArray([9, 9], [4, 4], [-2, -2]), got[9:2:-2, 9:2:-2]), "steps back")
    refused(lambda: datasets[2].GetRasterBand(1).WriteArray(np.ones((10, 10), "i4")), "XTA_EBOX")
    check(np.array_equal(datasets[2].ReadAsArray(), expected), "a refused write")


def truncated(scratch):
    """A data file that is cut while it is open: an error of the chunk cache."""
    path = f"{scratch}/cut"
    make(path, np.ones((64, 64), "f8"), ["y", "x"], [8, 8])
    dataset = opened(path + ".xmd", options=CACHED)
    os.truncate(path + ".xta", 4096 + 512)
    refused(dataset.ReadAsArray, "cut", "XTA_ECORRUPT")
    refused(lambda: opened(path + ".xmd"), "cut", "XTA_ECORRUPT")


def replaced(scratch):
    """The files are replaced while they are open: the dataset keeps its own."""
    path = f"{scratch}/replaced"
    make(path, np.full((4, 4), 3, "u1"), ["y", "x"])
    dataset = opened(path + ".xmd")
    for suffix in (".xmd", ".xta"):
        os.remove(path + suffix)
    make(path, np.full((2, 2), 9, "u1"), ["y", "x"])
    check(np.all(dataset.ReadAsArray() == 3), "cells of the files that were opened")
    check(opened(path + ".xmd").ReadAsArray().shape == (2, 2), "the new ones")
    shutil.rmtree(f"{scratch}/set")


def main():
    rng = seeded()
    with folder() as scratch:
        n = damaged(scratch)
        m = mutated(rng, scratch)
        for test in (missing, types, names, shrunk, truncated, replaced):
            test(scratch)
    finish(f"{n} damaged files refused, {m} random damages survived; types, names and shrinking as they should be")


main()

"""The raster API writes: new arrays, windows of them, metadata, and the files as a whole. What is written is read again
by a new dataset, and cells by the library as well.

SPDX-License-Identifier: Apache-2.0
"""
import os

from common import SCALE, check, finish, folder, gdal, gdal_array, make, np, random_cells, refused, seeded, tool

TYPES = ["u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"]
DRIVER = gdal.GetDriverByName("XTA")


def code(dtype):
    return gdal_array.NumericTypeCodeToGDALTypeCode(np.dtype(dtype).type)


def of_band(path, call):
    """What a call of the first band gives. A band is valid as long as its dataset, which Python does not see."""
    dataset = gdal.Open(path)
    return call(dataset.GetRasterBand(1))


def write_windows(rng, scratch, number):
    """Windows of several bands in any interleaving, blocks, and reduced reads in between."""
    dtype = np.dtype(TYPES[rng.integers(len(TYPES))])
    shape = tuple(int(n) for n in rng.integers(1, 20, 3))
    path = f"{scratch}/w{number}.xmd"
    chunk = [int(n) for n in rng.integers(1, 9, 2 if shape[0] == 1 else 3)]
    order = ["ROW", "COLUMN"][rng.integers(2)]
    dataset = DRIVER.Create(path, shape[2], shape[1], shape[0], code(dtype),
                            [f"CHUNK={','.join(map(str, chunk))}", f"ORDER={order}", "FILL=3"])
    if dataset is None:
        check(False, path, "not created", gdal.GetLastErrorMsg())
        return
    expected = np.full(shape, 3, dtype)
    for _ in range(15):
        y, x = int(rng.integers(shape[1])), int(rng.integers(shape[2]))
        h, w = int(rng.integers(1, shape[1] - y + 1)), int(rng.integers(1, shape[2] - x + 1))
        bands = sorted(int(b) for b in rng.choice(np.arange(1, shape[0] + 1), rng.integers(1, shape[0] + 1), replace=False))
        values = random_cells(rng, (len(bands), h, w), dtype)
        places = [b - 1 for b in bands]
        kind = rng.integers(3)
        if kind == 0: # pixels of all bands together, in memory
            memory = np.ascontiguousarray(values.transpose(1, 2, 0))
            item = dtype.itemsize
            done = dataset.WriteRaster(x, y, w, h, memory.tobytes(), w, h, code(dtype), bands, len(bands) * item,
                                       w * len(bands) * item, item)
        elif kind == 1: # one band, numbers of another type where they fit
            values = values[:1]
            places = places[:1]
            if dtype.kind in "iu":
                values = (np.abs(values.astype("f8")) % 100).astype(dtype)
            band = dataset.GetRasterBand(places[0] + 1)
            given = values[0].astype("f8") if dtype.kind in "iu" else values[0]
            done = band.WriteArray(given, x, y)
        else:
            done = 0
            for k, place in enumerate(places):
                done += dataset.GetRasterBand(place + 1).WriteArray(values[k], x, y)
        check(done == 0, path, "not written", gdal.GetLastErrorMsg())
        for k, place in enumerate(places):
            expected[place, y:y + h, x:x + w] = values[k]
        got = dataset.ReadAsArray().reshape(shape)
        check(np.array_equal(got, expected), path, "read by the writer", kind)
    dataset = None
    check(np.array_equal(gdal.Open(path).ReadAsArray().reshape(shape), expected), path, "read again")
    out = f"{scratch}/w{number}.npy"
    tool("export", path[:-4], out)
    check(np.array_equal(np.load(out).reshape(shape), expected), path, "exported")


def through_blocks(scratch):
    """GDAL's cache of blocks, which resampled writes and fills use, and direct windows see each other's cells."""
    path = f"{scratch}/blocks.xmd"
    dataset = DRIVER.Create(path, 40, 30, 2, gdal.GDT_Int16, ["CHUNK=1,7,9"])
    band = dataset.GetRasterBand(2)
    band.Fill(5)
    check(np.all(band.ReadAsArray() == 5), "filled")
    band.WriteRaster(0, 0, 40, 30, np.full((15, 20), 8, "i2").tobytes(), 20, 15, gdal.GDT_Int16)
    check(np.all(band.ReadAsArray() == 8), "written with resampling")
    band.WriteArray(np.full((3, 3), 9, "i2"), 10, 10)
    check(band.ReadAsArray(10, 10, 3, 3).tolist() == [[9] * 3] * 3, "a window after that")
    check(np.all(dataset.GetRasterBand(1).ReadAsArray() == 0), "the other band")
    dataset = band = None
    again = gdal.Open(path).ReadAsArray()
    check(again[1].sum() == 8 * 1200 + 9 and again[0].sum() == 0, "after closing", again.sum())


def metadata(scratch):
    """What a dataset that is open for update is told becomes attributes, and can be changed and removed."""
    path = f"{scratch}/meta.xmd"
    make(path[:-4], np.arange(60, dtype="i4").reshape(3, 4, 5), ["band", "y", "x"], None, [0, 2, 1])
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.SetGeoTransform([100, 2, 0, 200, 0, -2])
    dataset.SetMetadataItem("WHO", "a test")
    dataset.SetMetadataItem("KEY", "of another", "OTHER")
    band = dataset.GetRasterBand(2)
    band.SetDescription("second")
    band.SetNoDataValue(-7)
    band.SetUnitType("m")
    band.SetScale(2.5)
    band.SetOffset(-1)
    band.SetColorInterpretation(gdal.GCI_GreenBand)
    band.SetMetadataItem("wavelength", "0.55")
    dataset = band = None
    check(not os.path.exists(path + ".aux.xml"), "a file .aux.xml for what the array can hold")
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(2)
    check(dataset.GetGeoTransform() == (100, 2, 0, 200, 0, -2), dataset.GetGeoTransform())
    check(dataset.GetMetadataItem("WHO") == "a test", "item")
    check(dataset.GetMetadataItem("KEY", "OTHER") == "of another", "item of another domain")
    got = (band.GetDescription(), band.GetNoDataValue(), band.GetUnitType(), band.GetScale(), band.GetOffset(),
           band.GetColorInterpretation(), band.GetMetadataItem("wavelength"))
    check(got == ("second", -7, "m", 2.5, -1, gdal.GCI_GreenBand, "0.55"), got)
    first = dataset.GetRasterBand(1)
    check(first.GetNoDataValue() is None and first.GetDescription() == "", "the other band")
    dataset = band = first = None
    # attributes are of the cell at 0, which is the third line and the second sample
    text = tool("attr", path[:-4], "geotransform")
    check("102" in text and "196" in text, "geotransform of cell 0:", text)
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.SetMetadata({"OTHER": "item"})
    for b in (1, 2, 3):
        dataset.GetRasterBand(b).SetNoDataValue(4)
    dataset = None
    dataset = gdal.Open(path)
    check(dataset.GetMetadata() == {"OTHER": "item"}, dataset.GetMetadata())
    check([dataset.GetRasterBand(b).GetNoDataValue() for b in (1, 2, 3)] == [4] * 3, "no data of all")
    check(tool("attr", path[:-4], "nodata").strip() == "4", "attribute nodata")
    check(dataset.GetRasterBand(2).GetDescription() == "second", "kept")


def odd_metadata(scratch):
    """Texts that no attribute can hold as they are, numbers that are none, colours of classes."""
    path = f"{scratch}/odd.xmd"
    dataset = DRIVER.Create(path, 4, 3, 1, gdal.GDT_Float32)
    dataset.SetMetadata({"control": "a\x01b\tc\ne", "lat#units": "of another axis", "long": "x" * 100000})
    dataset.GetRasterBand(1).SetNoDataValue(float("nan"))
    dataset = None
    dataset = gdal.Open(path)
    items = dataset.GetMetadata()
    check(items["control"] == "a b\tc\ne" and items["lat#units"] == "of another axis", items)
    check(len(items["long"]) == 100000, "a long text")
    check(np.isnan(dataset.GetRasterBand(1).GetNoDataValue()), "no data that is no number")
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.SetMetadataItem("a/b", "c")
    dataset.SetMetadataItem("more", "kept")
    dataset = None
    gdal.PopErrorHandler()
    check("'a/b'" in gdal.GetLastErrorMsg(), "no warning for a/b:", gdal.GetLastErrorMsg())
    check(gdal.Open(path).GetMetadataItem("more") == "kept", "the other item")
    with open(f"{scratch}/latin.vrt", "wb") as file:
        file.write(b'<VRTDataset rasterXSize="2" rasterYSize="2"><Metadata><MDI key="latin">caf\xe9</MDI></Metadata>'
                   b'<VRTRasterBand dataType="Byte" band="1"></VRTRasterBand></VRTDataset>')
    copy = DRIVER.CreateCopy(f"{scratch}/latin.xmd", gdal.Open(f"{scratch}/latin.vrt"))
    copy = None
    check(gdal.Open(f"{scratch}/latin.xmd").GetMetadataItem("latin") == "café", "Latin 1")
    copy = DRIVER.CreateCopy(f"{scratch}/copy.xmd", gdal.Open(path))
    check(np.isnan(copy.GetRasterBand(1).GetNoDataValue()), "copied")
    make(f"{scratch}/classes", np.zeros((3, 4), "u1"), ["y", "x"])
    tool("attr", f"{scratch}/classes", "class_colours=1,2,3,40,50,60", "--type", "u8")
    tool("attr", f"{scratch}/classes", "class_names=none\nwood")
    tool("attr", f"{scratch}/classes", "_FillValue=text")
    dataset = gdal.Open(f"{scratch}/classes.xmd")
    band = dataset.GetRasterBand(1)
    check(band.GetColorInterpretation() == gdal.GCI_PaletteIndex, "palette")
    check(band.GetColorTable().GetColorEntry(1) == (40, 50, 60, 255), "colour")
    check(band.GetCategoryNames() == ["none", "wood"] and band.GetNoDataValue() is None, band.GetCategoryNames())
    for name in ("band//text", "band//box", "band/x//text", "//text", "gdal//text"):
        tool("attr", f"{scratch}/classes", f"{name}=odd")
        check(gdal.Open(f"{scratch}/classes.xmd").RasterCount == 1, name)


def whole_numbers(scratch):
    """Fill and no-data values of 64-bit integers are exact, however the number is written, or refused."""
    path = f"{scratch}/whole.xmd"
    signed, unsigned = gdal.GDT_Int64, gdal.GDT_UInt64
    for number, text, kind in ((1000, "1e3", signed), (-7, "-7", signed), (2**63 - 1, str(2**63 - 1), signed),
                               (2**53 + 1, str(2**53 + 1), unsigned), (10**18, "1e18", unsigned),
                               (2**64 - 1, str(2**64 - 1), unsigned)):
        made = DRIVER.Create(path, 2, 2, 1, kind, [f"FILL={text}"])
        check(int(made.ReadAsArray()[0, 0]) == number, "fill", text, made.ReadAsArray())
        made = None
        attribute_type = "f64" if "e" in text else "i64" if number < 2**63 else "u64"
        tool("attr", path[:-4], f"_FillValue={text}", "--type", attribute_type)
        check(of_band(path, lambda band: band.GetNoDataValue()) == number, "no data", text)
        DRIVER.Delete(path)
    for text, kind in (("1.5", signed), ("1e30", signed), (str(2**63), signed), ("-1", unsigned),
                       (str(2**64), unsigned), ("", signed), ("x", unsigned)):
        refused(lambda: DRIVER.Create(path, 2, 2, 1, kind, [f"FILL={text}"]), "FILL=" + text)
    made = DRIVER.Create(path, 2, 2, 1, gdal.GDT_Int64)
    made = None
    tool("attr", path[:-4], "nodata=0.5", "--type", "f64")
    check(of_band(path, lambda band: band.GetNoDataValue()) is None, "0.5 is no whole number")


def side_files(scratch):
    """Statistics and overviews of a reader lie beside the array, and are not used after growth."""
    path = f"{scratch}/side.xmd"
    cells = np.arange(64 * 64, dtype="f4").reshape(64, 64)
    make(path[:-4], cells, ["y", "x"])
    dataset = gdal.Open(path)
    check(dataset.GetRasterBand(1).ComputeStatistics(False)[:2] == [0, 4095], "statistics")
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    check(os.path.exists(path + ".aux.xml") and os.path.exists(path + ".ovr"), "no files")
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(1)
    check(band.GetOverviewCount() == 2, "overviews", band.GetOverviewCount())
    check(band.GetMetadataItem("STATISTICS_MAXIMUM") == "4095", "statistics again")
    mean = cells.reshape(32, 2, 32, 2).mean(axis=(1, 3))
    check(np.allclose(band.ReadAsArray(buf_xsize=32, buf_ysize=32), mean), "reduced by overviews")
    dataset = band = None
    tool("extend", path[:-4], "--axis", "y", "--by", "2", "--front")
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(1)
    check(band.GetOverviewCount() == 0, "overviews of other bounds")
    check(band.GetMetadataItem("STATISTICS_MAXIMUM") is None, "statistics of other bounds")
    check(band.YSize == 66 and np.array_equal(band.ReadAsArray()[2:], cells), "cells")
    dataset.BuildOverviews("NEAREST", [2])
    dataset = band = None
    check(of_band(path, lambda band: band.GetOverviewCount()) == 1, "new overviews")
    dataset = gdal.Open(path, gdal.GA_Update) # of a writer
    dataset.GetRasterBand(1).ComputeStatistics(False)
    dataset.BuildOverviews("NEAREST", [2, 4, 8])
    dataset = None
    dataset = gdal.Open(path)
    check(dataset.GetRasterBand(1).GetOverviewCount() == 3, "overviews of a writer")
    check(dataset.GetRasterBand(1).GetMetadataItem("STATISTICS_MAXIMUM") == "4095", "statistics of a writer")
    dataset = None
    tool("extend", path[:-4], "--axis", "x", "--by", "1")
    check(of_band(path, lambda band: band.GetOverviewCount()) == 0, "overviews of a writer, of other bounds")
    check(of_band(path, lambda band: band.GetMetadataItem("STATISTICS_MAXIMUM")) is None, "statistics of a writer")


def statistics_alone(scratch):
    """Statistics without overviews; an attribute that changes outdates the file, too."""
    path = f"{scratch}/alone.xmd"
    make(path[:-4], np.arange(24, dtype="f4").reshape(2, 3, 4), ["time", "y", "x"])

    def greatest():
        return of_band(path, lambda band: band.GetMetadataItem("STATISTICS_MAXIMUM"))
    of_band(path, lambda band: band.ComputeStatistics(False))
    check(greatest() == "11", "statistics", greatest())
    tool("extend", path[:-4], "--axis", "time", "--by", "1", "--front")
    check(greatest() is None, "statistics of another time", greatest())
    of_band(path, lambda band: band.ComputeStatistics(False))
    check(greatest() == "0", "new statistics", greatest())
    tool("attr", path[:-4], "nodata=0", "--type", "f64")
    check(greatest() is None and of_band(path, lambda band: band.GetNoDataValue()) == 0, "after a change", greatest())


def whole_files(scratch):
    """Delete, Rename, CopyFiles: both files, and what lies beside them."""
    cells = np.arange(12, dtype="u1").reshape(3, 4)
    make(f"{scratch}/one", cells, ["y", "x"])
    of_band(f"{scratch}/one.xmd", lambda band: band.ComputeStatistics(False))
    os.mkdir(f"{scratch}/below")
    check(DRIVER.CopyFiles(f"{scratch}/two.xmd", f"{scratch}/one.xmd") == 0, "copied")
    check(DRIVER.Rename(f"{scratch}/three.xmd", f"{scratch}/one.xmd") == 0, "renamed")
    check(not os.path.exists(f"{scratch}/one.xmd") and not os.path.exists(f"{scratch}/one.xmd.aux.xml"), "old name")
    check(of_band(f"{scratch}/three.xmd", lambda band: band.GetMetadataItem("STATISTICS_MAXIMUM")) == "11", "moved, too")
    check(DRIVER.Rename(f"{scratch}/below/four.xmd", f"{scratch}/three.xmd") == 0, "moved to another folder")
    for path in ("two", "below/four"):
        check(np.array_equal(gdal.Open(f"{scratch}/{path}.xmd").ReadAsArray(), cells), path)
        check(DRIVER.Delete(f"{scratch}/{path}.xmd") == 0, "deleted", path)
        check(not os.path.exists(f"{scratch}/{path}.xmd") and not os.path.exists(f"{scratch}/{path}.xta"), path)
    refused(lambda: DRIVER.Delete(f"{scratch}/two.xmd"), "two")
    refused(lambda: DRIVER.Rename(f"{scratch}/a.xmd", f"{scratch}/two.xmd"), "two")
    refused(lambda: DRIVER.CopyFiles(f"{scratch}/a.xmd", f"{scratch}/two.xmd"), "two")


def refusals(scratch):
    path = f"{scratch}/no.xmd"
    refused(lambda: DRIVER.Create(path, 3, 3, 1, gdal.GDT_Byte, ["CHUNK=0,1"]), "CHUNK=0,1", "no number of cells")
    refused(lambda: DRIVER.Create(path, 3, 3, 1, gdal.GDT_Byte, ["CHUNK=1,1,1,1"]), "4 numbers for 2 axes")
    refused(lambda: DRIVER.Create(path, 3, 3, 1, gdal.GDT_Byte, ["ORDER=UP"]), "ORDER=UP")
    refused(lambda: DRIVER.Create(path, 3, 3, 1, gdal.GDT_Byte, ["FILL=256"]), "FILL=256", "u8")
    refused(lambda: DRIVER.Create(path, 3, 3, 1, gdal.GDT_Byte, ["ORDER=MORTON", "CHUNK=3,3"]), "power of two")
    refused(lambda: DRIVER.Create(path, 3, 3, 0, gdal.GDT_Byte), "0 bands")
    refused(lambda: DRIVER.Create(f"{scratch}/none/no.xmd", 3, 3, 1, gdal.GDT_Byte), "none")
    refused(lambda: DRIVER.CreateMultiDimensional(f"{scratch}/none/no"), "none")
    check(not os.path.exists(path), "a refused array is there")
    make(path[:-4], np.ones((3, 4), "bool"), ["y", "x"])
    reader = gdal.Open(path)
    refused(lambda: reader.GetRasterBand(1).WriteArray(np.zeros((3, 4), "u1")), "")
    writer = gdal.Open(path, gdal.GA_Update)
    refused(lambda: writer.GetRasterBand(1).WriteArray(np.full((3, 4), 2, "u1")), "XTA_ERANGE")
    check(np.all(reader.ReadAsArray() == 1), "a refused cell is written")


def main():
    rng = seeded()
    n = int(15 * SCALE) or 1
    with folder() as scratch:
        for number in range(n):
            write_windows(rng, scratch, number)
        through_blocks(scratch)
        metadata(scratch)
        odd_metadata(scratch)
        whole_numbers(scratch)
        side_files(scratch)
        statistics_alone(scratch)
        whole_files(scratch)
        refusals(scratch)
    finish(f"{15 * n} random windows written and read again; metadata, side files and whole files as they should be")


main()

# Round trips of rasters, judged by GDAL's description, and by NumPy on cells that GDAL has read.
# SPDX-License-Identifier: Apache-2.0
import glob
import json
import os
import re

import numpy as np

from judge import (BRIDGE, bridge_export, bridge_import, call, check, data_folder, done,
                   refused, run, workplace)
from judge_rasters import gdal_translate, gdalinfo, raster_cells

LAYOUT = ("byte_order", "header_offset", "file_type")  # ENVI keys that a header may leave out
TOOL = os.environ["XTA_TOOL"]
random = np.random.default_rng(5)


def comparable(info, keep_envi=True):
    envi = info.get("metadata", {}).get("ENVI", {})
    for key in LAYOUT if keep_envi else list(envi):
        envi.pop(key, None)
    return info


def same_raster(source, target, place, what, keep_envi=True):
    ours = comparable(gdalinfo(target), keep_envi)
    theirs = comparable(gdalinfo(source), keep_envi)
    for key in sorted(set(ours) | set(theirs)):
        check(ours.get(key) == theirs.get(key), what, key, str(theirs.get(key))[:700], "became",
              str(ours.get(key))[:700])
    a, b = raster_cells(source), raster_cells(target)
    check(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes(), what, "cells")


def round_trip(source, target, place, memory=10**8, **options):
    name = f"{place}/rt"
    for old in glob.glob(name + ".x*"):
        os.remove(old)
    bridge_import(source, name, memory=memory)
    bridge_export(name, target, memory=memory, **options)


def public_files(place):
    folder = data_folder("geotiff")
    for path in sorted(glob.glob(os.path.join(folder, "*.tif"))) if folder else []:
        round_trip(path, f"{place}/o.tif", place, memory=100000)
        same_raster(path, f"{place}/o.tif", place, path)
    folder = data_folder("hyperspectral")
    if not folder:
        return
    tiles = sorted(glob.glob(os.path.join(folder, "enmap_potsdam/*/*.tif")))
    check(len(tiles) == 12, "twelve tiles", tiles)
    for path in tiles:
        round_trip(path, f"{place}/o.tif", place)
        same_raster(path, f"{place}/o.tif", place, path)
    for path in ("samson/samson_1.img", "corn_kernel/corn-kernel-hyperspectral.raw"):
        path = os.path.join(folder, path)
        round_trip(path, f"{place}/o.img", place)
        same_raster(path, f"{place}/o.img", place, path)
        check(not os.path.exists(f"{place}/o.img.aux.xml"), "nothing but the header is needed")
        check(".xta-export" not in open(f"{place}/o.hdr").read(), "no temporary path in the header")
    mosaic(place, [t for t in tiles if "images" in t])


def mosaic(place, tiles):
    """The tiles in an order that makes the array grow to all sides; each finds its place by itself."""
    where = {re.search(r"_(\d+)_(\d+)\.tif", t).groups(): t for t in tiles}
    order = [("96", "32"), ("64", "32"), ("128", "0"), ("96", "0"), ("64", "0"), ("128", "32")]
    array = f"{place}/mosaic"
    bridge_import(where[order[0]], array)
    for x, y in order[1:]:
        said = bridge_import(where[(x, y)], array, at="auto", memory=200000)
        lo = int(x) - 96, int(y) - 32
        check(said == f"0:224,{lo[1]}:{lo[1] + 32},{lo[0]}:{lo[0] + 32}", "placed", x, y, said)
    bridge_export(array, f"{place}/mosaic.tif", memory=300000)
    whole = raster_cells(f"{place}/mosaic.tif")
    check(whole.shape == (224, 64, 96), whole.shape)
    for (x, y), tile in where.items():
        part = whole[:, int(y):int(y) + 32, int(x) - 64:int(x) - 32]
        check(part.tobytes() == raster_cells(tile).tobytes(), "tile", x, y)
        box = f"0:224,{int(y) - 32}:{int(y)},{int(x) - 96}:{int(x) - 64}"
        bridge_export(array, f"{place}/tile.tif", box=box)
        same_raster(tile, f"{place}/tile.tif", place, tile + " out of the mosaic")
    first = gdalinfo(where[("64", "0")])
    check(gdalinfo(f"{place}/mosaic.tif")["geoTransform"] == first["geoTransform"], "its corner")
    bridge_export(array, f"{place}/bands.img", box="3:6,-32:32,-32:64", interleave="bip")
    info = gdalinfo(f"{place}/bands.img")
    check([b["metadata"][""]["wavelength"] for b in info["bands"]]
          == [b["metadata"][""]["wavelength"] for b in first["bands"][3:6]], "some bands' wavelengths")
    check([b.get("description") for b in info["bands"]][0].startswith(
        first["bands"][3]["description"]), "their names", info["bands"][0])
    check(raster_cells(f"{place}/bands.img").tobytes() == whole[3:6].tobytes(), "bip")
    shifted(place, where[("64", "0")], array)


def shifted(place, tile, array):
    gdal_translate("-a_ullr", "364100", "5809965", "365060", "5809005", tile,
        f"{place}/off.tif")
    refused("EBOX", "import", f"{place}/off.tif", array, "between cells", at="auto")
    gdal_translate("-tr", "60", "60", tile, f"{place}/coarse.tif")
    refused("EBOX", "import", f"{place}/coarse.tif", array, "cell size", at="auto")
    gdal_translate("-a_nodata", "-1", tile, f"{place}/nodata.tif")
    refused("ETYPE", "import", f"{place}/nodata.tif", array, "nodata", at="auto")
    gdal_translate("-a_scale", "2", tile, f"{place}/scaled.tif")
    refused("ETYPE", "import", f"{place}/scaled.tif", array, "scale", at="auto")
    gdal_translate("-b", "1", tile, f"{place}/one.tif")
    check(bridge_import(f"{place}/one.tif", array, at="0,-32,-32") == "0:1,-32:0,-32:0",
          "one band into three axes")


def make(place, dtype, shape, interleave="BSQ"):
    """An ENVI file, made by hand."""
    codes = {"u1": 1, "i2": 2, "i4": 3, "f4": 4, "f8": 5, "c8": 6, "c16": 9, "u2": 12, "u4": 13}
    cells = random.integers(0, 256, int(np.prod(shape)) * np.dtype(dtype).itemsize).astype("u1")
    cells = cells.tobytes()
    cells = np.frombuffer(cells, dtype=dtype).reshape(shape)
    if np.dtype(dtype).kind in "fc":
        cells = random.normal(size=shape).astype(dtype)
    axes = {"BSQ": (0, 1, 2), "BIL": (1, 0, 2), "BIP": (1, 2, 0)}[interleave]
    cells.transpose(axes).tofile(f"{place}/made.img")
    big = np.dtype(dtype).byteorder == ">"
    with open(f"{place}/made.hdr", "w") as header:
        header.write(f"ENVI\nsamples = {shape[2]}\nlines = {shape[1]}\nbands = {shape[0]}\n"
                     f"data type = {codes[np.dtype(dtype).str[1:]]}\ninterleave = {interleave.lower()}\n"
                     f"byte order = {int(big)}\nband names = {{"
                     + ", ".join(f"b{k}" for k in range(shape[0])) + "}\n")
    return cells


def made_files(place):
    for k, dtype in enumerate("u1 i2 u2 i4 u4 f4 f8 c8 c16 >i2 >f8 >c8".split()):
        source = ("BSQ", "BIL", "BIP")[k % 3]
        target = ("bip", "bsq", "bil")[k % 3]
        cells = make(place, dtype, (3, 5, 4), source)
        bridge_import(f"{place}/made.img", f"{place}/m{k}", memory=60)
        bridge_export(f"{place}/m{k}", f"{place}/m.npy")
        check(np.array_equal(np.load(f"{place}/m.npy"), cells), dtype, source)
        bridge_export(f"{place}/m{k}", f"{place}/m.img", interleave=target, memory=60)
        check(f"interleave = {target}" in open(f"{place}/m.hdr").read(), target)
        bridge_export(f"{place}/m{k}", f"{place}/m.tif", memory=60)
        for name in ("m.img", "m.tif"):
            check(np.array_equal(raster_cells(f"{place}/{name}"),
                                 cells.astype(cells.dtype.newbyteorder("<"))), dtype, name)
            check(gdalinfo(f"{place}/{name}")["bands"][1]["description"] == "b1", "name", name)
        bridge_export(f"{place}/m{k}", f"{place}/kept.img")
        same_raster(f"{place}/made.img", f"{place}/kept.img", place, f"{dtype} {source}")
    os.rename(f"{place}/made.img", f"{place}/made.dat")
    bridge_import(f"{place}/made.hdr", f"{place}/by-header")
    for k, (dtype, kind) in enumerate((("i8", "Int64"), ("u8", "UInt64"), ("i1", "Byte Int8"),
                                       ("?", "Byte"))):
        cells = (random.integers(0, 2, (2, 3, 4)) * (1 if dtype == "?" else 99)).astype(dtype)
        np.save(f"{place}/n.npy", cells)
        bridge_import(f"{place}/n.npy", f"{place}/n{k}")
        bridge_export(f"{place}/n{k}", f"{place}/n.tif")
        check(gdalinfo(f"{place}/n.tif")["bands"][0]["type"] in kind.split(), dtype)
        bridge_import(f"{place}/n.tif", f"{place}/back{k}")
        bridge_export(f"{place}/back{k}", f"{place}/n.npy")
        check(np.array_equal(np.load(f"{place}/n.npy"), cells), dtype, "through GeoTIFF")
    tiffs(place)


def tiffs(place):
    make(place, "u2", (4, 40, 50))
    cases = {"tiled": ["-co", "TILED=YES", "-co", "BLOCKXSIZE=16", "-co", "BLOCKYSIZE=32"],
             "packed": ["-co", "COMPRESS=LZW", "-co", "INTERLEAVE=PIXEL"],
             "meta": ["-mo", "A=1", "-mo", "B with space=two words", "-a_nodata", "7", "-a_scale", "2",
                      "-a_offset", "-3", "-a_srs", "EPSG:4326", "-a_ullr", "10", "50", "12", "48"],
             "gcps": ["-gcp", "0", "0", "10", "50", "-gcp", "9", "0", "11", "50", "-gcp", "0", "9",
                      "10", "49", "-a_srs", "EPSG:4326"],
             "signed": ["-ot", "Byte", "-co", "PIXELTYPE=SIGNEDBYTE", "-b", "1"],
             "bits": ["-b", "1", "-b", "2", "-ot", "Byte", "-co", "NBITS=3", "-scale", "0", "65535", "0", "7"],
             "rgba": ["-ot", "Byte", "-scale", "-co", "PHOTOMETRIC=RGB", "-co", "ALPHA=YES"]}
    for name, options in cases.items():
        gdal_translate(*options, f"{place}/made.img", f"{place}/{name}.tif")
        round_trip(f"{place}/{name}.tif", f"{place}/o.tif", place)
        same_raster(f"{place}/{name}.tif", f"{place}/o.tif", place, name)
    gdal_translate("-b", "1", "-ot", "Byte", "-scale", f"{place}/made.img", f"{place}/g.tif")
    run("gdaldem", "color-relief", "-q", f"{place}/g.tif", colors(place), f"{place}/c.tif")
    open(f"{place}/table.vrt", "w").write(
        '<VRTDataset rasterXSize="50" rasterYSize="40"><VRTRasterBand dataType="Byte" band="1">'
        "<ColorInterp>Palette</ColorInterp><ColorTable>" + "".join(
            f'<Entry c1="{k}" c2="{255 - k}" c3="7" c4="255"/>' for k in range(256)) +
        '</ColorTable><SimpleSource><SourceFilename relativeToVRT="1">g.tif</SourceFilename>'
        "</SimpleSource></VRTRasterBand></VRTDataset>")
    gdal_translate(f"{place}/table.vrt", f"{place}/table.tif")
    check("colorTable" in gdalinfo(f"{place}/table.tif")["bands"][0], "a colour table was made")
    round_trip(f"{place}/table.tif", f"{place}/o.tif", place)
    same_raster(f"{place}/table.tif", f"{place}/o.tif", place, "colour table")
    bridge_import(f"{place}/c.tif", f"{place}/c")
    bridge_export(f"{place}/c", f"{place}/c.png")  # a format that can only be copied into
    check(raster_cells(f"{place}/c.png").tobytes()
          == raster_cells(f"{place}/c.tif").tobytes(), "PNG")
    check(not glob.glob(f"{place}/*detour*"), "the detour is gone")


def colors(place):
    open(f"{place}/colors.txt", "w").write("0 0 0 0\n128 255 0 0\n255 255 255 0\n")
    return f"{place}/colors.txt"


def subdatasets(place):
    """Rasters in one file are named as they are listed, or by their numbers."""
    cells = make(place, "u1", (3, 5, 4))
    gdal_translate("-of", "HDF4Image", "-co", "RANK=2", f"{place}/made.img", f"{place}/s.hdf")
    refused("EARG", "import", f"{place}/s.hdf", f"{place}/no", "1 [5x4] Band0 ")
    refused("EARG", "import", f"{place}/s.hdf", f"{place}/no", "3 [5x4] Band2 ")
    refused("ENOENT", "import", f"{place}/s.hdf", f"{place}/no", "Band1", variable="Band7")
    refused("ENOENT", "import", f"{place}/s.hdf", f"{place}/no", "Band1", variable="4")
    for k, name in ((0, "1"), (1, "Band1"), (2, "3"), (2, "Band2")):
        bridge_import(f"{place}/s.hdf", f"{place}/s{name}", variable=name)
        bridge_export(f"{place}/s{name}", f"{place}/s.npy")
        check(np.array_equal(np.load(f"{place}/s.npy"), cells[k]), "subdataset", name)
    run(TOOL, "import", "--no-history", f"{place}/s.hdf:Band1", f"{place}/tool")
    for k, more in enumerate(((), ("-co", "APPEND_SUBDATASET=YES"))):
        gdal_translate("-b", k + 1, *more, f"{place}/made.img", f"{place}/pages.tif")
    bridge_import(f"{place}/pages.tif", f"{place}/page", variable="2")
    bridge_export(f"{place}/page", f"{place}/s.npy")
    check(np.array_equal(np.load(f"{place}/s.npy"), cells[1]), "second page")


def refusals(place):
    cells = make(place, "u2", (3, 5, 4))
    bridge_import(f"{place}/made.img", f"{place}/r")
    refused("ENOENT", "import", f"{place}/none.tif", f"{place}/no", "none.tif")
    data = open(f"{place}/made.img", "rb").read()
    for n in (0, 1, 50, len(data) - 1):
        open(f"{place}/made.img", "wb").write(data[:n])
        refused("EFORMAT", "import", f"{place}/made.img", f"{place}/no", format="gdal")
    open(f"{place}/made.img", "wb").write(data)
    gdal_translate(f"{place}/made.img", f"{place}/good.tif")
    data = open(f"{place}/good.tif", "rb").read()
    for n in range(0, len(data) - 1, 97):
        open(f"{place}/cut.tif", "wb").write(data[:n])
        code, _, err = call(BRIDGE, "import", f"{place}/cut.tif", f"{place}/cut{n}")
        check(code in (12, 16) and err.count("\n") == 1, "cut at", n, code, err)
        check(not os.path.exists(f"{place}/cut{n}.xmd"), "left behind", n)
    refused("EARG", "export", f"{place}/r", f"{place}/o.img", "bsx", interleave="bsx")
    refused("EUNSUPPORTED", "export", f"{place}/r", f"{place}/o.tif", "line", interleave="bil")
    refused("EUNSUPPORTED", "export", f"{place}/r", f"{place}/o.zzz", "zzz")
    refused("EUNSUPPORTED", "export", f"{place}/r", f"{place}/o.tif", "nonesuch", format="nonesuch")
    np.save(f"{place}/half.npy", cells.astype("f2"))
    np.save(f"{place}/line.npy", np.zeros(5))
    np.save(f"{place}/four.npy", np.zeros((2, 3, 4, 5)))
    for name in ("half", "line", "four"):
        bridge_import(f"{place}/{name}.npy", f"{place}/{name}")
        refused("EUNSUPPORTED", "export", f"{place}/{name}", f"{place}/o.tif")
    bridge_export(f"{place}/four", f"{place}/o.tif", box="1:2,0:3,0:4,0:5")
    check(json.loads(run("gdalinfo", "-json", f"{place}/o.tif"))["size"] == [5, 4], "three of four axes")
    bridge_export(f"{place}/r", f"{place}/named.xyz2", format="GTiff")
    check(gdalinfo(f"{place}/named.xyz2")["driverShortName"] == "GTiff", "driver by name")


with workplace() as place:
    made_files(place)
    subdatasets(place)
    refusals(place)
    public_files(place)
done("gdal")

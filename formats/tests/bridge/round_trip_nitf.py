# NITF and CADRG ([CXA] 2.6): files that GDAL wrote, and a frame made byte by byte, judged by GDAL and NumPy.
# SPDX-License-Identifier: Apache-2.0
import os
import sys

import numpy as np

import cadrg_frame
from judge import (bridge_export, bridge_import, call, check, done, refused, run, skip,
                   workplace)
from judge_rasters import gdal_translate, gdalinfo, raster_cells

TOOL = os.environ["XTA_TOOL"]
random = np.random.default_rng(6)
PLACES = {"geographic": ("EPSG:4326", (10, 50, 10.5, 49.6)),
          "utm": ("EPSG:32633", (400000, 5600400, 400500, 5600000))}


def make(place, dtype, bands):
    """A GeoTIFF of 40 x 50 cells; returns its cells."""
    codes = {"u1": 1, "i2": 2, "i4": 3, "f4": 4, "f8": 5, "c8": 6, "u2": 12, "u4": 13}
    cells = random.integers(0, 200, (bands, 40, 50)).astype(dtype)
    if cells.dtype.kind == "f":
        cells += random.normal(size=cells.shape).astype(dtype)
    cells.tofile(f"{place}/made.img")
    with open(f"{place}/made.hdr", "w") as header:
        header.write(f"ENVI\nsamples = 50\nlines = 40\nbands = {bands}\ndata type = {codes[dtype]}\n"
                     "interleave = bsq\nbyte order = 0\n")
    return cells


def cells_of(place, array):
    bridge_export(array, f"{place}/cells.npy")
    return np.load(f"{place}/cells.npy")


def whole(place, name, cells, source):
    """Import `source`, which has these cells; through another NITF and back it is the same raster."""
    refused("EACCESS", "import", source, f"{place}/no", "a NITF file")
    bridge_import(source, f"{place}/{name}", trust=1, memory=3000)
    check(np.array_equal(cells_of(place, f"{place}/{name}"), np.squeeze(cells)), name, "cells")
    target = f"{place}/{name}-out.ntf"
    bridge_export(f"{place}/{name}", target, memory=3000)
    ours, theirs = gdalinfo(target), gdalinfo(source)
    check(ours["driverShortName"] == "NITF", name, "driver")
    check(raster_cells(target).tobytes() == cells.tobytes(), name, "cells of the export")
    for key in ("geoTransform", "coordinateSystem", "size"):
        check(ours.get(key) == theirs.get(key), name, key, ours.get(key), theirs.get(key))
    check([b.get("colorTable") for b in ours["bands"]] == [b.get("colorTable") for b in theirs["bands"]],
          name, "color table")
    bridge_import(target, f"{place}/{name}-back", trust=1)
    check(np.array_equal(cells_of(place, f"{place}/{name}-back"), np.squeeze(cells)), name, "and back")


def written_by_gdal(place):
    kinds = zip(("u1", "u2", "i2", "u4", "i4", "f4", "f8", "c8"), (12, 1, 3, 3, 1, 3, 1, 3))
    for k, (dtype, bands) in enumerate(kinds):
        where = ("geographic", "utm")[k % 2]
        system, corners = PLACES[where]
        cells = make(place, dtype, bands)
        source = f"{place}/{dtype}{bands}.ntf"
        gdal_translate("-of", "NITF", "-co", "IC=NC", "-co", f"BLOCKSIZE={(64, 256)[k % 2]}",
            "-a_srs", system, "-a_ullr", *corners, f"{place}/made.img", source)
        check(raster_cells(source).tobytes() == cells.tobytes(), "GDAL has written", source)
        check("geoTransform" in gdalinfo(source), "it is georeferenced")
        whole(place, f"{dtype}{bands}", cells, source)


def compressed(place):
    """JPEG and JPEG 2000: the cells are those that GDAL decodes."""
    drivers = run("gdalinfo", "--formats")
    for code, driver in (("C3", "JPEG "), ("M3", "JPEG "), ("C8", "JP2OpenJPEG")):
        if driver not in drivers:
            skip(f"this GDAL has no driver {driver} for NITF images of kind {code}")
            continue
        cells = make(place, "u1", 3)
        source = f"{place}/{code}.ntf"
        gdal_translate("-of", "NITF", "-co", f"IC={code}", f"{place}/made.img", source)
        check(f"NITF_IC={code}" in run("gdalinfo", source), source, "is compressed")
        shown = raster_cells(source)
        check(shown.shape == cells.shape, "what GDAL decodes", shown.shape)
        whole(place, code, shown, source)


def segments(place):
    """Several images in one file are named by their numbers."""
    source = f"{place}/several.ntf"
    images = []
    for k in range(3):
        images.append(make(place, "u1", 1))
        more = ["-co", "NUMI=3", "-co", "WRITE_ONLY_FIRST_IMAGE=YES"] if k == 0 else ["-co", "APPEND_SUBDATASET=YES"]
        gdal_translate("-of", "NITF", *more, f"{place}/made.img", source)
    for k, cells in enumerate(images):
        bridge_import(source, f"{place}/image{k}", variable=k + 1, trust=1)
        check(np.array_equal(cells_of(place, f"{place}/image{k}"), cells[0]), "image", k + 1)
    refused("ENOENT", "import", source, f"{place}/no", "has no raster '4'", variable=4, trust=1)
    run(TOOL, "import", "--no-history", f"{source}:2", f"{place}/tool", "--trust")


def cadrg(place):
    source = f"{place}/00000010.mm1"
    pixels, colours, georeference = cadrg_frame.write(source, random)
    info = gdalinfo(source)
    check(info["metadata"][""]["NITF_IC"] == "C4", "it is vector-quantised")
    check(np.allclose(info["geoTransform"], georeference, rtol=1e-12, atol=0), "GDAL's georeference", info["geoTransform"])
    check(np.array_equal(raster_cells(source)[0], pixels), "what GDAL decodes")
    bridge_import(source, f"{place}/frame", trust=1, memory=100000)
    check(np.array_equal(cells_of(place, f"{place}/frame"), pixels), "cells of the frame")
    found = run(TOOL, "attr", f"{place}/frame", "geotransform").strip()
    check([float(x) for x in found.split(",")] == georeference, "its georeference", found)
    refused("EUNSUPPORTED", "export", f"{place}/frame", f"{place}/frame.ntf", "whole seconds of arc")
    bridge_export(f"{place}/frame", f"{place}/frame.tif")
    check("EPSG\",4326" in gdalinfo(f"{place}/frame.tif")["coordinateSystem"]["wkt"], "its system")
    run(TOOL, "attr", f"{place}/frame", "--remove", "projection")
    for target in ("frame.tif", "frame.ntf"):
        bridge_export(f"{place}/frame", f"{place}/{target}")
        ours = gdalinfo(f"{place}/{target}")
        check(np.array_equal(raster_cells(f"{place}/{target}")[0], pixels), target)
        check(np.allclose(ours["geoTransform"], georeference, rtol=1e-12, atol=0), target, ours["geoTransform"])
        entries = np.array(ours["bands"][0]["colorTable"]["entries"])[:, :3]
        check(np.array_equal(entries.T, colours), "palette of", target)
    data = open(source, "rb").read()
    for n in (0, 9, 400, 900, 2000, len(data) - 216 * 1024, len(data) - 1):
        open(f"{place}/cut.mm1", "wb").write(data[:n])
        code, _, err = call(os.environ["XTA_BRIDGE_IO"], "import", f"{place}/cut.mm1", f"{place}/cut{n}", "trust=1")
        check(code != 0 and "cut.mm1" in err and err.count("\n") == 1, "cut at", n, code, err)
        check(not os.path.exists(f"{place}/cut{n}.xmd"), "left behind", n)


def refusals(place):
    for dtype in ("i8", "u8", "i1", "f2", "c16"):
        np.save(f"{place}/t.npy", np.zeros((2, 3, 4), dtype))
        array = f"{place}/t-{dtype}"
        bridge_import(f"{place}/t.npy", array)
        refused("EUNSUPPORTED", "export", array, f"{place}/t.ntf", "driver NITF has no cells of type")
        check(not os.path.exists(f"{place}/t.ntf"), "a file of", dtype)
    make(place, "u1", 1)
    for system, corners in (("EPSG:4326", (10, 50, 10.51, 49.6)), ("EPSG:3035", PLACES["utm"][1]),
                            ("EPSG:32633", (400000, 5600400, 400501, 5600000))):
        gdal_translate("-a_srs", system, "-a_ullr", *corners, f"{place}/made.img", f"{place}/p.tif")
        bridge_import(f"{place}/p.tif", f"{place}/p-{corners[2]}-{system[5:]}")
        refused("EUNSUPPORTED", "export", f"{place}/p-{corners[2]}-{system[5:]}", f"{place}/t.ntf", "export a GeoTIFF")
        check(not os.path.exists(f"{place}/t.ntf"), "a file in", system)
    bridge_import(f"{place}/made.img", f"{place}/r")
    refused("EUNSUPPORTED", "export", f"{place}/r", f"{place}/t.ntf", "driver NITF does not interleave by line",
            interleave="bil")


if "NITF " not in run("gdalinfo", "--formats"):
    print("SKIPPED: this GDAL has no driver NITF")
    sys.exit(77)
with workplace() as place:
    written_by_gdal(place)
    compressed(place)
    segments(place)
    cadrg(place)
    refusals(place)
done("nitf")

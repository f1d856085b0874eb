# What spectral images and class maps say of themselves: ENVI headers of every interleave, type and byte order, with
# keys missing and with too few of something; class maps as ENVI and as PNG. Judged by gdalinfo, and by NumPy on files
# whose bytes are written here.
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import re
import struct
import zlib

import numpy as np

from judge import bridge_export, bridge_import, check, data_folder, done, refused, run, workplace
from judge_rasters import gdalinfo

XTA = os.path.join(os.environ["XTA_BUILD_DIR"], "xta")
TYPES = {"u1": 1, "i2": 2, "i4": 3, "f4": 4, "f8": 5, "u2": 12, "u4": 13}
random = np.random.default_rng(17)


def attribute(array, name, axis=None):
    """Its value as text; numbers one a line."""
    return run(XTA, "attr", array, name, *(["--axis", axis] if axis else [])).rstrip("\n")


def numbers(array, name, axis=None):
    return [float(x) for x in re.split(r"[\s,]+", attribute(array, name, axis))]


def cells_of(array, place):
    bridge_export(array, f"{place}/out.npy")
    return np.load(f"{place}/out.npy")


def header(path, **keys):
    with open(path, "w", encoding="utf-8") as f:
        f.write("ENVI\n" + "".join(f"{k.replace('_', ' ')} = {v}\n" for k, v in keys.items()
                                   if v is not None))


def header_of(path):
    """Keys of a header, lists in one line without blanks behind commas."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"\{[^}]*\}", lambda m: re.sub(r",\s*", ",", m[0].replace("\n", " ")), f.read())
    pairs = [line.split("=", 1) for line in text.split("\n") if "=" in line]
    return {k.strip(): re.sub(r"\{\s*", "{", v.strip()) for k, v in pairs}


def envi(path, cube, interleave, order, **more):
    axes = {"bsq": (0, 1, 2), "bil": (1, 0, 2), "bip": (1, 2, 0)}[interleave]
    with open(path, "wb") as f:
        f.write(cube.transpose(axes).astype(cube.dtype.newbyteorder(order)).tobytes())
    keys = {"samples": cube.shape[2], "lines": cube.shape[1], "bands": cube.shape[0], "header_offset": 0,
            "file_type": "ENVI Standard", "data_type": TYPES[cube.dtype.str[1:]],
            "interleave": interleave, "byte_order": int(order == ">")}
    header(path[:-4] + ".hdr", **{**keys, **more})


def made(dtype, shape):
    if dtype[0] == "f":
        return (random.normal(size=shape) * 1000).astype(dtype)
    low = np.iinfo(dtype).min if dtype[0] == "i" else 0
    return random.integers(low, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)


SPECTRAL = {"wavelength_units": "Nanometers", "wavelength": "{400.5, 410,\n 420.25, 430}",
            "fwhm": "{10.1,10.2,10.3,10.4}", "bbl": "{1,0,1,1}", "data_ignore_value": "-9",
            "reflectance_scale_factor": "10000", "default_bands": "{3,2,1}",
            "map_info": "{UTM, 1, 1, 500000, 4000000, 30, 30, 33, North, WGS-84}"}


def shapes_and_orders(place):
    """All interleaves, types and byte orders are the same array: band, y, x."""
    n = 0
    for interleave in ("bsq", "bil", "bip"):
        for dtype in TYPES:
            for order in "<>":
                cube = made(dtype, (4, 3, 5))
                path = f"{place}/e{n}.img"
                envi(path, cube, interleave, order)
                bridge_import(path, f"{place}/e{n}", memory=100)
                ours = cells_of(f"{place}/e{n}", place)
                check(ours.dtype == cube.dtype and ours.tobytes() == cube.tobytes(), interleave, dtype,
                      order)
                n += 1
    cube = made("i2", (4, 3, 5))
    cube[0, 0] = -9
    for interleave in ("bsq", "bil", "bip"):
        envi(f"{place}/m.img", cube, interleave, "<", byte_order=None, header_offset=None,
             file_type=None)
        bridge_import(f"{place}/m.img", f"{place}/m{interleave}")
        check(np.array_equal(cells_of(f"{place}/m{interleave}", place), cube), "keys missing")
    print(f"{n} shapes, types and orders")


def keys_arrive(place):
    """Every key under its name, and back again; a part of the bands; bands appended."""
    cube = made("i2", (4, 3, 5))
    envi(f"{place}/k.img", cube, "bil", ">", **SPECTRAL)
    array = f"{place}/k"
    bridge_import(f"{place}/k.img", array)
    check(numbers(array, "wavelength", "band") == [400.5, 410, 420.25, 430], "wavelength")
    check(numbers(array, "fwhm", "band") == [10.1, 10.2, 10.3, 10.4], "fwhm")
    check(numbers(array, "bbl", "band") == [1, 0, 1, 1], "bbl")
    check(numbers(array, "bbl//box", "band") == [0, 4], "box of bbl")
    check(attribute(array, "wavelength_units") == "Nanometers", "units")
    check(numbers(array, "nodata") == [-9] and numbers(array, "reflectance_scale_factor") == [10000],
          "no-data and scale")
    check(numbers(array, "geotransform") == [500000, 30, 0, 4000000, 0, -30], "map info")
    bridge_export(array, f"{place}/back.img")
    before, after = header_of(f"{place}/k.hdr"), header_of(f"{place}/back.hdr")
    for key in SPECTRAL:
        key = key.replace("_", " ")
        if key != "map info":
            check(before[key] == after.get(key), key, before[key], "became", after.get(key))
    check(gdalinfo(f"{place}/back.img")["geoTransform"] == gdalinfo(f"{place}/k.img")["geoTransform"],
          "map info")
    bridge_export(array, f"{place}/part.bip", box="1:3,0:3,0:5")
    part = header_of(f"{place}/part.hdr")
    check(part["bbl"] == "{0,1}" and part["fwhm"] == "{10.2,10.3}" and
          part["wavelength"] == "{410,420.25}" and "default bands" not in part, part)
    envi(f"{place}/more.img", made("i2", (2, 3, 5)), "bsq", "<", wavelength_units="Nanometers",
         wavelength="{440,450}", bbl="{0,0}", data_ignore_value="-9",
         reflectance_scale_factor="10000.0")
    bridge_import(f"{place}/more.img", array, append="band")
    check(numbers(array, "wavelength", "band") == [400.5, 410, 420.25, 430, 440, 450], "appended")
    check(numbers(array, "bbl", "band") == [1, 0, 1, 1, 0, 0], "bad bands appended")
    bridge_export(array, f"{place}/all.img")
    check(header_of(f"{place}/all.hdr")["bbl"] == "{1,0,1,1,0,0}", "bad bands exported")
    run(XTA, "attr", array, "bbl=0,1,1,1,1,1", "--type", "f64", "--axis", "band")
    bridge_export(array, f"{place}/all.img")
    check(header_of(f"{place}/all.hdr")["bbl"] == "{0,1,1,1,1,1}", "changed bad bands")
    for key, value in (("reflectance_scale_factor", "100"), ("data_ignore_value", "7")):
        more = {"data_ignore_value": "-9", "reflectance_scale_factor": "10000", key: value}
        envi(f"{place}/other.img", made("i2", (2, 3, 5)), "bsq", "<", **more)
        refused("ETYPE", "import", f"{place}/other.img", array, append="band")
    envi(f"{place}/odd.img", cube, "bsq", "<", bbl="{1,0}", fwhm="{a,b,c,d}", wavelength="{1,2,3,4}")
    bridge_import(f"{place}/odd.img", f"{place}/odd")
    listed = run(XTA, "attr", f"{place}/odd")
    check("band:bbl" not in listed and "band:fwhm" not in listed, "lists that are none")
    bridge_export(array, f"{place}/k.tif")
    bridge_import(f"{place}/k.tif", f"{place}/t")
    check(numbers(f"{place}/t", "bbl", "band") == [0, 1, 1, 1, 1, 1] and
          numbers(f"{place}/t", "wavelength", "band")[4] == 440, "through GeoTIFF")


def classes(place):
    """Names and colours there and back; of an array that nobody imported; changed ones."""
    labels = random.integers(0, 4, (1, 6, 7)).astype("u1")
    envi(f"{place}/c.img", labels, "bsq", "<", file_type="ENVI Classification", classes=4,
         class_names="{Unclassified, Grass, Big trees, Water}",
         class_lookup="{0,0,0, 10,200,30, 5,90,7, 20,30,250}")
    array = f"{place}/c"
    bridge_import(f"{place}/c.img", array)
    check(attribute(array, "class_names").split("\n") == ["Unclassified", "Grass", "Big trees", "Water"],
          "names")
    check(numbers(array, "class_colours") == [0, 0, 0, 10, 200, 30, 5, 90, 7, 20, 30, 250], "colours")
    bridge_export(array, f"{place}/c2.img")
    before, after = header_of(f"{place}/c.hdr"), header_of(f"{place}/c2.hdr")
    check({k: v for k, v in before.items() if "class" in k} ==
          {k: v for k, v in after.items() if "class" in k} and
          after["file type"] == "ENVI Classification", after)
    run(XTA, "attr", array, "class_names=None\nMeadow\nForest\nLake")
    run(XTA, "attr", array, "class_colours=0,0,0,1,2,3,4,5,6,7,8,9", "--type", "u8")
    bridge_export(array, f"{place}/c3.img")
    band = gdalinfo(f"{place}/c3.img")["bands"][0]
    check(band["colorTable"]["entries"][3][:3] == [7, 8, 9], "changed colours", band)
    check(header_of(f"{place}/c3.hdr")["class names"] == "{None,Meadow,Forest,Lake}", "changed names")
    np.save(f"{place}/n.npy", labels[0])
    bridge_import(f"{place}/n.npy", f"{place}/n")
    run(XTA, "attr", f"{place}/n", "class_names=none\noak, old\nsea\nsky\n")
    run(XTA, "attr", f"{place}/n", "class_colours=0,0,0,255,0,0,0,255,0,0,0,255", "--type", "u8")
    bridge_export(f"{place}/n", f"{place}/n.img")
    h = header_of(f"{place}/n.hdr")
    check(h["file type"] == "ENVI Classification" and h["classes"] == "4" and
          h["class lookup"].replace(" ", "") == "{0,0,0,255,0,0,0,255,0,0,0,255}" and
          h["class names"] == "{none,oak  old,sea,sky}", h)
    bridge_import(f"{place}/n.img", f"{place}/n2")
    check(np.array_equal(cells_of(f"{place}/n2", place).reshape(6, 7), labels[0]), "class map")
    np.save(f"{place}/f.npy", labels[0].astype("f4"))
    bridge_import(f"{place}/f.npy", f"{place}/f")
    run(XTA, "attr", f"{place}/f", "class_names=a\nb\n")
    bridge_export(f"{place}/f", f"{place}/f.img")
    check(header_of(f"{place}/f.hdr")["file type"] == "ENVI Standard", "no classes of floats")


# ---- PNG, each byte written here ----

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(path, rows, bits, colour, width, palette=None, text=None, interlaced=0):
    head = struct.pack(">IIBBBBB", width, len(rows), bits, colour, 0, 0, interlaced)
    body = chunk(b"IHDR", head)
    if palette is not None:
        body += chunk(b"PLTE", bytes(palette))
    if text is not None:
        body += chunk(b"tEXt", b"class_names\0" + text)
    body += chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(r) for r in rows)))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b""))


def packed(labels, bits):
    """Rows of small numbers, several a byte."""
    rows = []
    for row in labels:
        line = "".join(format(int(v), f"0{bits}b") for v in row)
        line += "0" * (-len(line) % 8)
        rows.append(int(line, 2).to_bytes(len(line) // 8, "big"))
    return rows


def labels(place):
    path, array = f"{place}/l.png", f"{place}/l"

    def taken(**options):
        for old in glob.glob(array + ".x*"):
            os.remove(old)
        bridge_import(path, array, format="labels", **options)
        return cells_of(array, place)

    palette = bytes(range(48))
    for bits in (1, 2, 4, 8):
        n = min(2 ** bits, 16)
        v = random.integers(0, n, (5, 11)).astype("u1")
        png(path, packed(v, bits), bits, 3, 11, palette[:3 * n], b"none\nwood\n")
        ours = taken()
        check(ours.dtype == np.uint8 and np.array_equal(ours, v), "palette of", bits)
        check(numbers(array, "class_colours") == list(palette[:3 * n]), "its colours")
        check(attribute(array, "class_names") == "none\nwood", "its names")
        png(path, packed(v, bits), bits, 0, 11)
        check(np.array_equal(taken(memory=11), v), "grey of", bits)
        check("class_colours" not in run(XTA, "attr", array), "grey has no colours")
    refused("EARG", "import", path, f"{place}/no", "grey", format="labels", colours="#010203")
    wide = random.integers(0, 65536, (4, 3)).astype(">u2")
    png(path, [r.tobytes() for r in wide], 16, 0, 3)
    ours = taken()
    check(ours.dtype == np.uint16 and np.array_equal(ours, wide), "grey of 16")
    colours = np.array([[9, 8, 7], [0, 0, 0], [255, 0, 1], [9, 8, 6]], "u1")
    first = np.array([[3, 1, 1, 2], [2, 0, 3, 3], [1, 1, 1, 1]])
    for alpha in (False, True):
        cells = colours[first]
        if alpha:
            cells = np.concatenate([cells, np.full(cells.shape[:2] + (1,), 77, "u1")], axis=2)
        png(path, [r.tobytes() for r in cells], 8, 6 if alpha else 2, 4)
        # Black is 0; 9,8,6 comes first, then 255,0,1, then 9,8,7.
        check(np.array_equal(taken(), np.vectorize({3: 1, 1: 0, 2: 2, 0: 3}.get)(first)),
              "first appearance")
        check(numbers(array, "class_colours") == [0, 0, 0, 9, 8, 6, 255, 0, 1, 9, 8, 7], "its colours")
        expected = np.vectorize({0: 1, 1: 0, 2: 2, 3: 3}.get)(first)
        check(np.array_equal(taken(colours="#090807,#ff0001,#090806"), expected), "a list")
        check(np.array_equal(taken(colours="#000000,#090807,#FF0001,#090806"), expected), "with black")
        with open(f"{place}/colours.txt", "w") as f:
            f.write("#000000 not labelled\n#090807 oak, old\n\n#ff0001\tsea\r\n#090806")
        check(np.array_equal(taken(colours=f"{place}/colours.txt", memory=8), expected), "a file")
        check(attribute(array, "class_names") == "not labelled\noak, old\nsea", "names of the file")
    for wrong, why in (("#090807,#ff0001", "row 0, column 0"), ("#09080,#ff0001", "#rrggbb"),
                       ("#090807,#090807", "twice"), ("red", "file")):
        refused("ENOENT" if wrong == "red" else "EARG", "import", path, f"{place}/no", why,
                format="labels", colours=wrong)
    png(path, packed(first, 8), 8, 3, 4, bytes(colours.tobytes()))
    check(np.array_equal(taken(colours="#090807,#ff0001,#090806"), expected), "a list over a palette")
    bridge_import(path, array, format="labels", append="y", colours="#090807,#ff0001,#090806")
    check(cells_of(array, place).shape == (6, 4), "appended")
    refused("ETYPE", "import", path, array, "class_colours", format="labels", append="y",
            colours="#090806,#ff0001,#090807")
    many = np.arange(300 * 3, dtype="u4").astype("u1").reshape(300, 3)
    many[:, 0], many[:, 1] = np.arange(300) % 256, np.arange(300) // 256 + 1
    png(path, [r.tobytes() for r in many.reshape(15, 60)], 8, 2, 20)
    ours = taken()
    check(ours.dtype == np.uint16 and np.array_equal(ours.ravel(), np.arange(1, 301)), "300 classes")
    png(path, packed(first, 8), 8, 0, 4, interlaced=1)
    refused("EUNSUPPORTED", "import", path, f"{place}/no", "interlaced", format="labels")
    png(path, [r.tobytes() for r in many.reshape(15, 60)], 8, 2, 20)
    with open(path, "rb") as f:
        whole = f.read()
    for length in list(range(0, 60, 7)) + list(range(60, len(whole) - 20, 31)):
        with open(path, "wb") as f:
            f.write(whole[:length])
        refused("EFORMAT", "import", path, f"{place}/no", path, format="labels")
    refused("EUNSUPPORTED", "export", array, f"{place}/x.png", "read only", format="labels")


def public_files(place):
    folder = data_folder("hyperspectral")
    if not folder:
        return
    path = f"{folder}/pavia_university/pavia-university-labels.png"
    listed = "#3876c4,#06b6d4,#84cc16,#f59e0b,#ef4444,#a855f7,#14b8a6,#6366f1,#d97706"
    bridge_import(path, f"{place}/pavia", format="labels", colours=listed)
    counts = np.bincount(cells_of(f"{place}/pavia", place).ravel())
    check(list(counts[1:]) == [6631, 18649, 2099, 3064, 1345, 5029, 1330, 3682, 947] and
          counts.sum() == 610 * 340, counts)
    bridge_import(f"{folder}/samson/samson_1.img", f"{place}/samson")
    raw = np.fromfile(f"{folder}/samson/samson_1.img", "<i2").reshape(156, 95, 95)
    check(np.array_equal(cells_of(f"{place}/samson", place), raw), "Samson's cells")
    theirs = [float(x) for x in header_of(f"{folder}/samson/samson_1.img.hdr")["wavelength"][1:-1].split(",")]
    check(numbers(f"{place}/samson", "wavelength", "band") == theirs, "Samson's wavelengths")
    bridge_import(f"{folder}/corn_kernel/corn-kernel-hyperspectral.raw", f"{place}/corn", format="gdal")
    raw = np.fromfile(f"{folder}/corn_kernel/corn-kernel-hyperspectral.raw", "<u2").reshape(31, 580, 43)
    check(np.array_equal(cells_of(f"{place}/corn", place), raw.transpose(1, 0, 2)), "corn kernels")
    check(len(numbers(f"{place}/corn", "wavelength", "band")) == 580 and
          attribute(f"{place}/corn", "wavelength_units") == "nm", "wavelengths of corn kernels")


with workplace() as place:
    shapes_and_orders(place)
    keys_arrive(place)
    classes(place)
    labels(place)
    public_files(place)
done("scenes")

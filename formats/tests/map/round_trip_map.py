# Round trips through mappings: files made by h5py, ncgen and Astropy, grown at both ends of two axes by the example
# programs, and read by h5py, h5dump, ncdump and Astropy. What is fixed is refused, and its file has the same checksum.
# SPDX-License-Identifier: Apache-2.0
import hashlib
import os
import subprocess
import sys
import tempfile

import numpy as np

try:
    import h5py
    from astropy.io import fits
except ImportError as missing:
    print(f"SKIPPED: {missing} (python3-h5py, python3-astropy)")
    sys.exit(77)

EXAMPLES = os.path.join(os.environ["XTA_BUILD_DIR"], "examples")
FLAVOURS = [name[len("map_hdf5_"):] for name in sorted(os.listdir(EXAMPLES))
            if name.startswith("map_hdf5_") and "." not in name]
# What the examples do: two cells in front and three behind on axis 0, one and two on axis 1.
INNER = (slice(2, -3), slice(1, -2))
n_checks = 0
random = np.random.default_rng(14)


def check(good, *what):
    global n_checks
    n_checks += 1
    if not good:
        sys.exit("FAILED: " + " ".join(str(w) for w in what))


def call(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, cwd=work)
    return done.returncode, done.stdout, done.stderr


def run(*words):
    code, out, err = call(*words)
    check(code == 0, words, "answered", code, err)
    return out


def program(name, *words):
    return run(os.path.join(EXAMPLES, name), *words)


def checksum(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def refused(path, words, name, *arguments):
    before = checksum(path)
    code, _, err = call(os.path.join(EXAMPLES, name), *arguments)
    check(code == 1 and words in err and err.count("\n") == 1, name, arguments, code, err)
    check(checksum(path) == before, path, "was touched")


def cells(dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return random.normal(size=shape).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, shape, endpoint=True, dtype=dtype.newbyteorder("=")).astype(dtype)


# ---- HDF5 ----

def make_hdf5(path, dtype, values):
    with h5py.File(path, "w") as file:
        file.attrs["title"] = "of the root"
        file.attrs["numbers"] = np.arange(3, dtype="i2")
        group = file.create_group("a/b")
        file["a"].attrs["level"] = 1.5
        group.attrs["names"] = ["one", "two"]
        rain = group.create_dataset("rain", data=values, maxshape=(None, None), chunks=(3, 5), compression="gzip",
                                    shuffle=True, fletcher32=True, dtype=dtype, fillvalue=np.array(9, dtype))
        rain.attrs["units"] = "mm"
        rain.attrs["range"] = np.array([0, 5], "f4")
        rain.attrs["of bytes"] = np.bytes_("fixed")
        rain.attrs["pair"] = np.array((1, 2.0), dtype=[("i", "i4"), ("f", "f8")])
        rain.attrs["other"] = group.ref
        group.create_dataset("beside", data=np.arange(12).reshape(3, 4))
        scale = group.create_dataset("time", data=np.arange(values.shape[0]) * 10.0, maxshape=(None,), chunks=(4,),
                                     fillvalue=-1.0)
        scale.make_scale("time")
        rain.dims[0].attach_scale(scale)
        group["same"] = rain
        group["soft"] = h5py.SoftLink("/nowhere")


def check_hdf5(path, dtype, values):
    with h5py.File(path, "r") as file:
        rain = file["a/b/rain"]
        got = rain[...]
        check(rain.shape == (values.shape[0] + 5, values.shape[1] + 3), rain.shape)
        check(rain.dtype == np.dtype(dtype), rain.dtype, dtype)
        check(got[INNER].tobytes() == values.tobytes(), dtype, "cells")
        rest = np.ones(got.shape, bool)
        rest[INNER] = False
        rest[0, 0] = False
        check((got[rest] == 9).all() and got[0, 0] == 7, dtype, "fill")
        check(rain.chunks == (3, 5) and rain.compression == "gzip" and rain.shuffle and rain.fletcher32, "storage")
        check(rain.maxshape == (None, None), rain.maxshape)
        check(rain.attrs["units"] == "mm" and list(rain.attrs["range"]) == [0, 5], "attributes")
        check(rain.attrs.get_id("of bytes").dtype.kind == "S" and rain.attrs["pair"]["f"] == 2.0, "attributes kept")
        check(file[rain.attrs["other"]].name == "/a/b", "reference")
        check(list(rain.attrs["xta_origin"]) == [-2, -1], rain.attrs["xta_origin"])
        check(file.attrs["title"] == "of the root" and list(file.attrs["numbers"]) == [0, 1, 2], "of the root")
        check(file["a"].attrs["level"] == 1.5 and list(file["a/b"].attrs["names"]) == ["one", "two"], "of groups")
        check((file["a/b/beside"][...] == np.arange(12).reshape(3, 4)).all(), "beside")
        check(file["a/b/same"] == rain and file["a/b"].get("soft", getlink=True).path == "/nowhere", "links")
        time = file["a/b/time"][...]
        want = [-1.0] * 2 + [10.0 * k for k in range(values.shape[0])] + [-1.0] * 3
        check(list(time) == want, time)
        check(rain.dims[0][0].name == "/a/b/time", "scale")


def hdf5():
    path = os.path.join(work, "round.h5")
    for flavour in FLAVOURS:
        for dtype in "u1 i1 <i2 >i2 u2 i4 >u4 i8 u8 f2 <f4 >f4 f8 >f8".split():
            values = cells(dtype, (4, 7))
            make_hdf5(path, dtype, values)
            out = program(f"map_hdf5_{flavour}", path, "/a/b/rain")
            check("/a/b/beside: 0 attributes\n" in out and "/a/b/rain: 0 attributes (mapped)" in out, out)
            check("/a: 1 attributes" in out and "/: 2 attributes" in out, out)
            check_hdf5(path, dtype, values)
            dumped = run("h5dump", "-p", "-d", "/a/b/rain", path)
            for words in ("SIMPLE { ( 9, 10 ) / ( H5S_UNLIMITED, H5S_UNLIMITED ) }", "CHUNKED ( 3, 5 )",
                          "COMPRESSION DEFLATE { LEVEL 4 }", "PREPROCESSING SHUFFLE", 'ATTRIBUTE "units"'):
                check(words in dumped, words, "is not in", dumped)
            # Mapped again it goes on from where it was.
            program(f"map_hdf5_{flavour}", path, "/a/b/rain")
            with h5py.File(path, "r") as file:
                check(list(file["a/b/rain"].attrs["xta_origin"]) == [-4, -2], "second origin")
                check(file["a/b/rain"][4:8, 2:9].tobytes() == values.tobytes(), "second round")
    for name, options, words in (
            ("contiguous", {}, "is not chunked and cannot be resized"),
            ("limited", {"maxshape": (20, 8), "chunks": (2, 2)}, "axis 1 (): the array has 10 cells and the dataset "
             "can have 8 at most")):
        with h5py.File(path, "w") as file:
            file.create_dataset(name, data=cells("i4", (4, 7)), **options)
        refused(path, words, f"map_hdf5_{FLAVOURS[0]}", path, name)
    with h5py.File(path, "w") as file:
        file.create_dataset("pairs", data=np.zeros((2, 2), dtype=[("i", "i4"), ("f", "f8")]))
    refused(path, "compounds that are not complex numbers", f"map_hdf5_{FLAVOURS[0]}", path, "pairs")


# ---- NetCDF ----

CDL = """netcdf round {
group: inner {
  dimensions:
    time = UNLIMITED ; x = UNLIMITED ;
  variables:
    double time(time) ;
      time:units = "days since 2020-01-01" ;
    %s rain(time, x) ;
      rain:units = "mm" ;
      rain:_FillValue = %s ;
      rain:_ChunkSizes = 3, 5 ;
      rain:_DeflateLevel = 4 ;
    int station(x) ;
    int count(time, x) ;
  :of_group = "inner" ;
  data:
    time = 100, 101, 102, 103 ;
    rain = %s ;
    station = 11, 12, 13, 14, 15, 16, 17 ;
    count = %s ;
  }
:title = "of the file" ;
}
"""


def rows(values):
    """Values of 4 x 7 cells in CDL, where rows along an unlimited dimension stand in braces."""
    texts = [str(v) for v in values]
    return ", ".join("{" + ", ".join(texts[k:k + 7]) + "}" for k in range(0, 28, 7))


def numbers(text, name):
    """Values of a variable in what ncdump prints; None for fill."""
    at = text.index(f"\n   {name} =")
    words = text[at + len(name) + 6:text.index(";", at)].replace("{", " ").replace("}", " ").replace(",", " ").split()
    return [None if word == "_" else float(word) for word in words]


def netcdf():
    path = os.path.join(work, "round.nc")
    for kind, fill in (("ubyte", "200"), ("short", "-5s"), ("ushort", "60000"), ("int", "-7"), ("uint", "4000000000U"),
                       ("int64", "-9"), ("float", "-1.f"), ("double", "-1.")):
        values = [str(k) for k in range(28)]
        with open(os.path.join(work, "round.cdl"), "w") as file:
            file.write(CDL % (kind, fill, rows(range(28)), rows(range(50, 78))))
        run("ncgen", "-4", "-o", path, "round.cdl")
        program("map_netcdf", path, "inner", "rain")
        text = run("ncdump", "-p", "9,17", path)
        inner = text.replace("\n  ", "\n ")
        for words in ("time = UNLIMITED ; // (9 currently)", "x = UNLIMITED ; // (10 currently)",
                      'title = "of the file"', 'of_group = "inner"', 'rain:units = "mm"',
                      'time:units = "days since 2020-01-01"', "rain:xta_origin = -2LL, -1LL",
                      "station:xta_origin = -1LL", "time:xta_origin = -2LL"):
            check(words in inner, kind, words, "is not in", text)
        check(numbers(text, "time") == [98 + k for k in range(9)], text)
        rain = np.array(numbers(text, "rain"), dtype=object).reshape(9, 10)
        check([v for v in rain[INNER].ravel()] == [float(v) for v in values], text)
        rain[INNER] = None
        check(all(v is None for v in rain.ravel()), kind, "fill", text)
        count = np.array(numbers(text, "count"), dtype=object).reshape(9, 10)
        check(list(count[INNER].ravel()) == [50.0 + k for k in range(28)], text)
        check(numbers(text, "station") == [None] + [11.0 + k for k in range(7)] + [None] * 2, text)
        special = run("ncdump", "-h", "-s", path)
        check("rain:_ChunkSizes = 3, 5" in special and "rain:_DeflateLevel = 4" in special, special)
    # One unlimited dimension is all that the classic model has.
    with open(os.path.join(work, "fixed.cdl"), "w") as file:
        file.write("netcdf fixed { dimensions: time = UNLIMITED ; x = 3 ; variables: int rain(time, x) ;\n"
                   "data: rain = 1, 2, 3, 4, 5, 6 ; }\n")
    for kind in ("-3", "-6", "-5", "-4", "-7"):
        run("ncgen", kind, "-o", path, "fixed.cdl")
        refused(path, "dimension 1 (x): the array has 6 cells and the dimension is fixed at 3", "map_netcdf", path,
                "rain")


# ---- FITS ----

def fits_images():
    path = os.path.join(work, "round.fits")
    for dtype in "u1 i2 u2 i4 u4 i8 f4 f8".split():
        values = cells(dtype, (4, 7))
        header = fits.Header([("CRPIX1", 1.0), ("CRPIX2", 2.5), ("OBJECT", "M31", "a comment"), ("LTV1", 0.0)])
        header["HISTORY"] = "kept"
        fits.HDUList([fits.PrimaryHDU(), fits.ImageHDU(values, header, name="SCI"),
                      fits.ImageHDU(np.arange(5, dtype="i2"), name="BEHIND")]).writeto(path, overwrite=True)
        program("map_fits", path)
        with fits.open(path) as file:
            image = file["SCI"]
            check(image.data.shape == (9, 10), image.data.shape)
            check((image.data[INNER] == values).all() and image.data.dtype.newbyteorder("=") == values.dtype, dtype)
            rest = image.data.astype("f8")
            rest[INNER] = 0
            check((rest == 0).all(), dtype, "new pixels", rest)
            header = image.header
            check(header["CRPIX1"] == 2.0 and header["CRPIX2"] == 4.5 and header["LTV1"] == 1.0, repr(header))
            check(header["XTAORG1"] == -1 and header["XTAORG2"] == -2, repr(header))
            check(header["OBJECT"] == "M31" and header.comments["OBJECT"] == "a comment", repr(header))
            check("kept" in str(header["HISTORY"]), repr(header))
            check((file["BEHIND"].data == np.arange(5)).all() and len(file) == 3, "the image behind")


# ---- by import and export ----

def imported():
    """What a mapping grew at the front keeps its coordinates through xta import, xta export and a mapping again."""
    tool = os.environ["XTA_TOOL"]
    for end, name, group, mapping in (("h5", "/a/b/rain", (), f"map_hdf5_{FLAVOURS[0]}"),
                                      ("nc", "rain", ("inner",), "map_netcdf"), ("fits", "1", (), "map_fits")):
        source, target = os.path.join(work, f"round.{end}"), os.path.join(work, f"again.{end}")
        variable = "/".join(group + (name.lstrip("/"),))
        if end == "h5":
            make_hdf5(source, "i4", cells("i4", (4, 7)))
            program(mapping, source, name)
        elif end == "nc":
            run("ncgen", "-4", "-o", source, "round.cdl")
            program(mapping, source, *group, name)
        array = os.path.join(work, f"array-{end}")
        said = run(tool, "import", f"{source}:{variable}", array).strip()
        check(said == "-2:7,-1:9", end, "is placed at", said)
        before = run(tool, "read", array, "--box", "-1:3,0:5")
        run(tool, "export", array, target)
        again = target if end == "fits" else f"{target}:{variable}"
        run(tool, "import", again, array + "-back")
        check(run(tool, "info", array + "-back").split("bounds")[1].split()[0] == said, end, "bounds of the export")
        check(run(tool, "read", array + "-back", "--box", "-1:3,0:5") == before, end, "cells of the export")
        program(mapping, target, *group, *([name] if end != "fits" else []))
        run(tool, "import", again, array + "-grown")
        grown = run(tool, "info", array + "-grown").split("bounds")[1].split()[0]
        check(grown == "-4:10,-2:11", end, "grown again", grown)
        check(run(tool, "read", array + "-grown", "--box", "-1:3,0:5") == before, end, "cells after both")


with tempfile.TemporaryDirectory() as work:
    check("serial" in FLAVOURS, FLAVOURS)
    hdf5()
    netcdf()
    fits_images()
    imported()
print(f"round_trip_map: {n_checks} checks (HDF5: {', '.join(FLAVOURS)})")

# Round trips of FITS images, judged by Astropy.
# SPDX-License-Identifier: Apache-2.0
import glob
import gzip
import os
import sys
import warnings

import numpy as np

try:
    from astropy.io import fits
    from astropy.wcs import WCS
except ImportError:
    print("SKIPPED: Astropy is not there (python3-astropy)")
    sys.exit(77)

from judge import (bridge_export, bridge_import, call, check, data_folder, done, refused, run,
                   workplace)

TOOL = os.environ["XTA_TOOL"]
STRUCTURE = ("SIMPLE", "XTENSION", "BITPIX", "NAXIS", "NAXIS1", "NAXIS2", "NAXIS3", "NAXIS4", "NAXIS5", "EXTEND",
             "PCOUNT", "GCOUNT", "GROUPS", "CHECKSUM", "DATASUM")
random = np.random.default_rng(13)
warnings.simplefilter("ignore")


def cards(header, without=()):
    """The cards in their order, but those that follow from the cells."""
    return [card.image for card in header.cards if card.keyword not in STRUCTURE + tuple(without)]


def raw(path, part=0):
    with fits.open(path, do_not_scale_image_data=True) as hdus:
        return hdus[part].data, hdus[part].header.copy()


def same(source, target, *what, part=0, part_of_target=0, without=()):
    """Cells as stored, and every card of the header word for word."""
    (a, one), (b, other) = raw(source, part), raw(target, part_of_target)
    check(a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes(), "cells", *what)
    one, other = cards(one, without), cards(other, without)
    check(one == other, "cards of", source, *what, [c for c in one if c not in other][:3],
          [c for c in other if c not in one][:3])
    with fits.open(target) as hdus:
        hdus.verify("exception")


def to_numpy(source, **options):
    for name in ("np.xmd", "np.xta"):
        if os.path.exists(f"{place}/{name}"):
            os.remove(f"{place}/{name}")
    bridge_import(source, f"{place}/np", **options)
    bridge_export(f"{place}/np", f"{place}/np.npy")
    return np.load(f"{place}/np.npy")


def attribute(array, name):
    return run(TOOL, "attr", array, name).strip()


def public_files():
    folder = data_folder("fits")
    if not folder:
        return
    for name in ("arange", "l1448_13co", "m13"):
        path = f"{folder}/{name}.fits"
        bridge_import(path, f"{place}/{name}", memory=100000)
        bridge_export(f"{place}/{name}", f"{place}/{name}.fits", memory=70000)
        same(path, f"{place}/{name}.fits", name)
        check(np.array_equal(to_numpy(path), fits.getdata(path).astype(to_numpy(path).dtype)),
              "axes and rows as Astropy has them", name)
    check(attribute(f"{place}/l1448_13co", "CRPIX1") == "-799", "a number stays a number",
          attribute(f"{place}/l1448_13co", "CRPIX1"))
    a, b = (WCS(fits.getheader(f"{where}/l1448_13co.fits")) for where in (folder, place))
    check(a.wcs.compare(b.wcs), "the same coordinates")
    several(f"{folder}/test0.fits")


def several(path):
    """Four images behind an empty header: one must be named."""
    listed = "1 SCI,1 (40 x 40), 2 SCI,2 (40 x 40), 3 SCI,3 (40 x 40), 4 SCI,4 (40 x 40)"
    refused("EARG", "import", path, f"{place}/no", listed)
    refused("EARG", "import", path, f"{place}/no", listed, variable="SCI")
    refused("ENOENT", "import", path, f"{place}/no", listed, variable="5")
    refused("ENOENT", "import", path, f"{place}/no", listed, variable="0")
    code, _, err = call(TOOL, "import", path, f"{place}/no")
    check(code == 2 and listed in err, "the tool lists them", code, err)
    for k, words in enumerate(([f"{path}:SCI,2"], [f"{path}[2]"], [f"{path}[sci,2]"], [f"{path}:2"])):
        run(TOOL, "import", "--no-history", *words, f"{place}/sci{k}")
        run(TOOL, "export", "--no-history", f"{place}/sci{k}", f"{place}/sci{k}.fits")
        same(path, f"{place}/sci{k}.fits", words, part=2, part_of_target=1)
        with fits.open(path) as a, fits.open(f"{place}/sci{k}.fits") as b:
            check(cards(a[0].header) == cards(b[0].header) and len(b) == 2, "the header before it")


def types():
    for k, name in enumerate("u1 i1 i2 u2 i4 u4 i8 u8 f4 f8".split()):
        shape = ((7,), (4, 3), (4, 3, 2), (3, 1, 2, 5), (2, 2, 2, 1, 3))[k % 5]
        cells = random.integers(0, 256, int(np.prod(shape)) * np.dtype(name).itemsize).astype("u1")
        cells = cells.view(name).reshape(shape) if name[0] != "f" else random.normal(size=shape)
        cells = cells.astype(name)
        path = f"{place}/{name}.fits"
        fits.PrimaryHDU(cells).writeto(path)
        got = to_numpy(path, memory=64)
        check(got.dtype == name and got.shape == shape and got.tobytes() == cells.tobytes(), name,
              shape, got.dtype)
        bridge_export(f"{place}/np", f"{place}/o_{name}.fits", memory=64)
        back = fits.getdata(f"{place}/o_{name}.fits")
        check(np.array_equal(back, cells) and back.dtype.kind == np.dtype(name).kind, "back", name)
        same(path, f"{place}/o_{name}.fits", name, without=("BSCALE", "BZERO"))
    np.save(f"{place}/many.npy", random.normal(size=(2, 1) * 5 + (3,)))
    bridge_import(f"{place}/many.npy", f"{place}/many")
    bridge_export(f"{place}/many", f"{place}/many.fits")
    check(np.array_equal(to_numpy(f"{place}/many.fits"), np.load(f"{place}/many.npy")), "11 axes")


def headers():
    """Every kind of card comes back word for word."""
    header = fits.Header()
    header["CRPIX1"], header["CRPIX2"] = (12.5, "a comment"), 3
    header["CRVAL1"] = 1.0e-300
    header["BIG"], header["LARGE"], header["HUGE"] = 2**40, 2**63 + 5, 10**30
    header["YES"], header["NO"] = True, (False, "not so")
    header["NAME"], header["QUOTE"], header["EMPTY"] = "x  ", "it's", ""
    header["NOTHING"] = None
    header["CPLX"] = 1.5 + 2.5j
    header["LONGTEXT"] = ("word " * 60 + "end", "goes on over several cards")
    header["HIERARCH ESO DET CHIP NAME"] = ("a chip", "by convention")
    header["HIERARCH ESO A/B"] = 7
    header["COMMENT"] = "first comment"
    header["HISTORY"] = "first step"
    header["HISTORY"] = "second step " * 12
    header[""] = "a blank keyword"
    header.append(("TWICE", 1), bottom=True)
    header.append(("TWICE", 2), bottom=True)
    header.append(fits.Card.fromstring("EXPO    =            1.500D+03 / Fortran's exponent"))
    header.append(fits.Card.fromstring("TIGHT   =1"))
    header["COMMENT"] = "last comment"
    fits.PrimaryHDU(np.arange(6.0).reshape(2, 3), header).writeto(f"{place}/h.fits")
    bridge_import(f"{place}/h.fits", f"{place}/h")
    bridge_export(f"{place}/h", f"{place}/h2.fits")
    same(f"{place}/h.fits", f"{place}/h2.fits", "all kinds of cards")
    for name, value in (("CRPIX1", "12.5"), ("CRPIX2", "3"), ("BIG", str(2**40)),
                        ("LARGE", str(2**63 + 5)), ("YES", "1"), ("NO", "0"), ("NAME", "x"),
                        ("QUOTE", "it's"), ("LONGTEXT", "word " * 60 + "end"), ("EXPO", "1500"),
                        ("ESO DET CHIP NAME", "a chip"), ("TWICE", "1"), ("CRVAL1", "1e-300")):
        check(attribute(f"{place}/h", name) == value, name, attribute(f"{place}/h", name))
    run(TOOL, "attr", f"{place}/h", "BIG=5", "--type", "i64")
    run(TOOL, "attr", f"{place}/h", "LONGTEXT=short now")
    run(TOOL, "attr", f"{place}/h", "--remove", "QUOTE")
    run(TOOL, "attr", f"{place}/h", "NEWKEY=0.1", "--type", "f64")
    run(TOOL, "attr", f"{place}/h", "a_long_name_of_mine=text")
    bridge_export(f"{place}/h", f"{place}/h3.fits")
    got = fits.getheader(f"{place}/h3.fits")
    check(got["BIG"] == 5 and got["LONGTEXT"] == "short now" and "QUOTE" not in got, "changed")
    check(got.comments["LONGTEXT"].startswith("goes on"), "a changed card keeps its comment")
    check(got["NEWKEY"] == 0.1 and got["a_long_name_of_mine"] == "text", "new cards")
    bridge_import(f"{place}/h3.fits", f"{place}/h4")
    check(attribute(f"{place}/h4", "A_LONG_NAME_OF_MINE") == "text", "a name of ours comes back")


def scaled():
    """Cells stay as stored, with the scale beside them."""
    header = fits.Header({"BSCALE": 0.5, "BZERO": 10.0, "BLANK": -32768, "BUNIT": "K"})
    cells = np.array([[1, 2, 3], [-32768, 5, 6]], ">i2")
    with open(f"{place}/s.fits", "wb") as f:
        head = fits.Header({"SIMPLE": True, "BITPIX": 16, "NAXIS": 2, "NAXIS1": 3, "NAXIS2": 2})
        head.update(header)
        f.write(head.tostring().encode() + cells.tobytes().ljust(2880, b"\0"))
    check(to_numpy(f"{place}/s.fits").tolist() == cells.tolist(), "raw cells")
    check([attribute(f"{place}/np", n) for n in ("scale_factor", "add_offset", "BSCALE", "BLANK")] ==
          ["0.5", "10", "0.5", "-32768"], "scale, zero and blank")
    check("fill        -32768" in run(TOOL, "info", f"{place}/np"), "BLANK is the fill value")
    bridge_export(f"{place}/np", f"{place}/s2.fits")
    same(f"{place}/s.fits", f"{place}/s2.fits", "scaled")
    check(np.array_equal(fits.getdata(f"{place}/s.fits"), fits.getdata(f"{place}/s2.fits"),
                         equal_nan=True), "values")
    fits.PrimaryHDU(np.zeros((2, 3), "i2")).writeto(f"{place}/unscaled.fits")
    refused("ETYPE", "import", f"{place}/unscaled.fits", f"{place}/np", "scale_factor", append="y")
    run(TOOL, "export", "--no-history", f"{place}/np", f"{place}/s.nc")
    bridge_import(f"{place}/s.nc", f"{place}/nc")
    bridge_export(f"{place}/nc", f"{place}/s3.fits")
    check(np.array_equal(fits.getdata(f"{place}/s.fits"), fits.getdata(f"{place}/s3.fits"),
                         equal_nan=True), "the same values by way of NetCDF")


def blanks():
    """BLANK is told as it lies in the file; the fill value is the cell that it stands for."""
    for name, blank, fill in (("i1", 255, 127), ("u2", -32768, 0), ("u2", 5, 32773), ("u4", -1, 2**31 - 1),
                              ("u8", -2**63, 0), ("i2", -7, -7), ("u1", 300, 0), ("i2", 10**6, 0)):
        image = fits.PrimaryHDU(np.zeros((2, 2), name))
        image.header["BLANK"] = blank
        image.writeto(f"{place}/blank.fits", overwrite=True, output_verify="ignore")
        to_numpy(f"{place}/blank.fits")
        said = run(TOOL, "info", f"{place}/np")
        check(f"fill        {fill}\n" in said, name, blank, fill, said)


def boxes():
    """The world coordinates of a box are those of its cells."""
    header = fits.Header({"CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN", "CRPIX1": 50.5, "CRPIX2": 20,
                          "CRVAL1": 10.0, "CRVAL2": -5.0, "CDELT1": -0.1, "CDELT2": 0.1,
                          "CRPIX1A": 3, "CTYPE1A": "X", "LTV1": 5.0})
    fits.PrimaryHDU(np.arange(3000, dtype="f4").reshape(50, 60), header).writeto(f"{place}/w.fits")
    bridge_import(f"{place}/w.fits", f"{place}/w")
    bridge_export(f"{place}/w", f"{place}/w2.fits", box="10:30,5:45")
    cut = fits.getheader(f"{place}/w2.fits")
    check((cut["CRPIX1"], cut["CRPIX2"], cut["CRPIX1A"], cut["LTV1"]) == (45.5, 10, -2, 0.0), "moved",
          cut["CRPIX1"], cut["CRPIX2"], cut["CRPIX1A"], cut["LTV1"])
    want = WCS(header).pixel_to_world_values(17.0, 22.0)
    check(np.allclose(want, WCS(cut).pixel_to_world_values(12.0, 12.0)), "the sky of a box")
    check(np.array_equal(fits.getdata(f"{place}/w2.fits"),
                         np.arange(3000, dtype="f4").reshape(50, 60)[10:30, 5:45]), "cells of a box")


def extensions():
    cells = random.integers(0, 99, (3, 4)).astype("i2")
    image = fits.ImageHDU(cells, fits.Header({"CRPIX1": 2}), name="ONE")
    primary = fits.PrimaryHDU(header=fits.Header({"TELESCOP": "a telescope", "HISTORY": "taken"}))
    table = fits.BinTableHDU.from_columns([fits.Column("a", "J", array=[1, 2])], name="TAB")
    fits.HDUList([primary, table, image]).writeto(f"{place}/e.fits")
    bridge_import(f"{place}/e.fits", f"{place}/e")  # the only image is taken
    bridge_export(f"{place}/e", f"{place}/e2.fits")
    same(f"{place}/e.fits", f"{place}/e2.fits", part=2, part_of_target=1)
    check(fits.getheader(f"{place}/e2.fits")["TELESCOP"] == "a telescope", "the primary header")
    fits.HDUList([fits.PrimaryHDU(cells), image]).writeto(f"{place}/two.fits")
    refused("EARG", "import", f"{place}/two.fits", f"{place}/no", "0 (3 x 4), 1 ONE,1 (3 x 4)")
    for name in ("0", "primary", "ONE", "one,1"):
        check(np.array_equal(to_numpy(f"{place}/two.fits", variable=name), cells), name)
    bridge_export(f"{place}/np", f"{place}/named.fits", variable="OTHER")
    check(fits.getheader(f"{place}/named.fits")["EXTNAME"] == "OTHER", "a name asked for")
    fits.HDUList([primary, table]).writeto(f"{place}/none.fits")
    refused("ENOENT", "import", f"{place}/none.fits", f"{place}/no", "tables are not read")


def compressed():
    folder = {"RICE_1": "i2", "GZIP_1": "i4", "GZIP_2": "f4", "PLIO_1": "i2", "HCOMPRESS_1": "i2"}
    for kind, dtype in folder.items():
        cells = (random.normal(size=(40, 50)) * 30 + 200).astype(dtype)
        header = fits.Header({"CRPIX1": 4.5, "OBJECT": "M 1"})
        options = {"quantize_level": 0} if dtype[0] == "f" else {}
        image = fits.CompImageHDU(cells, header, compression_type=kind, **options)
        fits.HDUList([fits.PrimaryHDU(), image]).writeto(f"{place}/{kind}.fits")
        check(np.array_equal(to_numpy(f"{place}/{kind}.fits", memory=3000), cells), kind)
        check(attribute(f"{place}/np", "CRPIX1") == "4.5", "its header")
        bridge_export(f"{place}/np", f"{place}/plain.fits")
        got = fits.getheader(f"{place}/plain.fits", 1)
        check(got["OBJECT"] == "M 1" and not [k for k in got if k[0] == "Z" or k[:5] == "TFORM"],
              "nothing of the compression is left", list(got))
    lossy = fits.CompImageHDU(random.normal(size=(40, 50)).astype("f4"), quantize_level=16)
    lossy.data[3, 4] = np.nan
    fits.HDUList([fits.PrimaryHDU(), lossy]).writeto(f"{place}/lossy.fits")
    check(np.array_equal(to_numpy(f"{place}/lossy.fits"), fits.getdata(f"{place}/lossy.fits", 1),
                         equal_nan=True), "quantised numbers, undefined ones too")
    data = open(f"{place}/w.fits", "rb").read()
    open(f"{place}/f4.fits.gz", "wb").write(gzip.compress(data))
    check(np.array_equal(to_numpy(f"{place}/f4.fits.gz"), fits.getdata(f"{place}/w.fits")), "gzip")
    refused("EUNSUPPORTED", "import", f"{place}/f4.fits.gz", f"{place}/no", "memory", memory=1000)
    open(f"{place}/cut.fits.gz", "wb").write(gzip.compress(data)[:-20])
    refused("EFORMAT", "import", f"{place}/cut.fits.gz", f"{place}/no")


def appended():
    """Images become a cube; the first one's header is the cube's."""
    for k in range(3):
        header = fits.Header({"CRPIX1": 2.5, "BUNIT": "K", "DATE-OBS": f"2020-01-0{k + 1}"})
        fits.PrimaryHDU(np.full((1, 4, 5), k, "f4"), header).writeto(f"{place}/t{k}.fits")
        bridge_import(f"{place}/t{k}.fits", f"{place}/cube", **({"append": "band"} if k else {}))
    bridge_export(f"{place}/cube", f"{place}/cube.fits")
    check(fits.getdata(f"{place}/cube.fits")[:, 0, 0].tolist() == [0, 1, 2], "a cube")
    fits.PrimaryHDU(np.zeros((1, 4, 5), "f4"), fits.Header({"BUNIT": "Jy"})).writeto(f"{place}/jy.fits")
    refused("ETYPE", "import", f"{place}/jy.fits", f"{place}/cube", "BUNIT", append="band")
    np.save(f"{place}/blank.npy", np.zeros((8, 9), "f4"))
    bridge_import(f"{place}/blank.npy", f"{place}/blank")
    fits.PrimaryHDU(np.ones((2, 3), "f4"), fits.Header({"CRPIX1": 1.0, "CRPIX2": 2.0})).writeto(
        f"{place}/spot.fits")
    bridge_import(f"{place}/spot.fits", f"{place}/blank", at="4,5")
    bridge_export(f"{place}/blank", f"{place}/spot2.fits", box="4:6,5:8")
    got = fits.getheader(f"{place}/spot2.fits")
    check((got["CRPIX1"], got["CRPIX2"]) == (1, 2), "put at a place, and cut out again", got["CRPIX1"])


def refusals():
    fits.PrimaryHDU(random.normal(size=(3, 4))).writeto(f"{place}/whole.fits")
    data = bytearray(open(f"{place}/whole.fits", "rb").read())

    def put(name, content):
        open(f"{place}/{name}", "wb").write(content)
        return f"{place}/{name}"

    def changed(keyword, value):
        at = data.index(keyword.ljust(8).encode())
        return bytes(data[:at + 10]) + f"{value:>20}".encode() + bytes(data[at + 30:])

    refused("EFORMAT", "import", put("short.fits", data[:2880 + 40]), f"{place}/no", "ends after")
    refused("EFORMAT", "import", put("head.fits", data[:700]), f"{place}/no")
    refused("EFORMAT", "import", put("huge.fits", changed("NAXIS1", 2**62)), f"{place}/no")
    refused("EFORMAT", "import", put("bits.fits", changed("BITPIX", 7)), f"{place}/no")
    refused("ENOENT", "import", put("zero.fits", changed("NAXIS1", 0)), f"{place}/no", "no image")
    for n in range(0, 2880, 80):  # each card of the header spoiled by turns
        call(TOOL, "import", put("any.fits", data[:n] + b"\xff=" * 40 + data[n + 80:]), f"{place}/any")
    refused("ENOENT", "import", f"{place}/nowhere.fits", f"{place}/no", "nowhere.fits")
    np.save(f"{place}/c.npy", np.zeros((2, 2), "c8"))
    bridge_import(f"{place}/c.npy", f"{place}/c")
    refused("EUNSUPPORTED", "export", f"{place}/c", f"{place}/o.fits", "c64")
    refused("EUNSUPPORTED", "export", f"{place}/blank", f"{place}/o.fits.fz", "fpack")
    refused("EUNSUPPORTED", "export", f"{place}/blank", f"{place}/o.fits.gz", "gzip")


def names():
    """A file's name is a name: no filters, no addresses, no output files, no home directories."""
    here = os.getcwd()
    os.chdir(place)
    os.makedirs("odd")
    for k, name in enumerate(("a[1:2,1:2].fits", "b(out.fits)", "!c.fits", "~root", "mem:x.fits", "d+1",
                              "-", "stdin", "e.fits[col x=y]")):
        fits.PrimaryHDU(np.full((2, 2), k, "u1")).writeto("odd.fits", overwrite=True)
        os.rename("odd.fits", name)
        before = sorted(os.listdir("."))
        got = to_numpy(name, format="fits")
        check((got == k).all() and got.shape == (2, 2), name)
        bridge_export(f"{place}/np", f"odd/{k}{name.replace('/', '')}", format="fits")
        check(sorted(os.listdir(".")) == sorted(set(before) | {"np.npy", "np.xmd", "np.xta"}), name)
    for name in ("http://127.0.0.1:9/x.fits", "ftp://127.0.0.1:9/x", "mem://", "shmem://h1", "root://x",
                 "gsiftp://x", "m13.fits[1:5,1:5]", "none.fits(out.fits)", "file:///etc/passwd"):
        refused("ENOENT", "import", name, f"{place}/no", format="fits")
    check(not os.path.exists("out.fits"), "no output file")
    os.chdir(here)


with workplace() as place:
    public_files()
    types()
    headers()
    scaled()
    blanks()
    boxes()
    extensions()
    compressed()
    appended()
    refusals()
    names()
done("fits")

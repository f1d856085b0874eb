# Round trips of NIfTI images, judged by nibabel.
# SPDX-License-Identifier: Apache-2.0
import glob
import gzip
import os
import struct
import sys

import numpy as np

try:
    import nibabel
except ImportError:
    print("SKIPPED: nibabel is not there (python3-nibabel)")
    sys.exit(77)

from judge import (bridge_export, bridge_import, check, data_folder, done, refused, run,
                   skip, workplace)

TOOL = os.environ["XTA_TOOL"]
TYPES = "u1,i2,i4,f4,c8,f8,i1,u2,u4,i8,u8,c16".split(",")
random = np.random.default_rng(11)


def raw_header(path):
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read(540)
    second = data[4:7] == b"n+2"
    return nibabel.Nifti2Header(data, check=False) if second else \
        nibabel.Nifti1Header(data[:348], check=False)


def cells(path):
    return np.asanyarray(nibabel.load(path).dataobj.get_unscaled())


def same_header(a, b, *what):
    one, other = raw_header(a), raw_header(b)
    check(type(one) is type(other), "version", *what)
    for key in one.keys():
        if key == "vox_offset":
            continue
        x, y = np.asarray(one[key]), np.asarray(other[key])
        check(x.astype(x.dtype.newbyteorder("=")).tobytes() ==
              y.astype(y.dtype.newbyteorder("=")).tobytes(), key, x, y, *what)


def same_cells(a, b, *what):
    one, other = cells(a), cells(b)
    check(one.shape == other.shape and np.array_equal(one, other, equal_nan=True), "cells", *what)


def made(dtype, shape):
    raw = random.integers(0, 256, int(np.prod(shape)) * np.dtype(dtype).itemsize).astype("u1")
    if np.dtype(dtype).kind in "fc":
        return random.normal(size=shape).astype(dtype)
    return raw.view(dtype).reshape(shape)


def public_files(place):
    folder = data_folder("nifti")
    paths = sorted(glob.glob(f"{folder}/*.nii*") + glob.glob(f"{folder}/*/*.nii*")) if folder else []
    for k, path in enumerate(paths):
        bridge_import(path, f"{place}/p{k}", memory=100000)
        for suffix in (".nii", ".nii.gz"):
            out = f"{place}/p{k}{suffix}"
            bridge_export(f"{place}/p{k}", out, memory=70000)
            same_header(path, out, path)
            same_cells(path, out, path)
            check(not [n for n in os.listdir(place) if n.startswith(".xta")], "left behind")


def session(place):
    """The twelve runs appended along time are the whole session."""
    folder = data_folder("nifti")
    runs = sorted(glob.glob(f"{folder}/haxby2001/task001_run*.nii.gz")) if folder else []
    if len(runs) != 12:
        skip("the twelve runs are not there")
        return
    array = f"{place}/session"
    run(TOOL, "import", "--no-history", runs[0], array)
    for path in runs[1:]:
        run(TOOL, "import", "--no-history", path, array, "--append", "t")
    run(TOOL, "export", "--no-history", array, f"{place}/session.nii")
    same_cells(f"{folder}/haxby2001/bold.nii.gz", f"{place}/session.nii", "twelve runs")
    check(cells(f"{place}/session.nii").shape == (40, 20, 1, 1452), "shape of the session")


def types(place, version=1):
    kind = nibabel.Nifti1Header if version == 1 else nibabel.Nifti2Header
    image_kind = nibabel.Nifti1Image if version == 1 else nibabel.Nifti2Image
    for k, name in enumerate(TYPES):
        for endian in "<>":
            shape = ((5,), (4, 3), (4, 3, 2), (3, 1, 2, 5), (2, 2, 2, 1, 3), (2,) * 7)[k % 6]
            header = kind(endianness=endian)
            header.set_data_dtype(np.dtype(name))
            header["descrip"] = b"made for a test"
            image = image_kind(made(name, shape), np.diag([2, 3, 4, 1.0]), header)
            image.header.set_xyzt_units("mm", "msec")
            path = f"{place}/{name}{endian == '<'}{version}.nii" + (".gz" if k % 2 else "")
            nibabel.save(image, path)
            check(raw_header(path).endianness == endian, "byte order of the header", path)
            array = f"{place}/{name}{'l' if endian == '<' else 'b'}{version}"
            bridge_import(path, array, memory=64)
            bridge_export(array, f"{place}/out.nii", memory=64)
            same_header(path, f"{place}/out.nii", name, endian)
            same_cells(path, f"{place}/out.nii", name, endian, shape)
            if endian == ">":
                continue
            other = f"nifti{3 - version}"
            bridge_export(array, f"{place}/other.nii", format=other)
            a, b = raw_header(path), raw_header(f"{place}/other.nii")
            check(type(a) is not type(b) and np.allclose(a.get_best_affine(), b.get_best_affine()) and
                  a.get_xyzt_units() == b.get_xyzt_units() and a["descrip"] == b["descrip"], other)
            same_cells(path, f"{place}/other.nii", "as", other)


def truth(place):
    np.save(f"{place}/b.npy", np.array([[True, False]]))
    bridge_import(f"{place}/b.npy", f"{place}/bool")
    bridge_export(f"{place}/bool", f"{place}/bool.nii")
    check(cells(f"{place}/bool.nii").tolist() == [[1, 0]], "bool as bytes of 0 and 1")


def extensions(place):
    image = nibabel.Nifti1Image(made("i2", (4, 3, 2)), np.eye(4))
    image.header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"kept as it is"))
    nibabel.save(image, f"{place}/ext.nii")
    bridge_import(f"{place}/ext.nii", f"{place}/ext")
    bridge_export(f"{place}/ext", f"{place}/ext2.nii")
    check(open(f"{place}/ext.nii", "rb").read() == open(f"{place}/ext2.nii", "rb").read(),
          "an image with an extension, byte for byte")


def second(place):
    """NIfTI-2: axes that NIfTI-1 has no numbers for, and numbers it would round."""
    np.save(f"{place}/long.npy", made("i2", (40000, 2)))
    bridge_import(f"{place}/long.npy", f"{place}/long")
    refused("EUNSUPPORTED", "export", f"{place}/long", f"{place}/o.nii", "32767", format="nifti1")
    for name in ("long.nii", "long.nii.gz"):
        bridge_export(f"{place}/long", f"{place}/{name}")
        check(isinstance(nibabel.load(f"{place}/{name}"), nibabel.Nifti2Image), name)
        check(np.array_equal(cells(f"{place}/{name}"), np.load(f"{place}/long.npy")), "40000 cells")
        bridge_import(f"{place}/{name}", f"{place}/back-{name}")
    run(TOOL, "rechunk", f"{place}/long.nii", f"{place}/r", "--chunk", "1000,2")
    run(TOOL, "rechunk", f"{place}/r", f"{place}/r.nii")
    check(np.array_equal(cells(f"{place}/r.nii"), np.load(f"{place}/long.npy")), "rechunked")
    affine = np.array([[0, -2, 0, 1 / 3], [3, 0, 0, 1e-9], [0, 0, 4, 7], [0, 0, 0, 1.0]])
    image = nibabel.Nifti2Image(made("f4", (6, 5, 4)), affine)
    image.header.set_qform(affine, 1)
    image.header.set_sform(affine, 1)
    image.header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"kept as it is"))
    nibabel.save(image, f"{place}/n2.nii")
    bridge_import(f"{place}/n2.nii", f"{place}/n2")
    bridge_export(f"{place}/n2", f"{place}/n2b.nii")
    check(open(f"{place}/n2.nii", "rb").read() == open(f"{place}/n2b.nii", "rb").read(),
          "NIfTI-2 with an extension, byte for byte")
    bridge_export(f"{place}/n2", f"{place}/n2c.nii", box="1:4,2:5,3:4")
    want, got = image.slicer[1:4, 2:5, 3:4], nibabel.load(f"{place}/n2c.nii")
    check(np.array_equal(want.affine, got.affine), "transform of a box, to the last digit")
    data = open(f"{place}/n2.nii", "rb").read()

    def changed(at, format_, *values):
        content = bytearray(data)
        struct.pack_into(format_, content, at, *values)
        open(f"{place}/bad.nii", "wb").write(content)
        return f"{place}/bad.nii"

    refused("EFORMAT", "import", changed(4, "4s", b"ni2\0"), f"{place}/no", ".img", format="nifti")
    refused("EFORMAT", "import", changed(4, "4s", b"abc\0"), f"{place}/no", "magic", format="nifti")
    refused("EFORMAT", "import", changed(168, "<q", 400), f"{place}/no", "inside the header")
    refused("EFORMAT", "import", changed(168, "<q", 2**62), f"{place}/no", "too far")
    refused("EFORMAT", "import", changed(16, "<q", 8), f"{place}/no")
    refused("EFORMAT", "import", changed(24, "<q", -3), f"{place}/no", "axis 0")
    refused("EFORMAT", "import", changed(24, "<q", 2**62), f"{place}/no", "bytes")
    open(f"{place}/bad.nii", "wb").write(data[:500])
    refused("EFORMAT", "import", f"{place}/bad.nii", f"{place}/no", "shorter", format="nifti")


def boxes(place):
    """A box has the transform of its own first cell."""
    affine = np.array([[0, -2, 0, 10], [3, 0, 0, -5], [0, 0, 4, 7], [0, 0, 0, 1.0]])
    image = nibabel.Nifti1Image(made("f4", (6, 5, 4)), affine)
    image.header.set_qform(affine, 1)
    image.header.set_sform(affine, 1)
    nibabel.save(image, f"{place}/a.nii")
    bridge_import(f"{place}/a.nii", f"{place}/a")
    bridge_export(f"{place}/a", f"{place}/box.nii", box="1:4,2:5,3:4")
    want, got = image.slicer[1:4, 2:5, 3:4], nibabel.load(f"{place}/box.nii")
    check(np.allclose(want.affine, got.affine), "transform of a box", want.affine, got.affine)
    check(np.allclose(got.header.get_qform(), want.affine, atol=1e-4), "quaternion of a box")
    check(np.array_equal(np.asarray(want.dataobj), np.asarray(got.dataobj)), "cells of a box")


def refusals(place):
    image = nibabel.Nifti1Image(made("i2", (6, 5, 4)), np.eye(4))
    nibabel.save(image, f"{place}/good.nii")
    data = open(f"{place}/good.nii", "rb").read()
    packed = gzip.compress(data)

    def put(name, content):
        open(f"{place}/{name}", "wb").write(content)
        return f"{place}/{name}"

    def changed(at, format_, *values):
        content = bytearray(data)
        struct.pack_into(format_, content, at, *values)
        return bytes(content)

    refused("EFORMAT", "import", put("cut.nii", data[:-1]), f"{place}/no", "bytes")
    refused("EFORMAT", "import", put("short.nii", data[:200]), f"{place}/no", "shorter",
            format="nifti")
    refused("EFORMAT", "import", put("cut.nii.gz", packed[:-30]), f"{place}/no", "too early")
    refused("EFORMAT", "import", put("fewer.nii.gz", gzip.compress(data[:-10])), f"{place}/no",
            "too early")
    refused("EFORMAT", "import", put("magic.nii", changed(344, "4s", b"xyz")), f"{place}/no",
            "magic", format="nifti")
    refused("EFORMAT", "import", put("pair.nii", changed(344, "4s", b"ni1")), f"{place}/no", ".img",
            format="nifti")
    refused("EFORMAT", "import", put("offset.nii", changed(108, "<f", 100.0)), f"{place}/no",
            "inside the header")
    refused("EFORMAT", "import", put("far.nii", changed(108, "<f", 1e9)), f"{place}/no")
    refused("EFORMAT", "import", put("zero.nii", changed(42, "<h", 0)), f"{place}/no", "axis 0")
    refused("EFORMAT", "import", put("axes.nii", changed(40, "<h", 77)), f"{place}/no")
    refused("EUNSUPPORTED", "import", put("f16.nii", changed(70, "<h", 1536)), f"{place}/no", "1536")
    refused("ENOENT", "import", f"{place}/none.nii", f"{place}/no", "none.nii")
    np.save(f"{place}/half.npy", np.zeros((2, 2), "f2"))
    bridge_import(f"{place}/half.npy", f"{place}/half")
    refused("EUNSUPPORTED", "export", f"{place}/half", f"{place}/o.nii", "f16")
    np.save(f"{place}/deep.npy", np.zeros((1,) * 8, "u1"))
    bridge_import(f"{place}/deep.npy", f"{place}/deep")
    refused("EUNSUPPORTED", "export", f"{place}/deep", f"{place}/o.nii", "axes")
    bridge_import(f"{place}/good.nii", f"{place}/good")
    other = nibabel.Nifti1Image(made("i2", (6, 5, 4)), np.eye(4))
    other.header.set_slope_inter(2, 1)
    nibabel.save(other, f"{place}/scaled.nii")
    scaled = bytearray(data)
    struct.pack_into("<ff", scaled, 112, 2.0, 1.0)
    refused("ETYPE", "import", put("scaled.nii", bytes(scaled)), f"{place}/good", "scl_slope",
            append="z")


with workplace() as place:
    public_files(place)
    session(place)
    types(place)
    types(place, 2)
    second(place)
    truth(place)
    extensions(place)
    boxes(place)
    refusals(place)
done("nifti")

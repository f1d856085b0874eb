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
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read(348)
    return nibabel.Nifti1Header(data, check=False)


def cells(path):
    return np.asanyarray(nibabel.load(path).dataobj.get_unscaled())


def same_header(a, b, *what):
    one, other = raw_header(a), raw_header(b)
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
    run(TOOL, "import", runs[0], array)
    for path in runs[1:]:
        run(TOOL, "import", path, array, "--append", "t")
    run(TOOL, "export", array, f"{place}/session.nii")
    same_cells(f"{folder}/haxby2001/bold.nii.gz", f"{place}/session.nii", "twelve runs")
    check(cells(f"{place}/session.nii").shape == (40, 20, 1, 1452), "shape of the session")


def types(place):
    for k, name in enumerate(TYPES):
        for endian in "<>":
            shape = ((5,), (4, 3), (4, 3, 2), (3, 1, 2, 5), (2, 2, 2, 1, 3), (2,) * 7)[k % 6]
            header = nibabel.Nifti1Header(endianness=endian)
            header.set_data_dtype(np.dtype(name))
            header["descrip"] = b"made for a test"
            image = nibabel.Nifti1Image(made(name, shape), np.diag([2, 3, 4, 1.0]), header)
            image.header.set_xyzt_units("mm", "msec")
            path = f"{place}/{name}{endian == '<'}.nii" + (".gz" if k % 2 else "")
            nibabel.save(image, path)
            array = f"{place}/{name}{'l' if endian == '<' else 'b'}"
            bridge_import(path, array, memory=64)
            bridge_export(array, f"{place}/out.nii", memory=64)
            same_header(path, f"{place}/out.nii", name, endian)
            same_cells(path, f"{place}/out.nii", name, endian, shape)
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
    np.save(f"{place}/long.npy", np.zeros((1, 40000), "u1"))
    bridge_import(f"{place}/long.npy", f"{place}/long")
    refused("EUNSUPPORTED", "export", f"{place}/long", f"{place}/o.nii", "32767")
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
    extensions(place)
    boxes(place)
    refusals(place)
done("nifti")

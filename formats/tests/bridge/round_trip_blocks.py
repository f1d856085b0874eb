# Block grids of every format, as source and as target, judged by NumPy, h5py, ncdump and nibabel.
# SPDX-License-Identifier: Apache-2.0
import glob
import gzip
import itertools
import os
import shutil

import numpy as np

from judge import (STATUS, bridge_export, bridge_import, call, check, data_folder, done, run,
                   skip, workplace)

try:
    import h5py
except ImportError:
    h5py = None
    skip("what is judged by h5py (python3-h5py)")
try:
    import nibabel
except ImportError:
    nibabel = None
    skip("what is judged by nibabel (python3-nibabel)")

BLOCKS = os.environ["XTA_BLOCKS_IO"]
# What a build without a format says when it is asked for nonsense.
FORMATS = call(BLOCKS, "look", "x", "from.format=?")[2].split(" it has ")[1].strip().split(", ")
random = np.random.default_rng(23)


def has(name):
    return name in FORMATS


def blocks(how, *words, **options):
    named = [f"{k.replace('_', '.', 1) if k.startswith(('from_', 'to_')) else k}={v}"
             for k, v in options.items()]
    return run(BLOCKS, how, *words, *named).strip()


def fails(status, text, how, *words, **options):
    named = [f"{k.replace('_', '.', 1) if k.startswith(('from_', 'to_')) else k}={v}"
             for k, v in options.items()]
    code, _, err = call(BLOCKS, how, *words, *named)
    check(code == STATUS[status], how, words, options, "answered", code, err)
    check(text in err and err.count("\n") == 1, "text of", words, ":", err)


def made(dtype, shape):
    raw = random.integers(0, 256, int(np.prod(shape)) * np.dtype(dtype).itemsize).astype("u1")
    return raw.view(dtype).reshape(shape)


def as_text(numbers):
    return ",".join(str(n) for n in numbers)


def pieces(shape, block):
    """Begin and slices of each block, with its numbers."""
    cuts = [list(range(0, n, b)) for n, b in zip(shape, block)]
    for numbers in itertools.product(*[range(len(c)) for c in cuts]):
        begin = [c[k] for c, k in zip(cuts, numbers)]
        yield numbers, begin, tuple(slice(a, a + b) for a, b in zip(begin, block))


def put_folder(folder, cells, block, suffix, order="C"):
    os.mkdir(folder)
    for numbers, _, part in pieces(cells.shape, block):
        name = folder + "/" + "_".join(str(n) for n in numbers) + suffix
        if suffix == ".npy":
            np.save(name, np.asarray(cells[part], order=order))
        else:
            open(name, "wb").write(cells[part].tobytes(order))


def get_folder(folder, shape, block, dtype):
    out = np.empty(shape, dtype)
    seen = 0
    for numbers, _, part in pieces(shape, block):
        name = folder + "/" + "_".join(str(n) for n in numbers)
        if os.path.exists(name + ".npy"):
            out[part] = np.load(name + ".npy")
        else:
            out[part] = np.fromfile(name + ".raw", dtype).reshape(out[part].shape)
        seen += 1
    check(len(os.listdir(folder)) == seen, "files in", folder, os.listdir(folder))
    return out


PATTERN = "{0}_{1}_{2}"
SHAPE = (7, 9, 10)
FROM = (3, 4, 5)
TO = (4, 3, 10)


class Case:
    """One cube of cells in a place of its own."""

    def __init__(self, place, dtype, shape=SHAPE):
        self.place = place
        self.dtype = np.dtype(dtype)
        self.cells = made(dtype, shape)
        self.type = {"u1": "u8", "i2": "i16", "f4": "f32", "f8": "f64"}[dtype]
        self.n = 0

    def path(self, name):
        self.n += 1
        return f"{self.place}/{self.n}_{name}"

    def source(self, kind):
        """Path and options of a file of this kind that holds the cells."""
        path = self.path("s")
        what = {"from_type": self.type, "from_bounds": as_text(self.cells.shape)}
        if kind == "npy-blocks":
            put_folder(path, self.cells, FROM, ".npy", "CF"[self.n % 2])
            return f"{path}/{PATTERN}.npy", {}
        if kind == "raw-blocks":
            put_folder(path, self.cells, FROM, ".raw")
            return f"{path}/{PATTERN}.raw", dict(what, from_block=as_text(FROM))
        if kind in ("npy", "npy-column"):
            big = self.dtype.newbyteorder("<>"[self.n % 2])
            np.save(path + ".npy", np.asarray(self.cells.astype(big),
                                              order="F" if kind == "npy-column" else "C"))
            return path + ".npy", {}
        if kind in ("raw", "raw-column"):
            column = kind == "raw-column"
            open(path + ".raw", "wb").write(self.cells.tobytes("F" if column else "C"))
            return path + ".raw", dict(what, from_order="column" if column else "row")
        array = self.path("a")
        np.save(array + ".npy", self.cells)
        bridge_import(array + ".npy", array, chunk=as_text(FROM))
        if kind == "xta":
            return array, {}
        if kind == "netcdf":
            bridge_export(array, path + ".nc", format="netcdf-4")
            return path + ".nc", {}
        if kind == "netcdf-classic":
            bridge_export(array, path + ".nc", format="netcdf-classic")
            return path + ".nc", {}
        if kind.startswith("nifti"):
            path += ".nii.gz" if kind == "nifti-gz" else ".nii"
            bridge_export(array, path)
            return path, {}
        path += ".h5"
        with h5py.File(path, "w") as f:
            chunks = None if kind == "hdf5-contiguous" else FROM
            squeeze = "gzip" if kind == "hdf5-gzip" else None
            dtype = self.dtype.newbyteorder(">" if kind == "hdf5-contiguous" else "<")
            f.create_dataset("g/cells", data=self.cells.astype(dtype), chunks=chunks,
                             compression=squeeze)
            f["g/cells"].attrs["units"] = "K"
        return path, {}

    def target(self, kind):
        """Path, options, and what reads the cells back."""
        path = self.path("t")
        block = {"to_block": as_text(TO)}
        if kind == "npy-blocks":
            return f"{path}/{PATTERN}.npy", block, lambda: get_folder(path, self.cells.shape, TO,
                                                                      self.dtype)
        if kind == "raw-blocks":
            return f"{path}/{PATTERN}.raw", block, lambda: get_folder(path, self.cells.shape, TO,
                                                                      self.dtype)
        if kind in ("npy", "npy-column"):
            order = "column" if kind == "npy-column" else "row"
            return path + ".npy", {"to_order": order}, lambda: np.load(path + ".npy")
        if kind in ("raw", "raw-column"):
            column = kind == "raw-column"
            return (path + ".raw", {"to_order": "column" if column else "row"},
                    lambda: np.fromfile(path + ".raw", self.dtype).reshape(
                        self.cells.shape, order="F" if column else "C"))
        if kind == "xta":
            return path, block, lambda: self.export(path)
        if kind == "netcdf":
            return path + ".nc", block, lambda: self.through_array(path + ".nc")
        if kind == "hdf5":
            return path + ".h5", block, lambda: self.hdf5_cells(path + ".h5")
        path += ".nii.gz" if kind == "nifti-gz" else ".nii"
        return path, {}, lambda: np.asanyarray(nibabel.load(path).dataobj.get_unscaled())

    def export(self, array):
        out = self.path("e.npy")
        bridge_export(array, out)
        return np.load(out)

    def through_array(self, path):
        array = self.path("b")
        bridge_import(path, array)
        return self.export(array)

    def hdf5_cells(self, path):
        with h5py.File(path, "r") as f:
            names = []
            f.visititems(lambda n, o: names.append(n) if isinstance(o, h5py.Dataset) else None)
            check(len(names) == 1, "one dataset in", path, names)
            check(f[names[0]].chunks == tuple(min(a, b) for a, b in zip(TO, self.cells.shape)),
                  "chunks", f[names[0]].chunks)
            return f[names[0]][...]


def kinds():
    sources = ["npy-blocks", "raw-blocks", "npy", "npy-column", "raw", "raw-column"]
    targets = list(sources)
    if has("xta"):
        sources.append("xta")
        targets.append("xta")
    if has("netcdf"):
        sources += ["netcdf", "netcdf-classic"]
        targets.append("netcdf")
    if has("nifti") and nibabel:
        sources += ["nifti", "nifti-gz"]
        targets += ["nifti", "nifti-gz"]
    if has("hdf5") and h5py:
        sources += ["hdf5-contiguous", "hdf5-chunked", "hdf5-gzip"]
        targets.append("hdf5")
    return sources, targets


def every_pair(place):
    """Naively and by a run, whole blocks and slices: the cells arrive, and no trace of `.part` stays."""
    sources, targets = kinds()
    types = ("i2", "f4", "u1", "f8")
    for n, a in enumerate(sources):
        folder = f"{place}/{a}"
        os.mkdir(folder)
        # The classic kinds have no unsigned bytes.
        case = Case(folder, "i2" if a == "netcdf-classic" else types[n % 4])
        source, from_ = case.source(a)
        for k, b in enumerate(targets):
            for how in ("move", "run"):
                target, to, get = case.target(b)
                extra = {"slices": 1} if k % 2 else {}
                if how == "run":
                    extra = {"verify": 1, "memory": (20000, 4000000)[k % 2]}
                    extra.update({"match": 1} if k % 3 else {})
                blocks(how, source, target, **from_, **to, **extra)
                got = get()
                check(got.dtype.newbyteorder("=") == case.dtype.newbyteorder("=") and
                      np.array_equal(got, case.cells, equal_nan=case.dtype.kind == "f"), how, a,
                      "to", b)
            fails("EEXIST", "" if b == "xta" else "is there already", "move", source, target,
                  **from_, **to)
        left = [n for _, _, names in os.walk(folder) for n in names if ".part" in n]
        check(not left, "left behind", left)
        shutil.rmtree(folder)


def irregular(place):
    cells = made("i2", (7, 9))
    np.save(f"{place}/i.npy", cells)
    blocks("move", f"{place}/i.npy", f"{place}/irr/x{{c0:03}}y{{c1:03}}.npy", to_edges0="0,1,5,7",
           to_edges1="0,4,9")
    names = sorted(os.listdir(f"{place}/irr"))
    check(names == ["x000y000.npy", "x000y004.npy", "x001y000.npy", "x001y004.npy", "x005y000.npy",
                    "x005y004.npy"], names)
    check(np.array_equal(np.load(f"{place}/irr/x001y004.npy"), cells[1:5, 4:9]), "irregular block")
    check(blocks("look", f"{place}/irr/x{{c0:03}}y{{c1:03}}.npy").endswith(" i16 files 6 0,0"), "look")
    for how in ("move", "run"):
        blocks(how, f"{place}/irr/x{{c0:03}}y{{c1:03}}.npy", f"{place}/{how}.raw")
        check(np.array_equal(np.fromfile(f"{place}/{how}.raw", "i2").reshape(7, 9), cells), how)
    os.rename(f"{place}/irr/x001y004.npy", f"{place}/irr/x002y004.npy")
    fails("EBOX", "begins at 2", "look", f"{place}/irr/x{{c0:03}}y{{c1:03}}.npy")


def begins_elsewhere(place):
    """Coordinates below and above 0 are those of the array; files begin at their first cell."""
    os.mkdir(f"{place}/neg")
    cells = made("i2", (6, 4))
    for x, y in itertools.product((-4, -1), (10, 12)):
        np.save(f"{place}/neg/{x}_{y}.npy", cells[x + 4:x + 7, y - 10:y - 8])
    grid = f"{place}/neg/{{c0}}_{{c1}}.npy"
    check(blocks("look", grid) == "-4:2,10:14 i16 files 4 3,2", blocks("look", grid))
    blocks("move", grid, f"{place}/neg.npy")
    check(np.array_equal(np.load(f"{place}/neg.npy"), cells), "coordinates other than 0")
    fails("EUNSUPPORTED", "axis 1", "move", grid, f"{place}/neg_array", to_block="2,2")
    # An array that grew at the front, to all that begins at 0, and to an array that does not.
    np.save(f"{place}/back.npy", cells[3:])
    np.save(f"{place}/front.npy", cells[:3])
    bridge_import(f"{place}/back.npy", f"{place}/grown", chunk="2,3")
    bridge_import(f"{place}/front.npy", f"{place}/grown", append="-0")
    targets = [f"{place}/g.npy", f"{place}/g.raw", f"{place}/g/{{c0}}_{{1}}.npy", f"{place}/other"]
    targets += [f"{place}/g.h5"] if has("hdf5") else []
    targets += [f"{place}/g.nc"] if has("netcdf") else []
    targets += [f"{place}/g.nii"] if has("nifti") else []
    for how, target in itertools.product(("move", "run"), targets):
        target = target.replace("/g", f"/{how}").replace("/other", f"/other{how}")
        told = blocks(how, f"{place}/grown", target, to_block="4,2", match=1)
        check(told.startswith("-3:3,0:4 i16"), how, target, told)
        from_ = {"from_type": "i16", "from_bounds": "6,4"} if target.endswith(".raw") else {}
        blocks("move", target, f"{place}/again.npy", **from_)
        check(np.array_equal(np.load(f"{place}/again.npy"), cells), how, "from -3 on to", target)
        os.remove(f"{place}/again.npy")
    check(sorted(os.listdir(f"{place}/move")) == ["-3_0.npy", "-3_1.npy", "1_0.npy", "1_1.npy"],
          "coordinates of an array", os.listdir(f"{place}/move"))


def failures(place):
    cells = made("i2", SHAPE)
    put_folder(f"{place}/f", cells, FROM, ".npy")
    put_folder(f"{place}/r", cells, FROM, ".raw")
    npy, raw = f"{place}/f/{PATTERN}.npy", f"{place}/r/{PATTERN}.raw"
    how = {"from_type": "i16", "from_bounds": "7,9,10", "from_block": "3,4,5"}
    # A missing block, in the middle and at the end of an axis.
    for name in ("1_1_0", "2_2_1", "0_2_0"):
        os.rename(f"{place}/f/{name}.npy", f"{place}/kept")
        fails("ENOENT", f"{name}.npy: is missing", "look", npy)
        os.rename(f"{place}/kept", f"{place}/f/{name}.npy")
        os.rename(f"{place}/r/{name}.raw", f"{place}/kept")
        fails("ENOENT", f"{name}.raw: is missing", "look", raw, **how)
        os.rename(f"{place}/kept", f"{place}/r/{name}.raw")
    # A block of another size, type, or cut short.
    data = open(f"{place}/r/1_0_1.raw", "rb").read()
    for changed in (data[:-1], data + b"x"):
        open(f"{place}/r/1_0_1.raw", "wb").write(changed)
        fails("EBOX", "1_0_1.raw: has %d bytes; its block needs 120" % len(changed), "look", raw, **how)
    open(f"{place}/r/1_0_1.raw", "wb").write(data)
    data = open(f"{place}/f/1_0_1.npy", "rb").read()
    open(f"{place}/f/1_0_1.npy", "wb").write(data[:100])
    fails("EBOX", "1_0_1.npy: has 100 bytes", "look", npy)
    open(f"{place}/f/1_0_1.npy", "wb").write(data[:-1])
    fails("EFORMAT", "1_0_1.npy", "move", npy, f"{place}/o1.raw")
    open(f"{place}/f/1_0_1.npy", "wb").write(b"x" * len(data))
    fails("EFORMAT", "magic", "move", npy, f"{place}/o1.raw")
    np.save(f"{place}/f/1_0_1.npy", np.zeros((3, 5, 4), "i2"))
    fails("EBOX", "3,5,4", "move", npy, f"{place}/o1.raw")
    np.save(f"{place}/f/1_0_1.npy", np.zeros((3, 4, 5), "f4"))
    fails("ETYPE", "f32", "move", npy, f"{place}/o1.raw")
    np.save(f"{place}/f/1_0_1.npy", cells[3:6, 0:4, 5:10])
    check(not os.path.exists(f"{place}/o1.raw") and not os.path.exists(f"{place}/o1.raw.part"),
          "a target that failed leaves nothing")
    # Options and names that make no sense.
    fails("EARG", "type", "look", raw)
    fails("EARG", "block", "look", raw, from_type="i16", from_bounds="7,9,10")
    fails("ENOENT", "no file has a name", "look", f"{place}/f/b{PATTERN}.npy")
    fails("ENOENT", "nowhere", "look", f"{place}/nowhere/{PATTERN}.npy")
    fails("ENOENT", "no such", "look", f"{place}/nothing")
    fails("EARG", "each axis once", "look", f"{place}/f/{{0}}_{{2}}_{{2}}.npy")
    fails("EARG", "folder", "look", f"{place}/{{0}}/{{1}}_{{2}}.npy")
    fails("EARG", "digits", "look", f"{place}/f/{{0}}{{1}}_{{2}}.npy")
    fails("EARG", "placeholders", "look", f"{place}/f/0_0_0.npy", from_format="npy-blocks")
    fails("EARG", "placeholders", "look", npy, from_format="npy")
    fails("EUNSUPPORTED", "nonesuch", "look", npy, from_format="nonesuch")
    fails("EARG", "axes", "move", npy, f"{place}/o/{{0}}_{{1}}.npy", to_block="2,2,2")
    fails("EARG", "axis 1", "move", npy, f"{place}/o/{PATTERN}.npy", to_block="2,0,2")
    blocks("move", npy, f"{place}/o/{PATTERN}.npy", to_block="2,2,2", resume=1)
    check(len(os.listdir(f"{place}/o")) == 100, "nothing had been written yet")
    # Dense files.
    np.save(f"{place}/d.npy", cells)
    data = open(f"{place}/d.npy", "rb").read()
    open(f"{place}/d.npy", "wb").write(data[:-1])
    fails("EFORMAT", "ends before", "look", f"{place}/d.npy")
    open(f"{place}/d.npy", "wb").write(b"\x93NUMPZ" + data[6:])
    fails("EFORMAT", "magic", "look", f"{place}/d.npy")
    open(f"{place}/d.npy", "wb").write(data)
    open(f"{place}/d.raw", "wb").write(cells.tobytes()[:-2])
    fails("EBOX", "1258", "look", f"{place}/d.raw", from_type="i16", from_bounds="7,9,10")
    fails("EARG", "type", "look", f"{place}/d.raw")
    # Unfinished targets: taken away, or kept and gone on with.
    blocks("move", f"{place}/d.npy", f"{place}/g/{PATTERN}.npy", to_block="2,2,2", stop=5)
    check(not os.path.exists(f"{place}/g"), "given up and not to be resumed")
    blocks("move", f"{place}/d.npy", f"{place}/g/{PATTERN}.npy", to_block="2,2,2", stop=5,
           resumable=1)
    check(len(os.listdir(f"{place}/g")) == 5, "kept", os.listdir(f"{place}/g"))
    fails("EEXIST", "is there already", "move", f"{place}/d.npy", f"{place}/g/{PATTERN}.npy",
          to_block="2,2,2")
    blocks("move", f"{place}/d.npy", f"{place}/g/{PATTERN}.npy", to_block="2,2,2", resume=1)
    check(np.array_equal(get_folder(f"{place}/g", SHAPE, (2, 2, 2), "i2"), cells), "resumed folder")
    for name in ("k.npy", "k.raw", "k.nii", "k.h5"):
        there = {"nii": has("nifti") and nibabel, "h5": has("hdf5") and h5py}
        if not there.get(name.split(".")[-1], True):
            continue
        out = f"{place}/{name}"
        blocks("move", f"{place}/d.npy", out, stop=2, to_memory=2000, to_block="2,9,2")
        check(not glob.glob(out + "*"), "given up", out, glob.glob(out + "*"))
        fails("ENOENT", "no unfinished", "move", f"{place}/d.npy", out, resume=1)
        blocks("move", f"{place}/d.npy", out, stop=2, resumable=1, to_memory=2000, to_block="2,9,2")
        check([os.path.basename(n) for n in glob.glob(out + "*")] == [name + ".part"], "kept", out)
        fails("EEXIST", "unfinished", "move", f"{place}/d.npy", out, to_memory=2000, to_block="2,9,2")
        os.remove(out + ".part")
        code, _, _ = call(BLOCKS, "move", f"{place}/d.npy", out, "kill=3", "to.memory=2000",
                          "to.block=2,9,2")
        check(code == -9 and os.path.exists(out + ".part"), "killed", code)
        blocks("move", f"{place}/d.npy", out, resume=1, to_memory=2000, to_block="2,9,2")
        check([os.path.basename(n) for n in glob.glob(out + "*")] == [name], "resumed", out)
        blocks("move", out, out + ".again.npy", from_type="i16", from_bounds="7,9,10")
        check(np.array_equal(np.load(out + ".again.npy"), cells), "cells of", out)
    open(f"{place}/w.npy.part", "wb").write(b"of another target")
    fails("ESTATE", "w.npy.part", "move", f"{place}/d.npy", f"{place}/w.npy", resume=1)
    check(open(f"{place}/w.npy.part", "rb").read() == b"of another target", "not ours, not deleted")


def foreign_failures(place):
    cells = made("f4", SHAPE)
    np.save(f"{place}/d.npy", cells)
    if has("netcdf"):
        blocks("move", f"{place}/d.npy", f"{place}/a.nc", to_block="3,3,3")
        fails("EEXIST", "a.nc", "move", f"{place}/d.npy", f"{place}/a.nc", to_block="3,3,3")
        fails("EUNSUPPORTED", "gone on", "move", f"{place}/d.npy", f"{place}/b.nc", resume=1)
        fails("ENOENT", "nothing", "look", f"{place}/a.nc", from_variable="nothing")
        open(f"{place}/bad.nc", "wb").write(b"no file")
        fails("EFORMAT", "bad.nc", "look", f"{place}/bad.nc")
        np.save(f"{place}/half.npy", np.zeros((2, 2), "f2"))
        fails("EUNSUPPORTED", "f16", "move", f"{place}/half.npy", f"{place}/h.nc")
        check(not glob.glob(f"{place}/h.nc*") and not glob.glob(f"{place}/b.nc*"), "nothing left")
    if has("hdf5") and h5py:
        blocks("move", f"{place}/d.npy", f"{place}/a.h5", to_block="3,3,3")
        fails("EEXIST", "a.h5", "move", f"{place}/d.npy", f"{place}/a.h5", to_block="3,3,3")
        fails("ENOENT", "nothing", "look", f"{place}/a.h5", from_variable="nothing")
        data = open(f"{place}/a.h5", "rb").read()
        open(f"{place}/cut.h5", "wb").write(data[:-10])
        fails("EFORMAT", "cut.h5", "look", f"{place}/cut.h5")
        open(f"{place}/magic.h5", "wb").write(b"x" + data[1:])
        fails("EFORMAT", "magic.h5", "look", f"{place}/magic.h5")
        with h5py.File(f"{place}/z.h5", "w") as f:
            f.create_dataset("cells", data=cells, chunks=FROM, compression="gzip", shuffle=True)
            f.create_dataset("text", data=["not", "fixed"])
        check(blocks("look", f"{place}/z.h5").endswith("whole 18 3,4,5"), "compressed is whole")
        fails("EUNSUPPORTED", "fixed length", "look", f"{place}/z.h5", from_variable="text")
        fails("EUNSUPPORTED", "gone on", "move", f"{place}/z.h5", f"{place}/z2.h5", resume=1)
        blocks("move", f"{place}/z.h5", f"{place}/z2.h5", to_block="2,9,10")
        with h5py.File(f"{place}/z2.h5", "r") as f:
            d = f["cells"]
            check(d.chunks == (2, 9, 10) and d.compression == "gzip" and d.shuffle, "deflate is kept")
            check(np.array_equal(d[...], cells, equal_nan=True), "cells, compressed")
        fails("EUNSUPPORTED", "one length only", "move", f"{place}/d.npy", f"{place}/e.h5",
              to_edges0="0,1,7", to_edges1="0,9", to_edges2="0,10")
    if has("nifti") and nibabel:
        image = nibabel.Nifti1Image(cells, np.eye(4))
        nibabel.save(image, f"{place}/a.nii.gz")
        data = open(f"{place}/a.nii.gz", "rb").read()
        open(f"{place}/cut.nii.gz", "wb").write(data[:-20])
        fails("EFORMAT", "cut.nii.gz", "move", f"{place}/cut.nii.gz", f"{place}/n.npy")
        open(f"{place}/short.nii", "wb").write(gzip.decompress(data)[:-4])
        fails("EFORMAT", "short.nii", "look", f"{place}/short.nii")
        np.save(f"{place}/half.npy", np.zeros((2, 2), "f2"))
        fails("EUNSUPPORTED", "f16", "move", f"{place}/half.npy", f"{place}/h.nii")
        fails("EEXIST", "a.nii.gz", "move", f"{place}/d.npy", f"{place}/a.nii.gz")
    check(not glob.glob(f"{place}/*.part"), "left behind", glob.glob(f"{place}/*.part"))


def public_hdf5(place):
    """Every dataset of the public files whose cells we can hold, against h5py."""
    folder = data_folder("hdf5")
    n = 0
    for path in sorted(glob.glob(f"{folder}/*")) if folder and h5py and has("hdf5") else []:
        with h5py.File(path, "r") as f:
            names = []
            f.visititems(lambda name, o: names.append(name) if isinstance(o, h5py.Dataset) else None)
            for name in names:
                d = f[name]
                good = d.shape and d.dtype.kind in "iuf" and d.dtype.itemsize <= 8 and \
                    d.compression != "lzf" and 0 < d.size < 3000000
                if not good:
                    continue
                out = f"{place}/h{n}.npy"
                blocks("move", path, out, from_variable=name)
                check(np.array_equal(np.load(out), d[...], equal_nan=d.dtype.kind == "f"), path, name)
                os.remove(out)
                n += 1
    print(f"{n} datasets of public HDF5 files")


def public_netcdf(place):
    folder = data_folder("netcdf")
    for k, path in enumerate(sorted(glob.glob(f"{folder}/*.nc")) if folder and has("netcdf") else []):
        # The one file of several variables is asked for one of them.
        named = {"variable": "z"} if "eraint" in path else {}
        for how in ("move", "run"):
            out = f"{place}/n{k}{how}.nc"
            blocks(how, path, out, memory=8000000, **{f"from_{key}": v for key, v in named.items()})
            bridge_import(path, f"{place}/na{k}{how}", **named)
            bridge_import(out, f"{place}/nb{k}{how}")
            bridge_export(f"{place}/na{k}{how}", f"{place}/a.npy")
            bridge_export(f"{place}/nb{k}{how}", f"{place}/b.npy")
            check(open(f"{place}/a.npy", "rb").read() == open(f"{place}/b.npy", "rb").read(), path)


def volumes_and_series(place):
    """Volumes of a session to time series of blocks of voxels, and back."""
    folder = data_folder("nifti")
    path = f"{folder}/haxby2001/bold.nii.gz"
    if not folder or not nibabel or not has("nifti"):
        return
    want = np.asanyarray(nibabel.load(path).dataobj.get_unscaled())
    for how in ("move", "run"):
        series = f"{place}/{how}/{{0}}_{{1}}_{{2}}_{{3}}.npy"
        blocks(how, path, series, to_block="10,10,1,1452", memory=3000000)
        check(np.array_equal(np.load(f"{place}/{how}/1_1_0_0.npy"), want[10:20, 10:20]), "series")
        blocks(how, series, f"{place}/{how}.nii.gz", memory=3000000)
        got = nibabel.load(f"{place}/{how}.nii.gz")
        check(np.array_equal(np.asanyarray(got.dataobj.get_unscaled()), want), "and back", how)
    # From image to image all of the header comes along.
    blocks("run", path, f"{place}/whole.nii")
    one, other = nibabel.load(path).header, nibabel.load(f"{place}/whole.nii").header
    for key in one.keys():
        same = np.array_equal(np.asarray(one[key]), np.asarray(other[key]),
                              equal_nan=np.asarray(one[key]).dtype.kind == "f")
        check(same or key == "vox_offset", "header", key, one[key], other[key])


def dense_runs(place):
    """Which runs a dense file is presented as."""
    np.save(f"{place}/r.npy", np.zeros((20, 30, 40), "u1"))
    np.save(f"{place}/c.npy", np.asfortranarray(np.zeros((20, 30, 40), "u1")))

    def runs(name, **options):
        return blocks("look", f"{place}/{name}.npy", **options).split()[-1]

    check(runs("r") == "20,30,40", "all of it", runs("r"))
    check(runs("r", from_suit="6,5,40") == "6,30,40", "divides the other's blocks")
    check(runs("r", from_memory=24000) == "2,30,40", "an eighth of the memory", runs("r", from_memory=24000))
    # 10 x 64 x 4096 cells do not fit in half of 2 MiB, 10 x 4 x 4096 do: the second axis is cut.
    np.save(f"{place}/w.npy", np.zeros((20, 64, 4096), "u1"))
    two = 1 << 21
    check(runs("w", from_memory=two, from_suit="10,4,4") == "1,4,4096", "the second axis")
    # Runs of a few cells would cost more than holding less saves.
    check(runs("r", from_memory=16000, from_suit="10,4,4") == "1,30,40", "long runs")
    # Between files of opposite orders both have runs of a middle length, and their bytes are equal.
    for shape in ((20, 30, 40), (100, 90), (9000,), (3, 1, 7, 200)):
        cells = made("i2", shape)
        np.save(f"{place}/x.npy", cells)
        for memory in (3000, 20000, 10 ** 6):
            for how in ("move", "run"):
                there, back = f"{place}/{how}{memory}.raw", f"{place}/{how}{memory}.npy"
                blocks(how, f"{place}/x.npy", there, to_order="column", match=1, memory=memory)
                check(open(there, "rb").read() == cells.tobytes("F"), "to column order", shape)
                blocks(how, there, back, from_order="column", from_type="i16", match=1,
                       from_bounds=as_text(shape), memory=memory)
                check(np.array_equal(np.load(back), cells), "and back", shape, memory)
                os.remove(there)
                os.remove(back)
    check(runs("c") == "20,30,40", "all of it")
    check(runs("c", from_suit="6,5,8") == "20,30,8", "the last axis is the slowest", runs("c", from_suit="6,5,8"))


with workplace() as place:
    for part in (irregular, begins_elsewhere, failures, foreign_failures, dense_runs, every_pair,
                 public_hdf5, public_netcdf, volumes_and_series):
        os.mkdir(f"{place}/{part.__name__}")
        part(f"{place}/{part.__name__}")
done("block grids")

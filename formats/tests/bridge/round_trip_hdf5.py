# Round trips of HDF5 datasets, judged by h5py.
# SPDX-License-Identifier: Apache-2.0
import glob
import os
import shutil
import sys

import numpy as np

try:
    import h5py
except ImportError:
    print("SKIPPED: h5py is not there (python3-h5py)")
    sys.exit(77)

from judge import bridge_export, bridge_import, check, data_folder, done, refused, workplace

TYPES = "?,i1,u1,i2,u2,i4,u4,i8,u8,f2,f4,f8,c8,c16,S5,V7".split(",")
TIES = {"DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS", "CLASS", "NAME"}
random = np.random.default_rng(5)


def made(dtype, shape):
    dtype = np.dtype(dtype)
    n = int(np.prod(shape))
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind in "fc":
        values = random.normal(size=shape)
        return (values + 1j * random.normal(size=shape)).astype(dtype) if dtype.kind == "c" \
            else values.astype(dtype)
    raw = random.integers(1, 255, n * dtype.itemsize).astype("u1").tobytes()
    return np.frombuffer(raw, dtype=dtype).reshape(shape)


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def same_attributes(a, b, *what):
    """Names, types, shapes, values; references and compounds are left out."""
    for name in a.attrs:
        kind = a.attrs.get_id(name).dtype
        if name in TIES or kind.kind == "V" or h5py.check_ref_dtype(kind) or "/" in name:
            continue
        if name.startswith("_N") or name.startswith("_nc"):
            continue
        check(name in b.attrs, "attribute", name, "is lost", *what)
        one, other = a.attrs.get_id(name), b.attrs.get_id(name)
        check(one.shape == other.shape, "shape of attribute", name, one.shape, other.shape, *what)
        if kind.kind == "O":
            check(h5py.check_string_dtype(one.dtype) == h5py.check_string_dtype(other.dtype), name,
                  one.dtype, other.dtype, *what)
            check(np.array_equal(a.attrs[name], b.attrs[name]), name, *what)
        else:
            x, y = np.asarray(a.attrs[name]), np.asarray(b.attrs[name])
            if x.dtype.kind == "i" and h5py.check_enum_dtype(x.dtype):
                continue
            check(x.dtype.newbyteorder("=") == y.dtype.newbyteorder("=") and
                  np.array_equal(x, y, equal_nan=x.dtype.kind in "fc"), name, x, y, *what)
    extra = set(b.attrs) - set(a.attrs) - TIES
    check(not extra, "attributes nobody gave", extra, *what)


def same_datasets(a, b, *what):
    x, y = a[...], b[...]
    check(x.shape == y.shape and x.dtype.newbyteorder("=") == y.dtype.newbyteorder("="), x.dtype,
          y.dtype, *what)
    check(np.array_equal(x, y, equal_nan=x.dtype.kind in "fc") if x.dtype.kind != "V" else same(x, y),
          "cells", *what)
    check(a.id.get_type().equal(b.id.get_type()), "type", *what)
    check(a.chunks == b.chunks and a.maxshape == b.maxshape, a.chunks, b.chunks, a.maxshape,
          b.maxshape, *what)
    check((a.compression, a.shuffle, a.fletcher32) == (b.compression, b.shuffle, b.fletcher32), *what)
    same_attributes(a, b, *what)


def carried(place, path, name, n, **options):
    array, out = f"{place}/c{n}", f"{place}/c{n}.h5"
    bridge_import(path, array, variable=name, memory=200000)
    bridge_export(array, out, memory=150000, **options)
    return out


def public_files(place):
    folder = data_folder("hdf5")
    n = 0
    for path in sorted(glob.glob(f"{folder}/*")) if folder else []:
        with h5py.File(path, "r") as f:
            names = []
            f.visititems(lambda k, o: names.append(k) if isinstance(o, h5py.Dataset) else None)
            for name in names:
                d = f[name]
                kind = d.dtype
                if d.compression == "lzf":
                    refused("EUNSUPPORTED", "import", path, f"{place}/no", "lzf", variable=name)
                    continue
                if kind.kind == "O" or (kind.kind == "V" and kind.names) or d.shape is None:
                    refused("EUNSUPPORTED", "import", path, f"{place}/no", variable=name)
                    continue
                if d.size > 3000000 or 0 in d.shape:
                    continue
                with h5py.File(carried(place, path, name, n), "r") as g:
                    same_datasets(d, g[name], path, name)
                    same_attributes(f["/"], g["/"], path)
                n += 1
    print(f"{n} datasets of public files")


def types(place):
    for k, name in enumerate(TYPES):
        for endian in "<>":
            dtype = np.dtype(name)
            dtype = dtype.newbyteorder(endian) if dtype.kind not in "SV?" else dtype
            shape = ((), (5,), (4, 3), (3, 1, 5, 2))[k % 4]
            path = f"{place}/t.h5"
            with h5py.File(path, "w") as f:
                f.create_dataset("a/b/c", data=np.asarray(made(name, shape)).astype(dtype))
            out = carried(place, path, "a/b/c", f"t{k}{endian == '<'}")
            with h5py.File(path, "r") as f, h5py.File(out, "r") as g:
                same_datasets(f["a/b/c"], g["a/b/c"], name, endian, shape)


def metadata(place):
    path = f"{place}/m.h5"
    with h5py.File(path, "w") as f:
        f.attrs["title"] = "a file"
        f.attrs["history"] = np.bytes_(b"fixed text")
        d = f.create_dataset("g/v", data=made("i2", (6, 4, 5)), chunks=(2, 4, 3), shuffle=True,
                             compression="gzip", compression_opts=7, fletcher32=True,
                             maxshape=(None, 4, 5), fillvalue=-999)
        d.attrs["text"] = "Ä text"
        d.attrs["empty"] = ""
        d.attrs["nothing"] = h5py.Empty("f4")
        d.attrs["ascii"] = np.bytes_(b"plain")
        d.attrs["list"] = ["one", "", "three\nlines"]
        d.attrs["fixed"] = np.array([b"ab", b"c", b""])
        d.attrs["number"] = 2.5
        d.attrs["numbers"] = np.arange(4, dtype="u2")
        d.attrs["matrix"] = np.arange(6.0).reshape(2, 3)
        d.attrs["single"] = np.array([7], "i8")
        d.attrs["yes"] = True
        d.attrs["z"] = np.complex64(1 + 2j)
        d.attrs["pointer"] = f["g"].ref
        f["g/time"] = np.arange(6) * 3.5
        f["g/time"].attrs["units"] = "days since 2000-01-01"
        f["g/lat"] = np.arange(4, dtype="f4")
        f["g/time"].make_scale("time of day")
        f["g/lat"].make_scale()
        d.dims[0].attach_scale(f["g/time"])
        d.dims[1].attach_scale(f["g/lat"])
        d.dims[1].label = "latitude"
        d.dims[2].label = "sample"
    out = carried(place, path, "g/v", "m")
    with h5py.File(path, "r") as f, h5py.File(out, "r") as g:
        same_datasets(f["g/v"], g["g/v"], "metadata")
        same_attributes(f["/"], g["/"])
        check(g["g/v"].fillvalue == -999 and g["g/v"].compression_opts == 7, "fill, level")
        check([d.label for d in g["g/v"].dims] == ["", "latitude", "sample"], "labels")
        check(g["g/v"].dims[0][0].name == "/g/time" and g["g/v"].dims[1][0].name == "/g/lat", "scales")
        check(same(g["g/time"][...], f["g/time"][...]), "values of a scale")
        same_attributes(f["g/time"], g["g/time"])
    # The only one that is no scale is meant where no name is given; a box has its own scales.
    bridge_import(path, f"{place}/any")
    bridge_export(f"{place}/any", f"{place}/box.h5", box="2:5,1:3,0:5")
    with h5py.File(path, "r") as f, h5py.File(f"{place}/box.h5", "r") as g:
        check(same(g["g/v"][...], f["g/v"][2:5, 1:3]), "cells of a box")
        check(same(g["g/time"][...], f["g/time"][2:5]), "scale of a box")
    # Growth: along the time, with its scale.
    refused("EBOX", "import", path, f"{place}/any", "is 0, which does not follow 17.5",
            append="time")
    later = shutil.copy(path, f"{place}/later.h5")
    with h5py.File(later, "r+") as f:
        f["g/time"][...] += 21
    bridge_import(later, f"{place}/any", append="time")
    bridge_export(f"{place}/any", f"{place}/twice.h5")
    with h5py.File(path, "r") as f, h5py.File(f"{place}/twice.h5", "r") as g:
        check(same(g["g/v"][...], np.concatenate([f["g/v"][...]] * 2)), "appended")
        check(same(g["g/time"][...], np.arange(12) * 3.5), "scale of both")


def shared_scale(place):
    """One scale on two axes, which cannot both have its name."""
    path = f"{place}/square.h5"
    with h5py.File(path, "w") as f:
        d = f.create_dataset("square", data=made("f8", (3, 3)))
        f["freq"] = np.array([1.0, 2, 4])
        f["freq"].make_scale("frequency")
        for axis in (0, 1):
            d.dims[axis].attach_scale(f["freq"])
    bridge_import(path, f"{place}/square")
    bridge_export(f"{place}/square", f"{place}/square-out.h5")
    with h5py.File(path, "r") as f, h5py.File(f"{place}/square-out.h5", "r") as g:
        check(same(f["square"][...], g["square"][...]), "cells of a square")
        for axis in (0, 1):
            check(same(g["square"].dims[axis][0][...], f["freq"][...]), "its scale on axis", axis)


def from_elsewhere(place):
    """Arrays that never were HDF5."""
    for k, dtype in enumerate(("f4", "?", "c16", "S3")):
        np.save(f"{place}/e.npy", made(dtype, (3, 4)))
        bridge_import(f"{place}/e.npy", f"{place}/e{k}")
        bridge_export(f"{place}/e{k}", f"{place}/e{k}.h5", variable="there/it is")
        with h5py.File(f"{place}/e{k}.h5", "r") as g:
            got = g["there/it is"][...]
            check(got.tobytes() == np.load(f"{place}/e.npy").tobytes(), dtype)
    mat = data_folder("mat")
    if mat: # a file with a user block; under its own name MATLAB's bridge would take it
        shutil.copy(f"{mat}/v73_partial.mat", f"{place}/mat.h5")
        bridge_import(f"{place}/mat.h5", f"{place}/mat", variable="var1")
        bridge_export(f"{place}/mat", f"{place}/mat.npy")
        with h5py.File(f"{mat}/v73_partial.mat", "r") as f:
            check(same(f["var1"][...], np.load(f"{place}/mat.npy")), "a file of MATLAB's")


def refusals(place):
    path = f"{place}/r.h5"
    with h5py.File(path, "w") as f:
        f["v"] = made("f8", (10, 10))
        f["strings"] = ["a", "b"]
        f["record"] = np.zeros(3, [("a", "f8"), ("b", "i4")])
        f["none"] = h5py.Empty("f4")
        f.create_dataset("lzf", data=made("f8", (4, 4)), compression="lzf")
    data = open(path, "rb").read()

    def put(name, content):
        open(f"{place}/{name}", "wb").write(content)
        return f"{place}/{name}"

    for name in ("strings", "record", "none"):
        refused("EUNSUPPORTED", "import", path, f"{place}/no", variable=name)
    refused("EUNSUPPORTED", "import", path, f"{place}/no", "lzf", variable="lzf")
    refused("ENOENT", "import", path, f"{place}/no", "has no dataset 'w'", variable="w")
    refused("EARG", "import", path, f"{place}/no", "name one (as r.h5:NAME): lzf (4x4 f64), v (10x10 f64)")
    refused("ENOENT", "import", f"{place}/nothing.h5", f"{place}/no")
    refused("EFORMAT", "import", put("cut.h5", data[:len(data) // 2]), f"{place}/no", "cut.h5",
            format="hdf5")
    refused("EFORMAT", "import", put("magic.h5", b"x" + data[1:]), f"{place}/no", format="hdf5")
    refused("EFORMAT", "import", put("empty.h5", b""), f"{place}/no")
    with h5py.File(f"{place}/hollow.h5", "w") as f:
        f.create_group("g")
    refused("ENOENT", "import", f"{place}/hollow.h5", f"{place}/no", "no dataset", format="hdf5")
    bridge_import(path, f"{place}/v", variable="v")
    refused("ECANCELLED", "export", f"{place}/v", f"{place}/o.h5", stop=1)
    check(not os.path.exists(f"{place}/o.h5"), "a refused export leaves nothing")


with workplace() as place:
    types(place)
    metadata(place)
    shared_scale(place)
    from_elsewhere(place)
    refusals(place)
    public_files(place)
done("hdf5")

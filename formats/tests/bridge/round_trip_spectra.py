# Spectral libraries: ENVI, MATLAB and CSV, each written by others and by us, read back bit for bit; judged by SciPy,
# Python's csv and NumPy.
# SPDX-License-Identifier: Apache-2.0
import csv
import os
import sys

import numpy as np

try:
    import scipy.io
except ImportError:
    print("SKIPPED: SciPy is not there (python3-scipy)")
    sys.exit(77)

from judge import BRIDGE, STATUS, call, check, data_folder, done, run, workplace

random = np.random.default_rng(3)


def carry(source, target, **options):
    run(BRIDGE, "spectra", source, target, *[f"{k}={v}" for k, v in options.items()])


def refused(status, source, text, place, **options):
    target = f"{place}/none.csv"
    code, _, err = call(BRIDGE, "spectra", source, target, *[f"{k}={v}" for k, v in options.items()])
    check(code == STATUS[status], source, options, "answered", code, err)
    check(text in err and err.count("\n") == 1, "text of", source, ":", err)
    check(not os.path.exists(target), "a file was made")


def read_csv(path):
    """Unit, wavelengths (or None), names, spectra (a row each)."""
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    cells = np.array([[float(x) if x else np.nan for x in row] for row in rows[1:]])
    first = rows[0][0]
    unit = first[first.index("(") + 1:-1] if "(" in first else None
    return unit, cells[:, 0] if first.startswith("wavelength") else None, rows[0][1:], cells[:, 1:].T


def same(a, b, *what):
    check(a.shape == b.shape and np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes(),
          "numbers of", *what)


def made(n_spectra, n_bands):
    values = random.normal(size=(n_spectra, n_bands)) * 10.0 ** random.integers(-300, 300,
                                                                               (n_spectra, n_bands))
    values.flat[0] = 0.1
    wavelength = np.cumsum(random.random(n_bands)) + 400
    return values, wavelength, [f"spectrum {k}" for k in range(n_spectra)]


def write_csv(path, values, wavelength, names, unit="nm"):
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f)
        out.writerow([f"wavelength ({unit})"] + names)
        for b, w in enumerate(wavelength):
            out.writerow([repr(float(w))] + [repr(float(x)) for x in values[:, b]])


def write_envi(path, values, wavelength, names, dtype, order, offset=0, missing=()):
    types = {"u1": 1, "i2": 2, "i4": 3, "f4": 4, "f8": 5, "u2": 12, "u4": 13, "i8": 14, "u8": 15}
    with open(f"{path}.sli", "wb") as f:
        f.write(b"#" * offset)
        f.write(values.astype(np.dtype(dtype).newbyteorder(order)).tobytes())
    lines = {"samples": values.shape[1], "lines": values.shape[0], "bands": 1, "header offset": offset,
             "file type": "ENVI Spectral Library", "data type": types[dtype], "interleave": "bsq",
             "byte order": int(order == ">"), "wavelength units": "Micrometers",
             "wavelength": "{" + ",\n ".join(repr(float(w)) for w in wavelength) + "}",
             "spectra names": "{\n" + ",".join(names) + "}"}
    with open(f"{path}.hdr", "w", encoding="utf-8") as f:
        f.write("ENVI\n; a remark\ndescription = {\n  samples = 7, what [a] = b}\n")
        f.writelines(f"{k} = {v}\n" for k, v in lines.items() if k not in missing)


def round_trips(place):
    """Each format through each other one, back to CSV, bit for bit."""
    for n_spectra, n_bands in ((1, 1), (3, 5), (1, 40), (50, 7)):
        values, wavelength, names = made(n_spectra, n_bands)
        write_csv(f"{place}/a.csv", values, wavelength, names)
        for through in ("csv", "sli", "mat", "hdr"):
            carry(f"{place}/a.csv", f"{place}/b.{through}")
            carry(f"{place}/b.{through}", f"{place}/c.csv")
            unit, w, n, v = read_csv(f"{place}/c.csv")
            same(v, values, through, n_spectra, n_bands)
            same(w, wavelength, "wavelengths through", through)
            check(unit == "nm" and n == names, unit, n, through)
        mat = scipy.io.loadmat(f"{place}/b.mat")
        same(mat["M"].T, values, "as SciPy has them")
        check([str(x[0][0]) for x in mat["names"]] == names, mat["names"])
        raw = np.fromfile(f"{place}/b.sli", "<f8").reshape(n_spectra, n_bands)
        same(raw, values, "as they lie in the .sli")


def names(place):
    odd = ["a, b", 'say "x"', "", "plain", "na\u00efve \u03bcm", "two\nlines", "\U0001f33f"]
    values, wavelength, _ = made(7, 3)
    write_csv(f"{place}/n.csv", values, wavelength, odd)
    for through in ("csv", "mat"):
        carry(f"{place}/n.csv", f"{place}/m.{through}")
        carry(f"{place}/m.{through}", f"{place}/o.csv")
        check(read_csv(f"{place}/o.csv")[2] == odd, read_csv(f"{place}/o.csv")[2], through)
    carry(f"{place}/n.csv", f"{place}/m.sli")
    carry(f"{place}/m.sli", f"{place}/o.csv")
    check(read_csv(f"{place}/o.csv")[2] == ["a  b"] + odd[1:5] + ["two lines", odd[6]],
          read_csv(f"{place}/o.csv")[2])


def csv_files(place):
    """What others write: no wavelengths, remarks, empty fields, a mark of UTF-8, ends of lines of another system."""
    path = f"{place}/t.csv"
    with open(path, "wb") as f:
        f.write(b"\xef\xbb\xbf# em1: line 1\r\nWavelength [um] , one,\"two\" \r\n# more\r\n\r\n"
                b"0.4,1,\r\n0.5, 2.5 ,nan\r\n")
    carry(path, f"{place}/u.csv")
    unit, w, n, v = read_csv(f"{place}/u.csv")
    check(unit == "um" and n == ["one", "two"] and np.array_equal(w, [0.4, 0.5]), unit, n, w)
    check(np.array_equal(v, [[1, 2.5], [np.nan, np.nan]], equal_nan=True), v)
    with open(path, "w") as f:
        f.write("band,x\n7,1.5\n9,2.5")
    carry(path, f"{place}/u.csv")
    check(open(f"{place}/u.csv").read() == "band,x\n1,1.5\n2,2.5\n", "without wavelengths")
    for text, why in (("", "empty"), ("wavelength\n1\n", "no spectra"), ("wavelength,a\n", "no bands"),
                      ("wavelength,a\n1,2\n3\n", "line 3"), ("wavelength,a\n1,x2\n", "line 2, column 2"),
                      ("wavelength,a\n1,2,3\n", "line 2"), ('wavelength,"a\n1,2\n', "quotes"),
                      ("wavelength,a\0\n1,2\n", "no text")):
        with open(path, "w") as f:
            f.write(text)
        refused("EFORMAT", path, why, place)


def envi_files(place):
    path = f"{place}/e"
    wavelength = [0.4, 0.55, 0.7]
    for dtype in ("u1", "i2", "i4", "f4", "f8", "u2", "u4", "i8", "u8"):
        for order in "<>":
            low = 0 if dtype[0] == "u" else -90
            values = random.integers(low, 90, (2, 3))
            write_envi(path, values, wavelength, ["a", "b c"], dtype, order, 5)
            carry(f"{path}.sli" if order == "<" else f"{path}.hdr", f"{place}/f.csv")
            unit, w, n, v = read_csv(f"{place}/f.csv")
            same(v, values.astype(float), dtype, order)
            check(unit == "Micrometers" and n == ["a", "b c"] and list(w) == wavelength, unit, n, w)
    write_envi(path, values, wavelength, ["a"], "f8", "<",
               missing=("byte order", "header offset", "wavelength", "bands", "file type"))
    carry(f"{path}.sli", f"{place}/f.csv")
    unit, w, n, v = read_csv(f"{place}/f.csv")
    check(w is None and n == ["a", ""] and np.array_equal(v, values), "with keys missing")
    for key, why in (("samples", "samples"), ("lines", "lines"), ("data type", "data type")):
        write_envi(path, values, wavelength, ["a"], "f8", "<", missing=(key,))
        refused("EFORMAT", f"{path}.sli", why, place)
    write_envi(path, values, wavelength[:2], ["a"], "f8", "<")
    refused("EFORMAT", f"{path}.sli", "2 numbers for 3 bands", place)
    write_envi(path, values, wavelength, ["a"], "f8", "<")
    with open(f"{path}.sli", "r+b") as f:
        f.truncate(47)
    refused("EFORMAT", f"{path}.sli", "47 bytes", place)
    os.remove(f"{path}.hdr")
    refused("ENOENT", f"{path}.sli", "header", place)
    refused("ENOENT", f"{place}/nothing.sli", "no such file", place)


def matlab_files(place):
    """Both ways round, columns of other things, names of each kind."""
    values, wavelength, called = made(4, 6)
    matrix = np.column_stack([wavelength, np.arange(6), values.T])
    plain = list(called)
    called[1] = "\u03bc\u00e9 1"
    cells = np.array(called, dtype=object).reshape(1, -1)
    path = f"{place}/l.mat"
    scipy.io.savemat(path, {"lib": matrix, "names": np.array(["w", "n"] + plain), "who": cells,
                            "w": wavelength, "turned": matrix.T.copy()}, do_compression=True)
    for source, options in ((f"{path}:lib,wavelength=1,skip=2", {}),
                            (f"{path}:turned,transposed,wavelength=1,skip=2,unit=um,names=who", {}),
                            (path, {"variable": "lib", "skip": 2, "wavelengths": "w", "names": "names"})):
        carry(source, f"{place}/l.csv", **options)
        unit, w, n, v = read_csv(f"{place}/l.csv")
        same(v, values, source)
        same(w, wavelength, "wavelengths", source)
        check(n == (called if "who" in source else plain) and (unit == "um") == ("unit=um" in source), n, unit, source)
    refused("EARG", f"{path}:lib,skip=6", "leave no spectrum", place)
    refused("EARG", f"{path}:lib,skip=x", "skip=x", place)
    refused("EARG", f"{path}:lib,names=w", "'w'", place)
    refused("ENOENT", f"{path}:nobody", "nobody", place)
    refused("EARG", path, "several", place)
    refused("EUNSUPPORTED", f"{place}/l.xyz", "xyz", place)
    with open(path, "rb") as f:
        half = f.read()
    for length in range(0, len(half), 101):
        with open(f"{place}/half.mat", "wb") as f:
            f.write(half[:length])
        code, _, err = call(BRIDGE, "spectra", f"{place}/half.mat:lib", f"{place}/none.csv")
        check(0 < code < 20 and err.count("\n") == 1, "cut at", length, code, err)


def other_wavelengths(place):
    values, wavelength, called = made(3, 30)
    values = random.normal(size=(3, 30))
    shuffled = random.permutation(30)
    write_csv(f"{place}/r.csv", values[:, shuffled], wavelength[shuffled], called)
    wanted = np.sort(random.uniform(wavelength[0], wavelength[-1], 50))
    wanted = np.concatenate([wanted, wavelength[[0, 5, 29]]])
    carry(f"{place}/r.csv", f"{place}/s.csv", at=",".join(repr(float(w)) for w in wanted))
    _, w, n, v = read_csv(f"{place}/s.csv")
    expected = np.array([np.interp(wanted, wavelength, row) for row in values])
    check(n == called and np.array_equal(w, wanted), "names and wavelengths")
    check(np.abs(v - expected).max() < 1e-12, np.abs(v - expected).max())
    same(v[:, -3:], values[:, [0, 5, 29]], "at their own wavelengths")
    carry(f"{place}/r.csv", f"{place}/s.csv", at=repr(float(wavelength[3] / 1000)), **{"in": "um"})
    unit, _, _, v = read_csv(f"{place}/s.csv")
    check(unit == "um" and np.abs(v[:, 0] - values[:, 3]).max() < 1e-9, "in another unit")
    refused("ERANGE", f"{place}/r.csv", "399", place, at=399)
    write_csv(f"{place}/r.csv", values[:, [0, 0]], wavelength[[0, 0]], called)
    refused("EARG", f"{place}/r.csv", "twice", place, at=399)


def public_files(place):
    folder = data_folder("hyperspectral")
    if not folder:
        return
    truth = scipy.io.loadmat(f"{folder}/samson/end3.mat")
    carry(f"{folder}/samson/end3.mat:M", f"{place}/p.csv")
    _, w, n, v = read_csv(f"{place}/p.csv")
    same(v, truth["M"].T, "Samson's endmembers")
    check(w is None and n == [str(x[0][0]) for x in truth["cood"]], n)
    usgs = scipy.io.loadmat(f"{folder}/libraries/USGS_1995_Library.mat")
    carry(f"{folder}/libraries/USGS_1995_Library.mat:datalib,wavelength=1,skip=3,unit=um", f"{place}/p.csv")
    unit, w, n, v = read_csv(f"{place}/p.csv")
    same(v, usgs["datalib"][:, 3:].T, "USGS")
    same(w, usgs["datalib"][:, 0], "USGS' wavelengths")
    theirs = [bytes(row).decode("latin-1").strip() for row in usgs["names"][3:].astype("u1")]
    check(unit == "um" and n == theirs, n[:3], theirs[:3])
    samson = scipy.io.loadmat(f"{folder}/samson/spectral_library_samson.mat")
    for name in ("A", "lib1", "lib3"):
        carry(f"{folder}/samson/spectral_library_samson.mat:{name}", f"{place}/p.csv")
        same(read_csv(f"{place}/p.csv")[3], samson[name].T, "Samson's bundle", name)


with workplace() as place:
    round_trips(place)
    names(place)
    csv_files(place)
    envi_files(place)
    matlab_files(place)
    other_wavelengths(place)
    public_files(place)
done("spectra")

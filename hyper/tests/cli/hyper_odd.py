"""Odd scenes under `xta hyper`, for hyper_odd.sh: every result is compared with NumPy, every refusal must be one line
that names the error and leave no file behind. Prints a line for each group that passes.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import shutil
import subprocess
import sys

import numpy as np

METHODS = ("nfindr", "sga", "vca", "ppi", "amee")
SHARES = ("fcls", "nnls", "scls", "ucls")
KEEP = "basis,ppi,mei,endmembers,labels,abundances"
random = np.random.default_rng(11)
wrong = 0


def group(function):
    """Run a group of checks, and say which."""
    global wrong
    wrong = 0
    function()
    print(("good" if wrong == 0 else "%d WRONG" % wrong) + ": " + function.__doc__)


def hold(true, *what):
    global wrong
    if not true:
        wrong += 1
        print("WRONG:", *what)


def run(*words):
    return subprocess.run(["xta", *map(str, words)], capture_output=True, text=True, timeout=100)


def forget(*names):
    for name in names:
        for path in (name, name + ".xmd", name + ".xta"):
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.exists(path):
                os.remove(path)


def do(*words):
    """A command of `xta hyper` that must work; returns its output, parsed from JSON on request."""
    done = run("hyper", *words)
    hold(done.returncode == 0 and done.stderr == "", words, done.returncode, done.stderr)
    hold("nan" not in done.stdout or "--json" not in words, words, "printed nan as JSON")
    if "--json" in words:
        return json.loads(done.stdout) if done.returncode == 0 else {}
    return done.stdout


def refuse(parts, *words):
    """A command of `xta hyper` that must be refused in one line with these parts, and leave no file behind."""
    before = sorted(os.listdir("."))
    done = run("hyper", *words)
    lines = done.stderr.splitlines()
    hold(done.returncode in (1, 2) and len(lines) == 1, words, done.returncode, done.stderr)
    hold(done.stdout == "", words, "printed", done.stdout)
    for part in parts:
        hold(part in done.stderr, words, "does not say", repr(part) + ":", done.stderr)
    hold(sorted(os.listdir(".")) == before, words, "left", sorted(set(os.listdir(".")) - set(before)))


def has_bridge(name):
    there = "bridge %s: " % name in run("version").stdout
    if not there:
        print("SKIPPED: this build has no bridge", name, file=sys.stderr)
    return there


def put(name, cells, axes="line,sample,band"):
    forget(name)
    np.save("put.npy", cells)
    done = run("import", "put.npy", name, "--axes", axes)
    hold(done.returncode == 0, name, done.stderr)
    os.remove("put.npy")


def empty(name, bounds):
    forget(name)
    done = run("create", name, "--type", "f64", "--bounds", bounds, "--chunk", "4,5,6", "--names", "line,sample,band")
    hold(done.returncode == 0, name, done.stderr)


def get(name):
    """The cells of an array, which is deleted."""
    done = run("export", name, "get.npy")
    hold(done.returncode == 0, name, done.stderr)
    cells = np.load("get.npy") if done.returncode == 0 else np.empty(0)
    forget("get.npy", name)
    return cells


def library(path, spectra, head="band"):
    rows = [head + "," + ",".join("m%d" % (k + 1) for k in range(len(spectra)))]
    rows += ["%d,%s" % (b, ",".join(repr(float(v)) for v in column)) for b, column in enumerate(spectra.T)]
    with open(path, "w") as file:
        file.write("\n".join(rows) + "\n")


def spectra_of(path):
    with open(path) as file:
        rows = [line for line in file if not line.startswith("#")][1:]
    return np.array([[float(v) for v in row.split(",")[1:]] for row in rows]).T


def pixels_of(found):
    return [(e["line"], e["sample"]) for e in found.get("endmembers", [])]


def fcls(spectra, pixels, sum_one=True):
    """Least squares over all supports, the feasible one with the least residual."""
    p, best, least = len(spectra), np.zeros((len(pixels), len(spectra))), np.full(len(pixels), np.inf)
    for mask in range(1 if sum_one else 0, 1 << p):
        support = [k for k in range(p) if mask >> k & 1]
        e = spectra[support]
        shares = np.zeros((len(pixels), p))
        if support and sum_one:
            n = len(support)
            kkt = np.block([[e @ e.T, np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
            right = np.vstack([e @ pixels.T, np.ones((1, len(pixels)))])
            shares[:, support] = np.linalg.solve(kkt, right)[:n].T
        elif support:
            shares[:, support] = np.linalg.solve(e @ e.T, e @ pixels.T).T
        rest = ((pixels - shares @ spectra) ** 2).sum(1)
        better = (shares >= -1e-12).all(1) & (rest < least)
        best[better], least[better] = shares[better], rest[better]
    return best


def angles(spectra, pixels):
    unit = pixels / np.linalg.norm(pixels, axis=-1, keepdims=True)
    return np.arccos(np.clip(unit @ (spectra / np.linalg.norm(spectra, axis=1, keepdims=True)).T, -1, 1))


def sga(pixels, count):
    """The longest pixel, then always the farthest from the affine hull."""
    chosen = [int((pixels ** 2).sum(1).argmax())]
    while len(chosen) < count:
        base = pixels[chosen[0]]
        sides = (pixels[chosen[1:]] - base).T
        far = pixels - base
        if len(chosen) > 1:
            q, _ = np.linalg.qr(sides)
            far = far - far @ q @ q.T
        chosen.append(int((far ** 2).sum(1).argmax()))
    return chosen


def check_scene(name, cells, spectra, valid, count):
    """Everything that NumPy can compute for one scene: components, endmembers, shares, labels."""
    shape, x = cells.shape[:2], cells.reshape(-1, cells.shape[2]).astype(float)
    ok = valid.reshape(-1)
    values = do("pct", name, "o", "--json")["eigenvalues"]
    want = np.sort(np.linalg.eigvalsh(np.atleast_2d(np.cov(x[ok].T))))[::-1]
    hold(np.allclose(values, want, rtol=1e-9, atol=1e-9 * want[0]), name, "eigenvalues", values, want)
    scores = get("o").reshape(len(values), -1)
    hold((np.isnan(scores).all(0) == ~ok).all(), name, "components of pixels without data")
    hold(np.allclose(scores[:, ok].var(1, ddof=1), want, rtol=1e-4, atol=1e-5 * want[0]), name, "variances")
    at = [divmod(int(np.flatnonzero(ok)[k]), shape[1]) for k in sga(x[ok], count)]
    found = do("endmembers", name, "o.csv", "--count", count, "--method", "sga", "--json")
    hold(pixels_of(found) == at, name, "sga", pixels_of(found), at)
    hold((spectra_of("o.csv") == np.array([cells[a] for a in at])).all(), name, "spectra of sga")
    for method in ("nfindr", "vca", "ppi"):
        found = pixels_of(do("endmembers", name, "o.csv", "--count", count, "--method", method, "--json"))
        hold(len(found) == count and all(valid[a] for a in found), name, method, found)
    forget("o.csv")
    for method in SHARES:
        do("unmix", name, "l.csv", "o", "--method", method)
        shares = get("o").reshape(len(spectra), -1)
        hold((np.isnan(shares).all(0) == ~ok).all(), name, method, "of pixels without data")
        if method in ("fcls", "nnls"):
            want = fcls(spectra, x[ok], method == "fcls")
        elif method == "ucls":
            want = np.linalg.lstsq(spectra.T, x[ok].T, rcond=None)[0].T
        else:
            sides = np.linalg.lstsq((spectra[1:] - spectra[0]).T, (x[ok] - spectra[0]).T, rcond=None)[0].T
            want = np.c_[1 - sides.sum(1), sides]
        hold(np.allclose(shares[:, ok].T, want, atol=2e-6 * max(1, abs(want).max())), name, method)
    do("classify", name, "l.csv", "o", "--by", "sad")
    dark = (x == 0).all(1)
    with np.errstate(all="ignore"):
        want = np.where(ok & ~dark, angles(spectra, x).argmin(1) + 1, 0)
    hold((get("o").reshape(-1) == want).all(), name, "labels")


def mixtures(shape, spectra):
    return random.dirichlet(np.full(len(spectra), 0.4), shape) @ spectra


@group
def odd_cells():
    "no-data, NaN, infinities, zeros, duplicates, constant bands and negative integers, against NumPy"
    spectra = random.uniform(10, 100, (3, 7)).round(2)
    library("l.csv", spectra)
    cells = mixtures((9, 11), spectra) + random.normal(0, 0.5, (9, 11, 7))
    valid = np.ones((9, 11), bool)
    cells[2, 3, 4] = np.nan
    cells[5] = np.nan
    cells[1, 1, 0], cells[1, 2, 6] = np.inf, -np.inf
    cells[8, 10, 2] = -9999
    for at in ((2, 3), 5, (1, 1), (1, 2), (8, 10)):
        valid[at] = False
    cells[0, 0] = cells[0, 1] = cells[3, 4]
    cells[4, 4] = 0
    put("s", cells)
    hold(run("attr", "s", "missing_value=-9999", "--type", "f64").returncode == 0, "attr")
    check_scene("s", cells, spectra, valid, 3)
    mine = do("endmembers", "s", "o.csv", "--count", 3, "--json")
    hold(pixels_of(do("endmembers", "s", "o.csv", "--count", 3, "--json", "--threads", 64)) == pixels_of(mine))
    hold(do("count", "s").splitlines()[-1].endswith("of %d pixels, 7 bands" % valid.sum()), "pixels counted")
    # Constant bands, and one that has no data anywhere.
    cells = mixtures((6, 8), spectra)
    cells[:, :, 2], cells[:, :, 5] = 42, 0
    spectra[:, 2], spectra[:, 5] = 42, 0
    library("l.csv", spectra)
    put("s", cells)
    check_scene("s", cells, spectra, np.ones((6, 8), bool), 3)
    cells = np.insert(cells, 3, np.nan, axis=2)
    put("s", cells)
    is_of = do("count", "s", "--json")["scene"]
    hold(is_of["bands"] == [0, 8] and is_of["bands_in_use"] == 7, "a band without data", is_of)
    # Negative whole numbers, at both ends of their type.
    spectra = random.integers(-3000, 3000, (3, 5)).astype(float)
    library("l.csv", spectra)
    cells = random.integers(-3000, 3000, (7, 9, 5)).astype("i2")
    cells[0, 0], cells[6, 8] = -32768, 32767
    put("s", cells)
    check_scene("s", cells, spectra, np.ones((7, 9), bool), 4)
    forget("o.csv")


@group
def odd_shapes():
    "one pixel, line, sample or band, and scenes smaller than a window, against NumPy"
    spectra = random.uniform(10, 100, (3, 6)).round(2)
    library("l.csv", spectra)
    for shape in ((1, 40), (40, 1), (2, 3)):
        put("s", mixtures(shape, spectra))
        cells = run("export", "s", "get.npy") and np.load("get.npy")
        forget("get.npy")
        check_scene("s", cells, spectra, np.ones(shape, bool), 3)
        do("endmembers", "s", "o.csv", "--count", 1, "--method", "amee", "--radius", 15, "--iterations", 9)
        found = do("follow", "s", "f", "--count", 3, "--keep", KEEP, "--once", "--json")
        hold([r["fate"] for r in found["results"]] == ["made"] * len(found["results"]), shape, found)
        do("report", "o.html", "--scene", "s", "--follow", "f")
        forget("f", "o.csv", "o.html")
    put("s", spectra[:1].reshape(1, 1, 6))
    for method in ("nfindr", "sga", "vca", "ppi"):
        for more in ([], ["--means"]):
            found = do("endmembers", "s", "o.csv", "--count", 2, "--method", method, "--json", *more)
            hold(pixels_of(found) == [(0, 0)], "the only pixel", method, found)
            hold((spectra_of("o.csv") == spectra[:1]).all(), "the only pixel", method)
    do("unmix", "s", "l.csv", "o")
    hold(np.allclose(get("o").ravel(), [1, 0, 0], atol=1e-6), "shares of the only pixel")
    do("report", "o.html", "--scene", "s", "--endmembers", "o.csv")
    forget("o.csv", "o.html")
    refuse(["s: ", "needs at least 2, and there are 1"], "count", "s")
    refuse(["s: 1 endmembers are wanted, 0 pixels", "take"],
           "endmembers", "s", "o.csv", "--count", 1, "--method", "amee")
    put("s", mixtures((40, 1), spectra))
    refuse(["s: the noise of pairs of neighbours in a line", "there are 0"], "pct", "s", "o", "--mnf")
    # One band, as an axis and as none.
    ends = np.array([[10.0], [70.0]])
    library("l.csv", ends)
    for axes in ("line,sample,band", "line,sample"):
        cells = mixtures((5, 8), ends)
        put("s", cells if axes.endswith("band") else cells[:, :, 0], axes)
        do("unmix", "s", "l.csv", "o")
        hold(np.allclose(get("o")[1], (cells[:, :, 0] - 10) / 60, atol=1e-6), "shares in one band")
        found = pixels_of(do("endmembers", "s", "o.csv", "--count", 3, "--json"))
        flat = cells.ravel()
        hold(found == [divmod(int(k), 8) for k in (flat.argmax(), flat.argmin())], "ends in one band", found)
        refuse(["l.csv: 2 endmembers in 1 bands", "take at most 1"], "unmix", "s", "l.csv", "o", "--method", "ucls")
        refuse(["l.csv: endmembers 1 (m1) and 2 (m2)", "leave one out"], "unmix", "s", "l.csv", "o", "--normalise")
    forget("o.csv")


@group
def nothing_to_see():
    "all pixels no-data, equal or zero, and scenes of no lines, samples or bands"
    spectra = random.uniform(10, 100, (3, 6)).round(2)
    library("l.csv", spectra)
    truth = np.ones((4, 5), "u1")
    truth[2:] = 2
    put("t", truth, "line,sample")
    for name in ("nan", "lines", "samples"):
        if name == "nan":
            put("s", np.full((4, 5, 6), np.nan))
        else:
            empty("s", "0,5,6" if name == "lines" else "4,0,6")
        refuse(["s: ", "there are 0"], "count", "s")
        for more in ([], ["--mnf"], ["--uncentred"]):
            refuse(["s: ", "there are 0"], "pct", "s", "o", *more)
        for method in METHODS:
            says = "s: 3 endmembers are wanted, 0 pixels" if method == "amee" else "s: "
            refuse([says], "endmembers", "s", "o.csv", "--count", 3, "--method", method)
        shares = do("unmix", "s", "l.csv", "o", "--json")
        hold(shares["pixels"] == 0 and shares["endmembers"][0]["mean_abundance"] is None, shares)
        hold(np.isnan(get("o")).all(), "shares of nothing")
        hold(do("classify", "s", "l.csv", "o", "--by", "sad") == "0 pixels labelled by angle\n", "pixels labelled")
        hold((get("o") == 0).all(), "labels of nothing")
        found = do("follow", "s", "f", "--count", 3, "--keep", KEEP, "--once", "--json")
        hold(found["endmembers"] == 0, name, found)
        forget("f")
        if name == "nan":
            refuse(["s: 0 classes have valid pixels"], "classify", "s", "o", "--supervised", "lda", "--truth", "t")
            do("report", "o.html", "--scene", "s")
            forget("o.html")
        else:
            refuse(["s: there are no cells to show on " + name[:-1]], "report", "o.html", "--scene", "s")
    empty("s", "4,5,0")
    for words in (["count", "s"], ["endmembers", "s", "o.csv", "--count", 1], ["unmix", "s", "l.csv", "o"],
                  ["follow", "s", "f", "--count", 1, "--once"], ["report", "o.html", "--scene", "s"]):
        refuse(["s: none of its 0 bands is left"], *words)
    for value in (7.0, 0.0):
        put("s", np.full((4, 5, 6), value))
        hold("nan" not in do("pct", "s", "o"), "components of equal pixels")
        forget("o")
        refuse(["s: the noise of 6 bands has the variance 0"], "pct", "s", "o", "--mnf")
        for method in METHODS[:4]:
            found = do("endmembers", "s", "o.csv", "--count", 3, "--method", method, "--json")
            hold(pixels_of(found) == [(0, 0)], "equal pixels", method, found)
        refuse(["s: 3 endmembers are wanted, 0 pixels"], "endmembers", "s", "o.csv", "--count", 3, "--method", "amee")
        hold("no more than 1" in do("follow", "s", "f", "--count", 3, "--once"), "follow of equal pixels")
        forget("f")
    hold((spectra_of("o.csv") == 0).all(), "the zero pixel")
    refuse(["o.csv: endmember 1 is zero", "leave it out"], "classify", "s", "o.csv", "o", "--by", "sad")
    refuse(["pixel (0, 0) of s is zero", "without means"], "endmembers", "s", "p.csv", "--count", 3, "--means")
    forget("o.csv")
    put("s", np.full((4, 5, 6), 7.0))
    counts = do("count", "s", "--json")
    hold(all(h["count"] <= 1 for h in counts["hfc"]) and counts["hysime"] == 1, "count of equal pixels", counts)
    put("s", mixtures((40, 20), spectra))
    counts = do("count", "s", "--json")
    hold(all(h["count"] <= 3 for h in counts["hfc"]) and counts["hysime"] == 3, "count without noise", counts)


@group
def how_many():
    "one endmember, as many as pixels, more, and more than the pixels span"
    spectra = random.uniform(10, 100, (3, 6)).round(2)
    general, flat = random.uniform(0, 50, (2, 3, 6)), mixtures((4, 5), spectra)
    for cells, most in ((general, 6), (flat, 3)):
        put("s", cells)
        for method in METHODS[:4]:
            for count in (1, most, most + 1, 100):
                found = do("endmembers", "s", "o.csv", "--count", count, "--method", method, "--json")
                at = pixels_of(found)
                hold(len(at) == len(set(at)) == min(count, most), method, count, "found", at)
                chosen = np.array([cells[a] for a in at])
                hold((spectra_of("o.csv") == chosen).all(), method, count, "spectra")
        full = do("endmembers", "s", "o.csv", "--count", most + 1)
        hold("%d endmembers were asked for" % (most + 1) in full, full)
        found = do("follow", "s", "f", "--count", most + 1, "--once", "--json")
        hold(found["endmembers"] == most, "follow", found["endmembers"])
        forget("f")
    forget("o.csv")
    refuse(["endmembers are wanted", "1 to 1024"], "endmembers", "s", "o.csv", "--count", 10 ** 11)
    refuse(["skewers are wanted", "1 to 1000000"], "endmembers", "s", "o.csv", "--count", 3, "--method", "ppi",
           "--projections", 10 ** 12)
    for count, method, most in ((8, "fcls", 7), (8, "scls", 7), (7, "nnls", 6), (7, "ucls", 6)):
        library("l.csv", random.uniform(0, 9, (count, 6)))
        refuse(["l.csv: %d endmembers in 6 bands" % count, "take at most %d" % most],
               "unmix", "s", "l.csv", "o", "--method", method)
    library("l.csv", np.vstack([spectra, spectra[:2].mean(0)]))
    refuse(["l.csv: endmember 4 (m4) is a mixture", "leave it out"], "unmix", "s", "l.csv", "o")


@group
def other_files():
    "endmembers, labels and outputs that do not fit"
    spectra = random.uniform(10, 100, (3, 6)).round(2)
    put("s", mixtures((4, 5), spectra))
    truth = random.integers(1, 3, (4, 5)).astype("u1")
    put("t", truth, "line,sample")
    for count in (5, 7):
        library("l.csv", np.resize(spectra, (3, count)))
        for words in (["unmix", "s", "l.csv", "o"], ["classify", "s", "l.csv", "o", "--by", "sad"],
                      ["follow", "s", "f", "--endmembers", "l.csv", "--keep", "labels", "--once"],
                      ["report", "o.html", "--scene", "s", "--endmembers", "l.csv"]):
            refuse(["l.csv: has %d bands; s has 6" % count, "without wavelengths"], *words)
    library("l.csv", spectra, "wavelength (nm)")
    do("unmix", "s", "l.csv", "o")  # The scene has no wavelengths: the number of bands decides.
    forget("o")
    for bad, says in ((np.nan, "not finite"), (np.inf, "not finite"), (0, "zero")):
        spectra[1] = np.where(np.arange(6) == 2, bad, spectra[1]) if bad != 0 else 0
        library("bad.csv", spectra)
        refuse(["bad.csv: endmember 2 (m2) is " + says], "unmix", "s", "bad.csv", "o", "--normalise")
        refuse(["bad.csv: endmember 2 is " + says], "classify", "s", "bad.csv", "o", "--by", "sad")
        refuse(["bad.csv: endmember 2 or reference 1 is zero or not finite"], "score", "--endmembers", "bad.csv",
               "--reference", "l.csv")
    # Classes of another size are used at their coordinates; empty ones, or values that are no classes, are refused.
    for shape in ((9, 5), (2, 3)):
        classes = random.integers(1, 3, shape).astype("u1")
        put("u", classes, "line,sample")
        lines, samples = min(4, shape[0]), min(5, shape[1])
        score = do("score", "t", "u", "--same", "--truth-at", "0,0", "--json")["score"]
        right = (truth[:lines, :samples] == classes[:lines, :samples]).mean()
        hold(score["labelled_pixels"] == lines * samples and abs(score["overall_accuracy"] - right) < 1e-12, score)
        refuse(["u: has %d x %d cells, the scene 4 x 5" % shape, "--truth-at"],
               "score", "t", "u", "--truth-at", "scene")
    for cells, says in ((np.full((4, 5), -3, "i2"), "a class is -3"),
                        (np.full((4, 5), 70000, "i4"), "a class is 70000"), (np.full((4, 5), 1.5), "does not fit"),
                        (np.full((4, 5), np.nan), "does not fit"),
                        (np.zeros((4, 5), "u1"), "no pixel has a class")):
        put("u", cells, "line,sample")
        refuse(["u: ", says], "score", "t", "u")
    # Results that cannot be written to their path, or exist already.
    for there in ("none/o", "l.csv/o"):
        for words in (["pct", "s", there], ["unmix", "s", "l.csv", there],
                      ["unmix", "s", "l.csv", "o", "--residual", there],
                      ["classify", "s", "l.csv", there, "--by", "sad"], ["follow", "s", there, "--count", 2, "--once"],
                      ["endmembers", "s", there + ".csv", "--count", 2], ["report", there + ".html", "--scene", "s"]):
            refuse([there], *words)
    kept = open("t.xta", "rb").read()
    for words in (["pct", "s", "t"], ["unmix", "s", "l.csv", "t"], ["classify", "s", "l.csv", "t", "--by", "sad"],
                  ["classify", "s", "l.csv", "o", "--by", "sad", "--angles", "t"],
                  ["endmembers", "s", "o.csv", "--count", 2, "--method", "ppi", "--image", "t"]):
        refuse(["t.xmd: there is an array of this name", "choose another name"], *words)
    hold(open("t.xta", "rb").read() == kept, "the array that was there")
    # Memory that is far too small.
    for words in (["count", "s"], ["pct", "s", "o"], ["unmix", "s", "l.csv", "o"],
                  ["endmembers", "s", "o.csv", "--count", 2],
                  ["classify", "s", "o", "--supervised", "lda", "--truth", "t"], ["report", "o.html", "--scene", "s"],
                  ["follow", "s", "f", "--count", 2, "--once"]):
        refuse(["s: memory of 1000 bytes", "bytes are needed"], *words, "--memory", 1000)
    refuse(["s: AMEE needs", "bytes of memory"], "endmembers", "s", "o.csv", "--count", 2, "--method", "amee",
           "--memory", 100000, "--threads", 1, "--radius", 15, "--iterations", 64)


@group
def trained():
    "training and scores where pixels, bands or abundances are missing, against NumPy"
    spectra = random.uniform(10, 100, (3, 6)).round(2)
    library("l.csv", spectra)
    truth = random.integers(0, 4, (12, 15)).astype("u1")
    cells = spectra[(truth.astype(int) - 1).clip(0)] + random.normal(0, 0.3, (12, 15, 6))
    cells[2], cells[3, 3, 3] = np.nan, np.inf
    valid = np.isfinite(cells).all(2)
    put("t", truth, "line,sample")
    for odd in ("", "a constant band", "and one twice"):
        if odd:
            cells[:, :, 2] = 7 if odd == "a constant band" else cells[:, :, 4]
        put("s", np.where(valid[:, :, None], cells, np.nan))
        for method in ("lda", "ml"):
            score = do("classify", "s", "o", "--supervised", method, "--truth", "t", "--components", "full", "--json")
            labels = get("o")
            hold(((labels == 0) == ~valid).all(), odd, method, "labels where there is no data")
            hold((labels == truth)[valid & (truth > 0)].all(), odd, method, "labels of classes far apart")
            n = (valid & (truth > 0)).sum() - score["trained_on"]
            hold(score["score"]["labelled_pixels"] == n, odd, method, "scored", score["score"]["labelled_pixels"], n)
    do("unmix", "s", "l.csv", "mine")
    mine = get("mine")
    put("mine", mine, "endmember,line,sample")
    other = random.dirichlet([1, 1, 1], (12, 15)).transpose(2, 0, 1)
    other[:, 7, 7] = np.nan
    put("other", other, "endmember,line,sample")
    score = do("score", "--endmembers", "l.csv", "--reference", "l.csv", "--abundances", "mine", "--truth-abundances",
               "other", "--scene", "s", "--json")
    want = np.sqrt(np.nanmean((mine - other) ** 2))
    hold(abs(score["abundance_rmse"] - want) < 1e-9 * want, "aRMSE", score["abundance_rmse"], want)
    want = np.sqrt(((mine.transpose(1, 2, 0) @ spectra - cells)[valid] ** 2).mean())
    hold(abs(score["reconstruction_rmse"] - want) < 1e-6 * want, "rRMSE", score["reconstruction_rmse"], want)
    forget("mine", "other")


@group
def envi():
    "ENVI of negative whole numbers, all interleaves and both byte orders: the results of the .npy"
    if not has_bridge("gdal"):
        return
    cells = random.integers(-3000, 3000, (7, 9, 5)).astype("i2")
    library("l.csv", random.uniform(-3000, 3000, (3, 5)))

    def results(name):
        texts = [do("count", name), do("pct", name, "o"), do("endmembers", name, "o.csv", "--count", 4)]
        scores = get("o")
        texts.append(spectra_of("o.csv").tobytes())
        do("unmix", name, "l.csv", "o")
        return texts, scores.tobytes(), get("o").tobytes()

    put("s", cells)
    want = results("s")
    for interleave, order in (("bsq", (2, 0, 1)), ("bil", (0, 2, 1)), ("bip", (0, 1, 2))):
        for big in (0, 1):
            path = "e." + interleave
            cells.transpose(order).astype(">i2" if big else "<i2").tofile(path)
            with open("e.hdr", "w") as header:
                header.write("ENVI\nsamples = 9\nlines = 7\nbands = 5\nheader offset = 0\ndata type = 2\n"
                             "interleave = %s\nbyte order = %d\n" % (interleave, big))
            forget("e")
            done = run("import", path, "e")
            hold(done.returncode == 0, interleave, big, done.stderr)
            hold(results("e") == want, interleave, "byte order", big, "gives something else")
            with open(path, "rb+") as file:
                file.truncate(627)
            done = run("import", path, "cut")
            hold(done.returncode == 1 and "ends after 627 bytes; its header tells of 630" in done.stderr, done.stderr)
            hold(not os.path.exists("cut.xmd"), "a cut file left an array")
            forget("e", path)
    forget("o.csv")


@group
def matlab():
    "a .mat that was cut at any length is refused"
    if not has_bridge("matlab"):
        return
    put("t", random.integers(1, 4, (12, 10)).astype("u1"), "line,sample")
    hold(run("export", "t", "whole.mat").returncode == 0, "export")
    hold("overall accuracy 100.00 %" in do("score", "t", "whole.mat"), "the whole file")
    whole = open("whole.mat", "rb").read()
    for length in sorted({0, 1, 127, 128, 129, 136, 150, len(whole) // 2, len(whole) - 8, len(whole) - 1}):
        with open("cut.mat", "wb") as file:
            file.write(whole[:length])
        refuse(["cut.mat: "], "score", "t", "cut.mat")
        refuse(["cut.mat: "], "unmix", "t", "cut.mat:t", "o")
    forget("cut.mat", "whole.mat")

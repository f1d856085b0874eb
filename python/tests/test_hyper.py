# SPDX-License-Identifier: Apache-2.0
"""xta.hyper has the bits of `xta hyper`, whether a scene is in files or in NumPy, and agrees with NumPy's formulas."""
from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import threading
import unittest
from typing import Any

import numpy as np
import xta
from hyper_support import METHODS, HyperCase
from support import steps
from xta import hyper


class OfTheCommand(HyperCase):
    def random_scene(self, name: str) -> tuple[xta.Array, Any]:
        """A scene of any type and order of axes, which has grown at the front, with no-data; and the same in NumPy."""
        order = self.random.sample(("line", "sample", "band"), 3)
        sizes = {"line": self.random.randint(8, 40), "sample": self.random.randint(5, 30), "band": self.random.randint(6, 20)}
        dtype = self.random.choice(("f4", "f8", "u1", "i2", "u2"))
        _, _, cells = self.mixtures((sizes["line"], sizes["sample"]), sizes["band"], 4, 0.01)
        cells = cells if dtype[0] == "f" else np.clip(cells * 100, 0, 255).round()
        if self.random.random() < 0.5:
            cells[self.numbers.random(cells.shape[:2]) < 0.1] = 99
        values = np.moveaxis(cells.astype(dtype), [("line", "sample", "band").index(axis) for axis in order], (0, 1, 2))
        front = self.random.randint(0, 5)
        a = xta.create(
            self.path(name), [sizes[axis] - front * (axis == "line") for axis in order], dtype,
            [self.random.randint(2, 16) for _ in order], order,
        )
        a.extend({"line": front}, front=True)
        a.write(values)
        return a, hyper.open(values, dims=order, nodata=[99], threads=self.random.randint(1, 3))

    def test_random(self) -> None:
        """Synthetic scenes. Positions of NumPy's are coordinates less the lowest line."""
        for k in range(steps(4)):
            a, memory = self.random_scene(f"s{k}")
            scene = hyper.open(a, nodata=[99], threads=self.random.randint(1, 3))
            front = scene.bounds[0][0]
            method, seed, count = self.random.choice(METHODS), self.random.randint(0, 99), self.random.randint(2, 4)
            words = ["--nodata", 99, "--count", count, "--method", method, "--json"]
            words += ["--seed", seed] if method in ("vca", "ppi") else []
            told = json.loads(self.tool("hyper", "endmembers", f"s{k}", f"e{k}.csv", *words))
            found = hyper.endmembers(scene, count, method, seed=seed)
            self.same_endmembers(found, f"e{k}.csv", told)
            again = hyper.endmembers(memory, count, method, seed=seed)
            self.assertSame(again.spectra, found.spectra, method)
            self.assertEqual(again.lines.tolist(), (found.lines - front).tolist())
            constraint, normalise = self.random.choice(list(hyper.CONSTRAINTS)), self.random.random() < 0.5
            words = ["--nodata", 99, *(["--normalise"] if normalise else [])]
            self.tool(
                "hyper", "unmix", f"s{k}", f"e{k}.csv", f"u{k}", "--method", constraint, "--residual", f"r{k}", *words
            )
            out = hyper.unmix(
                scene, found, constraint, normalise=normalise, out=self.path(f"v{k}"), residual=self.path(f"w{k}")
            )
            self.assertEqual([a.mode for a in out], ["r", "r"])
            self.same_array(f"u{k}", f"v{k}")
            self.same_array(f"r{k}", f"w{k}")
            left = hyper.unmix(memory, found, constraint, normalise=normalise, residual=True)
            self.assertSame(left[0], out[0][...])
            self.assertSame(left[1], out[1][...])
            self.label(k, a, scene, memory, found)
            kind = self.random.choice(({}, {"mnf": True}, {"uncentred": True}))
            words = ["--nodata", 99, "--components", 3, *(f"--{name}" for name in kind)]
            self.tool("hyper", "pct", f"s{k}", f"p{k}", "--basis", f"b{k}", *words)
            basis = hyper.pct(scene, 3, **kind)
            hyper.project(scene, basis, self.path(f"q{k}"))
            self.same_array(f"p{k}", f"q{k}")
            basis.write(self.path(f"c{k}"))
            with open(self.path(f"b{k}"), "rb") as one, open(self.path(f"c{k}"), "rb") as other:
                self.assertEqual(one.read(), other.read())
            self.assertSame(hyper.project(scene, hyper.read_basis(self.path(f"b{k}"))), self.cells(f"p{k}"))

    def label(self, k: int, a: Any, scene: Any, memory: Any, found: Any) -> None:
        """Labels, with and without training, and their scores."""
        nodata = ("--nodata", 99)
        self.tool("hyper", "classify", f"s{k}", f"e{k}.csv", f"l{k}", "--by", "sad", "--angles", f"a{k}", *nodata)
        labels, angles = hyper.classify(memory, found, angles=True)
        self.assertSame(labels, self.cells(f"l{k}"))
        self.assertSame(angles, self.cells(f"a{k}"))
        self.tool("hyper", "classify", f"s{k}", f"e{k}.csv", f"m{k}", "--by", "abundance", *nodata)
        by_share = hyper.classify(scene, found, "abundance", out=self.path(f"n{k}"))
        self.assertSame(by_share[...], self.cells(f"m{k}"))
        truth = self.numbers.integers(0, 4, labels.shape, np.uint8)
        (line, _), (sample, _) = scene.bounds
        with xta.create(self.path(f"t{k}"), (labels.shape[0] + line, labels.shape[1]), "u1", dims=("line", "sample")) as t:
            t.extend({"line": -line}, front=True)
            t.write(truth)
        by, seed = self.random.choice(("lda", "ml")), self.random.randint(0, 9)
        words = ("--supervised", by, "--truth", f"t{k}", "--train", 0.3, "--components", 3, "--seed", seed, "--json")
        told = json.loads(self.tool("hyper", "classify", f"s{k}", f"c{k}", *words, *nodata))
        options: dict[str, Any] = {"train": 0.3, "components": 3, "seed": seed}
        for given in (self.path(f"t{k}"), truth, xta.open(self.path(f"t{k}"))):
            trained, accuracy, n_trained = hyper.classify_supervised(scene, given, by, **options)
            self.assertSame(trained, self.cells(f"c{k}"))
            self.same_accuracy(accuracy, told["score"])
            self.assertEqual(n_trained, told["trained_on"])
        told = json.loads(self.tool("hyper", "score", f"c{k}", f"t{k}", "--json"))
        self.same_accuracy(hyper.score_labels(trained, xta.open(self.path(f"t{k}"))), told["score"])

    def same_accuracy(self, found: hyper.Accuracy, told: dict[str, Any]) -> None:
        self.assertEqual(found.confusion.tolist(), told["confusion"])
        self.assertEqual((found.n, found.correct), (told["labelled_pixels"], told["correct"]))
        for name, number in (
            ("overall_accuracy", found.overall), ("average_accuracy", found.average), ("kappa", found.kappa),
            ("class_size_score", found.class_size), ("class_size_overlap", found.class_overlap),
        ):
            self.assertEqual(told[name], number, name)
        self.assertEqual([c["class"] for c in told["classes"]], found.classes.tolist())
        self.assertEqual([-1 if c["label"] is None else c["label"] for c in told["classes"]], found.label_of.tolist())


class OfNumPy(HyperCase):
    """Against formulas written down plainly."""

    def test_unmix(self) -> None:
        spectra, abundances, cells = self.mixtures((9, 7), 12, 3)
        pixels = cells.reshape(-1, 12)
        free = np.linalg.lstsq(spectra.T, pixels.T, rcond=None)[0].reshape(3, 9, 7)
        np.testing.assert_allclose(hyper.unmix(cells, spectra, "ucls", dtype="f8"), free, atol=1e-9)
        found, left = hyper.unmix(cells, spectra, residual=True, dtype="f8")
        self.assertLess(np.abs(found.sum(0) - 1).max(), 1e-9)
        self.assertGreaterEqual(found.min(), 0)
        self.assertLess(np.abs(found - np.moveaxis(abundances, 2, 0)).max(), 0.05)
        rebuilt = np.tensordot(found, spectra, (0, 0))
        np.testing.assert_allclose(left, np.sqrt(((cells - rebuilt) ** 2).mean(2)), atol=1e-9)

    def test_moments(self) -> None:
        cells = self.numbers.normal(5, 2, (40, 11, 5))
        pixels, of = cells.reshape(-1, 5), hyper.moments(cells, noise=True)
        self.assertEqual(of.n_pixels, 440)
        np.testing.assert_allclose(of.mean, pixels.mean(0))
        np.testing.assert_allclose(of.covariance, np.cov(pixels.T))
        np.testing.assert_allclose(of.correlation, pixels.T @ pixels / len(pixels))
        differences = (cells[:, 1:] - cells[:, :-1]).reshape(-1, 5)
        np.testing.assert_allclose(of.noise, np.cov(differences.T) / 2)
        self.assertIsNone(hyper.moments(cells).noise)
        basis = hyper.pct(cells)
        np.testing.assert_allclose(basis.eigenvalues, np.linalg.eigvalsh(np.cov(pixels.T))[::-1])
        np.testing.assert_allclose(basis.vectors @ basis.vectors.T, np.eye(5), atol=1e-12)
        wanted = (pixels - basis.mean) @ basis.vectors.T
        np.testing.assert_allclose(hyper.project(cells, basis, dtype="f8"), wanted.T.reshape(5, 40, 11), atol=1e-9)
        self.assertRaises(ValueError, basis.mean.__setitem__, 0, 1)

    def test_labels(self) -> None:
        spectra, _, cells = self.mixtures((9, 8), 6, 3)
        cells[2, 3], cells[4, 4, 0] = 0, np.nan
        labels, angles = hyper.classify(cells, spectra, angles=True)
        lengths = np.maximum(np.linalg.norm(cells, axis=2, keepdims=True), 1e-9) * np.linalg.norm(spectra, axis=1)
        cosines = cells @ spectra.T / lengths
        wanted = np.argmax(cosines, 2) + 1
        wanted[2, 3] = wanted[4, 4] = 0
        self.assertSame(labels, wanted.astype("u1"))
        known = wanted > 0
        np.testing.assert_allclose(angles[known], np.arccos(cosines.max(2)[known]), atol=1e-6)
        self.assertTrue(np.isnan(angles[~known]).all())
        self.assertSame(hyper.classify(cells, spectra, "abundance")[known],
                        np.argmax(hyper.unmix(cells, spectra, dtype="f8"), 0)[known].astype("u1") + np.uint8(1))

    def test_scores(self) -> None:
        spectra = self.numbers.random((4, 6)) + 0.1
        mixed = self.random.sample(range(4), 4)
        score = hyper.score_endmembers(spectra[mixed], spectra)
        self.assertEqual([mixed[row] for row in score.endmember_of], [0, 1, 2, 3])
        self.assertLess(score.max, 1e-7)
        truth = np.array([[1, 1, 2, 2, 0], [2, 5, 5, 5, 1]])
        swapped = np.choose(truth, [9, 5, 1, 0, 0, 2])
        self.assertEqual(hyper.score_labels(swapped, truth).overall, 1)
        self.assertEqual(hyper.score_labels(swapped, truth, same=True).correct, 0)
        self.assertEqual(hyper.score_labels(truth > 4, truth > 4).classes.tolist(), [1])

    def test_scene(self) -> None:
        """Axes by name and number, bands in use, no-data, and boxes of pixels."""
        cells = self.numbers.random((5, 6, 7))
        cells[2, 3, 4] = -1
        with hyper.open(cells, bands=0, lines=2, samples=1, use_bands=[1, 3, 4], nodata=[-1]) as scene:
            self.assertEqual((scene.shape, scene.bands.tolist()), ((7, 6, 3), [1, 3, 4]))
            pixels, valid = scene.read((1, 5), (2, 4))
            self.assertSame(pixels, np.moveaxis(cells, (2, 1, 0), (0, 1, 2))[1:5, 2:4, [1, 3, 4]])
            self.assertTrue(valid.all())
            self.assertIn("7 lines, 6 samples, 3 bands", repr(scene))
            self.assertEqual((scene.wavelengths, scene.wavelength_unit, scene.gain, scene.path), (None, "", None, None))
            self.assertEqual(scene.read((3, 3))[0].shape, (0, 6, 3))
        self.assertTrue(scene.closed)
        with hyper.open(cells, dims=("band", None, "line"), nodata=[-1]) as scene:
            self.assertFalse(scene.read()[1][4, 3])
            self.assertEqual(scene.read()[1].sum(), 41)
        a = xta.from_numpy(self.path("a"), cells, dims=("y", "x", "band"))
        a.axes["band"].attrs["wavelength"] = np.arange(7) * 10.0 + 400
        a.axes["band"].attrs["bbl"] = np.array([1, 1, 0, 1, 1, 1, 1])
        scene = hyper.open(a)
        self.assertEqual(scene.bands.tolist(), [0, 1, 3, 4, 5, 6])
        assert scene.wavelengths is not None
        self.assertEqual(scene.wavelengths.tolist(), [400, 410, 430, 440, 450, 460])
        self.assertEqual(hyper.open(a, bad_bands_too=True).shape[2], 7)

    def test_snapshot(self) -> None:
        """A scene of an array is its snapshot, one of a path is what is there."""
        _, _, cells = self.mixtures((20, 10), 8, 3)
        a = xta.from_numpy(self.path("a"), cells, dims=("line", "sample", "band"))
        old = xta.open(a.path)
        before = hyper.moments(old)
        a.append(cells[:3] * 2, "line")
        a.append(cells[:4] * 3, "line", front=True)
        self.assertSame(hyper.moments(old).covariance, before.covariance)
        self.assertEqual(hyper.open(old).bounds, ((0, 20), (0, 10)))
        self.assertEqual(hyper.open(a.as_of(1)).bounds, ((0, 23), (0, 10)))
        self.assertEqual(hyper.open(a.path).bounds, ((-4, 23), (0, 10)))
        old.refresh()
        self.assertEqual(hyper.open(old).shape, (27, 10, 8))


class Calls(HyperCase):
    def test_threads(self) -> None:
        """Threads share a scene, results do not depend on their number, and others of Python run meanwhile."""
        _, _, cells = self.mixtures((120, 60), 20, 4)
        scene = hyper.open(cells, threads=3)
        wanted = hyper.unmix(hyper.open(cells, threads=1), cells[0, :3]).tobytes()
        found: list[bytes] = []
        workers = [threading.Thread(target=lambda: found.append(hyper.unmix(scene, cells[0, :3]).tobytes())) for _ in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(found, [wanted] * 6)
        ticks = 0
        work = threading.Thread(target=lambda: hyper.endmembers(scene, 4, "ppi", projections=4000))
        work.start()
        while work.is_alive():
            ticks += 1
            work.join(0.001)
        self.assertGreater(ticks, 5)

    def test_fork(self) -> None:
        """A child goes on with the scene."""
        cells = self.numbers.random((9, 9, 5))
        scene = hyper.open(xta.from_numpy(self.path("a"), cells, dims=("y", "x", "band")))
        wanted = hyper.unmix(scene, cells[0, :2])
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(hyper.unmix(scene, cells[0, :2]), wanted) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertSame(hyper.unmix(scene, cells[0, :2]), wanted)

    def test_blas_threads(self) -> None:
        """A call needs BLAS of one thread; afterwards NumPy has as many as before, after failures too."""
        blas = ctypes.CDLL("libopenblas.so.0")
        self.addCleanup(blas.openblas_set_num_threads, blas.openblas_get_num_threads())
        blas.openblas_set_num_threads(2)
        cells = self.numbers.random((9, 9, 5))
        hyper.pct(cells)
        self.assertEqual(blas.openblas_get_num_threads(), 2)
        self.assertRaises(xta.ArgumentError, hyper.unmix, cells, np.ones((2, 5)))
        self.assertEqual(blas.openblas_get_num_threads(), 2)

    def test_interrupt(self) -> None:
        """A signal whose handler raises, as that of Ctrl-C, ends a call; the scene can be used on, no file is left."""

        class Interrupted(Exception):
            pass

        def interrupt(number: int, frame: Any) -> None:
            raise Interrupted

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        cells = self.numbers.random((3200, 20, 40))
        scene = hyper.open(cells, threads=1)
        for act in (
            lambda: hyper.endmembers(scene, 3, "ppi", projections=40000),
            lambda: hyper.unmix(scene, np.vstack([cells[0], cells[1, :4]]), out=self.path("u")),
        ):
            signal.setitimer(signal.ITIMER_REAL, 0.03)
            with self.assertRaises(Interrupted):
                act()
            self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(hyper.moments(scene).n_pixels, 64000)

    def test_out(self) -> None:
        """A failure leaves no new file, and those that were there as they were."""
        spectra, _, cells = self.mixtures((6, 5), 8, 3)
        xta.from_numpy(self.path("there"), np.ones(3))
        before = sorted(os.listdir(self.folder))
        there, new = self.path("there"), self.path("new")
        for act in (
            lambda: hyper.unmix(cells, spectra, out=there), lambda: hyper.unmix(cells, spectra, out=new, residual=there),
            lambda: hyper.unmix(cells, spectra, out=new, residual=new), lambda: hyper.classify(cells, spectra, out=there),
            lambda: hyper.classify(cells, spectra, out=new, angles=there),
            lambda: hyper.project(cells, hyper.pct(cells), there),
            lambda: hyper.classify_supervised(cells, np.arange(30).reshape(6, 5) % 3, out=there),
        ):
            self.assertRaises(xta.ExistsError, act)
            self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertRaises(xta.NotFoundError, hyper.unmix, cells, spectra, out=self.path("no/new"))
        with self.assertRaises(xta.ArgumentError):
            hyper.unmix(cells, np.vstack([spectra, spectra[:1]]), out=new)
        other = hyper.pct(self.numbers.random((6, 5, 7)))
        self.assertRaises(xta.ArgumentError, hyper.project, cells, other, new)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(self.cells("there").tolist(), [1, 1, 1])

    def test_errors(self) -> None:
        cells = self.numbers.random((6, 5, 4))
        spectra, truth = cells[0, :2], np.arange(30).reshape(6, 5) % 3
        with open(self.path("text"), "w") as text:
            text.write("no basis, but a text that is longer than the header of one\n" * 9)
        for k, (kind, act, word) in enumerate((
            (xta.NotFoundError, lambda: hyper.open(self.path("no")), "no"),
            (xta.ArgumentError, lambda: hyper.open(np.ones(3)), "lines"),
            (ValueError, lambda: hyper.open(3.0), "axes"),
            (xta.ArgumentError, lambda: hyper.open(cells, bands="q"), "'q'"),
            (ValueError, lambda: hyper.open(cells, dims=("x",)), "dims"),
            (ValueError, lambda: hyper.open(self.path("no"), dims=("x",)), "dims"),
            (xta.ArgumentError, lambda: hyper.open(cells, use_bands=[99]), "99"),
            (xta.TypeMismatchError, lambda: hyper.open(cells.astype("c16")), "real"),
            (ValueError, lambda: hyper.open(cells, threads=-1), "threads"),
            (xta.BoxError, lambda: hyper.open(cells).read((0, 9)), "bounds"),
            (ValueError, lambda: hyper.endmembers(cells, 0), "count"),
            (TypeError, lambda: hyper.endmembers(cells, 1.5), "float"),
            (ValueError, lambda: hyper.endmembers(cells, 3, "best"), "'best'"),
            (ValueError, lambda: hyper.endmembers(cells, 3, radius=0, method="amee"), "radius"),
            (ValueError, lambda: hyper.endmembers(cells, 3, "amee", basis=hyper.pct(cells)), "basis"),
            (ValueError, lambda: hyper.endmembers(cells, 3, "ppi", skewers=np.ones((3, 5))), "skewers"),
            (xta.ArgumentError, lambda: hyper.endmembers(cells, 3, "ppi", least=10**6), "candidate"),
            (xta.ArgumentError, lambda: hyper.endmembers(cells, 3, basis=hyper.pct(cells[..., :3])), "bas"),
            (xta.ArgumentError, lambda: hyper.endmembers(np.ones((3, 3, 2)), 3, "amee"), "3 endmembers"),
            (xta.ArgumentError, lambda: hyper.moments(np.full((2, 2, 2), np.nan)), "valid"),
            (xta.ArgumentError, lambda: hyper.count(cells, 2), "false"),
            (xta.ArgumentError, lambda: hyper.pct(cells, 9), "9"),
            (ValueError, lambda: hyper.pct(cells, mnf=True, uncentred=True), "exclude"),
            (xta.NotFoundError, lambda: hyper.read_basis(self.path("no")), "no"),
            (xta.FormatError, lambda: hyper.read_basis(self.path("text")), "text"),
            (xta.NotFoundError, lambda: hyper.pct(cells).write(self.path("no/b")), "no/b"),
            (ValueError, lambda: hyper.unmix(cells, spectra[:, :3]), "3 bands"),
            (ValueError, lambda: hyper.unmix(cells, spectra[0]), "shape"),
            (ValueError, lambda: hyper.unmix(cells, spectra, "free"), "'free'"),
            (ValueError, lambda: hyper.unmix(cells, spectra, names=["a"]), "names"),
            (TypeError, lambda: hyper.unmix(cells, spectra, dtype="i4"), "float32"),
            (TypeError, lambda: hyper.unmix(cells, spectra, names=["a\0b", "c"]), "no name"),
            (TypeError, lambda: hyper.open(cells, dims=("x", 1, "y")), "dims: 1"),
            (TypeError, lambda: hyper.project(cells, spectra), "ndarray"),
            (TypeError, lambda: hyper.endmembers(cells, 2, basis="pct:2"), "str"),
            (xta.ArgumentError, lambda: hyper.unmix(cells, [spectra[0]] * 2, names=("ash", "oak")), "ash"),
            (ValueError, lambda: hyper.classify(cells, spectra, "look"), "'look'"),
            (ValueError, lambda: hyper.classify(cells, spectra, "abundance", angles=True), "angles"),
            (xta.ArgumentError, lambda: hyper.classify(cells, spectra * [[0], [1]]), "zero"),
            (ValueError, lambda: hyper.classify_supervised(cells, truth[1:]), "truth"),
            (ValueError, lambda: hyper.classify_supervised(cells, truth, train=1), "train"),
            (xta.ArgumentError, lambda: hyper.classify_supervised(cells, truth * 0 + 1), "class"),
            (xta.RangeError, lambda: hyper.classify_supervised(cells, truth - 1), "-1"),
            (xta.NotFoundError, lambda: hyper.classify_supervised(cells, self.path("no")), "no"),
            (ValueError, lambda: hyper.score_labels(truth, truth[1:]), "shape"),
            (xta.RangeError, lambda: hyper.score_labels(truth, truth - 1), "-1"),
            (TypeError, lambda: hyper.score_labels(truth, truth * 0.5), "whole"),
            (xta.ArgumentError, lambda: hyper.score_labels(truth, truth * 0), "label"),
            (xta.ArgumentError, lambda: hyper.score_endmembers(spectra * 0, spectra), "zero"),
            (ValueError, lambda: hyper.score_endmembers(spectra, spectra[:, 1:]), "bands"),
        )):
            with self.subTest(k=k, word=word), self.assertRaises(kind) as caught:
                act()
            self.assertIn(word, str(caught.exception))
        self.assertEqual(hyper.unmix(cells[:0], spectra).shape, (2, 0, 5))
        scene = hyper.open(cells)
        scene.close()
        scene.close()
        self.assertRaises(xta.ClosedError, hyper.moments, scene)
        self.assertRaises(xta.ClosedError, scene.read)
        wide = np.ones((4, 4, 2000))
        with self.assertRaisesRegex(xta.ArgumentError, "bytes are needed"):
            hyper.open(wide, memory_bytes=1000)
        with self.assertRaisesRegex(xta.OutOfMemoryError, "moments"):
            hyper.moments(hyper.open(wide, memory_bytes=70 << 20, threads=1))

    def test_page(self) -> None:
        """The example of HYPER.md runs as it stands."""
        with open(os.path.join(os.environ["XTA_SOURCE_DIR"], "python", "HYPER.md"), encoding="utf-8") as text:
            (block,) = re.findall(r"```python\n(.*?)```", text.read(), re.S)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        exec(compile(block, "HYPER.md", "exec"), {})
        made = ["results", "shares.xmd", "shares.xta", "valley.basis", "valley.xmd", "valley.xta"]
        self.assertEqual(sorted(os.listdir(self.folder)), made)

    def test_missing_library(self) -> None:
        """Without the extension the package works, and says what xta.hyper needs."""
        program = "import sys; sys.modules['xta._hyper'] = None; import xta; print(xta.reduce([1.0]))\nxta.hyper"
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((ran.stdout, ran.returncode), ("1.0\n", 1), ran.stderr)
        self.assertIn("ImportError: xta.hyper: this build of the package has no libxta_hyper", ran.stderr)


if __name__ == "__main__":
    unittest.main()

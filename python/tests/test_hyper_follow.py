# SPDX-License-Identifier: Apache-2.0
"""Followers and synthetic scenes of xta.hyper, beside `xta hyper follow` and `xta hyper synth`."""
from __future__ import annotations

import os
import shutil
import signal
import time
import unittest
from typing import Any

import numpy as np
import xta
from hyper_support import METHODS, HyperCase
from support import steps
from xta import hyper


class Follow(HyperCase):
    def scene(self, name: str, n_lines: int = 12) -> Any:
        """Cells of a scene that has grown to its lines, and the array."""
        _, _, cells = self.mixtures((60, 9), 8, 4, 0.01)
        a = xta.create(self.path(name), (0, 9, 8), "f4", (5, 4, 8), ("line", "sample", "band"))
        a.append(cells[:n_lines], "line")
        return a, cells.astype("f4")

    def same_folder(self, one: str, other: str) -> None:
        """Of two followers, to the byte where the files say nothing of their history, nor of the kernels of OpenBLAS,
        which the command chooses for itself."""
        names = sorted(os.listdir(self.path(one)))
        self.assertEqual(names, sorted(os.listdir(self.path(other))))
        for name in names:
            if name == "labels.xmd":  # the command adds names and colours of classes
                self.assertSame(self.cells(f"{one}/labels"), self.cells(f"{other}/labels"))
            elif name.endswith(".xmd"):
                self.same_array(f"{one}/{name[:-4]}", f"{other}/{name[:-4]}")
            elif not name.endswith((".xta", ".lock", ".state")):
                with open(self.path(f"{one}/{name}"), "rb") as x, open(self.path(f"{other}/{name}"), "rb") as y:
                    self.assertEqual(x.read(), y.read(), name)

    def test_command(self) -> None:
        """Random options and growth at both ends: the folder of the command, made at once of the grown scene."""
        for k in range(steps(6)):
            a, cells = self.scene(f"s{k}")
            method, seed = self.random.choice(METHODS), self.random.randint(0, 9)
            keep = self.random.sample(sorted({"basis", "ppi", "mei", "endmembers", "labels", "abundances"}), 3)
            constraint = self.random.choice(("fcls", "scls"))
            words = ["--count", 3, "--method", method, "--keep", ",".join(keep), "--unmix", constraint]
            words += ["--seed", seed] if method in ("vca", "ppi") or "ppi" in keep else []
            options: dict[str, Any] = {"keep": keep, "constraint": constraint}
            options |= {"seed": seed} if "--seed" in words else {}
            at, done = 12, (0, 0)
            with hyper.follow(a, self.path(f"f{k}"), 3, method, **options) as follower:
                self.assertEqual(follower.update().lines, (0, 12))
                while at < 60:
                    n, front = self.random.randint(1, 20), self.random.random() < 0.5
                    block = cells[at : at + n]
                    a.append(block, "line", front=front)
                    at += len(block)
                    told = follower.update()
                    done = told.lines
                    self.assertEqual((told.lines, told.lines_new, told.changed), (a.bounds[0], len(block), True))
                self.assertFalse(follower.update().changed)
                self.assertEqual(follower.scene.bounds[0], done)
                found = follower.endmembers
            self.tool("hyper", "follow", f"s{k}", f"g{k}", "--once", *words)
            self.same_folder(f"f{k}", f"g{k}")
            if {"endmembers", "labels", "abundances"} & set(keep):
                assert found is not None
                self.assertSame(found.spectra, self.spectra_of(f"g{k}/endmembers.csv"))
                self.assertSame(found.spectra, hyper.endmembers(a, 3, method, seed=seed).spectra)
                self.assertEqual((len(found), found.wanted, found.method), (3, 3, method))
            else:
                self.assertIsNone(found)

    def test_scores(self) -> None:
        """Endmembers that stay get the scores of the grown scene in endmembers.csv, too: eccentricities depend on
        neighbours, which pixels at the ends get late."""
        n_kept = 0
        for seed in range(steps(20)):
            self.numbers = np.random.default_rng(seed)
            a, cells = self.scene(f"s{seed}", 20)
            with hyper.follow(a, self.path(f"f{seed}"), 3, "amee", keep="endmembers") as follower:
                follower.update()
                for at in range(20, 60, 4):
                    before = follower.endmembers
                    a.append(cells[at : at + 4], "line", front=at % 8 == 0)
                    told, after = follower.update(), follower.endmembers
                    assert before is not None and after is not None
                    n_kept += not told.endmembers_changed and before.scores.tolist() != after.scores.tolist()
                    with open(self.path(f"f{seed}/endmembers.csv")) as text:
                        written = [float(line.rsplit(" ", 1)[1]) for line in text if line.startswith("# em")]
                    self.assertEqual(written, after.scores.tolist(), f"seed {seed}, {told.lines}")
        self.assertGreater(n_kept, 0)

    def test_given(self) -> None:
        """Endmembers that are given: labels of old lines are not computed again, and are those of classify."""
        a, cells = self.scene("s")
        spectra = hyper.endmembers(a, 3).spectra
        with hyper.follow(a.path, self.path("f"), endmembers=spectra, keep="labels") as follower:
            follower.update()
            a.append(cells[12:20], "line", front=True)
            told = follower.update()
            self.assertEqual((told.results["labels"].fate, told.results["labels"].n_lines), ("more", 8))
            self.assertFalse(told.endmembers_changed or told.from_start)
        labels = hyper.classify(a, spectra)
        self.assertSame(self.cells("f/labels"), labels)

    def test_refused(self) -> None:
        a, _ = self.scene("s")
        folder = self.path("f")
        follower = hyper.follow(a, folder, 3)
        with self.assertRaisesRegex(xta.ExistsError, "another"):
            hyper.follow(a, folder, 3)
        follower.update()
        follower.close()
        follower.close()
        with self.assertRaises(xta.ClosedError):
            follower.update()
        with self.assertRaises(xta.ClosedError):
            follower.endmembers
        with self.assertRaisesRegex(xta.ArgumentError, "3"):
            hyper.follow(a, folder, 4)
        with hyper.follow(a, folder, 4, again=True) as follower:
            self.assertEqual((follower.update().n_endmembers, len(follower.endmembers or ())), (4, 4))
        for wrong in (
            {"keep": ()}, {"keep": ["label"]}, {"method": "best"}, {"count": -1}, {"endmembers": np.ones((2, 7))},
            {"skewers": [1.0]}, {"skewers": [[np.nan] * 8]}, {"labels_by": "hand"}, {"constraint": "none"}, {"radius": 16},
        ):
            with self.assertRaisesRegex(ValueError, f"^{next(iter(wrong))}", msg=str(wrong)):
                hyper.follow(a, folder, **({"count": 4} | wrong))
        with self.assertRaisesRegex(ValueError, "directions of the skewers"):
            hyper.follow(a, self.path("g"), 3, "ppi", skewers=np.ones((4, 5)))
        with open(os.path.join(folder, "follow.state"), "r+b") as state:
            state.truncate(20)
        with self.assertRaises(xta.CorruptError):
            hyper.follow(a, folder, 4)

    def test_reasons(self) -> None:
        """Why there are no endmembers is told of a scene with any name, and without the name."""
        path = self.path("y" + "\u00e9" * 100)
        with xta.from_numpy(path, np.full((4, 5, 6), np.nan, "f4"), dims=("line", "sample", "band")) as a:
            with hyper.follow(a, self.path("f"), 3) as follower:
                told = follower.update().results["endmembers"]
                self.assertEqual(told.fate, "absent")
                self.assertNotIn("\u00e9", told.why)
                self.assertGreater(len(told.why), 10)
                self.assertIsNone(follower.endmembers)

    def test_again(self) -> None:
        """What a folder that is opened again knows; and a child of fork does not keep it locked."""
        a, _ = self.scene("s")
        for method in METHODS:
            folder = self.path(method)
            with hyper.follow(a, folder, 3, method) as follower:
                follower.update()
                first = follower.endmembers
            with hyper.follow(a, folder, 3, method) as follower:
                self.assertFalse(follower.update().changed)
                second = follower.endmembers
                child = os.fork()
                if child == 0:
                    time.sleep(60)
                    os._exit(0)
            try:
                hyper.follow(a, folder, 3, method).close()
            finally:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            assert first is not None and second is not None
            for name in ("spectra", "lines", "samples", "scores"):
                self.assertSame(getattr(second, name), getattr(first, name), name)
            self.assertEqual((first.converged, first.log_volume), (None, None))

    def test_interrupted(self) -> None:
        """A signal handler that raises ends an update; one that closes is refused, and the scene tells its bounds."""
        for k, act in enumerate((lambda: follower.close(), lambda: 1 / 0)):
            a, cells = self.scene(f"s{k}")
            cells = np.tile(cells, (200, 1, 1))
            follower = hyper.follow(a, self.path(f"f{k}"), 4, restarts=1000)
            follower.update()
            a.append(cells, "line")

            def handle(number: int, frame: Any, act: Any = act) -> None:
                act()

            before = signal.signal(signal.SIGALRM, handle)
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            try:
                with self.assertRaises((xta.StateError, ZeroDivisionError)):
                    follower.update()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)
            self.assertEqual(follower.scene.bounds[0], (0, 12 + len(cells)))
            self.assertIsNone(follower.endmembers)
            follower.close()

    def test_scene(self) -> None:
        """A Scene that is open, with no-data, and one of NumPy; a scene that is closed first."""
        a, cells = self.scene("s")
        scene = hyper.open(a.path, nodata=[float(cells[3, 3, 0])])
        with hyper.follow(scene, self.path("f"), 2) as follower:
            follower.update()
        self.assertFalse(scene.closed)
        self.assertEqual(self.cells("f/labels")[3, 3], 0)
        with hyper.follow(cells, self.path("m"), 2) as follower:
            self.assertEqual(follower.update().lines, (0, 60))
        self.assertEqual(self.cells("m/labels").shape, (60, 9))
        follower = hyper.follow(scene, self.path("f"), 2)
        scene.close()
        with self.assertRaises(xta.ClosedError):
            follower.update()
        follower.close()
        shutil.rmtree(self.path("f"))


class Synth(HyperCase):
    def test_command(self) -> None:
        """Random options: the cells of the command, at once and in swaths."""
        for k in range(steps(8)):
            n_materials, n_bands = self.random.randint(1, 5), self.random.randint(1, 9)
            library = self.numbers.random((n_materials, n_bands)).round(3)
            labels = self.numbers.integers(0, n_materials + 3, (self.random.randint(1, 12), self.random.randint(1, 9)), "u1")
            low = self.random.randint(-5, 5)
            with xta.create(self.path(f"l{k}"), (0, labels.shape[1]), "u1", dims=("line", "sample")) as a:
                a.extend({0: abs(low)}, front=low < 0)
                a.append(labels, 0)
            # So many lines of no class lie before the labels.
            with xta.open(self.path(f"l{k}")) as a:
                whole, bounds = a[...], a.bounds
            with open(self.path(f"lib{k}.csv"), "w") as text:
                text.write("band," + ",".join(f"m{m}" for m in range(n_materials)) + "\n")
                text.writelines(f"{b}," + ",".join(map(repr, library[:, b].tolist())) + "\n" for b in range(n_bands))
            dtype, name = self.random.choice((("f4", "f32"), ("u1", "u8"), ("i2", "i16"), ("f8", "f64")))
            options = {
                "scale": self.random.choice((1.0, 300.0)), "mixing": self.random.randint(0, 3), "seed": self.random.randint(0, 99),
                "variation": self.random.choice((0.0, 0.3)), "brightness": self.random.choice((0.0, 0.2)),
            }
            words = [word for key, value in options.items() for word in (f"--{key}", value)]
            snr = self.random.choice((0, 30))
            words += ["--noise", snr] if snr else []
            self.tool("hyper", "synth", f"l{k}", f"lib{k}.csv", f"o{k}", "--type", name, "--abundances", f"t{k}", *words)
            cells, truth = hyper.synth(self.path(f"l{k}"), library, dtype=dtype, snr=snr, **options)
            self.assertSame(cells, self.cells(f"o{k}"))
            self.assertSame(np.moveaxis(truth, 2, 0).astype("f4"), self.cells(f"t{k}"))
            if bounds[0][0] == 0:
                self.assertSame(hyper.synth(whole, library, dtype=dtype, snr=snr, **options)[0], cells)
            (lo, hi), middle = bounds[0], self.random.randint(*bounds[0])
            swaths = [
                hyper.synth(self.path(f"l{k}"), library, dtype=dtype, snr=snr, lines=ends, **options)[0]
                for ends in ((lo, middle), (middle, hi))
            ]
            self.assertSame(np.concatenate(swaths), cells)

    def test_refused(self) -> None:
        library = np.ones((2, 3))
        for wrong in (
            {"library": np.ones(3)}, {"lines": (2, 1)}, {"mixing": 16}, {"labels": np.zeros(4, "u1")}, {"seed": -1},
            {"scale": 0}, {"lines": (0, 2**61), "samples": (0, 8)}, {"lines": (0, 2**34), "samples": (0, 2**30)},
            {"lines": (-(2**63), 2**63 - 1), "samples": (0, 1)}, {"lines": (0, 2**70)},
        ):
            with self.assertRaisesRegex(ValueError, f"^{next(iter(wrong))}", msg=str(wrong)):
                hyper.synth(**({"labels": np.zeros((2, 2), "u1"), "library": library} | wrong))
        with self.assertRaises(TypeError):
            hyper.synth(np.ones((2, 2), "c8"), library)
        with self.assertRaises(xta.RangeError):
            hyper.synth(np.full((2, 2), -1, "i2"), library)
        with self.assertRaises(xta.ArgumentError):
            hyper.synth(np.zeros((2, 2), "u1"), library, variation=2.0)
        with self.assertRaises(xta.NotFoundError):
            hyper.synth(self.path("none"), library)
        self.assertEqual(hyper.synth(np.zeros((2, 2), "u1"), library, lines=(0, 0))[0].shape, (0, 2, 3))
        self.assertEqual(hyper.synth(np.ones((1, 2, 5), "u1"), library)[0].shape, (2, 5, 3))


if __name__ == "__main__":
    unittest.main()

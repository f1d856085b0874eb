# SPDX-License-Identifier: Apache-2.0
"""Every way to fail is an exception that names file, axis and value, and never a crash."""
from __future__ import annotations

import errno
import os
import pathlib
import pickle
import subprocess
import sys
import unittest
from typing import Any

import numpy as np
import xta
from support import Case, steps
from xta import _xta, errors


class Errors(Case):
    def fails(self, kind: type[Exception], act: Any, *words: str, **facts: Any) -> Any:
        with self.assertRaises(kind) as caught:
            act()
        error = caught.exception
        for word in words:
            self.assertIn(word, str(error))
        for name, value in facts.items():
            self.assertEqual(getattr(error, name), value, f"{name} of {error!r}")
        return error

    def test_classes(self) -> None:
        """One class for each status, which says its name, keeps its facts in a pickle, and is a built-in one too."""
        self.assertEqual(sorted(errors.BY_STATUS), list(range(1, 21)))
        for status, kind in errors.BY_STATUS.items():
            self.assertEqual(kind.status, _xta.status_name(status))
            error = errors.from_status(status, errno.EIO, "/x/a: axis 2: box -3:7 leaves the bounds", "/x/a")
            self.assertIs(type(error), kind)
            self.assertEqual((error.path, error.axis, error.value), ("/x/a", 2, (-3, 7)))
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), again.axis, again.value), (kind, str(error), 2, (-3, 7)))
            if isinstance(error, OSError):
                self.assertEqual((error.errno, error.filename), (errno.EIO, "/x/a"))
        for kind, base in ((xta.BoxError, IndexError), (xta.NotFoundError, FileNotFoundError), (xta.ClosedError, ValueError),
                           (xta.AccessError, PermissionError), (xta.TypeMismatchError, TypeError)):
            self.assertTrue(issubclass(kind, base) and issubclass(kind, xta.Error))
        error = errors.from_status(9, 0, "no attribute", None)
        self.assertEqual((error.path, error.axis, error.value), (None, None, None))

    def test_open(self) -> None:
        missing = self.path("no")
        self.fails(xta.NotFoundError, lambda: xta.open(missing), "no")
        self.fails(FileNotFoundError, lambda: xta.open(missing, "r+"))
        self.fails(ValueError, lambda: xta.open(missing, "w"), "'w'")
        self.fails(TypeError, lambda: xta.open(3))
        self.fails(ValueError, lambda: xta.open("a\0b"))
        a = xta.from_numpy(self.path("a"), np.arange(6.0), chunks=(2,))
        self.fails(xta.ExistsError, lambda: xta.create(self.path("a"), (3,), "f4"), "another name")
        self.fails(xta.NotFoundError, lambda: xta.create(self.path("no/a"), (3,), "f4"))
        self.fails(xta.NotFoundError, lambda: a.as_of(99), "99")
        self.fails(OverflowError, lambda: a.as_of(-1))
        a.close()
        os.remove(self.path("a.xta"))
        self.fails(xta.NotFoundError, lambda: xta.open(self.path("a")), "a.xta")

    def test_create(self) -> None:
        create = lambda **given: xta.create(self.path("x"), **{"shape": (2, 3), "dtype": "f4", **given})  # noqa: E731
        self.fails(xta.ArgumentError, lambda: create(shape=(2, -1)), "axis 1", axis=1)
        self.fails(xta.ArgumentError, lambda: create(shape=()))
        self.fails(ValueError, lambda: create(shape=[1] * 33))
        self.fails(xta.ArgumentError, lambda: create(chunks=(0, 3)), axis=0)
        self.fails(ValueError, lambda: create(chunks=(1,)))
        self.fails(ValueError, lambda: create(dims=("x",)))
        self.fails(xta.Error, lambda: create(dims=("x", "x")))
        self.fails(TypeError, lambda: create(dims=(1, 2)))
        self.fails(ValueError, lambda: create(order="zigzag"), "zigzag")
        self.fails(ValueError, lambda: create(policy="some"), "some")
        self.fails(ValueError, lambda: create(fill_value="x"))
        self.fails(TypeError, lambda: create(dtype="O"))
        self.fails(xta.Error, lambda: create(shape=(2**62, 2**62)))
        self.fails(ValueError, lambda: xta.from_numpy(self.path("x"), 3.0))
        self.assertEqual(os.listdir(self.folder), [])

    def test_corrupt(self) -> None:
        """Damaged files give an exception, or are read as far as they are whole."""
        with xta.from_numpy(self.path("a"), np.arange(64, dtype="i4").reshape(8, 8), chunks=(4, 4), dims=("x", "y")) as a:
            a.append(np.ones((1, 8)), 0)
        journal = pathlib.Path(self.path("a.xmd"))
        whole = journal.read_bytes()
        kinds: dict[str, int] = {}
        for _ in range(steps(400)):
            bad = bytearray(whole)
            for _ in range(self.random.randint(1, 4)):
                bad[self.random.randrange(len(bad))] = self.random.randrange(256)
            if self.random.random() < 0.3:
                bad = bad[: self.random.randrange(len(bad))]
            journal.write_bytes(bad)
            try:
                with xta.open(self.path("a")) as b:
                    b[...]
                    list(b.attrs.items())
                    b.history()
                kinds["read"] = kinds.get("read", 0) + 1
            except xta.Error as error:
                kinds[error.status] = kinds.get(error.status, 0) + 1
        print(kinds)
        self.assertGreater(sum(kinds.values()) - kinds.get("read", 0), 0)
        journal.write_bytes(b"not an array")
        self.fails(xta.FormatError, lambda: xta.open(self.path("a")), "a.xmd")

    def test_truncated_data(self) -> None:
        with xta.from_numpy(self.path("a"), np.ones((64, 64))) as a:
            a.sync()
        os.truncate(self.path("a.xta"), 100)
        self.fails(xta.CorruptError, lambda: xta.open(self.path("a")), "a.xta")

    def test_calls(self) -> None:
        a = xta.from_numpy(self.path("a"), np.arange(12, dtype="i2").reshape(3, 4), dims=("t", "x"))
        reader = xta.open(self.path("a"))
        path = a.path
        self.fails(xta.BoxError, lambda: a.read(((0, 4), (0, 4))), axis=0, value=(0, 4), path=path)
        self.fails(xta.BoxError, lambda: a.read(((0, 3),)))
        self.fails(ValueError, lambda: a.read(((0, 1, 2), (0, 4))))
        self.fails(TypeError, lambda: a.read(((0.5, 1), (0, 4))))
        self.fails(xta.BoxError, lambda: a.write(np.ones((3, 4)), (1, 0)), axis=0, path=path)
        self.fails(xta.ArgumentError, lambda: a.write(np.ones(4)), value=1)
        self.fails(xta.RangeError, lambda: a.write(np.full((3, 4), 1e9)))
        self.fails(xta.RangeError, lambda: a.write(np.full((3, 4), 0.5)))
        self.fails(xta.TypeMismatchError, lambda: a.write(np.full((3, 4), b"x")))
        self.fails(xta.AccessError, lambda: reader.write(np.ones((3, 4), "i2")), path=path)
        for act in (lambda: reader.__setitem__(0, 1), lambda: reader.__setitem__((0, 0), 1),
                    lambda: reader.__setitem__([0], 1), lambda: reader.extend({"t": 1}),
                    lambda: reader.append(np.ones((1, 4), "i2")), lambda: reader.shrink({"t": 1}),
                    lambda: reader.add_axis(0), lambda: reader.attrs.update(x=1)):
            self.fails(xta.AccessError, act)
        self.fails(xta.ArgumentError, lambda: a.extend({"t": -1}), axis=0)
        self.fails(xta.ArgumentError, lambda: a.extend({}))
        self.fails(xta.NotFoundError, lambda: a.extend({"lat": 1}), "'lat'", "t, x", value="lat")
        self.fails(xta.NotFoundError, lambda: a.extend({2: 1}), value=2)
        self.fails(xta.LimitError, lambda: a.extend({"t": 2**62}))
        self.fails(OverflowError, lambda: a.extend({"t": 2**70}))
        self.fails(xta.BoxError, lambda: a.shrink({"t": 4}))
        self.fails(xta.ArgumentError, lambda: a.append(np.ones((1, 5)), "t"), axis=0, value=(1, 5))
        self.fails(xta.RangeError, lambda: a.append(np.full((1, 4), 70000), "t"))
        self.fails(xta.ArgumentError, lambda: a.add_axis(5))
        self.fails(ValueError, lambda: a.sel(t=0, method="linear"), "linear")
        self.assertSame(a[...], np.arange(12, dtype="i2").reshape(3, 4))
        self.assertEqual(a.bounds, reader.bounds)

    def test_other_axes_changed(self) -> None:
        """An append whose block no longer fits, since another process has changed the other axis: nothing changes."""
        a = xta.from_numpy(self.path("a"), np.ones((3, 4)))
        b = xta.open(a.path, "r+")
        b.extend({1: 1})
        self.fails(xta.BoxError, lambda: a.append(np.ones((1, 4)), 0))
        a.sync()  # the library has caught up, and the snapshot has not
        self.assertEqual(a.shape, (3, 4))
        self.fails(xta.BoxError, lambda: a.append(np.ones((1, 4)), 0), "refresh", axis=1)
        self.assertTrue(a.refresh())
        a.append(np.ones((1, 5)), 0)
        self.assertEqual(a.shape, (4, 5))

    def test_axis_added(self) -> None:
        """Cells of a snapshot that has fewer axes than the array now: refused, not those of other coordinates."""
        a = xta.from_numpy(self.path("a"), np.arange(12.0).reshape(3, 4))
        kept = pickle.dumps(a)
        with xta.open(a.path, "r+") as other:
            other.add_axis(0)
            other.extend({0: 5})
        self.assertEqual(a[1, 2], 6)
        a.attrs["note"] = 1  # the library has caught up, and the snapshot has not
        for b in (a, pickle.loads(kept)):
            self.fails(xta.BoxError, lambda: b[1, 2], "refresh")
            self.fails(xta.BoxError, lambda: b.__setitem__((1, 2), 7), "refresh")
            self.fails(xta.BoxError, lambda: b[1:3])
            self.assertTrue(b.refresh())
            self.assertEqual((b.shape, b[0, 1, 2]), ((6, 3, 4), 6))
        self.assertEqual(a[...].sum(), 66)

    def test_long_names(self) -> None:
        """A text that is cut inside of a letter is still that of the error."""
        for n in range(1, 4):
            path = self.path("/".join(["x" * n + "\u00e4" * 100] * 4))
            self.fails(xta.NotFoundError, lambda: xta.open(path))
            os.makedirs(path)
            self.fails(xta.NotFoundError, lambda: xta.open(path + "/no"))

    def test_bytes_of_other_lengths(self) -> None:
        """Shorter ones are padded, longer ones refused; no memory beside the cells is read or written."""
        a = xta.create(self.path("a"), (2, 2), "S5000")
        d = xta.create_dataset(self.path("d"))
        d.set_dim("t", 0, unlimited=True)
        d.add("m", "S5000", ("t",))
        short = np.array([[b"ab", b"c"], [b"", b"d"]])
        long = np.array([[b"x" * 5001, b"c"], [b"", b"d"]])
        a.write(short)
        self.assertSame(a[...], short.astype("S5000"))
        a.append(short[:1], 0)
        self.assertSame(a[2], short[0].astype("S5000"))
        a.write(short.astype("S6000"))
        d.append({"m": short[0]}, "t")
        self.assertSame(d["m"][...], short[0].astype("S5000"))
        self.assertSame(a[:2], short.astype("S5000"))
        for act in (lambda: a.write(long), lambda: a.append(long[:1], 0), lambda: d.append({"m": long[0]}, "t")):
            self.fails(xta.RangeError, act, "5000", "5001")
        for n in (1, 4999, 5001):
            out = np.zeros((3, 2), f"S{n}")
            self.fails(TypeError, lambda: a.read(out=out), f"S{n}", "S5000")
            with self.assertRaises(ValueError):
                a._read(None, out, 15)
            with self.assertRaises(ValueError):
                a._write(None, out, 15)
            with self.assertRaises(ValueError):
                a._append(0, False, 3, out, 15)
            self.assertFalse((out != b"").any())
            with self.assertRaises(xta.TypeMismatchError):
                d._append("t", False, 3, None, [("m", 15, np.ascontiguousarray(out[:, 0]))])
        numbers = xta.create(self.path("n"), (2, 2), "i4")
        self.fails(xta.TypeMismatchError, lambda: numbers.write(short))
        self.fails(xta.TypeMismatchError, lambda: a.write(np.zeros((2, 2))))
        self.assertEqual((a.shape, d["m"].shape), ((3, 2), (2,)))

    def test_nothing_is_left(self) -> None:
        """What fails while it is made is not there."""
        path = self.path("a")
        for options in ({"attrs": {"a": object()}}, {"attrs": {"a\n": 1}}, {"units": {"no": "m"}}, {"units": ["m\n"]}):
            with self.subTest(options=options), self.assertRaises((TypeError, KeyError, ValueError)):
                xta.create(path, (3,), "u1", dims=("x",), **options)
            self.assertEqual(os.listdir(self.folder), [])
        for dtype, fill in (("u1", 300), ("u1", -1), ("i2", 1.5), ("i4", np.nan), ("?", 2), ("S2", b"abc")):
            with self.subTest(dtype=dtype, fill=fill), self.assertRaises(ValueError):
                xta.create(path, (3,), dtype, fill_value=fill)
            self.assertEqual(os.listdir(self.folder), [])
        self.fails(ValueError, lambda: xta.create(path, (3,), "f4", chunk_bytes=-1), "chunk_bytes")
        self.fails(ValueError, lambda: xta.create(path, (3,), "f4", policy="linear", policy_amount=-1), "policy_amount")
        self.assertEqual(xta.create(path, (3,), "f4", fill_value=0.1).fill_value, np.float32(0.1))
        d = xta.create_dataset(self.path("d"))
        d.set_dim("x", 3)
        self.fails(TypeError, lambda: d.add("m", "f4", ("x",), attrs={"a": object()}))
        self.assertEqual((d.members, sorted(os.listdir(d.path))), ((), ["dataset.xmd"]))

    def test_masked(self) -> None:
        """What is below a mask is not written without a word."""
        masked = np.ma.array([1, 2, 3], mask=[False, True, False])
        self.fails(TypeError, lambda: xta.from_numpy(self.path("a"), masked), "filled")
        a = xta.create(self.path("a"), (3,), "i4")
        self.fails(TypeError, lambda: a.write(masked), "filled")
        self.fails(TypeError, lambda: a.append(masked), "filled")
        a.write(masked.filled(-1))
        a.append(np.ma.array([4, 5]))
        self.assertSame(a[...], np.array([1, -1, 3, 4, 5], "i4"))

    def test_names_of_any_bytes(self) -> None:
        """Folders whose names are no UTF-8, as str of os.listdir, and as bytes."""
        folder = os.fsencode(self.folder) + b"/caf\xe9"
        os.mkdir(folder)
        name = os.fsdecode(folder)
        a = xta.create(name + "/a", (3,), "f8", dims=("x",), attrs={"k": 1})
        a[...] = [1, 2, 3]
        self.assertEqual(a.path, name + "/a")
        self.fails(xta.NotFoundError, lambda: xta.open(name + "/no"))
        self.fails(xta.BoxError, lambda: a[3], path=a.path)
        for path in (name + "/a", folder + b"/a", pathlib.Path(name) / "a"):
            with xta.open(path) as again:
                self.assertSame(pickle.loads(pickle.dumps(again))[...], np.array([1.0, 2, 3]))
                self.assertEqual(again.as_of(0).shape, (3,))
        self.assertEqual(xta.reduce(a, statistics="sum"), 6)
        xta.rechunk(a, (2,), name + "/b")
        self.assertEqual(xta.open(name + "/b").chunks, (2,))
        d = xta.open(folder, "r+")
        self.assertEqual((d.path, set(d.members), d["a"].path), (name, {"a", "b"}, name + "/a"))
        self.assertEqual(pickle.loads(pickle.dumps(d))["a"][1], 2)
        self.assertEqual(xta.create_dataset(folder + b"/d").path, name + "/d")

    def test_large_boxes(self) -> None:
        """A box beyond the bounds is told as that, not as memory that there is not."""
        a = xta.from_numpy(self.path("a"), np.ones((3, 4)))
        for hi in (4, 10**13, 2**62, 2**63 - 1):
            self.fails(xta.BoxError, lambda: a.read(((0, 3), (0, hi + 1 if hi == 4 else hi))), "axis 1", axis=1)
        self.fails(xta.BoxError, lambda: a.read(((2, 1), (0, 4))), "axis 0", axis=0)
        self.fails(xta.BoxError, lambda: a.read(((0, 3),)))

    def test_other_dimensions_changed(self) -> None:
        """The same in a data set, which reads what others did before it appends."""
        d = xta.create_dataset(self.path("d"))
        d.set_dim("t", 2)
        d.set_dim("x", 3)
        d.add("v", "f8", ("t", "x"))
        with xta.open(d.path, "r+") as other:
            other.extend({"x": 1 << 20})
        self.fails(xta.BoxError, lambda: d.append({"v": np.ones((1, 3))}, "t"), "refresh")
        self.assertTrue(d.refresh())
        self.assertEqual(d["v"].shape, (2, 3 + (1 << 20)))
        self.assertEqual(d.append({"v": np.ones((1, 3 + (1 << 20)))}, "t"), 2)

    def test_closed(self) -> None:
        a = xta.from_numpy(self.path("a"), np.ones(3))
        a.close()
        a.close()
        for act in (lambda: a[0], lambda: a[...], lambda: a[[0]], lambda: a.read(), lambda: a.write([1, 2, 3]),
                    lambda: a.extend({0: 1}), lambda: a.append([1]), lambda: a.refresh(), lambda: a.sync(),
                    lambda: a.history(), lambda: list(a.attrs), lambda: a.attrs.update(x=1), lambda: a.chunks,
                    lambda: a.view(), lambda: a.add_axis(0), lambda: a.coords[0], lambda: a.sel(dim_0=0),
                    lambda: a.__setitem__(0, 1), lambda: a.fill_value):
            self.fails(xta.ClosedError, act, "closed", path=a.path)
        self.assertTrue(a.closed)
        with xta.open(self.path("a")) as b:
            self.assertEqual(b[0], 1)
        self.assertTrue(b.closed)

    def test_disk_full(self) -> None:
        """A limit of the file size stands for a full disk."""
        code = """if True:
            import resource, signal, sys
            import numpy as np, xta
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            a = xta.create(sys.argv[1], (0, 1 << 16), "f8")
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
            try:
                a.append(np.ones((64, 1 << 16)))
            except (xta.NoSpaceError, xta.InputOutputError) as error:
                print(type(error).__name__, a.bounds[0], error.errno is not None)
        """
        ran = subprocess.run([sys.executable, "-c", code, self.path("a")], capture_output=True, text=True, check=True)
        self.assertRegex(ran.stdout, r"(NoSpaceError|InputOutputError) \(0, 0\)")


if __name__ == "__main__":
    unittest.main()

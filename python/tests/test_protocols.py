# SPDX-License-Identifier: Apache-2.0
"""What other libraries ask of an array: NumPy, buffers, DLPack, pickle, HTML; views without a copy; attributes."""
from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import unittest
import xml.etree.ElementTree as ElementTree

import numpy as np
import xta
from support import DTYPES, Case, random_cells, steps


class Protocols(Case):
    def test_types(self) -> None:
        for dtype in DTYPES:
            cells = random_cells(self.numbers, (3, 5), dtype)
            a = xta.from_numpy(self.path(f"t{dtype.strip('?')}"), cells, chunks=(2, 2))
            self.assertSame(np.asarray(a), cells)
            self.assertSame(a[1, 2], cells[1, 2])
            self.assertIs(type(a[1, 2]), type(cells[1, 2]))
            self.assertEqual((a.dtype, a.itemsize, a.nbytes), (cells.dtype, cells.itemsize, cells.nbytes))
            a[0, 0] = cells[2, 2]
            self.assertEqual(a[0, 0], cells[2, 2])
            self.assertEqual(a.fill_value, np.zeros((), dtype)[()])
        for dtype in ("M8[s]", "O", "U3", "g", "V4"):
            with self.subTest(dtype=dtype), self.assertRaises(TypeError):
                xta.create(self.path("x"), (1,), dtype)
        swapped = xta.from_numpy(self.path("swapped"), np.arange(3, dtype=">i4"))
        self.assertSame(swapped[...], np.arange(3, dtype="i4"))
        with self.assertRaises(TypeError):
            swapped.read(out=np.empty(3, ">i4"))

    def test_numpy(self) -> None:
        cells = self.numbers.standard_normal((4, 6))
        a = xta.from_numpy(self.path("a"), cells)
        self.assertAlmostEqual(np.mean(a), cells.mean())
        self.assertSame(np.asarray(a, "f4"), cells.astype("f4"))
        self.assertSame(np.add(a, 1), cells + 1)
        self.assertSame(np.stack(list(a)), cells)
        with self.assertRaises(ValueError):
            bool(a)
        out = np.empty((4, 6), "f4")
        self.assertSame(a.read(out=out), cells.astype("f4"))
        with self.assertRaises(xta.RangeError):
            a.read(out=np.empty((4, 6), "u1"))
        with self.assertRaises(ValueError):
            a.read(out=np.empty((3, 6)))
        strided = np.zeros((8, 6))
        a.read(out=strided[::2])
        self.assertSame(strided[::2], cells)
        a.write(cells[::-1, ::-1])
        self.assertSame(a[...], cells[::-1, ::-1])

    def test_views(self) -> None:
        """A view has the cells of a read, wherever there is one."""
        n_views = 0
        for k in range(steps(200)):
            ndim = self.random.randint(1, 3)
            shape = [self.random.randint(1, 6) for _ in range(ndim)]
            chunks = [self.random.choice((1, 1, 2, 4, 8)) for _ in range(ndim)]
            a = xta.create(self.path(f"v{k}"), shape, "i4", chunks, order=self.random.choice(("row", "column")))
            for axis in range(ndim):
                a.extend({axis: self.random.randint(0, 3)}, front=self.random.random() < 0.5)
            a.write(random_cells(self.numbers, a.shape, "i4"))
            for _ in range(5):
                box = []
                for lo, hi in a.bounds:
                    first = self.random.randint(lo, hi - 1)
                    box.append((first, self.random.randint(first + 1, hi)))
                try:
                    view = a.view(box)
                except xta.NotContiguous:
                    continue
                n_views += 1
                self.assertSame(view, a.read(box))
            a.close()
        print(f"{n_views} views equal reads")
        self.assertGreater(n_views, steps(200))

    def test_view_lives(self) -> None:
        a = xta.from_numpy(self.path("a"), np.arange(8.0), chunks=(4,))
        view = a.view()
        self.assertFalse(view.flags.writeable)
        with self.assertRaises(ValueError):
            view.setflags(write=True)
        self.assertEqual(memoryview(view).tolist(), list(range(8)))
        a[3] = 30
        self.assertEqual(view[3], 30)
        a.append(np.ones(100))
        a.close()
        del a
        self.assertEqual(view.sum(), 28 + 27)
        part = view[2:4]
        del view
        self.assertEqual(part[1], 30)

    def test_last_view_closes(self) -> None:
        """Closing waits for the views, and no longer."""
        a = xta.from_numpy(self.path("a"), np.arange(8.0))
        views = [a.view(), a.view(((0, 4),))]

        def is_open() -> bool:
            with open("/proc/self/maps", encoding="utf-8") as maps:
                return any(line.rstrip().endswith("/a.xta") for line in maps)

        if not is_open():
            self.skipTest("no list of mapped files")
        a.close()
        while views:
            self.assertTrue(is_open())
            self.assertEqual(views.pop()[3], 3)
        self.assertFalse(is_open())
        self.assertTrue(a.closed)
        a.close()

    def test_no_view(self) -> None:
        cases = {
            "fill": xta.create(self.path("fill"), (4,), "f4", fill_value=1),
            "curve": xta.create(self.path("curve"), (4, 4), "f4", (4, 4), order="morton"),
            "chunks": xta.create(self.path("chunks"), (4, 4), "f4", (2, 2)),
        }
        for name, a in cases.items():
            with self.subTest(name), self.assertRaises(xta.NotContiguous) as caught:
                a.view()
            self.assertIn(a.path, str(caught.exception))
        a = cases["chunks"]
        with self.assertRaises(xta.BoxError):
            a.view(((0, 5), (0, 2)))
        with self.assertRaises(xta.BoxError):
            a.view(((0, 0), (0, 2)))

    def test_dlpack(self) -> None:
        cells = self.numbers.standard_normal((3, 4))
        a = xta.from_numpy(self.path("a"), cells)
        self.assertSame(np.from_dlpack(a), cells)
        self.assertEqual(a.__dlpack_device__(), (1, 0))

    def test_pickle(self) -> None:
        a = xta.from_numpy(self.path("a"), np.arange(6.0).reshape(2, 3), dims=("t", "x"))
        reader = xta.open(self.path("a"))
        texts = [pickle.dumps(array) for array in (a, reader)]
        a.append([[7.0, 8.0, 9.0]], "t", front=True)
        for text, mode in zip(texts, ("r+", "r")):
            again = pickle.loads(text)
            self.assertEqual((again.mode, again.bounds, again.path, again.dims), (mode, ((0, 2), (0, 3)), a.path, a.dims))
            self.assertSame(again[...], np.arange(6.0).reshape(2, 3))
            self.assertTrue(again.refresh())
            self.assertEqual(again.shape, (3, 3))
        self.assertEqual(copy.copy(a).shape, (3, 3))
        then = a.as_of(0)
        self.assertEqual(pickle.loads(pickle.dumps(then)).bounds, ((0, 2), (0, 3)))
        a.shrink({"t": 2})
        gone = pickle.loads(texts[1])
        self.assertEqual(gone.bounds, ((0, 2), (0, 3)))
        self.assertSame(gone[...], np.zeros((2, 3)))
        a.close()
        with self.assertRaises(xta.ClosedError):
            pickle.dumps(a)

    def test_attributes(self) -> None:
        a = xta.create(self.path("a"), (2, 3), "f4", dims=("t", None), units={"t": "s"}, attrs={"title": "sea"})
        values = {
            "text": "Grüße", "empty": "", "whole": 3, "real": 2.5, "flag": True, "list": [1.5, 2.5],
            "small": np.float32(0.1), "bytes": b"abc", "complex": 1 + 2j, "numbers": np.arange(4, dtype="u2"),
        }
        a.attrs.update(values)
        a.axes["t"].attrs["long_name"] = "time"
        again = xta.open(a.path)
        for name, value in values.items():
            with self.subTest(name):
                self.assertSame(again.attrs[name], value if isinstance(value, str) else np.asarray(value)[()])
        self.assertEqual(list(again.attrs), ["title", *values])
        self.assertEqual(dict(again.axes["t"].attrs), {"long_name": "time"})
        self.assertEqual((again.axes["t"].unit, again.axes[1].unit, again.axes[1].name), ("s", "", ""))
        del a.attrs["text"]
        a.axes[1].name = "x"
        a.axes["x"].unit = "m"
        self.assertTrue(again.refresh())
        self.assertNotIn("text", again.attrs)
        self.assertEqual((again.dims, again.axes["x"].unit), (("t", "x"), "m"))
        for name in ("no", ""):
            with self.assertRaises(KeyError):
                a.attrs[name]
            with self.assertRaises(KeyError):
                del a.attrs[name]
        for value in ({}, None, [[1]], ["a"], object()):
            with self.subTest(value=value), self.assertRaises(TypeError):
                a.attrs["x"] = value
        with self.assertRaises(xta.AccessError):
            again.attrs["x"] = 1
        with self.assertRaises(xta.ArgumentError):
            a.attrs["line\nbreak"] = 1
        with self.assertRaises(KeyError):
            a.axes["y"]
        with self.assertRaises(xta.ExistsError):
            a.axes["x"].name = "t"

    def test_annotations(self) -> None:
        """Every function of the package has the types of all arguments and of its result; what users call has a text."""
        n_seen = 0
        for name in ("array", "attributes", "computing", "creation", "dataset", "errors", "html", "indexing", "labels", "types"):
            module = importlib.import_module(f"xta.{name}")
            for thing in [module, *(kind for kind in vars(module).values() if inspect.isclass(kind))]:
                for value in vars(thing).values():
                    function = value.fget if isinstance(value, property) else value
                    if not inspect.isfunction(function) or function.__code__.co_filename != module.__file__:
                        continue
                    signature = inspect.signature(function)
                    where = f"{name}.{function.__qualname__}"
                    for p in signature.parameters.values():
                        self.assertTrue(p.annotation is not p.empty or p.name in ("self", "cls"), f"{where}: {p}")
                    self.assertIsNot(signature.return_annotation, signature.empty, where)
                    n_seen += 1
        self.assertGreater(n_seen, 150)
        for name in xta.__all__:
            self.assertTrue(getattr(xta, name).__doc__, name)
        for kind in (xta.Array, xta.Dataset):
            for key in dir(kind):
                if not key.startswith("_") and callable(getattr(kind, key)) and key not in dir(dict):
                    self.assertTrue(getattr(kind, key).__doc__, f"{kind.__name__}.{key}")

    def test_html(self) -> None:
        for k, shape in enumerate(((5,), (4, 6), (3, 200, 100), (0, 4), (1000, 1000))):
            a = xta.create(self.path(f"a{k}"), shape, "f4", dims=[f"<{axis}>" for axis in range(len(shape))])
            a.extend({0: 2}, front=True)
            page = a._repr_html_()
            tree = ElementTree.fromstring(page.replace("&times;", "x"))
            lines = tree.findall(".//{http://www.w3.org/2000/svg}line")
            self.assertEqual(bool(lines), min(a.shape) > 0)
            self.assertLess(len(page), 20000)
            self.assertIn("&lt;0&gt; -2:", page)
            a.close()
            self.assertIn("closed", a._repr_html_())
            self.assertIn("closed", repr(a))


if __name__ == "__main__":
    unittest.main()

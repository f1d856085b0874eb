# SPDX-License-Identifier: Apache-2.0
"""Data sets: members that grow together, coordinates, groups, one snapshot of all."""
from __future__ import annotations

import datetime
import multiprocessing
import os
import pickle
import unittest
from typing import Any

import numpy as np
import xta
from support import Case, steps

UNIT = "days since 2000-01-01"


def grow(path: str, n: int) -> None:
    """A process that appends to two members at both ends of time, and extends x."""
    with xta.open(path, "r+") as d:
        for k in range(n):
            lo, hi = d.dims["time"].lo, d.dims["time"].hi
            at = lo - 1 if k % 2 else hi
            d.append({"a": [np.full(d["a"].shape[1], at)], "b": [at]}, "time", front=k % 2 == 1)
            if k % 5 == 4:
                d.extend({"x": 1})


class Datasets(Case):
    def ocean(self) -> xta.Dataset:
        d = xta.create_dataset(self.path(f"ocean{self.random.random()}"))
        d.set_dim("time", 0, origin=0, step=1, unit=UNIT, unlimited=True)
        d.set_dim("lat", 3, origin=10.0, step=-2.5, unit="degrees_north", attrs={"standard_name": "latitude"})
        d.set_dim("x", bounds=(-2, 2))
        d.add("sst", "f4", ("time", "lat"), chunks=(2, 3), fill_value=np.nan, attrs={"units": "K"})
        d.add("flag", "u1", ("time",))
        d.add("depth", "f8", ("lat", "x"))
        d.add("crs", "i4")
        return d

    def test_members(self) -> None:
        d = self.ocean()
        self.assertEqual(d.members, ("sst", "flag", "depth", "crs"))
        self.assertEqual((list(d), len(d), "sst" in d, "time" in d), (list(d.members), 4, True, False))
        self.assertIs(d["sst"], d["sst"])
        self.assertEqual((d["sst"].dims, d["crs"].shape, d["depth"].bounds), (("time", "lat"), (1,), ((0, 3), (-2, 2))))
        self.assertEqual(d["sst"].path, d.path + "/sst")
        d.attrs["title"] = "sea"
        d["depth"][...] = 5
        with xta.open(d.path) as again:
            self.assertEqual((dict(again.attrs), again.mode, again["depth"][2, 1]), ({"title": "sea"}, "r", 5))
            self.assertEqual(dict(again.dim_attrs("lat")), {"standard_name": "latitude", "units": "degrees_north"}
                             | dict(again.dim_attrs("lat")))
        d.remove("flag")
        self.assertEqual(d.members, ("sst", "depth", "crs"))
        with self.assertRaises(KeyError):
            d["flag"]
        with self.assertRaises(xta.ExistsError):
            d.add("sst", "f4", ("time",))
        with self.assertRaises(xta.NotFoundError):
            d.add("new", "f4", ("no",))
        self.assertIn("sst", d._repr_html_())
        self.assertIn("time: 0:0", repr(d))

    def test_dims(self) -> None:
        d = self.ocean()
        lat = d.dims["lat"]
        self.assertEqual((lat.origin, lat.step, lat.unit, lat.size, lat.coordinates, lat.dtype),
                         (10.0, -2.5, "degrees_north", 3, "regular", np.dtype("f8")))
        self.assertTrue(d.dims["time"].unlimited)
        self.assertEqual((d.dims["x"].lo, d.dims["x"].coordinates, d.dims["x"].n_members), (-2, None, 1))
        self.assertSame(d["sst"].coords["lat"], np.array([10.0, 7.5, 5.0]))
        self.assertIsNone(d["depth"].coords["x"])
        self.assertEqual((d["sst"].axes["time"].unit, d["sst"].axes["time"].calendar), (UNIT, ""))
        with self.assertRaises(KeyError):
            d["sst"].coords["x"]

    def test_append(self) -> None:
        d = self.ocean()
        reader = xta.open(d.path)
        self.assertEqual(d.append({"sst": np.ones((3, 3)), "flag": [1, 2, 3]}, "time"), 0)
        self.assertEqual(d.append({"sst": np.zeros(3)}, "time", front=True), -1)
        self.assertEqual((d["sst"].bounds[0], d["flag"].bounds[0], d.dims["time"].lo), ((-1, 3), (-1, 3), -1))
        self.assertSame(d["flag"][...], np.array([0, 1, 2, 3], "u1"))
        self.assertSame(d["sst"].coords["time"], np.arange(-1, 3))
        self.assertEqual(reader["sst"].shape, (0, 3))
        self.assertTrue(reader.refresh())
        self.assertEqual((reader["sst"].shape, reader["flag"].shape, reader.refresh()), ((4, 3), (4,), False))
        # Coordinates with a gap become a list.
        self.assertEqual(d.append({"sst": [[5] * 3, [6] * 3]}, "time", np.array(["2000-02-01", "2000-02-03"], "M8[D]")), 3)
        self.assertEqual(d.dims["time"].coordinates, "listed")
        self.assertSame(d["sst"].coords["time"], np.array([-1, 0, 1, 2, 31, 33]))
        self.assertSame(d["sst"].sel(time="2000-02", lat=7.5), np.array([5, 6], "f4"))
        self.assertEqual(d.append({"sst": [9] * 3}, "time", [34.0 * 24], unit="hours since 2000-01-01"), 5)
        for kind, given in (
            (xta.StateError, {"blocks": {"sst": [1] * 3}}),
            (xta.BoxError, {"blocks": {"sst": [1] * 3}, "coords": [20]}),
            (xta.ArgumentError, {"blocks": {"sst": np.ones((2, 3))}, "coords": [40]}),
            (xta.ArgumentError, {"blocks": {}}),
            (xta.ArgumentError, {"blocks": {"sst": np.ones((1, 4))}, "coords": [40]}),
            (xta.NotFoundError, {"blocks": {"depth": np.ones((1, 4))}, "coords": [40]}),
            (KeyError, {"blocks": {"no": [1]}, "coords": [40]}),
            (xta.RangeError, {"blocks": {"flag": [300]}, "coords": [40]}),
            (ValueError, {"blocks": {"sst": [1] * 3}, "coords": [[40]]}),
        ):
            before = d["sst"].bounds, d["flag"].bounds
            with self.subTest(kind=kind, given=given), self.assertRaises(kind):
                d.append(dim="time", **given)
            self.assertEqual((d["sst"].bounds, d["flag"].bounds), before)
        d.extend({"x": 3}, front=True)
        self.assertEqual(d["depth"].bounds, ((0, 3), (-5, 2)))
        with self.assertRaises(xta.StateError):
            d.extend({"time": 1})

    def test_opened_later(self) -> None:
        """A member that is opened after the set has caught up with others has the bounds of the snapshot."""
        d = xta.create_dataset(self.path("d"))
        d.set_dim("t", 2, unlimited=True)
        d.set_dim("x", 3)
        for name in ("a", "b"):
            d.add(name, "f8", ("t", "x"))
        with xta.open(d.path, "r+") as other:
            other.append({"a": np.ones((1, 3))}, "t", front=True)
            other.add("c", "f8", ("t", "x"))
        for caught_up in (False, True):
            if caught_up:
                d.sync()
                d.attrs["k"] = 1
                d["a"].attrs["k"] = 1
            d["a"].close()
            self.assertEqual((d.dims["t"].lo, d.dims["t"].hi), (0, 2))
            found = {name: array.bounds for name, array in d.items()}
            self.assertEqual(set(found.values()), {((0, 2), (0, 3))}, found)
        d["b"].close()
        self.assertTrue(d.refresh())
        self.assertEqual({name: array.bounds[0] for name, array in d.items()}, dict.fromkeys("abc", (-1, 2)))
        d["c"].close()
        d.extend({"t": 1})
        self.assertEqual({name: array.bounds[0] for name, array in d.items()}, dict.fromkeys("abc", (-1, 3)))

    def test_times(self) -> None:
        """numpy.datetime64 of all units, exactly or not at all."""
        d = xta.create_dataset(self.path("d"))
        d.set_dim("time", 0, unlimited=True)
        d.add("time", "i8", ("time",), attrs={"units": "microseconds since 1970-01-01"})
        d.add("v", "f8", ("time",))
        good = ["1969-12-31T23:59:59.999999", "1970-01-02", "2001", "2001-02-03T04:05:06.000007000"]
        for k, time in enumerate(good):
            self.assertEqual(d.append({"v": [k]}, "time", np.array([time], "M8")), k)
        self.assertEqual(d["time"][...].tolist(), [int(np.datetime64(t, "us").astype(np.int64)) for t in good])
        for bad in (np.datetime64("NaT"), np.datetime64("2001-03-01T00:00:00.000000001"), np.datetime64(2**62, "s")):
            with self.subTest(bad=bad), self.assertRaisesRegex(ValueError, "microsecond"):
                d.append({"v": [1]}, "time", np.array([bad]))
            with self.subTest(bad=bad), self.assertRaisesRegex(ValueError, "microsecond"):
                d["v"].sel(time=bad)
        self.assertEqual(d["v"].sel(time=np.datetime64("1970-01-02", "ns")), 1)
        self.assertEqual(len(d["v"]), 4)

    def test_names(self) -> None:
        d = xta.create_dataset(self.path("d"))
        d.set_dim("station", 0)
        d.add("t", "f4", ("station",))
        with self.assertRaises(xta.NotFoundError):
            d.append({"t": [1]}, "station", ["Bergen"])
        d.add("station", "S16", ("station",))
        d.append({"t": [1, 2]}, "station", ["Bergen", "Oslo, S"])
        self.assertEqual(d["t"].coords["station"].tolist(), ["Bergen", "Oslo, S"])
        self.assertEqual(d["t"].sel(station="Oslo, S"), 2)
        self.assertSame(d["t"].sel(station=["Oslo, S", "Bergen"]), np.array([2, 1], "f4"))
        with self.assertRaises(xta.NotFoundError):
            d["t"].sel(station="Rome")

    def test_groups(self) -> None:
        d = self.ocean()
        with d.group("deep", create=True) as group:
            group.set_dim("z", 4)
            group.add("o2", "f4", ("z",))[...] = 2
        self.assertEqual(list(d.groups), ["deep"])
        self.assertEqual(d.groups["deep"]["o2"][3], 2)
        with self.assertRaises(KeyError):
            d.groups["no"]
        with self.assertRaises(xta.NotFoundError):
            d.group("no")

    def test_close_and_pickle(self) -> None:
        d = self.ocean()
        d.append({"sst": np.ones((2, 3))}, "time")
        text = pickle.dumps(d)
        member = pickle.dumps(d["sst"])
        d.append({"sst": np.zeros((1, 3))}, "time", front=True)
        again = pickle.loads(text)
        self.assertEqual((again["sst"].shape, again["sst"][0, 0], again.dims["time"].lo, again.mode), ((2, 3), 1, 0, "r+"))
        alone = pickle.loads(member)
        self.assertEqual((alone.shape, alone.coords["lat"][0]), ((2, 3), 10.0))
        sst = d["sst"]
        d.close()
        for act in (lambda: sst[0], lambda: d.members, lambda: d["flag"], lambda: d.attrs.get("x"),
                    lambda: d.append({}, "time"), lambda: pickle.dumps(d)):
            with self.assertRaises(xta.ClosedError):
                act()
        self.assertTrue(sst.closed and "closed" in repr(d) and "closed" in d._repr_html_())

    def test_not_writable(self) -> None:
        d = xta.open(self.ocean().path)
        for act in (lambda: d.attrs.update(x=1), lambda: d.add("n", "f4", ("time",)), lambda: d.set_dim("q", 1),
                    lambda: d.append({"flag": [1]}, "time"), lambda: d.extend({"x": 1}), lambda: d.remove("sst")):
            with self.assertRaises(xta.AccessError):
                act()
        with self.assertRaises(xta.ExistsError):
            xta.create_dataset(d.path)
        with self.assertRaises(xta.NotFoundError):
            xta.create_dataset(self.path("no/set"))

    def test_disagreement(self) -> None:
        """Members that do not agree for good are an error, after some tries."""
        d = self.ocean()
        d.close()
        with xta.open(d.path + "/flag", "r+") as flag:
            flag.extend({0: 2})
        with self.assertRaises(xta.BoxError) as caught:
            xta.open(d.path)
        self.assertIn("time", str(caught.exception))

    def test_one_step_of_all(self) -> None:
        """Beside a process that grows the set, every opening and refresh sees one step of all members, in which
        cells are functions of their coordinates."""
        d = xta.create_dataset(self.path("set"))
        d.set_dim("time", 0, origin=0, step=1)
        d.set_dim("x", 3)
        d.add("a", "i8", ("time", "x"), chunks=(4, 2), fill_value=-(10**6))
        d.add("b", "i8", ("time",), chunks=(4,))
        n = steps(60)
        worker = multiprocessing.get_context("spawn").Process(target=grow, args=(d.path, n))
        worker.start()
        n_looks = 0
        while worker.is_alive():
            with xta.open(d.path) as seen:
                self.look(seen)
                seen.refresh()
                self.look(seen)
            n_looks += 1
        worker.join()
        self.assertEqual(worker.exitcode, 0)
        self.assertTrue(d.refresh())
        self.look(d)
        self.assertEqual(len(d["b"]), n)
        self.assertGreater(n_looks, 0)
        print(f"{n_looks} openings beside {n} growths")

    def look(self, d: xta.Dataset) -> None:
        a, b = d["a"], d["b"]
        self.assertEqual(a.bounds[0], b.bounds[0])
        self.assertSame(b[...], np.arange(*b.bounds[0]))
        self.assertSame(a.coords["time"], np.arange(*b.bounds[0]))
        cells = a[...]
        at = np.broadcast_to(np.arange(*a.bounds[0])[:, None], cells.shape)
        self.assertTrue(((cells == at) | (cells == -(10**6))).all())
        self.assertTrue((cells[:, :3] == at[:, :3]).all())


class Labels(Case):
    """Selections by label against the same done by NumPy."""

    def array(self) -> tuple[xta.Array, np.ndarray[Any, Any]]:
        d = xta.create_dataset(self.path(f"set{self.random.random()}"))
        d.set_dim("time", 40, origin=0, step=6, unit="hours since 2015-01-01")
        d.set_dim("lat", 9, origin=60.0, step=-2.5)
        d.set_dim("k", bounds=(-3, 4))
        d.add("v", "f8", ("time", "lat", "k"))
        self.set = d
        cells = self.numbers.standard_normal(d["v"].shape)
        d["v"].write(cells)
        return d["v"], cells

    def test_examples(self) -> None:
        a, cells = self.array()
        time = np.datetime64("2015-01-01") + 6 * np.arange(40).astype("m8[h]")
        self.assertSame(a.sel(time="2015-01-03"), cells[time.astype("M8[D]") == np.datetime64("2015-01-03")])
        self.assertSame(a.sel(time=datetime.date(2015, 1, 3)), cells[8:12])
        self.assertSame(a.sel(time=np.datetime64("2015-01-03T06")), cells[9])
        self.assertSame(a.sel(time=datetime.datetime(2015, 1, 3, 6)), cells[9])
        self.assertSame(a.sel(time=slice("2015-01-02", "2015-01-03")), cells[4:12])
        self.assertSame(a.sel(time=slice(np.datetime64("2015-01-02T01"), None, 2)), cells[5::2])
        self.assertSame(a.sel(lat=slice(45, 55)), cells[:, 2:7])
        self.assertSame(a.sel(lat=55, k=-3), cells[:, 2, 0])
        self.assertSame(a.sel(lat=[55, 60.0], time=[0, 12]), cells[np.ix_([0, 2], [2, 0])])
        self.assertSame(a.sel(lat=56.1, method="nearest"), cells[:, 2])
        self.assertSame(a.sel(lat=[56.1, 41], k=0, method="nearest"), cells[:, [2, 8], 3])
        self.assertSame(a.sel(time=np.datetime64("2015-01-03T07"), method="nearest", tolerance=np.timedelta64(1, "h")), cells[9])
        self.assertSame(a.sel(time=np.datetime64("2015-01-03T07"), method="nearest", tolerance=datetime.timedelta(hours=2)), cells[9])
        self.assertSame(a.sel(), cells)
        self.assertSame(a.sel(lat=slice(None)), cells)
        self.assertSame(a.isel(time=-1, k=[0, 2]), cells[-1][:, [0, 2]])
        self.assertSame(a.isel(time=[1, 3], lat=slice(None, None, -2), k=[0, 0]), cells[np.ix_([1, 3], range(8, -1, -2), [0, 0])])
        self.assertSame(a.isel(lat=2), cells[:, 2])

    def test_names_that_are_numbers(self) -> None:
        """An axis that is called as the number of another one."""
        a = xta.from_numpy(self.path("numbers"), np.arange(6).reshape(2, 3), dims=("1", "0"))
        a.axes["1"].set_regular(10, 1)
        a.axes["0"].set_regular(10, 1)
        self.assertSame(a.sel(**{"1": 11}), np.array([3, 4, 5]))
        self.assertSame(a.sel(**{"0": 12}), np.array([2, 5]))
        self.assertEqual(a.sel(**{"0": 12, "1": 11}), 5)
        a.axes["1"].name = "a=b"
        with self.assertRaisesRegex(ValueError, "a=b"):
            a.sel(**{"a=b": 10})

    def test_errors(self) -> None:
        a, _ = self.array()
        for kind, given in (
            (xta.NotFoundError, {"lat": 56.1}), (xta.NotFoundError, {"no": 1}), (xta.NotFoundError, {"time": "2016"}),
            (xta.ArgumentError, {"lat": "north"}), (ValueError, {"lat": "1,time=2015"}), (ValueError, {"lat": ""}),
            (TypeError, {"lat": object()}), (TypeError, {"lat": True}), (ValueError, {"lat": []}),
            (xta.NotFoundError, {"lat": 56.1, "method": "nearest", "tolerance": 0.5}),
            (ValueError, {"lat": 55, "tolerance": 1}), (xta.ArgumentError, {"time": "2015-02-30"}),
        ):
            with self.subTest(given=given), self.assertRaises(kind):
                a.sel(**given)
        with self.assertRaises(IndexError):
            a.isel(lat=9)

    def test_random(self) -> None:
        """Ranges and lists of numbers, after growth at both ends."""
        for _ in range(steps(30)):
            a, cells = self.array()
            self.set.append({"v": self.numbers.standard_normal((3, 9, 7))}, "time", front=True)
            cells = a[...]
            hours = a.coords["time"]
            for _ in range(10):
                first, last = sorted(self.random.randint(-30, 260) for _ in range(2))
                inside = (hours >= first) & (hours <= last)
                if inside.any():
                    found = a.sel(time=slice(float(first), float(last)), k=slice(-1, 2))
                    self.assertSame(found, cells[inside][:, :, 2:6])
                some = self.random.choices(range(len(hours)), k=3)
                found = a.sel(time=[float(hours[k]) for k in some])
                self.assertSame(found, cells[some])
            self.set.close()

    def test_own_coordinates(self) -> None:
        """Of an array alone: regular ones, a list in the attribute `values`, names."""
        a = xta.from_numpy(self.path("a"), np.arange(12.0).reshape(3, 4), dims=("x", "y"))
        self.assertIsNone(a.coords["x"])
        self.assertSame(a.sel(x=1), np.arange(4.0, 8.0))
        a.axes["x"].set_regular(0.5, 2)
        a.axes["y"].attrs["values"] = np.array([2**60 + 1, 2**60 + 2, 2**60 + 3, 2**60 + 5])
        self.assertSame(a.coords["x"], np.array([0.5, 2.5, 4.5]))
        self.assertSame(a.coords["y"], np.array([2**60 + 1, 2**60 + 2, 2**60 + 3, 2**60 + 5]))
        a.extend({"x": 1}, front=True)
        self.assertEqual(a.coords["x"][0], -1.5)
        self.assertEqual(a.sel(x=2.5, y=2**60 + 3), 6)
        a.axes["x"].remove_regular()
        self.assertIsNone(a.coords["x"])
        for wrong in ({"origin": float("nan"), "step": 1}, {"origin": 0, "step": 0}):
            with self.assertRaises(xta.ArgumentError):
                a.axes["x"].set_regular(**wrong)
        self.assertTrue(os.path.exists(self.path("a.xmd")))


if __name__ == "__main__":
    unittest.main()

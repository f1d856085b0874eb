# SPDX-License-Identifier: Apache-2.0
"""The work of the leak check: every call once, failures included."""
from __future__ import annotations

import importlib.util
import os
import pickle
import shutil
import tempfile
from typing import Any

import numpy as np
import xta


def fails(act: Any, *kinds: type[BaseException]) -> None:
    try:
        act()
    except kinds or (xta.Error,):
        return
    raise AssertionError("no exception")


def use_array(folder: str) -> None:
    a = xta.create(os.path.join(folder, "a"), (3, 4), "f4", (2, 2), ("t", None), 1.5, {"t": "s"}, {"x": 1, "y": "text"})
    a[0, 0] = 2
    a[...] = np.ones((3, 4), "f4")
    a[::-1, ::2] = [1, 2]
    a[[0, 2], 1] = 3
    for key in ((0, 0), 0, slice(None, None, -2), [0, 1], (..., None), np.ones((3, 4), bool), (-1, slice(1))):
        a[key]
    a.at[0:2], a.isel(t=0), a.sel(t=1), a.read(((0, 1), (0, 4)), order="F"), a.write(np.ones((1, 1)), (0, 0))
    a.extend({"t": 2}, front=True), a.append(np.ones((1, 4)), "t"), a.shrink({"t": 1}), a.add_axis(0, "z")
    a.history(), a.refresh(), a.sync(), a.chunks, a.chunk_edges("t"), a.step, a.fill_value, a.shape, repr(a)
    a._repr_html_(), dict(a.attrs), a.axes["t"].unit, a.coords["t"], a.as_of(0).close(), np.asarray(a)
    a.axes["t"].set_regular(0.5, 1.5), a.coords["t"], a.sel(t=slice(0, 1)), a.axes["t"].remove_regular()
    a.attrs["x"] = [1.0, 2.0]
    del a.attrs["x"]
    pickle.loads(pickle.dumps(a)).close()
    fails(lambda: a[9], IndexError)
    fails(lambda: a[[9]], IndexError)
    fails(lambda: a["x"], IndexError)
    fails(lambda: a.__setitem__(0, "x"), ValueError)
    fails(lambda: a.extend({"no": 1}))
    fails(lambda: a.extend({"t": -1}))
    fails(lambda: a.append(np.ones((9, 9, 9))))
    fails(lambda: a.read(((0, 99),) * 3))
    fails(lambda: a.read(3), TypeError)
    fails(lambda: a.view())
    fails(lambda: a.sel(t="x"))
    fails(lambda: a._extend([(1,)]), TypeError)
    fails(lambda: a._points([0], np.zeros(3), ((0, 1),) * 3, np.zeros(1), False), ValueError)
    fails(lambda: xta.open(os.path.join(folder, "no")))
    fails(lambda: xta.create(a.path, (1,), "f4"))
    fails(lambda: xta.create(a.path, (1,), "f4", chunks=(1, 1)), ValueError)
    xta.reduce(a, 1, ["mean", "count"], by=(1, 2)), xta.reduce(np.ones((2, 3)), 0, "max", missing=2)
    fails(lambda: xta.reduce(a, 1, threads=-1))
    fails(lambda: xta.reduce(a, 1, by=(0, [1])))
    xta.rechunk(a, (1, 1, 2), os.path.join(folder, "c"))
    fails(lambda: xta.rechunk(a, (1, 1, 2), os.path.join(folder, "c")))
    a.close()
    fails(lambda: a[0])
    b = xta.from_numpy(os.path.join(folder, "b"), np.arange(4.0), chunks=(4,))
    view = b.view()
    b.close()
    assert view[3] == 3


def use_dataset(folder: str) -> None:
    d = xta.create_dataset(os.path.join(folder, "d"))
    d.set_dim("t", 0, origin=0, step=1, unit="days since 2000-01-01")
    d.set_dim("x", 2)
    d.add("v", "f8", ("t", "x"), attrs={"units": "K"})
    d.append({"v": [[1, 2]]}, "t")
    d.append({"v": [1, 2]}, "t", coords=[np.datetime64("2000-01-05")])
    d.extend({"x": 1})
    d.refresh(), d.dims, d.members, d.groups, repr(d), d._repr_html_(), d.sync(), d["v"].coords["t"]
    d.attrs["title"] = "x"
    dict(d.attrs), dict(d.dim_attrs("t"))
    d.group("g", create=True).close()
    d["v"].sel(t="2000-01")
    fails(lambda: d["no"], KeyError)
    fails(lambda: d.append({"v": [[1]]}, "t"))
    fails(lambda: d.append({"v": [[1, 2, 3]]}, "t"))
    fails(lambda: d.extend({"no": 1}))
    fails(lambda: d.add("v", "f8", ("t",)))
    fails(lambda: xta.create_dataset(d.path))
    pickle.loads(pickle.dumps(d)).close()
    d.remove("v")
    d.close()


def use_hyper(folder: str) -> None:
    from xta import hyper

    path = os.path.join(folder, "h")
    cells = np.arange(240).reshape(6, 5, 8) * 37 % 101 + 1.0
    truth = np.arange(30).reshape(6, 5) % 3
    with hyper.open(cells, dims=("y", "x", "band"), use_bands=[0, 2, 3, 5], nodata=[-1], threads=1) as scene:
        scene.read((1, 3)), scene.bands, scene.wavelengths, repr(scene)
        basis = hyper.pct(scene, 2)
        for method in ("nfindr", "sga", "vca", "ppi"):
            found = hyper.endmembers(scene, 2, method, basis=basis, means=True)
        hyper.endmembers(scene, 2, "amee"), hyper.endmembers(scene, 2, "ppi", skewers=np.eye(4))
        hyper.unmix(scene, found, residual=True), hyper.unmix(scene, found, out=path)[0]
        hyper.classify(scene, found, angles=True), hyper.classify(scene, found, "abundance")
        hyper.classify_supervised(scene, truth), hyper.moments(scene, noise=True), hyper.count(scene)
        hyper.project(scene, basis), basis.write(path + "b"), hyper.read_basis(path + "b")
        fails(lambda: hyper.unmix(scene, found, out=path))
        fails(lambda: hyper.unmix(scene, found.spectra[[0, 0]]))
        fails(lambda: hyper.unmix(scene, found, names=["a"]), ValueError)
        fails(lambda: hyper.project(cells, basis))
        fails(lambda: hyper.classify_supervised(scene, truth * 0))
        fails(lambda: hyper.endmembers(scene, 2, "ppi", skewers=np.eye(3)), ValueError)
    fails(lambda: hyper.moments(scene))
    fails(lambda: hyper.open(cells, bands="q"))
    fails(lambda: hyper.open(cells, dims=("q",)), ValueError)
    fails(lambda: hyper.open(path + "no"))
    hyper.score_labels(truth, truth), hyper.score_endmembers(found, found)
    fails(lambda: hyper.score_labels(truth, truth * 0))
    fails(lambda: hyper.score_endmembers(found, found.spectra * 0))


def use_all() -> None:
    folder = tempfile.mkdtemp(prefix="xta-leaks-")
    try:
        use_array(folder)
        use_dataset(folder)
        if importlib.util.find_spec("xta._hyper"):
            use_hyper(folder)
    finally:
        shutil.rmtree(folder)

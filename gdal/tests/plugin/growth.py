"""Another process lets an array grow at both ends of two axes while it is opened again and again, by both APIs and by
several threads. Each cell is a function of its coordinates, which a reader computes from what GDAL shows of the opened
dataset: a mixture of two moments would show.

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys
import threading
import time

from common import SCALE, Writer, check, finish, folder, gdal, np, seeded, tool

NAMES = ("time", "y", "x")
ORIGIN = {"time": (1000, 3), "y": (500.0, -0.5), "x": (20.0, 0.25)} # coordinate of cell 0, and step
WIDTH = 5


def value(t, y, x):
    """The cell at these numbers of cells."""
    return (np.asarray(t, "i8")[:, None, None] * 1000003 + np.asarray(y, "i8")[None, :, None] * 1009 +
            np.asarray(x, "i8")[None, None, :])


def grow(path, seed, n_growths):
    """The writer: runs in a process of its own."""
    rng = np.random.default_rng(seed)
    writer = Writer(path)
    for _ in range(n_growths):
        lo, hi = writer.bounds()
        axis, front = int(rng.integers(2)), bool(rng.integers(2))
        cells = [np.arange(lo[k], hi[k]) for k in range(3)]
        by = int(rng.integers(1, 3))
        cells[axis] = np.arange(lo[axis] - by, lo[axis]) if front else np.arange(hi[axis], hi[axis] + by)
        writer.append(axis, front, value(*cells))
        time.sleep(0.005) # readers open it several times between two growths
    writer.close()


def created(path):
    tool("create", path, "--type", "i64", "--bounds", f"2,3,{WIDTH}", "--names", ",".join(NAMES), "--chunk", "2,4,3")
    for axis, (origin, step) in ORIGIN.items():
        kind = "i64" if axis == "time" else "f64"
        code = 8 if axis == "time" else 12
        tool("attr", path, f"values//regular={origin},{step},{code}", "--type", kind, "--axis", axis)
    writer = Writer(path)
    writer.write([0, 0, 0], value(range(2), range(3), range(WIDTH)))
    writer.close()


def cell_of(axis, coordinate):
    origin, step = ORIGIN[axis]
    return np.rint((np.asarray(coordinate, "f8") - origin) / step).astype("i8")


def check_raster(path):
    dataset = gdal.Open(path)
    if dataset is None:
        check(False, "raster not opened", gdal.GetLastErrorMsg())
        return None
    left, width, _, top, _, height = dataset.GetGeoTransform()
    times = [int(dataset.GetRasterBand(b + 1).GetDescription().split("=")[1]) for b in range(dataset.RasterCount)]
    y = cell_of("y", top + height * (np.arange(dataset.RasterYSize) + 0.5))
    x = cell_of("x", left + width * (np.arange(dataset.RasterXSize) + 0.5))
    expected = value(cell_of("time", times), y, x)
    check(np.array_equal(dataset.ReadAsArray(), expected), "raster at", dataset.GetGeoTransform())
    return dataset, expected


def check_array(path, name):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER)
    if dataset is None:
        check(False, "array not opened", gdal.GetLastErrorMsg())
        return
    array = dataset.GetRootGroup().OpenMDArray(name)
    cells = [cell_of(d.GetName(), d.GetIndexingVariable().ReadAsArray()) for d in array.GetDimensions()]
    check(np.array_equal(array.ReadAsArray(), value(*cells)), "array", [c[:1] for c in cells])


def read_beside(writer, path, name, counts, number):
    """One thread: opens until the writer has ended, and once more; the first dataset stays open, and as it was."""
    first, seen = check_raster(path)
    shapes = {seen.shape}
    ended = False
    while not ended:
        ended = writer.poll() is not None
        _, expected = check_raster(path)
        shapes.add(expected.shape)
        check_array(path, name)
        counts[number] += 2
        check(np.array_equal(first.ReadAsArray(), seen), "the dataset that stays open")
    counts[number + 100] = len(shapes)


def sets(scratch):
    """Two members of a set that grow together, with listed coordinates, at both ends."""
    folder_path = f"{scratch}/set"
    root = gdal.GetDriverByName("XTA").CreateMultiDimensional(folder_path).GetRootGroup()
    real = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    times, y = root.CreateDimension("time", None, None, 3), root.CreateDimension("y", None, None, 2)
    root.CreateMDArray("time", [times], real).WriteArray(np.array([10.0, 11, 12]))
    for name in ("a", "b"):
        root.CreateMDArray(name, [times, y], real)
    root = times = y = None
    script = "\n".join(f'"$XTA_TOOL" extend {folder_path}/ --axis time --by 2 {side} --coordinates {values} >/dev/null'
                       for k in range(int(12 * SCALE) or 1)
                       for side, values in (("", f"{13 + 2 * k},{14 + 2 * k}"), ("--front", f"{8 - 2 * k},{9 - 2 * k}")))
    with subprocess.Popen(["bash", "-ec", script]) as writer:
        lengths, n = set(), 0
        while writer.poll() is None:
            root = gdal.OpenEx(folder_path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
            times = root.OpenMDArray("time").ReadAsArray()
            shapes = {root.OpenMDArray(name).ReadAsArray().shape for name in ("a", "b")}
            check(shapes == {(len(times), 2)}, "members of one moment", shapes, len(times))
            check(np.all(np.diff(times) == 1), "coordinates", times)
            lengths.add(len(times))
            n += 1
    check(writer.returncode == 0 and len(lengths) > 2, "growths of the set", lengths)
    return n


def main():
    if len(sys.argv) > 1:
        grow(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
        return
    rng = seeded()
    with folder() as scratch:
        path = f"{scratch}/grows"
        created(path)
        n_growths = int(120 * SCALE) or 1
        words = [sys.executable, "-B", os.path.abspath(__file__), path, str(rng.integers(1 << 30)), str(n_growths)]
        with subprocess.Popen(words) as writer:
            counts = {k: 0 for k in range(3)}
            threads = [threading.Thread(target=read_beside, args=(writer, path + ".xmd", "grows", counts, k))
                       for k in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        check(writer.returncode == 0, "the writer ended with", writer.returncode)
        n_shapes = max(counts[k + 100] for k in range(3))
        check(n_shapes > 3, "few shapes seen", n_shapes)
        n_sets = sets(scratch)
    n_opens = sum(counts[k] for k in range(3))
    finish(f"{n_opens} opens beside {n_growths} growths, up to {n_shapes} shapes in one thread; {n_sets} of a set")


main()

"""Regions of a real fMRI image against NumPy. See extract_fmri.sh.

SPDX-License-Identifier: Apache-2.0
"""
import csv
import subprocess
import sys

import nibabel
import numpy

SOURCE = sys.argv[1]


def xta(*words):
    subprocess.run(("xta",) + words, check=True, stdout=subprocess.DEVNULL)


def table(path):
    with open(path, encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def compare_statistics(rows, data, labels, position):
    """Every line of the table; data has the axes of the labels first."""
    found = set()
    for row in rows:
        label, at = int(row["name"]), tuple(int(row[name]) for name in position)
        series = data[labels == label]
        cells = series[(slice(None),) + at].astype(object)
        found.add((label,) + at)
        assert int(row["count"]) == len(cells) and row["nan"] == "0", row
        assert int(row["sum"]) == sum(cells), row
        assert (int(row["min"]), int(row["max"])) == (min(cells), max(cells)), row
        assert abs(float(row["mean"]) - sum(cells) / len(cells)) < 1e-9, row
    n_labels = len(numpy.unique(labels[labels != 0]))
    assert len(found) == len(rows) == n_labels * numpy.prod(data.shape[labels.ndim:], dtype=int)
    return n_labels


def compare_cells(folder, data, labels):
    for label in numpy.unique(labels[labels != 0]):
        values = numpy.load(f"{folder}/{label}.npy")
        coords = numpy.load(f"{folder}/{label}.coords.npy")
        assert values.dtype == data.dtype and numpy.array_equal(values, data[labels == label])
        assert numpy.array_equal(coords, numpy.argwhere(labels == label))


def main():
    data = numpy.asarray(nibabel.load(SOURCE).dataobj)
    mean = data.mean(axis=3)
    # Labels by brightness: ragged regions; the darkest voxels are background.
    edges = numpy.quantile(mean, [0.4, 0.55, 0.7, 0.85, 0.97])
    labels = numpy.digitize(mean, edges).astype(numpy.int16)
    labels[labels == 5] = -7
    numpy.save("labels.npy", labels)

    xta("import", SOURCE, "bold", "--chunk", "8,8,1,100")
    xta("extract", "bold", "--mask", "labels.npy", "--out", "a.csv", "--cells", "cells")
    n = compare_statistics(table("a.csv"), data, labels, ["t"])
    compare_cells("cells", data, labels)
    print(f"{n} regions of {data.shape}: equal")

    # The mask as an array of other chunks, little memory, time as the first axis.
    xta("import", "labels.npy", "labels", "--chunk", "7,3,1")
    numpy.save("late.npy", numpy.moveaxis(data, 3, 0))
    xta("import", "late.npy", "late", "--chunk", "200,16,16,1")
    xta("extract", "late", "--mask", "labels", "--memory", "1MiB", "--out", "b.csv")
    rows = table("b.csv")
    compare_statistics(rows, data, labels, ["axis0"])
    print(f"{len(rows)} lines with time first: equal")

    # Boxes and spheres, all axes.
    with open("regions", "w", encoding="utf-8") as out:
        out.write("box 3:17,2:19,:,100:900 box\nsphere 20,10,0,700 300.5 ball\n")
    xta("extract", "bold", "--regions", "regions", "--spacing", "30,30,1,1", "--out", "c.csv",
        "--cells", "shapes")
    box = data[3:17, 2:19, :, 100:900]
    grid = numpy.indices(data.shape)
    distance = sum(((axis - centre) * side) ** 2.0 for axis, centre, side
                   in zip(grid, (20, 10, 0, 700), (30, 30, 1, 1)))
    ball = distance <= 300.5 ** 2
    first, second = table("c.csv")
    assert (int(first["sum"]), int(second["sum"])) == (int(box.sum()), int(data[ball].sum()))
    assert int(second["count"]) == int(ball.sum())
    assert numpy.array_equal(numpy.load("shapes/box.npy"), box)
    assert numpy.array_equal(numpy.load("shapes/ball.npy"), data[ball])
    assert numpy.array_equal(numpy.load("shapes/ball.coords.npy"), numpy.argwhere(ball))
    print("a box and a ball: equal")


main()

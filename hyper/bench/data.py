#!/usr/bin/python3
"""The input of the hyperspectral bench, as files that the tool imports.

    data.py FOLDER DATA      writes FOLDER/labels.npy and FOLDER/library.csv for a scene of Salinas' size

With the real data in DATA the labels are those of Salinas and the spectra of a class are the means of the block
of 15 x 15 pixels in which it is purest; without it both are synthetic, with a message.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import sys

import numpy as np

LINES, SAMPLES, BANDS, CLASSES, BLOCK = 512, 217, 204, 16, 15


def real(data):
    from scipy.io import loadmat

    folder = pathlib.Path(data) / "hyperspectral" / "salinas"
    labels = loadmat(folder / "Salinas_gt.mat")["salinas_gt"].astype(np.uint8)
    means = np.fromfile(folder / "salinas-corrected.mean.bin", dtype="<f4").reshape(-1, BANDS)
    rows, columns = -(-LINES // BLOCK), -(-SAMPLES // BLOCK)
    share = np.zeros((CLASSES, rows * columns))
    for block in range(rows * columns):
        i, j = divmod(block, columns)
        part = labels[i * BLOCK : (i + 1) * BLOCK, j * BLOCK : (j + 1) * BLOCK]
        for c in range(CLASSES):
            share[c, block] = (part == c + 1).mean()
    return labels, means[share.argmax(axis=1)].astype(float)


def made():
    print("data.py: THE REAL DATA IS NOT HERE: labels and spectra are made up", file=sys.stderr)
    random = np.random.default_rng(7)
    line, sample = np.mgrid[0:LINES, 0:SAMPLES]
    seeds = random.integers(0, [LINES, SAMPLES], size=(60, 2))
    distance = [(line - a) ** 2 + (sample - b) ** 2 for a, b in seeds]
    labels = (np.argmin(distance, axis=0) % (CLASSES + 1)).astype(np.uint8)
    band = np.arange(BANDS) / BANDS
    library = [
        1200 + 900 * np.sin(3 * (k + 1) * band + k) + 300 * np.exp(-((band - k / CLASSES) ** 2) * 90)
        for k in range(CLASSES)
    ]
    return labels, np.array(library)


def main():
    folder = pathlib.Path(sys.argv[1])
    try:
        labels, library = real(sys.argv[2])
    except OSError:
        labels, library = made()
    np.save(folder / "labels.npy", labels)
    with open(folder / "library.csv", "w", encoding="utf-8") as out:
        out.write("band," + ",".join(f"class {k + 1}" for k in range(len(library))) + "\n")
        for band, values in enumerate(library.T):
            out.write(f"{band}," + ",".join(repr(float(v)) for v in values) + "\n")


if __name__ == "__main__":
    main()

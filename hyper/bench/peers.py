#!/usr/bin/python3
"""The peers for these steps: Spectral Python where it has them, else NumPy/SciPy programs.

    peers.py SCENE.npy ENDMEMBERS.csv STEP...      prints `step,peer,seconds` lines, the best of --repeat runs

SCENE is lines x samples x bands, held in memory. The NumPy programs avoid slow loops over pixels: products of whole
matrices, pixels of the same active set solved together.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import csv
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def read_endmembers(path):
    """Endmembers of a CSV file as the tool writes it: comment lines, a row of names, a row for each band."""
    with open(path, encoding="utf-8") as lines:
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    return np.array(rows[1:], dtype=float)[:, 1:].T.copy()


def spectral_pct(cube, _):
    import spectral

    return spectral.principal_components(cube)


def numpy_pct(cube, _):
    x = cube.reshape(-1, cube.shape[2]).astype(float)
    x -= x.mean(axis=0)
    return np.linalg.eigh(x.T @ x / (len(x) - 1))


def spectral_ppi(cube, _):
    import spectral

    return spectral.ppi(cube, 1000, display=0)


def numpy_ppi(cube, _):
    x = cube.reshape(-1, cube.shape[2]).astype(float)
    skewers = np.random.default_rng(1).standard_normal((1000, x.shape[1]))
    counts = np.zeros(len(x), dtype=int)
    for first in range(0, 1000, 100):
        scores = x @ skewers[first : first + 100].T
        np.add.at(counts, scores.argmax(axis=0), 1)
        np.add.at(counts, scores.argmin(axis=0), 1)
    return counts


def first_simplex(x, p):
    """Greedy start: the longest pixel, then the farthest from the affine hull of those chosen."""
    chosen = [int(np.einsum("ij,ij->i", x, x).argmax())]
    left = x - x[chosen[0]]
    square = np.einsum("ij,ij->i", left, left)
    base = np.zeros((0, x.shape[1]))
    for _ in range(1, p):
        k = int(square.argmax())
        chosen.append(k)
        direction = left[k] - base.T @ (base @ left[k])
        direction /= np.linalg.norm(direction)
        base = np.vstack([base, direction])
        square -= (left @ direction) ** 2
    return chosen


def numpy_nfindr(cube, endmembers):
    """All positions of all pixels scored by one product; the best replacement, repeated until there is none."""
    x = cube.reshape(-1, cube.shape[2]).astype(float)
    chosen = first_simplex(x, len(endmembers))
    norms = np.einsum("ij,ij->i", x, x)
    for _ in range(500):
        e = x[chosen]
        edges = (e[1:] - e[0]).T
        inverse = np.linalg.pinv(edges)
        b = (x - e[0]) @ inverse.T
        coordinates = np.hstack([1 - b.sum(axis=1, keepdims=True), b])
        foot = coordinates @ e
        off = np.maximum(norms - 2 * np.einsum("ij,ij->i", x, foot) + np.einsum("ij,ij->i", foot, foot), 0)
        heights = np.empty(len(chosen))
        for j in range(len(chosen)):
            others = np.delete(e, j, axis=0)
            basis, _r = np.linalg.qr((others[1:] - others[0]).T)
            d = e[j] - others[0]
            heights[j] = np.sum(d * d) - np.sum((basis.T @ d) ** 2)
        gain = coordinates**2 + off[:, None] / heights
        best = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[best] <= 1 + 1e-9:
            break
        chosen[best[1]] = int(best[0])
    return chosen


def solve_groups(gram, right, passive):
    """Abundances that sum to one with the given passive sets: pixels of one set are solved at once."""
    p = len(gram)
    answer = np.zeros_like(right)
    multiplier = np.zeros(len(right))
    codes = passive @ (1 << np.arange(p))
    order = np.argsort(codes, kind="stable")
    for pixels in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
        s = np.flatnonzero(passive[pixels[0]])
        system = np.ones((len(s) + 1, len(s) + 1))
        system[:-1, :-1] = gram[np.ix_(s, s)]
        system[-1, -1] = 0
        known = np.vstack([right[np.ix_(pixels, s)].T, np.ones(len(pixels))])
        solved = np.linalg.solve(system, known)
        answer[np.ix_(pixels, s)] = solved[:-1].T
        multiplier[pixels] = solved[-1]
    return answer, multiplier


def numpy_fcls(cube, endmembers):
    """Active sets with re-entry: drop negative members, and add those required by the conditions."""
    x = cube.reshape(-1, cube.shape[2]).astype(float)
    scale = np.abs(endmembers).max()
    gram = (endmembers / scale) @ (endmembers / scale).T
    right = (x / scale) @ (endmembers / scale).T
    passive = np.ones(right.shape, dtype=bool)
    answer = np.zeros_like(right)
    todo = np.arange(len(x))
    for _ in range(200):
        trial, multiplier = solve_groups(gram, right[todo], passive[todo])
        negative = trial < -1e-12
        bad = negative.any(axis=1)
        answer[todo] = trial
        dual = right[todo] - trial @ gram - multiplier[:, None]
        dual[passive[todo]] = -np.inf
        enters = ~bad & (dual.max(axis=1) > 1e-10)
        passive[todo[bad]] &= ~negative[bad]
        passive[todo[enters], dual[enters].argmax(axis=1)] = True
        todo = todo[bad | enters]
        if len(todo) == 0:
            break
    return answer


def numpy_labels(cube, endmembers):
    x = cube.reshape(-1, cube.shape[2]).astype(float)
    unit = endmembers / np.linalg.norm(endmembers, axis=1, keepdims=True)
    return ((x @ unit.T) / np.linalg.norm(x, axis=1, keepdims=True)).argmax(axis=1)


def spectral_labels(cube, endmembers):
    import spectral

    return spectral.spectral_angles(cube.astype(float), endmembers).argmin(axis=2)


def numpy_amee(cube, _):
    """One pass over 3 x 3 windows: sums of angles of each member, purest and most mixed."""
    lines, samples, _bands = cube.shape
    x = cube.astype(float)
    x /= np.linalg.norm(x, axis=2, keepdims=True)
    padded = np.full((lines + 2, samples + 2, x.shape[2]), np.nan)
    padded[1:-1, 1:-1] = x
    members = [padded[i : i + lines, j : j + samples] for i in range(3) for j in range(3)]
    sums = np.zeros((9, lines, samples))
    for a in range(9):
        for b in range(a + 1, 9):
            angle = np.arccos(np.clip(np.einsum("ijk,ijk->ij", members[a], members[b]), -1, 1))
            angle = np.nan_to_num(angle)
            sums[a] += angle
            sums[b] += angle
    return sums.argmax(axis=0), sums.argmin(axis=0)


STEPS = {
    "pct": [("spectral", spectral_pct), ("numpy", numpy_pct)],
    "ppi": [("spectral", spectral_ppi), ("numpy", numpy_ppi)],
    "nfindr": [("numpy", numpy_nfindr)],
    "fcls": [("numpy", numpy_fcls)],
    "labels": [("spectral", spectral_labels), ("numpy", numpy_labels)],
    "amee": [("numpy", numpy_amee)],
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scene")
    parser.add_argument("endmembers")
    parser.add_argument("steps", nargs="+", choices=sorted(STEPS))
    parser.add_argument("--repeat", type=int, default=1)
    given = parser.parse_args()
    cube = np.load(given.scene)
    endmembers = read_endmembers(given.endmembers)
    for step in given.steps:
        for name, run in STEPS[step]:
            best = float("inf")
            for _ in range(given.repeat):
                started = time.perf_counter()
                run(cube, endmembers)
                best = min(best, time.perf_counter() - started)
            print(f"{step},{name},{best:.4f}", flush=True)


if __name__ == "__main__":
    main()

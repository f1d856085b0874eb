"""Random windows of random arrays through the raster API equal slices of NumPy: types in memory, distances of pixels,
lines and bands, lists of bands, reduced sizes, and blocks.

SPDX-License-Identifier: Apache-2.0
"""
from common import SCALE, check, finish, folder, gdal, gdal_array, make, np, random_cells, seeded

# How GDAL 3.6 sees the types; signed bytes are bytes with PIXELTYPE=SIGNEDBYTE.
SEEN = {np.dtype("bool"): "u1", np.dtype("f2"): "f4"}
TYPES = ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
NAMES = [("band", "y", "x"), ("y", "x", "band"), ("y", "band", "x"), ("time", "level", "lat", "lon"),
         ("line", "sample"), ("x", "y"), ("lon", "time", "lat", "m"), None]


def as_raster(cells, names):
    """The cells as GDAL orders them: bands, lines, samples."""
    names = list(names or [""] * cells.ndim)
    pairs = [({"y", "lat", "line"}, -2), ({"x", "lon", "sample"}, -1)]
    line, sample = [next((k for k, name in enumerate(names) if name in words), cells.ndim + place)
                    for words, place in pairs]
    others = [k for k in range(cells.ndim) if k not in (line, sample)]
    moved = np.transpose(cells, others + [line, sample])
    return moved.reshape((-1,) + moved.shape[-2:])


def made_array(rng, scratch, number):
    names = NAMES[rng.integers(len(NAMES))]
    ndim = len(names) if names else rng.integers(2, 5)
    dtype = TYPES[rng.integers(len(TYPES))]
    shape = tuple(int(n) for n in rng.integers(1, 14, ndim))
    cells = random_cells(rng, shape, dtype)
    path = f"{scratch}/a{number}"
    make(path, cells, names, [int(n) for n in rng.integers(1, 8, ndim)],
         [int(rng.integers(0, n)) for n in shape])
    return path, cells, as_raster(cells, names)


def converted(values, to):
    """As GDAL converts: rounded, and clipped to the range of an integer."""
    to = np.dtype(to)
    if to.kind in "iu" and values.dtype.kind == "f":
        info = np.iinfo(to)
        low = np.clip(values.astype("f8"), float(info.min), float(info.max))
        return np.where(low < 0, np.ceil(low - 0.5), np.floor(low + 0.5)).astype(to)
    if to.kind in "iu" and values.dtype.kind in "iu":
        info = np.iinfo(to)
        low = [min(max(int(v), info.min), info.max) for v in values.ravel()]
        return np.array(low, dtype=to).reshape(values.shape)
    return values.astype(to)


def one_window(rng, dataset, expected, what):
    n_bands, n_lines, n_samples = expected.shape
    x, y = int(rng.integers(n_samples)), int(rng.integers(n_lines))
    width, height = int(rng.integers(1, n_samples - x + 1)), int(rng.integers(1, n_lines - y + 1))
    bands = [int(b) for b in rng.integers(1, n_bands + 1, rng.integers(1, n_bands + 3))]
    if rng.random() < 0.5:
        first = int(rng.integers(1, n_bands + 1))
        bands = list(range(first, int(rng.integers(first, n_bands + 1)) + 1))
    own = expected.dtype
    wanted = own if rng.random() < 0.6 or own.kind == "c" else np.dtype(
        ["u1", "i2", "u2", "i4", "f4", "f8"][rng.integers(6)])
    values = expected[[b - 1 for b in bands], y:y + height, x:x + width]
    # a part of the pixels, at equal distances: GDAL takes the middle one of each group
    by_x = int(rng.choice([n for n in range(1, width + 1) if width % n == 0]))
    by_y = int(rng.choice([n for n in range(1, height + 1) if height % n == 0]))
    if rng.random() < 0.5:
        by_x = by_y = 1
    values = values[:, by_y // 2::by_y, by_x // 2::by_x]
    values = converted(values, wanted)
    shape = values.shape
    # distances in memory: any order of bands, lines and samples, with gaps between them
    order = rng.permutation(3)
    item = wanted.itemsize
    strides, step = [0, 0, 0], item * int(rng.integers(1, 3))
    for axis in order:
        strides[axis] = step
        step = step * shape[axis] + item * int(rng.integers(0, 3))
    memory = bytearray(step + item)
    raw = dataset.ReadRaster(x, y, width, height, shape[2], shape[1], gdal_array.NumericTypeCodeToGDALTypeCode(wanted),
                             bands, strides[2], strides[1], strides[0])
    if raw is None:
        check(False, what, "not read", gdal.GetLastErrorMsg())
        return
    memory[:len(raw)] = raw
    got = np.ndarray(shape, wanted, bytes(memory), strides=strides)
    check(np.array_equal(got, values, equal_nan=wanted.kind in "fc"), what, (x, y, width, height), bands, wanted,
          "steps", (by_x, by_y), "strides", strides)


def blocks(rng, dataset, expected, what):
    band = int(rng.integers(expected.shape[0]))
    read = dataset.GetRasterBand(band + 1)
    width, height = read.GetBlockSize()
    bx = int(rng.integers((dataset.RasterXSize + width - 1) // width))
    by = int(rng.integers((dataset.RasterYSize + height - 1) // height))
    part = expected[band, by * height:(by + 1) * height, bx * width:(bx + 1) * width]
    got = np.frombuffer(read.ReadBlock(bx, by), expected.dtype).reshape(height, width)
    check(np.array_equal(got[:part.shape[0], :part.shape[1]], part, equal_nan=part.dtype.kind in "fc"), what, "block",
          bx, by)


def averaged(dataset, expected, what):
    """Other resampling than nearest is GDAL's own."""
    n_lines, n_samples = expected.shape[1:]
    if n_lines < 2 or n_samples < 2 or expected.dtype.kind == "c":
        return
    memory = gdal_array.OpenArray(expected)
    for method in (gdal.GRIORA_Average, gdal.GRIORA_Bilinear, gdal.GRIORA_NearestNeighbour):
        sizes = {"buf_xsize": (n_samples + 1) // 2, "buf_ysize": (n_lines * 2 + 1) // 3, "resample_alg": method}
        one, other = dataset.ReadAsArray(**sizes), memory.ReadAsArray(**sizes)
        # signed bytes come as such to Python alone
        check(np.array_equal(one.view(other.dtype), other, equal_nan=other.dtype.kind == "f"), what, "resampled", method,
              sizes)


def main():
    rng = seeded()
    n_arrays, n_windows = int(25 * SCALE) or 1, 40
    with folder() as scratch:
        for number in range(n_arrays):
            path, cells, expected = made_array(rng, scratch, number)
            what = f"{path}: {cells.dtype} {cells.shape}"
            expected = expected.view("u1") if cells.dtype == "i1" else expected.astype(SEEN.get(cells.dtype, cells.dtype))
            dataset = gdal.Open(path + ".xmd")
            if dataset is None:
                check(False, what, "not opened", gdal.GetLastErrorMsg())
                continue
            check((dataset.RasterCount, dataset.RasterYSize, dataset.RasterXSize) == expected.shape, what,
                  dataset.RasterCount, dataset.RasterYSize, dataset.RasterXSize, expected.shape)
            kind = dataset.GetRasterBand(1).GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE")
            check((kind == "SIGNEDBYTE") == (cells.dtype == "i1"), what, kind)
            for _ in range(n_windows):
                one_window(rng, dataset, expected, what)
                blocks(rng, dataset, expected, what)
            averaged(dataset, expected, what)
    finish(f"{n_arrays * n_windows} random windows of {n_arrays} arrays equal NumPy")


main()

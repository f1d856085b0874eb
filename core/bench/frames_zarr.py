"""The zarr-python side of bench_frames: appends a frame for each line it reads, prints its seconds.

SPDX-License-Identifier: Apache-2.0
"""
import shutil
import sys
import time

import numpy
import zarr

SIDE = 256

path = sys.argv[1]
shutil.rmtree(path, ignore_errors=True)
frames = zarr.open(
    path, mode="w", shape=(0, SIDE, SIDE), chunks=(16, 64, 64), dtype="u2", compressor=None
)
cells = numpy.arange(SIDE * SIDE, dtype="u4")
print("ready", flush=True)
for line in sys.stdin:
    k = int(line)
    frame = (k * 31 + cells).astype("u2").reshape(1, SIDE, SIDE)
    start = time.perf_counter()
    frames.append(frame)
    print(time.perf_counter() - start, flush=True)
last = len(frames) - 1
if last >= 0 and frames[last, 0, 0] != last * 31 % 65536:
    sys.exit("zarr-python: the last frame is wrong")
shutil.rmtree(path, ignore_errors=True)

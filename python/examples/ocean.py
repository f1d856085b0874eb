# SPDX-License-Identifier: Apache-2.0
"""A data set that grows at both ends, seen by xarray, and filled by Dask's workers.

    python3 ocean.py [FOLDER]
"""

import os
import sys
import tempfile

import dask.array as da
import numpy as np
import pandas as pd
import xarray as xr

import xta.dask_array
import xta.xarray_accessor  # ds.xta


def days(start, n):
    """Sea surface temperatures of n days: the day of the year and the latitude decide."""
    time = pd.date_range(start, periods=n)
    lat, lon = np.arange(-80.0, 81.0, 20.0), np.arange(0.0, 360.0, 30.0)
    sst = 15 + time.dayofyear.values[:, None, None] / 100 - abs(lat)[:, None] / 6 + 0 * lon
    return xr.Dataset(
        {"sst": (("time", "lat", "lon"), sst.astype("f4"), {"units": "degC"})}, {"time": time, "lat": lat, "lon": lon}
    )


def main(folder):
    ocean = os.path.join(folder, "ocean")

    # A Dataset becomes a data set of arrays; chunks and packing are of the encoding.
    days("2015-01-01", 31).xta.to_xta(ocean, encoding={"sst": {"chunks": (10, 9, 12)}}, unlimited_dims=["time"])
    ds = xr.open_dataset(ocean, engine="xta")

    # Days that follow, days that came before, and a series of which a part is there already.
    print(days("2015-02-01", 28).xta.append(ocean, "time"))
    print(days("2014-12-25", 7).xta.append(ocean, "time"))
    print(days("2015-02-27", 5).xta.append(ocean, "time", overlap="skip"))

    # What was opened stays as it was; refresh is the data set of this moment.
    now = ds.xta.refresh()
    print(ds.sizes["time"], "days, then", now.sizes["time"], "from", str(now.time.values[0])[:10])
    print(float(now.sst.sel(time="2014-12-31", lat=40, lon=180).squeeze()))

    # Blocks end where chunks do, at the front too.
    lazy = now.xta.refresh(chunks={})
    print(lazy.sst.chunks[0])
    print(float(lazy.sst.mean().compute()))

    # Workers write: the data set grows once, here, and blocks need no lock.
    march = days("2015-03-04", 28)
    first, behind = xta.dask_array.append(
        ocean, {"sst": da.from_array(march.sst.values, chunks=(5, 9, 12))}, "time", coords=march.time.values
    )
    print("cells", first, "to", behind)
    xr.testing.assert_allclose(ds.xta.refresh().load(), days("2014-12-25", 97))

    # Other chunks, by the planner.
    by_place = xta.dask_array.rechunk(ocean, {"sst": (97, 3, 3)}, "64MB", os.path.join(folder, "by-place"))
    by_place.execute().close()
    print(xr.open_dataset(os.path.join(folder, "by-place"), engine="xta").sst.encoding["chunks"])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(scratch)

"""dask.distributed: two processes read the blocks of the same xarray. SPDX-License-Identifier: Apache-2.0"""
import pathlib
import sys

import distributed
import xarray

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expected

if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client, \
            xarray.open_dataset(sys.argv[1], engine="xta", decode_times=False, chunks={}) as ocean:
        time, y, x = (ocean[name].values for name in ("time", "y", "x"))
        temp, flag = client.gather(client.compute([ocean["temp"].data, ocean["flag"].data]))
        expected.compare("temp", temp, expected.temp(time, y, x))
        expected.compare("flag", flag, expected.flag(time, y, x))
    expected.found(time, y, 2 * time.size * y.size * x.size)

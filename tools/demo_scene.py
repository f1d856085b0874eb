#!/usr/bin/python3
"""Make the input of the demo if the real data is not available: six georeferenced tiles of a scene with 40
bands (GeoTIFF), three monthly fields of sea surface temperature and 240 years of air temperature (NetCDF), with the
names, the metadata and the gaps of the real ones. Everything is computed, so two runs make the same files.

    tools/demo_scene.py FOLDER

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys

import netCDF4
import numpy
from osgeo import gdal, osr

TILE = 32
COLUMNS, ROWS = (64, 96, 128), (0, 32)
NO_DATA = -32768
MONTHS = (("20150101-20150201", 3576960000), ("20150201-20150301", 3579552000),
          ("20150301-20150401", 3582144000))


def make_scene(wavelength_nm):
    """A lake, fields, a town: mixtures of three spectra over 64 x 96 cells."""
    row, column = numpy.mgrid[0:64, 0:96].astype(float)
    water = 1 / (1 + numpy.exp((numpy.hypot(row - 30, (column - 25) / 1.6) - 18) / 1.5))
    town = (numpy.sin(row / 2.1) * numpy.sin(column / 2.7) > 0.35) * (column > 50)
    field = 0.5 + 0.5 * numpy.sin(column / 9 + row / 13)
    w = wavelength_nm[:, None, None]
    grass = 400 + 900 * numpy.exp(-((w - 555) / 40) ** 2) + 3500 / (1 + numpy.exp((715 - w) / 12))
    soil = 300 + 1.6 * (w - 400)
    roof = 1500 + 900 / (1 + numpy.exp((600 - w) / 20))
    lake = 500 * numpy.exp((450 - w) / 150)
    land = field * grass + (1 - field) * soil
    land = town * roof + (1 - town) * land
    scene = water * lake + (1 - water) * land
    scene += 40 * numpy.sin(17 * row + 31 * column)  # texture, the same in every band
    scene[:, 5:8, 70:75] = NO_DATA
    return numpy.round(scene).astype(numpy.float32)


def write_tile(path, cells, wavelength_nm, x, y):
    driver = gdal.GetDriverByName("GTiff")
    tile = driver.Create(path, TILE, TILE, len(cells), gdal.GDT_Float32,
                         ["INTERLEAVE=BAND", "COMPRESS=DEFLATE"])
    system = osr.SpatialReference()
    system.ImportFromEPSG(32633)
    tile.SetProjection(system.ExportToWkt())
    tile.SetGeoTransform((363135 + 30 * (x - 64), 30, 0, 5809005 - 30 * y, 0, -30))
    for k, plane in enumerate(cells):
        band = tile.GetRasterBand(k + 1)
        band.SetNoDataValue(NO_DATA)
        band.SetScale(0.0001)
        band.SetOffset(0)
        band.SetDescription(f"band {k + 1}")
        band.SetMetadata({"wavelength": f"{wavelength_nm[k]:g}", "wavelength_units": "Nanometers"})
        band.WriteArray(plane)


def make_tiles(folder):
    os.makedirs(folder)
    wavelength_nm = numpy.linspace(420, 1200, 40)
    scene = make_scene(wavelength_nm)
    for y in ROWS:
        for x in COLUMNS:
            cells = scene[:, y:y + TILE, x - 64:x - 64 + TILE]
            write_tile(os.path.join(folder, f"enmap_potsdam_tile_{x}_{y}.tif"), cells,
                       wavelength_nm, x, y)


CDL = """netcdf nemo {{
dimensions:
    y = {rows} ;
    x = {columns} ;
    time_counter = UNLIMITED ;
variables:
    float nav_lat(y, x) ;
        nav_lat:standard_name = "latitude" ;
        nav_lat:units = "degrees_north" ;
    float nav_lon(y, x) ;
        nav_lon:standard_name = "longitude" ;
        nav_lon:units = "degrees_east" ;
    double time_counter(time_counter) ;
        time_counter:units = "seconds since 1900-01-01 00:00:00" ;
        time_counter:calendar = "360_day" ;
    float tos(time_counter, y, x) ;
        tos:_FillValue = 1.e+20f ;
        tos:long_name = "Sea Surface Temperature" ;
        tos:units = "degree_C" ;
        tos:coordinates = "nav_lat nav_lon" ;
        :title = "a made sea, {month}" ;
data:
    nav_lat = {latitude} ;
    nav_lon = {longitude} ;
    time_counter = {time} ;
    tos = {cells} ;
}}
"""


def numbers(cells):
    return ", ".join("_" if v > 1e19 else f"{v:.9g}" for v in cells.astype(numpy.float32).ravel())


def make_months(folder):
    os.makedirs(folder)
    rows, columns = 165, 180
    row, column = numpy.mgrid[0:rows, 0:columns].astype(float)
    latitude = -80 + row
    longitude = 2 * column
    land = (numpy.sin(longitude / 40) + numpy.sin(latitude / 17 + longitude / 90) > 1.1)
    for k, (month, time) in enumerate(MONTHS):
        sea = 29 * numpy.cos(numpy.radians(latitude + 8 - 2 * k)) ** 2 - 1.8
        sea += numpy.sin(longitude / 11 + latitude / 7 + k)
        sea[land] = 1e20
        text = CDL.format(rows=rows, columns=columns, month=month, time=f"{time + 15 * 86400}.",
                          latitude=numbers(latitude), longitude=numbers(longitude),
                          cells=numbers(sea))
        path = os.path.join(folder, f"nemo_1m_{month}_grid-T.nc")
        subprocess.run(["ncgen", "-k", "nc7", "-o", path, "-"], input=text.encode(), check=True)


def make_climate(folder):
    """One map a year, with a trend and some noise that is the same each time."""
    years, latitude, longitude = numpy.arange(240), numpy.arange(15.0, 60, 2.5), numpy.arange(225.0, 315, 3.75)
    noise = numpy.random.default_rng(1860).normal(0, 0.7, (len(years), 1, 1))
    cells = 305 - 0.6 * (latitude[None, :, None] - 15) + numpy.maximum(0, years - 100)[:, None, None] * 0.04 + noise
    with netCDF4.Dataset(os.path.join(folder, "A1B_north_america.nc"), "w") as f:
        f.title = "a made climate"
        f.createDimension("time", None)
        f.createDimension("latitude", len(latitude))
        f.createDimension("longitude", len(longitude))
        time = f.createVariable("time", "f8", ("time",))
        time.units, time.calendar = "hours since 1970-01-01 00:00:00", "360_day"
        time[:] = (years - 110) * 8640 + 4320
        for name, values, unit in (("latitude", latitude, "degrees_north"), ("longitude", longitude, "degrees_east")):
            v = f.createVariable(name, "f4", (name,))
            v.units = unit
            v[:] = values
        tas = f.createVariable("air_temperature", "f4", ("time", "latitude", "longitude"))
        tas.units = "K"
        tas[:] = numpy.broadcast_to(cells, (len(years), len(latitude), len(longitude)))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    gdal.UseExceptions()
    make_tiles(os.path.join(sys.argv[1], "hyperspectral", "enmap_potsdam", "images"))
    make_months(os.path.join(sys.argv[1], "netcdf"))
    make_climate(os.path.join(sys.argv[1], "netcdf"))


if __name__ == "__main__":
    main()

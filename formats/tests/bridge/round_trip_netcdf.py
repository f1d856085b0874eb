# Round trips of NetCDF files, judged by ncdump.
# SPDX-License-Identifier: Apache-2.0
import functools
import glob
import os
import re

from judge import (BRIDGE, bridge_export, bridge_import, call, check, data_folder, done, ncdump, parts_of,
                   refused, run, workplace)

MADE = """netcdf made {
dimensions:
  time = UNLIMITED ; y = 3 ; x = 4 ; nv = 2 ; none = UNLIMITED ;
variables:
  double time(time) ; time:units = "days since 2000-01-01" ; time:bounds = "time_bounds" ;
  double time_bounds(time, nv) ;
  float lat(y, x) ; lat:units = "degrees_north" ;
  int crs ; crs:grid_mapping_name = "latitude_longitude" ; crs:radius = 6371229. ;
  string label(y) ;
  short temp(time, y, x) ;
    temp:_FillValue = -99s ; temp:scale_factor = 0.01 ; temp:add_offset = 273.15f ;
    temp:units = "K" ; temp:coordinates = "lat time" ; temp:grid_mapping = "crs" ;
    temp:valid_range = -50s, 50s ; temp:bytes = 1b, -2b ; temp:empty = "" ;
    string temp:names = "one", "", "three\\nlines" ; string temp:single = "s" ;
    temp:u = 1ub, 255ub ; temp:big = 9223372036854775807ll ; temp:huge = 18446744073709551615ull ;
    temp:us = 65535us ; temp:ui = 4294967295u ;
  byte i1(y) ; ubyte u1(y) ; ushort u2(y) ; int i4(y) ; uint u4(y) ; int64 i8(y) ; uint64 u8(y) ;
  float f4(y) ; double f8(y) ; char c(y, x) ; int square(y, y) ; int nothing(none, y) ;
  :title = "made for the test" ; :numbers = 1, 2, 3 ;
data:
  time = 10, 20 ; time_bounds = 5, 15, 15, 25 ; crs = 0 ;
  lat = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ;
  label = "a", "b", "c" ;
  temp = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, _, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24 ;
  i1 = -128, 0, 127 ; u1 = 0, 1, 255 ; u2 = 0, 1, 65535 ; i4 = -2147483648, 0, 1 ;
  u4 = 0, 1, 4294967295 ; i8 = -9223372036854775808, 0, 1 ; u8 = 0, 1, 18446744073709551615 ;
  f4 = NaNf, 1.5, -Infinityf ; f8 = NaN, 1e300, 0.1 ; c = "abcdefghijkl" ;
  square = 1, 2, 3, 4, 5, 6, 7, 8, 9 ;
group: inner {
  variables: int deep(y) ; deep:note = "in a group" ;
  data: deep = 7, 8, 9 ;
}
}
"""
CLASSIC = """netcdf old {
dimensions: t = UNLIMITED ; n = 4 ;
variables: int t(t) ; t:units = "days since 1900-01-01" ; short v(t, n) ; v:units = "m" ;
data: t = %s ; v = %s ;
}
"""


@functools.lru_cache(maxsize=None)
def source_parts(path):
    """Those of a file that stays as it is; ncdump takes its time with the large ones."""
    return parts_of(path)


def contained(source, target, variable, what):
    """All that the export says the source says as well; and of the variable nothing is missing."""
    dims, variables, values, globals_ = source_parts(source)
    new_dims, new_variables, new_values, new_globals = parts_of(target)
    check(variable in new_variables, what, "is not in the export")
    check(new_globals == globals_, what, "global attributes", new_globals, globals_)
    for name, line in new_dims.items():
        check(dims.get(name) == line, what, "dimension", line, dims.get(name))
    for name, lines in new_variables.items():
        check(variables[name] == lines, what, "of", name, lines, variables[name])
        check(values.get(name) == new_values.get(name), what, "values of", name)
    return new_variables


def every_variable(source, place, tag):
    for name in source_parts(source)[1]:
        if re.search(r"string " + name, ncdump(source, "-h")) and "label" in name:
            continue
        array = f"{place}/{tag}-{name}"
        bridge_import(source, array, variable=name)
        bridge_export(array, f"{place}/{tag}.nc")
        contained(source, f"{place}/{tag}.nc", name, f"{os.path.basename(source)}:{name}")


def public_files(place):
    folder = data_folder("netcdf")
    if not folder:
        return
    files = sorted(glob.glob(os.path.join(folder, "*.nc")))
    check(len(files) >= 5, "public files", files)
    for k, path in enumerate(f for f in files if "nemo" not in f or "20150101" in f):
        every_variable(path, place, f"f{k}")
    for path, name in (("A1B_north_america.nc", "air_temperature"),
                       ("nemo_1m_20150101-20150201_grid-T.nc", "tos")):
        source = os.path.join(folder, path)
        bridge_import(source, f"{place}/whole-{name}", memory=300000)
        bridge_export(f"{place}/whole-{name}", f"{place}/whole.nc", memory=300000)
        ours, theirs = (re.sub(r"\t*:_NCProperties.*\n", "", ncdump(f, "-s"))
                        for f in (f"{place}/whole.nc", source))
        check(ours == theirs, "the whole file, storage included", path)
    months(folder, place)


def months(folder, place):
    """The latest month first; the others at the front. Coordinates of time are put in front, too."""
    files = sorted(glob.glob(os.path.join(folder, "nemo*.nc")))
    array = f"{place}/nemo"
    check(bridge_import(files[2], array) == "0:1,0:330,0:360", "March")
    check(bridge_import(files[1], array, append="-time_counter") == "-1:0,0:330,0:360", "February")
    check(bridge_import(files[0], array, append="-0") == "-2:-1,0:330,0:360", "January")
    # All of them have time_counter = 0; time_centered tells them apart.
    refused("EBOX", "import", files[2], array, "(time_centered) is 3583440000", append="0")
    bridge_export(array, f"{place}/nemo.nc")
    grown = parts_of(f"{place}/nemo.nc")[2]
    single = [source_parts(f)[2] for f in files]
    for name in ("tos", "time_counter", "time_centered", "time_centered_bounds"):
        wanted = "".join("".join(s[name].split()) + "," for s in single)[:-1]
        check("".join(grown[name].split()) == wanted, "three months of", name)
    for name in ("nav_lat", "bounds_lon"):
        check(grown[name] == single[0][name], "once", name)
    bridge_export(array, f"{place}/one.nc", box="-1:0,0:330,0:360")
    check(parts_of(f"{place}/one.nc")[2] == single[1], "one month out of three")
    bridge_export(array, f"{place}/part.nc", box="-2:1,10:14,20:23")
    part = parts_of(f"{place}/part.nc")
    check(part[0]["x"] == "x = 3 ;" and len(part[2]["nav_lat"].split(",")) == 12, "a part",
          part[0])


def made_files(place):
    open(f"{place}/made.cdl", "w").write(MADE)
    run("ncgen", "-4", "-o", f"{place}/made.nc", f"{place}/made.cdl")
    head = ncdump(f"{place}/made.nc")
    for name in "time time_bounds lat crs temp i1 u1 u2 i4 u4 i8 u8 f4 f8 c square nothing".split():
        array = f"{place}/m-{name}"
        bridge_import(f"{place}/made.nc", array, variable=name)
        bridge_export(array, f"{place}/m.nc")
        theirs = set(re.findall(rf"\n(\t+(?:string )?{name}:.*|\t\w+ {name}[(; ].*)", head))
        back = ncdump(f"{place}/m.nc")
        check(theirs <= set(back.split("\n")), name, theirs, back)
        found = re.findall(rf"\n {name} =(?:.|\n)*?;\n", head)
        check(all(f in back for f in found) and found or name == "nothing", "cells of", name, found)
    bridge_import(f"{place}/made.nc", f"{place}/m-deep", variable="inner/deep")
    bridge_export(f"{place}/m-deep", f"{place}/deep.nc")
    check(" deep = 7, 8, 9 ;" in ncdump(f"{place}/deep.nc"), "in a group")
    refused("EARG", "import", f"{place}/made.nc", f"{place}/no",
            "name one (as made.nc:NAME): temp (2x3x4 short), i1 (3 byte)")
    check("group: inner" in ncdump(f"{place}/deep.nc"), "the group comes back")
    bridge_export(f"{place}/m-temp", f"{place}/m.nc", variable="renamed")
    check("short renamed(time, y, x)" in ncdump(f"{place}/m.nc"), "renamed")
    refused("ENOENT", "import", f"{place}/made.nc", f"{place}/no", "temp", variable="nonesuch")
    refused("EUNSUPPORTED", "import", f"{place}/made.nc", f"{place}/no", "label", variable="label")
    kinds(place)


def kinds(place):
    for kind, says in (("netcdf-classic", "classic"), ("netcdf-64bit", "64-bit offset"),
                       ("netcdf-cdf5", "cdf5"), ("netcdf-4", "netCDF-4"),
                       ("netcdf-4-classic", "netCDF-4 classic model")):
        bridge_export(f"{place}/m-temp", f"{place}/kind.nc", format=kind)
        check(run("ncdump", "-k", f"{place}/kind.nc").strip() == says, kind)
        bridge_import(f"{place}/kind.nc", f"{place}/{kind}", variable="temp")
        bridge_export(f"{place}/{kind}", f"{place}/kind2.nc")
        check(run("ncdump", "-k", f"{place}/kind2.nc").strip() == says, "kept", kind)
        check(ncdump(f"{place}/kind.nc") == ncdump(f"{place}/kind2.nc"), "again", kind)
    refused("EUNSUPPORTED", "export", f"{place}/m-u8", f"{place}/kind.nc", "u64",
            format="netcdf-classic")


def growth(place):
    for name, days, cells in (("a", "1, 2", "1,2,3,4, 5,6,7,8"), ("b", "3", "9,10,11,12"),
                              ("c", "-1, 0", "20,21,22,23, 24,25,26,27"),
                              ("d", "9", "30,31,32,33")):
        open(f"{place}/{name}.cdl", "w").write(CLASSIC % (days, cells))
        run("ncgen", "-3", "-o", f"{place}/{name}.nc", f"{place}/{name}.cdl")
    array = f"{place}/grow"
    bridge_import(f"{place}/a.nc", array)
    check(bridge_import(f"{place}/b.nc", array, append="t") == "2:3,0:4", "b")
    check(bridge_import(f"{place}/c.nc", array, append="-t", memory=8) == "-2:0,0:4", "c")
    refused("EBOX", "import", f"{place}/d.nc", array, "cells 3:5 of axis 0 (t)", at="5,0")
    bridge_export(array, f"{place}/grow.nc")
    check("".join(parts_of(f"{place}/grow.nc")[2]["t"].split()) == "-1,0,1,2,3", "labels")
    check(bridge_import(f"{place}/d.nc", array, at="5,0", no_coordinates=1) == "5:6,0:4", "d")
    refused("EBOX", "export", array, f"{place}/grow.nc", "no item for cell 3 of axis 0 (t)")
    bridge_export(array, f"{place}/grow.nc", no_coordinates=1)
    values = parts_of(f"{place}/grow.nc")[2]
    check("t" not in values, "coordinates were left out")
    check("".join(values["v"].split()) == "20,21,22,23,24,25,26,27,1,2,3,4,5,6,7,8,9,10,11,12,"
          "0,0,0,0,0,0,0,0,30,31,32,33", values["v"])
    check("UNLIMITED" in parts_of(f"{place}/grow.nc")[0]["t"], "still unlimited")
    open(f"{place}/e.cdl", "w").write((CLASSIC % ("1", "1,2,3,4")).replace("1900", "1901"))
    run("ncgen", "-3", "-o", f"{place}/e.nc", f"{place}/e.cdl")
    refused("ETYPE", "import", f"{place}/e.nc", array, "units", append="t")
    open(f"{place}/f.cdl", "w").write((CLASSIC % ("1", "1,2,3,4")).replace(
        'v:units = "m"', 'v:units = "m" ; v:scale_factor = 2.'))
    run("ncgen", "-3", "-o", f"{place}/f.nc", f"{place}/f.cdl")
    refused("ETYPE", "import", f"{place}/f.nc", array, "scale_factor", append="t")


def damaged(place):
    for name in ("a", "kind-classic", "kind-cdf5"):
        if name != "a":
            bridge_export(f"{place}/m-temp", f"{place}/{name}.nc", format=name.replace("kind", "netcdf"))
        data = open(f"{place}/{name}.nc", "rb").read()
        for n in list(range(0, len(data) - 20, 97)) + list(range(len(data) - 20, len(data) - 3, 5)):
            open(f"{place}/cut.nc", "wb").write(data[:n])
            code, _, err = call(BRIDGE, "import", f"{place}/cut.nc", f"{place}/cut{n}")
            check(code in (9, 12, 16), name, "cut at", n, "of", len(data), code, err)
            check(not os.path.exists(f"{place}/cut{n}.xmd"), "left behind", n)
    refused("ENOENT", "import", f"{place}/none.nc", f"{place}/no", "none.nc")
    open(f"{place}/fake.nc", "wb").write(b"not NetCDF at all" * 9)
    refused("EFORMAT", "import", f"{place}/fake.nc", f"{place}/no", "fake.nc", format="netcdf")


with workplace() as place:
    made_files(place)
    growth(place)
    damaged(place)
    public_files(place)
done("netcdf")

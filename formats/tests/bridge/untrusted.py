# What is inside a file opens nothing else: no other file, no connection. Each hostile file here names a
# canary, which strace must not see opened, or a port of this machine on which nobody may knock.
# SPDX-License-Identifier: Apache-2.0
import os
import re
import socket
import struct
import subprocess
import sys

import h5py
import numpy as np
from osgeo import gdal

from judge import (BRIDGE, STATUS, bridge_export, bridge_import, call, check, done, refused, run,
                   workplace)

TOOL = os.environ["XTA_TOOL"]
gdal.UseExceptions()
SECRET = bytes(range(65, 91))  # 26 cells that nobody may see


class Listener:
    """A port of this machine; `visited` tells whether anybody came."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(8)
        self.socket.settimeout(0)
        self.port = self.socket.getsockname()[1]

    def visited(self):
        try:
            self.socket.accept()[0].close()
            return True
        except BlockingIOError:
            return False


# LeakSanitizer does not work where another program watches.
watched = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def opened(*words):
    """Exit code, and every path that the command opens."""
    log = f"{place}/strace"
    done = subprocess.run(["strace", "-f", "-qq", "-e", "trace=open,openat,connect", "-o", log, *words],
                          capture_output=True, env=watched)
    check(os.path.exists(log), "strace runs", done.stderr)
    return done.returncode, open(log, errors="replace").read()


def harmless(source, text, *, says=None, **options):
    """An import that must not open the canary nor connect; refused as `says`, or else it succeeds."""
    words = [f"{k}={v}" for k, v in options.items()]
    for name in ("no.xmd", "no.xta"):
        if os.path.exists(f"{place}/{name}"):
            os.remove(f"{place}/{name}")
    code, log = opened(BRIDGE, "import", source, f"{place}/no", *words)
    hit = [line for line in log.splitlines() if "canary" in line and "ENOENT" not in line]
    check(not hit, source, options, "opened the canary:", hit[:2])
    check(not listener.visited() and "sin_port=htons(%d)" % listener.port not in log, source,
          "knocked at the port")
    if says is None:
        check(code == 0, source, "answered", code)
    else:
        refused(says, "import", source, f"{place}/no", text, **options)


def write(name, content):
    with open(f"{place}/{name}", "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)
    return f"{place}/{name}"


VRT = ('<VRTDataset rasterXSize="26" rasterYSize="1"><VRTRasterBand dataType="Byte" band="1" '
       'subClass="VRTRawRasterBand"><SourceFilename relativetoVRT="0">%s</SourceFilename>'
       "<ImageOffset>0</ImageOffset><PixelOffset>1</PixelOffset><LineOffset>26</LineOffset>"
       "</VRTRasterBand></VRTDataset>")


def a_raster(name, **options):
    data = gdal.GetDriverByName("GTiff").Create(f"{place}/{name}", 4, 3, 1, gdal.GDT_Byte, **options)
    data.GetRasterBand(1).WriteArray(np.arange(12, dtype="u1").reshape(3, 4))
    data = None
    return f"{place}/{name}"


def virtual_rasters():
    for name in ("evil.tif", "evil.img", "evil.dat", "evil", "evil.vrt"):
        path = write(name, VRT % canary)
        harmless(path, "virtual raster", says="EACCESS")
        harmless(path, "virtual raster", says="EACCESS", format="gdal")
    path = write("blank.tif", "\n  " + VRT % canary)
    harmless(path, "", says="EACCESS")
    bridge_import(path.replace("blank", "evil"), f"{place}/trusted", trust=1)
    bridge_export(f"{place}/trusted", f"{place}/trusted.npy")
    check(np.load(f"{place}/trusted.npy").tobytes() == SECRET, "with trust it is read")
    code, _, err = call(TOOL, "import", path, f"{place}/tool")
    check(code == 1 and "--trust" in err, "the tool names the remedy", err)
    run(TOOL, "import", "--no-history", f"{place}/evil.tif", f"{place}/tool", "--trust")


def names_of_files():
    """A file's name, or a variable's, is not read as an address or a driver's name."""
    url = f"http://127.0.0.1:{listener.port}/x"
    for name in (f"/vsicurl/{url}.tif", url, f"WMS:{url}?SERVICE=WMS", f"{url}.nc", f"[log]{url}",
                 f"/vsicurl_streaming/{url}", f"ZARR:\"/vsicurl/{url}\"", f"DODS:{url}",
                 f"dap4://127.0.0.1:{listener.port}/x", f"s3://127.0.0.1:{listener.port}/x"):
        for form in ("gdal", "netcdf"):
            harmless(name, "", says="ENOENT", **({"format": form} if form else {}))
    vrt = VRT % canary
    harmless(vrt, "", says="ENOENT", format="gdal")
    good = a_raster("good.tif")
    for name in (canary, f"{place}/evil.tif", f"/vsicurl/{url}", vrt, f"GTIFF_DIR:1:{place}/evil.tif"):
        harmless(good, "no raster", says="ENOENT", variable=name)
    # A folder "http:" makes the address the name of a file, too.
    os.makedirs(f"{place}/http:/127.0.0.1:{listener.port}")
    gdal.Translate(f"{place}/http:/127.0.0.1:{listener.port}/x", good, format="GTiff")
    here = os.getcwd()
    os.chdir(place)
    harmless(url, "", says=None, format="gdal")
    os.chdir(here)


def sidecars():
    """Files beside a raster may tell more of it, but send nobody elsewhere."""
    url = f"http://127.0.0.1:{listener.port}/x"
    good = a_raster("side.tif")
    vrt = write("aside.vrt", VRT % canary)
    for srs in (url, canary, f"/vsicurl/{url}", f"ESRI::{canary}"):
        write("side.tif.aux.xml", f"<PAMDataset><SRS>{srs}</SRS>"
              f'<Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">{vrt}</MDI></Metadata>'
              f'<Metadata domain="SUBDATASETS"><MDI key="SUBDATASET_1_NAME">{vrt}</MDI>'
              f'<MDI key="SUBDATASET_1_DESC">[1x26] x (8-bit)</MDI></Metadata>'
              f'<Metadata domain="xml:X" format="xml">{VRT % canary}</Metadata></PAMDataset>')
        harmless(good, "", says=None)
        harmless(good, "not in it", says="EACCESS", variable="1")
    for side in (".msk", ".ovr"):
        write("side.tif" + side, VRT % canary)
        harmless(good, "", says=None)
    for side in (".aux.xml", ".msk", ".ovr"):
        os.remove(f"{good}{side}")
    data = gdal.Open(good, gdal.GA_Update)
    data.SetMetadata({"SUBDATASET_1_NAME": vrt, "SUBDATASET_1_DESC": "x"}, "SUBDATASETS")
    data.SetMetadata({"OVERVIEW_FILE": vrt}, "OVERVIEWS")
    data = None
    harmless(good, "", says=None)
    cells = np.arange(12, dtype="u1").tobytes()
    write("e.img", cells)
    write("e.hdr", "ENVI\nsamples = 4\nlines = 3\nbands = 1\ndata type = 1\ninterleave = bsq\n"
          f"byte order = 0\nfile type = ENVI Standard\ndata file = {canary}\n"
          f"coordinate system string = {{{url}}}\nspectra file = {{{canary}}}\n")
    harmless(f"{place}/e.img", "", says=None)
    harmless(f"{place}/e.hdr", "", says=None)


def servers():
    url = f"http://127.0.0.1:{listener.port}/x"
    for name, text in (
            ("wms.xml", f'<GDAL_WMS><Service name="WMS"><ServerUrl>{url}</ServerUrl></Service>'
             "<DataWindow><SizeX>4</SizeX><SizeY>4</SizeY></DataWindow></GDAL_WMS>"),
            ("wcs.xml", f"<WCS_GDAL><ServiceURL>{url}</ServiceURL></WCS_GDAL>"),
            ("wmts.xml", f"<GDAL_WMTS><GetCapabilitiesUrl>{url}</GetCapabilitiesUrl></GDAL_WMTS>"),
            ("mrf.mrf", f"<MRF_META><CachedSource><Source>/vsicurl/{url}</Source></CachedSource>"
             '<Raster><Size x="4" y="4"/></Raster></MRF_META>')):
        harmless(write(name, text), "", says="EACCESS")
        harmless(write("as.tif", text), "", says="EACCESS")
    harmless(write("stac.json", '{"type": "FeatureCollection", "features": [{"assets": {"a": {"href": '
                   f'"/vsicurl/{url}"}}}}}}]}}'), "", says="EFORMAT", format="gdal")


def imagine():
    data = gdal.Translate(f"{place}/h.img", a_raster("h.tif"), format="HFA")
    data = None
    harmless(f"{place}/h.img", "HFA", says="EACCESS")
    bridge_import(f"{place}/h.img", f"{place}/h", trust=1)


def hdf4():
    """The cells of an HDF4 file in another file: its descriptor is rewritten by hand."""
    data = gdal.Translate(f"{place}/x.hdf", a_raster("x.tif"), format="HDF4Image")
    data = None
    harmless(f"{place}/x.hdf", "", says=None)
    content = bytearray(open(f"{place}/x.hdf", "rb").read())
    at, name = 4, canary.encode()
    found = False
    while at and not found:
        n, following = struct.unpack_from(">HI", content, at)
        for k in range(n):
            tag, = struct.unpack_from(">H", content, at + 6 + 12 * k)
            if tag in (702, 302) and not found:  # the cells of a data set, of an image
                found = True
                struct.pack_into(">HxxII", content, at + 6 + 12 * k, tag | 0x4000, len(content),
                                 14 + len(name))
        at = following
    check(found, "the cells' descriptor")
    content += struct.pack(">HIII", 2, 12, 0, len(name)) + name
    harmless(write("ext.hdf", bytes(content)), "canary", says="EACCESS")


def hdf5_files():
    with h5py.File(f"{place}/canary.h5", "w") as f:
        f["x"] = np.arange(26, dtype="u1")
    other = f"{place}/canary.h5"
    with h5py.File(f"{place}/link.h5", "w") as f:
        f["x"] = h5py.ExternalLink(other, "/x")
        f["soft"] = h5py.SoftLink("/g/x")
        f.create_group("g")["x"] = h5py.ExternalLink(other, "/x")
    with h5py.File(f"{place}/storage.h5", "w") as f:
        f.create_dataset("x", (26,), "u1", external=[(canary, 0, 26)])
    with h5py.File(f"{place}/virtual.h5", "w") as f:
        layout = h5py.VirtualLayout((26,), "u1")
        layout[:] = h5py.VirtualSource(other, "x", (26,))
        f.create_virtual_dataset("x", layout)
    return other


def hdf5():
    other = hdf5_files()
    for kind in ("link", "storage", "virtual"):
        path = f"{place}/{kind}.h5"
        harmless(path, "canary", says="EACCESS", variable="x")
        bridge_import(path, f"{place}/t{kind}", variable="x", trust=1)
        bridge_export(f"{place}/t{kind}", f"{place}/t.npy")
        check(np.load(f"{place}/t.npy").size == 26, "with trust", kind)
    for name in ("soft", "g/x"):
        harmless(f"{place}/link.h5", "canary", says="EACCESS", variable=name)
    for kind in ("storage", "virtual"):  # where nothing else is there to be taken
        harmless(f"{place}/{kind}.h5", "canary", says="EACCESS")
        code, _, err = call(TOOL, "rechunk", f"{place}/{kind}.h5:x", f"{place}/r", "--chunk", "5")
        check(code == 1 and "canary" in err and "--trust" in err, "rechunk", kind, err)
        run(TOOL, "rechunk", f"{place}/{kind}.h5:x", f"{place}/r{kind}", "--chunk", "5", "--trust")
    with h5py.File(f"{place}/both.h5", "w") as f:  # what lies in the file itself needs no trust
        f["own"] = np.arange(5)
        f["far"] = h5py.ExternalLink(other, "/x")
        f.create_dataset("store", (26,), "u1", external=[(canary, 0, 26)])
        layout = h5py.VirtualLayout((5,), "i8")
        layout[:] = h5py.VirtualSource(".", "own", (5,))
        f.create_virtual_dataset("near", layout)
    harmless(f"{place}/both.h5", "", says=None, variable="own")
    harmless(f"{place}/both.h5", "", says=None, variable="near")
    with h5py.File(f"{place}/scale.h5", "w") as f:
        f["cells"] = np.arange(26.0)
        f.create_dataset("s", (26,), "u1", external=[(canary, 0, 26)])
        f["s"].make_scale("s")
        f["cells"].dims[0].attach_scale(f["s"])
    harmless(f"{place}/scale.h5", "canary", says="EACCESS", variable="cells")
    siblings(other)


def siblings(other):
    """NetCDF-4 and MATLAB 7.3 are HDF5 files, too."""
    for kind in ("link", "storage", "virtual"):
        content = open(f"{place}/{kind}.h5", "rb").read()
        harmless(write(f"{kind}.nc", content), "canary", says="EACCESS", variable="x")
        harmless(write(f"{kind}.nc", content), "canary", says="EACCESS", format="netcdf")
        code, _, err = call(TOOL, "rechunk", f"{place}/{kind}.nc:x", f"{place}/n{kind}", "--chunk", "5")
        check(code == 1 and "canary" in err, "rechunk of NetCDF", kind, err)
    for kind in ("storage", "virtual"):
        with h5py.File(f"{place}/{kind}.mat", "w", userblock_size=512) as f:
            if kind == "storage":
                f.create_dataset("x", (2, 13), "u1", external=[(canary, 0, 26)])
            else:
                layout = h5py.VirtualLayout((2, 13), "u1")
                layout[0] = h5py.VirtualSource(other, "x", (26,))[:13]
                f.create_virtual_dataset("x", layout)
            f["x"].attrs["MATLAB_class"] = np.bytes_("uint8")
            f["names"] = h5py.ExternalLink(other, "/x")
        with open(f"{place}/{kind}.mat", "r+b") as f:
            f.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM")
        harmless(f"{place}/{kind}.mat", "canary", says="EACCESS", variable="x")
        code, log = opened(BRIDGE, "spectra", f"{place}/{kind}.mat:x", f"{place}/s.csv")
        check(code == STATUS["EACCESS"] and not re.search(r'"[^"]*canary', log), "spectra", kind, code)


with workplace() as place:
    if subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode:
        print("SKIPPED: strace cannot be used here")
        sys.exit(77)
    listener = Listener()
    canary = write("canary", SECRET)
    virtual_rasters()
    names_of_files()
    sidecars()
    servers()
    imagine()
    hdf4()
    hdf5()
done("untrusted")

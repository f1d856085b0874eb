# xta export into an HDF5 file that is there: it gets one more dataset and loses none.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import h5py' 2>/dev/null || {
    echo "SKIPPED: h5py is not there (python3-h5py)"
    exit 77
}
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
python3 - <<'PYTHON'
import h5py, numpy
with h5py.File("base.h5", "w") as f:
    f["g/u"] = numpy.arange(12, dtype="i2").reshape(3, 4)
    f["g/time"] = numpy.arange(3.0)
    f["g/time"].attrs["units"] = "days since 2000-01-01"
    f["x"] = numpy.arange(4.0) * 10
    for name, axis in (("g/time", 0), ("x", 1)):
        f[name].make_scale()
        f["g/u"].dims[axis].attach_scale(f[name])
    f["other"] = numpy.arange(5)
    f["outside"] = h5py.ExternalLink("elsewhere.h5", "/g")
    f.attrs["title"] = "kept"
PYTHON
cat >show.py <<'PYTHON'
import h5py, sys
with h5py.File(sys.argv[1]) as f:
    def each(name, o):
        if isinstance(o, h5py.Dataset):
            print(name, o.shape, [[s.name for s in d.values()] for d in o.dims],
                  o[...].ravel()[:6].tolist(), o.attrs.get("units", ""))
    f.visititems(each)
    print("title", f.attrs["title"])
PYTHON
show() { python3 show.py "$1"; }
xta import base.h5:g/u u
echo "== beside another one, in a new group, at the root"
cp base.h5 f.h5
for name in g/w g/h/deep plain; do try export u "f.h5:$name"; done
show f.h5
echo "== a dataset of that name"
try export u f.h5
xta fill u --box 0,: --value 99
for k in 1 2 3 4 5 6 7 8; do
    xta export u f.h5 --replace
    stat -c %s f.h5
done | sort -u | wc -l
show f.h5
echo "== names that are taken"
try export u f.h5:g --replace
try export u f.h5:x --replace
try export u f.h5:outside/v
try export u f.h5:other/v
try export u f.h5:time
show f.h5
echo "== axes that disagree"
cp base.h5 f.h5
try export u f.h5:g/part --box 0:2,:
try export u f.h5:part --box 0:2,:
cp u.xta shifted.xta
cp u.xmd shifted.xmd
xta attr shifted --axis time --type f64 values=0,1,2.5
try export shifted f.h5:g/w
try export shifted f.h5:w
xta attr shifted --axis time --type f64 values=0,1,2
xta attr shifted --axis time 'units=hours since 2000-01-01'
try export shifted f.h5:g/w
xta attr shifted --axis time --remove values
try export shifted f.h5:g/w
try export shifted f.h5:g/w --no-coordinates
show f.h5
echo "== what is no HDF5 file, or a damaged one"
echo "some text" >text.h5
try export u text.h5
cat text.h5
head -c 3000 base.h5 >cut.h5
try export u cut.h5:w 2>&1 | sed 's/HDF5 says.*/HDF5 says why/'
stat -c '%n %s' cut.h5
try export u text.h5 --force
show text.h5 2>&1 | head -3
echo "== killed in the middle"
xta create large --type f64 --bounds 100000 --chunk 1000 --names n
sha256sum f.h5 >sum
(ulimit -f 200 && xta export large f.h5:large) >out 2>&1
echo "exit $?" # by SIGXFSZ
sha256sum -c sum
rm -rf .xta-export-*
try export large f.h5:large
show f.h5
find . -name '.xta*'

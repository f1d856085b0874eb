# What xta export may replace is the same for every format of one array: nothing without being asked, a
# file of the same format with --replace, any file with --force.
# SPDX-License-Identifier: Apache-2.0
xta create a --type u8 --bounds 4,5,6 --chunk 4,5,6 --names band,y,x
seq 0 119 | xta write a --box :,:,: --from -
xta create b --type u8 --bounds 2,5,6 --chunk 2,5,6 --names band,y,x
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
for suffix in npy nii nii.gz tif img raw; do
    echo "== $suffix"
    file=f.$suffix
    try export a "$file"
    sha256sum "$file" >sum
    try export b "$file"
    sha256sum -c sum
    try export b "$file" --replace
    sha256sum -c sum 2>/dev/null
    try export a "$file" --force
    sha256sum -c sum
    echo "some text" >"$file"
    try export a "$file" --replace
    cat "$file"
    head -c 40 sum >"$file"
    : >"$file" # nothing is lost here
    try export a "$file"
    rm -f f.*
done
echo "== a MATLAB file, which may hold other variables"
try export a f.mat
sha256sum f.mat >sum
try export b f.mat --replace
sha256sum -c sum
try export b f.mat --force
rm f.mat
echo "== a header of another file"
echo "Mine" >scene.hdr
try export a scene.img
cat scene.hdr
ls scene.*
echo "== a folder, a pipe, a link to nothing"
mkdir folder.npy
mkfifo pipe.npy
ln -s nowhere/f.npy link.npy
for name in folder pipe link; do try export a $name.npy --force; done
echo "== killed in the middle"
xta create large --type f64 --bounds 100000 --chunk 1000
xta export a old.npy
sha256sum old.npy >sum
(ulimit -f 200 && xta export large old.npy --force) >out 2>&1
echo "exit $?" # by SIGXFSZ
sha256sum -c sum
rm -rf .xta-export-*
echo "== mode and link stay"
chmod 600 old.npy
ln -s old.npy new.npy
try export b new.npy --replace
stat -c '%n %a %F' old.npy new.npy
find . -name '.xta*'

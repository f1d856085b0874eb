# Rasters where GDAL cannot be loaded, or is another version: an error that says why; other formats work.
# SPDX-License-Identifier: Apache-2.0
python3 -c 'import numpy; numpy.save("a.npy", numpy.arange(12).reshape(3, 4))'
xta import a.npy a
xta export a a.tif
library=$(readelf -p .rodata "$(dirname "$XTA_TOOL")/libxta_formats.so" | grep -o 'libgdal\.so[.0-9]*' | sort -u)
# The messages of the dynamic linker differ.
without() { LD_LIBRARY_PATH=$1 xta "${@:2}" 2>&1 | sed -E "s/\(.*\)/(REASON)/; s/${library//./\\.}/LIBRARY/"; }

mkdir broken other
echo 'no library' >"broken/$library"
cp "$(PATH=$PATH:/sbin ldconfig -p | awk '$1 == "libz.so.1" { print $NF; exit }')" "other/$library"
for folder in broken other; do
    without "$folder" import a.tif b
    without "$folder" export a b.tif
    without "$folder" export a b.xyz
    without "$folder" export a b --format GTiff
    without "$folder" import a.npy "$folder.a"
    without "$folder" export "$folder.a" "$folder.npy"
    cmp a.npy "$folder.npy" && rm "$folder.npy"
done
ls

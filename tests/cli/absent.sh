# What a build is made without: an error names the library and how to get it, whatever way it is asked for,
# and nothing of ours is linked with it. XTA_WITHOUT (of tools/check) holds what has to be absent.
# SPDX-License-Identifier: Apache-2.0
build=$(dirname "$(realpath "$XTA_TOOL")")
xta create a --type f32 --bounds 4,3 --chunk 2,2 && seq 12 | xta write a --box :,: --from -
formats=" $(xta version | sed -n "s/^bridge \([a-z0-9]*\):.*/\1/p" | tr "\n" " ")"

absent() { [[ " $XTA_WITHOUT " == *" $1 "* ]]; }

# refused WHAT LIBRARY COMMAND...: the command fails, and its one line ends with the library and the remedy.
refused() {
    local what=$1 library=$2 said
    shift 2
    said=$("$@" 2>&1) && echo "$what: is not refused"
    [[ $said == *"made without $library (in Debian lib"*"-dev; -DXTA_BRIDGE_"*=ON\)* ]] || echo "$what: $said"
    [ "$(wc -l <<<"$said")" = 1 ] || echo "$what: more than a line: $said"
}

# linked LIBRARY: what of ours asks for it.
linked() {
    local file
    for file in "$build"/xta "$build"/libxta*.so "$build"/xta-hyper.so "$build"/libexec/xta/xta-* "$build"/xta-mpi-*; do
        [ ! -e "$file" ] || ! objdump -p "$file" | grep -qE "NEEDED +$1" || echo "$file is linked with $1"
    done
}

# try FORMAT LIBRARY SUFFIX SONAME
try() {
    if [[ $formats == *" $1 "* ]]; then
        ! absent "$1" || echo "$1 is there"
        xta export a "x.$3" || echo "$1: export"
        import=(xta import "x.$3" "back_$1")
        if [ "$1" = netcdf ] && [[ $formats != *' hdf5 '* ]]; then
            # Nobody can look whether such a file names others.
            "${import[@]}" 2>&1 | grep -q 'this build has no HDF5 .*--trust' || echo "$1: import without HDF5"
            import+=(--trust)
        fi
        "${import[@]}" >/dev/null || echo "$1: import"
    else
        echo 'nothing of that kind' >"y.$3"
        refused "$1 by suffix" "$2" xta export a "x.$3"
        refused "$1 by name" "$2" xta export a x --format "$1"
        refused "$1 of a file" "$2" xta import "y.$3" b
        refused "$1 of a file by name" "$2" xta import "y.$3" b --format "$1"
        linked "$4"
    fi
}
try netcdf NetCDF nc libnetcdf
try hdf5 HDF5 h5 libhdf5
try matlab 'HDF5 or MATIO' mat libmatio
try gdal GDAL tif libgdal
for format in netcdf hdf5; do
    [[ $formats == *" $format "* ]] || xta rechunk a "$format.$format" --to-format "$format" --chunk 3,3 2>&1 |
        grep -qi "made without $format" || echo "$format: blocks"
done

for mpi in openmpi mpich; do
    if absent mpi; then
        [ ! -e "$build/xta-mpi-$mpi" ] && [ ! -e "$build/libxta_parallel-$mpi.a" ] || echo "$mpi is there"
        linked 'libmpi'
    fi
    if absent mpi || absent ga; then
        [ ! -e "$build/libpexta-$mpi.a" ] && [ ! -e "$build/libpexta_dra-$mpi.a" ] || echo "Global Arrays are there"
    fi
done
xta export a x.npy && xta import x.npy npy && xta read npy

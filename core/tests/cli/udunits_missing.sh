# Units where UDUNITS cannot be loaded, is another version, or has no tables: an error that says why; all else works.
# SPDX-License-Identifier: Apache-2.0
xta create p --type i32 --bounds 3 --chunk 3 --names level
seq 1 3 | xta write p --box : --from -
xta attr p --axis level --set-unit hPa
xta attr p --axis level values=1000,850,500 --type f64
xta create w --type i32 --bounds 3 --chunk 3 --names wait
seq 1 3 | xta write w --box : --from -
xta attr w --axis wait --set-unit hours
xta attr w --axis wait values=1,2,4 --type f64
library=$(readelf -p .rodata "$(dirname "$XTA_TOOL")/libxta.so" | grep -o 'libudunits2\.so[.0-9]*' | sort -u)
# The messages of the dynamic linker differ.
without() { LD_LIBRARY_PATH=$1 xta "${@:2}" 2>&1 | sed -E "s/\(.*\)/(REASON)/; s/${library//./\\.}/LIBRARY/"; }

mkdir broken other
echo 'no library' >"broken/$library"
cp "$(PATH=$PATH:/sbin ldconfig -p | awk '$1 == "libz.so.1" { print $NF; exit }')" "other/$library"
xta read p --sel 'level=85000Pa'
for folder in broken other; do
    without "$folder" read p --sel 'level=85000Pa'
    without "$folder" read p --sel 'level=850hPa'
    without "$folder" read p --sel level=500
    without "$folder" read w --sel wait=120min
done
UDUNITS2_XML_PATH=absent.xml xta read p --sel 'level=85000Pa' 2>&1
UDUNITS2_XML_PATH=absent.xml xta read p --sel level=500

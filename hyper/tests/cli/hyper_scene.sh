# For the tests of `xta hyper`, which source it: skip where the commands are not built; else make `map`, 40 x 50
# pixels of four classes and six of none, and `library.csv`, four spectra of 30 bands.
# SPDX-License-Identifier: Apache-2.0
if ! xta help hyper pct >/dev/null 2>&1; then
    echo "SKIPPED: this build has no xta hyper: $0" >&2
    exit 77
fi
xta create map --type u8 --bounds 40,50 --chunk 40,50 --names line,sample
awk 'BEGIN { for (i = 0; i < 40; i++) for (j = 0; j < 50; j++)
    print i == 0 && j < 6 ? 0 : (int(i / 10) + int(j / 13)) % 4 + 1 }' | xta write map --box :,: --from -
awk 'BEGIN { print "wavelength (nm),soil,tree,water,roof"
    for (i = 0; i < 30; i++) printf "%d,%.6f,%.6f,%.6f,%.6f\n", 400 + 10 * i, 0.2 + 0.015 * i,
        0.1 + 0.5 / (1 + exp(12 - i)), 0.3 * exp(-i / 8), 0.5 + 0.2 * sin(i / 3) }' >library.csv
# A value of a JSON file, read by Python.
json() {
    python3 -c "import json, sys; j = json.load(open('$1')); print($2)"
}

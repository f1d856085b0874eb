/* xta_spectra_read on arbitrary bytes. The first byte chooses the format: CSV, ENVI, where the rest
 * is the header, or MATLAB. What was read is written as CSV and read again: the same numbers, names
 * and unit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include <xta/spectra.h>

static void compare(const xta_spectra *a, const xta_spectra *b)
{
    FUZZ_PROMISE(a->n_spectra == b->n_spectra && a->n_bands == b->n_bands);
    FUZZ_PROMISE((a->wavelength == NULL) == (b->wavelength == NULL));
    for (size_t k = 0; k < a->n_spectra * a->n_bands; k++) {
        FUZZ_PROMISE(a->values[k] == b->values[k] || a->values[k] != a->values[k]);
    }
    for (size_t k = 0; k < a->n_bands && a->wavelength != NULL; k++) {
        double w = a->wavelength[k];
        FUZZ_PROMISE(w == b->wavelength[k] || w != w);
    }
    FUZZ_PROMISE(a->scale >= 0 && a->scale == b->scale);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t cells[4096] = {1};
    char source[512], target[512], header[512];
    xta_spectra spectra, again;
    xta_error err = {XTA_OK, 0, ""};

    if (size == 0) {
        return 0;
    }
    bool envi = data[0] == 'e';
    snprintf(source, sizeof source, "%s/source.%s", fuzz_folder(),
             envi             ? "sli"
             : data[0] == 'm' ? "mat"
                              : "csv");
    snprintf(header, sizeof header, "%s/source.hdr", fuzz_folder());
    snprintf(target, sizeof target, "%s/target.csv", fuzz_folder());
    fuzz_write_file(envi ? header : source, data + 1, size - 1);
    if (envi) {
        fuzz_write_file(source, cells, sizeof cells);
    }
    if (xta_spectra_read(source, NULL, &spectra, &err) != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0' && strchr(err.text, '\n') == NULL);
        FUZZ_PROMISE(spectra.values == NULL && spectra.names == NULL);
        return 0;
    }
    FUZZ_PROMISE(xta_spectra_write(target, NULL, &spectra, &err) == XTA_OK);
    FUZZ_PROMISE(xta_spectra_read(target, NULL, &again, &err) == XTA_OK);
    compare(&spectra, &again);
    xta_spectra_free(&spectra);
    xta_spectra_free(&again);
    return 0;
}

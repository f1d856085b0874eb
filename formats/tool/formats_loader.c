/* Loading libxta_formats when it is first needed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "formats_loader.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX lets a function be called through the pointer that dlsym returns; ISO C requires the
 * copy. */
static bool find(void *library, const char *name, void *function, size_t bytes)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, bytes);
    return symbol != NULL;
}

xta_status cli_formats_load(cli_formats *bridges, xta_error *err)
{
    void *library = dlopen(XTA_FORMATS_LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "the bridges cannot be loaded (%s); install " XTA_FORMATS_LIBRARY,
                             dlerror());
    }
    if (!find(library, "xta_import", &bridges->import, sizeof bridges->import) ||
        !find(library, "xta_blocks_open", &bridges->blocks_open, sizeof bridges->blocks_open) ||
        !find(library, "xta_blocks_create", &bridges->blocks_create,
              sizeof bridges->blocks_create) ||
        !find(library, "xta_blocks_match", &bridges->blocks_match, sizeof bridges->blocks_match) ||
        !find(library, "xta_spectra_read", &bridges->spectra_read, sizeof bridges->spectra_read) ||
        !find(library, "xta_spectra_write", &bridges->spectra_write,
              sizeof bridges->spectra_write) ||
        !find(library, "xta_spectra_resample", &bridges->spectra_resample,
              sizeof bridges->spectra_resample) ||
        !find(library, "xta_spectra_unit_factor", &bridges->spectra_unit_factor,
              sizeof bridges->spectra_unit_factor) ||
        !find(library, "xta_spectra_free", &bridges->spectra_free, sizeof bridges->spectra_free)) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             XTA_FORMATS_LIBRARY " is of another version (%s); install the one of "
                                                 "this tool",
                             dlerror());
    }
    // The library stays loaded until the program ends: GDAL cannot be unloaded safely.
    return XTA_OK;
}

/* Loading libxta_formats when it is first needed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "formats_loader.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* The functions to be looked up, and where their pointers are stored. */
#define FUNCTION(member)                              \
    {                                                 \
        "xta_" #member, offsetof(cli_formats, member) \
    }
static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    FUNCTION(import),           FUNCTION(import_describe),
    FUNCTION(export),           FUNCTION(bridge_name),
    FUNCTION(bridge_summary),   FUNCTION(blocks_open),
    FUNCTION(blocks_create),    FUNCTION(blocks_match),
    FUNCTION(spectra_read),     FUNCTION(spectra_write),
    FUNCTION(spectra_resample), FUNCTION(spectra_unit_factor),
    FUNCTION(spectra_free),     FUNCTION(dataset_import),
    FUNCTION(dataset_export),   FUNCTION(dataset_import_files),
    FUNCTION(zarr_of_array),    FUNCTION(zarr_of_dataset),
    FUNCTION(zarr_free),        FUNCTION(references_export),
};

xta_status cli_formats_load(cli_formats *formats, xta_error *err)
{
    void *library = dlopen(XTA_FORMATS_LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "the bridges cannot be loaded (%s); install " XTA_FORMATS_LIBRARY,
                             dlerror());
    }
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        void *symbol = dlsym(library, functions[k].name);
        if (symbol == NULL) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 XTA_FORMATS_LIBRARY
                                 " is of another version (%s); install the one of this tool",
                                 dlerror());
        }
        // POSIX lets a function be called through the pointer that dlsym returns; ISO C requires
        // the copy.
        memcpy((char *)formats + functions[k].offset, &symbol, sizeof symbol);
    }
    // The library stays loaded until the program ends: GDAL cannot be unloaded safely.
    return XTA_OK;
}

/* Whether an HDF5 file is self-contained, in a build without HDF5: this is unknown, so the file is
 * refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/self_contained.h"

#include <stdio.h>
#include <string.h>

xta_status xta__hdf5_check_self_contained(const char *path, xta_error *err)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[sizeof signature] = {0};
    FILE *file = fopen(path, "rb");
    size_t n = file != NULL ? fread(head, 1, sizeof head, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    return n == sizeof head && memcmp(head, signature, n) == 0
               ? xta_error_set(err, XTA_EACCESS, 0,
                               "%s: lies on HDF5, and may name other files; this build has no HDF5 "
                               "to look whether it does; if you trust it, say so (--trust)",
                               path)
               : XTA_OK;
}

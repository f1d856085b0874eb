/* Names that NetCDF accepts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/names.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "util/text.h"

enum { MOST_BYTES = 250 };

char *xta__nc_legal_name(const char *name)
{
    char *out = xta__string("%.*s", MOST_BYTES, name[0] != '\0' ? name : "_");

    for (char *c = out; c != NULL && *c != '\0'; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    for (size_t n = out != NULL ? strlen(out) : 0; n > 1 && out[n - 1] == ' '; n--) {
        out[n - 1] = '\0';
    }
    return out;
}

bool xta__nc_try_other_name(int code, char **name)
{
    bool taken = code == NC_ENAMEINUSE, bad = code == NC_EBADNAME && (*name)[0] != '_';

    if ((!taken && !bad) || strlen(*name) >= MOST_BYTES + 5) {
        return false;
    }
    char *other = xta__string(taken ? "%s_" : "_%s", *name);
    if (other != NULL) {
        free(*name);
        *name = other;
    }
    return other != NULL;
}

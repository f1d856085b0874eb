/* Compressed NIfTI files: their names, and compressing one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "nifti/gzip.h"

#include <nifti/nifti1_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PACK_BYTES ((size_t)1 << 18)

bool xta__nifti_is_gzip(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcasecmp(path + n - 3, ".gz") == 0;
}

static xta_status copy_packed(FILE *from, znzFile to, char *bytes, const char *path, xta_error *err)
{
    for (size_t n = fread(bytes, 1, PACK_BYTES, from); n > 0;
         n = fread(bytes, 1, PACK_BYTES, from)) {
        if (znzwrite(bytes, 1, n, to) != n) {
            return xta_error_set(err, XTA_ENOSPC, 0, "%s: cannot write all of it", path);
        }
    }
    return ferror(from) ? xta_error_set(err, XTA_EIO, 0, "%s: cannot read back its cells", path)
                        : XTA_OK;
}

xta_status xta__nifti_gzip(const char *from, const char *to, xta_error *err)
{
    char *bytes = malloc(PACK_BYTES);
    FILE *plain = fopen(from, "rb");
    znzFile packed = plain != NULL && bytes != NULL ? znzopen(to, "wb", 1) : NULL;
    xta_status status = packed == NULL
                            ? xta_error_set(err, XTA_EACCESS, 0, "%s: cannot create it", to)
                            : copy_packed(plain, packed, bytes, to, err);
    if (packed != NULL && znzclose(packed) != 0 && status == XTA_OK) {
        status = xta_error_set(err, XTA_ENOSPC, 0, "%s: cannot write the last of it", to);
    }
    if (plain != NULL) {
        fclose(plain);
    }
    free(bytes);
    return status;
}

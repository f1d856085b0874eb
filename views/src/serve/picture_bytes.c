/* A quicklook in memory. The pictures are written to files, so it goes through a temporary one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "serve/picture_bytes.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/picture.h>

#include "util/errors.h"
#include "util/text.h"
#include "util/try.h"

enum { LONGEST_SIDE = 480, MOST_BYTES = 16 << 20 };

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static xta_status read_file(const char *path, unsigned char **bytes, size_t *n, xta_error *err)
{
    FILE *file = fopen(path, "rb");
    unsigned char *memory = malloc(MOST_BYTES);

    *n = file != NULL && memory != NULL ? fread(memory, 1, MOST_BYTES, file) : 0;
    int number = errno;
    if (file != NULL) {
        fclose(file);
    }
    if (*n == 0) {
        free(memory);
        return xta__fail_errno(path, "read the picture", number, err);
    }
    *bytes = memory;
    return XTA_OK;
}

static xta_status draw(xta_array *array, const char *file, unsigned char **bytes, size_t *n,
                       xta_error *err)
{
    xta_status status = XTA_OK;
    xta_quicklook_options options = XTA_QUICKLOOK_OPTIONS_INIT;

    options.max_pixels = LONGEST_SIDE;
    pthread_mutex_lock(&one_at_a_time);
    XTA_TRY(xta_picture_quicklook(array, &options, file, err));
    XTA_TRY(read_file(file, bytes, n, err));

done:
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

xta_status xta__picture_bytes(xta_array *array, unsigned char **bytes, size_t *n, xta_error *err)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = xta__string("%s/xta-serve-XXXXXX", temporary != NULL ? temporary : "/tmp");
    char *file = NULL;
    xta_status status = XTA_OK;

    *bytes = NULL;
    *n = 0;
    if (folder == NULL || mkdtemp(folder) == NULL) {
        status = folder == NULL ? XTA_ENOMEM
                                : xta__fail_errno(folder, "make a temporary folder", errno, err);
        free(folder);
        return status;
    }
    file = xta__string("%s/quicklook.png", folder);
    status = file != NULL ? draw(array, file, bytes, n, err)
                          : xta_error_set(err, XTA_ENOMEM, 0, "no memory for a picture");
    if (file != NULL) {
        unlink(file);
    }
    rmdir(folder);
    free(file);
    free(folder);
    return status;
}

/* Where the data file of an array is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kerchunk/data_url.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/errors.h"
#include "util/files.h"
#include "util/try.h"

char *xta__url_encode(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/!$&'()*+,;=:@";
    xta__text out = {0};

    for (; *text != '\0'; text++) {
        if (strchr(plain, *text) != NULL) {
            xta__text_add(&out, text, 1);
        } else {
            xta__text_printf(&out, "%%%02X", (unsigned)(unsigned char)*text);
        }
    }
    xta__text_add(&out, "", 0);
    return xta__text_detach(&out);
}

/* The suffix of the pair. */
static const char *suffix_of(const char *path)
{
    char *old = xta__string("%s.pta", path), *now = xta__string("%s.xta", path);
    bool is_old = old != NULL && now != NULL && access(now, F_OK) != 0 && access(old, F_OK) == 0;

    free(old);
    free(now);
    return is_old ? ".pta" : ".xta";
}

static xta_status absolute(const hierarchy_node *node, char **url, xta_error *err)
{
    const char *path = xta_array_path(node->seen.array);
    char *file = xta__string("%s%s", path, suffix_of(path));

    if (file == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for its path", path);
    }
    int number = xta__real_path(file, url);
    free(file);
    return number == 0
               ? XTA_OK
               : xta_error_set(err, xta__status_of_errno(number), number,
                               "%s: its data file cannot be found: %s", path, strerror(number));
}

static xta_status below_prefix(const xta_zarr *zarr, const hierarchy_node *node, const char *prefix,
                               char **url, xta_error *err)
{
    const char *path = xta_array_path(node->seen.array);
    char *file = xta__string("%s%s", node->path, suffix_of(path));
    char *encoded = NULL;
    bool remote = strstr(prefix, "://") != NULL;

    if (file != NULL && remote) {
        encoded = xta__url_encode(file);
    }
    if (file != NULL && (encoded != NULL || !remote)) {
        *url = xta__string("%s%s", prefix, remote ? encoded : file);
    }
    free(file);
    free(encoded);
    return *url != NULL ? XTA_OK : xta__hierarchy_no_memory(zarr, err);
}

xta_status xta__data_url(const xta_zarr *zarr, const hierarchy_node *node, const char *prefix,
                         char **url, xta_error *err)
{
    *url = NULL;
    return prefix != NULL ? below_prefix(zarr, node, prefix, url, err) : absolute(node, url, err);
}

/* Loading GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/functions.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/library.h"

xta__gdal_functions xta__gdal;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;

#define FUNCTION(member) {#member, offsetof(xta__gdal_functions, member)},
static const xta__library_function functions[] = {XTA__GDAL_FUNCTIONS(FUNCTION)};

static const xta__library library = {.file = XTA_GDAL_LIBRARY,
                                     .name = "GDAL",
                                     .purpose = "reads and writes rasters",
                                     .functions = functions,
                                     .n_functions = sizeof functions / sizeof functions[0]};

xta_status xta__gdal_load(const char *path, xta_error *err)
{
    xta_status status = XTA_OK;

    pthread_mutex_lock(&loading);
    if (!is_loaded) {
        status = xta__library_load(&library, &xta__gdal, path, err);
        is_loaded = status == XTA_OK;
    }
    pthread_mutex_unlock(&loading);
    if (status == XTA_OK) {
        xta__gdal.GDALAllRegister();
    }
    return status;
}

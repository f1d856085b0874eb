/* Loading GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/functions.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

xta__gdal_functions xta__gdal;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;

#define FUNCTION(member) {#member, offsetof(xta__gdal_functions, member)},
static const struct {
    const char *name;
    size_t offset;
} functions[] = {XTA__GDAL_FUNCTIONS(FUNCTION)};

/* Look up every function. NULL, or the name of the first that is missing. */
static const char *look_up(void *library)
{
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        void *symbol = dlsym(library, functions[k].name);
        if (symbol == NULL) {
            return functions[k].name;
        }
        // POSIX lets a function be called through the pointer that dlsym returns; ISO C requires
        // the copy.
        memcpy((char *)&xta__gdal + functions[k].offset, &symbol, sizeof symbol);
    }
    return NULL;
}

static xta_status load(const char *path, xta_error *err)
{
    void *library = dlopen(XTA_GDAL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: GDAL, which reads and writes rasters, cannot be loaded (%s); "
                             "install " XTA_GDAL_LIBRARY,
                             path, dlerror());
    }
    const char *missing = look_up(library);
    if (missing != NULL) {
        return xta_error_set(
            err, XTA_EUNSUPPORTED, 0,
            "%s: " XTA_GDAL_LIBRARY
            " has no function %s; install the version of GDAL that XTA was built with",
            path, missing);
    }
    is_loaded = true;
    return XTA_OK;
}

xta_status xta__gdal_load(const char *path, xta_error *err)
{
    pthread_mutex_lock(&loading);
    xta_status status = is_loaded ? XTA_OK : load(path, err);
    pthread_mutex_unlock(&loading);
    if (status == XTA_OK) {
        xta__gdal.GDALAllRegister();
    }
    return status;
}

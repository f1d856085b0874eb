/* Loading a library while the program runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/library.h"

#include <dlfcn.h>
#include <string.h>

#include "util/try.h"

xta_status xta__library_load(const xta__library *library, void *table, const char *subject,
                             xta_error *err)
{
    void *loaded = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);

    xta__clear(err);
    if (loaded == NULL) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0,
                         "%s: %s, which %s, cannot be loaded (%s); install %s", subject,
                         library->name, library->purpose, dlerror(), library->file);
    }
    for (size_t k = 0; k < library->n_functions; k++) {
        void *symbol = dlsym(loaded, library->functions[k].name);
        if (symbol == NULL) {
            return xta__fail(
                err, XTA_EUNSUPPORTED, 0,
                "%s: %s has no function %s; install the version of %s that XTA was built with",
                subject, library->file, library->functions[k].name, library->name);
        }
        // POSIX lets a function be called through the pointer that dlsym returns; ISO C requires
        // the copy.
        memcpy((char *)table + library->functions[k].offset, &symbol, sizeof symbol);
    }
    return XTA_OK;
}

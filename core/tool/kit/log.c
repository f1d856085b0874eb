/* One log for the whole run of a command: it is opened with the first array and closed after all
 * arrays are closed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/log.h"

#include <stdlib.h>

#include <xta/access.h>

#include "kit/options.h"

static xta_access_log *the_log;

xta_status cli_log_watch(const cli_args *args, xta_array *array, cli_error *err)
{
    const char *path = args != NULL ? cli_get(args, "log") : NULL;
    xta_status status = XTA_OK;

    path = path != NULL ? path : getenv("XTA_ACCESS_LOG");
    if (path == NULL || path[0] == '\0') {
        return XTA_OK;
    }
    if (the_log == NULL) {
        status = xta_access_log_open(path, &the_log, &err->error);
    }
    if (status == XTA_OK) {
        xta_access_log_watch(the_log, array);
    }
    return status;
}

xta_status cli_log_end(xta_status status, cli_error *err)
{
    xta_error closing;
    xta_status closed = xta_access_log_close(the_log, &closing);

    the_log = NULL;
    if (status == XTA_OK && closed != XTA_OK) {
        err->error = closing;
        return closed;
    }
    return status;
}

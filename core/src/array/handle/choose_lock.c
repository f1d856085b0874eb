/* Which lock a handle uses: that of the system, or a lock file in addition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/choose_lock.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT_S = 30, MOST_WAIT_S = 1000000 };

static const char *variable(const char *name)
{
    const char *text = getenv(name);

    return text != NULL ? text : "";
}

static xta_status choose_wait(const char *name, xta__lock *lock, xta_error *err)
{
    const char *text = variable("XTA_LOCK_WAIT");
    char *end = NULL;

    lock->wait_ms = WAIT_S * 1000;
    if (text[0] == '\0') {
        return XTA_OK;
    }
    errno = 0;
    long seconds = strtol(text, &end, 10);
    if (errno != 0 || *end != '\0' || seconds < 0 || seconds > MOST_WAIT_S) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: the variable XTA_LOCK_WAIT is \"%.40s\"; give seconds, 0 to %d", name,
                         text, MOST_WAIT_S);
    }
    lock->wait_ms = (unsigned)seconds * 1000;
    return XTA_OK;
}

xta_status xta__choose_lock(const char *name, xta_locking wanted, xta__lock *lock, xta_error *err)
{
    const char *text = variable("XTA_LOCK");
    bool file = strcmp(text, "file") == 0, system = strcmp(text, "system") == 0;

    if ((unsigned)wanted > XTA_LOCK_FILE) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: lock %d: there are XTA_LOCK_SYSTEM, XTA_LOCK_FILE, and 0 for what "
                         "the variable XTA_LOCK says",
                         name, (int)wanted);
    }
    if (wanted == XTA_LOCK_DEFAULT && text[0] != '\0' && !file && !system) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: the variable XTA_LOCK is \"%.40s\"; give file or system", name, text);
    }
    lock->by_file = wanted == XTA_LOCK_FILE || (wanted == XTA_LOCK_DEFAULT && file);
    return lock->by_file ? choose_wait(name, lock, err) : XTA_OK;
}

xta_status xta__refuse_by_lock_file(const xta_array *array, const char *what, xta_error *err)
{
    if (!array->locking.by_file) {
        return XTA_OK;
    }
    return xta__fail(err, XTA_EUNSUPPORTED, 0,
                     "%s: %s needs locks on bytes of the file, which a lock file does not replace; "
                     "do it on a file system with working locks (without XTA_LOCK=file) and copy "
                     "the array",
                     xta__array_name(array), what);
}

/* Reading mapped files that others may truncate.
 *
 * A read beyond the end of a mapped file raises SIGBUS, which would end the program and with it the
 * mount. While a thread is between _enter and _leave, the page that it misses is replaced by zeros,
 * so that the library returns as from any read, with its locks in order; the caller then drops what
 * was read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TOOL_MOUNT_BUS_GUARD_H
#define XTA_VIEWS_TOOL_MOUNT_BUS_GUARD_H

#include <stdbool.h>

/* Once for the process. False: errno says why. */
bool mount_bus_guard_install(void);

void mount_bus_guard_enter(void);
/* Whether a page was missing since _enter. */
bool mount_bus_guard_leave(void);

#endif

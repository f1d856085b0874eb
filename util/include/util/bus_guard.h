/* Reading mapped files that others may truncate.
 *
 * A read beyond the end of a mapped file raises SIGBUS, which would end the program and all that it
 * serves. While a thread is between _enter and _leave, the page that it misses is replaced by
 * zeros, so that the library returns as from any read, with its locks in order; the caller then
 * drops what was read. Only for programs, which own their signals: a library must not install it
 * unasked.
 *
 * The zeros stay in the mapping, where other threads read them without a signal. So `missing` is
 * set before they appear: one flag for all who read through the same mappings, which nobody clears
 * before these are gone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_BUS_GUARD_H
#define XTA_UTIL_BUS_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>

/* Handle SIGBUS, once for the process. False: errno says why. */
bool xta__bus_guard_install(void);

/* Only the calling thread is guarded, so what it calls must read by no other. Not nested. */
void xta__bus_guard_enter(atomic_bool *missing);
/* Returns `*missing`. */
bool xta__bus_guard_leave(void);

#endif

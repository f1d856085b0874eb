/* Libraries that are loaded while the program runs: those that most programs never call, and that
 * would cost each of them time at its start.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_LIBRARY_H
#define XTA_UTIL_LIBRARY_H

#include <stddef.h>

#include <xta/status.h>

/* A function by its name, and the offset of its pointer in a structure. */
typedef struct xta__library_function {
    const char *name;
    size_t offset;
} xta__library_function;

typedef struct xta__library {
    const char *file;    // the name under which the dynamic linker finds it
    const char *name;    // for messages: what users call it,
    const char *purpose; // and what it does ("converts units")
    const xta__library_function *functions;
    size_t n_functions;
} xta__library;

/* Load the library, which then stays until the process ends, and store the addresses of its
 * functions in the structure `table`. `subject`, that for which it is needed, begins the messages.
 * XTA_EUNSUPPORTED: the library is not there, or lacks a function; `table` is not valid then.
 * `err` is cleared first. */
xta_status xta__library_load(const xta__library *library, void *table, const char *subject,
                             xta_error *err);

#endif

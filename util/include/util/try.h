/* Errors inside the libraries: a status that is passed up to a single exit, and the text that says
 * why.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_TRY_H
#define XTA_UTIL_TRY_H

#include <stdarg.h>

#include <xta/status.h>

#include "util/compiler.h"

/* Go to the label `done` unless the call succeeded. The only macro with a jump: a function that
 * uses it has one `xta_status status` and one exit. */
#define XTA_TRY(call)           \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

/* The level that detects a failure writes the text, once: if `err` already holds a failure it
 * stays. */
XTA__COLD xta_status xta__fail(xta_error *err, xta_status status, int os_errno, const char *format,
                               ...) XTA_PRINTF(4, 5);

/* Every public call clears the caller's error first. */
void xta__clear(xta_error *err);

/* Fill in `err`, whatever it holds. The text is one line: control characters in a name from a file
 * or a caller never reach a terminal. */
void xta__write_error(xta_error *err, xta_status status, int os_errno, const char *format,
                      va_list arguments) XTA_PRINTF(4, 0);

#endif

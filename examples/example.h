/* What the examples share: stopping with the error's text, and removing an array of the same name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#include <xta/xta.h>

/* Examples end at the first failure; a real program would handle the error. */
#define TRY(call)                                                         \
    do {                                                                  \
        if ((call) != XTA_OK) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, err.text); \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

#define EXPECT(condition)                                                           \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

static inline void begin_anew(const char *path)
{
    xta_error err;
    xta_status status = xta_array_delete(path, &err);

    if (status != XTA_OK && status != XTA_ENOENT) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

#endif

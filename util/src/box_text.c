/* Boxes and coordinates as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/box_text.h"

#include <inttypes.h>
#include <stdio.h>

const char *xta__box_text(const xta_box *box, char *text, size_t capacity)
{
    size_t used = 0;

    text[0] = '\0';
    for (int axis = 0; axis < box->ndim && used < capacity; axis++) {
        int n = snprintf(text + used, capacity - used, "%s%" PRId64 ":%" PRId64,
                         axis > 0 ? "," : "", box->lo[axis], box->hi[axis]);
        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

const char *xta__coord_text(const int64_t coord[], int n, char *text, size_t capacity)
{
    size_t used = 0;

    text[0] = '\0';
    for (int axis = 0; axis < n && used < capacity; axis++) {
        int m =
            snprintf(text + used, capacity - used, "%s%" PRId64, axis > 0 ? "," : "", coord[axis]);
        used += m > 0 ? (size_t)m : 0;
    }
    return text;
}

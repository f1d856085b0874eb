/* A list of the arrays in a file that holds several, for messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_LISTING_H
#define XTA_FORMATS_DESCRIPTION_LISTING_H

#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

typedef struct bridge_listing {
    char text[300];
    size_t used;
    int n;        /* number of arrays */
    int n_listed; /* number of those that `text` names */
} bridge_listing;

/* Add "NAME (4x3 TYPE)". */
void xta__listing_add(bridge_listing *list, const char *name, int ndim, const int64_t bounds[],
                      const char *type);
/* The text of a list, with the number of arrays that it leaves out. */
const char *xta__listing_text(const bridge_listing *list, char text[340]);
/* The error message that asks which array is meant. */
xta_status xta__listing_ask(const bridge_listing *list, const char *path, xta_error *err);

#endif

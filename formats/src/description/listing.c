/* The contents of a file that holds several arrays, for messages that ask which one is meant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/listing.h"

#include <stdio.h>
#include <string.h>

void xta__listing_add(bridge_listing *list, const char *name, int ndim, const int64_t bounds[],
                      const char *type)
{
    char one[200];
    size_t n = (size_t)snprintf(one, sizeof one, "%s%.80s (", list->n > 0 ? ", " : "", name);
    for (int d = 0; d < ndim && n < 150; d++) {
        n += (size_t)snprintf(one + n, sizeof one - n, d == 0 ? "%lld" : "x%lld",
                              (long long)bounds[d]);
    }
    n += (size_t)snprintf(one + n, sizeof one - n, "%s%.30s)", ndim > 0 ? " " : "", type);
    list->n++;
    if (list->n_listed == list->n - 1 && list->used + n < sizeof list->text) {
        memcpy(list->text + list->used, one, n + 1);
        list->used += n;
        list->n_listed++;
    }
}

const char *xta__listing_text(const bridge_listing *list, char text[340])
{
    int left = list->n - list->n_listed;
    if (left > 0) {
        snprintf(text, 340, "%s and %d more", list->text, left);
    } else {
        snprintf(text, 340, "%s", list->n > 0 ? list->text : "none");
    }
    return text;
}

xta_status xta__listing_ask(const bridge_listing *list, const char *path, xta_error *err)
{
    char text[340];
    const char *slash = strrchr(path, '/');
    return xta_error_set(err, XTA_EARG, 0, "%s: holds several arrays; name one (as %s:NAME): %s",
                         path, slash != NULL ? slash + 1 : path, xta__listing_text(list, text));
}

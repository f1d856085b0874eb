/* The path of a request, taken apart: what is asked for, of which array or data set, as of which
 * snapshot. Pure; no file name is ever made of what it returns.
 *
 *     /                          the page
 *     /NAME.zarr/KEY             a key of a Zarr store of version 2, /NAME.zarr3/KEY of version 3
 *     /NAME@PIN.zarr/KEY         the same of one snapshot
 *     /NAME.json                 kerchunk references to the newest snapshot; /NAME@PIN.json
 *     /NAME/latest               where the newest snapshot is; /NAME/latest3: of version 3
 *     /NAME/steps.json           all of them
 *     /NAME[/MEMBER].xta         the data file of an array
 *     /NAME[/MEMBER].png         its quicklook
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_REQUEST_PATH_H
#define XTA_VIEWS_SERVE_REQUEST_PATH_H

#include <stdbool.h>

enum { REQUEST_PATH_BYTES = 2048 }; /* the longest path, before it is decoded */

typedef enum request_kind {
    REQUEST_PAGE,
    REQUEST_ZARR, /* `version` says which */
    REQUEST_REFERENCES,
    REQUEST_LATEST,
    REQUEST_STEPS,
    REQUEST_DATA,
    REQUEST_QUICKLOOK
} request_kind;

/* The texts are pieces of `text`; those that do not belong to the kind are "". */
typedef struct request_path {
    request_kind kind;
    int version; /* 2 or 3 */
    bool pinned;
    const char *name;
    const char *pin;
    const char *key; /* of the store, or the member: without a slash at either end */
    char text[REQUEST_PATH_BYTES + 1];
} request_path;

/* Take a path apart, as it stands in the request: `%41` is decoded here, once.
 *
 * Refused, with the status of HTTP that is returned: 414 longer than REQUEST_PATH_BYTES; 400 not
 * beginning with a slash, a percent sign without two digits, control characters and zero bytes,
 * backslashes, text that is not UTF-8, empty segments, and the segments `.` and `..`, encoded or
 * not; 404 anything that has none of the forms above. 0: `*out` is filled in. */
int xta__request_path_parse(const char *path, request_path *out);

#endif

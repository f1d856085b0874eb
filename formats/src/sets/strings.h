/* Variables of strings.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_STRINGS_H
#define XTA_FORMATS_SETS_STRINGS_H

#include "sets/tree/tree.h"

/* The bytes of the longest string of a variable, at least 1, and where it has to be read. 0 in
 * *bytes: it cannot be read. The library's lock is held. */
xta_status xta__set_measure_strings(const set_source *source, set_variable *v, const char *group,
                                    const char *name, int ndim, size_t *bytes, xta_error *err);

/* Read n strings of a box, padded with zeros. A code of NetCDF. The library's lock is held. */
int xta__set_read_strings(const set_source *source, const set_variable *v, const xta_box *box,
                          size_t n, void *cells);

#endif

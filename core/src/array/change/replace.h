/* Putting a new pair of files in the place of an old one, all or nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_REPLACE_H
#define XTA_ARRAY_CHANGE_REPLACE_H

#include "array/state/open_array.h"

/* Put the pair beside an array in its place; it is whole, durable and closed. The array's locks are
 * held, and it has read what others did; it is of no use afterwards. On failure the old array
 * stands, or the new one does as soon as the path is opened. */
xta_status xta__replace_by_sibling(xta_array *array, xta_error *err);

/* Remove what killed processes left of journals that were to take the place of `journal_file`. The
 * structure of the array is locked, so that no live process is making one. */
void xta__remove_leftovers(const char *journal_file);

/* Whether the journal, and with `data` the data file, can be replaced: a file that has other names
 * as well (hard links) would live on under them, with cells that are no longer its own. */
xta_status xta__check_replaceable(xta_array *array, bool data, xta_error *err);

#endif

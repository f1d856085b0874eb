/* Putting a new pair of files in the place of an old one, all or nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_REPLACE_H
#define XTA_ARRAY_CHANGE_REPLACE_H

#include "array/state/open_array.h"

/* Put the pair of files beside an array (see xta__sibling_path) in its place. The pair is complete,
 * durable and closed. The locks of the array are held, and the changes of others have been read;
 * its handle is useless afterwards. On failure either the old array is still in place, or the new
 * one will be as soon as the path is opened. */
xta_status xta__replace_by_sibling(xta_array *array, xta_error *err);

/* Remove journals with which killed processes were about to replace `journal_file`. The array is
 * locked for a change, so no running process is making one. */
void xta__remove_leftovers(const char *journal_file);

/* Whether the journal, and with `data` the data file, can be replaced: a file that has other names
 * as well (hard links) would live on under them, with cells that are no longer its own. */
xta_status xta__check_replaceable(xta_array *array, bool data, xta_error *err);

#endif

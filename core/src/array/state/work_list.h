/* The unfinished work that the journal lists.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_WORK_LIST_H
#define XTA_ARRAY_STATE_WORK_LIST_H

#include "base/base.h"
#include "store/store.h"

/* A journal with more pieces of unfinished work is damaged: a file must not make the list long. */
#define XTA__MOST_WORKS 4096

/* Work from its WORK_BEGIN to its WORK_END, in the order in which it began. */
typedef struct xta__works {
    xta__work_record **items;
    size_t n, capacity;
} xta__works;

/* NULL: there is no work with this id. */
const xta__work_record *xta__works_find(const xta__works *works, const uint8_t id[XTA__UUID_BYTES]);

/* Reserve memory for one more, so that xta__works_add cannot run out of it. XTA_ENOMEM; XTA_EARG:
 * the list is full. */
xta_status xta__works_reserve(xta__works *works);

/* Add a copy. XTA_ECORRUPT: there is already work with this id, or the list is full. */
xta_status xta__works_add(xta__works *works, const xta__work_record *record);
void xta__works_remove(xta__works *works, const uint8_t id[XTA__UUID_BYTES]);
void xta__works_add_axis(xta__works *works, int position);
void xta__works_clear(xta__works *works);

/* As nested records of a checkpoint. */
xta_status xta__works_encode(const xta__works *works, xta__bytes *nested, uint32_t *n_nested);

#endif

/* What the journal of a data set holds: a list of entries in the order in which they were added.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_ENTRIES_H
#define XTA_DATASET_ENTRIES_H

#include <xta/dataset.h>

#include "dataset/sources.h"
#include "store/store.h"

typedef enum xta__entry_kind {
    XTA__ENTRY_ATTRIBUTE = 1,
    XTA__ENTRY_DIMENSION = 2,
    XTA__ENTRY_MEMBER = 3,
    XTA__ENTRY_GROUP = 4,
    XTA__ENTRY_SOURCES = 5 /* no entry of the list: `sources` has the notes */
} xta__entry_kind;

/* One entry. It never changes: a change of the list puts another one in its place. */
typedef struct xta__entry {
    unsigned n_owners; /* lists that hold it */
    xta__entry_kind kind;
    char *owner; /* of an attribute: a dimension, or "" */
    char *name;
    xta_attribute attribute; /* its name is `name`, its values are owned */
    xta_dimension dimension; /* as set; its name is `name` */
    bool unfinished;         /* of a member: it is being added */
} xta__entry;

typedef struct xta__entries {
    xta__entry **items;
    size_t n, capacity;
    xta__sources sources;
} xta__entries;

void xta__entries_clear(xta__entries *entries);

/* A second list of the same entries. XTA_ENOMEM. */
xta_status xta__entries_copy(const xta__entries *from, xta__entries *out);

/* NULL: there is none. `owner` "" for all kinds but attributes. */
const xta__entry *xta__entries_find(const xta__entries *entries, xta__entry_kind kind,
                                    const char *owner, const char *name);

/* A change is a list of items, each of which puts or removes one entry. They are appended to the
 * payload of a CHANGE record. */
void xta__change_start(xta__bytes *change);
void xta__change_put_attribute(xta__bytes *change, const char *owner,
                               const xta_attribute *attribute);
void xta__change_put_dimension(xta__bytes *change, const xta_dimension *dimension);
void xta__change_put_member(xta__bytes *change, const char *name, bool unfinished);
void xta__change_put_group(xta__bytes *change, const char *name);
/* A note of the source of cells; it is added to those of its dimension. */
void xta__change_add_source(xta__bytes *change, const xta_dataset_source *note);
void xta__change_remove(xta__bytes *change, xta__entry_kind kind, const char *owner,
                        const char *name);
/* All that the list has of a dimension: itself, its attributes, and the notes of its sources. */
void xta__change_remove_dimension(xta__bytes *change, const xta__entries *entries,
                                  const char *name);

/* The whole list as items, in a change that has been started. Where it is applied to a list that is
 * not empty, `anew` first removes the notes of the dimensions that have some here. */
void xta__change_put_all(xta__bytes *change, const xta__entries *entries, bool anew);

/* Apply the payload of a record to a list. XTA_ECORRUPT with a constant text, XTA_ENOMEM; the list
 * is then unusable. */
xta_status xta__entries_apply(xta__entries *entries, const uint8_t *payload, size_t n,
                              const char **why);

#endif

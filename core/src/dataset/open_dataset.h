/* An open data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_OPEN_DATASET_H
#define XTA_DATASET_OPEN_DATASET_H

#include <pthread.h>

#include <xta/dataset.h>

#include "dataset/entries.h"
#include "store/store.h"

/* The name of the journal in its folder, with and without suffix. */
#define XTA__DATASET_NAME    "dataset"
#define XTA__DATASET_JOURNAL "dataset.xmd"

typedef struct xta__member {
    char *name;
    xta_array *array; /* NULL: not opened yet */
} xta__member;

struct xta_dataset {
    char *path;   /* as the caller gave it */
    char *folder; /* where it is */
    char *journal_path, *journal_file;
    xta_dataset_options options;
    pthread_mutex_t lock;

    bool has_journal;
    bool unsynced; /* a change was written since the last sync */
    bool migrated; /* the members that are listed have been searched for coordinates to move */
    bool broken;   /* its journal contradicts itself, or cannot be read any more */
    xta__lock locking;
    xta__journal journal;
    uint64_t n_moves;    /* how often another journal was opened */
    uint64_t long_bytes; /* of the journal: only beyond can it be worth a checkpoint; 0: unknown */
    xta__entries entries;

    /* What the folder holds: members in the order of the journal, then others by name. */
    xta__member *members;
    size_t n_members, members_capacity;
    char **groups;
    size_t n_groups, groups_capacity;
    /* Arrays that are no members any more: callers may still use them until the set is closed. */
    xta_array **retired;
    size_t n_retired, retired_capacity;

    /* Dimensions as the members have them; collected anew by each call that needs them. */
    xta_dimension *dimensions;
    size_t n_dimensions, dimensions_capacity;
};

/* The paths of a file or folder in the folder of the data set: where it is, and its name in
 * messages. NULL: no memory. */
char *xta__dataset_file(const xta_dataset *set, const char *name, const char *suffix);
char *xta__dataset_path_of(const xta_dataset *set, const char *name);

xta_status xta__dataset_no_memory(const xta_dataset *set, xta_error *err);

/* XTA_ESTATE if the handle is unusable. */
xta_status xta__dataset_begin(const xta_dataset *set, xta_error *err);

#endif

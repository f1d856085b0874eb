/* What a server serves: arrays and data sets by name, and open snapshots of each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_SHELF_H
#define XTA_VIEWS_SERVE_SHELF_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <xta/zarr_view.h>

/* An open snapshot and who uses it. */
typedef struct snapshot {
    xta_zarr_view *view;
    char *pin; /* by which it is found; NULL: not listed */
    int n_users;
    uint64_t used; /* when, by a counter */
} snapshot;

enum { MOST_SNAPSHOTS = 24 };

typedef struct source {
    char *path, *name;
    char *root; /* the real folder that its files lie in; NULL: it is one array */
    bool follow;
    atomic_bool missing;  /* a data file was truncated while it was read: no cell can be trusted */
    pthread_mutex_t lock; /* of what follows */
    snapshot *first;      /* as of the start of the server */
    snapshot *plain;      /* what an address without a pin means */
    snapshot *listed[MOST_SNAPSHOTS];
    int n_listed;
    uint64_t clock;
} source;

/* Open a source: its first snapshot. */
xta_status xta__source_open(const char *path, bool follow, source **out, xta_error *err);
/* Nobody uses it any more; NULL is allowed. */
void xta__source_close(source *from);

/* Get a snapshot, and release it. Thread-safe. Plain: of an address without a pin; `refresh`: a new
 * client may begin here, so that one that follows is brought up to date. */
xta_status xta__source_get_plain(source *from, bool refresh, snapshot **out, xta_error *err);
xta_status xta__source_get_newest(source *from, snapshot **out, xta_error *err);
xta_status xta__source_get_pinned(source *from, const char *pin, snapshot **out, xta_error *err);
void xta__source_release(source *from, snapshot *used);

/* The real path of the data file of an array of the source, which the caller frees. XTA_EACCESS: it
 * lies outside the folder of its data set. */
xta_status xta__source_data_file(const source *from, xta_array *array, char **path, xta_error *err);

#endif

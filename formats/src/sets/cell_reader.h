/* The cells of a variable, slab by slab: threads read the next ones while the caller has one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_CELL_READER_H
#define XTA_FORMATS_SETS_CELL_READER_H

#include <pthread.h>

#include "hdf5/raw/raw_chunks.h"
#include "sets/tree/tree.h"
#include "transfer/slabs.h"

enum { CELL_READER_THREADS = 8, CELL_READER_SLABS = CELL_READER_THREADS + 1 };

/* What is read: a box of the array that the variable is for, where its first cell has the
 * coordinates `origin`. Slabs are cut at the chunks of the file; `chunk` is used if it has none.
 * All slabs together take up to `memory_bytes`. */
typedef struct cell_task {
    const set_source *source;
    const set_variable *variable;
    const int64_t *origin, *chunk;
    const xta_box *box;
    uint64_t memory_bytes;
    bool skip_empty; /* leave out slabs of which the file has no cell */
    /* NULL, or where cells go as soon as they are read, in any order and from several threads; a
     * failure ends the walk. */
    xta_status (*put)(void *user, const xta_box *slab, const unsigned char *cells, xta_error *err);
    void *user;
} cell_task;

typedef struct cell_slab {
    xta_box box; /* in the file */
    unsigned char *cells;
    bool full; /* it has cells that the caller has not had, or a failure */
    xta_status status;
    xta_error why;
} cell_slab;

typedef struct cell_reader {
    cell_task task;
    int64_t origin[XTA_MAX_NDIM]; /* of the cell of slabs that is number 0 */
    int64_t shift[XTA_MAX_NDIM];  /* of slabs: number of the first selected cell in them */
    raw_chunks *raw;              /* NULL: the source reads */
    chunk_scratch scratch;        /* without threads */
    bridge_slabs slabs;
    uint64_t most_cells; /* of a slab */
    cell_slab slab[CELL_READER_SLABS];
    int n_slabs, n_threads;
    bool begun; /* the caller has had a slab */

    /* Under the lock, if there are threads. Slab k of the walk is in slab[k % n_slabs]. */
    uint64_t taken, had; /* by threads, to fill; by the caller, who is done with them */
    bool over, stop;
    pthread_t thread[CELL_READER_THREADS];
    pthread_mutex_t lock;
    pthread_cond_t changed;
} cell_reader;

/* Begin. The reader must not be moved. */
xta_status xta__reader_begin(cell_reader *reader, const cell_task *task, xta_error *err);

/* The next slab, valid until the next call; NULL in *cells: there are no more. Where the task has
 * `put`, that has been called. */
xta_status xta__reader_next(cell_reader *reader, xta_box *slab, unsigned char **cells,
                            xta_error *err);

/* Also after a failure of xta__reader_begin. */
void xta__reader_end(cell_reader *reader);

#endif

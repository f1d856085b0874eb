/* The cells of a variable, slab by slab: the next one is read while the caller has the last.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_CELL_READER_H
#define XTA_FORMATS_SETS_CELL_READER_H

#include <pthread.h>

#include "sets/tree.h"
#include "transfer/slabs.h"

typedef struct cell_slab {
    xta_box box; /* in the file */
    unsigned char *cells;
    bool full; /* it has cells that the caller has not had */
} cell_slab;

typedef struct cell_reader {
    const set_source *source;
    const set_variable *variable;
    int64_t origin[XTA_MAX_NDIM]; /* of the variable's first cell */
    bridge_slabs slabs;
    bool skip_empty;
    uint64_t most_cells; /* of a slab */
    cell_slab slab[2];
    int current; /* the caller has this slab, or gets it next */
    bool begun;  /* the caller has had one */

    /* Under the lock, if there is a thread. */
    bool threaded, over, stop;
    xta_status status;
    xta_error why;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} cell_reader;

/* Begin to read a box of the array that the variable is for, where its first cell has the
 * coordinates `origin`. Slabs are cut at the chunks of the file; `chunk` is used if it has none.
 * Two slabs take up to `memory_bytes`. The reader must not be moved. With reader->skip_empty, which
 * the caller sets before, slabs of which the file has no cell are left out. */
xta_status xta__reader_begin(cell_reader *reader, const set_source *source, const set_variable *v,
                             const int64_t origin[], const xta_box *box, const int64_t chunk[],
                             uint64_t memory_bytes, xta_error *err);

/* The next slab, valid until the next call; NULL in *cells: there are no more. */
xta_status xta__reader_next(cell_reader *reader, xta_box *slab, unsigned char **cells,
                            xta_error *err);

/* Also after a failure of xta__reader_begin. */
void xta__reader_end(cell_reader *reader);

#endif

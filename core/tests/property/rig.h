/* An array under test and its model.
 *
 * Each function here makes one random change to both and compares them. A difference ends the
 * program with the steps of the array so far.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_RIG_H
#define XTA_TESTS_RIG_H

#include <xta/array.h>
#include <xta/attribute.h>

#include "oracle/cells.h"
#include "support/folder.h"
#include "support/peer.h"
#include "support/random.h"
#include "support/report.h"

#define RIG_MAX_NDIM  6
#define RIG_MAX_NOTES 12
#define RIG_MAX_STEPS 1024

/* One attribute in the model. */
typedef struct rig_note {
    int axis;
    char name[16];
    xta_type type;
    size_t cell_bytes;
    size_t count;
    uint8_t values[256];
} rig_note;

/* One structural step in the model. */
typedef struct rig_step {
    uint64_t step;
    int added_axis; /* position, or -1 */
    xta_box bounds;
} rig_step;

typedef struct rig {
    test_story story;
    test_random random;
    test_folder folder;
    peer peer;
    bool peer_open, peer_writable;
    xta_box peer_bounds; /* steps that the second process must still see */

    xta_array *array;
    char path[TEST_PATH_BYTES]; /* "" for a memory array */
    xta_type type;
    size_t cell_bytes;
    bool writable;
    bool exclusive; /* the handle is that of an exclusive writer */

    oracle_cells model;
    int64_t reach_lo[XTA_MAX_NDIM], reach_hi[XTA_MAX_NDIM]; /* all cells that ever were */
    uint64_t reach_limit;
    rig_note notes[RIG_MAX_NOTES];
    int n_notes;
    char axis_name[RIG_MAX_NDIM][16];
    char axis_unit[RIG_MAX_NDIM][16];
    rig_step steps[RIG_MAX_STEPS];
    int n_steps;
    int n_added; /* number of axes so far, so that each gets a unique name */
} rig;

/* A buffer of the caller for a read or write. */
typedef struct rig_memory {
    xta_io_options options;
    int64_t strides[XTA_MAX_NDIM]; /* bytes, of every layout */
    int64_t step[XTA_MAX_NDIM];
    xta_type type;
    size_t cell_bytes;
    uint8_t *block; /* random bytes at first */
    size_t block_bytes;
    size_t origin; /* where the cell of box.lo lies in the block */
} rig_memory;

/* rig.c: opening, closing and structure. */
void rig_begin(rig *r);
void rig_end(rig *r);
void rig_extend(rig *r);
void rig_shrink(rig *r);
void rig_add_axis(rig *r);
void rig_append(rig *r);
void rig_reopen(rig *r);
void rig_save_load(rig *r);
void rig_compact(rig *r);

/* rig_cells.c: cells. */
void rig_write(rig *r);
void rig_read(rig *r);
void rig_fill(rig *r);
void rig_get_put(rig *r);
void rig_outside(rig *r);
/* Every cell of `array`, whose bounds must be the model's. */
void rig_compare(rig *r, xta_array *array);
/* A random box within the bounds; every axis at most `most` cells. */
xta_box rig_random_box(rig *r, int64_t most);
uint16_t rig_random_code(rig *r, xta_type type);
/* A random layout for `box`; rig_memory_clear frees it. */
void rig_memory_make(rig *r, const xta_box *box, bool may_step, xta_type type, rig_memory *memory);
void rig_memory_clear(rig_memory *memory);
/* A type to write cells from: each of its codes fits into the array's. */
xta_type rig_source_type(rig *r);
/* A type to read cells into: each code of the array's type fits into it. */
xta_type rig_target_type(rig *r);
/* Give every cell of the box that the layout selects a random code, in the model and in the
 * buffer. */
void rig_memory_write(rig *r, const xta_box *box, rig_memory *memory);
/* The expected block after a read, for the caller to free: the cells of the model, and the old
 * bytes between them. */
uint8_t *rig_memory_expected(const rig *r, const xta_box *box, const rig_memory *memory);
/* Report a box, and the layout of its cells in memory (NULL: the box alone). */
void rig_story_box(rig *r, const char *what, const xta_box *box, const rig_memory *memory);

/* rig_notes.c: attributes, history, earlier steps. */
void rig_note_set(rig *r);
void rig_note_remove(rig *r);
void rig_notes_compare(rig *r, xta_array *array);
void rig_as_of(rig *r);
void rig_history(rig *r);
/* Record that the structure changed. `grew`: it certainly did. */
void rig_step_taken(rig *r, int added_axis, bool grew);
/* Record a step of the second process that this one has not read yet. */
void rig_step_unseen(rig *r);

/* rig_peer.c: the second process. */
void rig_peer_inspect(rig *r);
void rig_peer_write(rig *r);
void rig_peer_both_write(rig *r);
void rig_peer_structure(rig *r);
/* The same while this process is the exclusive writer: the step must be refused, and no other
 * call. */
void rig_peer_refused(rig *r);
void rig_peer_close(rig *r);
/* Make what this process wrote visible to the other. */
void rig_publish(rig *r);

#endif

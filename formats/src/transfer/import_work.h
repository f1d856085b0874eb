/* The state of one import, and the mark of unfinished work (xta/work.h) that is on the array while
 * it writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TRANSFER_IMPORT_WORK_H
#define XTA_FORMATS_TRANSFER_IMPORT_WORK_H

#include <xta/append.h>
#include <xta/work.h>

#include "description/format.h"
#include "transfer/cut_source.h"
#include "transfer/fold_axis.h"

/* The state of one import. */
typedef struct import_job {
    const char *source;
    const char *path;
    xta_import_options options;
    const bridge_format *format;
    bridge_description what;
    bridge_cut cut;
    bridge_fold fold;
    void *state;
    xta_array *array;
    bool created;
    xta_work *work;  /* the unfinished work; NULL: not needed */
    xta_lock *lock;  /* held while the place is chosen */
    xta_box resumed; /* resumed work: where its cells go; ndim 0: none */
    int64_t resumed_at[XTA_MAX_NDIM];
    int resumed_axis; /* the axis along which it appended, or -1 */
    xta_array_info info;
    int append_axis; /* -1: not appending */
    xta_side side;
    int axes[XTA_MAX_NDIM];       /* axes of the array that correspond to the source's */
    int64_t origin[XTA_MAX_NDIM]; /* of the source's first cell, as it says itself */
    int64_t at[XTA_MAX_NDIM];     /* array coordinates of the source's first cell */
    xta_box box;                  /* where the cells go, in the array */
    char *cells;                  /* memory for one slab */
    uint64_t done_bytes;
    uint64_t total_bytes;
} import_job;

/* Record as unfinished work that the cells of job->box will be written, and grow the array where
 * the box exceeds the bounds. */
xta_status xta__import_begin_work(import_job *job, xta_error *err);
/* Check that `got`, where the cells would go now, is the place that was checked. */
xta_status xta__import_check_place(const import_job *job, const xta_box *got, xta_error *err);
/* Continue the work that job->options.resume identifies: the cells go to its box. */
xta_status xta__import_resume_work(import_job *job, xta_error *err);
/* Close the array. The work is finished if `status` is XTA_OK, else undone as far as possible; the
 * text of `err` then says what is left. */
xta_status xta__import_end_work(import_job *job, xta_status status, xta_error *err);

#endif

/* The state of one import, and the mark of unfinished work (xta/work.h) that it leaves on the array
 * while it writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TRANSFER_IMPORT_WORK_H
#define XTA_FORMATS_TRANSFER_IMPORT_WORK_H

#include <xta/append.h>
#include <xta/work.h>

#include "description/format.h"
#include "transfer/fold_axis.h"

/* The state of one import. */
typedef struct import_job {
    const char *source;
    const char *path;
    xta_import_options options;
    const bridge_format *format;
    bridge_description what;
    bridge_fold fold;
    void *state;
    xta_array *array;
    bool created;
    xta_work *work;  /* announced; NULL: none is needed */
    xta_lock *lock;  /* while the place is chosen */
    xta_box resumed; /* of work that is resumed: where its cells go; ndim 0: none is */
    int64_t resumed_at[XTA_MAX_NDIM];
    int resumed_axis; /* the one along which it had appended, or -1 */
    xta_array_info info;
    int append_axis; /* -1: not appending */
    xta_side side;
    int axes[XTA_MAX_NDIM];   /* of the source, in the array */
    int64_t at[XTA_MAX_NDIM]; /* array coordinates of the source's first cell */
    xta_box box;              /* of the array: where the cells go */
    char *cells;              /* one slab */
    uint64_t done_bytes;
    uint64_t total_bytes;
} import_job;

/* Announce that the cells of job->box will be written, growing the array by what lies outside of
 * the bounds. */
xta_status xta__import_begin_work(import_job *job, xta_error *err);
/* Whether `got`, where the cells would go now, is the place that was checked. */
xta_status xta__import_check_place(const import_job *job, const xta_box *got, xta_error *err);
/* Continue the work that job->options.resume names: the cells go where its box is. */
xta_status xta__import_resume_work(import_job *job, xta_error *err);
/* Close the array, with the work ended if `status` is XTA_OK, else undone as far as possible; the
 * text of `err` then says what is left. */
xta_status xta__import_end_work(import_job *job, xta_status status, xta_error *err);

#endif

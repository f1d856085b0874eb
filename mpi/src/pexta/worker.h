/* One thread for each process that reads and writes files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_WORKER_H
#define XTA_PEXTA_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>

typedef struct xta__job {
    struct xta__job *next_of_request;
    struct xta__job *next_in_queue;
    xta_array *array;
    struct xta__chunk_cache *cache; /* reads go through it; NULL: none */
    int n_growths;                  /* above 0: the job extends the array, and moves no cells */
    xta_growth growths[XTA_MAX_NDIM];
    xta_box box;
    xta_order order;
    bool write;
    void *cells; /* freed when it is written */
    uint64_t bytes;
    bool done;
    xta_error result;
} xta__job;

/* Allocate `bytes` for a job; NULL if that exceeds the limit, or fails. */
void *xta__job_memory(uint64_t bytes);
void xta__job_memory_free(void *memory, uint64_t bytes);

/* Give a job to the thread; it is done at once if no thread can be started. */
void xta__submit(xta__job *job);
bool xta__job_is_done(const xta__job *job);
void xta__await(const xta__job *job);

/* Do a job in the calling thread: extend, or read or write cells. */
void xta__do_job(xta__job *job);

/* End the thread; all jobs are done. */
void xta__worker_stop(void);

#endif

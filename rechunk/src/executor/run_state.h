/* Private header: the state of a run, shared by its reader and its writer.
 *
 * Two iterators go over the same plan: the reader executes its reads, the writer its writes. A
 * write may begin when all reads before it in the plan are done. With two threads, the reader runs
 * ahead as far as the memory budget allows.
 *
 * It cannot deadlock. Reads are done in the order of the plan, so when the reader waits for memory
 * for its next read r, everything that the writes before r need has been read. Writes need no
 * memory (staging is allocated at the start) and free some. Once all writes before r are done,
 * exactly the cells that the plan holds at that point are in memory, and r fits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_RUN_STATE_H
#define XTA_EXECUTOR_RUN_STATE_H

#include <pthread.h>

#include <xta/repartition.h>

#include "executor/pending_pieces.h"
#include "executor/resume_log.h"

/* The most by which the reader runs ahead of the plan: more would only take memory from the
 * system's page cache. */
#define XTA__AHEAD_BYTES ((uint64_t)32 << 20)

/* At most this many bytes and blocks are joined into one call. */
#define XTA__JOIN_BYTES ((uint64_t)8 << 20)
enum { XTA__MOST_JOINED = 256 };

/* Approximate size of the slices of a gathered block: they stay in the processor's cache. */
#define XTA__SLICE_BYTES ((uint64_t)1 << 20)

/* One side: an iterator with one operation of look-ahead. */
typedef struct xta__side {
    xta_rechunk_iterator *walk;
    bool writes;    /* whether it executes writes, or reads */
    uint64_t seen;  /* reads of the plan that the iterator has returned so far */
    uint64_t reads; /* how many of these come before `op` */
    bool ready;     /* `op` is valid */
    xta_rechunk_op op;
} xta__side;

/* The buffers of one write; grown as needed. */
typedef struct xta__sources {
    xta__source *items;
    size_t n, capacity;
} xta__sources;

/* Output blocks gathered in staging, to be written by one call. */
typedef struct xta__joined {
    size_t n;
    uint64_t bytes; /* bytes of staging used */
    uint64_t next_place;
    int64_t *blocks; /* ndim for each */
    const int64_t *block[XTA__MOST_JOINED];
    const void *cells[XTA__MOST_JOINED];
} xta__joined;

typedef struct xta__run {
    xta_blocks *from, *to;
    xta_repartition_options options;
    xta_rechunk_plan *plan;
    xta_rechunk_facts facts;
    xta__cut_grid from_cuts, to_cuts;
    uint32_t extra; /* part of the fingerprint: see xta__repartition_run */
    bool serial;    /* both grids need one lock */
    pthread_mutex_t serial_lock;

    pthread_mutex_t lock; /* for everything up to the next blank line */
    pthread_cond_t changed;
    xta__budget budget;
    /* limit on memory when the reader runs ahead: at least what the plan holds */
    uint64_t ahead_bytes;
    xta__pending pending_pieces;
    uint64_t reads_done;   /* of the plan, including skipped ones */
    uint64_t writer_needs; /* number of reads that it waits for; 0: it does not wait */
    uint64_t calls_read, runs_read, bytes_read; /* calls are calls of the grid */
    bool reader_ended;
    bool stop; /* the writer has ended, so the reader must end too */
    xta_status reader_status;
    xta_error reader_err;

    xta__side reader; /* used only by the reader */
    uint8_t *read_staging;
    size_t staging_bytes;

    xta__side writer; /* everything below is used only by the writer */
    uint8_t *write_staging;
    xta__sources sources;
    xta__joined joined;
    bool verifying;
    xta__block_map finished;   /* finished before this run; read by both */
    xta__block_map unfinished; /* cells written so far of blocks that are written in pieces */
    xta__resume_log resume_log;
    bool logging;
    xta_repartition_progress progress;
    uint64_t n_resumed;
    xta_repartition_report *report;
    uint64_t before[2];             /* system calls of the grids before this run: reads, writes */
    double begun, notified, synced; /* times in seconds */
} xta__run;

/* Put the next operation of a side into side->op; false at the end. */
bool xta__side_next(xta__side *side);

/* Called around each call of a grid: see `serial`. */
void xta__enter_grid(xta__run *run);
void xta__leave_grid(xta__run *run);

/* How much of `bytes` to move at a time: equal slices, none of them tiny, as far as staging allows.
 * `whole`: moving everything at once is better. */
uint64_t xta__slice_bytes(const xta__run *run, uint64_t bytes, bool whole);

/* Whether a block was finished before this run. */
bool xta__is_finished(const void *user_run, uint64_t block);

/* Seconds of a monotonic clock. */
double xta__seconds(void);

#endif

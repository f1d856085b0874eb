/* The interface of chunk stores: where the bytes of chunks are, in a mapped file, a cache of a
 * file, or memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_CHUNK_STORE_H
#define XTA_STORE_CHUNKS_CHUNK_STORE_H

#include <stdatomic.h>

#include "base/base.h"
#include "chunk/write_method.h"
#include "store/chunks/windows.h"

typedef struct xta__chunk_store xta__chunk_store;

/* Equal runs of bytes of a chunk: the first one at `offset`, the others along strides. */
typedef struct xta__byte_runs {
    size_t offset, bytes;
    int ndim; /* 0: one run */
    const size_t *count;
    const size_t *stride;
} xta__byte_runs;

/* Bytes to be written into a chunk. */
typedef struct xta__span {
    size_t offset, n; /* in the chunk */
    const uint8_t *from;
} xta__span;

/* A pinned chunk: its bytes, and what the chunk store needs to unpin it. Before pin_write the
 * caller fills in the chunk's coordinates. */
typedef struct xta__pin {
    uint8_t *bytes;
    void *token;
    bool writing;
    bool ask_cold; /* of pin_read: set `cold` if the chunk had to come from a disk */
    bool cold;
    bool exact; /* of pin_read: read nothing but the chunk from the disk */
    int ndim;
    const int64_t *chunk; /* ndim chunk coordinates; only read during the call */
    /* Of pin_in_place: the bytes that will be stored, on which the choice of the method was based;
     * NULL: all of the range. Only read during the call. */
    const xta__byte_runs *stores;
    const xta__method_ask *ask;
    bool may_check; /* of pin_in_place: the caller can use store_spans */
    bool checked;   /* and has to */
} xta__pin;

/* Step to the next run; `at` is the offset of the current one and `index`, initially all zero, its
 * number along each stride. False after the last. */
static inline bool xta__next_run(const xta__byte_runs *runs, size_t index[], size_t *at)
{
    for (int k = 0; k < runs->ndim; k++) {
        *at += runs->stride[k];
        if (++index[k] < runs->count[k]) {
            return true;
        }
        *at -= runs->count[k] * runs->stride[k];
        index[k] = 0;
    }
    return false;
}

/* What may be fetched ahead of a large read, in bytes of the file from address 0 on. */
typedef struct xta__ahead_rule {
    uint64_t unit;  /* a fetch anywhere in a unit reads all of it; 0: nothing can be fetched */
    uint64_t phase; /* the first unit begins this many bytes before address 0 */
    uint64_t most;  /* bytes that may be fetched ahead */
    bool chunks;    /* chunks are always loaded whole */
} xta__ahead_rule;

/* The operations of a chunk store. All may be called by several threads at once except `resize`,
 * which only one thread calls at a time. Addresses are below the number of chunks last passed to
 * resize. */
typedef struct xta__chunk_store_ops {
    /* Pin a chunk to read its bytes; they stay valid until unpin. bytes = NULL: all are zero. */
    xta_status (*pin_read)(xta__chunk_store *chunk_store, uint64_t address, xta__pin *pin,
                           xta_error *err);

    /* Pin a chunk to change its bytes. The caller marks what it has changed. `whole`: it will
     * change all of them. */
    xta_status (*pin_write)(xta__chunk_store *chunk_store, uint64_t address, bool whole,
                            xta__pin *pin, xta_error *err);

    /* What is known about bytes offset .. offset + n of a chunk, for the choice of a method; then
     * pin_write is NULL. NULL: parts of chunks are changed by write_part if it exists, else through
     * pin_write. */
    void (*facts)(xta__chunk_store *chunk_store, uint64_t address, size_t offset, size_t n,
                  xta__range_facts *facts);

    /* Pin a chunk to store into bytes offset .. offset + n of it, in place. pin->bytes = NULL: that
     * would need disk space that may not exist. If pin->checked is then set, the chunk is pinned
     * for store_spans; else the cells have to be written by calls, and nothing is pinned.
     * `reserve`: allocate the space. The range may continue into the following chunks. */
    xta_status (*pin_in_place)(xta__chunk_store *chunk_store, uint64_t address, size_t offset,
                               size_t n, bool reserve, xta__pin *pin, xta_error *err);

    /* Store into a chunk pinned with `checked`; what cannot be stored is written by calls, whose
     * errors are returned. */
    xta_status (*store_spans)(xta__chunk_store *chunk_store, uint64_t address,
                              const xta__span spans[], size_t n, xta_error *err);

    /* Bytes of a pinned chunk have been changed. NULL: no need to call. */
    void (*mark)(xta__chunk_store *chunk_store, xta__pin *pin, const xta__byte_runs *changed);

    /* The caller is done with a pinned chunk. NULL: no need to call. */
    void (*unpin)(xta__chunk_store *chunk_store, xta__pin *pin);

    /* Write whole chunks with consecutive addresses; in `bytes` they are slot_bytes apart. NULL:
     * use pin_write. */
    xta_status (*write_run)(xta__chunk_store *chunk_store, uint64_t address, uint64_t n_chunks,
                            const uint8_t *bytes, xta_error *err);

    /* Write bytes offset .. offset + n of one chunk. NULL: use pin_write. */
    xta_status (*write_part)(xta__chunk_store *chunk_store, uint64_t address, size_t offset,
                             const uint8_t *bytes, size_t n, xta_error *err);

    /* Set the number of chunks; new ones are zero. `n_chunks` may be less than before only if
     * nobody used the rest. */
    xta_status (*resize)(xta__chunk_store *chunk_store, uint64_t n_chunks, xta_error *err);

    /* Make chunks zero and free their space. */
    xta_status (*discard)(xta__chunk_store *chunk_store, uint64_t address, uint64_t n_chunks,
                          xta_error *err);

    /* The first chunk at or after `address` that may hold anything but zeros; n_chunks if there is
     * none. */
    xta_status (*next_used)(xta__chunk_store *chunk_store, uint64_t address, uint64_t *used,
                            xta_error *err);

    /* Drop copies of what other processes may have changed; what the caller changed is written
     * first. NULL: there are none. */
    xta_status (*refresh)(xta__chunk_store *chunk_store, xta_error *err);

    /* Write what was deferred, without making it durable. NULL: nothing is deferred. */
    xta_status (*flush)(xta__chunk_store *chunk_store, xta_error *err);

    /* How many cells are deferred now, and in how many chunks. NULL: none. */
    uint64_t (*unwritten)(xta__chunk_store *chunk_store, uint64_t *n_chunks);

    /* Whether a byte of the file would have to be read from a disk, as far as the system knows.
     * NULL: pins report it. */
    bool (*is_cold)(xta__chunk_store *chunk_store, uint64_t at);

    /* Read bytes begin .. begin + n of the file, which lie in existing chunks and in one unit, into
     * memory, and wait for them. `exact`: read nothing else; otherwise the following bytes will be
     * fetched next. Errors are ignored; the read itself will report them. NULL: nothing can be
     * fetched. */
    void (*fetch)(xta__chunk_store *chunk_store, uint64_t begin, uint64_t n, bool exact);

    /* A chunk will be read soon. NULL: the hint has no use. */
    void (*will_need)(xta__chunk_store *chunk_store, uint64_t address);

    xta_status (*sync)(xta__chunk_store *chunk_store, xta_error *err);
    void (*free)(xta__chunk_store *chunk_store);
} xta__chunk_store_ops;

/* The common head of every chunk store. */
struct xta__chunk_store {
    const xta__chunk_store_ops *ops;
    uint64_t slot_bytes;
    uint64_t chunk_bytes; /* of cells: at most slot_bytes */
    uint64_t n_chunks;
    bool one_thread; /* operations must be called from the thread that called the library */
    /* The most bytes of one write_run or write_part, unless one chunk is longer; 0: no limit. */
    uint64_t run_bytes;
    uint64_t n_reserved; /* a resize up to this many chunks only sets n_chunks */
    xta__ahead_rule ahead;
    xta__windows *windows; /* if each chunk has a permanent place in memory; else NULL */
};

#endif

/* The chunk store of a file behind MPI-IO, and the rounds in which a call reads and writes it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_CHUNKS_MPI_CHUNKS_H
#define XTA_PARALLEL_CHUNKS_MPI_CHUNKS_H

#include <mpi.h>

#include "private/array.h"
#include "util/os.h"

/* Bytes of the file and where they lie in memory. */
typedef struct xta__piece {
    uint64_t offset;
    uint8_t *bytes;
    size_t n;
} xta__piece;

/* Chunks on their way between the file and the cells of a call. */
typedef struct xta__round {
    size_t n;            /* chunks */
    uint64_t *addresses; /* ascending; chunk k lies at buffer + k * slot_bytes */
    size_t addresses_capacity;
    uint8_t *buffer;
    size_t buffer_capacity;
    xta__piece *pieces; /* to read or write */
    size_t n_pieces, pieces_capacity;
    bool failed; /* no memory for a piece */
} xta__round;

typedef struct xta__mpi_chunks {
    xta__chunk_store chunk_store;
    MPI_File file;
    const char *path;  /* for messages */
    const char *at;    /* where it is */
    xta__file plain;   /* the same file, for what MPI does not report */
    xta__round *round; /* the round that has the chunks; NULL: each chunk is fetched by itself */
} xta__mpi_chunks;

/* A store of the chunks in the file `path`. Fails if this rank cannot open the file; MPI opens it
 * later (`file`, which the caller owns). */
xta_status xta__mpi_chunks_new(xta__path path, bool writable, const uint8_t uuid[XTA__UUID_BYTES],
                               const xta__constants *constants, uint64_t chunk_bytes,
                               xta__mpi_chunks **out, xta_error *err);

/* Use the chunks of a round (`collects`: what is written is collected there), or, NULL, none. */
void xta__mpi_chunks_use(xta__mpi_chunks *chunks, xta__round *round, bool collects);
void xta__round_clear(xta__round *round);

/* Reserve memory for n chunks. */
xta_status xta__round_reserve(const xta__mpi_chunks *chunks, xta__round *round, size_t n,
                              xta_error *err);

/* Add bytes begin .. end of chunk k of a round to what is read, with k ascending. A gap that costs
 * less than another operation is read as well. */
void xta__round_request(const xta__mpi_chunks *chunks, xta__round *round, size_t k, size_t begin,
                        size_t end);

/* Read the pieces, by one operation for each. */
xta_status xta__read_pieces(xta__mpi_chunks *chunks, const xta__round *round, xta_error *err);

/* Write the pieces, which may be in any order: those that touch or overlap are joined. */
xta_status xta__write_pieces(xta__mpi_chunks *chunks, xta__round *round, xta_error *err);

#endif

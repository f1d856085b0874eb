/* The records of the journal, as plain values and as bytes. docs/FORMAT.md has the tables; only
 * this file, those it includes, and their .c files depend on them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_FORMAT_H
#define XTA_STORE_JOURNAL_FORMAT_H

#include "base/base.h"
#include "geometry/mapping/types.h"
#include "store/journal/attribute_record.h"
#include "store/journal/record.h"
#include "store/journal/work_record.h"

/* A data offset is a multiple of this, and not 0. */
#define XTA__DATA_OFFSET_UNIT ((uint64_t)4096)

/* The properties that never change during the life of an array. */
typedef struct xta__constants {
    xta_type type;
    uint32_t cell_bytes;
    xta_order order;
    xta_layout layout;
    xta_policy policy;
    uint32_t policy_amount;
    uint64_t alignment_bytes;
    uint64_t slot_bytes;
    uint64_t data_offset; /* of the chunk of address 0 in the data file; 0 if it has no header */
    uint8_t *fill;        /* one cell, native-endian; owned */
} xta__constants;

/* CREATE. */
typedef struct xta__create_record {
    xta__constants constants;
    int ndim;
    int64_t chunk[XTA_MAX_NDIM];
    int64_t bounds[XTA_MAX_NDIM];
} xta__create_record;

/* EXTEND; SHRINK and WRITE_INTENT, which allocate nothing. */
typedef struct xta__growth_record {
    int n_growths;
    xta_growth growths[2 * XTA_MAX_NDIM];
    int n_allocations;
    xta__chunk_growth allocations[2 * XTA_MAX_NDIM * XTA_MAX_NDIM];
} xta__growth_record;

/* PREPARE. The journal of the leader says whether the growth has happened. */
typedef struct xta__prepare_record {
    uint8_t group[XTA__UUID_BYTES];     /* of this growth of several arrays */
    uint8_t leader[XTA__UUID_BYTES];    /* the array whose COMMIT decides */
    char path[XTA__MAX_PATH_BYTES + 1]; /* of its journal, relative to the folder of this one */
    xta__growth_record growth;          /* as in EXTEND */
} xta__prepare_record;

/* CHECKPOINT: the whole state, so that nothing before it has to be read. */
typedef struct xta__checkpoint_record {
    xta__constants constants;
    int ndim;
    int64_t chunk[XTA_MAX_NDIM];
    xta_box bounds;
    xta_box reached;  /* the box of cells that have ever been within the bounds */
    xta_box first;    /* of xta__mapping_import */
    uint64_t n_steps; /* structural steps so far, without the creation */
    uint64_t n_chunks;
    uint32_t n_records;
    xta__axial_record *records; /* owned */
    const uint8_t *nested;      /* attribute, name and unit records one after another; borrowed */
    size_t nested_bytes;
    uint32_t n_nested;
} xta__checkpoint_record;

/* ADD_AXIS. */
typedef struct xta__axis_record {
    int position;
    char name[XTA__MAX_NAME_BYTES + 1];
} xta__axis_record;

void xta__encode_create(const xta__create_record *record, xta__bytes *out);
void xta__encode_growth(const xta__growth_record *record, xta__bytes *out);

/* The same for one growth and at most one allocation, by far the most frequent case. n = 0 chunks:
 * no allocation. Returns the bytes of the payload. */
#define XTA__ONE_GROWTH_BYTES 40
size_t xta__encode_one_growth(const xta_growth *growth, const xta__chunk_growth *allocation,
                              uint8_t payload[XTA__ONE_GROWTH_BYTES]);
void xta__encode_prepare(const xta__prepare_record *record, xta__bytes *out);

/* COMMIT and SETTLED: the number of the growth. */
void xta__encode_group(const uint8_t group[XTA__UUID_BYTES], xta__bytes *out);
void xta__encode_axis(const xta__axis_record *record, xta__bytes *out);
void xta__encode_checkpoint(const xta__checkpoint_record *record, xta__bytes *out);

/* One record inside a checkpoint: type, length, payload. */
void xta__encode_nested(unsigned type, const uint8_t *payload, size_t n, xta__bytes *out);

/* Decoding: XTA_ECORRUPT with nothing owned if a field is out of range or the length does not fit.
 * The reason is a constant text. */
xta_status xta__decode_create(const xta__record *record, xta__create_record *out, const char **why);
xta_status xta__decode_growth(const xta__record *record, int ndim, xta__growth_record *out,
                              const char **why);
xta_status xta__decode_prepare(const xta__record *record, int ndim, xta__prepare_record *out,
                               const char **why);
xta_status xta__decode_group(const xta__record *record, uint8_t group[XTA__UUID_BYTES],
                             const char **why);
xta_status xta__decode_axis(const xta__record *record, int ndim, xta__axis_record *out,
                            const char **why);
xta_status xta__decode_checkpoint(const xta__record *record, xta__checkpoint_record *out,
                                  const char **why);
xta_status xta__decode_nested(const uint8_t **at, const uint8_t *end, xta__record *out);

/* Swap the numbers of cells between native and little-endian, in place; nothing on little-endian
 * hosts. */
void xta__swap_cells(xta_type type, void *cells, size_t bytes);

#endif

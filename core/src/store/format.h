/* A room of store/: the records of the journal, as plain values and as bytes. docs/FORMAT.md has
 * the tables; this file and format.c are the only places that know them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_FORMAT_H
#define XTA_STORE_FORMAT_H

#include "base/base.h"
#include "mapping/mapping.h"

#define XTA__FORMAT_MAJOR        1
#define XTA__FORMAT_MINOR        0
#define XTA__HEADER_BYTES        128
#define XTA__RECORD_HEAD_BYTES   24
#define XTA__MAX_PAYLOAD_BYTES   ((uint32_t)256 << 20)
#define XTA__MAX_ATTRIBUTE_BYTES ((uint64_t)64 << 20)
#define XTA__MAX_NAME_BYTES      255
#define XTA__MAX_PATH_BYTES      4095
#define XTA__UUID_BYTES          16

typedef enum xta__record_type {
    XTA__RECORD_CREATE = 1,
    XTA__RECORD_EXTEND = 2,
    XTA__RECORD_SHRINK = 3,
    XTA__RECORD_ADD_AXIS = 4,
    XTA__RECORD_ATTRIBUTE = 5,
    XTA__RECORD_REMOVE_ATTRIBUTE = 6,
    XTA__RECORD_AXIS_NAME = 7,
    XTA__RECORD_AXIS_UNIT = 8,
    XTA__RECORD_CHECKPOINT = 9,
    XTA__RECORD_MOVED = 10,   /* compaction is about to put another journal in this one's place */
    XTA__RECORD_REACH = 11,   /* cells beyond the bounds are about to be written: an append */
    XTA__RECORD_PREPARE = 12, /* a growth of several arrays, of which this is one, is about to be */
    XTA__RECORD_COMMIT = 13,  /* the growth that was prepared has been done */
    XTA__RECORD_SETTLED = 14, /* all arrays of a growth have their COMMIT, durably */
    XTA__RECORD_WORK_BEGIN = 15,
    XTA__RECORD_WORK_END = 16,
    XTA__RECORD_ATTRIBUTE_GROW = 17, /* values before or behind those of an attribute */
    XTA__RECORD_LAST = 17
} xta__record_type;

/* One record as it lies in the journal. The payload is borrowed. */
typedef struct xta__record {
    unsigned type;
    uint64_t sequence;
    uint64_t offset; /* in the journal */
    const uint8_t *payload;
    size_t payload_bytes;
    unsigned flags;
} xta__record;

/* Flag of a record: whoever does not know its type may read the array, but not change it. */
#define XTA__RECORD_MAY_BE_SKIPPED 1u

/* What never changes in the life of an array. */
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

/* EXTEND; SHRINK and REACH, which allocate nothing. */
typedef struct xta__growth_record {
    int n_growths;
    xta_growth growths[2 * XTA_MAX_NDIM];
    int n_allocations;
    xta__chunk_growth allocations[2 * XTA_MAX_NDIM * XTA_MAX_NDIM];
} xta__growth_record;

/* PREPARE. Whether the growth has happened is for the journal of the leader to say. */
typedef struct xta__prepare_record {
    uint8_t group[XTA__UUID_BYTES];     /* of this growth of several arrays */
    uint8_t leader[XTA__UUID_BYTES];    /* the array whose COMMIT decides */
    char path[XTA__MAX_PATH_BYTES + 1]; /* of its journal, from the folder of this one */
    xta__growth_record growth;          /* as in EXTEND */
} xta__prepare_record;

/* CHECKPOINT: the state of everything, so that nothing before it need be read. */
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

/* ATTRIBUTE, ATTRIBUTE_GROW; also REMOVE_ATTRIBUTE (name only), AXIS_NAME and AXIS_UNIT (name = the
 * text). */
typedef struct xta__attribute_record {
    int axis;
    xta_type type;
    uint32_t cell_bytes;
    uint64_t count;
    char name[XTA__MAX_NAME_BYTES + 1];
    const uint8_t *values; /* little-endian, borrowed */
    size_t value_bytes;
    xta_side side; /* ATTRIBUTE_GROW: where the values go */
} xta__attribute_record;

/* WORK_BEGIN: a box that somebody fills, and that may be cut off. */
#define XTA__MAX_HOST_BYTES 255
typedef struct xta__work_record {
    uint8_t id[XTA__UUID_BYTES];
    uint32_t verb; /* xta_work_verb, or one of a later version */
    bool created;  /* the work made the array */
    uint64_t process;
    int64_t begun; /* seconds since 1970 */
    uint32_t boot;
    char host[XTA__MAX_HOST_BYTES + 1];
    char source[XTA__MAX_PATH_BYTES + 1];
    xta_box box;
    xta_box before; /* bounds */
} xta__work_record;

/* ADD_AXIS. */
typedef struct xta__axis_record {
    int position;
    char name[XTA__MAX_NAME_BYTES + 1];
} xta__axis_record;

/* A growing run of bytes. `failed` is set when memory ran out; then bytes are not to be used. It
 * may begin in memory of the caller, which is `borrowed` as long as it is enough. */
typedef struct xta__bytes {
    uint8_t *bytes;
    size_t n, room;
    bool failed, borrowed;
} xta__bytes;
XTA_PRIVATE_API void xta__bytes_add(xta__bytes *out, const void *bytes, size_t n);
XTA_PRIVATE_API void xta__bytes_clear(xta__bytes *out);

void xta__encode_create(const xta__create_record *record, xta__bytes *out);
void xta__encode_growth(const xta__growth_record *record, xta__bytes *out);

/* The same for one growth and at most one allocation, by far the most frequent. n = 0 chunks: none.
 * Answers the bytes of the payload. */
#define XTA__ONE_GROWTH_BYTES 40
size_t xta__encode_one_growth(const xta_growth *growth, const xta__chunk_growth *allocation,
                              uint8_t payload[XTA__ONE_GROWTH_BYTES]);
void xta__encode_prepare(const xta__prepare_record *record, xta__bytes *out);

/* COMMIT and SETTLED: the number of the growth. */
void xta__encode_group(const uint8_t group[XTA__UUID_BYTES], xta__bytes *out);
void xta__encode_axis(const xta__axis_record *record, xta__bytes *out);
void xta__encode_attribute(const xta__attribute_record *record, xta__bytes *out);
void xta__encode_checkpoint(const xta__checkpoint_record *record, xta__bytes *out);

void xta__encode_work(const xta__work_record *record, xta__bytes *out);
void xta__encode_work_end(const uint8_t id[XTA__UUID_BYTES], bool taken_back, xta__bytes *out);

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
xta_status xta__decode_attribute(const xta__record *record, int ndim, xta__attribute_record *out,
                                 const char **why);
xta_status xta__decode_work(const xta__record *record, int ndim, xta__work_record *out,
                            const char **why);
xta_status xta__decode_work_end(const xta__record *record, uint8_t id[XTA__UUID_BYTES],
                                const char **why);
xta_status xta__decode_checkpoint(const xta__record *record, xta__checkpoint_record *out,
                                  const char **why);
xta_status xta__decode_nested(const uint8_t **at, const uint8_t *end, xta__record *out);

/* Swap the numbers of cells between native and little-endian, in place; nothing on little-endian
 * hosts. */
void xta__swap_cells(xta_type type, void *cells, size_t bytes);

#endif

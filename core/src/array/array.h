/* The door of array/: the engine. What an open array is made of, and how its rooms work together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ARRAY_H
#define XTA_ARRAY_ARRAY_H

#include <pthread.h>
#include <stdatomic.h>

#include <xta/append.h>
#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/work.h>

#include "array/work.h"
#include "base/base.h"
#include "chunk/chunk.h"
#include "mapping/mapping.h"
#include "order/order.h"
#include "plan/plan.h"
#include "store/store.h"

/* One axis, as get and put want it: one cache line. */
typedef struct xta__axis {
    _Atomic int64_t lo, hi; /* bounds in cells */
    int64_t chunk;          /* cells of a chunk */
    uint64_t magic;         /* floor(2^64 / chunk), for division by multiplication */
    int64_t bias;           /* a multiple of chunk that makes every coordinate positive */
    int64_t bias_chunks;    /* bias / chunk */
    int64_t stride_bytes;   /* inside a chunk; 0 where the order is not strided */
    int64_t coord_limit;    /* of chunk coordinates, either sign */
    int64_t shift;          /* log2 of chunk, where that is a power of two */
    uint64_t rest;          /* chunk - 1 */
} xta__axis;

/* The ways of one cell: see cell.c. The structure is the one the way was found in. */
struct xta__structure;
typedef xta_status xta__get_way(xta_array *array, const int64_t coord[], void *cell, xta_error *err,
                                const struct xta__structure *structure);
typedef xta_status xta__put_way(xta_array *array, const int64_t coord[], const void *cell,
                                xta_error *err, const struct xta__structure *structure);

/* The structure of an array: axes, bounds, mapping. Growth changes it in place, in a way that calls
 * under way do not notice; adding an axis makes a new one. */
typedef struct xta__structure {
    _Atomic(xta__get_way *) get;
    _Atomic(xta__put_way *) put;
    const xta__windows *windows; /* of the array's holder; NULL if it has none */
    int ndim;
    bool strided; /* positions in a chunk are dot products */
    bool shifts;  /* chunk lengths are powers of two */
    xta__axis axis[XTA_MAX_NDIM];
    int64_t reached_lo[XTA_MAX_NDIM]; /* the box of cells that were ever within the bounds */
    int64_t reached_hi[XTA_MAX_NDIM];
    xta__mapping mapping;
    xta__grid grid;              /* cells inside a chunk */
    _Atomic(uint32_t *) place;   /* Morton, Hilbert: see xta__places */
    _Atomic(xta__curve *) curve; /* the same for boxes: see xta__curve_of */
    uint64_t n_steps;
    struct xta__structure *retired; /* the one this one has replaced */
} xta__structure;

/* The values lie in `buffer`, from `before_bytes` on, so that some can be put before and behind
 * them without moving those that are there. */
typedef struct xta__attribute {
    int axis;
    xta_attribute value; /* its name is owned */
    uint8_t *buffer;
    size_t buffer_bytes, before_bytes;
} xta__attribute;

typedef struct xta__attributes {
    xta__attribute *items;
    size_t n, room;
    char *names[XTA_MAX_NDIM]; /* of axes; NULL: none */
    char *units[XTA_MAX_NDIM];
} xta__attributes;

/* A growth of several arrays that was announced and whose COMMIT has not been read. */
typedef struct xta__pending {
    bool taken; /* its leader has committed it, and the structure has it already */
    xta__prepare_record record;
} xta__pending;

/* What the journal builds. */
typedef struct xta__state {
    xta__constants constants;
    xta__structure *structure; /* NULL before the first record */
    xta__attributes attributes;
    xta__works works;
    bool announced; /* the newest record announces work, whose growth is still to come */
    uint8_t announced_id[XTA__UUID_BYTES];
    xta__pending *pending; /* NULL: none */
    uint64_t chunk_bytes;
    uint64_t table_limit;
    bool at_step; /* stop before the step after `step` */
    uint64_t step;
    bool reached_step;       /* stopped there */
    bool shrunk;             /* a shrink was among the records applied last */
    uint64_t synced_bytes;   /* of the journal, as its newest mark has it */
    uint64_t durable_chunks; /* that records before that gave addresses to */
} xta__state;

#define XTA__MOST_THREADS 1024

/* The staging memory of transfers that stays with a handle. */
#define XTA__STAGING_BYTES ((size_t)2 << 20)

struct xta_array {
    _Atomic(xta__structure *) structure;
    xta__holder *holder;
    uint32_t cell_bytes;
    const xta__coding *decode, *encode; /* from chunks, into chunks; NULL: the same bytes */
    bool writable;
    bool in_memory;
    bool at_step;
    bool sole;              /* the only one that changes the structure: see sole.c */
    bool replica;           /* see replica.c */
    bool in_order;          /* nothing is stored outside the bounds: see after_power_loss */
    _Atomic bool appending; /* cells of an append come from a function of the user's */
    bool littered; /* an append of this handle has left cells behind the last slot, perhaps */
    xta_access access;
    uint64_t cache_bytes;
    int threads;                    /* what XTA_THREADS said; 0: nothing, -1: nonsense */
    xta__lock locking;              /* how locks are to be taken; none is kept here */
    char *path;                     /* without suffix, for messages; "" in memory */
    char *journal_path, *data_path; /* as the caller named them, for messages */
    char *journal_file, *data_file; /* where they are: see paths.c */

    _Atomic(uint8_t *) staging; /* for the next transfer; NULL: none yet, or in use */
    struct xta__guard *guard;   /* of deferred writing: see guard.c; NULL: nothing is deferred */

    pthread_mutex_t lock; /* of everything below, and of structural changes */
    xta__state state;
    xta__journal journal;
    xta__growth_record *step; /* the growth or shrink on its way: large, so not on the stack */
    uint64_t n_moves;         /* how often the journal was followed to a new file */
    uint64_t checkpoint_due;  /* end of the journal beyond which one is to be tried */
    _Atomic bool broken;
    _Atomic uint64_t fresh_from; /* chunks from this address on were made since the last sync */
    _Atomic bool inherited;      /* from a parent process: see process.c */
    xta_array *next_handle, **before_handle;

    xta__coding coding[2]; /* what decode and encode point to */

    xta_array_watcher *watch; /* NULL: nobody wants to know of reads and writes */
    void *watch_user;
};

/* Chunks of cells are at most so large: positions fit in 62 bits. */
#define XTA__MAX_CHUNK_BYTES XTA__OFFSET_LIMIT

/* ---- structure.c ---- */

/* The first structure of an array. XTA_EARG, XTA_EOVERFLOW, XTA_ENOMEM, with a constant text. */
xta_status xta__structure_new(const xta__constants *constants, int ndim, const int64_t chunk[],
                              const int64_t bounds[], uint64_t table_limit, xta__structure **out,
                              const char **why);

/* The one of a checkpoint. */
xta_status xta__structure_import(const xta__checkpoint_record *record, uint64_t table_limit,
                                 xta__structure **out, const char **why);

/* A copy with one more axis. */
xta_status xta__structure_add_axis(const xta__structure *old, const xta__constants *constants,
                                   int position, xta__structure **out);
void xta__structure_free(xta__structure *structure);

XTA_PRIVATE_API xta_box xta__structure_bounds(const xta__structure *structure);

/* The same, but what lies behind the array's axes is left as it is: a box is long, and most of it
 * means nothing. */
void xta__structure_bounds_into(const xta__structure *structure, xta_box *box);

/* The chunks that the cells of `box` lie in. */
XTA_PRIVATE_API xta_box xta__structure_chunks_of(const xta__structure *structure,
                                                 const xta_box *box);

/* The cells of a chunk, ghosts included. */
xta_box xta__structure_cells_of(const xta__structure *structure, const int64_t chunk[]);

/* Work out what a sequence of growths needs: new bounds and allocations, by the array's policy. */
xta_status xta__structure_plan_growth(const xta__structure *structure,
                                      const xta__constants *constants, const xta_growth *growths,
                                      int n, xta__growth_record *record, xta_box *bounds,
                                      const char **why);
xta_status xta__structure_plan_shrink(const xta__structure *structure, const xta_growth *shrinks,
                                      int n, xta_box *bounds, const char **why, int *which);

/* Make room for the allocations of a record. */
xta_status xta__structure_reserve(xta__structure *structure, const xta__constants *constants,
                                  const xta__growth_record *record);

/* Give addresses; then, in a second step, let readers see the bounds. */
void xta__structure_allocate(xta__structure *structure, const xta__growth_record *record);
void xta__structure_reach(xta__structure *structure, const xta_box *bounds);
void xta__structure_publish(xta__structure *structure, const xta_box *bounds);

/* ---- apply.c ---- */

/* Take one record of the journal into the state: an xta__journal_apply. */
xta_status xta__state_apply(void *user, const xta__record *record, const char **why);
void xta__state_clear(xta__state *state);

/* The growth that is pending has happened: it is taken into the structure, once. XTA_ECANCELLED
 * where the state is wanted as of an earlier step. */
xta_status xta__state_take_pending(xta__state *state, const char **why);
void xta__state_drop_pending(xta__state *state);

/* Everything as one checkpoint record. */
xta_status xta__state_checkpoint(const xta__state *state, xta__bytes *payload);

/* ---- attributes.c ---- */

xta__attribute *xta__attributes_find(const xta__attributes *attributes, int axis, const char *name);
/* A change in two parts: all that can fail, and, after it has been committed, the rest. */
typedef struct xta__attribute_change {
    unsigned record_type;
    int axis;
    xta_attribute value; /* of ATTRIBUTE, ATTRIBUTE_GROW; owned */
    xta_side side;       /* of ATTRIBUTE_GROW */
    char *text;          /* of the others: the name; NULL for none */
} xta__attribute_change;
xta_status xta__attributes_prepare(xta__attributes *attributes, unsigned record_type,
                                   const xta__attribute_record *record,
                                   xta__attribute_change *change);
void xta__attributes_install(xta__attributes *attributes, xta__attribute_change *change);
void xta__attributes_drop(xta__attribute_change *change);

/* Both at once. */
xta_status xta__attributes_apply(xta__attributes *attributes, unsigned record_type,
                                 const xta__attribute_record *record);

/* Attributes of axes at or behind `position` move one axis up. */
void xta__attributes_add_axis(xta__attributes *attributes, int position);
xta_status xta__attributes_encode(const xta__attributes *attributes, xta__bytes *nested,
                                  uint32_t *n_nested);
void xta__attributes_clear(xta__attributes *attributes);

/* ---- attribute_calls.c ---- */

/* Names are UTF-8 of `least` to 255 bytes without control characters. `array` and `what` say in
 * messages whose name it is. */
xta_status xta__check_name(const char *array, const char *what, const char *name, size_t least,
                           xta_error *err);

/* ---- paths.c ---- */

/* The two files of an array: their names as the caller gave them, and where they are. */
typedef struct xta__pair {
    char *base; /* the name without a suffix of ours */
    char *journal_path, *data_path;
    char *journal_file, *data_file;
} xta__pair;

/* The pair that `path` names, whether it exists or not. */
xta_status xta__pair_find(const char *path, xta__pair *pair, xta_error *err);
void xta__pair_clear(xta__pair *pair);

/* Whether the two files lie in different folders or have different names, as links allow. */
XTA_PRIVATE_API bool xta__pair_is_apart(const char *journal_file, const char *data_file);

/* The same for a handle, which keeps it. */
xta_status xta__array_find(xta_array *array, const char *path, xta_error *err);

static inline xta__path xta__journal_of(const xta_array *array)
{
    return (xta__path){array->journal_file, array->journal_path};
}

static inline xta__path xta__data_of(const xta_array *array)
{
    return (xta__path){array->data_file, array->data_path};
}

/* ---- open.c, create.c, close.c ---- */

/* An array with nothing in it, and its end; NULL where memory cannot be had, and allowed. */
xta_array *xta__new_array(void);
XTA_PRIVATE_API void xta__free_array(xta_array *array);

/* The state has been made or replaced: what get and put look at follows it. */
void xta__adopt_state(xta_array *array);

/* Open the data file and put a holder over it. `alone`: the journal is locked or new, so that the
 * file can be brought in order. */
xta_status xta__make_holder(xta_array *array, bool alone, xta_error *err);

/* What a cache may take if nothing else is said. */
#define XTA__CACHE_BYTES ((uint64_t)64 << 20)

/* Another handle of the files of this one. */
XTA_PRIVATE_API xta_status xta__array_open_again(const xta_array *array,
                                                 const xta_open_options *options, xta_array **out,
                                                 xta_error *err);

/* A new array that will take the place of `like` (NULL: of none), and has its owner and mode; with
 * the work announced that fills it, unless `plan` is NULL. */
xta_status xta__array_create(const char *path, xta_type type, int ndim, const int64_t bounds[],
                             const xta_create_options *options, const xta_array *like,
                             const xta_work_plan *plan, xta_array **out, xta_work **work,
                             xta_error *err);

/* Fails with XTA_ESTATE if the array is broken; clears `err`. */
xta_status xta__begin(xta_array *array, xta_error *err);

/* The same, and refuses read-only handles. */
xta_status xta__begin_change(xta_array *array, const char *what, xta_error *err);

/* Name of the array in messages. */
const char *xta__array_name(const xta_array *array);

/* The structure as it is now. */
static inline xta__structure *xta__structure_of(const xta_array *array)
{
    return atomic_load_explicit(&array->structure, memory_order_acquire);
}

/* ---- locking.c ---- */

/* Which lock the handle takes. XTA_EARG: option or variables make no sense. */
xta_status xta__choose_lock(xta_array *array, xta_locking wanted, xta_error *err);

/* XTA_EUNSUPPORTED if it takes lock files: for what needs locks on bytes. */
xta_status xta__refuse_by_lock_file(const xta_array *array, const char *what, xta_error *err);

/* ---- cell.c ---- */

/* Choose how get and put go in the newest structure. To be called before it is published first, and
 * whenever its bounds have changed. */
void xta__choose_ways(xta_array *array, xta__structure *structure);

/* The handle is not to be trusted any more: every call refuses from now on. */
void xta__break(xta_array *array);

/* ---- checkpoint.c ---- */

/* Append a checkpoint if the journal has grown long enough since the last one. The locks are held,
 * and the state is that of the journal's end. The next sync makes it durable and names it. */
void xta__checkpoint_if_due(xta_array *array);

/* The same at the end of a change: readers find it at once. */
void xta__checkpoint_after_change(xta_array *array);

/* ---- process.c ---- */

/* The array has been opened, and is known to fork from here on; and its end. */
xta_status xta__handle_enter(xta_array *array, xta_error *err);
void xta__handle_leave(xta_array *array);

/* ---- replica.c ---- */

/* Fill in what the file system knows. */
xta_status xta__replica_sizes(const xta_array *array, xta_array_info *info, xta_error *err);

/* ---- part.c ---- */

/* Row-major number of a cell of a chunk -> its position, for Morton and Hilbert orders: one look-up
 * instead of bit fiddling. Made at the first use; NULL where it would be too large, or for strided
 * orders. */
const uint32_t *xta__places(xta_array *array, xta__structure *structure);

/* What block copies of Morton and Hilbert chunks need. Made at the first use; NULL without memory
 * for it, or for strided orders. */
const xta__curve *xta__curve_of(xta_array *array, xta__structure *structure);

/* ---- extend.c ---- */

/* Take the locks for a change and read what others did. On failure no lock is held. */
xta_status xta__change_begin(xta_array *array, xta_error *err);

/* The error of changing an array whose journal has records that were passed over. */
xta_status xta__refuse_unknown(xta_array *array, xta_error *err);

/* The same with other patience for a sole writer than usual. */
xta_status xta__change_begin_soon(xta_array *array, unsigned patience_ms, xta_error *err);
void xta__change_end(xta_array *array);

/* What was read into the state is made the array's; `n_before`: chunks of its holder so far. */
xta_status xta__adopt_growth(xta_array *array, uint64_t n_before, xta_error *err);

/* Read new records; the lock of the array is held. */
xta_status xta__catch_up(xta_array *array, bool *changed, xta_error *err);

/* Have array->step. */
xta_status xta__make_step(xta_array *array, xta_error *err);

xta_status xta__check_growths(xta_array *array, const xta_growth *growths, int n, xta_error *err);

/* Whether growths, or shrinks, are by no cells at all. */
bool xta__grows_nothing(const xta_growth *growths, int n);

/* One growth on its way. */
typedef struct xta__growing {
    xta_array *array;
    xta__growth_record *record; /* the array's */
    xta_box before, after;
    uint64_t n_chunks; /* before */
    xta__mapping_mark mark;
    bool allocated;
} xta__growing;

/* All of a growth that can fail but its record; the locks are held. On failure everything is as it
 * was. Then either its record is committed and it is published, or it is undone. */
xta_status xta__grow_prepare(xta__growing *growing, xta_array *array, const xta_growth *growths,
                             int n, xta_error *err);
void xta__grow_publish(xta__growing *growing);
void xta__grow_undo(xta__growing *growing);

/* ---- guard.c ---- */

/* Put a guard over the array's chunk cache, if it has one and may write. The state is current. */
xta_status xta__guard_new(xta_array *array, xta_error *err);
void xta__guard_free(xta_array *array);

/* The handle has taken up everything up to the end of its journal: what is deferred from here on
 * belongs to the structure of now. */
void xta__guard_settle(xta_array *array);

/* From enter, which follows catching up, to leave nobody else changes the structure. */
void xta__guard_enter(xta_array *array);
void xta__guard_leave(xta_array *array);

/* In between: cells of `box` (NULL: any) may be written although they lie outside the bounds. */
void xta__guard_widen(xta_array *array, const xta_box *box);

/* Wait for write-backs of other handles that are under way and have not seen the shrinks so far.
 * To be called before cells that were taken away are brought back as new ones. */
xta_status xta__guard_wait_for_others(xta_array *array, xta_error *err);

/* In a child: nothing of the parent's is to be touched. */
void xta__guard_disown(xta_array *array);

/* Write what is deferred, if anything. */
xta_status xta__flush(xta_array *array, xta_error *err);

/* What an append does between allocation and commit. */
typedef struct xta__slab {
    const xta_io_options *options;
    const void *cells;
    xta_append_fn fn; /* NULL: the cells are there */
    void *user;
    xta_box box;
} xta__slab;

/* The cells of an append, which will grow to `bounds`. */
xta_status xta__write_slab(xta_array *array, const xta__slab *with, const xta_growth *growth,
                           const xta_box *bounds, xta_error *err);

/* A growth, with cells or (NULL) without; both locks are held. On failure everything is as it
 * was. */
xta_status xta__grow_with(xta_array *array, const xta_growth *growths, int n, const xta__slab *with,
                          xta_box *after, xta_error *err);

/* Grow by one step; the locks are held. On failure everything is as it was. `after`: NULL if not
 * wanted. */
xta_status xta__grow(xta_array *array, const xta_growth *growths, int n, xta_box *after,
                     xta_error *err);

/* ---- work.c ---- */

/* The caller's plan as this release knows it. XTA_EARG: see xta_options_take. */
xta_status xta__work_plan_take(xta_work_plan *plan, const xta_work_plan *given, xta_error *err);

/* Take back an announcement that was cut off before its growth, so that no other growth is taken
 * for it. The lock is held, so nobody is between the two. */
xta_status xta__work_settle(xta_array *array, xta_error *err);

/* The record of work that is about to begin. */
void xta__work_describe(const xta_work_plan *plan, bool created, const xta_box *before,
                        const xta_box *after, const uint8_t id[XTA__UUID_BYTES],
                        xta__work_record *record);

/* Take the lock of the work of an array whose data file is there and whose journal is not yet. */
xta_status xta__work_of_new_array(xta__path data, const xta__work_record *record,
                                  struct xta_work **out, xta_error *err);

/* The end of work, durably; the locks are held. */
xta_status xta__work_end_locked(xta_array *array, const uint8_t id[XTA__UUID_BYTES],
                                bool taken_back, xta_error *err);

/* Whether the process that does a piece of work lives. `data`: the data file, open to read. */
xta_status xta__work_is_live(const xta__file *data, const uint8_t id[XTA__UUID_BYTES], bool *live,
                             xta_error *err);

/* "an import", "an append": for messages. */
const char *xta__work_verb_name(uint32_t verb);

/* ---- sole.c ---- */

/* Keep the lock from here on until the array is closed. */
xta_status xta__become_sole_writer(xta_array *array, xta_error *err);

/* One growth of a sole writer for which there is room everywhere, so that nothing of it can fail.
 * False: it is not so, and nothing was done. */
bool xta__extend_shortly(xta_array *array, const xta_growth *growth, xta_box *after);

/* ---- group.c ---- */

/* A growth of several arrays may be announced at the end of the journal, without a word whether it
 * happened. Look into the journal of its leader; if it did, it is taken into the state, and
 * *changed. Waits for nobody. */
xta_status xta__group_look(xta_array *array, bool *changed, xta_error *err);

/* The same for a writer, who has the lock: what happened gets its COMMIT here, so that nobody has
 * to look again. */
xta_status xta__group_settle(xta_array *array, xta_error *err);

/* The COMMITs in the journal that other arrays may still want to see, as the payloads of as many
 * records. */
xta_status xta__group_unsettled(xta_array *array, xta__bytes **payloads, size_t *n, xta_error *err);

/* Append a record, or do nothing for a memory array. */
xta_status xta__commit(xta_array *array, unsigned type, const xta__bytes *payload, xta_error *err);

/* ---- transfer.c ---- */

typedef enum xta__direction { XTA__READ, XTA__WRITE } xta__direction;

/* Move the cells of a region between chunks and memory; bounds have been checked. */
xta_status xta__transfer(xta_array *array, const xta_box *box, const xta_io_options *options,
                         xta__direction direction, void *memory, xta_error *err);

/* Whether a transfer leaves a chunk out. */
typedef bool xta__skips(void *user, const int64_t chunk[]);

/* A write by a thread that has the lock of the array. */
xta_status xta__write_locked(xta_array *array, const xta_box *box, const xta_io_options *options,
                             const void *memory, xta_error *err);

/* Check options, once they are of this release, and box against bounds. */
XTA_PRIVATE_API xta_status xta__check_box(xta_array *array, const xta_box *box,
                                          const xta_box *bounds, xta_error *err);
XTA_PRIVATE_API xta_status xta__take_io_options(const xta_io_options **options, xta_io_options *own,
                                                xta_error *err);
XTA_PRIVATE_API xta_status xta__check_options(const xta_array *array, int ndim,
                                              const xta_io_options *options, xta_error *err);

/* F* with the lock where it is needed. `structure` is the array's. */
XTA_PRIVATE_API uint64_t xta__address(xta_array *array, const xta__structure *structure,
                                      const int64_t chunk[]);

/* ---- chunk_io.c ---- */

/* The data file of an array as raw chunks: for whoever moves all cells once. Cells are encoded,
 * in the chunk's order, and ghost cells are zeros. */
typedef struct xta__chunk_io {
    xta_array *array;
    const xta__file *file;
    uint64_t file_bytes; /* at the begin */
} xta__chunk_io;

/* False where there are no such chunks (arrays in memory, replicas), or, with *status, after a
 * failure. From here to the end nobody else may change cells. */
bool xta__chunk_io_begin(xta_array *array, xta__chunk_io *io, xta_status *status, xta_error *err);
xta_status xta__chunk_io_end(xta__chunk_io *io, xta_error *err);
xta_status xta__chunk_io_read(const xta__chunk_io *io, uint64_t offset, void *bytes, size_t n,
                              xta_error *err);
xta_status xta__chunk_io_write(const xta__chunk_io *io, uint64_t offset, const void *bytes,
                               size_t n, xta_error *err);

/* ---- replace.c ---- */

/* "x.rechunk.xmd" for "x.xmd": where the new pair of a replacement is made. NULL without memory. */
char *xta__sibling_path(const char *path);

/* Put the pair beside an array in its place; it is whole, durable and closed. The array's locks are
 * held, and it has read what others did; it is of no use afterwards. On failure the old array
 * stands, or the new one does as soon as the path is opened. */
xta_status xta__replace_by_sibling(xta_array *array, xta_error *err);

/* Whether a replacement was begun and not ended; and ending it. */
bool xta__replacement_waits(const char *journal_file);
xta_status xta__replacement_finish(xta__path journal, xta__path data, const xta__lock *locking,
                                   xta_error *err);

/* The files of the new array before that, for who only reads; freed by the caller. */
xta_status xta__replacement_paths(const char *journal_file, const char *data_file, char **next,
                                  char **data, xta_error *err);

/* Remove what killed processes left of journals that were to take the place of `journal_file`. The
 * structure of the array is locked, so that no live process is making one. */
void xta__remove_leftovers(const char *journal_file);

/* Whether the journal, and with `data` the data file, can be replaced: a file that has other names
 * as well (hard links) would live on under them, with cells that are no longer its own. */
xta_status xta__check_replaceable(xta_array *array, bool data, xta_error *err);

/* ---- fill.c ---- */

/* The cells `part` of the chunk `cells`, as runs of positions in its order. */
typedef void xta__run_visitor(void *user, uint64_t position, uint64_t n);
void xta__each_run(const xta__structure *s, const xta_box *cells, const xta_box *part,
                   xta__run_visitor *visit, void *user);

/* Set the cells of a box, which need not be within the bounds but within the allocated box, to one
 * value (NULL: fill). Chunks wholly inside are discarded if the value is fill; others that hold
 * nothing are passed over. `whole` are the cells that make a chunk whole: the bounds. The lock may
 * be held. */
xta_status xta__fill_box(xta_array *array, const xta_box *box, const void *value,
                         const xta_box *whole, xta_error *err);

/* Whatever is stored outside the bounds becomes fill: all chunks that hold data are looked at. The
 * locks are held. */
xta_status xta__scrub_outside(xta_array *array, xta_error *err);

#endif

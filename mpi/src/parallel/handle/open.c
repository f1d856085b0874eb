/* Creating, opening, syncing and closing an array, which all ranks do together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include <stdlib.h>
#include <string.h>

#include "parallel/agree/notice.h"
#include "parallel/handle/handle.h"
#include "parallel/handle/same_files.h"
#include "util/text.h"

/* Larger buffers do not stay in the processor's cache, so cells would go through memory twice. */
#define BUFFER_BYTES ((uint64_t)2 << 20)

/* The byte count of one MPI operation is an int. */
#define MOST_BUFFER_BYTES ((uint64_t)1 << 30)
#define UNIT_BYTES        ((uint64_t)2 << 20) /* for a file whose stripes are not known */

/* Shorter or longer stripes are not those of a parallel file system. */
#define LEAST_STRIPE_BYTES ((uint64_t)64 << 10)
#define MOST_STRIPE_BYTES  ((uint64_t)1 << 30)

/* Tags of the messages of a rendezvous: OPENING_TAG on the caller's communicator, before there is
 * one of our own. */
enum { OPENING_TAG = 22609, MEETING_TAG = 1 };

static int64_t number_of(const void *bytes, size_t n)
{
    return bytes == NULL ? 0 : (int64_t)xta__crc32c(1, bytes, n);
}

static uint64_t buffer_of(const xta_parallel_options *o)
{
    uint64_t bytes = o->buffer_bytes > 0 ? o->buffer_bytes : BUFFER_BYTES;

    return bytes < MOST_BUFFER_BYTES ? bytes : MOST_BUFFER_BYTES;
}

static void argue_options(xta__meeting *meeting, const char *path, const xta_parallel_options *o)
{
    xta__argue(meeting, "the path (its checksum)", number_of(path, strlen(path)));
    xta__argue(meeting, "option writable", o->writable);
    // A limit of more than a year, or one that is not a number, is no limit.
    bool limited = o->timeout_s > 0 && o->timeout_s < 4e7;
    xta__argue(meeting, "option timeout_s (in ms)", limited ? (int64_t)(o->timeout_s * 1000) : 0);
    xta__argue(meeting, "option io", (int64_t)o->io);
    xta__argue(meeting, "option buffer_bytes", (int64_t)buffer_of(o));
    xta__argue_info(meeting, o->has_info ? o->info : MPI_INFO_NULL);
}

/* What a rank can find wrong before it meets the others. */
static xta_status check_before_meeting(MPI_Comm comm, xta_parallel_options *o,
                                       const xta_parallel_options *given, xta_error *err)
{
    int n_ranks = 1;
    xta_status status = xta_options_read(o, sizeof *o, given, "xta_parallel_options", err);

    // Only a rank that is alone is checked: several have found each other, by a launcher or
    // otherwise.
    MPI_Comm_size(comm, &n_ranks);
    return status == XTA_OK && n_ranks == 1 ? xta_launcher_check(err) : status;
}

/* The rendezvous, and the first meeting, on the caller's communicator. */
static xta_status meet_to_open(MPI_Comm comm, const xta__meeting *meeting,
                               const xta_parallel_options *o, const char *what, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__rendezvous r = {.comm = comm, .tag = OPENING_TAG, .timeout_s = o->timeout_s};

    if (o->timeout_s > 0) {
        MPI_Comm_rank(comm, &r.rank);
        MPI_Comm_size(comm, &r.n_ranks);
        // Numbers of attempts must never repeat: start them from the clock.
        r.attempt = (int64_t)(MPI_Wtime() * 1e6);
        status = xta__rendezvous_wait(&r, what, err);
    }
    return status == XTA_OK ? xta__meet_on(comm, meeting, err) : status;
}

static void free_handle(xta_parallel *p)
{
    if (p == NULL) {
        return;
    }
    if (p->array != NULL) {
        xta__free_array(p->array);
    }
    if (p->root != NULL) {
        xta_array_close(p->root, NULL);
    }
    xta__round_clear(&p->round);
    free(p->messages[0]);
    free(p->messages[1]);
    pthread_mutex_destroy(&p->lock);
    if (p->rendezvous.comm != MPI_COMM_NULL) {
        MPI_Comm_free(&p->rendezvous.comm);
    }
    if (p->split_comm != MPI_COMM_NULL) {
        MPI_Comm_free(&p->split_comm);
    }
    if (p->comm != MPI_COMM_NULL) {
        MPI_Comm_free(&p->comm);
    }
    free(p);
}

static xta_status new_handle(MPI_Comm comm, const xta_parallel_options *o, xta_parallel **out,
                             xta_error *err)
{
    xta_parallel *p = xta__calloc(1, sizeof *p);
    int n_ranks = 1;

    MPI_Comm_size(comm, &n_ranks);
    *out = p;
    if (p == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for an array of %d ranks", n_ranks);
    }
    p->comm = MPI_COMM_NULL;
    p->rendezvous.comm = p->split_comm = MPI_COMM_NULL;
    p->writable = o->writable;
    p->buffer_bytes = buffer_of(o);
    p->file = MPI_FILE_NULL;
    pthread_mutex_init(&p->lock, NULL);
    return XTA_OK;
}

/* Collective. */
static void duplicate_communicators(xta_parallel *p, MPI_Comm comm, double timeout_s)
{
    MPI_Comm_dup(comm, &p->comm);
    MPI_Comm_dup(comm, &p->rendezvous.comm);
    MPI_Comm_rank(p->comm, &p->rank);
    MPI_Comm_size(p->comm, &p->n_ranks);
    p->rendezvous.rank = p->rank;
    p->rendezvous.n_ranks = p->n_ranks;
    p->rendezvous.tag = MEETING_TAG;
    p->rendezvous.timeout_s = timeout_s;
}

/* Map the data file, if all ranks can: they then share its pages, and each sees what the others
 * store. *done: it was mapped. Collective. */
static xta_status map_file(xta_parallel *p, bool *done, xta_error *err)
{
    const xta_array *array = p->array;
    xta__file file = XTA__FILE_CLOSED;
    xta__chunk_store *chunk_store = NULL;
    int able = 0;
    uint64_t slot = array->state.constants.slot_bytes, bytes = 0;
    uint64_t n = array->state.structure->mapping.n_chunks;
    bool near = xta__on_one_machine(p->comm);
    xta_status status =
        xta__data_file_open(xta__data_of(array), p->writable ? XTA__FILE_WRITE : XTA__FILE_READ,
                            array->journal.uuid, &array->state.constants, &file, err);

    if (status == XTA_OK) {
        status = xta__file_sizes(&file, &bytes, NULL, err);
    }
    if (status == XTA_OK && near && slot <= XTA__MOST_MAPPED_SLOT && bytes >= n * slot &&
        xta__file_mapping_is_safe(&file, true)) {
        status = xta__mapped_chunks_new(&file, slot, array->state.chunk_bytes, n, p->writable,
                                        &chunk_store, err);
        able = status == XTA_OK;
    }
    xta__file_close(&file);
    status = xta_agree(p->comm, status, err);
    MPI_Allreduce(MPI_IN_PLACE, &able, 1, MPI_INT, MPI_MIN, p->comm);
    *done = able != 0;
    if (*done) {
        xta__replica_attach(p->array, chunk_store);
    } else if (chunk_store != NULL) {
        chunk_store->ops->free(chunk_store);
    }
    return status;
}

/* A hint that is a whole number of at least 1; else `otherwise`. */
static uint64_t hint_of(const xta_parallel_options *o, const char *key, uint64_t otherwise)
{
    char text[MPI_MAX_INFO_VAL + 1] = "", *end = NULL;
    int there = 0;

    if (!o->has_info || o->info == MPI_INFO_NULL) {
        return otherwise;
    }
    MPI_Info_get(o->info, key, MPI_MAX_INFO_VAL, text, &there);
    long long value = there ? strtoll(text, &end, 10) : 0;
    return there && end != text && *end == '\0' && value > 0 ? (uint64_t)value : otherwise;
}

/* The stripe that MPI found the file to have, where the file system has stripes. */
static uint64_t stripe_of(MPI_File file)
{
    xta_parallel_options o = XTA_PARALLEL_OPTIONS_INIT;

    if (file == MPI_FILE_NULL) {
        return UNIT_BYTES;
    }
    o.has_info = MPI_File_get_info(file, &o.info) == MPI_SUCCESS;
    uint64_t stripe = hint_of(&o, "striping_unit", UNIT_BYTES);
    if (o.has_info && o.info != MPI_INFO_NULL) {
        MPI_Info_free(&o.info);
    }
    return stripe < LEAST_STRIPE_BYTES || stripe > MOST_STRIPE_BYTES ? UNIT_BYTES : stripe;
}

/* How shared chunks are distributed to owners: as the caller's hints to MPI-IO say, else by the
 * file system and the geometry. */
static void read_hints(xta_parallel *p, const xta_parallel_options *o)
{
    uint64_t most = (uint64_t)p->n_ranks,
             window = hint_of(o, "cb_buffer_size", p->buffer_bytes / 2);
    uint64_t n = hint_of(o, "cb_nodes", most);

    p->n_owners = (int)(n < most ? n : most);
    p->window_bytes = window < MOST_BUFFER_BYTES ? window : MOST_BUFFER_BYTES;
    p->unit_bytes = hint_of(o, "striping_unit", stripe_of(p->file));
}

/* The handle of the data file. Collective. */
static xta_status open_handle(const xta_parallel *p, const xta_parallel_options *o, MPI_File *file,
                              xta_error *err)
{
    const char *path = p->array->data_path, *at = p->array->data_file;
    // Open MPI 4.1 cannot open a file whose name has no folder.
    char *name = xta__string("%s%s", strchr(at, '/') == NULL ? "./" : "", at);
    xta_status status = XTA_OK;

    if (name == NULL) {
        status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open the data file", path);
    }
    status = xta_agree(p->comm, status, err);
    if (status == XTA_OK) {
        // Each rank may have a copy of its own: Open MPI 4.1 hangs if a file that it creates beside
        // the data file is not visible to all ranks.
        MPI_Comm comm = p->only_alike && !p->writable ? MPI_COMM_SELF : p->comm;
        int code = MPI_File_open(comm, name, p->writable ? MPI_MODE_RDWR : MPI_MODE_RDONLY,
                                 o->has_info ? o->info : MPI_INFO_NULL, file);
        if (code != MPI_SUCCESS) {
            status = xta__mpi_failed(err, path, "open the data file", code);
        }
        status = xta_agree(p->comm, status, err);
        // A file that only some ranks have opened cannot be closed, since that is collective.
        *file = status == XTA_OK ? *file : MPI_FILE_NULL;
    }
    free(name);
    return status;
}

/* MPI should open a file on all ranks or on none, but Open MPI 4.1 hangs if one of them cannot. So
 * the ranks first make sure that all can, which finds all but the rarest causes. */
static xta_status open_with_mpi(xta_parallel *p, const xta_parallel_options *o, xta_error *err)
{
    xta_status status = xta__mpi_chunks_new(xta__data_of(p->array), p->writable,
                                            p->array->journal.uuid, &p->array->state.constants,
                                            p->array->state.chunk_bytes, &p->chunks, err);

    if (p->chunks != NULL) {
        p->chunks->chunk_store.run_bytes = p->buffer_bytes;
        xta__replica_attach(p->array, &p->chunks->chunk_store);
    }
    status = xta_agree(p->comm, status, err);
    if (status == XTA_OK) {
        status = open_handle(p, o, &p->file, err);
    }
    if (status == XTA_OK) {
        p->chunks->file = p->file;
        read_hints(p, o);
    }
    return status;
}

/* Collective. */
static void close_handles(xta_parallel *p)
{
    if (p->file != MPI_FILE_NULL) {
        MPI_File_close(&p->file);
    }
}

static xta_status open_files(xta_parallel *p, const xta_parallel_options *o, xta_error *err)
{
    bool done = false;
    xta_status status = XTA_OK;

    if (o->io == XTA_IO_AUTO) {
        status = map_file(p, &done, err);
    }
    return status != XTA_OK || done ? status : open_with_mpi(p, o, err);
}

/* Make the handles of all ranks from rank 0's root handle. `status` is this rank's so far. */
static xta_status open_all(xta_parallel *p, xta_status status, const xta_parallel_options *o,
                           xta_error *err)
{
    uint8_t small[XTA__NOTICE_BYTES];
    xta__bytes payload = {.bytes = small, .capacity = sizeof small, .borrowed = true};

    if (p->rank == 0 && status == XTA_OK) {
        const char *path = p->root->journal_path;
        status = xta__replica_encode(p->root, &payload, err);
        // The uuid and the exact name of the journal are sent as well: only rank 0 knows the
        // suffixes.
        xta__bytes_add(&payload, p->root->journal.uuid, sizeof p->root->journal.uuid);
        xta__bytes_add(&payload, path, strlen(path) + 1);
        uint8_t length[8];
        xta__put_u64(length, strlen(path) + 1);
        xta__bytes_add(&payload, length, sizeof length);
        if (status == XTA_OK && payload.failed) {
            status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its structure", path);
        }
    }
    status = xta__notify(p->comm, p->rank, status, &payload, err);
    if (status == XTA_OK) {
        size_t length = (size_t)xta__get_u64(payload.bytes + payload.n - 8);
        const char *path = (const char *)payload.bytes + payload.n - 8 - length;
        payload.n -= 8 + length + 16;
        status = xta__replica_new(path, &payload, &p->array, err);
        if (status == XTA_OK) {
            memcpy(p->array->journal.uuid, payload.bytes + payload.n, 16);
        }
        status = xta_agree(p->comm, status, err);
    }
    if (status == XTA_OK) {
        status = xta__same_files(p, err);
    }
    if (status == XTA_OK) {
        status = open_files(p, o, err);
    }
    if (status == XTA_OK && p->rank == 0) {
        p->base = xta__replica_base_of(p->root);
    }
    xta__bytes_clear(&payload);
    return status;
}

/* What create and open have in common, once all ranks have met. `create` is done by rank 0. */
typedef xta_status make_root(void *user, xta_array **out, xta_error *err);

/* `made`: the array to delete again if the root handle was made and something else failed; or
 * NULL. */
static xta_status handle_begin(MPI_Comm comm, const xta_parallel_options *o, make_root *make,
                               void *user, const char *made, xta_parallel **out, xta_error *err)
{
    xta_parallel *p = NULL;
    xta_status status = xta_agree(comm, new_handle(comm, o, &p, err), err);

    if (status == XTA_OK) {
        duplicate_communicators(p, comm, o->timeout_s);
        if (p->rank == 0) {
            status = make(user, &p->root, err);
        }
        status = open_all(p, status, o, err);
    }
    if (status != XTA_OK && p != NULL) {
        bool undo = made != NULL && p->root != NULL;
        close_handles(p);
        free_handle(p);
        p = NULL;
        if (undo) {
            // Report the reason for the first failure.
            (void)!xta_array_delete(made, NULL);
        }
    }
    *out = p;
    return status;
}

typedef struct creation {
    const char *path;
    xta_type type;
    int ndim;
    const int64_t *bounds;
    xta_create_options options;
} creation;

static xta_status create_root(void *user, xta_array **out, xta_error *err)
{
    const creation *c = user;

    return xta_array_create(c->path, c->type, c->ndim, c->bounds, &c->options, out, err);
}

/* Everything about the new array on which the ranks could disagree. */
static void argue_creation(xta__meeting *meeting, const creation *c)
{
    int known = c->ndim >= 1 && c->ndim <= XTA_MAX_NDIM ? c->ndim : 0;
    const xta_create_options *o = &c->options;

    xta__argue(meeting, "the type", (int64_t)c->type);
    xta__argue(meeting, "the number of axes", c->ndim);
    for (int axis = 0; axis < known; axis++) {
        xta__argue(meeting, "a bound", c->bounds[axis]);
    }
    for (int axis = 0; axis < known; axis++) {
        xta__argue(meeting, "a chunk length", o->chunk != NULL ? o->chunk[axis] : 0);
    }
    xta__argue(meeting, "the bytes of a chunk", (int64_t)o->chunk_bytes);
    xta__argue(meeting, "the order", (int64_t)o->order);
    xta__argue(meeting, "the policy", (int64_t)o->policy);
    xta__argue(meeting, "the policy's amount", (int64_t)o->policy_amount);
    xta__argue(meeting, "the bytes of a cell", (int64_t)o->cell_bytes);
    xta__argue(meeting, "the layout", (int64_t)o->layout);
    xta__argue(meeting, "the alignment", (int64_t)o->alignment_bytes);
    xta__argue(meeting, "the exclusive writer", o->exclusive_writer);
    xta__argue(meeting, "the lock", (int64_t)o->lock);
    size_t cell = c->type == XTA_BYTES ? o->cell_bytes : xta_type_bytes(c->type);
    xta__argue(meeting, "the fill value (its checksum)", number_of(o->fill, cell));
    for (int axis = 0; axis < known; axis++) {
        const char *name = o->names != NULL && o->names[axis] != NULL ? o->names[axis] : "";
        xta__argue(meeting, "an axis name (its checksum)", number_of(name, strlen(name)));
    }
}

xta_status xta_parallel_create(MPI_Comm comm, const char *path, xta_type type, int ndim,
                               const int64_t bounds[], const xta_create_options *create,
                               const xta_parallel_options *options, xta_parallel **out,
                               xta_error *err)
{
    creation c = {path, type, ndim, bounds, XTA_CREATE_OPTIONS_INIT};
    xta_parallel_options o = XTA_PARALLEL_OPTIONS_INIT;
    xta__meeting meeting = {.call = XTA__CALL_CREATE};

    xta__clear(err);
    *out = NULL;
    meeting.mine =
        xta_options_read(&c.options, sizeof c.options, create, "xta_create_options", err);
    if (meeting.mine == XTA_OK) {
        meeting.mine = check_before_meeting(comm, &o, options, err);
    }
    c.options.access = XTA_ACCESS_AUTO;
    c.options.cache_bytes = 0;
    o.writable = true;
    argue_options(&meeting, path, &o);
    argue_creation(&meeting, &c);
    xta_status status = meet_to_open(comm, &meeting, &o, "xta_parallel_create", err);
    return status == XTA_OK ? handle_begin(comm, &o, create_root, &c, path, out, err) : status;
}

typedef struct opening {
    const char *path;
    bool writable;
} opening;

static xta_status open_root(void *user, xta_array **out, xta_error *err)
{
    const opening *given = user;
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;

    o.writable = given->writable;
    return xta_array_open(given->path, &o, out, err);
}

xta_status xta_parallel_open(MPI_Comm comm, const char *path, const xta_parallel_options *options,
                             xta_parallel **out, xta_error *err)
{
    xta_parallel_options o = XTA_PARALLEL_OPTIONS_INIT;
    xta__meeting meeting = {.call = XTA__CALL_OPEN};

    xta__clear(err);
    *out = NULL;
    meeting.mine = check_before_meeting(comm, &o, options, err);
    opening given = {path, o.writable};
    argue_options(&meeting, path, &o);
    xta_status status = meet_to_open(comm, &meeting, &o, "xta_parallel_open", err);
    return status == XTA_OK ? handle_begin(comm, &o, open_root, &given, NULL, out, err) : status;
}

/* First the cells of all ranks, then the journal, whose mark vouches for everything before it. */
static xta_status sync_all(xta_parallel *p, xta_error *err)
{
    xta_status status = XTA_OK;

    if (!p->writable) {
        return XTA_OK;
    }
    int code = p->file != MPI_FILE_NULL ? MPI_File_sync(p->file) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) {
        status = xta__mpi_failed(err, p->array->data_path, "make cells durable", code);
    } else if (p->lost) {
        status = xta__fail(err, XTA_EIO, 0,
                           "%s: cannot make cells durable: an earlier attempt failed, and what was "
                           "written before it may be lost; open it again and write that once more",
                           p->array->data_path);
    }
    p->lost = p->lost || code != MPI_SUCCESS;
    // All ranks share the pages of a mapped file: the root handle makes them durable for all.
    status = xta_agree(p->comm, status, err);
    if (status == XTA_OK && p->root != NULL) {
        status = xta_array_sync(p->root, err);
    }
    return xta_agree(p->comm, status, err);
}

xta_status xta_parallel_sync(xta_parallel *p, xta_error *err)
{
    xta__meeting meeting = {.call = XTA__CALL_SYNC};

    xta__clear(err);
    xta_status status = xta__meet(p, &meeting, err);
    return status == XTA_OK ? sync_all(p, err) : status;
}

xta_status xta_parallel_close(xta_parallel *p, xta_error *err)
{
    xta__meeting meeting = {.call = XTA__CALL_CLOSE};

    xta__clear(err);
    if (p == NULL) {
        return XTA_OK;
    }
    // The handle is freed whatever the status is, but only if all ranks take part.
    xta_status status = xta__meet(p, &meeting, err);
    if (status != XTA_OK) {
        return status;
    }
    status = sync_all(p, err);
    if (p->root != NULL) {
        xta_status closed = xta_array_close(p->root, status == XTA_OK ? err : NULL);
        p->root = NULL;
        status = status == XTA_OK ? closed : status;
    }
    status = xta_agree(p->comm, status, err);
    close_handles(p);
    free_handle(p);
    return status;
}

xta_array *xta_parallel_array(xta_parallel *p)
{
    return p->array;
}

xta_same_files xta_parallel_same_files(const xta_parallel *p)
{
    return p->only_alike ? XTA_FILES_ALIKE : XTA_FILES_SAME;
}

MPI_Comm xta_parallel_comm(const xta_parallel *p)
{
    return p->comm;
}

xta_box xta_parallel_bounds(const xta_parallel *p)
{
    return xta_array_bounds(p->array);
}

xta_status xta_parallel_zones(const xta_parallel *p, const xta_distribution *distribution,
                              xta_zones **out, xta_error *err)
{
    const xta__structure *s = xta__structure_of(p->array);
    xta_box bounds = xta__structure_bounds(s);
    xta_box chunks = xta__structure_chunks_of(s, &bounds);
    int64_t chunk[XTA_MAX_NDIM];

    for (int axis = 0; axis < s->ndim; axis++) {
        chunk[axis] = s->axis[axis].chunk;
    }
    return xta_zones_new(&chunks, chunk, p->n_ranks, distribution, out, err);
}

/* References of kerchunk, version 1: one JSON object, in which "refs" has the documents of metadata
 * as texts, coordinates in base64, and for each chunk the list [URL, offset, bytes], or [URL].
 *
 * There are no templates in it, which newer versions of fsspec do not read unless told to.
 *
 * fsspec 2022.11, that of Debian 12, gets several chunks in the order of URL and offset, and, if no
 * two of them are near enough to be read at once, takes them for those in the order of the keys
 * (zarr-python#1324). So the URLs of computed chunks are numbers, which sort as the keys do. Of
 * chunks in a data file that lie in another order, the caller is told.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/zarr.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "hierarchy/documents.h"
#include "hierarchy/json_values.h"
#include "kerchunk/data_url.h"
#include "kerchunk/text_writer.h"
#include "util/json.h"
#include "util/try.h"

enum { BATCH = 1024 };

typedef struct reference_job {
    const xta_zarr *zarr;
    xta_references_options options;
    text_writer writer;
    bool begun; /* a reference has been written */
} reference_job;

static void write_json_string(text_writer *w, const char *string)
{
    size_t left = strlen(string);

    while (left > 0) {
        char character[XTA__JSON_CHARACTER_BYTES];
        size_t n = 0;
        size_t used = xta__json_character(string, left, character, &n);
        xta__writer_add_bytes(w, character, n);
        string += used;
        left -= used;
    }
}

/* ---- keys ---- */

static void begin_key(reference_job *job)
{
    xta__writer_add_string(&job->writer, job->begun ? ",\n\"" : "\n\"");
    job->begun = true;
}

/* "PATH/NAME": with what separates it from the one before. */
static void begin_reference(reference_job *job, const char *path, const char *name)
{
    begin_key(job);
    write_json_string(&job->writer, path);
    xta__writer_add_string(&job->writer, path[0] != '\0' ? "/" : "");
    xta__writer_add_string(&job->writer, name);
    xta__writer_add_string(&job->writer, "\": ");
}

static xta_status write_text(reference_job *job, xta__text *text, xta_error *err)
{
    char *string = xta__text_detach(text);

    if (string == NULL) {
        return xta__hierarchy_no_memory(job->zarr, err);
    }
    xta__writer_add_string(&job->writer, "\"");
    write_json_string(&job->writer, string);
    xta__writer_add_string(&job->writer, "\"");
    free(string);
    return XTA_OK;
}

static xta_status write_documents(reference_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    bool v2 = job->options.version == 2;
    xta__text text = {0};

    begin_reference(job, "", v2 ? ".zmetadata" : "zarr.json");
    xta__hierarchy_add_consolidated(&text, job->zarr, job->options.version);
    XTA_TRY(write_text(job, &text, err));
    for (size_t k = 0; k < job->zarr->n_nodes; k++) {
        const hierarchy_node *node = job->zarr->nodes[k];
        for (int d = v2 ? HIERARCHY_GROUP : HIERARCHY_NODE;
             d <= (v2 ? HIERARCHY_ATTRIBUTES : HIERARCHY_NODE); d++) {
            if ((!v2 && k == 0) ||
                !xta__hierarchy_add_document(&text, node, (hierarchy_document)d)) {
                continue;
            }
            begin_reference(job, node->path, xta__hierarchy_document_name((hierarchy_document)d));
            XTA_TRY(write_text(job, &text, err));
        }
    }

done:
    xta__text_clear(&text);
    return status;
}

/* One chunk of coordinates in memory; cells beyond the last are zeros. */
static xta_status write_value_chunk(reference_job *job, const hierarchy_node *node, size_t k,
                                    unsigned char *chunk, size_t n_bytes, xta_error *err)
{
    xta__text text = {0};
    char name[32];
    size_t at = k * n_bytes, left = node->seen.values_bytes - at;
    const int64_t lo = node->seen.box.lo[0] + (int64_t)k * node->seen.chunk[0];

    memset(chunk, 0, n_bytes);
    left = left < n_bytes ? left : n_bytes;
    if (node->seen.regular != NULL) {
        xta_regular_values(node->seen.regular, lo, lo + (int64_t)(left / node->seen.cell_bytes),
                           chunk);
    } else {
        memcpy(chunk, node->values + at, left);
    }
    xta__hierarchy_to_little(chunk, n_bytes, node->seen.type, node->seen.cell_bytes);
    xta__text_add_string(&text, "base64:");
    xta__hierarchy_add_base64(&text, chunk, n_bytes);
    snprintf(name, sizeof name, "%s%zu", job->options.version == 2 ? "" : "c/", k);
    begin_reference(job, node->path, name);
    return write_text(job, &text, err);
}

static xta_status write_values(reference_job *job, const hierarchy_node *node, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n_bytes = (size_t)node->seen.chunk[0] * node->seen.cell_bytes;
    unsigned char *chunk = malloc(n_bytes);

    if (chunk == NULL) {
        return xta__hierarchy_no_memory(job->zarr, err);
    }
    for (size_t k = 0; k * n_bytes < node->seen.values_bytes && status == XTA_OK; k++) {
        status = write_value_chunk(job, node, k, chunk, n_bytes, err);
    }
    free(chunk);
    return status;
}

/* ---- chunks ---- */

/* The chunks of one array, row by row of its grid. */
typedef struct chunk_list {
    const hierarchy_node *node;
    xta_array_info info;
    char *folder;            /* its path with a slash, as it stands in JSON */
    char *url;               /* of the data file; of computed chunks, what precedes their numbers */
    uint64_t number;         /* of the next chunk */
    uint64_t least_address;  /* of the next, if they lie in the order of their keys */
    bool scattered;          /* they do not */
    int64_t n[XTA_MAX_NDIM]; /* chunks on each axis */
    int64_t at[XTA_MAX_NDIM];
    int64_t coords[BATCH * XTA_MAX_NDIM]; /* in the grid, from 0 */
    int64_t chunks[BATCH * XTA_MAX_NDIM]; /* chunk coordinates of the array */
    uint64_t addresses[BATCH];
} chunk_list;

static bool next_chunk(chunk_list *list)
{
    for (int axis = list->info.ndim - 1; axis >= 0; axis--) {
        if (++list->at[axis] < list->n[axis]) {
            return true;
        }
        list->at[axis] = 0;
    }
    return false;
}

static void write_key(reference_job *job, const chunk_list *list, const int64_t coords[])
{
    bool v2 = job->options.version == 2;

    xta__writer_add_string(&job->writer, v2 ? "" : "c/");
    for (int axis = 0; axis < list->info.ndim; axis++) {
        xta__writer_add_string(&job->writer, axis == 0 ? "" : v2 ? "." : "/");
        xta__writer_add_number(&job->writer, (uint64_t)coords[axis]);
    }
}

/* The number of a computed chunk, of as many digits for each. */
static void write_chunk_number(text_writer *w, uint64_t number)
{
    uint64_t unit = UINT64_C(100000000000);

    xta__writer_add_string(w, "n");
    for (; unit > 1 && number < unit; unit /= 10) {
        xta__writer_add_string(w, "0");
    }
    xta__writer_add_number(w, number);
}

static void write_chunk(reference_job *job, chunk_list *list, size_t k)
{
    const int64_t *coords = list->coords + k * (size_t)list->info.ndim;
    text_writer *w = &job->writer;

    begin_key(job);
    xta__writer_add_string(w, list->folder);
    write_key(job, list, coords);
    xta__writer_add_string(w, "\": [\"");
    xta__writer_add_string(w, list->url);
    if (!job->zarr->options.stored) {
        write_chunk_number(w, list->number++);
        xta__writer_add_string(w, "\"]");
        return;
    }
    list->scattered = list->scattered || list->addresses[k] < list->least_address;
    list->least_address = list->addresses[k];
    xta__writer_add_string(w, "\", ");
    xta__writer_add_number(w, list->info.data_offset + list->addresses[k] * list->info.slot_bytes);
    xta__writer_add_string(w, ", ");
    xta__writer_add_number(w, list->info.chunk_bytes);
    xta__writer_add_string(w, "]");
}

/* No chunk lies beyond the end of the data file: it is never shorter than what the journal says. */
static xta_status check_address(const reference_job *job, const chunk_list *list, size_t k,
                                xta_error *err)
{
    uint64_t end = list->info.data_offset + list->addresses[k] * list->info.slot_bytes +
                   list->info.chunk_bytes;

    return !job->zarr->options.stored || end <= list->info.data_apparent_bytes
               ? XTA_OK
               : xta_error_set(err, XTA_ECORRUPT, 0,
                               "%s: chunk %" PRIu64 " of array %s ends at byte %" PRIu64
                               " and the data file at %" PRIu64 "; run xta check",
                               job->zarr->path, list->addresses[k], list->node->path, end,
                               list->info.data_apparent_bytes);
}

static xta_status write_batch(reference_job *job, chunk_list *list, size_t n, xta_error *err)
{
    xta_status status = XTA_OK;

    if (job->zarr->options.stored) {
        XTA_TRY(xta_array_chunk_addresses(list->node->seen.array, n, list->chunks, list->addresses,
                                          err));
    }
    for (size_t k = 0; k < n; k++) {
        XTA_TRY(check_address(job, list, k, err));
        write_chunk(job, list, k);
    }
    status = job->writer.status;

done:
    return status;
}

static xta_status write_list(reference_job *job, chunk_list *list, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box *box = &list->node->seen.box;
    int ndim = list->info.ndim;
    size_t n = 0;
    bool more = !xta_box_empty(box);

    for (int axis = 0; axis < ndim; axis++) {
        int64_t c = list->node->seen.chunk[axis];
        list->n[axis] = (box->hi[axis] - box->lo[axis] + c - 1) / c;
    }
    while (more) {
        for (int axis = 0; axis < ndim; axis++) {
            list->coords[n * (size_t)ndim + (size_t)axis] = list->at[axis];
            list->chunks[n * (size_t)ndim + (size_t)axis] =
                box->lo[axis] / list->node->seen.chunk[axis] + list->at[axis];
        }
        n++;
        more = next_chunk(list);
        if (n == BATCH || !more) {
            XTA_TRY(write_batch(job, list, n, err));
            n = 0;
        }
    }

done:
    return status;
}

/* A text as it stands in JSON, without quotes. The caller frees it; NULL: out of memory. */
static char *json_inside(const char *string)
{
    xta__text text = {0};

    for (size_t left = strlen(string); left > 0;) {
        char character[XTA__JSON_CHARACTER_BYTES];
        size_t n = 0;
        size_t used = xta__json_character(string, left, character, &n);
        xta__text_add(&text, character, n);
        string += used;
        left -= used;
    }
    return xta__text_detach(&text);
}

/* What precedes the keys of chunks, and the numbers of those that are computed. */
static xta_status name_chunks(const reference_job *job, chunk_list *list, xta_error *err)
{
    xta_status status = XTA_OK;
    const hierarchy_node *node = list->node;
    char *url = NULL, *path = xta__url_encode(node->path);
    char *folder = xta__string("%s/", node->path);

    if (job->zarr->options.stored) {
        XTA_TRY(xta__data_url(job->zarr, node, job->options.url, &url, err));
    } else if (path != NULL) {
        url = xta__string("%s%s/", job->options.url, path);
    }
    if (folder != NULL && url != NULL) {
        list->folder = json_inside(folder);
        list->url = json_inside(url);
    }
    status = list->folder != NULL && list->url != NULL ? XTA_OK
                                                       : xta__hierarchy_no_memory(job->zarr, err);

done:
    free(folder);
    free(path);
    free(url);
    return status;
}

static void note_scattered(const reference_job *job, const chunk_list *list)
{
    xta__text text = {0};

    if (!list->scattered || job->options.note == NULL) {
        return;
    }
    xta__text_printf(&text,
                     "the chunks of array %s lie in another order than their keys: fsspec 2022.11 "
                     "(Debian 12) mixes up those that it reads at once, unless it is given max_gap="
                     "2**62 and max_block=None; xta serve has references that it reads",
                     list->node->path);
    char *string = xta__text_detach(&text);
    job->options.note(job->options.note_user, string != NULL ? string : list->node->path);
    free(string);
}

static xta_status write_chunks(reference_job *job, const hierarchy_node *node, xta_error *err)
{
    xta_status status = XTA_OK;
    chunk_list *list = calloc(1, sizeof *list);

    if (list == NULL) {
        return xta__hierarchy_no_memory(job->zarr, err);
    }
    list->node = node;
    XTA_TRY(name_chunks(job, list, err));
    XTA_TRY(xta_array_inquire(node->seen.array, &list->info, err));
    XTA_TRY(write_list(job, list, err));
    note_scattered(job, list);

done:
    free(list->folder);
    free(list->url);
    free(list);
    return status;
}

/* ---- all ---- */

static xta_status check_job(const reference_job *job, xta_error *err)
{
    const xta_zarr *zarr = job->zarr;

    if (job->options.version != 2 && job->options.version != 3) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: there is no version %d of Zarr here; take 2 or 3", zarr->path,
                             job->options.version);
    }
    if (!zarr->options.stored && job->options.url == NULL) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: chunks that are computed need the URL of their store",
                             zarr->path);
    }
    for (size_t k = 0; k < zarr->n_nodes && job->options.version == 3; k++) {
        if (zarr->nodes[k]->masked) {
            return xta_error_set(
                err, XTA_EUNSUPPORTED, 0,
                "%s: array %s has a fill value other than 0, and stores its cells "
                "exclusive-or it, for which Zarr 3 has no codec; take --zarr 2, or "
                "let xta serve compute the chunks",
                zarr->path, zarr->nodes[k]->path);
        }
    }
    return XTA_OK;
}

xta_status xta_zarr_references(const xta_zarr *zarr, const xta_references_options *options,
                               xta_text_sink *sink, void *user, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_references_options chosen = XTA_REFERENCES_OPTIONS_INIT;
    reference_job *job = calloc(1, sizeof *job);

    if (job == NULL) {
        return xta__hierarchy_no_memory(zarr, err);
    }
    XTA_TRY(xta_options_read(&chosen, sizeof chosen, options, "xta_references_options", err));
    chosen.version = chosen.version == 0 ? 2 : chosen.version;
    job->zarr = zarr;
    job->options = chosen;
    job->writer.sink = sink;
    job->writer.user = user;
    job->writer.err = err;
    XTA_TRY(check_job(job, err));
    xta__writer_add_string(&job->writer, "{\"version\": 1, \"refs\": {");
    XTA_TRY(write_documents(job, err));
    for (size_t k = 0; k < zarr->n_nodes; k++) {
        const hierarchy_node *node = zarr->nodes[k];
        if (node->values != NULL || node->seen.regular != NULL) {
            XTA_TRY(write_values(job, node, err));
        } else if (node->seen.array != NULL) {
            XTA_TRY(write_chunks(job, node, err));
        }
    }
    xta__writer_add_string(&job->writer, "\n}}\n");
    status = xta__writer_end(&job->writer);

done:
    free(job);
    return status;
}

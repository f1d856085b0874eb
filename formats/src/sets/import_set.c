/* Importing a whole file into a new data set.
 *
 * The walk: the file is listed (source.c); what cannot come is reported; a data set is made in a
 * folder beside the destination, group by group: attributes, dimensions, members, cells. At the end
 * the folder gets its name. A failure removes it; after a kill a folder `PATH.new-...` is left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "sets/import_set.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <xta/options.h>

#include "description/description.h"
#include "description/origin.h"
#include "netcdf/names.h"
#include "sets/cell_reader.h"
#include "sets/names.h"
#include "sets/readers.h"
#include "sets/tree/cut.h"
#include "sets/tree/labels.h"
#include "util/os.h"
#include "util/text.h"
#include "util/try.h"

/* More are a list, which needs no memory. */
enum { MOST_COORDINATES = 1 << 26 };
enum { LEAST_CHUNK_BYTES = 64 << 10, MOST_CHUNK_BYTES = 8 << 20 };

typedef struct set_import {
    const char *path;
    xta_dataset_import_options options;
    set_source source;
    uint64_t done_bytes, total_bytes;
} set_import;

/* ---- attributes ---- */

/* The attributes of a description, on one axis, one by one to a function. */
typedef xta_status set_one(void *object, const xta_attribute *attribute, xta_error *err);

static xta_status copy_attributes(const bridge_description *what, int axis, set_one *set,
                                  void *object, xta_error *err)
{
    for (size_t k = 0; k < what->n_attributes; k++) {
        const bridge_attribute *a = &what->attributes[k];
        const xta_attribute attribute = {.name = a->name,
                                         .type = a->type,
                                         .cell_bytes = a->cell_bytes,
                                         .count = a->count,
                                         .values = a->values};
        if (a->axis != axis) {
            continue;
        }
        xta_status status = set(object, &attribute, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

typedef struct of_set {
    xta_dataset *set;
    const char *dimension;
} of_set;

static xta_status set_of_set(void *object, const xta_attribute *attribute, xta_error *err)
{
    const of_set *where = object;

    return xta_dataset_set_attribute(where->set, where->dimension, attribute, err);
}

typedef struct of_array {
    xta_array *array;
    int axis;
} of_array;

static xta_status set_of_array(void *object, const xta_attribute *attribute, xta_error *err)
{
    const of_array *where = object;

    return xta_attribute_set(where->array, where->axis, attribute, err);
}

/* ---- dimensions ---- */

/* Whether the coordinates are regular, bit by bit. Missing values and packed ones are lists. */
static xta_status find_regular(const set_import *job, const set_variable *v, xta_dimension *d,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t n = d->hi - d->lo;
    void *values = NULL;
    bool plain = v != NULL && !job->options.all_listed && n >= 2 && n <= MOST_COORDINATES &&
                 xta__description_find(&v->what, XTA_ON_ARRAY, "_FillValue") == NULL &&
                 v->what.type != XTA_BYTES &&
                 xta__description_find(&v->what, XTA_ON_ARRAY, "scale_factor") == NULL &&
                 xta__description_find(&v->what, XTA_ON_ARRAY, "add_offset") == NULL;

    if (!plain) {
        return XTA_OK;
    }
    values = malloc((size_t)n * v->what.cell_bytes);
    if (values == NULL) {
        return xta__bridge_no_memory(job->source.path, err);
    }
    xta_box box = {.ndim = 1, .lo = {0}, .hi = {n}};
    XTA_TRY(xta__set_read(&job->source, v, &box, values, err));
    if (xta_regular_detect(v->what.type, values, n, d->lo, &d->regular)) {
        d->coordinates = XTA_COORDINATES_REGULAR;
    }

done:
    free(values);
    return status;
}

static xta_status import_dimensions(set_import *job, const set_group *group, xta_dataset *set,
                                    xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < group->n_dimensions; k++) {
        const set_dimension *from = &group->dimensions[k];
        const set_variable *v = xta__set_coordinate_of(group, from->name);
        xta_dimension d = {.name = from->name, .unlimited = from->unlimited};
        d.lo = v == NULL ? xta__set_begin_of(group, from->name) : 0;
        d.hi = d.lo + from->length;
        XTA_TRY(find_regular(job, v, &d, err));
        XTA_TRY(xta_dataset_set_dimension(set, &d, err));
        if (d.coordinates != 0) {
            of_set where = {set, from->name};
            XTA_TRY(copy_attributes(&v->what, XTA_ON_ARRAY, set_of_set, &where, err));
        }
    }

done:
    return status;
}

/* ---- members ---- */

static bool is_regular(xta_dataset *set, const set_variable *v)
{
    xta_dimension d;

    return !v->scalar && v->what.ndim == 1 && strcmp(v->name, v->what.name[0]) == 0 &&
           xta_dataset_dimension(set, v->name, &d, NULL) == XTA_OK &&
           d.coordinates == XTA_COORDINATES_REGULAR;
}

/* A second axis along one dimension is a dimension of its own here. */
static xta_status add_repeats(xta_dataset *set, const set_variable *v, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dimension d;

    for (int axis = 0; axis < v->what.ndim && !v->scalar; axis++) {
        const char *original = xta__description_text(&v->what, axis, NC_DIMENSION);
        if (original == NULL ||
            xta_dataset_dimension(set, v->what.name[axis], &d, NULL) == XTA_OK) {
            continue;
        }
        XTA_TRY(xta_dataset_dimension(set, original, &d, err));
        d.name = v->what.name[axis];
        d.coordinates = 0;
        XTA_TRY(xta_dataset_set_dimension(set, &d, err));
        XTA_TRY(xta_dataset_set_text(set, v->what.name[axis], NC_DIMENSION, original, err));
    }

done:
    return status;
}

static xta_status report_progress(const set_import *job, xta_error *err)
{
    const xta_progress *progress = &job->options.progress;

    if (progress->report != NULL &&
        progress->report(progress->user, job->done_bytes, job->total_bytes) != 0) {
        return xta_error_set(err, XTA_ECANCELLED, 0, "%s: import was stopped after %llu bytes",
                             job->source.path, (unsigned long long)job->done_bytes);
    }
    return XTA_OK;
}

static xta_status put_cells(void *user, const xta_box *slab, const unsigned char *cells,
                            xta_error *err)
{
    return xta_array_write(user, slab, NULL, cells, err);
}

static xta_status import_cells(set_import *job, const set_variable *v, xta_array *array,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box bounds = xta_array_bounds(array), slab;
    xta_array_info info;
    cell_reader reader = {0};
    unsigned char *cells = NULL;
    uint64_t n = 0;

    XTA_TRY(xta_array_inquire(array, &info, err));
    const cell_task task = {.source = &job->source,
                            .variable = v,
                            .origin = bounds.lo,
                            .chunk = info.chunk,
                            .box = &bounds,
                            .memory_bytes = job->options.memory_bytes,
                            .skip_empty = true, // the array has the fill value already
                            .put = put_cells,
                            .user = array};
    XTA_TRY(xta__reader_begin(&reader, &task, err));
    for (;;) {
        XTA_TRY(xta__reader_next(&reader, &slab, &cells, err));
        if (cells == NULL) {
            break;
        }
        XTA_TRY(xta_box_cells(&slab, &n));
        job->done_bytes += n * v->what.cell_bytes;
        XTA_TRY(report_progress(job, err));
    }

done:
    xta__reader_end(&reader);
    return status;
}

/* A name that a file can have. */
static char *legal_name(xta_dataset *set, const char *name)
{
    bool legal = xta__set_is_legal_name(name);
    char *out = legal ? xta__bridge_copy(name) : xta__string("_%s_", name);
    xta_array *taken = NULL;

    for (char *c = out; c != NULL && *c != '\0'; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    while (out != NULL && xta_dataset_member(set, out, &taken, NULL) == XTA_OK) {
        char *longer = xta__string("%s_", out);
        free(out);
        out = longer;
    }
    return out;
}

/* The chunks of the file, if they would be good ones here: whole ones come at the price of a copy.
 * NULL: the usual shape. */
static const int64_t *chunk_of(const set_variable *v)
{
    const int64_t *chunk = xta__set_chunks_of(v);
    double bytes = (double)v->what.cell_bytes;

    for (int axis = 0; chunk != NULL && axis < v->what.ndim; axis++) {
        bytes *= (double)chunk[axis];
        if (chunk[axis] < 1 || chunk[axis] > v->what.bounds[axis]) {
            return NULL;
        }
    }
    return bytes >= LEAST_CHUNK_BYTES && bytes <= MOST_CHUNK_BYTES ? chunk : NULL;
}

static xta_status import_variable(set_import *job, const set_variable *v, xta_dataset *set,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    const char *names[XTA_MAX_NDIM];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    char *name = legal_name(set, v->name);

    if (name == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->source.path, err));
    }
    XTA_TRY(add_repeats(set, v, err));
    for (int axis = 0; axis < v->what.ndim; axis++) {
        names[axis] = v->scalar ? NULL : v->what.name[axis];
    }
    options.fill = v->what.fill;
    options.chunk = chunk_of(v);
    options.cell_bytes = (uint32_t)v->what.cell_bytes;
    XTA_TRY(xta_dataset_add_member(set, name, v->what.type, v->what.ndim, names, &options, &array,
                                   err));
    of_array where = {array, XTA_ON_ARRAY};
    XTA_TRY(copy_attributes(&v->what, XTA_ON_ARRAY, set_of_array, &where, err));
    for (where.axis = 0; where.axis < v->what.ndim; where.axis++) {
        XTA_TRY(copy_attributes(&v->what, where.axis, set_of_array, &where, err));
    }
    if (strcmp(name, v->name) != 0) {
        XTA_TRY(xta_attribute_set_text(array, XTA_ON_ARRAY, SET_NAME, v->name, err));
    }
    XTA_TRY(import_cells(job, v, array, err));

done:
    free(name);
    return status;
}

/* ---- groups ---- */

/* The order of variables, some of which become no members. */
static xta_status keep_order(const set_group *group, xta_dataset *set, xta_error *err)
{
    xta__text lines = {0};

    for (size_t k = 0; k < group->n_variables; k++) {
        xta__text_printf(&lines, "%s\n", group->variables[k].name);
    }
    char *text = xta__text_detach(&lines);
    xta_status status = text != NULL ? xta_dataset_set_text(set, NULL, NC_VARIABLES, text, err)
                                     : xta__bridge_no_memory(xta_dataset_path(set), err);
    free(text);
    return status;
}

static xta_status import_group(set_import *job, const set_group *group, xta_dataset *set,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset *inner = NULL;
    of_set where = {set, NULL};

    XTA_TRY(copy_attributes(&group->attributes, XTA_ON_ARRAY, set_of_set, &where, err));
    XTA_TRY(keep_order(group, set, err));
    XTA_TRY(import_dimensions(job, group, set, err));
    for (size_t k = 0; k < group->n_variables; k++) {
        if (!is_regular(set, &group->variables[k])) {
            XTA_TRY(import_variable(job, &group->variables[k], set, err));
        }
    }
    for (size_t k = 0; k < group->n_groups; k++) {
        char *name = xta__set_group_name(group, k);
        status = name != NULL ? xta_dataset_group(set, name, true, &inner, err)
                              : xta__bridge_no_memory(job->source.path, err);
        bool other = name != NULL && strcmp(name, group->groups[k].name) != 0;
        free(name);
        XTA_TRY(status);
        if (other) {
            XTA_TRY(xta_dataset_set_text(inner, NULL, SET_NAME, group->groups[k].name, err));
        }
        XTA_TRY(import_group(job, &group->groups[k], inner, err));
        status = xta_dataset_close(inner, err);
        inner = NULL;
        XTA_TRY(status);
    }

done:
    xta_dataset_close(inner, NULL);
    return status;
}

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void remove_folder(const char *path)
{
    (void)!nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Something that is no empty folder. */
static bool is_taken(const char *path)
{
    xta__folder_entry *entries = NULL;
    size_t n = 0;
    xta_error ignored = {0};

    if (!xta__path_is_taken(path)) {
        return false;
    }
    bool listed = xta__folder_list(path, &entries, &n, &ignored) == XTA_OK;
    xta__folder_entries_free(entries, n);
    return !listed || n > 0;
}

static xta_status put_in_place(const char *temporary, const char *path, xta_error *err)
{
    xta_status status = XTA_OK;

    // It takes the place of an empty folder, and of nothing else.
    XTA_TRY(xta__path_rename(temporary, path, true, err));
    status = xta__path_sync_folder(path, err);
    if (status != XTA_OK) {
        remove_folder(path); // a failed import leaves no data set
    }

done:
    return status;
}

static xta_status report_lost(const set_import *job, xta_error *err)
{
    for (size_t k = 0; k < job->source.n_lost && job->options.lost != NULL; k++) {
        job->options.lost(job->options.lost_user, job->source.lost[k]);
    }
    if (job->options.strict && job->source.n_lost > 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: %zu things cannot come, the first is %s; import it without "
                             "strictness, or leave them out",
                             job->source.path, job->source.n_lost, job->source.lost[0]);
    }
    return XTA_OK;
}

static xta_status import_all(set_import *job, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset *set = NULL;
    char *temporary = NULL;
    uint8_t unique[16];

    XTA_TRY(report_lost(job, err));
    if (is_taken(job->path)) {
        XTA_TRY(xta_error_set(err, XTA_EEXIST, 0,
                              "%s: exists; give the name of a new folder, or remove it",
                              job->path));
    }
    XTA_TRY(xta__random_uuid(unique, err));
    size_t n = strlen(job->path);
    while (n > 1 && job->path[n - 1] == '/') {
        n--;
    }
    temporary = xta__string("%.*s.new-%02x%02x%02x%02x", (int)n, job->path, unique[0], unique[1],
                            unique[2], unique[3]);
    if (temporary == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->path, err));
    }
    job->total_bytes = xta__set_bytes_of(&job->source.root);
    XTA_TRY(xta_dataset_create(temporary, NULL, &set, err));
    XTA_TRY(import_group(job, &job->source.root, set, err));
    status = xta_dataset_close(set, err);
    set = NULL;
    XTA_TRY(status);
    XTA_TRY(put_in_place(temporary, job->path, err));

done:
    xta_dataset_close(set, NULL);
    if (status != XTA_OK && temporary != NULL) {
        remove_folder(temporary);
    }
    free(temporary);
    return status;
}

xta_status xta_dataset_import(const char *source, const char *path,
                              const xta_dataset_import_options *options, xta_error *err)
{
    set_import job = {.path = path};
    bool outside = false;
    xta_status status = XTA_OK;

    job.options = (xta_dataset_import_options)XTA_DATASET_IMPORT_OPTIONS_INIT;
    XTA_TRY(xta_options_read(&job.options, sizeof job.options, options,
                             "xta_dataset_import_options", err));
    if (job.options.memory_bytes == 0) {
        job.options.memory_bytes = (uint64_t)64 << 20;
    }
    XTA_TRY(xta__set_open(source, job.options.trust, &job.source, err));
    status = xta__set_cut(&job.source, job.options.select, false, &outside, err);
    status = status == XTA_OK ? import_all(&job, err) : status;
    xta__set_close(&job.source);

done:
    return status;
}

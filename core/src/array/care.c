/* Care of the files: history, check, compact, list, save and load.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "array/array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/chunks/memory_chunks.h"

/* ---- history ---- */

typedef struct historian {
    xta__state state; /* replayed alongside, for the bounds after each step */
    int (*each)(void *user, const xta_step *step);
    void *user;
    bool ended;
    xta__growth_record pending; /* of several arrays, whose COMMIT is being told */
    uint64_t last;              /* of the handle: later steps are not its affair */
} historian;

static void take_growths(xta_step *step, const xta__growth_record *growth)
{
    step->n_growths = growth->n_growths;
    memcpy(step->growths, growth->growths, (size_t)growth->n_growths * sizeof growth->growths[0]);
}

static void describe_step(const historian *h, const xta__record *record, xta_step *step)
{
    xta__growth_record growth;
    xta__axis_record axis;
    const char *why = "";

    memset(step, 0, sizeof *step);
    step->step = h->state.structure->n_steps;
    step->bounds = xta__structure_bounds(h->state.structure);
    switch (record->type) {
    case XTA__RECORD_CREATE:
        step->kind = XTA_STEP_CREATE;
        break;
    case XTA__RECORD_COMMIT:
        step->kind = XTA_STEP_EXTEND;
        take_growths(step, &h->pending);
        break;
    case XTA__RECORD_EXTEND:
    case XTA__RECORD_SHRINK:
        step->kind = record->type == XTA__RECORD_EXTEND ? XTA_STEP_EXTEND : XTA_STEP_SHRINK;
        if (xta__decode_growth(record, step->bounds.ndim, &growth, &why) == XTA_OK) {
            take_growths(step, &growth);
        }
        break;
    case XTA__RECORD_ADD_AXIS:
        step->kind = XTA_STEP_ADD_AXIS;
        if (xta__decode_axis(record, step->bounds.ndim - 1, &axis, &why) == XTA_OK) {
            step->axis = axis.position;
        }
        break;
    default:
        step->kind = XTA_STEP_CHECKPOINT;
    }
}

static xta_status tell_step(void *user, const xta__record *record, const char **why)
{
    historian *h = user;
    bool first = h->state.structure == NULL;
    uint64_t before = first ? 0 : h->state.structure->n_steps;
    xta_step step;

    if (record->type == XTA__RECORD_COMMIT && h->state.pending != NULL) {
        h->pending = h->state.pending->record.growth;
    }
    xta_status status = xta__state_apply(&h->state, record, why);
    bool structural = first || (status == XTA_OK && h->state.structure->n_steps != before);
    if (status != XTA_OK || !structural || h->state.structure->n_steps > h->last) {
        return status;
    }
    describe_step(h, record, &step);
    h->ended = h->each(h->user, &step) != 0;
    return h->ended ? XTA_ECANCELLED : XTA_OK;
}

xta_status xta_array_history(xta_array *array, int (*each)(void *user, const xta_step *step),
                             void *user, xta_error *err)
{
    xta_status status = XTA_OK;
    historian h = {.each = each, .user = user, .state = {.table_limit = 0}};
    xta__journal journal = {.file = XTA__FILE_CLOSED};
    xta_error local = {0};

    XTA_TRY(xta__begin(array, err));
    h.last = xta__structure_of(array)->n_steps;
    if (array->in_memory) {
        xta_step step = {.kind = XTA_STEP_CREATE, .bounds = xta_array_bounds(array)};
        h.ended = each(user, &step) != 0;
    } else {
        XTA_TRY(xta__journal_open(xta__journal_of(array), false, false, &journal, err));
        status = xta__journal_read(&journal, tell_step, &h, &local);
        if (status == XTA_OK && h.state.pending != NULL && h.state.structure->n_steps < h.last) {
            // The handle knows from another array's journal that this growth has happened.
            const xta__record commit = {.type = XTA__RECORD_COMMIT,
                                        .payload = h.state.pending->record.group,
                                        .payload_bytes = XTA__UUID_BYTES};
            const char *why = "";
            status = tell_step(&h, &commit, &why);
        }
        if (status != XTA_OK && !h.ended) {
            XTA_TRY(xta__fail(err, status, local.os_errno, "%s", local.text));
        }
        status = XTA_OK;
    }
    if (h.ended) {
        XTA_TRY(xta__fail(err, XTA_ECANCELLED, 0, "%s: the walk over the history was ended",
                          xta__array_name(array)));
    }

done:
    xta__journal_close(&journal);
    xta__state_clear(&h.state);
    return status;
}

/* ---- check ---- */

typedef struct checker {
    void (*report)(void *user, const xta_finding *finding);
    void *user;
    xta_error *err;
    bool fatal;
} checker;

static void find_fault(checker *c, bool fatal, uint64_t offset, const char *text)
{
    xta_finding finding = {.fatal = fatal, .offset = offset};

    memcpy(finding.text, text, strnlen(text, sizeof finding.text - 1));
    if (c->report != NULL) {
        c->report(c->user, &finding);
    }
    if (fatal) {
        c->fatal = true;
        xta__fail(c->err, XTA_ECORRUPT, 0, "%s", text);
    }
}

/* F* and its inverse agree on a sample of every segment, and segments follow each other without a
 * gap. */
static void check_mapping(checker *c, xta__mapping *mapping, const char *path)
{
    uint64_t next = 0, n = 0;
    char text[XTA_ERROR_TEXT_BYTES];
    xta_error note = {0};

    for (uint32_t k = 0; k < mapping->n_records; k++) {
        xta_box chunks;
        int64_t coord[XTA_MAX_NDIM];
        xta__mapping_segment(mapping, k, &n, &chunks);
        const uint64_t base = mapping->records[k].base;
        const uint64_t sample[3] = {base, base + n / 2, base + n - 1};
        bool good = base == next && n > 0;
        for (int i = 0; i < 3 && good; i++) {
            xta__mapping_inverse(mapping, sample[i], coord);
            good = xta__mapping_address(mapping, coord) == sample[i];
        }
        if (!good) {
            xta_error_set(&note, XTA_ECORRUPT, 0,
                          "%s: segment %u from address %" PRIu64 " contradicts the others", path, k,
                          base);
            memcpy(text, note.text, sizeof text);
            find_fault(c, true, 0, text);
        }
        next = base + n;
    }
}

static xta_status check_journal(checker *c, xta__journal *journal, xta__state *state)
{
    xta_error why = {0};
    uint64_t bytes = 0;
    bool zeros = false;

    state->synced_bytes = journal->synced_bytes;
    xta_status status = xta__journal_read(journal, xta__state_apply, state, &why);

    if (status != XTA_OK && status != XTA_ECORRUPT && status != XTA_EFORMAT) {
        return xta__fail(c->err, status, why.os_errno, "%s", why.text);
    }
    if (status != XTA_OK) {
        find_fault(c, true, journal->end, why.text);
        return XTA_OK;
    }
    if (state->structure == NULL) {
        xta_error_set(&why, XTA_ECORRUPT, 0, "%s: offset %d: no whole record follows the header",
                      journal->file.path, XTA__HEADER_BYTES);
        find_fault(c, true, XTA__HEADER_BYTES, why.text);
        return XTA_OK;
    }
    if (journal->end < journal->synced_bytes) {
        xta_error_set(&why, XTA_ECORRUPT, 0,
                      "%s: offset %" PRIu64 ": %" PRIu64 " bytes of records that had been made "
                      "durable are missing or damaged; restore the file from a copy",
                      journal->file.path, journal->end, journal->synced_bytes - journal->end);
        find_fault(c, true, journal->end, why.text);
    } else if (journal->torn && xta__journal_tail(journal, &bytes, &zeros, &why) == XTA_OK) {
        xta_error_set(&why, XTA_OK, 0,
                      zeros ? "%s: offset %" PRIu64 ": %" PRIu64 " zero bytes, room of a sole "
                              "writer, who may be at work; else the next change removes them"
                            : "%s: offset %" PRIu64 ": a torn tail of %" PRIu64 " bytes, of a "
                              "change that was never committed; the next change removes it",
                      journal->file.path, journal->end, bytes);
        find_fault(c, false, journal->end, why.text);
    } else if (state->pending != NULL) {
        xta_error_set(&why, XTA_OK, 0,
                      "%s: a growth of several arrays was announced and not noted here; whether it "
                      "happened is for %s to say, and the next change notes it",
                      journal->file.path, state->pending->record.path);
        find_fault(c, false, journal->end, why.text);
    }
    check_mapping(c, &state->structure->mapping, journal->file.path);
    return XTA_OK;
}

/* Work that was announced and not ended: the array is not whole, though its files are. */
static void check_works(checker *c, const xta__file *data, const xta__state *state)
{
    char text[200];
    xta_error why = {0};

    for (size_t k = 0; k < state->works.n; k++) {
        const xta__work_record *work = state->works.items[k];
        bool live = false;
        if (xta__work_is_live(data, work->id, &live, &why) != XTA_OK) {
            why.status = XTA_OK;
        }
        xta_error_set(&why, XTA_OK, 0,
                      live ? "%s: %s of %.200s into %s goes on in process %" PRIu64 " on %s"
                           : "%s: %s of %.200s into %s was cut off (process %" PRIu64
                             " on %s); resume it, or take it back with xta undo",
                      data->path, xta__work_verb_name(work->verb), work->source,
                      xta__box_text(&work->box, text, sizeof text), work->process, work->host);
        find_fault(c, false, 0, why.text);
    }
}

static xta_status check_data(checker *c, xta__path at, const xta__journal *journal,
                             const xta__state *state)
{
    xta__file file = XTA__FILE_CLOSED;
    const char *path = at.name;
    uint64_t bytes = 0;
    xta_error why = {0};
    uint64_t need = state->structure->mapping.n_chunks * state->constants.slot_bytes;

    if (!xta__path_exists(at.at)) {
        xta_error_set(&why, XTA_ENOENT, 0, "%s: the data file is missing; restore it", path);
        find_fault(c, true, 0, why.text);
        return XTA_OK;
    }
    xta_status status =
        xta__data_file_open(at, XTA__FILE_READ, journal->uuid, &state->constants, &file, &why);
    if (status == XTA_OK) {
        status = xta__file_sizes(&file, &bytes, NULL, &why);
    }
    if (status == XTA_ECORRUPT || status == XTA_EFORMAT) {
        find_fault(c, true, 0, why.text);
        return XTA_OK;
    }
    if (status != XTA_OK) {
        xta__file_close(&file);
        return xta__fail(c->err, status, why.os_errno, "%s", why.text);
    }
    if (bytes < need && bytes >= state->durable_chunks * state->constants.slot_bytes) {
        xta_error_set(&why, XTA_OK, 0,
                      "%s: offset %" PRIu64 ": the file is shorter than its %" PRIu64
                      " chunks, of a growth that was never made durable; they are holes",
                      path, file.origin + bytes, state->structure->mapping.n_chunks);
        find_fault(c, false, file.origin + bytes, why.text);
    } else if (bytes < need) {
        xta_error_set(&why, XTA_ECORRUPT, 0,
                      "%s: offset %" PRIu64 ": the file ends; its %" PRIu64 " chunks need %" PRIu64
                      " bytes; restore it from a copy",
                      path, file.origin + bytes, state->structure->mapping.n_chunks, need);
        find_fault(c, true, file.origin + bytes, why.text);
    }
    check_works(c, &file, state);
    xta__file_close(&file);
    return XTA_OK;
}

xta_status xta_check(const char *path, void (*report)(void *user, const xta_finding *finding),
                     void *user, xta_error *err)
{
    xta_status status = XTA_OK;
    checker c = {.report = report, .user = user, .err = err};
    xta__pair pair = {0};
    char *next_journal = NULL, *next_data = NULL;
    xta__journal journal = {.file = XTA__FILE_CLOSED};
    xta__state state = {.table_limit = XTA__TABLE_LIMIT};

    xta__clear(err);
    XTA_TRY(xta__pair_find(path, &pair, err));
    if (!xta__path_exists(pair.journal_file)) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0,
                          xta__path_exists(pair.data_file)
                              ? "%s: the journal is missing, its data file is there; restore it"
                              : "%s: no such array; check the path",
                          pair.journal_path));
    }
    if (xta__replacement_waits(pair.journal_file)) {
        // The new pair counts, wherever its files are.
        XTA_TRY(xta__replacement_paths(pair.journal_file, pair.data_file, &next_journal, &next_data,
                                       err));
    }
    const xta__path at = {next_journal != NULL ? next_journal : pair.journal_file,
                          pair.journal_path};
    XTA_TRY(xta__journal_open(at, false, false, &journal, err));
    XTA_TRY(check_journal(&c, &journal, &state));
    if (state.structure != NULL) {
        const xta__path data = {next_data != NULL ? next_data : pair.data_file, pair.data_path};
        XTA_TRY(check_data(&c, data, &journal, &state));
    }
    status = c.fatal ? XTA_ECORRUPT : XTA_OK;

done:
    xta__journal_close(&journal);
    xta__state_clear(&state);
    xta__pair_clear(&pair);
    free(next_journal);
    free(next_data);
    return status;
}

/* ---- compact ---- */

/* The journal is locked and its cells are durable. */
static xta_status replace_journal(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__bytes *commits = NULL, *payloads = NULL;
    unsigned *types = NULL;
    size_t n = 0;

    XTA_TRY(xta__group_unsettled(array, &commits, &n, err));
    payloads = xta__calloc(n + 1, sizeof payloads[0]);
    types = xta__calloc(n + 1, sizeof types[0]);
    if (payloads == NULL || types == NULL ||
        xta__state_checkpoint(&array->state, &payloads[0]) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a checkpoint", array->path));
    }
    types[0] = XTA__RECORD_CHECKPOINT;
    for (size_t k = 0; k < n; k++) {
        types[1 + k] = XTA__RECORD_COMMIT;
        payloads[1 + k] = commits[k];
    }
    XTA_TRY(xta__journal_supersede(&array->journal, types, payloads, n + 1, err));

done:
    for (size_t k = 0; k < n; k++) {
        xta__bytes_clear(&commits[k]);
    }
    if (payloads != NULL) {
        xta__bytes_clear(&payloads[0]);
    }
    free(commits);
    free(payloads);
    free(types);
    return status;
}

xta_status xta_compact(const char *path, uint64_t *before_bytes, uint64_t *after_bytes,
                       xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta__file fresh = XTA__FILE_CLOSED;
    uint64_t before = 0, after = 0;

    options.writable = true;
    XTA_TRY(xta_array_open(path, &options, &array, err));
    XTA_TRY(xta__change_begin(array, err));
    status = xta__check_replaceable(array, false, err);
    xta__remove_leftovers(array->journal_file);
    if (status == XTA_OK) {
        status = array->holder->ops->sync(array->holder, err);
    }
    if (status == XTA_OK) {
        status = xta__file_sizes(&array->journal.file, &before, NULL, err);
    }
    if (status == XTA_OK) {
        status = replace_journal(array, err);
    }
    xta__change_end(array);
    XTA_TRY(status);
    XTA_TRY(xta__file_open_at(xta__journal_of(array), XTA__FILE_READ, &fresh, err));
    XTA_TRY(xta__file_sizes(&fresh, &after, NULL, err));
    if (before_bytes != NULL) {
        *before_bytes = before;
    }
    if (after_bytes != NULL) {
        *after_bytes = after;
    }

done:
    xta__file_close(&fresh);
    if (array != NULL) {
        // The journal of this handle is the old one: nothing is left to sync.
        xta__break(array);
        xta_array_close(array, NULL);
    }
    return status;
}

/* ---- list ---- */

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);

    return n > m && strcmp(name + n - m, suffix) == 0;
}

xta_status xta_dataset_list(const char *folder,
                            int (*each)(void *user, const xta_dataset_entry *entry), void *user,
                            xta_error *err)
{
    xta__folder_entry *names = NULL;
    size_t n = 0;

    xta__clear(err);
    xta_status status = xta__folder_list(folder, &names, &n, err);
    for (size_t k = 0; k < n && status == XTA_OK; k++) {
        bool array = !names[k].folder &&
                     (has_suffix(names[k].name, ".xmd") || has_suffix(names[k].name, ".pma"));
        if (!array && !names[k].folder) {
            continue;
        }
        if (array) {
            names[k].name[strlen(names[k].name) - 4] = '\0';
        }
        xta_dataset_entry entry = {.array = array, .name = names[k].name};
        if (each(user, &entry) != 0) {
            status = xta__fail(err, XTA_ECANCELLED, 0, "%s: the listing was ended", folder);
        }
    }
    xta__folder_entries_free(names, n);
    return status;
}

/* Checking the files of an array: whether its journal can be replayed, whether its addresses agree
 * with each other, and whether the data file has the chunks that the journal gives it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "array/admin/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/finish_replacement.h"
#include "array/handle/paths.h"
#include "array/state/replay.h"
#include "array/state/work_lock.h"
#include "store/chunks/memory_chunks.h"

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
                      zeros ? "%s: offset %" PRIu64 ": %" PRIu64
                              " zero bytes, room of an exclusive "
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

/* Work that was announced and not ended: the array is incomplete, although its files are intact. */
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
        // The new pair is checked, wherever its files are.
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

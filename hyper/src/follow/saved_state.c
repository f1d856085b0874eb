/* What a follower keeps in its state file, and how it is loaded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "follow/saved_state.h"

#include <stdlib.h>
#include <string.h>

#include "amee/saved_state.h"
#include "endmembers/ppi/ppi.h"
#include "endmembers/simplex/simplex.h"
#include "follow/options.h"
#include "parallel/communicator.h"
#include "scene/coverage.h"
#include "state/blob.h"
#include "state/replace_file.h"
#include "statistics/moments.h"
#include "util/try.h"

static const char state_name[] = "follow.state", next_name[] = "follow.next";

/* The section "covered" has three coverages of so many bytes: of all results, of labels, and of
 * abundances; then the shape, and whether the update was finished. */
enum { COVERAGE_BYTES = 24 };

static const char *const section_names[N_SECTIONS] = {
    [SECTION_PARAMETERS] = "parameters",
    [SECTION_COVERED] = "covered",
    [SECTION_MOMENTS] = "moments",
    [SECTION_PPI] = "ppi",
    [SECTION_MEI] = "mei",
    [SECTION_SIMPLEX] = "simplex",
    [SECTION_ENDMEMBERS] = "endmembers",
};

/* ---- reading ---- */

/* Give the bytes of the file, which rank 0 has read, to all members. */
static xta_status share_state(const xta_communicator *communicator, state_file *state, bool *there,
                              xta_error *err)
{
    unsigned char *all = NULL;
    size_t *bytes = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta__gather(communicator, state->bytes, state->n_bytes, &all, &bytes, err));
    if (xta_communicator_rank(communicator) != 0) {
        *there = bytes[0] > 0;
        if (*there) {
            status = xta__state_file_parse("the state", all, bytes[0], state, err);
            all = NULL;
        }
    }
done:
    free(all);
    free(bytes);
    return xta__agree(communicator, status, err);
}

/* Rank 0: load the file; the message of a failure says what can be done. */
static xta_status load_file(const xta_follow *f, state_file *state, bool *there, xta_error *err)
{
    char *path = xta__file_path(f->folder, state_name);
    xta_error why = {0};
    xta_status status = path != NULL ? xta__state_file_load(path, state, there, &why)
                                     : xta_error_set(&why, XTA_ENOMEM, 0, "no memory for a name");

    free(path);
    if (status == XTA_ECORRUPT || status == XTA_EFORMAT) {
        return xta_error_set(err, status, 0, "%.400s, or start over with --again", why.text);
    }
    return status == XTA_OK ? status : xta_error_set(err, status, why.os_errno, "%s", why.text);
}

xta_status xta__follow_read_state(const xta_follow *f, state_file *state, bool *there,
                                  xta_error *err)
{
    xta_status status = XTA_OK;

    *state = (state_file){0};
    *there = false;
    if (xta_communicator_rank(f->communicator) == 0) {
        status = load_file(f, state, there, err);
    }
    status = xta__agree(f->communicator, status, err);
    if (status == XTA_OK) {
        status = share_state(f->communicator, state, there, err);
    }
    if (status != XTA_OK) {
        xta__state_file_clear(state);
    }
    return status;
}

static void get_coverage(blob_reader *r, coverage *c)
{
    c->line_lo = xta__blob_get_i64(r);
    c->line_hi = xta__blob_get_i64(r);
    c->signature = xta__blob_get_u64(r);
}

static void put_coverage(blob *b, const coverage *c)
{
    xta__blob_i64(b, c->line_lo);
    xta__blob_i64(b, c->line_hi);
    xta__blob_u64(b, c->signature);
}

static xta_status get_endmembers(xta_endmembers *e, blob_reader r)
{
    const uint64_t n = r.n > 0 ? xta__blob_get_u64(&r) : 0;
    const uint64_t n_wanted = xta__blob_get_u64(&r), n_bands = xta__blob_get_u64(&r);

    if (n == 0) {
        return XTA_OK;
    }
    // Every number uses eight bytes, so a count that exceeds the section is damage.
    if (r.failed || n_bands == 0 || n > r.n / 8 || n_bands > r.n / 8 / n) {
        return XTA_ECORRUPT;
    }
    *e = (xta_endmembers){.n = n, .n_wanted = n_wanted, .n_bands = n_bands};
    e->spectra = malloc(n * n_bands * sizeof(double));
    e->line = malloc(n * sizeof(int64_t));
    e->sample = malloc(n * sizeof(int64_t));
    e->score = malloc(n * sizeof(double));
    if (e->spectra == NULL || e->line == NULL || e->sample == NULL || e->score == NULL) {
        return XTA_ENOMEM;
    }
    for (uint64_t k = 0; k < n; k++) {
        e->line[k] = xta__blob_get_i64(&r);
        e->sample[k] = xta__blob_get_i64(&r);
    }
    xta__blob_get_f64s(&r, e->score, n);
    xta__blob_get_f64s(&r, e->spectra, n * n_bands);
    return r.failed ? XTA_ECORRUPT : XTA_OK;
}

static void put_endmembers(blob *b, const xta_endmembers *e)
{
    xta__blob_u64(b, e->n);
    xta__blob_u64(b, e->n_wanted);
    xta__blob_u64(b, e->n_bands);
    for (size_t k = 0; k < e->n; k++) {
        xta__blob_i64(b, e->line[k]);
        xta__blob_i64(b, e->sample[k]);
    }
    xta__blob_f64s(b, e->score, e->n);
    xta__blob_f64s(b, e->spectra, e->n * e->n_bands);
}

/* ---- objects ---- */

static xta_status make_moments(xta_follow *f, xta_error *err)
{
    xta_moments_options options = XTA_MOMENTS_OPTIONS_INIT;

    options.noise = f->options.noise;
    return xta_moments_new(&options, &f->moments, err);
}

static xta_status make_simplex(xta_follow *f, xta_error *err)
{
    xta_simplex_options options = xta__follow_simplex_options(f);

    return xta_simplex_new(&options, &f->simplex, err);
}

static xta_status make_ppi(xta_follow *f, xta_error *err)
{
    const xta_follow_options *o = &f->options;
    xta_ppi_options options = XTA_PPI_OPTIONS_INIT;

    options.n_skewers = o->n_skewers;
    options.seed = o->seed;
    options.skewers = o->skewers;
    options.n_dims = o->n_dims;
    options.threshold = o->threshold;
    options.basis = o->basis;
    return xta_ppi_new(&options, &f->ppi, err);
}

xta_status xta__follow_make_amee(xta_follow *f, xta_error *err)
{
    xta_amee_options options = XTA_AMEE_OPTIONS_INIT;

    options.radius = f->options.radius;
    options.iterations = f->options.iterations;
    options.radius_last = f->options.radius_last;
    options.map = f->map[MAP_MEI];
    return xta_amee_new(&options, &f->amee, err);
}

xta_status xta__follow_make_objects(xta_follow *f, xta_error *err)
{
    const unsigned keep = f->keep;
    xta_status status = XTA_OK;

    if ((keep & XTA_FOLLOW_BASIS) != 0) {
        XTA_TRY(make_moments(f, err));
    }
    if ((keep & XTA_FOLLOW_PPI) != 0) {
        XTA_TRY(make_ppi(f, err));
    }
    if ((keep & XTA_FOLLOW_ENDMEMBERS) != 0 && f->options.method <= XTA_FOLLOW_BY_VCA) {
        XTA_TRY(make_simplex(f, err));
    }
done:
    return status;
}

void xta__follow_free_objects(xta_follow *f)
{
    xta_moments_free(f->moments);
    xta_ppi_free(f->ppi);
    xta_simplex_free(f->simplex);
    xta_amee_free(f->amee);
    xta_endmembers_free(&f->endmembers);
    f->moments = NULL;
    f->ppi = NULL;
    f->simplex = NULL;
    f->amee = NULL;
    f->covered = f->labelled = f->unmixed = (coverage){0};
    for (int k = 0; k < N_SECTIONS; k++) {
        xta__blob_clear(&f->saved[k]);
        xta__blob_clear(&f->next[k]);
    }
    f->loaded = f->whole = false;
}

/* Load the objects that have a section. */
static xta_status get_objects(xta_follow *f, const state_file *state, xta_error *err)
{
    blob_reader r = xta__state_file_find(state, section_names[SECTION_COVERED]);
    xta_status status = XTA_OK;

    if (r.n == 0) {
        return XTA_OK;
    }
    get_coverage(&r, &f->covered);
    get_coverage(&r, &f->labelled);
    get_coverage(&r, &f->unmixed);
    for (int k = 0; k < FOLLOW_SHAPE; k++) {
        f->shape[k] = xta__blob_get_i64(&r);
    }
    f->whole = xta__blob_get_u64(&r) == 1;
    XTA_TRY(r.failed ? XTA_ECORRUPT : XTA_OK);
    XTA_TRY(get_endmembers(&f->endmembers,
                           xta__state_file_find(state, section_names[SECTION_ENDMEMBERS])));
    r = xta__state_file_find(state, section_names[SECTION_MOMENTS]);
    XTA_TRY(f->moments != NULL && r.n > 0 ? xta__moments_get(f->moments, &r, err) : XTA_OK);
    r = xta__state_file_find(state, section_names[SECTION_PPI]);
    XTA_TRY(f->ppi != NULL && r.n > 0 ? xta__ppi_get(f->ppi, &r, err) : XTA_OK);
    r = xta__state_file_find(state, section_names[SECTION_SIMPLEX]);
    XTA_TRY(f->simplex != NULL && r.n > 0 ? xta__simplex_get(f->simplex, &r, err) : XTA_OK);
done:
    return status;
}

/* Keep the sections as they are in the file, for the state that is saved in the middle of an
 * update. The section of AMEE is also needed because its object is created later, when its array is
 * open. */
static xta_status keep_sections(xta_follow *f, const state_file *state)
{
    bool failed = false;

    for (int k = 0; k < N_SECTIONS; k++) {
        const blob_reader r = xta__state_file_find(state, section_names[k]);
        xta__blob_put(&f->saved[k], r.bytes, r.n);
        failed = failed || f->saved[k].failed;
    }
    return failed ? XTA_ENOMEM : XTA_OK;
}

xta_status xta__follow_load(xta_follow *f, xta_error *err)
{
    state_file state = {0};
    bool there = false;
    xta_status status = XTA_OK;

    xta__follow_free_objects(f);
    XTA_TRY(xta__follow_read_state(f, &state, &there, err));
    XTA_TRY(xta__agree(f->communicator, xta__follow_make_objects(f, err), err));
    status = get_objects(f, &state, NULL);
    if (status == XTA_OK) {
        status = keep_sections(f, &state);
    }
    if (status == XTA_ECORRUPT) {
        status = xta_error_set(err, status, 0,
                               "%s/%s: what it holds contradicts itself; start over with --again",
                               f->folder, state_name);
    } else if (status != XTA_OK) {
        // Checksums and parameters are right, so if objects do not accept their section, memory is
        // out.
        status = xta_error_set(err, XTA_ENOMEM, 0,
                               "%s/%s: no memory for the %zu bytes it holds (or another build of "
                               "this version wrote it: then start over with --again)",
                               f->folder, state_name, state.n_bytes);
    }
    XTA_TRY(xta__agree(f->communicator, status, err));
    f->loaded = true;
done:
    xta__state_file_clear(&state);
    return status;
}

/* ---- writing ---- */

/* Rank 0: write the sections to a file of that name. Empty ones are left out. */
static xta_status write_sections(const xta_follow *f, const blob saved[N_SECTIONS],
                                 const char *temporary, xta_error *err)
{
    state_section section[N_SECTIONS];
    size_t n = 0;
    blob file = {0};
    bool failed = false;
    xta_status status;

    for (int k = 0; k < N_SECTIONS; k++) {
        section[n] = (state_section){section_names[k], saved[k].bytes, saved[k].n};
        n += saved[k].n > 0 ? 1 : 0;
        failed = failed || saved[k].failed;
    }
    xta__state_file_pack(section, n, &file);
    status = failed || file.failed
                 ? xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a state", f->folder)
                 : xta__file_write(f->folder, temporary, state_name, file.bytes, file.n, err);
    xta__blob_clear(&file);
    return status;
}

/* Replace the state file by these sections. */
static xta_status replace_state(const xta_follow *f, const blob saved[N_SECTIONS], xta_error *err)
{
    static const char temporary[] = "follow.state.new";
    xta_status status = XTA_OK;

    if (xta_communicator_rank(f->communicator) == 0) {
        status = write_sections(f, saved, temporary, err);
        status =
            status == XTA_OK ? xta__file_rename(f->folder, temporary, state_name, err) : status;
    }
    return xta__agree(f->communicator, status, err);
}

xta_status xta__follow_save_empty(xta_follow *f, xta_error *err)
{
    blob saved[N_SECTIONS] = {{0}};
    xta_status status;

    xta__blob_put(&saved[SECTION_PARAMETERS], f->parameters, strlen(f->parameters));
    status = replace_state(f, saved, err);
    xta__blob_clear(&saved[SECTION_PARAMETERS]);
    return status;
}

xta_status xta__follow_save_unlabelled(xta_follow *f, xta_error *err)
{
    blob *covered = &f->saved[SECTION_COVERED];

    // Nothing has been saved yet that could be mistaken for complete.
    if (covered->n < 3 * COVERAGE_BYTES + 8) {
        return XTA_OK;
    }
    memset(covered->bytes + COVERAGE_BYTES, 0, 2 * (size_t)COVERAGE_BYTES);
    memset(covered->bytes + covered->n - 8, 0, 8);
    return replace_state(f, f->saved, err);
}

static void put_covered(const xta_follow *f, blob *b)
{
    put_coverage(b, &f->covered);
    put_coverage(b, &f->labelled);
    put_coverage(b, &f->unmixed);
    for (int k = 0; k < FOLLOW_SHAPE; k++) {
        xta__blob_i64(b, f->shape[k]);
    }
    xta__blob_u64(b, 1);
}

xta_status xta__follow_prepare_state(xta_follow *f, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; k < N_SECTIONS; k++) {
        xta__blob_clear(&f->next[k]);
    }
    xta__blob_put(&f->next[SECTION_PARAMETERS], f->parameters, strlen(f->parameters));
    put_covered(f, &f->next[SECTION_COVERED]);
    if (f->moments != NULL) {
        xta__moments_put(f->moments, &f->next[SECTION_MOMENTS]);
    }
    if (f->ppi != NULL) {
        xta__ppi_put(f->ppi, &f->next[SECTION_PPI]);
    }
    if (f->simplex != NULL) {
        xta__simplex_put(f->simplex, &f->next[SECTION_SIMPLEX]);
    }
    if (f->amee != NULL) {
        xta__amee_put(f->amee, &f->next[SECTION_MEI]);
    }
    put_endmembers(&f->next[SECTION_ENDMEMBERS], &f->endmembers);
    if (xta_communicator_rank(f->communicator) == 0) {
        status = write_sections(f, f->next, next_name, err);
    }
    return xta__agree(f->communicator, status, err);
}

xta_status xta__follow_commit_state(xta_follow *f, xta_error *err)
{
    xta_status status = XTA_OK;

    if (xta_communicator_rank(f->communicator) == 0) {
        status = xta__file_rename(f->folder, next_name, state_name, err);
    }
    status = xta__agree(f->communicator, status, err);
    for (int k = 0; k < N_SECTIONS && status == XTA_OK; k++) {
        xta__blob_clear(&f->saved[k]);
        f->saved[k] = f->next[k];
        f->next[k] = (blob){0};
    }
    return status;
}

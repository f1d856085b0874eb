/* nprocs: 1 2 3 4; mpich: 2 */
/* A communicator of ranks: it gathers and agrees; and moments, bases and scores of a scene that
 * grows between the updates of the ranks have the same bits as those of one process on the complete
 * scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_test.h"

#include <stdint.h>
#include <string.h>

#include <xta/parallel.h>

#include "parallel/communicator.h"
#include "state/blob.h"
#include "statistics/basis.h"
#include "statistics/moments.h"
#include "support/grown_scene.h"
#include "util/try.h"

enum { N_SWATHS = 7, N_LINES = 170, N_COMPONENTS = 3 };

static void communicators_gather_and_agree(const xta_communicator *communicator)
{
    int32_t mine[3] = {communicator->rank, 7, -communicator->rank}, all[3 * 16];
    xta_error err;

    XTA_CHECK(communicator->rank == xta_test_rank && communicator->size == xta_test_ranks,
              "rank %d of %d", communicator->rank, communicator->size);
    XTA_CHECK_OK(communicator->gather(communicator->context, mine, sizeof mine, all, &err), err);
    for (int r = 0; r < communicator->size; r++) {
        XTA_CHECK(all[3 * r] == r && all[3 * r + 1] == 7 && all[3 * r + 2] == -r, "of rank %d", r);
    }
    XTA_CHECK_OK(communicator->gather(communicator->context, NULL, 0, NULL, &err), err);
    XTA_CHECK_OK(communicator->agree(communicator->context, XTA_OK, &err), err);

    // The error of the lowest rank in error is returned on all.
    xta_status status = XTA_OK;
    if (communicator->rank > 0) {
        status = xta_error_set(&err, communicator->rank == 1 ? XTA_ERANGE : XTA_EIO, 0, "rank %d",
                               communicator->rank);
    }
    status = communicator->agree(communicator->context, status, &err);
    XTA_CHECK(status == (communicator->size > 1 ? XTA_ERANGE : XTA_OK), "%s",
              xta_status_name(status));
    XTA_CHECK(communicator->size == 1 || strcmp(err.text, "rank 1") == 0, "%s", err.text);
    status = communicator->agree(communicator->context,
                                 communicator->rank == communicator->size - 1 ? XTA_ENOSPC : XTA_OK,
                                 NULL);
    XTA_CHECK(status == XTA_ENOSPC, "%s", xta_status_name(status));

    // Unequal lengths, with one member that has no bytes.
    unsigned char *block = NULL;
    size_t *bytes = NULL, at = 0;
    XTA_CHECK_OK(xta__gather(communicator, "abcdefghijklmnop", (size_t)communicator->rank * 2,
                             &block, &bytes, &err),
                 err);
    for (int r = 0; r < communicator->size; r++) {
        XTA_CHECK(bytes[r] == (size_t)r * 2 &&
                      memcmp(block + at, "abcdefghijklmnop", bytes[r]) == 0,
                  "%zu bytes of rank %d", bytes[r], r);
        at += bytes[r];
    }
    free(block);
    free(bytes);
}

/* ---- a scene that grows ---- */

typedef struct result {
    blob moments;
    uint64_t basis;
    size_t n_hysime;
} result;

static xta_status measure(xta_scene *scene, xta_moments *m, xta_array *out, result *r,
                          xta_error *err)
{
    xta_basis_options o = XTA_BASIS_OPTIONS_INIT;
    xta_basis *basis = NULL;
    xta_status status = XTA_OK;

    o.n_components = N_COMPONENTS;
    xta__moments_put(m, &r->moments);
    XTA_TRY(xta_pct(m, &o, &basis, err));
    XTA_TRY(xta_count_hysime(m, &r->n_hysime, err));
    r->basis = xta__basis_identity(basis);
    XTA_TRY(xta_basis_project(basis, scene, NULL, out, err));
done:
    xta_basis_free(basis);
    return status;
}

/* Bounds of the array of scores: those of the scene. */
static xta_array *make_out(const char *name, int64_t front, const grown_scene *g, bool create)
{
    const int64_t bounds[3] = {N_COMPONENTS, N_LINES - front, g->n_samples};
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *out = NULL;
    xta_error err;

    if (create) {
        const xta_growth growth = {1, XTA_FRONT, front};
        XTA_CHECK_OK(xta_array_create(xta_test_path(name), XTA_F64, 3, bounds, NULL, &out, &err),
                     err);
        XTA_CHECK_OK(xta_array_extend(out, &growth, 1, NULL, &err), err);
        return out;
    }
    o.writable = true;
    XTA_CHECK_OK(xta_array_open(xta_test_path(name), &o, &out, &err), err);
    return out;
}

static int64_t front_of(const int64_t *lines)
{
    int64_t front = 0;

    for (int k = 1; k < N_SWATHS; k++) {
        front += k % 3 == 1 ? lines[k] : 0;
    }
    return front;
}

/* All ranks update after each swath, which rank 0 appends. */
static result together(const grown_scene *g, const char *name, const int64_t *lines,
                       const xta_communicator *communicator, int n_threads)
{
    bool lead = communicator->rank == 0;
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_array *written = NULL, *array = NULL, *out = NULL;
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    result r = {{0}, 0, 0};
    xta_error err;
    char out_name[64];

    snprintf(out_name, sizeof out_name, "%s_out", name);
    if (lead) {
        written = grown_make(g, xta_test_path(name), lines[0]);
        XTA_CHECK_OK(xta_array_close(make_out(out_name, front_of(lines), g, true), &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK_OK(xta_array_open(xta_test_path(name), NULL, &array, &err), err);
    out = make_out(out_name, 0, g, false);
    o.communicator = communicator;
    o.n_threads = n_threads;
    XTA_CHECK_OK(xta_scene_open(array, &o, &scene, &err), err);
    XTA_CHECK_OK(xta_moments_new(NULL, &m, &err), err);
    XTA_CHECK_OK(xta_moments_update(m, scene, &err), err);
    for (int k = 1; k < N_SWATHS; k++) {
        if (lead) {
            grown_extend(g, written, k % 3 == 1 ? XTA_FRONT : XTA_BACK, lines[k]);
        }
        XTA_CHECK_OK(xta_scene_refresh(scene, NULL, &err), err);
        XTA_CHECK_OK(xta_moments_update(m, scene, &err), err);
        XTA_CHECK(!xta_moments_inquire(m).restarted, "swath %d", k);
    }
    XTA_CHECK_OK(measure(scene, m, out, &r, &err), err);
    xta_moments_free(m);
    xta_scene_close(scene);
    XTA_CHECK_OK(xta_array_close(out, &err), err);
    XTA_CHECK_OK(xta_array_close(array, &err), err);
    if (lead) {
        XTA_CHECK_OK(xta_array_close(written, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return r;
}

/* Compute the same with one process, in memory, in one update. */
static result alone(const grown_scene *g, const int64_t *lines, xta_array *out)
{
    int64_t front = front_of(lines);
    xta_array *array = grown_make(g, NULL, N_LINES - front);
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    result r = {{0}, 0, 0};
    xta_error err;

    grown_extend(g, array, XTA_FRONT, front);
    XTA_CHECK_OK(xta_scene_open(array, NULL, &scene, &err), err);
    XTA_CHECK_OK(xta_moments_new(NULL, &m, &err), err);
    XTA_CHECK_OK(xta_moments_update(m, scene, &err), err);
    XTA_CHECK_OK(measure(scene, m, out, &r, &err), err);
    xta_moments_free(m);
    xta_scene_close(scene);
    XTA_CHECK_OK(xta_array_close(array, &err), err);
    return r;
}

static double *cells_of(xta_array *array, size_t *n_bytes)
{
    xta_box box = xta_array_bounds(array);
    uint64_t n = 0;
    xta_error err;

    XTA_CHECK_OK(xta_box_cells(&box, &n), err);
    double *cells = malloc(n * sizeof *cells);
    XTA_CHECK_OK(xta_array_read(array, &box, NULL, cells, &err), err);
    *n_bytes = n * sizeof *cells;
    return cells;
}

static void scenes_of_many_ranks(const xta_communicator *communicator)
{
    int64_t lines[N_SWATHS];
    xta_error err;

    grown_swaths(N_LINES, N_SWATHS, lines);
    for (int k = 0; k < 4; k++) {
        grown_scene g = {.type = k % 2 == 0 ? XTA_I16 : XTA_F32,
                         .layout = k,
                         .n_samples = 45,
                         .n_bands = 6,
                         .seed = (uint64_t)k,
                         .holes = true};
        const int64_t bounds[3] = {N_COMPONENTS, N_LINES - front_of(lines), g.n_samples};
        const xta_growth growth = {1, XTA_FRONT, front_of(lines)};
        xta_array *out = NULL;
        char name[32], out_name[64];
        size_t n_shared, n_own;
        snprintf(name, sizeof name, "scene%d", k);
        snprintf(out_name, sizeof out_name, "%s_out", name);
        result shared = together(&g, name, lines, communicator, k / 2 + 1);
        XTA_CHECK_OK(xta_array_new(XTA_F64, 3, bounds, NULL, &out, &err), err);
        XTA_CHECK_OK(xta_array_extend(out, &growth, 1, NULL, &err), err);
        result own = alone(&g, lines, out);
        XTA_CHECK(shared.moments.n == own.moments.n &&
                      memcmp(shared.moments.bytes, own.moments.bytes, own.moments.n) == 0,
                  "moments of scene %d", k);
        XTA_CHECK(shared.basis == own.basis, "basis of scene %d", k);
        XTA_CHECK(shared.n_hysime == own.n_hysime, "%zu and %zu", shared.n_hysime, own.n_hysime);
        xta_array *written = make_out(out_name, 0, &g, false);
        double *a = cells_of(written, &n_shared), *b = cells_of(out, &n_own);
        XTA_CHECK(n_shared == n_own && memcmp(a, b, n_own) == 0, "scores of scene %d", k);
        free(a);
        free(b);
        XTA_CHECK_OK(xta_array_close(written, &err), err);
        XTA_CHECK_OK(xta_array_close(out, &err), err);
        xta__blob_clear(&shared.moments);
        xta__blob_clear(&own.moments);
    }
}

/* An array that only rank 0 finds, and options that differ: all ranks get the same error. */
static void members_that_disagree(const xta_communicator *communicator)
{
    grown_scene g = {.type = XTA_I16, .n_samples = 20, .n_bands = 4};
    xta_array *array = grown_make(
        &g, NULL, 40 - (communicator->rank == communicator->size - 1 ? communicator->rank : 0));
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    const int64_t use[2] = {0, 1 + communicator->rank % 2};
    xta_scene *scene = NULL;
    xta_error err;

    o.communicator = communicator;
    xta_status status = xta_scene_open(array, &o, &scene, &err);
    XTA_CHECK(status == (communicator->size > 1 ? XTA_ESTATE : XTA_OK), "%s",
              xta_status_name(status));
    xta_scene_close(scene);
    XTA_CHECK_OK(xta_array_close(array, &err), err);
    array = grown_make(&g, NULL, 40);
    o.use = use;
    o.n_use = 2;
    status = xta_scene_open(array, &o, &scene, &err);
    XTA_CHECK(status == (communicator->size > 1 ? XTA_ESTATE : XTA_OK), "%s",
              xta_status_name(status));
    xta_scene_close(scene);
    status = xta_scene_open(communicator->rank == 0 ? array : NULL, &o, &scene, &err);
    XTA_CHECK(status == (communicator->size > 1 ? XTA_EARG : XTA_OK), "%s",
              xta_status_name(status));
    xta_scene_close(scene);
    XTA_CHECK_OK(xta_array_close(array, &err), err);
}

int main(int argc, char **argv)
{
    xta_communicator *communicator = NULL;
    xta_error err;

    xta_test_begin(&argc, &argv);
    XTA_CHECK_OK(xta_communicator_mpi(MPI_COMM_WORLD, &communicator, &err), err);
    communicators_gather_and_agree(communicator);
    scenes_of_many_ranks(communicator);
    members_that_disagree(communicator);
    xta_communicator_mpi_free(communicator);
    return xta_test_end();
}

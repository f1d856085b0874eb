/* Stored endmembers that are cut short, damaged or of other options: they are refused or accepted,
 * but never trusted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "endmembers/ppi/ppi.h"
#include "simplex_rig.h"
#include "state/blob.h"

static xta_error err;

/* The specification: one of these. */
typedef struct quest {
    const xta_ppi_options *ppi;
    const xta_simplex_options *simplex;
} quest;

/* An object accepts bytes, or refuses them and is as new; it never crashes. */
static void parse_bytes(const quest *spec, const unsigned char *bytes, size_t n, bool *taken)
{
    xta_ppi *ppi = NULL;
    xta_simplex *simplex = NULL;
    blob_reader r = {.bytes = bytes, .n = n};

    if (spec->ppi != NULL) {
        rig_ok(xta_ppi_new(spec->ppi, &ppi, &err), &err, "new");
    } else {
        rig_ok(xta_simplex_new(spec->simplex, &simplex, &err), &err, "new");
    }
    xta_status status =
        ppi != NULL ? xta__ppi_get(ppi, &r, &err) : xta__simplex_get(simplex, &r, &err);
    assert_true(status == XTA_OK || status == XTA_ESTATE);
    *taken = status == XTA_OK;
    if (status != XTA_OK && simplex != NULL) {
        xta_endmembers e;
        assert_int_equal(xta_simplex_result(simplex, &e, &err), XTA_EARG);
    }
    xta_ppi_free(ppi);
    xta_simplex_free(simplex);
}

static blob bytes_of(const world *w, const quest *spec)
{
    blob b = {0};
    xta_ppi *ppi = NULL;
    xta_simplex *simplex = NULL;
    xta_array *array = world_array(w, w->lo, w->hi);
    xta_scene *scene = world_scene(w, array, &(world_view){.n_threads = 1});

    if (spec->ppi != NULL) {
        rig_ok(xta_ppi_new(spec->ppi, &ppi, &err), &err, "new");
        rig_ok(xta_ppi_update(ppi, scene, &err), &err, "update");
        xta__ppi_put(ppi, &b);
    } else {
        rig_ok(xta_simplex_new(spec->simplex, &simplex, &err), &err, "new");
        rig_ok(xta_simplex_update(simplex, scene, &err), &err, "update");
        xta__simplex_put(simplex, &b);
    }
    xta_ppi_free(ppi);
    xta_simplex_free(simplex);
    xta_scene_close(scene);
    rig_ok(xta_array_close(array, &err), &err, "close");
    return b;
}

static void damaged_bytes(void **state)
{
    uint64_t seed = test_seed("test_hyper_endmembers_bytes", 66), n = test_scale(2000);
    test_random r = test_random_make(seed, 0);
    xta_simplex_options so = XTA_SIMPLEX_OPTIONS_INIT;
    xta_ppi_options po = XTA_PPI_OPTIONS_INIT;
    quest specs[2] = {{.simplex = &so}, {.ppi = &po}};
    world w = {0};
    bool taken;

    (void)state;
    so.n = 3;
    so.n_restarts = 1;
    po.n_skewers = 5;
    po.threshold = 0.01;
    do {
        world_free(&w);
        world_make(&w, &r, (world_size){40, 20, 6});
    } while (world_pixels(&w) < 30 || w.n_bands < 3);
    for (int k = 0; k < 2; k++) {
        blob b = bytes_of(&w, &specs[k]);
        parse_bytes(&specs[k], b.bytes, b.n, &taken);
        assert_true(taken);
        for (size_t cut = 0; cut < b.n; cut += 1 + cut / 50) {
            parse_bytes(&specs[k], b.bytes, cut, &taken);
            assert_false(taken);
        }
        for (uint64_t i = 0; i < n; i++) {
            size_t at = (size_t)test_random_in(&r, 0, (int64_t)b.n - 1);
            unsigned char old = b.bytes[at];
            b.bytes[at] ^= (unsigned char)test_random_in(&r, 1, 255);
            parse_bytes(&specs[k], b.bytes, b.n, &taken);
            b.bytes[at] = old;
        }
        // Bytes of an object with other options.
        so.seed += 1;
        po.seed += 1;
        parse_bytes(&specs[k], b.bytes, b.n, &taken);
        assert_false(taken);
        xta__blob_clear(&b);
    }
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_bytes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

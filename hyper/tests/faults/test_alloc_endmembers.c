/* Every allocation of an update of endmembers is refused once, and every update is stopped at every
 * call of its progress function: nothing leaks, and the object stays unchanged, so that a second
 * attempt gives the same bytes as without the failure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "endmembers/ppi/ppi.h"
#include "property/simplex_rig.h"
#include "state/blob.h"
#include "support/failing_alloc.h"

static xta_error err;

typedef struct subject {
    xta_array *array;
    xta_scene *scene;
    xta_ppi *ppi;
    xta_simplex *simplex;
} subject;

/* The kinds of failure. */
typedef struct trouble {
    uint64_t allocation; // 0: none
    uint64_t stop_at;    // the number of the call that stops; 0: none
    uint64_t asked;
} trouble;

static bool go_on(void *user, const char *what, uint64_t done, uint64_t total)
{
    trouble *t = user;

    (void)what;
    (void)done;
    (void)total;
    return ++t->asked != t->stop_at;
}

/* An object that has read half of the lines of a world, whose other half has been appended. */
static void make(subject *s, const world *w, const xta_ppi_options *ppi,
                 const xta_simplex_options *simplex, trouble *t)
{
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;

    *s = (subject){.array = world_array(w, 0, w->hi / 2)};
    o.progress = go_on;
    o.progress_user = t;
    rig_ok(xta_scene_open(s->array, &o, &s->scene, &err), &err, "open");
    if (ppi != NULL) {
        rig_ok(xta_ppi_new(ppi, &s->ppi, &err), &err, "new");
        rig_ok(xta_ppi_update(s->ppi, s->scene, &err), &err, "update");
    } else {
        rig_ok(xta_simplex_new(simplex, &s->simplex, &err), &err, "new");
        rig_ok(xta_simplex_update(s->simplex, s->scene, &err), &err, "update");
    }
    world_grow(w, s->array, XTA_FRONT, -w->lo);
    world_grow(w, s->array, XTA_BACK, w->hi - w->hi / 2);
    rig_ok(xta_scene_refresh(s->scene, NULL, &err), &err, "refresh");
}

static xta_status update(subject *s)
{
    return s->ppi != NULL ? xta_ppi_update(s->ppi, s->scene, &err)
                          : xta_simplex_update(s->simplex, s->scene, &err);
}

static blob bytes_of(const subject *s)
{
    blob b = {0};

    if (s->ppi != NULL) {
        xta__ppi_put(s->ppi, &b);
    } else {
        xta__simplex_put(s->simplex, &b);
    }
    assert_false(b.failed);
    return b;
}

static void unmake(subject *s)
{
    xta_ppi_free(s->ppi);
    xta_simplex_free(s->simplex);
    xta_scene_close(s->scene);
    rig_ok(xta_array_close(s->array, &err), &err, "close");
}

static void same(const subject *s, const blob *expected)
{
    blob b = bytes_of(s);

    assert_int_equal(b.n, expected->n);
    assert_memory_equal(b.bytes, expected->bytes, b.n);
    xta__blob_clear(&b);
}

/* One failure; false if it did not occur. */
static bool one(const world *w, const xta_ppi_options *ppi, const xta_simplex_options *simplex,
                uint64_t allocation, uint64_t stop_at, const blob *expected)
{
    trouble t = {0};
    subject s;
    int64_t live = failing_alloc_live();

    make(&s, w, ppi, simplex, &t);
    blob before = bytes_of(&s);
    t = (trouble){.allocation = allocation, .stop_at = stop_at};
    failing_alloc_at(allocation, false);
    failing_alloc_arm(true);
    xta_status status = update(&s);
    failing_alloc_arm(false);
    bool happened = allocation > 0 ? failing_alloc_happened() : t.asked >= stop_at;
    failing_alloc_at(0, false);
    // Without memory for products an update continues without them.
    assert_true(status == XTA_OK ||
                (happened && status == (allocation > 0 ? XTA_ENOMEM : XTA_ECANCELLED)));
    if (status != XTA_OK) {
        same(&s, &before);
        t.stop_at = 0;
        rig_ok(update(&s), &err, "update");
    }
    same(&s, expected);
    xta__blob_clear(&before);
    unmake(&s);
    assert_int_equal(failing_alloc_live(), live);
    return happened;
}

static void all_troubles(const world *w, const xta_ppi_options *ppi,
                         const xta_simplex_options *simplex)
{
    trouble none = {0};
    subject s;
    uint64_t n = 1, stops = 1;

    make(&s, w, ppi, simplex, &none);
    rig_ok(update(&s), &err, "update");
    blob expected = bytes_of(&s);
    unmake(&s);
    while (one(w, ppi, simplex, n, 0, &expected)) {
        n++;
    }
    while (one(w, ppi, simplex, 0, stops, &expected)) {
        stops++;
    }
    // An update calls progress and allocates more than once.
    assert_true(n > 10 && stops > 2);
    xta__blob_clear(&expected);
}

static void troubles(void **state)
{
    test_random r = test_random_make(test_seed("test_alloc_endmembers", 71), 0);
    xta_simplex_options so = XTA_SIMPLEX_OPTIONS_INIT;
    xta_ppi_options po = XTA_PPI_OPTIONS_INIT;
    world w = {0};

    (void)state;
    do {
        world_free(&w);
        world_make(&w, &r, (world_size){80, 10, 6});
    } while (w.nodata == 0 || w.lo > -10 || w.hi < 30 || w.n_bands < 4);
    so.n = 3;
    so.n_restarts = 1;
    all_troubles(&w, NULL, &so);
    so.method = XTA_SIMPLEX_VCA;
    all_troubles(&w, NULL, &so);
    po.n_skewers = 20;
    all_troubles(&w, &po, NULL);
    po.threshold = 0.5;
    all_troubles(&w, &po, NULL);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(troubles)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Scenes with a communicator: sources, pieces, and failures of one member.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/pieces.h"
#include "scene/scan.h"
#include "scene_rig.h"
#include "support/thread_communicator.h"
#include "util/try.h"

/* ---- sources, and the failure of one member ---- */

typedef struct faulty {
    int rank;         // of the member; the failure is on rank 1
    int fail_at, n;   // at the fail_at-th read of that member; 0: never
    int64_t line_hi;  // what a refresh shows
    int fail_refresh; // whether the refresh fails on rank 1
} faulty;

static xta_status read_source(void *context, const int64_t lo[3], const int64_t hi[3],
                              double *cells, xta_error *err)
{
    faulty *f = context;

    if (f->rank == 1 && ++f->n == f->fail_at) {
        return xta_error_set(err, XTA_EIO, 5, "the disk of member 1 is gone");
    }
    for (int64_t line = lo[0]; line < hi[0]; line++) {
        for (int64_t sample = lo[1]; sample < hi[1]; sample++) {
            for (int64_t band = lo[2]; band < hi[2]; band++) {
                *cells++ = value_at(line, sample, band);
            }
        }
    }
    return XTA_OK;
}

static xta_status refresh_source(void *context, int64_t lo[3], int64_t hi[3], xta_error *err)
{
    const faulty *f = context;

    (void)lo;
    if (f->fail_refresh && f->rank == 1) {
        return xta_error_set(err, XTA_EIO, 0, "member 1 cannot look");
    }
    hi[0] = f->line_hi;
    return XTA_OK;
}

typedef struct trouble {
    int fail_at;
    int n_members;
    xta_status status[TEST_MEMBERS_MAX];
    xta_error err[TEST_MEMBERS_MAX];
    int64_t line_hi[TEST_MEMBERS_MAX];
    bool wrong[TEST_MEMBERS_MAX];
} trouble;

static void troubled_member(void *user, const xta_communicator *communicator)
{
    trouble *t = user;
    int rank = xta_communicator_rank(communicator);
    static const int64_t use[] = {0, 2};
    xta_error *err = &t->err[rank];
    faulty f = {.rank = rank, .fail_at = t->fail_at, .line_hi = 150};
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = &f,
                               .name = "cells",
                               .hi = {100, 40, 3},
                               .type = XTA_I16,
                               .read = read_source,
                               .refresh = refresh_source};
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    seen part = {0};
    expected e = {{0, 150}, {0, 40}};
    scan_job job = {.what = "look", .user = &e, .tile = inspect_tile, .partials = &part};
    xta_status status = XTA_OK;

    o.communicator = communicator;
    o.use = t->fail_at % 2 == 0 ? use : NULL;
    o.n_use = 2;
    o.memory_bytes = 1 << 20;
    XTA_TRY(xta_scene_of_source(&source, &o, &scene, err));
    XTA_TRY(xta_scene_refresh(scene, NULL, err));
    // The checks of the tile are for bands 0, 1, ...
    e.lines.hi = o.use != NULL ? 0 : 150;
    XTA_TRY(xta__scan(scene, (line_range){0, 150}, &job, err));
    t->wrong[rank] = part.wrong && o.use == NULL;
    f.fail_refresh = 1;
    t->status[rank] = xta_scene_refresh(scene, NULL, err);
    t->wrong[rank] = t->wrong[rank] || (t->n_members > 1 && t->status[rank] != XTA_EIO);
    status = XTA_OK;
done:
    t->line_hi[rank] = scene != NULL ? xta_scene_inquire(scene).line_hi : 0;
    t->status[rank] = status;
    xta_scene_close(scene);
}

/* All members got the same result. */
static void check_ends(const trouble *t)
{
    for (int r = 0; r < t->n_members; r++) {
        assert_int_equal(t->status[r], t->status[0]);
        assert_int_equal(t->line_hi[r], t->line_hi[0]);
        assert_false(t->wrong[r]);
        if (t->status[r] != XTA_OK) {
            assert_int_equal(t->status[r], XTA_EIO);
            assert_string_equal(t->err[r].text, "the disk of member 1 is gone");
        }
    }
}

/* Whichever read fails on member 1, all members get the same status and none waits. */
static void one_member_in_trouble(void **state)
{
    (void)state;
    for (int members = 1; members <= 3; members++) {
        int n_failed = 0;
        for (int fail_at = 0; fail_at < 40; fail_at++) {
            trouble t = {.fail_at = fail_at, .n_members = members};
            test_members_run(members, troubled_member, &t);
            n_failed += t.status[0] != XTA_OK;
            check_ends(&t);
        }
        assert_true(members == 1 ? n_failed == 0 : n_failed >= 4);
    }
}

static xta_status do_piece(void *user, size_t piece, xta_error *err)
{
    unsigned char *done = user;

    done[piece]++;
    return piece == 13 ? xta_error_set(err, XTA_ERANGE, 0, "piece 13") : XTA_OK;
}

typedef struct distributed {
    size_t n;
    unsigned char done[TEST_MEMBERS_MAX][20];
    xta_status status[TEST_MEMBERS_MAX];
} distributed;

static void distribute_pieces(void *user, const xta_communicator *communicator)
{
    distributed *d = user;
    int rank = xta_communicator_rank(communicator);
    faulty f = {.rank = 0};
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = &f,
                               .hi = {4, 4, 1},
                               .type = XTA_I16,
                               .read = read_source};
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;

    o.communicator = communicator;
    o.n_threads = 2;
    d->status[rank] = xta_scene_of_source(&source, &o, &scene, NULL);
    if (d->status[rank] == XTA_OK) {
        d->status[rank] = xta__run_pieces(scene, "pieces", d->n, do_piece, d->done[rank], NULL);
    }
    xta_scene_close(scene);
}

static void pieces_are_distributed(void **state)
{
    (void)state;
    for (size_t n = 0; n < 20; n++) {
        distributed d = {.n = n};
        test_members_run(3, distribute_pieces, &d);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(d.status[r], n > 13 ? XTA_ERANGE : XTA_OK);
        }
        for (size_t k = 0; k < 20; k++) {
            int times = d.done[0][k] + d.done[1][k] + d.done[2][k];
            assert_true(n > 13 ? times <= 1 : times == (k < n));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_member_in_trouble),
        cmocka_unit_test(pieces_are_distributed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

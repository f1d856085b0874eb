/* Every allocation between opening a scene and writing a basis is refused, alone and with all later
 * ones: members of a communicator all get the same status, nothing leaks, and results that are
 * produced have the usual bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parallel/communicator.h"
#include "statistics/basis.h"
#include "statistics/moments.h"
#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/grown_scene.h"
#include "support/thread_communicator.h"
#include "util/try.h"

static const grown_scene world = {
    .type = XTA_F32, .n_samples = 40, .n_bands = 5, .layout = 1, .holes = true};

typedef struct attempt {
    xta_array *array, *out;
    const char *path;
    xta_status status[TEST_MEMBERS_MAX];
    uint64_t basis[TEST_MEMBERS_MAX];
    size_t n_hysime[TEST_MEMBERS_MAX];
} attempt;

static xta_status analyse(attempt *a, const xta_communicator *communicator, xta_scene *scene,
                          xta_moments *m, xta_basis **basis)
{
    int rank = xta_communicator_rank(communicator);
    xta_basis_options o = XTA_BASIS_OPTIONS_INIT;
    xta_status status = XTA_OK;
    size_t hfc;

    o.n_components = 2;
    XTA_TRY(xta_moments_update(m, scene, NULL));
    XTA_TRY(xta__agree(communicator, xta_mnf(m, &o, basis, NULL), NULL));
    XTA_TRY(xta__agree(communicator, xta_count_hysime(m, &a->n_hysime[rank], NULL), NULL));
    XTA_TRY(xta__agree(communicator, xta_count_hfc(m, 1e-3, &hfc, NULL), NULL));
    XTA_TRY(xta_basis_project(*basis, scene, NULL, a->out, NULL));
    XTA_TRY(xta__agree(communicator, rank == 0 ? xta_basis_write(*basis, a->path, NULL) : XTA_OK,
                       NULL));
    xta_basis_free(*basis);
    *basis = NULL;
    XTA_TRY(xta__agree(communicator, xta_basis_read(a->path, basis, NULL), NULL));
    a->basis[rank] = xta__basis_identity(*basis);
done:
    return status;
}

static void member(void *user, const xta_communicator *communicator)
{
    attempt *a = user;
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_moments_options mo = XTA_MOMENTS_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_moments *m = NULL;
    xta_basis *basis = NULL;
    xta_status status = XTA_OK;

    o.communicator = communicator;
    o.n_threads = 2;
    mo.noise = true;
    XTA_TRY(xta_scene_open(a->array, &o, &scene, NULL));
    XTA_TRY(xta_scene_refresh(scene, NULL, NULL));
    XTA_TRY(xta__agree(communicator, xta_moments_new(&mo, &m, NULL), NULL));
    XTA_TRY(analyse(a, communicator, scene, m, &basis));
done:
    a->status[xta_communicator_rank(communicator)] = status;
    xta_basis_free(basis);
    xta_moments_free(m);
    xta_scene_close(scene);
}

/* One attempt; returns whether an allocation was refused in it. */
static bool attempt_with(attempt *a, uint64_t refuse, bool for_good, int n_members)
{
    int64_t live = failing_alloc_live();

    failing_alloc_at(refuse, for_good);
    failing_alloc_arm(true);
    test_members_run(n_members, member, a);
    failing_alloc_arm(false);
    bool refused = failing_alloc_happened();
    failing_alloc_at(0, false);
    assert_int_equal(failing_alloc_live(), live);
    for (int r = 1; r < n_members; r++) {
        assert_int_equal(a->status[r], a->status[0]);
    }
    return refused;
}

/* The result is right or is XTA_ENOMEM. */
static void check_answers(const attempt *a, const attempt *good, int n_members)
{
    for (int r = 0; r < n_members; r++) {
        assert_true(a->status[r] == XTA_OK || a->status[r] == XTA_ENOMEM);
        if (a->status[r] == XTA_OK) {
            assert_int_equal(a->basis[r], good->basis[0]);
            assert_int_equal(a->n_hysime[r], good->n_hysime[0]);
        }
    }
}

static void every_allocation_is_refused(void **state)
{
    const int64_t bounds[3] = {2, 70, 40};
    test_folder folder;
    char path[TEST_PATH_BYTES];
    xta_array *array = grown_make(&world, NULL, 70), *out = NULL;

    (void)state;
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "frozen.basis", path);
    assert_int_equal(xta_array_new(XTA_F64, 3, bounds, NULL, &out, NULL), XTA_OK);
    attempt good = {.array = array, .out = out, .path = path};
    test_members_run(1, member, &good);
    assert_int_equal(good.status[0], XTA_OK);
    for (int k = 0; k < 4; k++) {
        int n_members = 1 + k / 2;
        uint64_t n_failed = 0, n = 1;
        for (bool refused = true; refused; n++) {
            attempt a = {.array = array, .out = out, .path = path};
            refused = attempt_with(&a, n, k % 2 == 1, n_members);
            check_answers(&a, &good, n_members);
            n_failed += a.status[0] != XTA_OK;
        }
        // Strips that cannot be kept are read again instead, so not every refusal is a failure.
        assert_true(n > 60 && n_failed > n / 2);
    }
    test_folder_remove(&folder);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
    assert_int_equal(xta_array_close(out, NULL), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

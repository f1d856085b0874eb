/* Every allocation of AMEE, unmixing and labels is refused, alone and with all later ones: members
 * of a communicator get the same status, nothing leaks, and results that are produced have the
 * usual bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/scene_map.h>
#include <xta/unmix.h>

#include "amee/amee.h"
#include "amee/saved_state.h"
#include "parallel/communicator.h"
#include "state/blob.h"
#include "support/failing_alloc.h"
#include "support/grown_scene.h"
#include "support/random.h"
#include "support/thread_communicator.h"
#include "util/try.h"

/* The last band but one is empty and therefore omitted. */
enum { LINES = 18, SAMPLES = 15, BANDS = 5, P = 3 };

static const grown_scene world = {
    .type = XTA_I16, .n_samples = SAMPLES, .n_bands = BANDS + 1, .layout = 1, .holes = true};

typedef struct attempt {
    xta_array *array;
    xta_status status[TEST_MEMBERS_MAX];
    double endmembers[TEST_MEMBERS_MAX][P * BANDS];
} attempt;

/* Endmembers by AMEE, from a state that was saved and loaded. */
static xta_status find(xta_scene *scene, const xta_communicator *communicator, double *endmembers)
{
    xta_amee_select_options select = XTA_AMEE_SELECT_INIT;
    xta_amee_result result = {0};
    xta_amee *amee = NULL, *other = NULL;
    xta_status status = XTA_OK;
    blob b = {0};

    select.regions = true;
    XTA_TRY(xta__agree(communicator, xta_amee_new(NULL, &amee, NULL), NULL));
    XTA_TRY(xta_amee_update(amee, scene, NULL));
    xta__amee_put(amee, &b);
    XTA_TRY(xta__agree(communicator, b.failed ? XTA_ENOMEM : XTA_OK, NULL));
    XTA_TRY(xta__agree(communicator, xta_amee_new(NULL, &other, NULL), NULL));
    blob_reader reader = {.bytes = b.bytes, .n = b.n};
    XTA_TRY(xta__agree(communicator, xta__amee_get(other, &reader, NULL), NULL));
    XTA_TRY(xta_amee_update(other, scene, NULL));
    XTA_TRY(xta_amee_select(other, scene, P, &select, &result, NULL));
    memcpy(endmembers, result.endmembers, P * BANDS * sizeof *endmembers);
done:
    xta_amee_result_clear(&result);
    xta__blob_clear(&b);
    xta_amee_free(amee);
    xta_amee_free(other);
    return status;
}

static xta_status unmix(xta_scene *scene, const xta_communicator *communicator,
                        const double *endmembers)
{
    static const char *const names[P] = {"one", "two", "three"};
    xta_scene_map_options o = XTA_SCENE_MAP_OPTIONS_INIT;
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    xta_unmixer *unmixer = NULL;
    xta_status status = XTA_OK;

    o.type = XTA_F64;
    XTA_TRY(xta_scene_map_open(scene, &o, &maps.residual, NULL));
    o.type = XTA_U8;
    XTA_TRY(xta_scene_map_open(scene, &o, &maps.labels, NULL));
    o.type = XTA_F32;
    o.n_layers = P;
    o.layer_names = names;
    XTA_TRY(xta_scene_map_open(scene, &o, &maps.abundances, NULL));
    XTA_TRY(xta__agree(communicator, xta_unmixer_new(P, BANDS, endmembers, NULL, &unmixer, NULL),
                       NULL));
    XTA_TRY(xta_unmix_scene(scene, NULL, unmixer, &maps, NULL));
    XTA_TRY(xta_label_scene(scene, NULL, P, endmembers, maps.labels, NULL, NULL));
done:
    xta_unmixer_free(unmixer);
    xta_array_close(maps.residual, NULL);
    xta_array_close(maps.labels, NULL);
    xta_array_close(maps.abundances, NULL);
    return status;
}

static void member(void *user, const xta_communicator *communicator)
{
    attempt *a = user;
    int rank = xta_communicator_rank(communicator);
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_status status = XTA_OK;

    o.communicator = communicator;
    o.n_threads = 2;
    XTA_TRY(xta_scene_open(a->array, &o, &scene, NULL));
    XTA_TRY(find(scene, communicator, a->endmembers[rank]));
    XTA_TRY(unmix(scene, communicator, a->endmembers[rank]));
done:
    a->status[rank] = status;
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
    return refused;
}

/* The result is right, or is XTA_ENOMEM, and the same for all members. */
static void check_answers(const attempt *a, const attempt *good, int n_members)
{
    for (int r = 0; r < n_members; r++) {
        assert_int_equal(a->status[r], a->status[0]);
        assert_true(a->status[r] == XTA_OK || a->status[r] == XTA_ENOMEM);
        if (a->status[r] == XTA_OK) {
            assert_memory_equal(a->endmembers[r], good->endmembers[0], sizeof good->endmembers[0]);
        }
    }
}

static void every_allocation_is_refused(void **state)
{
    xta_array *array = grown_make(&world, NULL, LINES);
    attempt good = {.array = array};

    (void)state;
    test_members_run(1, member, &good);
    assert_int_equal(good.status[0], XTA_OK);
    for (int k = 0; k < 4; k++) {
        int n_members = 1 + k / 2;
        uint64_t n_failed = 0, n_tried = 0, n = 1 + (uint64_t)k % test_stride();
        for (bool refused = true; refused; n += test_stride()) {
            attempt a = {.array = array};
            refused = attempt_with(&a, n, k % 2 == 1, n_members);
            check_answers(&a, &good, n_members);
            n_failed += a.status[0] != XTA_OK;
            n_tried++;
        }
        assert_true(n > 100 && n_failed > n_tried / 2);
    }
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

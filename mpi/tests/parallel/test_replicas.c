/* nprocs: 1 2 3 4; mpich: 2 */
/* Replicas updated with new records equal those updated with the whole state.
 *
 * Random histories: steps of all ranks together, of one rank alone and of other programs, which
 * also compact the journal, set attributes, leave work unfinished, and grow the array together with
 * another one, at once or with a kill in between. After each step of which the ranks are notified,
 * the encoded state of every rank's replica equals that of rank 0's root handle byte for byte, and
 * its addresses are those of a replica newly made from that state.
 *
 * Whether the ranks got records or the state is seen from the address of the structure, which only
 * records leave in place. They must get records if no compaction and no growth of several arrays
 * came in between.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_test.h"

#include <string.h>

#include <xta/parallel.h>
#include <xta/work.h>

#include "parallel/handle/handle.h"
#include "support/random.h"
#include "support/report.h"

#define STEPS_OF_AN_ARRAY 60

/* MPICH waits without yielding, which takes long if the ranks outnumber the processors. */
#ifdef MPICH_VERSION
#define ARRAYS 12
#else
#define ARRAYS 40
#endif

#define MOST_CHUNKS 100000

static test_story story;
static test_random shared; /* the same on all ranks */
static xta_error err;
static char path[1024], partner[1024];
static xta_parallel *p;
static xta_parallel_options options;
/* a growth of several arrays was pending when the ranks were last notified */
static bool waited;
static bool compacted; /* since then */
static bool many;      /* so many records are pending that sending the state may be shorter */
static uint8_t group[XTA__UUID_BYTES];
static int n_added;
static long told[3]; /* calls by the kind of notice: xta__news */

#define OK(call) STORY_OK(&story, call, err)

/* ---- the state on all ranks ---- */

/* The state of rank 0's root handle on all ranks. */
static xta__bytes state_of_root(void)
{
    xta__bytes state = {0};
    long n = 0;

    if (xta_test_rank == 0) {
        OK(xta__replica_encode(p->root, &state, &err));
        n = (long)state.n;
    }
    MPI_Bcast(&n, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    if (xta_test_rank != 0) {
        state.bytes = malloc((size_t)n);
        state.n = state.capacity = (size_t)n;
    }
    MPI_Bcast(state.bytes, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD);
    return state;
}

/* Addresses of random chunks, in both directions, by the replica and by one made from `state`. */
static void compare_addresses(const xta__bytes *state)
{
    xta_array *fresh = NULL;
    test_random own = test_random_make(test_random_u64(&shared), 1 + (uint64_t)xta_test_rank);

    OK(xta__replica_new(path, state, &fresh, &err));
    xta__mapping *mine = &p->array->state.structure->mapping;
    xta__mapping *its = &fresh->state.structure->mapping;
    for (int k = 0; k < 50 && mine->n_chunks > 0; k++) {
        int64_t coord[XTA_MAX_NDIM], back[XTA_MAX_NDIM];
        for (int axis = 0; axis < mine->ndim; axis++) {
            coord[axis] = test_random_in(&own, mine->lo[axis], mine->hi[axis] - 1);
        }
        uint64_t address = xta__mapping_address(mine, coord);
        STORY_CHECK(&story, address == xta__mapping_address(its, coord) && address < its->n_chunks,
                    "rank %d: two addresses of a chunk", xta_test_rank);
        xta__mapping_inverse(mine, address, back);
        STORY_CHECK(&story, memcmp(coord, back, (size_t)mine->ndim * sizeof coord[0]) == 0,
                    "rank %d: the inverse of an address is another chunk", xta_test_rank);
    }
    OK(xta_array_close(fresh, &err));
}

static void check_replicas(void)
{
    xta__bytes state = state_of_root(), mine = {0};

    OK(xta__replica_encode(p->array, &mine, &err));
    STORY_CHECK(&story, mine.n == state.n && memcmp(mine.bytes, state.bytes, state.n) == 0,
                "rank %d: the replica is not what the root handle is (%zu bytes, %zu)",
                xta_test_rank, mine.n, state.n);
    STORY_CHECK(&story,
                p->array->chunk_store->n_chunks == p->array->state.structure->mapping.n_chunks,
                "rank %d: chunks of the chunk_store", xta_test_rank);
    compare_addresses(&state);
    xta__bytes_clear(&mine);
    xta__bytes_clear(&state);
}

/* Whether a growth of several arrays waits for its leader's commit, as seen by rank 0. */
static bool root_waits(void)
{
    bool waits = xta_test_rank == 0 && p->root->state.pending != NULL;

    MPI_Bcast(&waits, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD);
    return waits;
}

/* The kind of the last notice, as far as it can be seen: with records the old structure remains. */
static void note_how(const xta__structure *before, uint64_t steps_before)
{
    const xta__structure *now = p->array->state.structure;
    xta__news how = XTA__NEWS_OF_STATE;
    bool waits = root_waits(), records_would_do = !waited && !compacted && !waits;

    for (const xta__structure *s = now; s != NULL; s = s->retired) {
        how = s == before ? XTA__NEWS_OF_RECORDS : how;
    }
    how = how == XTA__NEWS_OF_RECORDS && now->n_steps == steps_before ? XTA__NO_NEWS : how;
    told[how]++;
    STORY_CHECK(&story, !records_would_do || many || how != XTA__NEWS_OF_STATE,
                "rank %d was told the state where records would do", xta_test_rank);
    STORY_CHECK(&story, records_would_do || how != XTA__NEWS_OF_RECORDS,
                "rank %d was told records that lead nowhere", xta_test_rank);
    waited = waits;
    compacted = many = false;
}

/* ---- steps of all ranks ---- */

static xta_growth random_growth(test_random *random, int ndim, bool more)
{
    return (xta_growth){(int)test_random_in(random, 0, ndim - 1),
                        test_random_chance(random, 50) ? XTA_BACK : XTA_FRONT,
                        more ? test_random_in(random, 0, test_random_chance(random, 10) ? 40 : 5)
                             : 0};
}

static bool has_space(void)
{
    return p->array->state.structure->mapping.n_chunks < MOST_CHUNKS;
}

/* A call of all ranks with a notice; it may be refused only with a status in `allowed`. */
static void finish(xta_status status, xta_status allowed, const xta__structure *before,
                   uint64_t steps_before)
{
    STORY_CHECK(&story, status == XTA_OK || status == allowed, "rank %d: %s: %s", xta_test_rank,
                xta_status_name(status), err.text);
    if (status == XTA_OK) {
        note_how(before, steps_before);
        check_replicas();
    }
}

static void all_extend(void)
{
    const xta__structure *before = p->array->state.structure;
    uint64_t steps = before->n_steps;
    xta_growth growths[4];
    xta_box after = {.ndim = 0};
    int n = (int)test_random_in(&shared, 1, 4), ndim = before->ndim;

    for (int k = 0; k < n; k++) {
        growths[k] = random_growth(&shared, ndim, has_space());
    }
    test_story_add(&story, "all extend: %d growths, first of axis %d by %lld", n, growths[0].axis,
                   (long long)growths[0].by);
    xta_status status = xta_parallel_extend(p, growths, n, &after, &err);
    finish(status, XTA_OK, before, steps);
    xta_box bounds = xta_parallel_bounds(p);
    STORY_CHECK(&story, xta_box_equal(&after, &bounds), "rank %d: `after`", xta_test_rank);
}

static void all_shrink(void)
{
    const xta__structure *before = p->array->state.structure;
    uint64_t steps = before->n_steps;
    xta_box bounds = xta_parallel_bounds(p);
    xta_growth shrink = random_growth(&shared, bounds.ndim, false);

    shrink.by = test_random_in(&shared, 0, (bounds.hi[shrink.axis] - bounds.lo[shrink.axis]) / 2);
    test_story_add(&story, "all shrink axis %d by %lld", shrink.axis, (long long)shrink.by);
    xta_status status = xta_parallel_shrink(p, &shrink, 1, NULL, &err);
    // Others may have removed the cells.
    finish(status, XTA_EBOX, before, steps);
}

static void all_add_axis(void)
{
    const xta__structure *before = p->array->state.structure;
    uint64_t steps = before->n_steps;
    char name[16];

    if (before->ndim >= 5) {
        return;
    }
    int position = (int)test_random_in(&shared, 0, before->ndim);
    snprintf(name, sizeof name, "added%d", n_added++);
    test_story_add(&story, "all add axis %d", position);
    xta_status status = xta_parallel_add_axis(p, position, name, &err);
    finish(status, XTA_OK, before, steps);
}

static void all_refresh(void)
{
    const xta__structure *before = p->array->state.structure;
    uint64_t steps = before->n_steps;
    bool changed = false;

    test_story_add(&story, "refresh");
    finish(xta_parallel_refresh(p, NULL, &err), XTA_OK, before, steps);
    OK(xta_parallel_refresh(p, &changed, &err));
    STORY_CHECK(&story, !changed, "rank %d: a change where there was none", xta_test_rank);
}

static void all_sync(void)
{
    test_story_add(&story, "sync");
    // the root handle may read changes of which the ranks are not notified yet
    OK(xta_parallel_sync(p, &err));
}

static void all_reopen(void)
{
    test_story_add(&story, "close, open again");
    OK(xta_parallel_close(p, &err));
    options.io = test_random_chance(&shared, 50) ? XTA_IO_AUTO : XTA_IO_MPI;
    OK(xta_parallel_open(MPI_COMM_WORLD, path, &options, &p, &err));
    waited = root_waits();
    compacted = many = false;
    check_replicas();
}

/* ---- changes by one process, read by the ranks later ---- */

static xta_array *open_serially(const char *at)
{
    xta_open_options open = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    open.writable = true;
    OK(xta_array_open(at, &open, &array, &err));
    return array;
}

static void set_attributes(xta_array *array, test_random *own)
{
    char name[16], text[200];
    int axis = (int)test_random_in(own, -1, xta_array_ndim(array) - 1);

    snprintf(name, sizeof name, "note%d", (int)test_random_in(own, 0, 5));
    memset(text, 'a' + (int)test_random_in(own, 0, 25), sizeof text);
    text[test_random_in(own, 0, sizeof text - 1)] = '\0';
    text[sizeof text - 1] = '\0';
    switch (test_random_in(own, 0, 3)) {
    case 0:
        OK(xta_attribute_set_text(array, axis, name, text, &err));
        break;
    case 1:
        OK(xta_attribute_set_f64(array, axis, name, 0.5, &err));
        break;
    case 2:
        OK(xta_attribute_set_text(array, axis, name, "short", &err));
        OK(xta_attribute_remove(array, axis, name, &err));
        break;
    default:
        OK(xta_axis_set_unit(array, axis < 0 ? 0 : axis, "m", &err));
    }
}

/* Work that is ended, or left unfinished as after a kill. */
static void do_work(xta_array *array, test_random *own)
{
    xta_growth growth = random_growth(own, xta_array_ndim(array), true);
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    xta_work *work = NULL;

    growth.by++;
    plan.growths = &growth;
    plan.n_growths = 1;
    OK(xta_work_begin(array, &plan, NULL, &work, &err));
    if (test_random_chance(own, 70)) {
        OK(xta_work_end(array, work, &err));
    } else {
        xta_work_abandon(work);
    }
}

static void grow_together(xta_array *array, test_random *own)
{
    xta_array *other = open_serially(partner);
    xta_growth here = random_growth(own, xta_array_ndim(array), true), there = {0, XTA_BACK, 1};
    const xta_array_growth both[2] = {{array, &here, 1}, {other, &there, 1}};

    here.by++;
    OK(xta_arrays_extend(both, 2, NULL, &err));
    OK(xta_array_close(other, &err));
}

static void append_cells(xta_array *array, test_random *own)
{
    xta_box bounds = xta_array_bounds(array);
    xta_growth growth = {(int)test_random_in(own, 0, bounds.ndim - 1), XTA_BACK, 2};
    size_t n = (size_t)growth.by;

    for (int axis = 0; axis < bounds.ndim; axis++) {
        n *= axis == growth.axis ? 1 : (size_t)(bounds.hi[axis] - bounds.lo[axis]);
    }
    int8_t *cells = calloc(n + 1, 1);
    OK(xta_array_append(array, &growth, NULL, cells, NULL, &err));
    free(cells);
}

/* The step that the process leading a growth of several arrays reached before it was killed. */
static void announce(xta_array *array, test_random *own)
{
    xta_array *leader = open_serially(partner);
    xta_growth growth = random_growth(own, xta_array_ndim(array), true);
    xta__prepare_record *record = calloc(1, sizeof *record);
    xta__growing growing;
    xta__bytes payload = {0};

    growth.by++;
    OK(xta__change_begin(array, &err));
    OK(xta__grow_prepare(&growing, array, &growth, 1, &err));
    memcpy(record->group, group, sizeof group);
    memcpy(record->leader, leader->journal.uuid, sizeof record->leader);
    snprintf(record->path, sizeof record->path, "%s", strrchr(leader->journal_file, '/') + 1);
    record->growth = *growing.record;
    xta__encode_prepare(record, &payload);
    OK(xta__commit(array, XTA__RECORD_PREPARE, &payload, &err));
    // The handle knows addresses that the journal does not, so it is discarded, like that of a
    // killed process.
    xta__break(array);
    xta__change_end(array);
    xta__bytes_clear(&payload);
    free(record);
    OK(xta_array_close(leader, &err));
}

static void commit_announced(void)
{
    xta_array *leader = open_serially(partner);
    xta__bytes payload = {0};

    OK(xta__change_begin(leader, &err));
    xta__encode_group(group, &payload);
    OK(xta__commit(leader, XTA__RECORD_COMMIT, &payload, &err));
    xta__change_end(leader);
    xta__bytes_clear(&payload);
    OK(xta_array_close(leader, &err));
}

enum deed { EXTENDS, SHRINKS, ADDS_AXIS, NOTES, WORKS, TOGETHER, APPENDS, EXTENDS_OFTEN, N_DEEDS };
static const char *const deeds[N_DEEDS] = {"extends",      "shrinks",
                                           "adds an axis", "sets attributes",
                                           "works",        "extends it with another",
                                           "appends",      "extends it often"};

static void do_deed(enum deed deed, uint64_t draw)
{
    test_random own = test_random_make(draw, 0);
    xta_array *array = open_serially(path);
    xta_growth growth = random_growth(&own, xta_array_ndim(array), true);
    char name[16];

    switch (deed) {
    case SHRINKS:
        growth.by = 0;
        OK(xta_array_shrink(array, &growth, 1, NULL, &err));
        growth.by = xta_array_bounds(array).hi[0] > xta_array_bounds(array).lo[0];
        growth.axis = 0;
        OK(xta_array_shrink(array, &growth, 1, NULL, &err));
        break;
    case ADDS_AXIS:
        snprintf(name, sizeof name, "added%d", n_added);
        OK(xta_array_add_axis(array, 0, name, &err));
        break;
    case NOTES:
        set_attributes(array, &own);
        break;
    case WORKS:
        do_work(array, &own);
        break;
    case TOGETHER:
        grow_together(array, &own);
        break;
    case APPENDS:
        append_cells(array, &own);
        break;
    default:
        for (int k = 0; k < (deed == EXTENDS_OFTEN ? 1500 : 1); k++) {
            OK(xta_array_extend(array, &growth, 1, NULL, &err));
            growth.by = 1;
        }
    }
    OK(xta_array_close(array, &err));
}

static void one_foreign(void)
{
    int who = (int)test_random_in(&shared, 0, xta_test_ranks - 1);
    uint64_t draw = test_random_u64(&shared);
    enum deed deed = (enum deed)test_random_in(&shared, 0, N_DEEDS - 1);

    if (!has_space() || (deed == ADDS_AXIS && p->array->state.structure->ndim >= 4) ||
        (deed == EXTENDS_OFTEN && test_random_chance(&shared, 70))) {
        deed = NOTES;
    }
    test_story_add(&story, "another program %s", deeds[deed]);
    if (xta_test_rank == who) {
        do_deed(deed, draw);
    }
    n_added += deed == ADDS_AXIS;
    many = many || deed == EXTENDS_OFTEN;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void one_alone(void)
{
    int who = (int)test_random_in(&shared, 0, xta_test_ranks - 1);
    xta_growth growth = random_growth(&shared, p->array->state.structure->ndim, has_space());

    growth.by++;
    test_story_add(&story, "rank %d alone: axis %d by %lld", who, growth.axis,
                   (long long)growth.by);
    if (xta_test_rank == who) {
        OK(xta_parallel_extend_alone(p, &growth, 1, NULL, &err));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void one_compacts(void)
{
    test_story_add(&story, "another program compacts");
    if (xta_test_rank == xta_test_ranks - 1) {
        OK(xta_compact(path, NULL, NULL, &err));
    }
    compacted = true;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A growth with another array, cut off; the ranks may refresh in between, and the leader may have
 * committed it. */
static void one_is_killed(void)
{
    uint64_t draw = test_random_u64(&shared);
    bool inspect = test_random_chance(&shared, 50), commit = test_random_chance(&shared, 60);

    test_story_add(&story, "a growth of two arrays is cut off%s%s", inspect ? ", refresh" : "",
                   commit ? ", done all the same" : "");
    for (size_t k = 0; k < sizeof group; k++) {
        group[k] = (uint8_t)test_random_u64(&shared);
    }
    if (xta_test_rank == 0) {
        test_random own = test_random_make(draw, 0);
        xta_array *array = open_serially(path);
        announce(array, &own);
        OK(xta_array_close(array, &err));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (inspect) {
        all_refresh();
    }
    if (commit && xta_test_rank == 0) {
        commit_announced();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (inspect || test_random_chance(&shared, 50)) {
        all_refresh();
    }
}

/* ---- histories ---- */

typedef struct weighted_step {
    int weight;
    void (*take)(void);
} weighted_step;

static const weighted_step steps[] = {
    {20, all_extend}, {6, all_shrink},   {2, all_add_axis}, {10, all_refresh}, {2, all_sync},
    {2, all_reopen},  {14, one_foreign}, {8, one_alone},    {2, one_compacts}, {3, one_is_killed}};
#define N_STEPS (sizeof steps / sizeof steps[0])

static void take_random_step(void)
{
    int total = 0;
    size_t k = 0;

    for (size_t i = 0; i < N_STEPS; i++) {
        total += steps[i].weight;
    }
    int at = (int)test_random_in(&shared, 0, total - 1);
    while (at >= steps[k].weight) {
        at -= steps[k++].weight;
    }
    steps[k].take();
}

static void create_arrays(void)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    int64_t bounds[3], chunk[3];
    int ndim = (int)test_random_in(&shared, 1, 3);
    xta_array *other = NULL;

    for (int axis = 0; axis < ndim; axis++) {
        bounds[axis] = test_random_in(&shared, 0, 6);
        chunk[axis] = (int64_t)1 << test_random_in(&shared, 0, 2);
    }
    create.chunk = chunk;
    create.order = (xta_order)test_random_in(&shared, XTA_ROW, XTA_HILBERT);
    create.policy = (xta_policy)test_random_in(&shared, XTA_EXACT, XTA_LINEAR);
    create.policy_amount = 2;
    options = (xta_parallel_options)XTA_PARALLEL_OPTIONS_INIT;
    options.writable = true;
    options.io = test_random_chance(&shared, 50) ? XTA_IO_AUTO : XTA_IO_MPI;
    n_added = 0;
    waited = compacted = many = false;
    OK(xta_parallel_create(MPI_COMM_WORLD, path, XTA_I8, ndim, bounds, &create, &options, &p,
                           &err));
    if (xta_test_rank == 0) {
        const int64_t one = 1;
        OK(xta_array_create(partner, XTA_I8, 1, &one, NULL, &other, &err));
        OK(xta_array_close(other, &err));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check_replicas();
}

/* ---- errors ---- */

static void create_plain(const char *name)
{
    const int64_t bounds[2] = {4, 4};

    options = (xta_parallel_options)XTA_PARALLEL_OPTIONS_INIT;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(name), XTA_I8, 2, bounds, NULL,
                                     &options, &p, &err),
                 err);
}

/* One replica is not in the state that rank 0 expects: all ranks get an error, and none goes on. */
static void test_strayed_rank(void)
{
    const xta_growth growth = {0, XTA_BACK, 4};

    create_plain("strayed");
    p->array->state.structure->n_steps += xta_test_rank == xta_test_ranks - 1;
    XTA_CHECK_STATUS(xta_parallel_extend(p, &growth, 1, NULL, &err), XTA_ESTATE, err);
    XTA_CHECK(strstr(err.text, "this rank is at step 2, rank 0 at step 1") != NULL, "%s", err.text);
    XTA_CHECK_STATUS(xta_parallel_refresh(p, NULL, &err), XTA_ESTATE, err);
    XTA_CHECK(strstr(err.text, "an earlier failure") != NULL, "%s", err.text);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* If rank 0 refuses a call, all ranks get its error text or, if it asked for none, the name of the
 * status; and nothing has changed. */
static void test_refused_by_first(void)
{
    const xta_growth shrink = {1, XTA_BACK, 5};
    bool first = xta_test_rank == 0, changed = true;

    create_plain("refused");
    XTA_CHECK_STATUS(xta_parallel_shrink(p, &shrink, 1, NULL, &err), XTA_EBOX, err);
    XTA_CHECK(strstr(err.text, "cannot shrink by 5 cells") != NULL, "%s", err.text);
    XTA_CHECK(xta_parallel_shrink(p, &shrink, 1, NULL, first ? NULL : &err) == XTA_EBOX,
              "no error%s", "");
    XTA_CHECK(first || strcmp(err.text, "rank 0 failed: XTA_EBOX") == 0, "%s", err.text);
    XTA_CHECK_OK(xta_parallel_refresh(p, &changed, &err), err);
    XTA_CHECK(!changed && xta_parallel_bounds(p).hi[1] == 4, "a refused step has changed it%s", "");
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

int main(int argc, char **argv)
{
    const char *only = getenv("XTA_PART");

    xta_test_begin(&argc, &argv);
    test_strayed_rank();
    test_refused_by_first();
    uint64_t seed = test_seed("test_replicas", 20261123);
    uint64_t n = test_scale(ARRAYS), part = only != NULL ? strtoull(only, NULL, 0) : 0, done = 0;
    snprintf(path, sizeof path, "%s", xta_test_path("replicated"));
    snprintf(partner, sizeof partner, "%s", xta_test_path("partner"));
    do {
        test_story_begin(&story, "test_replicas", seed, part);
        shared = test_random_make(seed, part);
        create_arrays();
        for (int k = 0; k < STEPS_OF_AN_ARRAY; k++) {
            take_random_step();
        }
        OK(xta_parallel_close(p, &err));
        if (xta_test_rank == 0) {
            OK(xta_check(path, NULL, NULL, &err));
            OK(xta_array_delete(path, &err));
            OK(xta_array_delete(partner, &err));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        done++;
        part++;
    } while (only == NULL && done < n);
    XTA_CHECK(only != NULL || (told[XTA__NEWS_OF_RECORDS] > 0 && told[XTA__NEWS_OF_STATE] > 0),
              "%ld calls told records, %ld a state", told[XTA__NEWS_OF_RECORDS],
              told[XTA__NEWS_OF_STATE]);
    if (xta_test_rank == 0) {
        printf("%d arrays of %d steps: records told %ld times, the state %ld times, nothing (or "
               "no step) %ld times\n",
               (int)done, STEPS_OF_AN_ARRAY, told[XTA__NEWS_OF_RECORDS], told[XTA__NEWS_OF_STATE],
               told[XTA__NO_NEWS]);
    }
    return xta_test_end();
}

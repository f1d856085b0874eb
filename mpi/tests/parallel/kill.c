/* One rank is killed at a random moment: the two programs of kill.sh.
 *
 * `kill go FOLDER IO SEED`, under mpirun: the ranks create an array and together carry out a random
 * script on it: growth by all or by one, shrinking, collective and independent writes, sync. The
 * script depends on the seed alone. A rank writes its process id into `pid.<rank>` before it
 * begins, and the number of each step into `trail.<rank>` when the step has ended on that rank, so
 * the files show what had been written before and after every sync. At the end of the script the
 * ranks wait until they are killed.
 *
 * `kill judge FOLDER SEED RANKS`, alone and with the serial library: follows the script on a model
 * up to the last step that any rank has completed, and the next one, which may have been in
 * progress. The array opens, xta_check finds nothing, the bounds are those before or after that
 * step, each cell has the value of the last sync that returned on some rank, or one that was
 * written later, and the array can be grown and written again.
 *
 * A value encodes the step that wrote it and a part of its coordinate, so a value in the wrong cell
 * is detected, too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/parallel.h>

#include "support/random.h"

#define FILL  (-7)
#define STEPS 400
#define LEAST (-24) /* coordinates stay within LEAST and MOST */
#define MOST  40
#define WIDE  (MOST - LEAST)

/* ---- the script ---- */

typedef enum kind { GROW, GROW_ALONE, SHRINK, WRITE, WRITE_ALONE, SYNC } kind;

typedef struct step {
    kind kind;
    xta_growth growths[2];
    int n;
    xta_box box;    /* of a write: the shares of all ranks together */
    xta_box bounds; /* after it */
    int rank;       /* the rank that grows alone, modulo the number of ranks */
} step;

static const int64_t first_bounds[2] = {6, 9};

static void choose_growths(test_random *random, step *s)
{
    s->n = (int)test_random_in(random, 1, 2);
    for (int k = 0; k < s->n; k++) {
        xta_growth *g = &s->growths[k];
        bool shrinks = s->kind == SHRINK;
        g->axis = (int)test_random_in(random, 0, 1);
        g->side = test_random_chance(random, 40) ? XTA_FRONT : XTA_BACK;
        int64_t *end = g->side == XTA_FRONT ? &s->bounds.lo[g->axis] : &s->bounds.hi[g->axis];
        int64_t length = s->bounds.hi[g->axis] - s->bounds.lo[g->axis];
        int64_t slack = g->side == XTA_FRONT ? *end - LEAST : MOST - *end;
        int64_t most = shrinks ? length / 2 : slack < 5 ? slack : 5;
        g->by = test_random_in(random, 0, most);
        *end += (g->side == XTA_FRONT) == shrinks ? g->by : -g->by;
    }
}

/* The next step, from the bounds after the one before. */
static step next_step(test_random *random, const xta_box *bounds)
{
    static const kind kinds[] = {GROW,  GROW,        GROW_ALONE, SHRINK, WRITE,
                                 WRITE, WRITE_ALONE, WRITE,      SYNC,   SYNC};
    step s = {.bounds = *bounds, .box = *bounds};

    s.kind = kinds[test_random_in(random, 0, 9)];
    s.rank = (int)test_random_in(random, 0, 11);
    if (s.kind <= SHRINK) {
        choose_growths(random, &s);
    }
    for (int axis = 0; axis < 2 && (s.kind == WRITE || s.kind == WRITE_ALONE); axis++) {
        s.box.lo[axis] = test_random_in(random, bounds->lo[axis], bounds->hi[axis] - 1);
        s.box.hi[axis] = test_random_in(random, s.box.lo[axis] + 1, bounds->hi[axis]);
    }
    return s;
}

static int32_t value_of(int k, int64_t i, int64_t j)
{
    return (int32_t)(k * 4096 + ((i - LEAST) * WIDE + (j - LEAST)) % 4096);
}

/* ---- the ranks ---- */

typedef struct ranks {
    const char *folder;
    int rank, n_ranks, trail;
    xta_parallel *p;
    xta_error err;
} ranks;

static void name_of(char name[], size_t n, const char *folder, const char *what, int rank)
{
    snprintf(name, n, "%s/%s.%d", folder, what, rank);
}

/* A rank whose call fails writes that to a file for the judge. */
static void succeed(ranks *t, xta_status status, const char *what)
{
    char name[1024];

    if (status == XTA_OK) {
        return;
    }
    name_of(name, sizeof name, t->folder, "failed", t->rank);
    FILE *file = fopen(name, "w");
    if (file != NULL) {
        fprintf(file, "rank %d: %s: %s\n", t->rank, what, t->err.text);
        fclose(file);
    }
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void write_share(ranks *t, const step *s, int k)
{
    static int32_t cells[WIDE * WIDE];
    xta_box mine = s->box;
    int64_t rows = mine.hi[0] - mine.lo[0];
    int32_t *cell = cells;

    mine.lo[0] = s->box.lo[0] + rows * t->rank / t->n_ranks;
    mine.hi[0] = s->box.lo[0] + rows * (t->rank + 1) / t->n_ranks;
    for (int64_t i = mine.lo[0]; i < mine.hi[0]; i++) {
        for (int64_t j = mine.lo[1]; j < mine.hi[1]; j++) {
            *cell++ = value_of(k, i, j);
        }
    }
    if (s->kind == WRITE) {
        succeed(t, xta_parallel_write_all(t->p, &mine, NULL, cells, &t->err), "write_all");
    } else {
        succeed(t, xta_parallel_write(t->p, &mine, NULL, cells, &t->err), "write");
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void carry_out(ranks *t, const step *s, int k)
{
    switch (s->kind) {
    case GROW:
        succeed(t, xta_parallel_extend(t->p, s->growths, s->n, NULL, &t->err), "extend");
        break;
    case GROW_ALONE:
        if (t->rank == s->rank % t->n_ranks) {
            succeed(t, xta_parallel_extend_alone(t->p, s->growths, s->n, NULL, &t->err),
                    "extend_alone");
        }
        succeed(t, xta_parallel_refresh(t->p, NULL, &t->err), "refresh");
        break;
    case SHRINK:
        succeed(t, xta_parallel_shrink(t->p, s->growths, s->n, NULL, &t->err), "shrink");
        break;
    case SYNC:
        succeed(t, xta_parallel_sync(t->p, &t->err), "sync");
        break;
    default:
        write_share(t, s, k);
    }
}

static void begin(ranks *t, xta_parallel_io io)
{
    static const int64_t chunk[2] = {4, 8};
    static const int32_t fill = FILL;
    char name[1024];
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;

    name_of(name, sizeof name, t->folder, "trail", t->rank);
    t->trail = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
    name_of(name, sizeof name, t->folder, "pid", t->rank);
    FILE *file = fopen(name, "w");
    if (t->trail < 0 || file == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 4);
    } else {
        fprintf(file, "%ld\n", (long)getpid());
        fclose(file);
    }
    create.chunk = chunk;
    create.fill = &fill;
    options.io = io;
    options.buffer_bytes = 700; // Several rounds for a call.
    snprintf(name, sizeof name, "%s/a", t->folder);
    succeed(t,
            xta_parallel_create(MPI_COMM_WORLD, name, XTA_I32, 2, first_bounds, &create, &options,
                                &t->p, &t->err),
            "create");
}

/* The number of a step that has ended here. */
static void leave_trail(ranks *t, int k)
{
    int32_t number = k;

    if (write(t->trail, &number, sizeof number) != (ssize_t)sizeof number) {
        MPI_Abort(MPI_COMM_WORLD, 4);
    }
}

static _Noreturn void go(const char *folder, xta_parallel_io io, uint64_t seed)
{
    ranks t = {.folder = folder};
    test_random random = test_random_make(seed, 0);
    xta_box bounds = {.ndim = 2, .hi = {first_bounds[0], first_bounds[1]}};

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t.n_ranks);
    begin(&t, io);
    leave_trail(&t, 0);
    for (int k = 1; k <= STEPS; k++) {
        step s = next_step(&random, &bounds);
        carry_out(&t, &s, k);
        leave_trail(&t, k);
        bounds = s.bounds;
    }
    for (;;) {
        pause();
    }
}

/* ---- the judge ---- */

/* The values that a cell may hold: fill, if allowed, and those of any write from `since` on. */
typedef struct cell {
    int since;
    int last; /* the first such write; 0: none since the cell came into the bounds */
    bool fill;
} cell;

typedef struct judge {
    step steps[STEPS + 1];
    cell cells[WIDE][WIDE];
    int told; /* the last step that has ended on some rank; -1: none, not even the creation */
    int n;    /* number of steps that may have begun */
} judge;

static void blame(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

static bool covers(const xta_box *box, int64_t i, int64_t j)
{
    return i >= box->lo[0] && i < box->hi[0] && j >= box->lo[1] && j < box->hi[1];
}

static int last_told(const char *folder, int n_ranks)
{
    int told = -1;

    for (int rank = 0; rank < n_ranks; rank++) {
        char name[1024];
        int32_t k = 0;
        name_of(name, sizeof name, folder, "trail", rank);
        FILE *file = fopen(name, "r");
        while (file != NULL && fread(&k, sizeof k, 1, file) == 1) {
            told = k > told ? k : told;
        }
        if (file != NULL) {
            fclose(file);
        }
        name_of(name, sizeof name, folder, "failed", rank);
        blame(access(name, F_OK) != 0, "no call fails");
    }
    return told;
}

static void follow_cell(cell *c, const step *s, int k, int64_t i, int64_t j)
{
    if (!covers(&s->bounds, i, j)) {
        *c = (cell){.since = k, .fill = true};
    } else if ((s->kind == WRITE || s->kind == WRITE_ALONE) && covers(&s->box, i, j)) {
        c->last = k;
    } else if (s->kind == SYNC && c->last > 0) {
        c->since = c->last;
        c->fill = false;
    }
}

static void follow(judge *g, int k)
{
    for (int64_t i = LEAST; i < MOST; i++) {
        for (int64_t j = LEAST; j < MOST; j++) {
            follow_cell(&g->cells[i - LEAST][j - LEAST], &g->steps[k], k, i, j);
        }
    }
}

/* The script up to the step that may have been in progress, and the cells up to the step before
 * it. */
static void retrace(judge *g, uint64_t seed)
{
    test_random random = test_random_make(seed, 0);
    cell *c = &g->cells[0][0];

    for (int k = 0; k < WIDE * WIDE; k++) {
        c[k].fill = true;
    }
    g->steps[0].bounds = (xta_box){.ndim = 2, .hi = {first_bounds[0], first_bounds[1]}};
    follow(g, 0);
    for (int k = 1; k <= g->told + 1 && k <= STEPS; k++) {
        g->n = k;
        g->steps[k] = next_step(&random, &g->steps[k - 1].bounds);
        if (k <= g->told) {
            follow(g, k);
        }
    }
}

static bool possible(const judge *g, int64_t i, int64_t j, int32_t value)
{
    const cell *c = &g->cells[i - LEAST][j - LEAST];
    int k = value / 4096;

    if (value == FILL) {
        return c->fill;
    }
    return value > 0 && k >= c->since && k >= 1 && k <= g->n && value == value_of(k, i, j) &&
           (g->steps[k].kind == WRITE || g->steps[k].kind == WRITE_ALONE) &&
           covers(&g->steps[k].box, i, j);
}

static void judge_cells(const judge *g, xta_array *array, const xta_box *bounds)
{
    static int32_t values[WIDE * WIDE];
    const int32_t *value = values;
    xta_error err;
    char text[256];

    blame(xta_array_read(array, bounds, NULL, values, &err) == XTA_OK, "the cells can be read");
    for (int64_t i = bounds->lo[0]; i < bounds->hi[0]; i++) {
        for (int64_t j = bounds->lo[1]; j < bounds->hi[1]; j++, value++) {
            const cell *c = &g->cells[i - LEAST][j - LEAST];
            snprintf(text, sizeof text,
                     "cell %d,%d holds step %d (value %d); told %d; since %d, last write %d, %s",
                     (int)i, (int)j, *value / 4096, (int)*value, g->told, c->since, c->last,
                     c->fill ? "or fill" : "not fill");
            blame(possible(g, i, j, *value), text);
        }
    }
}

/* The array can be used further. */
static void go_on(const char *path)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    xta_growth growth = {0, XTA_BACK, 3};
    xta_box box;
    int32_t out[3 * WIDE], in[3 * WIDE];

    options.writable = true;
    blame(xta_array_open(path, &options, &array, &err) == XTA_OK, "it opens for writing");
    blame(xta_array_extend(array, &growth, 1, &box, &err) == XTA_OK, "it grows again");
    box.lo[0] = box.hi[0] - 3;
    blame(xta_array_read(array, &box, NULL, in, &err) == XTA_OK, "new cells can be read");
    size_t n = (size_t)(3 * (box.hi[1] - box.lo[1]));
    for (size_t k = 0; k < n; k++) {
        blame(in[k] == FILL, "new cells are fill");
        out[k] = (int32_t)k;
    }
    blame(xta_array_write(array, &box, NULL, out, &err) == XTA_OK, "new cells can be written");
    blame(xta_array_read(array, &box, NULL, in, &err) == XTA_OK &&
              memcmp(in, out, n * sizeof in[0]) == 0,
          "new cells hold what was written");
    blame(xta_array_close(array, &err) == XTA_OK, "it closes");
}

static int inspect(const char *folder, uint64_t seed, int n_ranks)
{
    static judge g;
    xta_array *array = NULL;
    xta_error err = {0};
    char path[1024];

    snprintf(path, sizeof path, "%s/a", folder);
    g.told = last_told(folder, n_ranks);
    xta_status status = xta_array_open(path, NULL, &array, &err);
    if (status == XTA_ENOENT && g.told < 0) {
        printf("killed while creating\n");
        return 0;
    }
    snprintf(path, sizeof path, "it opens: %s", err.text);
    blame(status == XTA_OK, path);
    retrace(&g, seed);
    xta_box bounds = xta_array_bounds(array);
    const step *last = &g.steps[g.told > 0 ? g.told : 0], *next = &g.steps[g.n];
    bool before = xta_box_equal(&bounds, &last->bounds);
    snprintf(path, sizeof path, "the bounds %d:%d, %d:%d are those after step %d or %d",
             (int)bounds.lo[0], (int)bounds.hi[0], (int)bounds.lo[1], (int)bounds.hi[1], g.told,
             g.n);
    blame(before || xta_box_equal(&bounds, &next->bounds), path);
    if (!before) {
        follow(&g, g.n);
    }
    judge_cells(&g, array, &bounds);
    blame(xta_array_close(array, &err) == XTA_OK, "it closes");
    snprintf(path, sizeof path, "%s/a", folder);
    blame(xta_check(path, NULL, NULL, &err) == XTA_OK, err.text);
    go_on(path);
    printf("killed after step %d\n", g.told);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "go") == 0) {
        go(argv[2], (xta_parallel_io)atoi(argv[3]), strtoull(argv[4], NULL, 10));
    }
    if (argc == 5 && strcmp(argv[1], "judge") == 0) {
        return inspect(argv[2], strtoull(argv[3], NULL, 10), atoi(argv[4]));
    }
    fprintf(stderr, "kill go FOLDER IO SEED | kill judge FOLDER SEED RANKS\n");
    return 2;
}

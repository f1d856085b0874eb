/* The stock Disk Resident Arrays of Global Arrays. Cells come from a global array that is
 * distributed like the other sides' boxes, and the typical request is set to such a box. The
 * numbers of files and of I/O processes are the library's own choice, which is one for each rank if
 * it considers the ranks to share no memory.
 *
 * Growth is not supported, so a larger disk array is created, the old one is read into a global
 * array and written into the new one. The global arrays are made outside the timed part. For such
 * arrays the typical request is a small cube: then their chunks stay nearly the same while they
 * grow. With the new part as request they do not, and copying takes ten times as long.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dra.h>
#include <ga.h>
#include <macdecls.h>

#define MOST_ARRAYS 8

static bool begun;
static int disk = -1;   // the disk array
static int memory;      // the global array of the section; 0: none
static int carrier;     // the global array through which an old disk array is copied
static int former = -1; // the disk array that a larger one has replaced
static int generation;  // the files before and after growth have different names
static xta_box local;   // the part of the section in this rank's part of `memory`

static void checked(int64_t code, const char *call)
{
    if (code != 0) {
        bench_die("DRA failed in %s: %lld", call, (long long)code);
    }
}
#define DRA(call) checked((int64_t)(call), #call)

static void begin_once(void)
{
    if (!begun) {
        GA_Initialize();
        DRA(DRA_Init(MOST_ARRAYS, -1, -1, -1));
        begun = true;
    }
}

static void dra_finish(void)
{
    if (begun) {
        DRA(DRA_Terminate());
        GA_Terminate();
    }
}

static char *name_of(char path[SIDE_PATH_BYTES], int number)
{
    char name[32];

    snprintf(name, sizeof name, "dra%d", number);
    return side_path(path, name);
}

/* The cuts between the boxes of the section, in the form required by irregular global arrays: for
 * each axis the first cells of its blocks, ascending. */
static void make_map(const task *t, int blocks[], int map[])
{
    int n = 0;

    for (int axis = 0; axis < AXES; axis++) {
        int first = n;
        for (int64_t at = t->section.lo[axis]; at < t->section.hi[axis];) {
            int64_t next = t->section.hi[axis];
            map[n++] = (int)(at - t->section.lo[axis]);
            for (int rank = 0; rank < t->n_ranks; rank++) {
                int64_t lo = t->boxes[rank].lo[axis];
                next = lo > at && lo < next ? lo : next;
            }
            at = next;
        }
        blocks[axis] = n - first;
    }
}

/* Make the global array of the section, and find in `local` this rank's part of it. */
static void dra_take(const task *t)
{
    int lengths[AXES], blocks[AXES], lo[AXES], hi[AXES];
    int *map = calloc((size_t)t->n_ranks * AXES + AXES, sizeof map[0]);

    if (map == NULL) {
        bench_die("no memory");
    }
    for (int axis = 0; axis < AXES; axis++) {
        lengths[axis] = (int)(t->section.hi[axis] - t->section.lo[axis]);
    }
    make_map(t, blocks, map);
    if (memory != 0) {
        GA_Destroy(memory);
    }
    memory = NGA_Create_irreg(C_DBL, AXES, lengths, "section", blocks, map);
    free(map);
    if (memory == 0) {
        bench_die("cannot create a global array");
    }
    NGA_Distribution(memory, GA_Nodeid(), lo, hi);
    local = t->section;
    for (int axis = 0; axis < AXES; axis++) {
        local.hi[axis] = t->section.lo[axis] + hi[axis] + 1;
        local.lo[axis] = t->section.lo[axis] + lo[axis];
    }
}

/* This rank's cells, dense in memory; NULL if it has none. */
static double *access_local(void)
{
    int lo[AXES], hi[AXES], steps[AXES];
    double *cells = NULL;

    NGA_Distribution(memory, GA_Nodeid(), lo, hi);
    if (lo[0] >= 0 && hi[0] >= lo[0]) {
        NGA_Access(memory, lo, hi, &cells, steps);
    }
    return cells;
}

static void release_local(void)
{
    int lo[AXES], hi[AXES];

    NGA_Distribution(memory, GA_Nodeid(), lo, hi);
    if (lo[0] >= 0 && hi[0] >= lo[0]) {
        NGA_Release_update(memory, lo, hi);
    }
    GA_Sync();
}

static void dra_fill(const task *t)
{
    double *cells = access_local();
    (void)t;

    if (cells != NULL) {
        bench_fill(&local, cells);
    }
    release_local();
}

static void dra_clear(const task *t)
{
    (void)t;
    GA_Zero(memory);
}

static void dra_verify(const task *t)
{
    double *cells = access_local();
    (void)t;

    if (cells != NULL) {
        bench_verify(&local, cells, "DRA");
    }
    release_local();
}

static int create_disk(const task *t)
{
    dra_size_t lengths[AXES], request[AXES];
    char path[SIDE_PATH_BYTES], name[] = "cells";
    int array = -1;

    for (int axis = 0; axis < AXES; axis++) {
        lengths[axis] = t->bounds[axis];
        request[axis] =
            t->growing ? 2 * t->chunk[axis] : t->boxes[0].hi[axis] - t->boxes[0].lo[axis];
    }
    DRA(NDRA_Create(C_DBL, AXES, lengths, name, name_of(path, generation), DRA_RW, request,
                    &array));
    return array;
}

static void dra_create(const task *t)
{
    begin_once();
    generation = 0;
    disk = create_disk(t);
}

static void dra_open(const task *t)
{
    char path[SIDE_PATH_BYTES];
    (void)t;

    DRA(DRA_Open(name_of(path, generation), DRA_RW, &disk));
}

static void dra_close(const task *t)
{
    (void)t;
    DRA(DRA_Close(disk));
}

/* Only an open array can be deleted. */
static void dra_remove(const task *t)
{
    dra_open(t);
    DRA(DRA_Delete(disk));
    GA_Destroy(memory);
    memory = 0;
}

/* Copy between a global array and its section of a disk array. */
static void move_section(int global, int array, const xta_box *section, bool writing)
{
    int lo[AXES], hi[AXES], request = DRA_REQ_INVALID;
    dra_size_t disk_lo[AXES], disk_hi[AXES];

    for (int axis = 0; axis < AXES; axis++) {
        lo[axis] = 0;
        hi[axis] = (int)(section->hi[axis] - section->lo[axis]) - 1;
        disk_lo[axis] = section->lo[axis];
        disk_hi[axis] = section->hi[axis] - 1;
    }
    if (writing) {
        DRA(NDRA_Write_section(0, global, lo, hi, array, disk_lo, disk_hi, &request));
    } else {
        DRA(NDRA_Read_section(0, global, lo, hi, array, disk_lo, disk_hi, &request));
    }
    DRA(DRA_Wait(request));
}

static void dra_write(const task *t)
{
    move_section(memory, disk, &t->section, true);
}

static void dra_read(const task *t)
{
    move_section(memory, disk, &t->section, false);
}

static void dra_prepare(const task *t, const int64_t old[])
{
    int lengths[AXES];
    (void)t;

    for (int axis = 0; axis < AXES; axis++) {
        lengths[axis] = (int)old[axis];
    }
    carrier = NGA_Create(C_DBL, AXES, lengths, "carrier", NULL);
    if (carrier == 0) {
        bench_die("cannot create a global array");
    }
    GA_Zero(carrier);
}

static void dra_grow(const task *t, const int64_t old[], int axis)
{
    static const int64_t origin[AXES] = {0};
    xta_box whole = bench_box(AXES, origin, old);
    (void)axis;

    former = disk;
    generation++;
    disk = create_disk(t);
    move_section(carrier, former, &whole, false);
    move_section(carrier, disk, &whole, true);
    move_section(memory, disk, &t->section, true);
}

static void dra_settle(const task *t)
{
    (void)t;
    DRA(DRA_Delete(former));
    GA_Destroy(carrier);
}

const side side_dra = {
    .name = "stock DRA",
    .create = dra_create,
    .write = dra_write,
    .close = dra_close,
    .open = dra_open,
    .read = dra_read,
    .remove = dra_remove,
    .take = dra_take,
    .fill = dra_fill,
    .clear = dra_clear,
    .verify = dra_verify,
    .prepare = dra_prepare,
    .grow = dra_grow,
    .settle = dra_settle,
    .finish = dra_finish,
};

/* Sections of an array on disk that are read again and again, with the session cache of PEXTA and
 * without ([CXA] 10.2). Eight of ten reads go to one of HOT places, the others anywhere; both
 * handles read the same places in the same order, in turns. XTA_PEXTA_IO=calls measures files that
 * are not mapped, as on several machines.
 *
 *   mpirun -n 2 bench_session_cache
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ga-mpi.h>
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>

#include <xta/pexta.h>

#include "bench.h"

#define CHUNK       64
#define SECTION     160 // cells of a section on each axis: parts of three chunks
#define HOT         12
#define CACHE_BYTES (32.0 * 1024 * 1024)

typedef struct side {
    int p_a, g_a;
    int64_t length;
    const int64_t *places; // of all sections, two coordinates each
    int n_places;
} side;

#define CALL(call)                                                          \
    do {                                                                    \
        if ((call) != XTA_OK) {                                             \
            bench_die("%s:%d: %s", __FILE__, __LINE__, PEXTA_Error_text()); \
        }                                                                   \
    } while (0)

static double value_at(int64_t row, int64_t column)
{
    const int64_t coord[] = {row, column};

    return bench_value(2, coord);
}

/* The corners of the section, as they came. */
static void verify(int g_a, const int64_t place[])
{
    for (int corner = 0; corner < 4; corner++) {
        int64_t at[] = {corner & 1 ? SECTION - 1 : 0, corner & 2 ? SECTION - 1 : 0}, ld[] = {1};
        double got = 0;
        NGA_Get64(g_a, at, at, &got, ld);
        if (got != value_at(place[0] + at[0], place[1] + at[1])) {
            bench_die("another cell was read than was written");
        }
    }
}

static double read_places(void *state, int repetition)
{
    const side *s = state;
    int64_t zero[] = {0, 0}, last[] = {SECTION - 1, SECTION - 1};
    double seconds = 0;

    (void)repetition;
    for (int k = 0; k < s->n_places; k++) {
        const int64_t *lo = s->places + 2 * (size_t)k;
        const int64_t hi[] = {lo[0] + SECTION - 1, lo[1] + SECTION - 1};
        double begin = bench_now();
        CALL(PEXTA_Read_section64(0, s->g_a, zero, last, s->p_a, lo, hi));
        seconds += bench_now() - begin;
        if (k % 16 == 0) {
            verify(s->g_a, lo);
        }
    }
    return seconds / s->n_places;
}

/* Rank 0 writes the array. */
static void make_array(const char *path, int64_t length)
{
    const int64_t lo[] = {0, 0}, lengths[] = {length, length}, chunk[] = {CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_box box = bench_box(2, lo, lengths);
    xta_array *array = NULL;

    options.chunk = chunk;
    double *cells = bench_memory((size_t)(length * length) * sizeof *cells);
    bench_fill(&box, cells);
    BENCH_XTA(xta_array_create(path, XTA_F64, 2, lengths, &options, &array, &bench_error));
    BENCH_XTA(xta_array_write(array, &box, NULL, cells, &bench_error));
    BENCH_XTA(xta_array_close(array, &bench_error));
    free(cells);
}

/* The same on all ranks. */
static int64_t *random_places(int n, int64_t length)
{
    int64_t *places = bench_memory(2 * (size_t)n * sizeof *places), hot[2 * HOT];
    uint64_t state = 7;

    for (int k = 0; k < 2 * HOT; k++) {
        hot[k] = bench_below(&state, length - SECTION);
    }
    for (int k = 0; k < n; k++) {
        bool again = bench_below(&state, 10) < 8;
        int64_t which = bench_below(&state, HOT);
        for (int axis = 0; axis < 2; axis++) {
            int64_t anywhere = bench_below(&state, length - SECTION);
            places[2 * k + axis] = again ? hot[2 * which + axis] : anywhere;
        }
    }
    return places;
}

static void report(const side *with, const double seconds[], int rank)
{
    int64_t requested = 0, found = 0;
    const char *io = getenv("XTA_PEXTA_IO");
    char name[80];

    CALL(PEXTA_Inquire_cache(with->p_a, &requested, &found, NULL));
    if (rank != 0) {
        return;
    }
    snprintf(name, sizeof name, "files %s; sections %d^2; %d ranks",
             io != NULL && strcmp(io, "calls") == 0 ? "read by calls" : "mapped", SECTION,
             GA_Nnodes());
    bench_print(&(bench_row){name, "section", 1e6 * seconds[0], "no cache", 1e6 * seconds[1], "us",
                             BENCH_TIME, 0});
    bench_print(&(bench_row){name, "chunks found of those asked for", (double)found, "asked for",
                             (double)requested, "chunks", BENCH_RATE, 0});
}

int main(int argc, char **argv)
{
    const int64_t length = bench_small() ? 1024 : 4096;
    int64_t dims[] = {SECTION, SECTION};
    char name[] = "section", path[1000];
    int rank = 0, n = bench_small() ? 200 : 1000;

    MPI_Init(&argc, &argv);
    GA_Initialize();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        bench_begin("session_cache");
        make_array(bench_path("session.pma"), length);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CALL(PEXTA_Init(-1, -1, -1, -1));
    int64_t *places = random_places(n, length);
    side sides[2];
    for (int k = 0; k < 2; k++) {
        sides[k] = (side){.length = length, .places = places, .n_places = n};
        sides[k].g_a = NGA_Create64(C_DBL, 2, dims, name, NULL);
        snprintf(path, sizeof path, "%s", bench_path("session"));
        CALL(PEXTA_Open(path, PEXTA_R, &sides[k].p_a));
    }
    CALL(PEXTA_Set_cache(sides[0].p_a, CACHE_BYTES));
    const bench_side compared[] = {{read_places, &sides[0]}, {read_places, &sides[1]}};
    double seconds[2];
    bench_alternate(compared, 2, 7, seconds);
    report(&sides[0], seconds, rank);
    CALL(PEXTA_Close(sides[1].p_a));
    CALL(PEXTA_Delete(sides[0].p_a));
    CALL(PEXTA_Terminate());
    free(places);
    GA_Terminate();
    MPI_Finalize();
    return 0;
}

/* nprocs: 1 2 3 4; mpich: 2 */
/* Requests: fifty pending at once, on several arrays, overlapping, completed in any order; tested
 * without waiting; never waited for; with memory for all of them, for some, for none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga_test.h"

enum { N_ARRAYS = 4, N_REQUESTS = 50 };

static const int64_t dims[] = {37, 23};

typedef struct array {
    int p_a;
    plain cells;
    char path[1100];
} array;

static void open_arrays(array arrays[])
{
    const int64_t chunk[] = {5, 4};

    for (int k = 0; k < N_ARRAYS; k++) {
        char name[32], files[1200];
        snprintf(name, sizeof name, "requests%d", k);
        snprintf(arrays[k].path, sizeof arrays[k].path, "%s", xta_test_path(name));
        snprintf(files, sizeof files, "%s.pma", arrays[k].path);
        ga_test_files(files, XTA_F64, 2, dims, chunk);
        XTA_CHECK_PEXTA(PEXTA_Open(arrays[k].path, PEXTA_RW, &arrays[k].p_a), XTA_OK);
        arrays[k].cells = plain_new(2, dims, 8);
    }
}

static void choose(int64_t lo[], int64_t hi[])
{
    for (int axis = 0; axis < 2; axis++) {
        lo[axis] = ga_test_between(0, dims[axis] - 1);
        hi[axis] = ga_test_between(lo[axis], dims[axis] - 1);
    }
}

/* Wait for the requests in random order, some by testing until they are complete, some twice. */
static void finish(int requests[], int n)
{
    for (int k = n - 1; k > 0; k--) {
        int other = (int)ga_test_between(0, k), swapped = requests[k];
        requests[k] = requests[other];
        requests[other] = swapped;
    }
    for (int k = 0; k < n; k++) {
        int complete = 0;
        if (k % 5 == 1) {
            XTA_CHECK_PEXTA(PEXTA_Flick(), XTA_OK);
        }
        while (k % 3 == 0 && !complete) {
            XTA_CHECK_PEXTA(PEXTA_Probe(requests[k], &complete), XTA_OK);
        }
        XTA_CHECK_PEXTA(PEXTA_Wait(requests[k]), XTA_OK);
        if (k % 7 == 0) {
            XTA_CHECK_PEXTA(PEXTA_Wait(requests[k]), XTA_OK);
            XTA_CHECK_PEXTA(PEXTA_Probe(requests[k], &complete), XTA_OK);
            XTA_CHECK(complete == 1, "a request that was waited for");
        }
    }
}

/* Writes that overlap, from one global array that changes after each. */
static void many_writes(array arrays[])
{
    plain g = plain_new(2, dims, 8);
    int g_a = ga_test_new(GA_REGULAR, C_DBL, 2, dims), requests[N_REQUESTS];
    int64_t lo[2], hi[2];

    for (int k = 0; k < N_REQUESTS; k++) {
        array *a = &arrays[ga_test_between(0, N_ARRAYS - 1)];
        choose(lo, hi);
        plain_fill(&g, ga_test_random());
        ga_test_put(g_a, &g);
        XTA_CHECK_PEXTA(PEXTA_IWrite_section(0, g_a, lo, hi, a->p_a, lo, hi, &requests[k]), XTA_OK);
        XTA_CHECK(k == 0 || requests[k] == requests[k - 1] + 1, "request %d", requests[k]);
        plain_copy(&g, lo, hi, &a->cells, lo, false);
    }
    finish(requests, N_REQUESTS);
    for (int k = 0; k < N_ARRAYS; k++) {
        XTA_CHECK_PEXTA(PEXTA_Sync(arrays[k].p_a), XTA_OK);
        XTA_CHECK(ga_test_file_same(arrays[k].path, &arrays[k].cells), "array %d", k);
    }
    GA_Destroy(g_a);
    plain_free(&g);
}

/* Reads, each into a global array of its own, with writes in between: each sees earlier writes and
 * no later ones. */
static void many_reads(array arrays[])
{
    enum { N = 15 };
    plain g = plain_new(2, dims, 8), want[N];
    int g_a = ga_test_new(GA_SLABS, C_DBL, 2, dims), g_read[N], reads[N], writes[N];
    int64_t lo[2], hi[2];

    for (int k = 0; k < N; k++) {
        array *a = &arrays[k % 2];
        g_read[k] = ga_test_new((ga_kind)(k % GA_KINDS), C_DBL, 2, dims);
        XTA_CHECK_PEXTA(PEXTA_IRead(g_read[k], a->p_a, &reads[k]), XTA_OK);
        want[k] = plain_new(2, dims, 8);
        memcpy(want[k].bytes, a->cells.bytes, plain_cells(2, dims) * 8);
        choose(lo, hi);
        plain_fill(&g, ga_test_random());
        ga_test_put(g_a, &g);
        XTA_CHECK_PEXTA(PEXTA_IWrite_section(0, g_a, lo, hi, a->p_a, lo, hi, &writes[k]), XTA_OK);
        plain_copy(&g, lo, hi, &a->cells, lo, false);
    }
    finish(reads, N);
    finish(writes, N);
    for (int k = 0; k < N; k++) {
        XTA_CHECK(ga_test_same(g_read[k], &want[k]), "read %d", k);
        GA_Destroy(g_read[k]);
        plain_free(&want[k]);
    }
    GA_Destroy(g_a);
    plain_free(&g);
}

/* No call waits for the requests: Close completes them, and so does Terminate. */
static void left_alone(array arrays[])
{
    plain g = plain_new(2, dims, 8);
    int g_a = ga_test_new(GA_REGULAR, C_DBL, 2, dims), request = -1;

    for (int k = 0; k < N_ARRAYS; k++) {
        plain_fill(&g, ga_test_random());
        ga_test_put(g_a, &g);
        XTA_CHECK_PEXTA(PEXTA_IWrite(g_a, arrays[k].p_a, &request), XTA_OK);
        memcpy(arrays[k].cells.bytes, g.bytes, plain_cells(2, dims) * 8);
        if (k % 2 == 0) {
            XTA_CHECK_PEXTA(PEXTA_Close(arrays[k].p_a), XTA_OK);
            XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
            XTA_CHECK_PEXTA(PEXTA_Close(arrays[k].p_a), XTA_EARG);
        }
    }
    XTA_CHECK_PEXTA(PEXTA_Terminate(), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Write(g_a, arrays[1].p_a, NULL), XTA_EARG);
    for (int k = 0; k < N_ARRAYS; k++) {
        XTA_CHECK(ga_test_file_same(arrays[k].path, &arrays[k].cells), "array %d", k);
        plain_free(&arrays[k].cells);
        if (xta_test_rank == 0) {
            xta_error err;
            XTA_CHECK_OK(xta_array_delete(arrays[k].path, &err), err);
        }
    }
    GA_Destroy(g_a);
    plain_free(&g);
}

/* Invalid requests, and a global array that is destroyed before the read into it is complete. */
static void wrong(array arrays[])
{
    int g_a = ga_test_new(GA_REGULAR, C_DBL, 2, dims), request = -1, complete = 0;

    XTA_CHECK_PEXTA(PEXTA_Wait(PEXTA_REQ_INVALID), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Probe(PEXTA_REQ_INVALID, &complete), XTA_OK);
    XTA_CHECK(complete == 1, "no request is complete");
    XTA_CHECK_PEXTA(PEXTA_Wait(123456), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_Wait(-5), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_IRead(g_a, arrays[0].p_a, &request), XTA_OK);
    GA_Destroy(g_a);
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_EARG);
    XTA_CHECK(strstr(PEXTA_Error_text(), "destroyed") != NULL, "%s", PEXTA_Error_text());
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
}

int main(int argc, char **argv)
{
    // Memory for a few pieces, so that some are left to the thread and some not; for all; for none.
    const double memory[] = {3000, -1, 1};
    array arrays[N_ARRAYS];
    // If ranks spin while they wait, as under MPICH, all this takes long.
#ifdef MPICH_VERSION
    const int n = 1;
#else
    const int n = 3;
#endif

    ga_test_begin(&argc, &argv, memory[0]);
    for (int k = 0; k < n; k++) {
        if (k > 0) {
            XTA_CHECK_PEXTA(PEXTA_Init(-1, -1, -1, memory[k]), XTA_OK);
        }
        open_arrays(arrays);
        many_writes(arrays);
        many_reads(arrays);
        wrong(arrays);
        left_alone(arrays);
    }
    return ga_test_end();
}

/* nprocs: 1 2 3 4; mpich: 2 */
/* If files cannot be mapped, each process has its own chunk cache, and still every process reads
 * what any of them wrote before. A file system in memory stands in for one that cannot be mapped;
 * if there is none, the folder of the run is used, and the test shows less.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "pexta/ga_test.h"

#include <unistd.h>

#include "pexta/pexta.h"

/* A folder with the same name on all ranks. */
static void make_folder(char folder[], size_t capacity)
{
    if (xta_test_rank == 0) {
        snprintf(folder, capacity, "/dev/shm/xta-test-XXXXXX");
        if (mkdtemp(folder) == NULL) {
            snprintf(folder, capacity, "%s", xta_test_path("cached"));
            snprintf(strrchr(folder, '/'), 3, "/.");
        }
    }
    MPI_Bcast(folder, (int)capacity, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Sections that share chunks, of global arrays whose blocks differ, so that the chunks pass from
 * process to process. */
static void pass_around(int p_a, plain *p, int n)
{
    int requests[2] = {PEXTA_REQ_INVALID, PEXTA_REQ_INVALID};
    plain g = plain_new(2, p->dims, 8);
    int64_t lo[2], hi[2];

    for (int k = 0; k < n; k++) {
        int g_a = ga_test_new((ga_kind)(k % GA_KINDS), C_DBL, 2, p->dims);
        for (int axis = 0; axis < 2; axis++) {
            lo[axis] = ga_test_between(0, p->dims[axis] - 1);
            hi[axis] = ga_test_between(lo[axis], p->dims[axis] - 1);
        }
        plain_fill(&g, ga_test_random());
        ga_test_put(g_a, &g);
        XTA_CHECK_PEXTA(PEXTA_Wait(requests[k % 2]), XTA_OK);
        XTA_CHECK_PEXTA(PEXTA_IWrite_section(0, g_a, lo, hi, p_a, lo, hi, &requests[k % 2]),
                        XTA_OK);
        plain_copy(&g, lo, hi, p, lo, false);
        if (k % 3 == 0) {
            XTA_CHECK_PEXTA(PEXTA_Read(g_a, p_a), XTA_OK);
            XTA_CHECK(ga_test_same(g_a, p), "%s", ga_kind_name((ga_kind)(k % GA_KINDS)));
        }
        GA_Destroy(g_a);
    }
    XTA_CHECK_PEXTA(PEXTA_Wait(requests[0]), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Wait(requests[1]), XTA_OK);
    plain_free(&g);
}

/* With XTA_PEXTA_IO=calls no data file is mapped. */
static void check_maps(void)
{
    const char *io = getenv("XTA_PEXTA_IO");
    FILE *maps = io != NULL && strcmp(io, "calls") == 0 ? fopen("/proc/self/maps", "r") : NULL;
    char line[4096];

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        XTA_CHECK(strstr(line, ".pta") == NULL && strstr(line, ".xta") == NULL, "mapped: %s", line);
    }
    if (maps != NULL) {
        fclose(maps);
    }
}

int main(int argc, char **argv)
{
    const int64_t dims[] = {23, 19}, chunk[] = {4, 5}, edims[] = {3, 2}, zero[2] = {0};
    char folder[1000], path[1100], files[1200];
    xta__pexta_facts facts;
    xta_array_info info;
    xta_error err;
    int p_a = 0;

    ga_test_begin(&argc, &argv, -1);
    make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(files, sizeof files, "%s.pma", path);
    ga_test_files(files, XTA_F64, 2, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &p_a), XTA_OK);
    XTA_CHECK(xta__pexta_facts_of(p_a, &facts), "no facts");
    XTA_CHECK_OK(xta_array_inquire(facts.array, &info, &err), err);
    if (strncmp(folder, "/dev/shm/", 9) == 0) {
        XTA_CHECK(!info.mapped, "mapped in %s", folder);
    }
    check_maps();

    plain p = plain_new(2, dims, 8);
    pass_around(p_a, &p, 20);
    int64_t grown[] = {dims[0] + edims[0], dims[1] + edims[1]};
    XTA_CHECK_PEXTA(PEXTA_Extend64(p_a, edims, NULL, NULL), XTA_OK);
    plain_grow(&p, zero, grown);
    pass_around(p_a, &p, 20);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
    XTA_CHECK(ga_test_file_same(path, &p), "the file");
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_R, &p_a), XTA_OK);
    check_maps();
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    plain_free(&p);
    if (xta_test_rank == 0 && strncmp(folder, "/dev/shm/", 9) == 0) {
        XTA_CHECK(rmdir(folder) == 0, "%s is not empty", folder);
    }
    return ga_test_end();
}

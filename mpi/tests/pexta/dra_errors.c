/* Run by dra_errors.sh: `dra_errors CASE FILE` makes one mistake, which must end the job. If the
 * program reaches its end it prints "still alive".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/dra_rig.h"

static int d_a;     /* 10 x 20 doubles, open for reading and writing */
static int g_a;     /* the same */
static int request; /* outputs of calls */
static char *file;

static void create(int type, int ndim, dra_size_t first, int mode)
{
    dra_size_t dims[8] = {first, 20, 1, 1, 1, 1, 1, 1};
    int other = 0;
    NDRA_Create(type, ndim, dims, (char *)"x", file, mode, dims, &other);
}

static void move(bool write, int ghi, int dlo, int dhi, bool transposed)
{
    int glo[2] = {0, 0};
    int ghis[2] = {ghi, 4};
    dra_size_t dlos[2] = {dlo, 0};
    dra_size_t dhis[2] = {dhi, 4};
    if (write) {
        NDRA_Write_section(transposed, g_a, glo, ghis, d_a, dlos, dhis, &request);
    } else {
        NDRA_Read_section(transposed, g_a, glo, ghis, d_a, dlos, dhis, &request);
    }
}

static int ga(int type, int ndim, int64_t first)
{
    const int64_t dims[3] = {first, 20, 2};
    return rig_ga(type, ndim, dims);
}

static void reopen(int mode)
{
    DRA_Close(d_a);
    DRA_Open(file, mode, &d_a);
}

static void lives(const char *what)
{
    if (strcmp(what, "type") == 0) {
        create(C_LDBL, 2, 10, DRA_RW);
    } else if (strcmp(what, "dims") == 0) {
        create(C_DBL, 2, 0, DRA_RW);
    } else if (strcmp(what, "axes") == 0) {
        create(C_DBL, 8, 10, DRA_RW);
    } else if (strcmp(what, "folder") == 0) {
        file = (char *)"/nowhere/at/all";
        create(C_DBL, 2, 10, DRA_RW);
    } else if (strcmp(what, "long-name") == 0) { // longer than the buffer behind GA_Error
        static char name[1500];
        memset(name, 'n', sizeof name - 1);
        file = name;
        create(C_DBL, 2, 10, DRA_RW);
    } else if (strcmp(what, "create-reading") == 0) {
        create(C_DBL, 2, 10, DRA_R);
    } else if (strcmp(what, "handle") == 0) {
        NDRA_Write(g_a, 99999, &request);
    } else if (strcmp(what, "closed") == 0) {
        DRA_Close(d_a);
        DRA_Close(d_a);
    } else if (strcmp(what, "request") == 0) {
        DRA_Wait(123456);
    } else if (strcmp(what, "init") == 0) {
        DRA_Init(-2, -1, -1, -1);
    } else if (strcmp(what, "damaged") == 0) {
        char path[2048];
        snprintf(path, sizeof path, "%s.pma", file);
        DRA_Close(d_a);
        FILE *journal = GA_Nodeid() == 0 ? fopen(path, "r+b") : NULL;
        if (journal != NULL) {
            fprintf(journal, "no journal of ours");
            fclose(journal);
        }
        GA_Sync();
        DRA_Open(file, DRA_R, &d_a);
    } else if (strcmp(what, "early") == 0) {
        DRA_Terminate();
        DRA_Open(file, DRA_R, &d_a);
    }
}

static void transfers(const char *what)
{
    if (strcmp(what, "write-type") == 0) {
        NDRA_Write(ga(C_INT, 2, 10), d_a, &request);
    } else if (strcmp(what, "write-axes") == 0) {
        NDRA_Write(ga(C_DBL, 3, 10), d_a, &request);
    } else if (strcmp(what, "write-dims") == 0) {
        NDRA_Write(ga(C_DBL, 2, 11), d_a, &request);
    } else if (strcmp(what, "write-not-allowed") == 0) {
        reopen(DRA_R);
        NDRA_Write(g_a, d_a, &request);
    } else if (strcmp(what, "read-dims") == 0) {
        NDRA_Read(ga(C_DBL, 2, 9), d_a, &request);
    } else if (strcmp(what, "read-not-allowed") == 0) {
        reopen(DRA_W);
        NDRA_Read(g_a, d_a, &request);
    } else if (strcmp(what, "section-disk") == 0) {
        move(true, 4, 6, 10, false);
    } else if (strcmp(what, "section-ga") == 0) {
        move(false, 10, 0, 9, false);
    } else if (strcmp(what, "section-cells") == 0) {
        move(true, 4, 0, 5, false);
    } else if (strcmp(what, "section-shape") == 0) {
        int glo[2] = {0, 0};
        int ghi[2] = {1, 5};
        dra_size_t dlo[2] = {0, 0};
        dra_size_t dhi[2] = {2, 3};
        NDRA_Read_section(0, g_a, glo, ghi, d_a, dlo, dhi, &request);
    } else if (strcmp(what, "section-not-allowed") == 0) {
        reopen(DRA_R);
        move(true, 4, 0, 4, false);
    }
}

int main(int argc, char **argv)
{
    const int64_t dims[2] = {10, 20};

    rig_begin(&argc, &argv);
    if (argc != 3) {
        return 2;
    }
    file = argv[2];
    g_a = rig_ga(C_DBL, 2, dims);
    GA_Zero(g_a);
    create(C_DBL, 2, 10, DRA_RW);
    DRA_Terminate();
    DRA_Init(-1, -1, -1, -1);
    DRA_Open(file, DRA_RW, &d_a);
    if (strcmp(argv[1], "none") != 0) {
        lives(argv[1]);
        transfers(argv[1]);
    }
    printf("still alive\n");
    return rig_end();
}

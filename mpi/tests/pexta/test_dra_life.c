/* nprocs: 1 2 3 4; mpich: 2 */
/* Creating, opening and deleting Disk Resident Arrays: every type and number of axes, names, Create
 * over existing files, the state after Delete, Open of a missing array, Terminate with arrays still
 * open, more arrays than were announced.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/dra_rig.h"

static const int types[] = {C_INT, C_LONG, C_FLOAT, C_DBL, C_SCPL, C_DCPL, C_CHAR, C_LONGLONG};

/* Write, close, open for reading, inquire, read, delete. */
static void one_life(int type, int ndim, const int64_t dims[])
{
    char name[80];
    char filename[256];
    dra_size_t lengths[GA_MAX_DIM] = {0};
    int got_type = 0;
    int got_ndim = 0;
    int g_a = rig_ga(type, ndim, dims);
    int g_b = rig_ga(type, ndim, dims);

    rig_fill(g_a, rig_number, dims);
    int d_a = rig_create(type, ndim, dims, "life");
    rig_write(g_a, d_a);
    XTA_CHECK(DRA_Close(d_a) == 0, "close");
    d_a = rig_open("life", DRA_R);
    XTA_CHECK(NDRA_Inquire(d_a, &got_type, &got_ndim, lengths, name, filename) == 0, "inquire");
    XTA_CHECK(got_type == type, "type %d", got_type);
    XTA_CHECK(got_ndim == ndim, "ndim %d", got_ndim);
    for (int axis = 0; axis < ndim; axis++) {
        XTA_CHECK(lengths[axis] == dims[axis], "axis %d: %ld", axis, lengths[axis]);
    }
    XTA_CHECK(strcmp(name, "rig's array\n") == 0, "name '%s'", name);
    XTA_CHECK(strcmp(filename, xta_test_path("life")) == 0, "filename %s", filename);
    rig_read(g_b, d_a);
    rig_compare(g_b, rig_number, dims, "one life");
    XTA_CHECK(DRA_Delete(d_a) == 0, "delete an array opened for reading");
    XTA_CHECK(!rig_there_is("life", ".pma") && !rig_there_is("life", ".pta"), "files are left");
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

static void all_types_and_axes(void)
{
    static const int64_t shapes[][GA_MAX_DIM] = {{1000}, {37, 53}, {20, 11, 7}, {7, 5, 6, 3}};
    static const int64_t small[GA_MAX_DIM] = {4, 3, 5, 2, 3, 2, 4};

    for (int k = 0; k < (int)(sizeof types / sizeof types[0]); k++) {
        one_life(types[k], 1 + k % 4, shapes[k % 4]);
        one_life(types[k], 2, shapes[1]);
    }
    for (int ndim = 1; ndim <= 7; ndim++) {
        one_life(C_DBL, ndim, small);
    }
}

/* Create over an array that is full of other cells: zeros, as the documentation has always said. */
static void zero_fill(void)
{
    const int64_t dims[2] = {300, 200};
    int g_a = rig_ga(C_DBL, 2, dims);
    int d_a = rig_create(C_DBL, 2, dims, "zero");

    rig_fill(g_a, rig_number, dims);
    rig_write(g_a, d_a);
    DRA_Close(d_a);
    d_a = rig_create(C_DBL, 2, dims, "zero");
    rig_read(g_a, d_a);
    rig_compare(g_a, rig_zero, NULL, "created over an older one");
    DRA_Close(d_a);
    d_a = rig_open("zero", DRA_RW);
    rig_read(g_a, d_a);
    rig_compare(g_a, rig_zero, NULL, "opened after that");
    DRA_Delete(d_a);
    GA_Destroy(g_a);
}

/* Programs first create the file themselves, on every rank, to see whether they can. It is removed
 * with the array; a file of that name that is not empty stays. */
static void files_of_that_name(void)
{
    const int64_t dims[1] = {100};

    FILE *file = fopen(xta_test_path("mine"), "w");
    XTA_CHECK(file != NULL, "fopen");
    fclose(file);
    int d_a = rig_create(C_INT, 1, dims, "mine");
    DRA_Delete(d_a);
    XTA_CHECK(!rig_there_is("mine", ""), "an empty file is left");
    if (GA_Nodeid() == 0) {
        file = fopen(xta_test_path("letter"), "w");
        fprintf(file, "Dear reader,\n");
        fclose(file);
    }
    d_a = rig_create(C_INT, 1, dims, "letter");
    DRA_Delete(d_a);
    XTA_CHECK(rig_there_is("letter", ""), "somebody's file was removed");
}

/* Each rank passes a different name: that of rank 0 is used. */
static void rank_0_names(void)
{
    char file[64];
    const int64_t dims[1] = {50};

    snprintf(file, sizeof file, "of_rank_%d", GA_Nodeid());
    int d_a = rig_create(C_INT, 1, dims, file);
    XTA_CHECK(rig_there_is("of_rank_0", ".pma"), "rank 0's name");
    XTA_CHECK(GA_Nnodes() == 1 || !rig_there_is("of_rank_1", ".pma"), "another rank's name");
    DRA_Close(d_a);
    d_a = rig_open(file, DRA_RW);
    DRA_Delete(d_a);
}

/* Names may be longer than any buffer of a program; returned names are cut to the documented
 * length. */
static void long_names(void)
{
    char name[512];
    char back[2][512];
    int type = 0;
    int ndim = 0;
    int d_a = 0;
    dra_size_t dims[GA_MAX_DIM] = {10};

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    XTA_CHECK(NDRA_Create(C_INT, 1, dims, name, rig_path("long"), DRA_RW, dims, &d_a) == 0, "name");
    for (int opened = 0; opened < 2; opened++) {
        memset(back, '#', sizeof back);
        NDRA_Inquire(d_a, &type, &ndim, dims, back[0], back[1]);
        XTA_CHECK(strlen(back[0]) == 72 && back[0][73] == '#', "%zu bytes", strlen(back[0]));
        XTA_CHECK((back[0][71] == '\n') == (opened == 1), "newline, opened: %d", opened);
        DRA_Close(d_a);
        d_a = rig_open("long", DRA_R);
    }
    DRA_Delete(d_a);
}

static void not_there(void)
{
    int d_a = 77;

    XTA_CHECK(DRA_Open(rig_path("nowhere"), DRA_R, &d_a) == -1, "open what is not there");
    XTA_CHECK(d_a == 0, "handle %d", d_a);
    if (GA_Nodeid() == 0) { // only the toolkit's own files
        FILE *file = fopen(xta_test_path("stock.info"), "w");
        fprintf(file, "1 9 1004 1 9 1 1 \nx\n");
        fclose(file);
    }
    XTA_CHECK(DRA_Open(rig_path("stock"), DRA_R, &d_a) == -1, "open what has another format");
}

/* Terminate closes what is open, and a new Init finds it; there are more arrays than announced. */
static void terminate_closes(void)
{
    enum { N = 40 };
    const int64_t dims[2] = {30, 20};
    char file[32];
    int g_a = rig_ga(C_INT, 2, dims);
    int request = 0;

    rig_fill(g_a, rig_number, dims);
    XTA_CHECK(DRA_Terminate() == 0 && DRA_Init(1, 1, 1, 1) == 0, "begin again");
    for (int k = 0; k < N; k++) {
        snprintf(file, sizeof file, "many%d", k);
        NDRA_Write(g_a, rig_create(C_INT, 2, dims, file), &request); // and no call waits
    }
    XTA_CHECK(DRA_Terminate() == 0 && DRA_Init(-1, -1, -1, -1) == 0, "begin again");
    GA_Zero(g_a);
    for (int k = 0; k < N; k += 13) {
        snprintf(file, sizeof file, "many%d", k);
        int d_a = rig_open(file, DRA_RW);
        rig_read(g_a, d_a);
        rig_compare(g_a, rig_number, dims, file);
        DRA_Delete(d_a);
    }
    GA_Destroy(g_a);
}

/* Settings for processes and files do not change the cells. */
static void configurations(void)
{
    static const int settings[][2] = {{1, 1}, {1, 2}, {2, 2}, {-1, 9}, {-1, -1}};
    const int64_t dims[3] = {40, 30, 20};
    dra_size_t lengths[3] = {40, 30, 20};
    dra_size_t typical[3] = {7, -1, 20};
    int g_a = rig_ga(C_DBL, 3, dims);
    int g_b = rig_ga(C_DBL, 3, dims);
    int d_a[2] = {0, 0};

    rig_fill(g_a, rig_number, dims);
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        DRA_Set_default_config(settings[k][0], settings[k][1]);
        NDRA_Create(C_DBL, 3, lengths, (char *)"", rig_path("c0"), DRA_RW, typical, &d_a[0]);
        NDRA_Create_config(C_DBL, 3, lengths, (char *)"", rig_path("c1"), DRA_RW, typical,
                           settings[k][0], settings[k][1], &d_a[1]);
        for (int which = 0; which < 2; which++) {
            rig_write(g_a, d_a[which]);
            GA_Zero(g_b);
            rig_read(g_b, d_a[which]);
            rig_compare(g_b, rig_number, dims, "configured");
        }
        if (k == 0) {
            DRA_Print_internals(d_a[1]);
        }
        DRA_Delete(d_a[0]);
        DRA_Delete(d_a[1]);
    }
    DRA_Set_default_config(-1, -1);
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

int main(int argc, char **argv)
{
    rig_begin(&argc, &argv);
    all_types_and_axes();
    zero_fill();
    files_of_that_name();
    rank_0_names();
    long_names();
    not_there();
    terminate_closes();
    configurations();
    XTA_CHECK(DRA_uses_fapi() == 0, "order of axes");
    return rig_end();
}

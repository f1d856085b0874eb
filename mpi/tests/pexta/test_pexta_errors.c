/* nprocs: 1 2 3 4; mpich: 2 */
/* Refused calls are refused on all ranks, with a text, and change nothing: wrong handles, modes,
 * types and sections, and ranks that disagree on any argument, or on the call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga_test.h"

static const int64_t dims[] = {9, 8}, lo[] = {1, 2}, hi[] = {4, 5};

/* The text of this rank contains `word` and equals that of rank 0, unless they make different
 * calls. */
static void check_text(const char *word)
{
    char text[XTA_ERROR_TEXT_BYTES] = "";

    snprintf(text, sizeof text, "%s", PEXTA_Error_text());
    MPI_Bcast(text, (int)sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
    bool apart = strstr(text, "other ranks are in another call") != NULL;
    XTA_CHECK(apart || strcmp(text, PEXTA_Error_text()) == 0, "rank 0 says '%s', this rank '%s'",
              text, PEXTA_Error_text());
    XTA_CHECK(strstr(PEXTA_Error_text(), word) != NULL, "no word of '%s' in '%s'", word,
              PEXTA_Error_text());
}

#define REFUSED(call, want, word)    \
    do {                             \
        XTA_CHECK_PEXTA(call, want); \
        check_text(word);            \
    } while (0)

static void create_and_open(int g_a)
{
    const int64_t negative[] = {4, -1};
    char missing[1100], folder[1100], good[1100];
    int p_a = 7;

    snprintf(missing, sizeof missing, "%s", xta_test_path("missing"));
    snprintf(folder, sizeof folder, "%s", xta_test_path("no/such/folder"));
    snprintf(good, sizeof good, "%s", xta_test_path("never"));
    REFUSED(PEXTA_Open(missing, PEXTA_RW, &p_a), XTA_ENOENT, "missing");
    XTA_CHECK(p_a == 0, "handle %d", p_a);
    REFUSED(PEXTA_Open(missing, 3, &p_a), XTA_EARG, "mode 3");
    REFUSED(PEXTA_Open(xta_test_rank == 0 ? NULL : missing, PEXTA_R, &p_a), XTA_EARG, "file name");
    REFUSED(PEXTA_Open(missing, PEXTA_R, NULL), XTA_EARG, "p_a");
    REFUSED(PEXTA_Create64(C_DBL, 2, dims, "n", folder, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a),
            XTA_ENOENT, "folder");
    REFUSED(PEXTA_Create64(C_LDBL, 2, dims, "n", good, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a),
            XTA_ETYPE, "C_DBL");
    REFUSED(PEXTA_Create64(C_DBL, 0, dims, "n", good, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a), XTA_EARG,
            "axes");
    REFUSED(PEXTA_Create64(C_DBL, 8, dims, "n", good, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a), XTA_EARG,
            "axes");
    REFUSED(PEXTA_Create64(C_DBL, 2, NULL, "n", good, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a), XTA_EARG,
            "axes");
    REFUSED(PEXTA_Create64(C_DBL, 2, negative, "n", good, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a),
            XTA_EARG, "-1");
    REFUSED(PEXTA_Create64(C_DBL, 2, dims, "n", good, PEXTA_R, NULL, PEXTA_NO_GA, &p_a),
            XTA_EACCESS, "PEXTA_RW");
    REFUSED(PEXTA_Create64(C_DBL, 2, dims, "n", good, PEXTA_RW, NULL, 4711, &p_a), XTA_EARG,
            "4711");
    REFUSED(PEXTA_Create64(C_DBL, 1, dims, "n", good, PEXTA_RW, NULL, g_a, &p_a), XTA_EARG, "axes");
    REFUSED(PEXTA_Open(good, PEXTA_R, &p_a), XTA_ENOENT, "never");
    REFUSED(PEXTA_Init(-1, -1, -1, -1), XTA_EEXIST, "PEXTA_Terminate");
}

static void transfers(int g_a, int p_a, const char *path)
{
    const int64_t far[] = {4, 8}, longer[] = {5, 5}, huge[] = {INT64_MAX, INT64_MAX},
                  below[] = {-1, 2}, front[] = {2, 5};
    const int64_t more[] = {1, 0}, less[] = {-1, 0};
    int64_t other_dims[] = {9, 7}, three[] = {3, 3, 3};
    int g_int = ga_test_new(GA_REGULAR, C_INT, 2, dims), p_r = 0, p_w = 0, request = 0;
    int g_other = ga_test_new(GA_REGULAR, C_DBL, 2, other_dims);
    int g_three = ga_test_new(GA_REGULAR, C_DBL, 3, three);

    REFUSED(PEXTA_Write(g_a, 99, NULL), XTA_EARG, "99");
    REFUSED(PEXTA_Write(4711, p_a, NULL), XTA_EARG, "4711");
    REFUSED(PEXTA_Write(g_int, p_a, NULL), XTA_ETYPE, "C_INT");
    REFUSED(PEXTA_Read(g_other, p_a), XTA_EBOX, "axis 1");
    REFUSED(PEXTA_Read(g_three, p_a), XTA_EBOX, "axes");
    REFUSED(PEXTA_Read_fitting(g_three, p_a, NULL), XTA_EBOX, "axes");
    REFUSED(PEXTA_Read_fitting(g_int, p_a, NULL), XTA_ETYPE, "C_INT");
    REFUSED(PEXTA_Read_grown(g_a, p_a, more, &request), XTA_EBOX, "axis 0");
    REFUSED(PEXTA_Read_grown(g_a, p_a, NULL, NULL), XTA_EARG, "g_grown");
    REFUSED(PEXTA_IWrite(g_a, p_a, NULL), XTA_EARG, "request");
    REFUSED(PEXTA_Write_section64(0, g_a, lo, far, p_a, lo, far), XTA_EBOX, "axis 1");
    REFUSED(PEXTA_Write_section64(0, g_a, lo, hi, p_a, lo, longer), XTA_EBOX, "same lengths");
    REFUSED(PEXTA_Write_section64(1, g_a, lo, longer, p_a, lo, longer), XTA_EBOX, "same lengths");
    REFUSED(PEXTA_Write_section64(0, g_a, below, hi, p_a, below, hi), XTA_EBOX, "axis 0");
    REFUSED(PEXTA_Write_section64(0, g_a, below, hi, p_a, lo, (const int64_t[]){6, 5}), XTA_EBOX,
            "global array");
    REFUSED(PEXTA_Read_section64(0, g_a, hi, lo, p_a, hi, lo), XTA_EBOX, "axis 0");
    REFUSED(PEXTA_Read_section64(0, g_a, lo, huge, p_a, lo, huge), XTA_EBOX, "axis 0");
    REFUSED(PEXTA_Read_section64(0, g_a, NULL, hi, p_a, lo, hi), XTA_EARG, "NULL");
    XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, lo, hi, p_a, front, (const int64_t[]){5, 7}),
                    XTA_EBOX);
    REFUSED(PEXTA_Extend64(p_a, less, NULL, NULL), XTA_EARG, "axis 0");
    REFUSED(PEXTA_Extend64(p_a, NULL, NULL, NULL), XTA_EARG, "lengths");
    REFUSED(PEXTA_Extend_axis(p_a, 2, 0, 1, NULL, NULL), XTA_EARG, "axis");
    REFUSED(PEXTA_Extend64(77, more, NULL, NULL), XTA_EARG, "77");
    REFUSED(PEXTA_Extend64(p_a, (const int64_t[]){INT64_MAX / 4, 0}, NULL, NULL), XTA_EOVERFLOW,
            "");

    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_R, &p_r), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_W, &p_w), XTA_OK);
    REFUSED(PEXTA_Write(g_a, p_r, NULL), XTA_EACCESS, "PEXTA_R");
    REFUSED(PEXTA_IWrite(g_a, p_r, &request), XTA_EACCESS, "PEXTA_R");
    XTA_CHECK(request == PEXTA_REQ_INVALID, "request %d", request);
    REFUSED(PEXTA_Extend64(p_r, more, NULL, NULL), XTA_EACCESS, "PEXTA_R");
    REFUSED(PEXTA_Read(g_a, p_w), XTA_EACCESS, "PEXTA_W");
    XTA_CHECK_PEXTA(PEXTA_Read(g_a, p_r), XTA_OK);
    XTA_CHECK(PEXTA_Error_text()[0] == '\0', "'%s' after a success", PEXTA_Error_text());
    XTA_CHECK_PEXTA(PEXTA_Close(p_r), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Close(p_w), XTA_OK);
    GA_Destroy(g_int);
    GA_Destroy(g_other);
    GA_Destroy(g_three);
}

/* Global arrays that are not on all processes. */
static void groups(int p_a)
{
    int everybody[64];

    for (int k = 0; k < xta_test_ranks; k++) {
        everybody[k] = k;
    }
    int group = GA_Pgroup_create(everybody, xta_test_ranks);
    int g_a =
        NGA_Create_config64(C_DBL, 2, (int64_t *)(uintptr_t)dims, (char[]){"group"}, NULL, group);
    REFUSED(PEXTA_Write(g_a, p_a, NULL), XTA_EUNSUPPORTED, "group");
    GA_Destroy(g_a);
    GA_Pgroup_destroy(group);
}

/* The last rank makes a different call than the others: an error on all, for two ranks or more. */
static void disagree(int g_a, int g_b, int p_a, int p_b, const char *path)
{
    const bool last = xta_test_rank == xta_test_ranks - 1;
    const int64_t other[] = {5, 5}, more[] = {1, 0}, still_more[] = {2, 0};
    int64_t got[2];
    int p_c = 0, request = 0, complete = 0;

    if (xta_test_ranks == 1) {
        return;
    }
    REFUSED(PEXTA_Write(last ? g_b : g_a, p_a, NULL), XTA_EARG, "g_a");
    REFUSED(PEXTA_Write(g_a, last ? p_b : p_a, NULL), XTA_EARG, "p_a");
    REFUSED(last ? PEXTA_Read(g_a, p_a) : PEXTA_Write(g_a, p_a, NULL), XTA_EARG, "call");
    REFUSED(last ? PEXTA_Close(p_a) : PEXTA_IRead(g_a, p_a, &request), XTA_EARG, "call");
    REFUSED(PEXTA_Write_section64(last, g_a, lo, hi, p_a, lo, hi), XTA_EARG, "transp");
    REFUSED(PEXTA_Write_section64(0, g_a, lo, last ? other : hi, p_a, lo, hi), XTA_EARG, "ghi");
    REFUSED(PEXTA_Read_section64(0, g_a, lo, hi, p_a, lo, last ? other : hi), XTA_EARG, "phi");
    REFUSED(PEXTA_Extend64(p_a, last ? still_more : more, NULL, NULL), XTA_EARG, "edims");
    REFUSED(last ? PEXTA_Extend_front(p_a, more, NULL, NULL)
                 : PEXTA_Extend64(p_a, more, NULL, NULL),
            XTA_EARG, "call");
    REFUSED(PEXTA_Extend_axis(p_a, 0, last, 1, NULL, NULL), XTA_EARG, "side");
    REFUSED(PEXTA_Extend_axis(p_a, last, 0, 1, NULL, NULL), XTA_EARG, "edims");
    REFUSED(PEXTA_Open(path, last ? PEXTA_R : PEXTA_RW, &p_c), XTA_EARG, "mode");
    REFUSED(
        PEXTA_Create64(last ? C_INT : C_DBL, 2, dims, "n", path, PEXTA_RW, NULL, PEXTA_NO_GA, &p_c),
        XTA_EARG, "type");
    REFUSED(
        PEXTA_Create64(C_DBL, 2, last ? other : dims, "n", path, PEXTA_RW, NULL, PEXTA_NO_GA, &p_c),
        XTA_EARG, "dims");
    REFUSED(PEXTA_Create64(C_DBL, last ? 1 : 2, dims, "n", path, PEXTA_RW, NULL, PEXTA_NO_GA, &p_c),
            XTA_EARG, "disagree");
    REFUSED(PEXTA_Read_fitting(g_a, p_a, last ? more : still_more), XTA_EARG, "origin");
    REFUSED(PEXTA_Read_fitting(g_a, p_a, last ? NULL : more), XTA_EARG, "origin");
    XTA_CHECK_PEXTA(PEXTA_IRead(g_a, p_a, &request), XTA_OK);
    REFUSED(PEXTA_Wait(last ? request : PEXTA_REQ_INVALID), XTA_EARG, "request");
    REFUSED(PEXTA_Probe(last ? request : 17, &complete), XTA_EARG, "request");
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    REFUSED(last ? PEXTA_Terminate() : PEXTA_Flick(), XTA_EARG, "call");
    REFUSED(PEXTA_Set_default_config(1, last ? 2 : 1), XTA_EARG, "numioprocs");
    REFUSED(PEXTA_Delete(last ? p_b : p_a), XTA_EARG, "p_a");

    // And nothing has changed.
    XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, NULL, NULL, got, NULL, NULL), XTA_OK);
    XTA_CHECK(got[0] == dims[0] && got[1] == dims[1], "%d x %d", (int)got[0], (int)got[1]);
}

int main(int argc, char **argv)
{
    char path[1100], other_path[1100];
    int p_a = 0, p_b = 0;

    xta_test_begin(&argc, &argv);
    GA_Initialize();
    XTA_CHECK_PEXTA(PEXTA_Open("x", PEXTA_RW, &p_a), XTA_EARG);
    XTA_CHECK(strstr(PEXTA_Error_text(), "PEXTA_Init") != NULL, "%s", PEXTA_Error_text());
    XTA_CHECK_PEXTA(PEXTA_Terminate(), XTA_OK);
    if (xta_test_ranks > 1) {
        REFUSED(PEXTA_Init(-1, -1, -1, xta_test_rank == 0 ? 100 : 200), XTA_EARG, "max_memory");
    }
    XTA_CHECK_PEXTA(PEXTA_Init(-1, -1, -1, -1), XTA_OK);

    plain p = plain_new(2, dims, 8);
    int g_a = ga_test_new(GA_REGULAR, C_DBL, 2, dims),
        g_b = ga_test_new(GA_REGULAR, C_DBL, 2, dims);
    snprintf(path, sizeof path, "%s", xta_test_path("errors"));
    snprintf(other_path, sizeof other_path, "%s", xta_test_path("errors_too"));
    XTA_CHECK_PEXTA(PEXTA_Create64(C_DBL, 2, dims, "errors", path, PEXTA_RW, NULL, g_a, &p_a),
                    XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Create64(C_DBL, 2, dims, "too", other_path, PEXTA_RW, NULL, g_a, &p_b),
                    XTA_OK);
    plain_fill(&p, 3);
    ga_test_put(g_a, &p);
    ga_test_put(g_b, &p);
    XTA_CHECK_PEXTA(PEXTA_Write(g_a, p_a, NULL), XTA_OK);
    create_and_open(g_a);
    transfers(g_a, p_a, path);
    groups(p_a);
    disagree(g_a, g_b, p_a, p_b, path);
    XTA_CHECK(ga_test_same(g_a, &p), "the global array");
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
    XTA_CHECK(ga_test_file_same(path, &p), "the file");
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_EARG);
    GA_Destroy(g_a);
    GA_Destroy(g_b);
    plain_free(&p);
    return ga_test_end();
}

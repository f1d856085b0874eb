/* nprocs: 1 2 3 4 5; mpich: 2 */
/* Cells to disk and back: every kind of global array, every type, 1 to 4 axes (and 7), whole
 * arrays, sections and transposed sections, blocking and non-blocking, with plenty of memory and
 * with very little, against an oracle in memory and the serial library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga_test.h"

static xta_type cells_of(int type)
{
    switch (type) {
    case C_CHAR:
        return XTA_I8;
    case C_INT:
        return XTA_I32;
    case C_FLOAT:
        return XTA_F32;
    case C_DBL:
        return XTA_F64;
    case C_SCPL:
        return XTA_C64;
    case C_DCPL:
        return XTA_C128;
    default:
        return XTA_I64;
    }
}

/* Blocking, or non-blocking and waited for. */
static void move(bool write, bool begun, int g_a, int p_a)
{
    int request = 0;

    if (!begun) {
        XTA_CHECK_PEXTA(write ? PEXTA_Write(g_a, p_a, NULL) : PEXTA_Read(g_a, p_a), XTA_OK);
        return;
    }
    XTA_CHECK_PEXTA(write ? PEXTA_IWrite(g_a, p_a, &request) : PEXTA_IRead(g_a, p_a, &request),
                    XTA_OK);
    if (write) {
        // The cells are already copied, so the global array may change now.
        ga_test_zero(g_a);
    }
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
}

typedef struct limits {
    int64_t glo[PEXTA_MAX_NDIM], ghi[PEXTA_MAX_NDIM], plo[PEXTA_MAX_NDIM], phi[PEXTA_MAX_NDIM];
} limits;

/* Sections of the same lengths, at random. */
static limits choose(const plain *g, const plain *p, bool transposed)
{
    limits l;

    for (int axis = 0; axis < p->ndim; axis++) {
        int g_axis = transposed ? p->ndim - 1 - axis : axis;
        int64_t most = g->dims[g_axis] < p->dims[axis] ? g->dims[g_axis] : p->dims[axis];
        int64_t length = ga_test_between(1, most);
        l.glo[g_axis] = ga_test_between(0, g->dims[g_axis] - length);
        l.ghi[g_axis] = l.glo[g_axis] + length - 1;
        l.plo[axis] = ga_test_between(0, p->dims[axis] - length);
        l.phi[axis] = l.plo[axis] + length - 1;
    }
    return l;
}

static void move_section(bool write, bool begun, bool t, int g_a, int p_a, const limits *l)
{
    int request = 0;

    if (begun && write) {
        XTA_CHECK_PEXTA(PEXTA_IWrite_section(t, g_a, l->glo, l->ghi, p_a, l->plo, l->phi, &request),
                        XTA_OK);
        ga_test_zero(g_a);
        XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    } else if (begun) {
        XTA_CHECK_PEXTA(PEXTA_IRead_section(t, g_a, l->glo, l->ghi, p_a, l->plo, l->phi, &request),
                        XTA_OK);
        XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    } else if (write) {
        XTA_CHECK_PEXTA(PEXTA_Write_section64(t, g_a, l->glo, l->ghi, p_a, l->plo, l->phi), XTA_OK);
    } else {
        XTA_CHECK_PEXTA(PEXTA_Read_section64(t, g_a, l->glo, l->ghi, p_a, l->plo, l->phi), XTA_OK);
    }
}

/* Some sections of one array, to the file and back. */
static void sections(ga_kind kind, int g_a, plain *g, int p_a, plain *p, int n)
{
    for (int k = 0; k < n; k++) {
        bool transposed = k % 2 == 1, begun = ga_test_between(0, 1) == 1;
        const limits l = choose(g, p, transposed);
        plain_fill(g, ga_test_random());
        ga_test_put(g_a, g);
        move_section(true, begun, transposed, g_a, p_a, &l);
        plain_copy(g, l.glo, l.ghi, p, l.plo, transposed);

        const limits back = choose(g, p, transposed);
        ga_test_put(g_a, g);
        move_section(false, !begun, transposed, g_a, p_a, &back);
        plain_copy(p, back.plo, back.phi, g, back.glo, transposed);
        XTA_CHECK(ga_test_same(g_a, g), "%s, section %d, %s", ga_kind_name(kind), k,
                  transposed ? "transposed" : "straight");
    }
}

/* One kind, one type, one number of axes. */
static void one_case(ga_kind kind, ga_kind other, int type, int ndim)
{
    static int n_cases;
    int64_t dims[PEXTA_MAX_NDIM], chunk[PEXTA_MAX_NDIM], g_dims[PEXTA_MAX_NDIM];
    const int64_t longest[] = {0, 90, 17, 9, 7, 5, 4, 3};
    char name[64];
    int p_a = 0, got_type = 0, got_ndim = 0;
    int64_t least = xta_test_ranks < 3 ? 3 : xta_test_ranks;
    int64_t most = longest[ndim] > 4 ? longest[ndim] : 4;

    most = most > least ? most : least;
    for (int axis = 0; axis < ndim; axis++) {
        dims[axis] = ga_test_between(least, most);
        g_dims[axis] = ga_test_between(least, most);
        chunk[axis] = ga_test_between(1, 4);
    }
    snprintf(name, sizeof name, "moves%d", n_cases++);
    const char *path = xta_test_path(name);
    char files[1100];
    snprintf(files, sizeof files, "%s.pma", path);
    ga_test_files(files, cells_of(type), ndim, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, &got_type, &got_ndim, NULL, NULL, NULL), XTA_OK);
    XTA_CHECK(got_ndim == ndim && (got_type == type || type == C_LONGLONG), "type %d, wanted %d",
              got_type, type);

    plain p = plain_new(ndim, dims, ga_test_cell(type));
    int g_a = ga_test_new(kind, type, ndim, dims), g_b = ga_test_new(other, type, ndim, dims);
    if (XTA_CHECK(g_a != 0 && g_b != 0, "no global arrays %s, %s", ga_kind_name(kind),
                  ga_kind_name(other))) {
        ga_test_zero(g_b);
        move(false, false, g_b, p_a);
        XTA_CHECK(ga_test_same(g_b, &p), "%s: not 0 at first", ga_kind_name(other));
        for (int begun = 0; begun < 2; begun++) {
            plain_fill(&p, ga_test_random());
            ga_test_put(g_a, &p);
            move(true, begun != 0, g_a, p_a);
            move(false, begun == 0, g_b, p_a);
            XTA_CHECK(ga_test_same(g_b, &p), "%s to %s, type %d, %d axes", ga_kind_name(kind),
                      ga_kind_name(other), type, ndim);
        }
        GA_Destroy(g_a);
        GA_Destroy(g_b);
    }
    plain g = plain_new(ndim, g_dims, ga_test_cell(type));
    int g_c = ga_test_new(kind, type, ndim, g_dims);
    sections(kind, g_c, &g, p_a, &p, 4);
    GA_Destroy(g_c);
    XTA_CHECK_PEXTA(PEXTA_Sync(p_a), XTA_OK);
    XTA_CHECK(ga_test_file_same(path, &p), "%s, type %d, %d axes: the file", ga_kind_name(kind),
              type, ndim);
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    plain_free(&g);
    plain_free(&p);
}

/* Every kind, and if requested every type, with this number of axes. */
static void all_cases(int least_axes, int most_axes, bool types)
{
    for (int ndim = least_axes; ndim <= most_axes; ndim++) {
        for (int k = 0; k < GA_KINDS; k++) {
            one_case((ga_kind)k, (ga_kind)((k + ndim) % GA_KINDS),
                     ga_test_types[(k + 3 * ndim) % GA_TEST_TYPES], ndim);
        }
        for (int k = 0; k < GA_TEST_TYPES && types; k++) {
            one_case((ga_kind)((k + ndim) % GA_KINDS), GA_REGULAR, ga_test_types[k], ndim);
        }
    }
}

int main(int argc, char **argv)
{
    // Each wait of one process for another takes long if ranks spin, as under MPICH.
#ifdef MPICH_VERSION
    const bool few = true;
#else
    const bool few = false;
#endif

    ga_test_begin(&argc, &argv, -1);
    all_cases(few ? 2 : 1, few ? 2 : 4, !few);
    one_case(GA_REGULAR, GA_SLABS, C_INT, 7);
    one_case(GA_IRREGULAR, GA_REGULAR, C_DBL, 5);

    // Memory for a few cells: everything is moved in small pieces, and most of it within the calls.
    XTA_CHECK_PEXTA(PEXTA_Terminate(), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Init(-1, -1, -1, 400), XTA_OK);
    ga_test_state = 77;
    all_cases(few ? 2 : 1, few ? 2 : 3, false);

    // Fewer processes that read and write files than there are.
    XTA_CHECK_PEXTA(PEXTA_Set_default_config(1, 2), XTA_OK);
    for (int k = 0; k < GA_KINDS; k++) {
        one_case((ga_kind)k, GA_REGULAR, C_FLOAT, few ? 1 : 3);
    }
    return ga_test_end();
}

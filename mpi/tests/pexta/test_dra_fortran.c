/* nprocs: 1 2 4; mpich: 2 */
/* The Fortran names of DRA: axes in Fortran's order and from 1, blank-padded texts, types of
 * Fortran, handles set to 0, the calls for two axes and those for any number.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dra/fortran.h"

#include "pexta/dra_rig.h"

static const Integer rw = DRA_RW;
static const Integer r = DRA_R;

/* A text as a CHARACTER*200 holds it. */
typedef struct padded {
    char text[200];
} padded;

static padded pad(const char *text)
{
    padded p;
    memset(p.text, ' ', sizeof p.text);
    memcpy(p.text, text, strlen(text));
    return p;
}

static bool is_padded(const char *text, size_t length, const char *want)
{
    size_t n = strlen(want);
    bool same = memcmp(text, want, n < length ? n : length) == 0;
    for (size_t k = n; k < length; k++) {
        same = same && text[k] == ' ';
    }
    return same;
}

/* ---- two axes ---- */

static void two_axes(void)
{
    const int64_t c_dims[2] = {30, 50}; // in Fortran (50, 30)
    const Integer dim1 = 50;
    const Integer dim2 = 30;
    const Integer type = MT_F_DBL;
    const Integer any = -1;
    padded file = pad(xta_test_path("two"));
    padded back;
    char name[8];
    Integer d_a = 0, request = 0, got_type = 0, got1 = 0, got2 = 0;
    int g_a = rig_ga(C_DBL, 2, c_dims);
    int g_b = rig_ga(C_DBL, 2, c_dims);
    const Integer fa = g_a;
    const Integer fb = g_b;

    rig_fill(g_a, rig_number, c_dims);
    XTA_CHECK(dra_create_(&type, &dim1, &dim2, "blank    ", file.text, &rw, &any, &any, &d_a, 9,
                          200) == 0,
              "create");
    XTA_CHECK(dra_write_(&fa, &d_a, &request) == 0 && dra_wait_(&request) == 0, "write");
    XTA_CHECK(dra_inquire_(&d_a, &got_type, &got1, &got2, name, back.text, 8, 200) == 0, "inquire");
    XTA_CHECK(is_padded(name, 8, "blank"), "name '%.8s'", name);
    XTA_CHECK(dra_close_(&d_a) == 0 && d_a == 0, "close");
    XTA_CHECK(dra_open_(file.text, &r, &d_a, 200) == 0, "open");
    memset(name, '#', sizeof name);
    dra_inquire_(&d_a, &got_type, &got1, &got2, name, back.text, 1, 200);
    XTA_CHECK(name[0] == 'b' && name[1] == '#', "a CHARACTER*1 was overrun");
    dra_inquire_(&d_a, &got_type, &got1, &got2, name, back.text, 8, 200);
    XTA_CHECK(is_padded(name, 8, "blank\n"), "name after open '%.8s'", name);
    XTA_CHECK(memcmp(&back, &file, sizeof back) == 0, "filename '%.200s'", back.text);
    XTA_CHECK(got_type == MT_F_DBL && got1 == 50 && got2 == 30, "%ld %ld %ld", got_type, got1,
              got2);
    XTA_CHECK(dra_read_(&fb, &d_a, &request) == 0 && dra_wait_(&request) == 0, "read");
    rig_compare(g_b, rig_number, c_dims, "two axes");
    XTA_CHECK(dra_delete_(&d_a) == 0 && d_a == 0, "delete");
    XTA_CHECK(dra_open_(file.text, &r, &d_a, 200) == -1, "open what is gone");
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

/* The section (3:10, 5:25) of a disk array into (1:8, 2:22) of a global one, both (50, 30) in
 * Fortran. */
static int64_t shifted(const int64_t at[], int ndim, const void *dims)
{
    bool inside = at[1] >= 0 && at[1] <= 7 && at[0] >= 1 && at[0] <= 21;
    int64_t there[2] = {at[0] + 3, at[1] + 2};
    return inside ? rig_number(there, ndim, dims) : 0;
}

static void sections(void)
{
    const int64_t c_dims[2] = {30, 50};
    const Integer dims[2] = {50, 30};
    const Integer type = MT_F_REAL;
    const Integer ndim = 2;
    const Integer n[9] = {0, 1, 2, 3, 5, 8, 10, 22, 25};
    const Integer glo[2] = {1, 2}, ghi[2] = {8, 22}, dlo[2] = {3, 5}, dhi[2] = {10, 25};
    const logical no = 0;
    Integer d_a = 0, request = 0, status = 0;
    int g_a = rig_ga(C_FLOAT, 2, c_dims);
    int g_b = rig_ga(C_FLOAT, 2, c_dims);
    const Integer fa = g_a;
    const Integer fb = g_b;
    padded file = pad(xta_test_path("sections"));

    rig_fill(g_a, rig_number, c_dims);
    ndra_create_(&type, &ndim, dims, "s", file.text, &rw, dims, &d_a, 1, 200);
    ndra_write_(&fa, &d_a, &request);
    dra_wait_(&request);
    GA_Zero(g_b);
    dra_read_section_(&no, &fb, &n[1], &n[5], &n[2], &n[7], &d_a, &n[3], &n[6], &n[4], &n[8],
                      &request);
    while (dra_probe_(&request, &status) == 0 && status != ELIO_DONE) {
        dra_flick_();
    }
    GA_Sync();
    rig_compare(g_b, shifted, c_dims, "section of two axes");
    GA_Zero(g_b);
    ndra_read_section_(&no, &fb, glo, ghi, &d_a, dlo, dhi, &request);
    dra_wait_(&request);
    rig_compare(g_b, shifted, c_dims, "section");
    GA_Zero(g_a);
    ndra_write_(&fa, &d_a, &request);
    dra_wait_(&request);
    dra_write_section_(&no, &fb, &n[1], &n[5], &n[2], &n[7], &d_a, &n[1], &n[5], &n[2], &n[7],
                       &request);
    dra_wait_(&request);
    ndra_read_(&fa, &d_a, &request);
    dra_wait_(&request);
    rig_compare(g_a, shifted, c_dims, "section written");
    dra_delete_(&d_a);
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

/* ---- types, configuration, growth ---- */

static void types(void)
{
    static const struct {
        Integer fortran;
        int c;
        Integer back;
    } all[] = {{MT_F_INT, C_LONG, MT_F_INT},    {MT_F_LOG, C_LONG, MT_F_INT},
               {MT_F_REAL, C_FLOAT, MT_F_REAL}, {MT_F_DBL, C_DBL, MT_F_DBL},
               {MT_F_SCPL, C_SCPL, MT_F_SCPL},  {MT_F_DCPL, C_DCPL, MT_F_DCPL},
               {MT_F_BYTE, C_CHAR, MT_F_BYTE},  {C_INT, C_INT, C_INT}};
    const int64_t c_dims[3] = {6, 5, 4};
    const Integer dims[3] = {4, 5, 6};
    const Integer ndim = 3;
    const Integer files = 1;
    const Integer processes = 2;
    padded file = pad(xta_test_path("types"));
    padded name;

    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        int g_a = rig_ga(all[k].c, 3, c_dims);
        const Integer fa = g_a;
        Integer d_a = 0, request = 0, type = 0, axes = 0, lengths[GA_MAX_DIM] = {0};
        rig_fill(g_a, rig_number, c_dims);
        ndra_create_config_(&all[k].fortran, &ndim, dims, "", file.text, &rw, dims, &files,
                            &processes, &d_a, 0, 200);
        ndra_write_(&fa, &d_a, &request);
        dra_wait_(&request);
        ndra_inquire_(&d_a, &type, &axes, lengths, name.text, file.text, 200, 200);
        XTA_CHECK(type == all[k].back && axes == 3, "type %ld, %ld axes", type, axes);
        XTA_CHECK(memcmp(lengths, dims, sizeof dims) == 0, "%ld %ld %ld", lengths[0], lengths[1],
                  lengths[2]);
        GA_Zero(g_a);
        ndra_read_(&fa, &d_a, &request);
        dra_wait_(&request);
        rig_compare(g_a, rig_number, c_dims, "types");
        dra_delete_(&d_a);
        GA_Destroy(g_a);
    }
}

/* After growth by (2, 1) cells at the front and (3, 0) behind, in Fortran's order. */
static int64_t grown(const int64_t at[], int ndim, const void *dims)
{
    int64_t there[2] = {at[0] - 1, at[1] - 2};
    bool inside = there[0] >= 0 && there[1] >= 0 && there[1] < 5;
    return inside ? rig_number(there, ndim, dims) : 0;
}

static void growth(void)
{
    const int64_t before[2] = {4, 5};
    const int64_t after[2] = {5, 10};
    const Integer dims[2] = {5, 4};
    const Integer front[2] = {2, 1};
    const Integer behind[2] = {3, 0};
    const Integer type = MT_F_DBL;
    const Integer ndim = 2;
    const Integer two = 2;
    const logical yes = 1;
    Integer d_a = 0, request = 0, now[2] = {0, 0};
    int g_a = rig_ga(C_DBL, 2, before);
    int g_b = rig_ga(C_DBL, 2, after);
    Integer f = g_a;
    padded file = pad(xta_test_path("growth"));

    rig_fill(g_a, rig_number, before);
    ndra_create_(&type, &ndim, dims, "g", file.text, &rw, dims, &d_a, 1, 200);
    ndra_write_(&f, &d_a, &request);
    dra_wait_(&request);
    XTA_CHECK(ndra_extend_front_(&d_a, front, now) == 0, "extend at the front");
    XTA_CHECK(now[0] == 7 && now[1] == 5, "%ld, %ld", now[0], now[1]);
    XTA_CHECK(ndra_extend_(&d_a, behind, now) == 0, "extend");
    XTA_CHECK(now[0] == 10 && now[1] == 5, "%ld, %ld", now[0], now[1]);
    XTA_CHECK(ndra_refresh_(&d_a, now) == 0 && now[0] == 10 && now[1] == 5, "refresh");
    f = g_b;
    ndra_read_(&f, &d_a, &request);
    dra_wait_(&request);
    rig_compare(g_b, grown, before, "grown");
    dra_set_mode_(&two);
    dra_set_debug_(&yes);
    dra_set_default_config_(&two, &two);
    dra_print_internals_(&d_a);
    dra_delete_(&d_a);
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

int main(int argc, char **argv)
{
    const Integer any = -1;
    const double none = -1;

    xta_test_begin(&argc, &argv);
    GA_Initialize();
    XTA_CHECK(dra_init_(&any, &none, &none, &none) == 0, "init");
    two_axes();
    sections();
    types();
    growth();
    XTA_CHECK(dra_terminate_() == 0, "terminate");
    int code = xta_test_verdict();
    GA_Terminate();
    MPI_Finalize();
    return code;
}

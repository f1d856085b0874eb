/* Run by dra_ranks.sh on several numbers of ranks: `dra_ranks write FILE` makes arrays, `read FILE`
 * finds the same cells in them, `grown FILE` finds them after the tool has made them larger, and
 * `long FILE` writes into the added part.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/dra_rig.h"

#define ADDED 11

static const int types[] = {C_INT, C_LONG, C_FLOAT, C_DBL, C_SCPL, C_DCPL};
static const int64_t shape[3] = {47, 31, 23};
static const int64_t longer[3] = {47 + ADDED, 31, 23};

/* In the longer arrays: the cells of the shorter one, followed by zeros. */
static int64_t before_growth(const int64_t at[], int ndim, const void *user)
{
    (void)user;
    return at[0] < shape[0] ? rig_number(at, ndim, shape) : 0;
}

static void one(int type, char *file, const char *mode)
{
    bool writes = strcmp(mode, "write") == 0 || strcmp(mode, "long") == 0;
    bool grown = strcmp(mode, "grown") == 0 || strcmp(mode, "long") == 0;
    const int64_t *dims = grown ? longer : shape;
    dra_size_t lengths[3] = {shape[0], shape[1], shape[2]};
    dra_size_t typical[3] = {10, -1, 23};
    int d_a = 0;
    int g_a = rig_ga(type, 3, dims);

    if (strcmp(mode, "write") == 0) {
        NDRA_Create(type, 3, lengths, (char *)"persistent", file, DRA_RW, typical, &d_a);
    } else {
        XTA_CHECK(DRA_Open(file, writes ? DRA_RW : DRA_R, &d_a) == 0, "open %s", file);
    }
    if (writes) {
        rig_fill(g_a, rig_number, dims);
        rig_write(g_a, d_a);
    }
    GA_Zero(g_a);
    if (strcmp(mode, "long") != 0) {
        rig_read(g_a, d_a);
        rig_compare(g_a, grown ? before_growth : rig_number, dims, file);
    }
    XTA_CHECK(DRA_Close(d_a) == 0, "close");
    GA_Destroy(g_a);
}

int main(int argc, char **argv)
{
    char file[1024];

    rig_begin(&argc, &argv);
    for (size_t k = 0; k < sizeof types / sizeof types[0] && argc == 3; k++) {
        snprintf(file, sizeof file, "%s%d", argv[2], types[k]);
        one(types[k], file, argv[1]);
    }
    return rig_end();
}

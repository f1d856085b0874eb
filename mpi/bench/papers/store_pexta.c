/* PEXTA. The session stays open while another program extends the array, and then reloads the
 * bounds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/pexta.h>

#include "store.h"

static void checked(int code, const char *call)
{
    if (code != 0) {
        bench_die("%s: %s", call, PEXTA_Error_text());
    }
}
#define PEXTA(call) checked((call), #call)

static void pexta_begin(double buffer_bytes)
{
    PEXTA(PEXTA_Init(-1, -1, -1, buffer_bytes > 0 ? buffer_bytes : -1));
}

static void pexta_end(void)
{
    PEXTA(PEXTA_Terminate());
}

static void pexta_create(disk_array *a)
{
    PEXTA(PEXTA_Create64(C_DBL, a->ndim, a->dims, a->name, bench_path(a->name), PEXTA_RW,
                         a->typical, PEXTA_NO_GA, &a->handle));
}

static void pexta_open(disk_array *a)
{
    PEXTA(PEXTA_Open(bench_path(a->name), PEXTA_RW, &a->handle));
    PEXTA(PEXTA_Inquire64(a->handle, NULL, NULL, a->dims, NULL, NULL));
}

static void pexta_close(disk_array *a)
{
    PEXTA(PEXTA_Close(a->handle));
}

static void pexta_remove(disk_array *a)
{
    PEXTA(PEXTA_Delete(a->handle));
}

/* The last cells of a section and of the global array that is as large. */
static void ends(const disk_array *a, const int64_t lo[], const int64_t hi[], int64_t last[],
                 int64_t global_last[])
{
    for (int axis = 0; axis < a->ndim; axis++) {
        last[axis] = hi[axis] - 1;
        global_last[axis] = last[axis] - lo[axis];
    }
}

static void pexta_write(disk_array *a, int g, const int64_t lo[], const int64_t hi[])
{
    static const int64_t zero[STORE_AXES] = {0};
    int64_t last[STORE_AXES], global_last[STORE_AXES];

    ends(a, lo, hi, last, global_last);
    PEXTA(PEXTA_Write_section64(0, g, zero, global_last, a->handle, lo, last));
}

static void pexta_read(disk_array *a, int g, const int64_t lo[], const int64_t hi[])
{
    static const int64_t zero[STORE_AXES] = {0};
    int64_t last[STORE_AXES], global_last[STORE_AXES];

    ends(a, lo, hi, last, global_last);
    PEXTA(PEXTA_Read_section64(0, g, zero, global_last, a->handle, lo, last));
}

static void pexta_begin_growth(disk_array *a)
{
    store_begin_outsider(a, "xta", bench_path(a->name));
}

static void pexta_end_growth(disk_array *a)
{
    store_end_outsider(a);
    PEXTA(PEXTA_Refresh(a->handle, a->dims, NULL));
}

const store store_pexta = {
    .name = "PEXTA",
    .begin = pexta_begin,
    .end = pexta_end,
    .create = pexta_create,
    .open = pexta_open,
    .close = pexta_close,
    .remove = pexta_remove,
    .write = pexta_write,
    .read = pexta_read,
    .begin_growth = pexta_begin_growth,
    .end_growth = pexta_end_growth,
};

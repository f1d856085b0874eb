/* What MPI leaves undone for zones: a lock for each zone, and comparing unsigned integers.
 *
 * MPI_Accumulate is atomic for each element of a predefined type. A cell of XTA_BYTES is many such
 * elements, so whoever writes it has to have the zone alone. And two implementations of 2022 take
 * unsigned integers for signed ones in MPI_MIN and MPI_MAX (MPICH 4.0.2, issue 6083; Open MPI 4.1.4
 * for 64 bits where the processor has AVX-512, issue 10648): where that is found, the cells are
 * fetched, compared here and put back while the zone is locked.
 *
 * The lock is a word behind the cells of the zone: 0, or 1 while somebody has it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/zone_memory.h"

#include <time.h>

/* Windows are made of whole lines: MPICH 4.0.2 looks for the windows of other ranks in the wrong
 * place if their bytes are no multiple of 16. */
#define LINE_BYTES 64

MPI_Aint xta__zone_lock_place(uint64_t zone_bytes)
{
    return (MPI_Aint)((zone_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES);
}

MPI_Aint xta__zone_window_bytes(uint64_t zone_bytes)
{
    return xta__zone_lock_place(zone_bytes) + LINE_BYTES;
}

int xta__zone_lock(MPI_Win window, int owner, MPI_Aint place)
{
    const struct timespec pause = {0, 20000};
    const int64_t mine = 1, nobody = 0;
    int64_t before = 1;

    for (;;) {
        int code = MPI_Compare_and_swap(&mine, &nobody, &before, MPI_INT64_T, owner, place, window);
        code = code == MPI_SUCCESS ? MPI_Win_flush(owner, window) : code;
        if (code != MPI_SUCCESS || before == 0) {
            return code;
        }
        nanosleep(&pause, NULL);
    }
}

int xta__zone_unlock(MPI_Win window, int owner, MPI_Aint place)
{
    const int64_t nobody = 0;
    int64_t before = 0;
    int code = MPI_Fetch_and_op(&nobody, &before, MPI_INT64_T, owner, place, MPI_REPLACE, window);

    return code == MPI_SUCCESS ? MPI_Win_flush(owner, window) : code;
}

#define COMBINE(type)                                                  \
    do {                                                               \
        const type *a = in;                                            \
        type *b = inout;                                               \
        for (size_t k = 0; k < n; k++) {                               \
            b[k] = (lesser ? a[k] < b[k] : a[k] > b[k]) ? a[k] : b[k]; \
        }                                                              \
    } while (0)

void xta__combine_unsigned(xta_type type, bool lesser, const void *in, void *inout, size_t n)
{
    if (type == XTA_U8) {
        COMBINE(uint8_t);
    } else if (type == XTA_U16) {
        COMBINE(uint16_t);
    } else if (type == XTA_U32) {
        COMBINE(uint32_t);
    } else {
        COMBINE(uint64_t);
    }
}

bool xta__unsigned_is_flawed(xta_type type, MPI_Datatype unit)
{
    enum { N = 200 }; /* enough for vectors of any processor, and a rest */
    uint64_t in[N], theirs[N], ours[N];
    size_t bytes = xta_type_bytes(type);
    bool flawed = false;

    if (type != XTA_U8 && type != XTA_U16 && type != XTA_U32 && type != XTA_U64) {
        return false;
    }
    for (int lesser = 0; lesser < 2; lesser++) {
        for (int k = 0; k < N; k++) {
            in[k] = k % 2 == 0 ? 3 : UINT64_MAX - 2;
            theirs[k] = ours[k] = k % 3 == 0 ? 4 : UINT64_MAX - 1;
        }
        MPI_Reduce_local(in, theirs, (int)(N * sizeof in[0] / bytes), unit,
                         lesser ? MPI_MIN : MPI_MAX);
        xta__combine_unsigned(type, lesser, in, ours, N * sizeof in[0] / bytes);
        for (int k = 0; k < N; k++) {
            flawed = flawed || theirs[k] != ours[k];
        }
    }
    return flawed;
}

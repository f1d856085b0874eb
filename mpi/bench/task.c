/* Helpers on tasks for all sides; see sides.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sides.h"

#include <stdio.h>

char *side_path(char path[SIDE_PATH_BYTES], const char *name)
{
    snprintf(path, SIDE_PATH_BYTES, "%s", bench_path(name));
    return path;
}

xta_box task_mine(const task *t)
{
    return t->boxes[t->rank];
}

void task_lengths(const xta_box *box, int64_t lengths[])
{
    for (int axis = 0; axis < AXES; axis++) {
        lengths[axis] = box->hi[axis] - box->lo[axis];
    }
}

size_t task_bytes(const task *t)
{
    int64_t lengths[AXES];

    task_lengths(&t->boxes[t->rank], lengths);
    return (size_t)lengths[0] * (size_t)lengths[1] * (size_t)lengths[2] * sizeof(double);
}

void check_mpi(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;

    if (code != MPI_SUCCESS) {
        MPI_Error_string(code, text, &n);
        bench_die("%s: %s", call, text);
    }
}

/* What calls.py does, by calls of the library alone: one cell, a small box, all cells.
 *
 *     calls PATH cell|box|all N
 *
 * prints the seconds of one call: the least of five rounds of N calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <xta/array.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* As NumPy's: new in each round, and large memory in huge pages. */
static void *new_memory(size_t n)
{
    const size_t huge = (size_t)2 << 20;
    void *memory = NULL;

    if (n < huge) {
        return malloc(n);
    }
    if (posix_memalign(&memory, huge, n) == 0) {
        (void)madvise(memory, n, MADV_HUGEPAGE);
    }
    return memory;
}

/* One round of n calls; false if one failed. */
static int run(xta_array *array, const char *what, const xta_box *box, void *out, long n,
               xta_error *err)
{
    const int64_t cell[3] = {3, 5, 7};
    xta_status status = XTA_OK;

    for (long k = 0; status == XTA_OK && k < n; k++) {
        status = strcmp(what, "cell") == 0 ? xta_array_get(array, cell, out, err)
                                           : xta_array_read(array, box, NULL, out, err);
    }
    return status == XTA_OK;
}

int main(int argc, char **argv)
{
    xta_array *array = NULL;
    xta_error err;
    double least = 1e9;

    if (argc != 4) {
        fprintf(stderr, "usage: calls PATH cell|box|all N\n");
        return 2;
    }
    if (xta_array_open(argv[1], NULL, &array, &err) != XTA_OK) {
        fprintf(stderr, "calls: %s\n", err.text);
        return 1;
    }
    xta_box box = xta_array_bounds(array);
    if (strcmp(argv[2], "all") != 0) {
        box = (xta_box){.ndim = 3, .lo = {3, 5, 7}, .hi = {11, 13, 15}};
    }
    uint64_t n_cells = 0;
    if (xta_box_cells(&box, &n_cells) != XTA_OK) {
        return 1;
    }
    long n = strtol(argv[3], NULL, 10);
    for (int round = 0; round < 5; round++) {
        void *out = new_memory((size_t)n_cells * xta_array_cell_bytes(array));
        double begin = now();
        if (out == NULL || !run(array, argv[2], &box, out, n, &err)) {
            fprintf(stderr, "calls: failed\n");
            return 1;
        }
        double one = (now() - begin) / (double)n;
        least = one < least ? one : least;
        free(out);
    }
    printf("%.10g\n", least);
    return xta_array_close(array, &err) != XTA_OK;
}

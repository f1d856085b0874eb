/* [CXA] Fig. 3.5.2, 6.4.2 and 6.4.3: an array of k axes grows on arbitrary axes, and between the
 * growths random cells are read; in memory, and in files.
 *
 * usage: bench_interleaved memory|disk K large|single CELLS GROWTHS READS
 *
 * `large`: from CELLS / 400 to about CELLS doubles, as the arrays of the thesis grew from 3 x 10^6
 * to 1.2 x 10^9; each growth multiplies an axis by the same factor, and the axes come in random
 * order, each once before one comes again. `single`: from CELLS / 2, each growth adds one index to
 * an axis chosen at random. READS is for all of the history.
 *
 * Four sides: a conventional row-major array, which is reorganised unless its first axis grows; the
 * extendible array of [CXA] 3.3 without chunks (axial vectors, binary search), whose new cells are
 * one segment of memory, or of the file; XTA; and in files HDF5 (peer_hdf5.h). New cells are
 * written after each growth. Rows are the seconds of the whole history: "extend" is the growth with
 * what is reorganised, "write" stores the new cells, "read" the random reads; in memory
 * processor time. In the conventional file, growth and new cells are written in one pass, which
 * counts as "extend".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "grown_array.h"

typedef struct history {
    int k, n;
    bool single;
    int64_t start;
    int *axes;
    int64_t *amounts;
    int64_t end[GROWN_MAX_AXES]; // the bounds after it
    int n_reads;
    double (*clock)(void);
} history;

/* The axes in a random order, each once, and then again. */
static int next_axis(const history *h, int i, int order[], uint64_t *random)
{
    if (h->single) {
        return (int)bench_below(random, h->k);
    }
    for (int j = 0; i % h->k == 0 && j < h->k; j++) {
        int other = (int)bench_below(random, j + 1);
        order[j] = order[other];
        order[other] = j;
    }
    return order[i % h->k];
}

static void plan(history *h, double cells)
{
    double factor = pow(400, 1.0 / h->n);
    uint64_t random = 5;
    int order[GROWN_MAX_AXES] = {0};

    h->start = (int64_t)pow(cells / (h->single ? 2 : 400), 1.0 / h->k);
    h->axes = bench_memory((size_t)h->n * sizeof h->axes[0]);
    h->amounts = bench_memory((size_t)h->n * sizeof h->amounts[0]);
    for (int j = 0; j < h->k; j++) {
        h->end[j] = h->start;
    }
    for (int i = 0; i < h->n; i++) {
        int axis = next_axis(h, i, order, &random);
        int64_t longer = (int64_t)((double)h->end[axis] * (factor - 1) + 0.5);
        h->axes[i] = axis;
        h->amounts[i] = h->single || longer < 1 ? 1 : longer;
        h->end[axis] += h->amounts[i];
    }
}

/* The most cells that one growth adds. */
static size_t largest_slab(const history *h)
{
    size_t most = 1, cells = 1;

    for (int j = 0; j < h->k; j++) {
        cells *= (size_t)h->end[j];
    }
    for (int i = 0; i < h->n; i++) {
        size_t slab = cells / (size_t)h->end[h->axes[i]] * (size_t)h->amounts[i];
        most = slab > most ? slab : most;
    }
    return most;
}

/* Low bits of a cell: their sum is exact. */
static int64_t low_bits(double value)
{
    return (int64_t)value & 65535;
}

static double read_some(grown_array *array, const int64_t bounds[], int n, double (*now)(void),
                        uint64_t *random)
{
    int64_t *coords = bench_memory((size_t)n * GROWN_MAX_AXES * sizeof coords[0] + 1);
    int64_t sum = 0, expected = 0;

    for (int i = 0; i < n; i++) {
        int64_t *coord = coords + (size_t)i * GROWN_MAX_AXES;
        for (int j = 0; j < array->k; j++) {
            coord[j] = bench_below(random, bounds[j]);
        }
        expected += low_bits(bench_value(array->k, coord));
    }
    double begin = now();
    for (int i = 0; i < n; i++) {
        sum += low_bits(array->form->get(array, coords + (size_t)i * GROWN_MAX_AXES));
    }
    double taken = now() - begin;
    free(coords);
    if (sum != expected) {
        bench_die("wrong cells from %s", array->form->name);
    }
    return taken;
}

static void run(const history *h, const grown_form *form, double *slab_cells)
{
    grown_array array = {.form = form, .k = h->k};
    int64_t bounds[GROWN_MAX_AXES], lo[GROWN_MAX_AXES] = {0}, length[GROWN_MAX_AXES];
    double extend = 0, write = 0, read = 0;
    uint64_t random = 17;

    for (int j = 0; j < h->k; j++) {
        bounds[j] = h->start;
    }
    xta_box first = bench_box(h->k, lo, bounds);
    form->create(&array, &first);
    for (int i = 0; i < h->n; i++) {
        int axis = h->axes[i];
        memcpy(length, bounds, sizeof length);
        memset(lo, 0, sizeof lo);
        lo[axis] = bounds[axis];
        length[axis] = h->amounts[i];
        xta_box slab = bench_box(h->k, lo, length);
        bench_fill(&slab, slab_cells);
        double begin = h->clock();
        form->extend(&array, axis, &slab, slab_cells);
        double extended = h->clock();
        form->write(&array, axis, &slab, slab_cells);
        double written = h->clock();
        extend += extended - begin;
        write += written - extended;
        bounds[axis] += h->amounts[i];
        int n = h->n_reads / h->n + (i < h->n_reads % h->n);
        read += read_some(&array, bounds, n, h->clock, &random);
    }
    form->destroy(&array);
    printf("%d,%s: extend,%.9g,s\n", h->k, form->name, extend);
    printf("%d,%s: write,%.9g,s\n", h->k, form->name, write);
    printf("%d,%s: read,%.9g,s\n", h->k, form->name, read);
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        bench_die("usage: bench_interleaved memory|disk K large|single CELLS GROWTHS READS");
    }
    bool disk = strcmp(argv[1], "disk") == 0;
    history h = {.k = atoi(argv[2]),
                 .n = atoi(argv[5]),
                 .single = strcmp(argv[3], "single") == 0,
                 .n_reads = atoi(argv[6]),
                 .clock = disk ? bench_now : bench_cpu_now};

    if (h.k < 2 || h.k > GROWN_MAX_AXES || h.n < 1) {
        bench_die("2 to %d axes and at least one growth", GROWN_MAX_AXES);
    }
    plan(&h, atof(argv[4]));
    printf("# k=%d: from %lld a side to", h.k, (long long)h.start);
    for (int j = 0; j < h.k; j++) {
        printf(" %lld", (long long)h.end[j]);
    }
    printf("; %d growths; %d reads\n", h.n, h.n_reads);
    double *slab = bench_memory(largest_slab(&h) * sizeof slab[0]);
    for (const grown_form *const *form = disk ? grown_in_files : grown_in_memory; *form != NULL;
         form++) {
        run(&h, *form, slab);
    }
    free(slab);
    free(h.axes);
    free(h.amounts);
    return 0;
}

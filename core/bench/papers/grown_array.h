/* Arrays that grow, behind one interface: the sides of [CXA] 3.5.2, 6.4.2 and 6.4.3.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_GROWN_ARRAY_H
#define XTA_BENCH_GROWN_ARRAY_H

#include <stdint.h>

#include <xta/box.h>

enum { GROWN_MAX_AXES = 4 };

typedef struct grown_array grown_array;

/* One kind of array. Slabs are dense and row-major, of doubles; all functions end the program if
 * something fails. */
typedef struct grown_form {
    const char *name;
    /* Make the array [0, hi) of `box`, with the values of bench_value. */
    void (*create)(grown_array *array, const xta_box *box);
    /* Grow `axis` at its back by the slab; then store the slab's cells, unless extend has. */
    void (*extend)(grown_array *array, int axis, const xta_box *slab, const double *cells);
    void (*write)(grown_array *array, int axis, const xta_box *slab, const double *cells);
    double (*get)(grown_array *array, const int64_t coord[]);
    void (*destroy)(grown_array *array);
} grown_form;

struct grown_array {
    const grown_form *form;
    int k;
    void *state; // of the form
};

/* Ending with NULL. */
extern const grown_form *const grown_in_memory[];
extern const grown_form *const grown_in_files[];

/* The cells of one segment, as an extendible array without chunks stores them: `axis` slowest, the
 * other axes in their order. From a row-major slab. */
void grown_segment_order(int k, int axis, const xta_box *slab, const double *cells, double *out);

/* The cells of a row-major array spread into a longer one: `runs` runs of `old` cells each, to
 * every `new` cells. */
void grown_spread(double *to, const double *from, int64_t runs, int64_t old, int64_t new);

/* bench_fill into new memory, for the caller to free; `n`: how many cells, NULL if not wanted. */
double *grown_fill(const xta_box *box, uint64_t *n);

#endif

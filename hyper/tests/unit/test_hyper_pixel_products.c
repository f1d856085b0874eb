/* Products of the pixels of a block with vectors, bit by bit against xta__dot over a row of doubles
 * that is made for each pixel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "endmembers/pixels/pixel_products.h"
#include "numeric/reproducible_dot.h"
#include "support/random.h"

enum { MOST_DIMS = 40, MOST_VECTORS = 9, N_COLUMNS = MOST_VECTORS + 3, ROUNDS = 400 };
#define UNTOUCHED (-77.0)

static uint64_t seed;

/* A block with all that its products need. */
typedef struct example {
    pixel_source source;
    pixel_block block;
    pixel_products products;
    unsigned char *cells;
    double *centre;
    double *vectors[MOST_VECTORS];
    const double *given[MOST_VECTORS];
    size_t columns[MOST_VECTORS];
} example;

/* Numbers of several magnitudes, so that another order of a sum has other bits. */
static double any_double(test_random *random)
{
    static const double scale[4] = {1e-9, 1, 1e6, 1e-3};
    double value = (double)test_random_in(random, -1000000, 1000000);

    return value / 3 * scale[test_random_in(random, 0, 3)];
}

static double *any_doubles(test_random *random, size_t n)
{
    double *values = malloc(n * sizeof *values);

    assert_non_null(values);
    for (size_t k = 0; k < n; k++) {
        values[k] = any_double(random);
    }
    return values;
}

/* The bytes of a number of type f32 or f64 are made from doubles, since random bytes could be
 * NaN. */
static void fill_cells(example *x, test_random *random, size_t n_bytes)
{
    static const double odd[4] = {-0.0, INFINITY, -INFINITY, 1e300};
    size_t of_cell = xta_type_bytes(x->source.type);

    for (size_t at = 0; at < n_bytes; at += of_cell) {
        uint64_t bits = test_random_u64(random);
        double value =
            test_random_chance(random, 2) ? odd[test_random_in(random, 0, 3)] : any_double(random);
        float narrow = (float)value;
        const void *from = x->source.type == XTA_F64   ? (const void *)&value
                           : x->source.type == XTA_F32 ? (const void *)&narrow
                                                       : (const void *)&bits;
        memcpy(x->cells + at, from, of_cell);
    }
}

static double cell_of(const unsigned char *cell, xta_type type)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        float f32;
        double f64;
    } value;

    memcpy(&value, cell, xta_type_bytes(type));
    return type == XTA_I8    ? value.i8
           : type == XTA_U8  ? value.u8
           : type == XTA_I16 ? value.i16
           : type == XTA_U16 ? value.u16
           : type == XTA_F32 ? value.f32
                             : value.f64;
}

static void make_vectors(example *x, test_random *random)
{
    size_t square = (size_t)test_random_in(random, 0, N_COLUMNS - 1);

    x->products.n = (size_t)test_random_in(random, 0, MOST_VECTORS);
    x->products.square = square;
    for (size_t v = 0; v < x->products.n; v++) {
        x->vectors[v] = any_doubles(random, x->source.n_dims);
        x->given[v] = test_random_chance(random, 20) ? NULL : x->vectors[v];
        x->columns[v] = (square + 2 + v) % N_COLUMNS;
    }
    x->products.vectors = x->given;
    x->products.columns = x->columns;
}

static void make_example(example *x, test_random *random)
{
    static const xta_type types[6] = {XTA_I8, XTA_U8, XTA_I16, XTA_U16, XTA_F32, XTA_F64};

    *x = (example){.source = {.type = types[test_random_in(random, 0, 5)]}};
    x->source.n_dims = (size_t)test_random_in(random, 1, MOST_DIMS);
    x->block.first = (size_t)test_random_in(random, 0, 20);
    x->block.n = (size_t)test_random_in(random, 1, BLOCK_PIXELS);
    x->block.width = (size_t)test_random_in(random, 1, 32);
    x->block.pixel_bytes = x->source.n_dims * xta_type_bytes(x->source.type);
    x->block.line_bytes =
        (x->block.width + (size_t)test_random_in(random, 0, 3)) * x->block.pixel_bytes;
    size_t last = x->block.first + x->block.n - 1;
    size_t n_bytes = last / x->block.width * x->block.line_bytes +
                     (last % x->block.width + 1) * x->block.pixel_bytes;
    x->cells = malloc(n_bytes);
    assert_non_null(x->cells);
    fill_cells(x, random, n_bytes);
    x->block.cells = x->cells;
    x->centre = any_doubles(random, x->source.n_dims);
    x->products.centre = x->centre;
    x->products.square_wanted = test_random_chance(random, 50);
    make_vectors(x, random);
    x->block.columns = malloc(N_COLUMNS * BLOCK_PIXELS * sizeof(double));
    assert_non_null(x->block.columns);
    for (size_t k = 0; k < N_COLUMNS * BLOCK_PIXELS; k++) {
        x->block.columns[k] = UNTOUCHED;
    }
}

static void free_example(example *x)
{
    for (size_t v = 0; v < MOST_VECTORS; v++) {
        free(x->vectors[v]);
    }
    free(x->cells);
    free(x->centre);
    free(x->block.columns);
}

/* What each column of a pixel must hold. */
static void expect(const example *x, size_t k, double expected[N_COLUMNS])
{
    size_t n = x->source.n_dims, pixel = x->block.first + k;
    const unsigned char *cells = x->cells + pixel / x->block.width * x->block.line_bytes +
                                 pixel % x->block.width * x->block.pixel_bytes;
    double row[MOST_DIMS];

    for (size_t c = 0; c < N_COLUMNS; c++) {
        expected[c] = UNTOUCHED;
    }
    if (k >= x->block.n) {
        return;
    }
    for (size_t d = 0; d < n; d++) {
        row[d] = cell_of(cells + d * xta_type_bytes(x->source.type), x->source.type) - x->centre[d];
    }
    for (size_t v = 0; v < x->products.n; v++) {
        expected[x->columns[v]] = x->given[v] == NULL ? 0 : xta__dot(n, row, x->given[v]);
    }
    if (x->products.square_wanted) {
        expected[x->products.square] = xta__dot(n, row, row);
    }
}

static void products_have_the_bits_of_dot(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < test_scale(ROUNDS); round++) {
        test_random random = test_random_make(seed, round);
        example x;
        make_example(&x, &random);
        xta__pixel_products(&x.source, &x.block, &x.products);
        for (size_t k = 0; k < BLOCK_PIXELS; k++) {
            double expected[N_COLUMNS];
            expect(&x, k, expected);
            for (size_t c = 0; c < N_COLUMNS; c++) {
                const double *got = &x.block.columns[c * BLOCK_PIXELS + k];
                // Which bits a NaN has depends on the order of factors.
                assert_true(isnan(expected[c]) ? isnan(*got)
                                               : memcmp(got, &expected[c], sizeof *got) == 0);
            }
        }
        free_example(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_have_the_bits_of_dot),
    };

    seed = test_seed("test_hyper_pixel_products", 20261128);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

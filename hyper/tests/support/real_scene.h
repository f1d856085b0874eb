/* Real scenes for tests, from the data folder ($XTA_DATA, else ../shared/data beside the sources).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_REAL_SCENE_H
#define XTA_TESTS_REAL_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cube in memory: n_lines x n_samples x n_bands, row-major. Free with test_real_scene_free. */
typedef struct test_real_scene {
    size_t n_lines, n_samples, n_bands;
    double *cells;
    bool whole;         /* integers that fit in 16 bits */
    size_t p;           /* reference endmembers; 0: none */
    double *endmembers; /* p x n_bands */
    double *abundances; /* n_lines * n_samples x p */
    int32_t *truth;     /* n_lines * n_samples classes, 0 for not labelled; NULL: none */
} test_real_scene;

/* Samson (real numbers, 95 x 95 x 156, 3 endmembers); false if the data are missing. */
bool test_samson(test_real_scene *scene);

/* Salinas A (whole numbers, 83 x 86 x 204); false if the data are missing. */
bool test_salinas_a(test_real_scene *scene);

void test_real_scene_free(test_real_scene *scene);

#endif

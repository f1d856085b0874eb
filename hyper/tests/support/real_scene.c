/* Real scenes for tests, read with libmatio.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/real_scene.h"

#include "support/skip.h"

#include <matio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double value_at(const matvar_t *v, size_t k)
{
    switch (v->data_type) {
    case MAT_T_DOUBLE:
        return ((const double *)v->data)[k];
    case MAT_T_SINGLE:
        return (double)((const float *)v->data)[k];
    case MAT_T_INT16:
        return ((const mat_int16_t *)v->data)[k];
    case MAT_T_UINT16:
        return ((const mat_uint16_t *)v->data)[k];
    default:
        fprintf(stderr, "%s: cells of an unexpected type\n", v->name);
        exit(1);
    }
}

/* A variable as doubles in MATLAB's order (first axis fastest); NULL if there is no such file. */
static double *read_variable(const char *file, const char *name, size_t dims[3])
{
    const char *data = getenv("XTA_DATA"), *source = getenv("XTA_SOURCE_DIR");
    char path[1024];

    if (data != NULL) {
        snprintf(path, sizeof path, "%s/hyperspectral/%s", data, file);
    } else {
        snprintf(path, sizeof path, "%s/../shared/data/hyperspectral/%s",
                 source != NULL ? source : ".", file);
    }
    mat_t *mat = Mat_Open(path, MAT_ACC_RDONLY);
    if (mat == NULL) {
        test_skip("what is tested with %s, which is not there; set XTA_DATA", path);
        return NULL;
    }
    matvar_t *v = Mat_VarRead(mat, name);
    if (v == NULL) {
        fprintf(stderr, "%s has no %s\n", path, name);
        exit(1);
    }
    size_t n = 1;
    for (int axis = 0; axis < 3; axis++) {
        dims[axis] = axis < v->rank ? v->dims[axis] : 1;
        n *= dims[axis];
    }
    double *values = malloc(n * sizeof *values);
    for (size_t k = 0; values != NULL && k < n; k++) {
        values[k] = value_at(v, k);
    }
    Mat_VarFree(v);
    Mat_Close(mat);
    return values;
}

bool test_samson(test_real_scene *scene)
{
    size_t dims[3];

    *scene = (test_real_scene){.n_lines = 95, .n_samples = 95, .n_bands = 156, .p = 3};
    double *v = read_variable("samson/samson_1.mat", "V", dims);
    double *m = read_variable("samson/end3.mat", "M", dims);
    double *a = read_variable("samson/end3.mat", "A", dims);
    size_t n_pixels = 95 * 95;
    scene->cells = malloc(n_pixels * 156 * sizeof(double));
    scene->abundances = malloc(n_pixels * 3 * sizeof(double));
    scene->endmembers = m;
    if (v == NULL || m == NULL || a == NULL || scene->cells == NULL || scene->abundances == NULL) {
        free(v);
        free(a);
        test_real_scene_free(scene);
        return false;
    }
    /* The file stores pixels down the columns of the image, and the bands of a pixel
     * contiguously. */
    for (size_t pixel = 0; pixel < n_pixels; pixel++) {
        size_t from = pixel / 95 + 95 * (pixel % 95);
        memcpy(scene->cells + pixel * 156, v + from * 156, 156 * sizeof(double));
        memcpy(scene->abundances + pixel * 3, a + from * 3, 3 * sizeof(double));
    }
    free(v);
    free(a);
    return true;
}

/* Classes of pixels, stored column by column in the file. */
static void read_truth(test_real_scene *scene, const char *name, const char *variable)
{
    size_t dims[3], n = scene->n_lines * scene->n_samples;
    double *v = read_variable(name, variable, dims);

    scene->truth = calloc(n, sizeof *scene->truth);
    for (size_t k = 0; v != NULL && scene->truth != NULL && k < n; k++) {
        size_t line = k / scene->n_samples, sample = k % scene->n_samples;
        scene->truth[k] = (int32_t)v[line + scene->n_lines * sample];
    }
    free(v);
}

bool test_salinas_a(test_real_scene *scene)
{
    size_t dims[3];
    double *v = read_variable("salinas/SalinasA_corrected.mat", "salinasA_corrected", dims);

    *scene = (test_real_scene){.whole = true};
    if (v == NULL) {
        return false;
    }
    scene->n_lines = dims[0];
    scene->n_samples = dims[1];
    scene->n_bands = dims[2];
    size_t n_pixels = dims[0] * dims[1];
    scene->cells = malloc(n_pixels * dims[2] * sizeof(double));
    for (size_t pixel = 0; scene->cells != NULL && pixel < n_pixels; pixel++) {
        size_t from = pixel / dims[1] + dims[0] * (pixel % dims[1]);
        for (size_t b = 0; b < dims[2]; b++) {
            scene->cells[pixel * dims[2] + b] = v[from + b * n_pixels];
        }
    }
    free(v);
    read_truth(scene, "salinas/SalinasA_gt.mat", "salinasA_gt");
    return scene->cells != NULL && scene->truth != NULL;
}

void test_real_scene_free(test_real_scene *scene)
{
    free(scene->cells);
    free(scene->endmembers);
    free(scene->abundances);
    free(scene->truth);
    *scene = (test_real_scene){0};
}

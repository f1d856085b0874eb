/* Files of arbitrary bytes that the tool parses itself. The first byte chooses: regions of xta
 * extract (b), plans that xta rechunk printed (p), matrices such as skewers (m), headers of .npy
 * files (n).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/cells/npy.h"
#include "rechunk.h"
#include "regions.h"
#include "support/matrix.h"

static void check(xta_status status, const cli_error *err)
{
    FUZZ_PROMISE(status == XTA_OK ||
                 (err->error.text[0] != '\0' && strchr(err->error.text, '\n') == NULL));
}

static void read_regions(const char *path, bool clip, bool spacing)
{
    int64_t bounds[3] = {9, 100, 3};
    cli_extraction job = {.path = "array", .clip = clip, .n_axes = 2, .axes = {0, 1}};
    cli_error err = {0};

    job.has_spacing = spacing;
    job.spacing[0] = 2;
    job.spacing[1] = 0.5;
    FUZZ_PROMISE(xta_array_new(XTA_U8, 3, bounds, NULL, &job.array, &err.error) == XTA_OK);
    check(cli_regions_read(&job, path, &err), &err);
    xta_regions_free(job.regions);
    FUZZ_PROMISE(xta_array_close(job.array, NULL) == XTA_OK);
}

static void read_plan(const char *path)
{
    cli_plan_file plan;
    cli_error err = {0};
    xta_status status = cli_plan_read(path, &plan, &err);

    check(status, &err);
    if (status == XTA_OK) {
        FUZZ_PROMISE(plan.problem.bounds.ndim > 0 && plan.problem.bounds.ndim <= XTA_MAX_NDIM);
    }
    cli_plan_file_clear(&plan);
}

static void read_matrix(const char *path)
{
    double *values = NULL;
    size_t n_rows = 0, n_columns = 0;
    cli_error err = {0};
    xta_status status = cli_matrix_read(path, &values, &n_rows, &n_columns, &err);

    check(status, &err);
    for (size_t k = 0; status == XTA_OK && k < n_rows * n_columns; k++) {
        FUZZ_PROMISE(isfinite(values[k]));
    }
    free(values);
}

static void read_npy(const char *path)
{
    FILE *file = fopen(path, "rb");
    cli_npy npy;
    cli_error err = {0};

    FUZZ_PROMISE(file != NULL);
    xta_status status = cli_npy_read(file, path, &npy, &err);
    check(status, &err);
    if (status == XTA_OK) {
        FUZZ_PROMISE(npy.ndim >= 0 && npy.ndim <= XTA_MAX_NDIM && npy.cell_bytes > 0);
        for (int axis = 0; axis < npy.ndim; axis++) {
            FUZZ_PROMISE(npy.shape[axis] >= 0);
        }
    }
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[512];

    if (size == 0) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/file.csv", fuzz_folder());
    fuzz_write_file(path, data + 1, size - 1);
    switch (data[0]) {
    case 'p':
        read_plan(path);
        break;
    case 'm':
        read_matrix(path);
        break;
    case 'n':
        read_npy(path);
        break;
    default:
        read_regions(path, (data[0] & 1) != 0, (data[0] & 2) != 0);
        break;
    }
    return 0;
}

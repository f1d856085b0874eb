/* The cells of a quicklook: read in steps, converted to their physical values, and stretched.
 *
 * A box larger than the picture is read with a step, so the memory in use is that of the picture:
 * at most three planes of doubles. Each plane is one read, straight into its place whatever the
 * order of the axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/try.h"

#define FEWEST_ACROSS 16 /* cells that a very long box keeps on its short side */

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* The same step on both axes preserves the proportions; a very long box keeps some cells on its
 * short side. */
static int64_t short_step(int64_t length, int64_t step)
{
    int64_t widest = length / FEWEST_ACROSS;
    return step <= widest ? step : widest < 1 ? 1 : widest;
}

static void choose_steps(int64_t rows, int64_t columns, int64_t most, bool free_aspect,
                         picture_sample *sample)
{
    int64_t longer = rows > columns ? rows : columns;
    int64_t step = divide_up(longer, most);
    sample->row_step = rows == longer ? step : short_step(rows, step);
    sample->column_step = columns == longer ? step : short_step(columns, step);
    if (free_aspect) {
        sample->row_step = divide_up(rows, most);
        sample->column_step = divide_up(columns, most);
    }
    sample->rows = divide_up(rows, sample->row_step);
    sample->columns = divide_up(columns, sample->column_step);
}

/* A pixel has no data if no band has data, or if any band has a value that means no data. A cell
 * that is the fill value in all bands was never written; one that is so in some bands may be a pure
 * colour. */
static void find_gaps(const picture_meaning *meaning, picture_sample *sample)
{
    int64_t n = sample->rows * sample->columns;
    for (int64_t k = 0; k < n; k++) {
        bool missing = false, filled = true;
        for (int band = 0; band < sample->n; band++) {
            missing = missing || xta__picture_is_missing(meaning, sample->plane[band][k]);
            filled = filled && sample->plane[band][k] == meaning->fill; // never true for NaN
        }
        for (int band = 0; band < sample->n; band++) {
            double *cell = &sample->plane[band][k];
            *cell = missing || filled ? NAN : *cell * meaning->scale[band] + meaning->offset[band];
        }
        sample->gaps = sample->gaps || missing || filled;
    }
}

/* The k-th smallest of n numbers, by Hoare's selection; the numbers are reordered. */
static double select_kth(double v[], int64_t n, int64_t k)
{
    int64_t left = 0, right = n - 1;
    while (left < right) {
        double pivot = v[left + (right - left) / 2];
        int64_t i = left - 1, j = right + 1;
        for (;;) {
            do {
                i++;
            } while (v[i] < pivot);
            do {
                j--;
            } while (v[j] > pivot);
            if (i >= j) {
                break;
            }
            double kept = v[i];
            v[i] = v[j];
            v[j] = kept;
        }
        if (k <= j) {
            right = j;
        } else {
            left = j + 1;
        }
    }
    return v[k];
}

/* The lowest and the highest value shown, after `percent` of the cells are cut off at either end.
 */
static void stretch(picture_sample *sample, int band, double percent, double scratch[])
{
    int64_t n = 0;
    double least = INFINITY, greatest = -INFINITY;
    for (int64_t k = 0; k < sample->rows * sample->columns; k++) {
        double value = sample->plane[band][k];
        if (isfinite(value)) {
            scratch[n++] = value;
            least = fmin(least, value);
            greatest = fmax(greatest, value);
        }
    }
    if (n == 0) {
        sample->low[band] = sample->least[band] = 0;
        sample->high[band] = sample->greatest[band] = 1;
        return;
    }
    int64_t cut = (int64_t)((double)n * percent / 100);
    sample->least[band] = least;
    sample->greatest[band] = greatest;
    sample->low[band] = select_kth(scratch, n, cut);
    sample->high[band] = select_kth(scratch, n, n - 1 - cut);
    if (sample->low[band] == sample->high[band]) { // nearly all cells alike: cut nothing
        sample->low[band] = least;
        sample->high[band] = greatest;
    }
}

/* Set the values at the ends of the colours. */
static void choose_range(picture_sample *sample, int band, const xta_quicklook_options *options,
                         double scratch[])
{
    stretch(sample, band, options->percent > 0 ? options->percent : 2, scratch);
    if (options->log_counts) { // mostly zeros: percentiles would be meaningless
        sample->low[band] = 0;
        sample->high[band] = fmax(sample->greatest[band], 1);
    }
    if (options->low != options->high) {
        sample->low[band] = options->low;
        sample->high[band] = options->high;
    }
}

static xta_status read_plane(xta_array *array, const picture_axes *axes, const xta_box *box,
                             int64_t band, const picture_sample *sample, double *plane,
                             xta_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM], step[XTA_MAX_NDIM];
    xta_box shown = *box;
    for (int axis = 0; axis < box->ndim; axis++) {
        strides[axis] = (int64_t)sizeof *plane;
        step[axis] = 1;
        if (axis == axes->rows) {
            strides[axis] = sample->columns * (int64_t)sizeof *plane;
            step[axis] = sample->row_step;
        } else if (axis == axes->columns) {
            step[axis] = sample->column_step;
        } else {
            shown.lo[axis] = axis == axes->bands ? band : box->lo[axis];
            shown.hi[axis] = shown.lo[axis] + 1;
        }
    }
    io.type = XTA_F64;
    io.strides = strides;
    io.step = step;
    return xta_array_read(array, &shown, &io, plane, err);
}

/* Counts are rare and isolated, so a block that is shown as one cell shows its largest cell;
 * otherwise hardly any would be visible. Reads one row of the picture at a time. */
static xta_status read_largest(xta_array *array, const picture_axes *axes, const xta_box *box,
                               int64_t band, const picture_sample *sample, double *plane,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    picture_sample whole = *sample;
    xta_box shown = *box;
    whole.columns = axes->columns < 0 ? 1 : box->hi[axes->columns] - box->lo[axes->columns];
    whole.row_step = whole.column_step = 1;
    double *cells = calloc((size_t)(sample->row_step * whole.columns), sizeof *cells);
    if (cells == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %lld columns",
                             xta_array_path(array), (long long)whole.columns);
    }
    for (int64_t row = 0; row < sample->rows; row++) {
        double *out = plane + row * sample->columns;
        int64_t n_rows = 1;
        if (axes->rows >= 0) {
            int64_t end = box->hi[axes->rows];
            shown.lo[axes->rows] = box->lo[axes->rows] + row * sample->row_step;
            n_rows = end - shown.lo[axes->rows];
            n_rows = n_rows < sample->row_step ? n_rows : sample->row_step;
            shown.hi[axes->rows] = shown.lo[axes->rows] + n_rows;
        }
        XTA_TRY(read_plane(array, axes, &shown, band, &whole, cells, err));
        for (int64_t k = 0; k < n_rows * whole.columns; k++) {
            double *to = &out[k % whole.columns / sample->column_step];
            *to =
                k % sample->column_step == 0 && k < whole.columns ? cells[k] : fmax(*to, cells[k]);
        }
    }
done:
    free(cells);
    return status;
}

xta_status xta__picture_sample(xta_array *array, const picture_axes *axes,
                               const picture_bands *bands, const picture_meaning *meaning,
                               const xta_quicklook_options *options, const xta_box *box,
                               int64_t most, picture_sample *sample, xta_error *err)
{
    xta_status status = XTA_OK;
    double *scratch = NULL;
    memset(sample, 0, sizeof *sample);
    choose_steps(axes->rows < 0 ? 1 : box->hi[axes->rows] - box->lo[axes->rows],
                 axes->columns < 0 ? 1 : box->hi[axes->columns] - box->lo[axes->columns], most,
                 options->free_aspect, sample);
    size_t n = (size_t)(sample->rows * sample->columns);
    sample->n = bands->n;
    scratch = malloc(n * sizeof *scratch);
    for (int band = 0; band < sample->n; band++) {
        sample->plane[band] = calloc(n, sizeof *scratch);
        if (scratch == NULL || sample->plane[band] == NULL) {
            status =
                xta_error_set(err, XTA_ENOMEM, 0,
                              "%s: no memory for a picture of %.0f cells; ask for fewer pixels",
                              xta_array_path(array), (double)n);
            goto done;
        }
        bool largest = options->log_counts && (sample->row_step > 1 || sample->column_step > 1);
        XTA_TRY((largest ? read_largest : read_plane)(array, axes, box, bands->coord[band], sample,
                                                      sample->plane[band], err));
    }
    find_gaps(meaning, sample);
    for (int band = 0; band < sample->n; band++) {
        choose_range(sample, band, options, scratch);
    }
done:
    free(scratch);
    return status;
}

bool xta__picture_share_range(picture_sample *const samples[], size_t n,
                              const xta_quicklook_options *options)
{
    picture_sample all = {.rows = 0, .columns = 1};
    for (size_t k = 0; k < n; k++) {
        all.rows += samples[k]->rows * samples[k]->columns;
    }
    double *scratch = malloc((size_t)all.rows * sizeof *scratch);
    double *plane = malloc((size_t)all.rows * sizeof *plane);
    for (int band = 0; scratch != NULL && plane != NULL && band < samples[0]->n; band++) {
        size_t at = 0;
        for (size_t k = 0; k < n; k++) {
            size_t cells = (size_t)(samples[k]->rows * samples[k]->columns);
            memcpy(plane + at, samples[k]->plane[band], cells * sizeof *plane);
            at += cells;
        }
        all.plane[band] = plane;
        choose_range(&all, band, options, scratch);
        for (size_t k = 0; k < n; k++) {
            samples[k]->low[band] = all.low[band];
            samples[k]->high[band] = all.high[band];
            samples[k]->least[band] = all.least[band];
            samples[k]->greatest[band] = all.greatest[band];
        }
    }
    bool enough = scratch != NULL && plane != NULL;
    free(scratch);
    free(plane);
    return enough;
}

void xta__picture_sample_clear(picture_sample *sample)
{
    for (int band = 0; band < 3; band++) {
        free(sample->plane[band]);
    }
    memset(sample, 0, sizeof *sample);
}

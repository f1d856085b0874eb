/* The pixels of a tile, projected on all skewers.
 *
 * Definition: for each skewer, project every pixel and remember the two extremes. The projections
 * are computed as one product of matrices for 256 skewers at a time, at the speed of BLAS, and are
 * compared while they are in the cache: first only the range of each skewer in this tile, which
 * needs no coordinates. Only where that range exceeds what is known, which is rare after the first
 * tiles, is the pixel searched for. For whole numbers of 16 bits the same projections are computed
 * in a faster way (integer_projection.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/ppi/tile.h"

#include <inttypes.h>
#include <string.h>

#include <cblas.h>

#include "endmembers/pixels/winner.h"
#include "numeric/reproducible_dot.h"
#include "util/clones.h"
#include "util/try.h"

enum { WIDTH = 4 * DOT_WIDTH };

/* Greatest and least projection on each skewer of a block, over n rows. */
XTA__CLONES static void ranges(const double *projections, const uint16_t *rows, size_t n,
                               double *greatest, double *least)
{
    for (size_t c = 0; c < PPI_BLOCK; c += WIDTH) {
        double high[WIDTH], low[WIDTH];
        memcpy(high, projections + (size_t)rows[0] * PPI_BLOCK + c, sizeof high);
        memcpy(low, high, sizeof low);
        for (size_t k = 1; k < n; k++) {
            const double *p = projections + (size_t)rows[k] * PPI_BLOCK + c;
            for (size_t l = 0; l < WIDTH; l++) {
                high[l] = p[l] > high[l] ? p[l] : high[l];
                low[l] = p[l] < low[l] ? p[l] : low[l];
            }
        }
        memcpy(greatest + c, high, sizeof high);
        memcpy(least + c, low, sizeof low);
    }
}

/* The valid pixels of a tile, and the skewer that they are compared for. */
typedef struct looking {
    const ppi_job *job;
    ppi_partial *partial;
    const hyper_tile *tile;
    const uint16_t *rows; // of the tile
    size_t n;
    size_t c; // number of the skewer in its block
    double sign;
} looking;

static inline double projection(const looking *l, size_t k)
{
    return l->sign *
           (l->partial->whole
                ? (double)((const int32_t *)l->partial->projections)[k * PPI_BLOCK + l->c]
                : ((const double *)l->partial->projections)[l->rows[k] * PPI_BLOCK + l->c]);
}

static winner winner_at(const looking *l, size_t k, double value)
{
    return (winner){.value = value,
                    .line = xta__tile_line(l->tile, l->rows[k]),
                    .sample = xta__tile_sample(l->tile, l->rows[k]),
                    .found = 1};
}

/* Find the first pixel with the extreme `value`. */
static void find_extreme(const looking *l, double value, winner *best)
{
    // The first pixel of a tile has the lowest coordinates.
    if (best->found && value == best->value &&
        (best->line < l->tile->line ||
         (best->line == l->tile->line && best->sample < l->tile->sample))) {
        return;
    }
    for (size_t k = 0; k < l->n; k++) {
        if (projection(l, k) == value) {
            winner w = winner_at(l, k, value);
            if (xta__winner_beats(&w, best)) {
                *best = w;
            }
            return;
        }
    }
}

/* Add the pixels within the margin of an extreme to its list. */
static xta_status note_near(const looking *l, near_list *list, double least, xta_error *err)
{
    ppi_partial *partial = l->partial;

    for (size_t k = 0; k < l->n; k++) {
        double value = projection(l, k);
        if (!(value >= least)) {
            continue;
        }
        winner w = winner_at(l, k, value);
        if (!xta__near_add(list, &w)) {
            return xta_error_set(err, XTA_ENOMEM, 0, "no memory for pixels near extremes");
        }
        partial->near_bytes += sizeof w;
    }
    if (list->n > 2 * list->swept + 64) {
        size_t before = list->n;
        xta__near_sweep(list, least);
        partial->near_bytes -= (before - list->n) * sizeof(winner);
    }
    if (partial->near_bytes > l->job->most_near_bytes) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%s: the pixels within the threshold of the extremes take more than "
                             "%" PRIu64 " bytes; lower the threshold or allow more memory",
                             l->job->name, l->job->most_near_bytes);
    }
    return XTA_OK;
}

/* Compare the ranges of a block of skewers with what is known. */
static xta_status compare_ranges(looking *l, size_t first, const double *greatest,
                                 const double *least, xta_error *err)
{
    const ppi_job *job = l->job;
    ppi_extremes *known = &l->partial->known;

    for (size_t k = 0; k < 2 * PPI_BLOCK && first + k / 2 < job->n_skewers; k++) {
        winner *best = &known->extremes[2 * first + k];
        l->c = k / 2;
        l->sign = k % 2 == 0 ? 1 : -1;
        double value = l->sign * (k % 2 == 0 ? greatest : least)[l->c];
        if (!best->found || value >= best->value) {
            find_extreme(l, value, best);
        }
        if (known->near == NULL || value < best->value - job->margin[first + l->c]) {
            continue;
        }
        xta_status status =
            note_near(l, &known->near[2 * first + k], best->value - job->margin[first + l->c], err);
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

/* ---- whole numbers ---- */

bool xta__ppi_whole_skewers(ppi_job *job, int16_t *groups)
{
    double largest = 0;

    for (size_t k = 0; k < job->n_blocks * PPI_BLOCK; k++) {
        const double *s = job->skewers + k * job->n_dims;
        int16_t *group = groups + k / WHOLE_GROUP * job->n_pairs * WHOLE_GROUP * 2;
        double sum = 0;
        for (size_t d = 0; d < job->n_dims; d++) {
            if (!(s[d] >= -INT16_MAX && s[d] <= INT16_MAX) || s[d] != (double)(int16_t)s[d]) {
                return false;
            }
            group[(d / 2 * WHOLE_GROUP + k % WHOLE_GROUP) * 2 + d % 2] = (int16_t)s[d];
            sum += s[d] < 0 ? -s[d] : s[d];
        }
        largest = sum > largest ? sum : largest;
    }
    job->most = largest < 1 ? INT16_MAX : (int64_t)(INT32_MAX / largest);
    job->most = job->most > INT16_MAX ? INT16_MAX : job->most;
    return true;
}

/* Convert the valid pixels to 16 bits; the last one is repeated until they are a multiple of
 * WHOLE_ROWS. False if one of them is too large. */
static bool narrow_pixels(const looking *l)
{
    size_t n = l->tile->n_bands, width = 2 * l->job->n_pairs;
    double most = (double)l->job->most;

    for (size_t k = 0; k < l->n; k++) {
        const double *x = l->tile->x + l->rows[k] * n;
        int16_t *into = l->partial->pixels + k * width;
        bool good = true;
        for (size_t b = 0; b < n; b++) {
            good &= x[b] >= -most && x[b] <= most;
        }
        if (!good) {
            return false;
        }
        for (size_t b = 0; b < n; b++) {
            into[b] = (int16_t)(int32_t)x[b];
        }
        into[width - 1] = n % 2 == 0 ? into[width - 1] : 0;
    }
    for (size_t k = l->n; k % WHOLE_ROWS != 0; k++) {
        memcpy(l->partial->pixels + k * width, l->partial->pixels + (l->n - 1) * width,
               width * sizeof *l->partial->pixels);
    }
    return true;
}

static xta_status whole_tile(looking *l, xta_error *err)
{
    const ppi_job *job = l->job;
    size_t n_rows = (l->n + WHOLE_ROWS - 1) / WHOLE_ROWS * WHOLE_ROWS;
    size_t group_bytes = job->n_pairs * WHOLE_GROUP * 2;
    int32_t high[PPI_BLOCK], low[PPI_BLOCK];
    double greatest[PPI_BLOCK], least[PPI_BLOCK];
    xta_status status = XTA_OK;

    l->partial->whole = true;
    for (size_t first = 0; first < job->n_blocks * PPI_BLOCK; first += PPI_BLOCK) {
        for (size_t c = 0; c < PPI_BLOCK; c++) {
            high[c] = INT32_MIN;
            low[c] = INT32_MAX;
        }
        for (size_t c = 0; c < PPI_BLOCK; c += WHOLE_GROUP) {
            job->project(l->partial->pixels, n_rows, job->n_pairs,
                         job->whole + (first + c) / WHOLE_GROUP * group_bytes,
                         (int32_t *)l->partial->projections + c, PPI_BLOCK, high + c, low + c);
        }
        for (size_t c = 0; c < PPI_BLOCK; c++) {
            greatest[c] = high[c];
            least[c] = low[c];
        }
        XTA_TRY(compare_ranges(l, first, greatest, least, err));
    }
done:
    return status;
}

/* ---- any numbers ---- */

static xta_status real_tile(looking *l, xta_error *err)
{
    const ppi_job *job = l->job;
    const double *x = l->tile->x;
    double greatest[PPI_BLOCK], least[PPI_BLOCK];
    xta_status status = XTA_OK;

    l->partial->whole = false;
    if (job->basis != NULL) {
        xta__fixed_basis_apply(job->basis, x, TILE_PIXELS, l->partial->row, l->partial->points);
        x = l->partial->points;
    }
    for (size_t first = 0; first < job->n_blocks * PPI_BLOCK; first += PPI_BLOCK) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, TILE_PIXELS, PPI_BLOCK,
                    (blasint)job->n_dims, 1, x, (blasint)job->n_dims,
                    job->skewers + first * job->n_dims, (blasint)job->n_dims, 0,
                    l->partial->projections, PPI_BLOCK);
        ranges(l->partial->projections, l->rows, l->n, greatest, least);
        XTA_TRY(compare_ranges(l, first, greatest, least, err));
    }
done:
    return status;
}

xta_status xta__ppi_tile(void *user, void *partial, const hyper_tile *tile, xta_error *err)
{
    uint16_t rows[TILE_PIXELS];
    looking l = {.job = user, .partial = partial, .tile = tile, .rows = rows};

    for (size_t k = 0; k < TILE_PIXELS; k++) {
        rows[l.n] = (uint16_t)k;
        l.n += tile->valid[k];
    }
    if (l.n == 0) {
        return XTA_OK;
    }
    return l.job->whole != NULL && narrow_pixels(&l) ? whole_tile(&l, err) : real_tile(&l, err);
}

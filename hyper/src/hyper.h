/* The door of hyper/: tiles of pixels and what every method does with them.
 *
 * The unit of work is the tile: TILE_LINES x TILE_SAMPLES pixels whose corner coordinates are
 * multiples of these numbers (floor, towards minus infinity), whatever the chunks of the file, the
 * bounds of the scene, the number of threads and of processes. A tile is handed out as a full
 * matrix of TILE_PIXELS rows; rows of pixels that lie outside the lines asked for, or are not
 * valid, are zero and marked so. So BLAS sees one shape always, a pixel stands in the same row
 * always, and its results have the same bits in every run. A row of tiles is a strip.
 *
 * A scan deals the strips it covers to `team size x threads` parts, contiguous and in order. Each
 * part collects its own partial result; the caller merges parts in order (after a gather, on every
 * member alike). Merging must not depend on where the parts were cut: maxima with ties to the
 * lowest pixel do not, and sums of doubles do not if they are kept as aligned power-of-two subtrees
 * (moments.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_HYPER_H
#define XTA_HYPER_HYPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

/* Go to the label `done` unless the call went well. Between collective calls only where the status
 * is that of the whole team. */
#define HYPER_TRY(call)         \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

enum { TILE_LINES = 32, TILE_SAMPLES = 32, TILE_PIXELS = TILE_LINES * TILE_SAMPLES };

/* One tile as a method sees it. Everything is valid during the call only. */
typedef struct hyper_tile {
    int64_t line, sample; /* coordinates of row 0; multiples of the tile's sides */
    const double *x;      /* TILE_PIXELS x n_bands, row-major; rows without `valid` are zero */
    const unsigned char *valid; /* TILE_PIXELS */
    size_t n_valid;
    size_t n_bands;
} hyper_tile;

/* Line and sample of a row. */
static inline int64_t xta__tile_line(const hyper_tile *tile, size_t row)
{
    return tile->line + (int64_t)(row / TILE_SAMPLES);
}
static inline int64_t xta__tile_sample(const hyper_tile *tile, size_t row)
{
    return tile->sample + (int64_t)(row % TILE_SAMPLES);
}

/* What a scan does. `part` is memory of the caller, one for each part of this member, so no
 * locks. */
typedef struct scan_job {
    const char *what; /* for progress: "moments" */
    void *user;       /* shared by all parts, read only */
    /* A tile, strip by strip and in each strip by sample. Tiles without a valid pixel come too. */
    xta_status (*tile)(void *user, void *part, const hyper_tile *tile, xta_error *err);
    /* After the last tile of a strip (its number is line / TILE_LINES); NULL if not wanted. */
    xta_status (*strip)(void *user, void *part, int64_t strip, xta_error *err);
    /* Threads take strips as they come, which shares uneven work out better: only for what does not
     * depend on who did which strip, such as one result for each pixel. */
    bool any_order;
    void *parts;       /* n_threads of them, one after the other */
    size_t part_bytes; /* of one */
} scan_job;

/* Which lines are scanned: [lo, hi) within the scene. */
typedef struct line_range {
    int64_t lo, hi;
} line_range;

/* Collective. Run a job over lines (all of them for whole strips or parts of strips). The status is
 * agreed by the team. An empty range does nothing. Parts of this member come in the order of the
 * lines, and those of lower ranks before those of higher. Parts without strips stay as the caller
 * made them. */
xta_status xta__scan(xta_scene *scene, line_range lines, const scan_job *job, xta_error *err);

/* What the options said. */
int xta__scene_threads(const xta_scene *scene);
const xta_team *xta__scene_team(const xta_scene *scene);
uint64_t xta__scene_memory(const xta_scene *scene);

/* The array behind a scene, NULL for a source, and which of its axes are lines, samples and bands
 * (-1: there is none for bands). */
xta_array *xta__scene_array(const xta_scene *scene, int axes[3]);

/* The constant vector that float scenes are shifted by before products are summed: the mean of the
 * anchor line's valid pixels, each rounded to 12 significant bits; zero for whole numbers. n_bands
 * doubles, borrowed until the next refresh. */
const double *xta__scene_shift(const xta_scene *scene);

/* A number that tells two sets of bands, no-data values and sample bounds apart: what was computed
 * under another signature cannot be continued. */
uint64_t xta__scene_signature(const xta_scene *scene);

/* Collective. Run n independent pieces of work on the threads of each member, dealt contiguously
 * over the members like strips: piece k in [0, n). Status agreed. For work that is not tiles
 * (AMEE's windows, per-strip output). */
typedef xta_status hyper_piece(void *user, size_t piece, xta_error *err);
xta_status xta__pieces(xta_scene *scene, const char *what, size_t n, hyper_piece *run, void *user,
                       xta_error *err);
/* Which of n pieces this member has: [*first, *end). */
void xta__pieces_mine(const xta_scene *scene, size_t n, size_t *first, size_t *end);

/* Not collective. Run parts 0 .. n - 1 at once, part 0 in the calling thread; the error of the
 * lowest part that has one. Every part is run, whatever the others say. */
typedef xta_status hyper_part(void *user, int part, xta_error *err);
xta_status xta__parts(int n, hyper_part *run, void *user, xta_error *err);

/* Piece k of n contiguous pieces of `count`, the first ones longer where it does not divide. */
static inline uint64_t xta__share(uint64_t count, uint64_t n, uint64_t k)
{
    return count / n * k + (k < count % n ? k : count % n);
}

/* Collective. Gather records of unequal lengths: `all` becomes one block (free it) with the bytes
 * of every member one after the other, `bytes[r]` those of member r (size of them, free it). */
xta_status xta__gather(const xta_team *team, const void *mine, size_t n_bytes, unsigned char **all,
                       size_t **bytes, xta_error *err);
/* Collective. As team->agree; the status itself for NULL. */
xta_status xta__agree(const xta_team *team, xta_status status, xta_error *err);

/* ---- what is kept between runs ---- */

/* Bytes written one after the other, little-endian, as they will stand in a state file. */
typedef struct blob {
    unsigned char *bytes;
    size_t n, room;
    bool failed; /* out of memory: everything after is dropped */
} blob;
void xta__blob_put(blob *b, const void *data, size_t n_bytes);
void xta__blob_u64(blob *b, uint64_t value);
void xta__blob_i64(blob *b, int64_t value);
void xta__blob_f64s(blob *b, const double *values, size_t n);
void xta__blob_clear(blob *b);
/* And read again, never beyond the end: `failed` is set and zeros come out. */
typedef struct blob_reader {
    const unsigned char *bytes;
    size_t n, at;
    bool failed;
} blob_reader;
void xta__blob_get(blob_reader *r, void *data, size_t n_bytes);
uint64_t xta__blob_get_u64(blob_reader *r);
int64_t xta__blob_get_i64(blob_reader *r);
void xta__blob_get_f64s(blob_reader *r, double *values, size_t n);

/* What part of a scene a result covers; the first thing in its blob. */
typedef struct coverage {
    int64_t line_lo, line_hi; /* lo == hi: nothing yet */
    uint64_t signature;
} coverage;
/* Which lines are new since: up to two ranges (front, back). Returns their number, or -1 if the
 * result cannot be continued (another signature, or lines were taken away) and must start again. */
int xta__coverage_new(const coverage *have, const xta_scene *scene, line_range fresh[2]);
coverage xta__coverage_of(const xta_scene *scene);

/* ---- random numbers ([SALMON11]: Philox4x32-10) ---- */

void xta__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
/* Entry of skewer `k` at array band coordinate `band`: a whole number, near Gaussian, |s| <=
 * 2048. */
int32_t xta__skewer(uint64_t seed, uint64_t k, int64_t band);
/* A uniform number in [0, 1) with 53 bits for (seed, stream, number). */
double xta__uniform(uint64_t seed, uint64_t stream, uint64_t number);

/* ---- linear algebra, one thread, every call of one shape the same bits ---- */

/* Eigenvalues descending and eigenvectors (rows of `vectors`, n x n) of a symmetric matrix
 * (row-major; destroyed). The component of largest magnitude is positive, the lowest on ties. */
xta_status xta__eigen(size_t n, double *matrix, double *values, double *vectors, xta_error *err);
/* Let BLAS use one thread from here on; called by everything that calls BLAS. */
void xta__blas_single(void);

#endif

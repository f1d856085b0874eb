/** @file
 * Results beside a growing scene, kept up to date: moments and a basis, purity counts,
 * eccentricity, endmembers, labels, abundances. Library libxta_hyper.
 *
 * A follower owns a folder. In it are
 *
 * | name             | what |
 * |------------------|------|
 * | `follow.state`   | what the results cover, and what is needed to go on from there |
 * | `follow.lock`    | locked while a follower is open; holds its process id |
 * | `endmembers.csv` | spectra of the endmembers, to the last bit, and which pixels they are |
 * | `pct.basis`      | principal components, for xta_basis_read |
 * | `mnf.basis`      | minimum noise fraction, likewise |
 * | `ppi`            | array: how often each pixel is an extreme, u32 |
 * | `mei`            | array: eccentricity of each pixel, f32 |
 * | `labels`         | array: number of the endmember of each pixel, from 1; 0 for none |
 * | `abundances`     | array: a layer for each endmember, f32 |
 * | `residual`       | array: what the abundances leave over, f32 |
 *
 * of which only those are there that were asked for. The arrays have the coordinates of the scene
 * and grow with it.
 *
 * After an update the cells of every array, and the bytes of `endmembers.csv`, the bases and
 * `follow.state`, are functions of the cells of the scene and of the options alone: not of the
 * history, the number of processes and threads, or of updates that were killed. (The files of an
 * array differ, since they hold its history.) Lines that come at either end are found by the bounds
 * of the scene, so they must be published with their cells in place, as xta_array_append and `xta
 * import --append` do it. What is written later into lines that were covered already is not
 * noticed: start over then (`again`). It starts over by itself, and the report says so, where bands
 * or samples have come or gone, lines were taken away, no-data values are others, or the processor
 * is of a kind whose arithmetic has other last bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_FOLLOW_H
#define XTA_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/endmembers.h>
#include <xta/scene.h>
#include <xta/unmix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A follower. Opaque; used by one thread at a time. */
typedef struct xta_follow xta_follow;

/** What can be kept, as bits. */
enum {
    XTA_FOLLOW_BASIS = 1,      /**< moments, and from them principal components: `pct.basis` */
    XTA_FOLLOW_PPI = 2,        /**< purity counts: `ppi` */
    XTA_FOLLOW_MEI = 4,        /**< eccentricity: `mei` */
    XTA_FOLLOW_ENDMEMBERS = 8, /**< `endmembers.csv` */
    XTA_FOLLOW_LABELS = 16,    /**< `labels`; implies endmembers */
    XTA_FOLLOW_ABUNDANCES = 32 /**< `abundances` and `residual`; implies endmembers */
};

/** Where endmembers come from. */
typedef enum xta_follow_method {
    XTA_FOLLOW_BY_NFINDR = 0,
    XTA_FOLLOW_BY_SGA = 1,
    XTA_FOLLOW_BY_VCA = 2,
    XTA_FOLLOW_BY_PPI = 3,  /**< pixels with purity counts, of these the largest simplex */
    XTA_FOLLOW_BY_AMEE = 4, /**< pixels of high eccentricity, of these the largest simplex */
    XTA_FOLLOW_GIVEN = 5    /**< `endmembers`: they never change, so old pixels are never redone */
} xta_follow_method;

/** What to keep, and how. Start from XTA_FOLLOW_OPTIONS_INIT. Everything but `again` belongs to the
 * results: a folder is continued with the same values only. */
typedef struct xta_follow_options {
    size_t struct_size; /**< sizeof(xta_follow_options) */
    unsigned keep;      /**< bits XTA_FOLLOW_...; 0: endmembers and labels */
    xta_follow_method method;
    size_t n_endmembers;      /**< wanted; for labels, abundances and endmembers it must be set */
    const double *endmembers; /**< of XTA_FOLLOW_GIVEN: n_endmembers x n_bands; copied */
    uint64_t seed;            /**< of VCA, of restarts and of skewers */
    uint32_t n_restarts;      /**< of N-FINDR; see xta_simplex_options */
    uint32_t max_sweeps;      /**< of N-FINDR; see xta_simplex_options */
    const xta_basis
        *basis;            /**< select and count in this frozen basis; copied; NULL: on all bands */
    size_t n_skewers;      /**< of PPI; 0: 1000 */
    const double *skewers; /**< see xta_ppi_options; copied */
    size_t n_dims;         /**< columns of `skewers` */
    double threshold;      /**< of PPI; see xta_ppi_options */
    uint64_t least;        /**< purity count of a candidate; 0: 1 */
    int radius;            /**< of AMEE; see xta_amee_options, as the next two */
    int iterations;
    int radius_last;
    bool regions;            /**< AMEE answers with means of regions; see xta_amee_select_options */
    bool label_by_abundance; /**< labels by the largest abundance; false: by the smallest angle */
    xta_unmix_method unmix;  /**< of abundances */
    bool normalise;          /**< see xta_unmix_options */
    size_t n_components;     /**< of the bases; 0: as many as there are bands */
    bool noise;              /**< also `mnf.basis`: twice the work for the moments */
    bool again;              /**< forget what the folder holds, of whatever options, and start over;
                                it must be the folder of a follower */
} xta_follow_options;
#define XTA_FOLLOW_OPTIONS_INIT                                                                  \
    {                                                                                            \
        sizeof(xta_follow_options), 0, XTA_FOLLOW_BY_NFINDR, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
            0, 0, false, false, XTA_FCLS, false, 0, false, false                                 \
    }

/** What became of one result in an update. */
typedef enum xta_follow_fate {
    XTA_FOLLOW_KEPT = 0,  /**< nothing was new for it */
    XTA_FOLLOW_MORE = 1,  /**< only what is new was done */
    XTA_FOLLOW_AGAIN = 2, /**< it was done again, in whole or in part: `why` */
    XTA_FOLLOW_ABSENT = 3 /**< it cannot be had from this scene (yet): `why` */
} xta_follow_fate;

/** One result in a report. */
typedef struct xta_follow_result {
    char name[24]; /**< "moments", "ppi", "mei", "endmembers", "labels", "abundances" */
    xta_follow_fate fate;
    uint64_t n_lines; /**< lines of the scene that were gone through for it */
    double seconds;
    char why[160]; /**< one sentence; "" where there is nothing to say */
} xta_follow_result;

enum { XTA_FOLLOW_RESULTS = 8 };

/** What an update did. */
typedef struct xta_follow_report {
    int64_t line_lo, line_hi; /**< lines covered now */
    uint64_t lines_new;       /**< of these, not covered before this update */
    bool changed;             /**< anything was written */
    bool from_start;          /**< nothing of before could be used: `why` */
    char why[160];
    bool endmembers_changed;
    size_t n_endmembers; /**< found; fewer than wanted if the pixels do not span more */
    size_t n_results;
    xta_follow_result result[XTA_FOLLOW_RESULTS];
    double seconds;
} xta_follow_report;

/** Open a folder of results, or make it.
 *
 * **Collective** over the scene's communicator.
 *
 * @param[in]  scene    borrowed until the close; nobody else may refresh it
 * @param[in]  folder   of this follower alone; made if it is not there (but not its parent)
 * @param[in]  options  what to keep; the same on all members
 * @param[out] follow   for xta_follow_close; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG     options that make no sense, or other ones than those of the folder (names
 *                      the first that differs, both values and the remedy)
 * @retval XTA_EEXIST   another follower has the folder (names its process), or there is no state
 *                      but something under the name of a result, which is left as it is
 * @retval XTA_ECORRUPT the state is cut or damaged
 * @retval XTA_EFORMAT  the state is of another version
 * @par Cost
 * Reads the state; writes a small one if there is none. Cells are read by xta_follow_update. */
XTA_API XTA_MUST_CHECK xta_status xta_follow_open(xta_scene *scene, const char *folder,
                                                  const xta_follow_options *options,
                                                  xta_follow **follow, xta_error *err);

/** Take up the growth of the scene, and bring all results up to date with it.
 *
 * **Collective** over the scene's communicator. It may be killed at any time, and the machine may
 * lose power: the next follower goes on from the last update that was finished, and comes to the
 * same bytes. After a failure, too, the next update goes on from there. Where the endmembers
 * change, the labels of all pixels are written again in place; who reads them meanwhile sees some
 * of the old and some of the new.
 *
 * @param[in]  follow  the follower
 * @param[out] report  what was done; NULL if not wanted
 * @param[out] err     why it failed
 * @retval XTA_ENOSPC  the disk is full: what the folder held before still stands
 * @par Cost
 * A look at the scene's journal if nothing is new. Else see each method: the price of the new
 * lines, unless the endmembers change. */
XTA_API XTA_MUST_CHECK xta_status xta_follow_update(xta_follow *follow, xta_follow_report *report,
                                                    xta_error *err);

/** The endmembers of the last update: n 0 if there are none. Borrowed until the next update.
 * Not collective. Never fails. */
XTA_API const xta_endmembers *xta_follow_endmembers(const xta_follow *follow);

/** Let go of the folder. NULL is allowed. Not collective. */
XTA_API void xta_follow_close(xta_follow *follow);

/** The method of a name ("nfindr", "sga", "vca", "ppi", "amee", "given").
 * @param[in]  name    zero-terminated
 * @param[out] method  untouched on failure
 * @param[out] err     why it failed
 * @retval XTA_EARG  no such name; lists the names */
XTA_API XTA_MUST_CHECK xta_status xta_follow_method_parse(const char *name,
                                                          xta_follow_method *method,
                                                          xta_error *err);

/** The name of a method; "?" for none. Static memory. Thread-safe. */
XTA_API const char *xta_follow_method_name(xta_follow_method method);

#ifdef __cplusplus
}
#endif
#endif

/** @file
 * Results beside a growing scene, kept up to date: moments and a basis, purity counts,
 * eccentricity, endmembers, labels, abundances. Library libxta_hyper.
 *
 * A follower owns a folder, which holds:
 *
 * | name             | what |
 * |------------------|------|
 * | `follow.state`   | what the results cover, and what is needed to continue from there |
 * | `follow.lock`    | locked while a follower is open; holds its process id |
 * | `endmembers.csv` | spectra of the endmembers, to the last bit, and which pixels they are |
 * | `pct.basis`      | principal components, for xta_basis_read |
 * | `mnf.basis`      | minimum noise fraction, likewise |
 * | `ppi`            | array: how often each pixel is an extreme, u32 |
 * | `mei`            | array: eccentricity of each pixel, f32 |
 * | `labels`         | array: number of the endmember of each pixel, from 1; 0 for none |
 * | `abundances`     | array: a layer for each endmember, f32 |
 * | `residual`       | array: what the abundances do not explain, f32 |
 *
 * Only results that were requested are present. The arrays have the coordinates of the scene and
 * grow with it.
 *
 * After an update the cells of every array, and the bytes of `endmembers.csv`, the bases and
 * `follow.state`, depend on the cells of the scene and on the options alone: not on the history, on
 * the number of processes and threads, or on updates that were killed. (The files of an array
 * differ, since they hold its history.) New lines at either end are detected by the bounds of the
 * scene, so they must be published with their cells in place, as xta_array_append and `xta import
 * --append` do. Later writes to lines that are already covered are not noticed: start over then
 * (`again`). A follower starts over by itself, and the report says so, if bands or samples were
 * added or removed, lines were removed, no-data values have changed, or the processor is of a kind
 * whose results differ in the last bits.
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

/** Results that can be kept, as bits. */
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
    XTA_FOLLOW_BY_PPI = 3,  /**< the largest simplex among pixels with purity counts */
    XTA_FOLLOW_BY_AMEE = 4, /**< the largest simplex among pixels of high eccentricity */
    XTA_FOLLOW_GIVEN = 5    /**< `endmembers`: they never change, so old pixels are never computed
                                 again */
} xta_follow_method;

/** What to keep, and how. Start from XTA_FOLLOW_OPTIONS_INIT. All options but `again` determine the
 * results: a folder can be continued only with the same values. */
typedef struct xta_follow_options {
    size_t struct_size; /**< sizeof(xta_follow_options) */
    unsigned keep;      /**< bits XTA_FOLLOW_...; 0: endmembers and labels */
    xta_follow_method method;
    size_t n_endmembers;      /**< number to find; must be set for labels, abundances and
                                   endmembers */
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
    bool regions;            /**< AMEE returns means of regions; see xta_amee_select_options */
    bool label_by_abundance; /**< labels by the largest abundance; false: by the smallest angle */
    xta_unmix_method unmix;  /**< of abundances */
    bool normalise;          /**< see xta_unmix_options */
    size_t n_components;     /**< of the bases; 0: as many as there are bands */
    bool noise;              /**< also `mnf.basis`: twice the work for the moments */
    bool again;              /**< discard what the folder holds, whatever its options were, and
                                  start over; it must be the folder of a follower */
} xta_follow_options;
#define XTA_FOLLOW_OPTIONS_INIT                                                                  \
    {                                                                                            \
        sizeof(xta_follow_options), 0, XTA_FOLLOW_BY_NFINDR, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
            0, 0, false, false, XTA_FCLS, false, 0, false, false                                 \
    }

/** What an update did with one result. */
typedef enum xta_follow_fate {
    XTA_FOLLOW_KEPT = 0,  /**< there was nothing new for it */
    XTA_FOLLOW_MORE = 1,  /**< only the new part was computed */
    XTA_FOLLOW_AGAIN = 2, /**< it was computed again, in whole or in part: see `why` */
    XTA_FOLLOW_ABSENT = 3 /**< it cannot be computed from this scene (yet): see `why` */
} xta_follow_fate;

/** One result in a report. */
typedef struct xta_follow_result {
    char name[24]; /**< "basis", "ppi", "mei", "endmembers", "labels", "abundances" */
    xta_follow_fate fate;
    uint64_t n_lines; /**< lines of the scene that were processed for it */
    double seconds;
    char why[160]; /**< one sentence; "" if there is no reason to give */
} xta_follow_result;

enum { XTA_FOLLOW_RESULTS = 8 };

/** What an update did. */
typedef struct xta_follow_report {
    int64_t line_lo, line_hi; /**< lines covered now */
    uint64_t lines_new;       /**< of these, not covered before this update */
    bool changed;             /**< anything was written */
    bool from_start;          /**< no earlier result could be used: see `why` */
    char why[160];
    bool endmembers_changed;
    size_t n_endmembers; /**< found; fewer than requested if the pixels do not span more */
    size_t n_results;
    xta_follow_result result[XTA_FOLLOW_RESULTS];
    double seconds;
} xta_follow_report;

/** Open a folder of results, or create it.
 *
 * **Collective** over the scene's communicator.
 *
 * @param[in]  scene    borrowed until the close; no other code may refresh it
 * @param[in]  folder   of this follower alone; created if it does not exist (but not its parent)
 * @param[in]  options  what to keep; the same on all members
 * @param[out] follow   for xta_follow_close; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG     invalid options, or options that differ from those of the folder (the text
 *                      names the first that differs, both values and the remedy)
 * @retval XTA_EEXIST   another follower has the folder open (the text names its process), or there
 *                      is no state but something has the name of a result; it is left as it is
 * @retval XTA_ECORRUPT the state is truncated or damaged
 * @retval XTA_EFORMAT  the state is of another version
 * @par Cost
 * Reads the state; writes a small one if there is none. Cells are read by xta_follow_update. */
XTA_API XTA_MUST_CHECK xta_status xta_follow_open(xta_scene *scene, const char *folder,
                                                  const xta_follow_options *options,
                                                  xta_follow **follow, xta_error *err);

/** Read the growth of the scene, and bring all results up to date with it.
 *
 * **Collective** over the scene's communicator. It may be killed at any time, and the machine may
 * lose power: the next follower continues from the last update that was finished, and produces the
 * same bytes. After a failure, too, the next update continues from there. If the endmembers change,
 * the labels of all pixels are written again in place; whoever reads them meanwhile sees some old
 * and some new labels.
 *
 * @param[in]  follow  the follower
 * @param[out] report  what was done; NULL if not wanted
 * @param[out] err     why it failed
 * @retval XTA_ENOSPC  the disk is full: what the folder held before is still valid
 * @par Cost
 * One read of the scene's journal if nothing is new. Otherwise see each method: the cost of the new
 * lines, unless the endmembers change. */
XTA_API XTA_MUST_CHECK xta_status xta_follow_update(xta_follow *follow, xta_follow_report *report,
                                                    xta_error *err);

/** The endmembers of the last update: n is 0 if there are none, or if that update failed. Borrowed
 * until the next update. `log_volume`, `n_steps`, `n_sweeps` and `best_run` are not kept with a
 * folder; those of XTA_FOLLOW_GIVEN have pixels and scores of 0. Not collective. Never fails.
 *
 * Labels and abundances refer to them by number. `endmembers.csv` has them for other programs, with
 * pixels and scores as comments; libxta_hyper has no reader of such files, so without this call a
 * program that follows a scene could not know what its labels mean. */
XTA_API const xta_endmembers *xta_follow_endmembers(const xta_follow *follow);

/** Close a follower and release its folder. NULL is allowed. Not collective. */
XTA_API void xta_follow_close(xta_follow *follow);

/** The name of a method; "?" for none. Static memory. Thread-safe. */
XTA_API const char *xta_follow_method_name(xta_follow_method method);

#ifdef __cplusplus
}
#endif
#endif

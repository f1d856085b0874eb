/* What a follower is inside, and the order of an update.
 *
 * An update takes these steps in this order, each for a reason:
 *
 * 1. The scene's new bounds are taken. What is new is what the state does not cover.
 * 2. Moments, extremes, eccentricities and endmembers take up the new lines, in memory; of arrays
 *    only lines are written that the state does not cover, or whose values depend on such lines:
 *    they would be written again in any case.
 * 3. New lines get their labels and abundances.
 * 4. All this is made durable, small files are replaced, and the state to come is written under
 *    another name. A disk that is full is met up to here, before anything is lost.
 * 5. If the endmembers have changed, the state is saved with the labels and abundances not covered,
 *    so that nobody takes a mixture of old and new ones for whole. Then old lines are written
 *    again.
 * 6. The state to come becomes the state. It alone says what holds.
 *
 * After a failure the objects in memory are given up, and the next update begins with the state in
 * the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_FOLLOW_PRIVATE_H
#define XTA_HYPER_FOLLOW_FOLLOW_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/amee.h>
#include <xta/endmembers.h>
#include <xta/follow.h>
#include <xta/moments.h>

#include "scene/coverage.h"
#include "state/blob.h"

/* The arrays of results. */
enum { MAP_PPI, MAP_MEI, MAP_LABELS, MAP_ABUNDANCES, MAP_RESIDUAL, N_MAPS };

/* The sections of the state file. */
enum {
    PART_PARAMETERS,
    PART_COVERED,
    PART_MOMENTS,
    PART_PPI,
    PART_MEI,
    PART_SIMPLEX,
    PART_ENDMEMBERS,
    N_PARTS
};

/* What tells why a state cannot be continued: samples, bands, the anchor line, which bands are in
 * use, and which kernels BLAS has for this processor: others have other last bits. */
enum {
    SHAPE_SAMPLES = 0,
    SHAPE_BANDS = 2,
    SHAPE_ANCHOR = 4,
    SHAPE_USE = 5,
    SHAPE_KERNEL = 6,
    FOLLOW_SHAPE = 7
};

struct xta_follow {
    xta_scene *scene;
    const xta_team *team;
    char *folder;
    int lock;                   /* open file of rank 0; -1 elsewhere */
    unsigned keep;              /* with what it implies */
    xta_follow_options options; /* with copies behind its pointers */
    double *given, *skewers;
    size_t n_given_bands;
    xta_basis *basis;
    char *parameters; /* lines "name value" */

    bool loaded; /* what follows agrees with the state file */
    coverage covered, labelled, unmixed;
    int64_t shape[FOLLOW_SHAPE]; /* see xta__follow_shape; of what was covered */
    xta_moments *moments;        /* these are NULL where they are not needed */
    xta_ppi *ppi;
    xta_simplex *simplex;
    xta_amee *amee;
    xta_endmembers endmembers;
    bool whole;                    /* the last update was finished */
    bool texts;                    /* endmembers.csv is of these endmembers */
    coverage before;               /* what was covered when the update began */
    bool fitted;                   /* arrays were looked at since they were loaded */
    bool ppi_changed;              /* the last update changed the counts */
    bool no_labels, no_abundances; /* these endmembers do not allow them */
    blob part[N_PARTS];            /* the state file, section by section */
    blob next[N_PARTS];            /* what it will be */

    xta_array *map[N_MAPS]; /* NULL until needed */
};

#endif

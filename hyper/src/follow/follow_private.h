/* The internals of a follower, and the order of an update.
 *
 * An update takes these steps in this order, each for a reason:
 *
 *     1. The scene is refreshed. New lines are those that the state does not cover.
 *     2. Moments, extremes, eccentricities and endmembers take in the new lines, in memory. Of the
 *        arrays only those lines are written that the state does not cover, or whose values
 *        depend on such lines: they would be written again in any case.
 *     3. New lines get their labels and abundances.
 *     4. All this is made durable, small files are replaced, and the next state is written under
 *        another name. If the disk is full it fails up to here, before anything is lost.
 *     5. If the endmembers have changed, the state is saved with labels and abundances marked as
 *        not covered, so that nobody mistakes a mixture of old and new ones for complete. Then the
 *        old lines are written again.
 *     6. The next state replaces the state. It alone says what is valid.
 *
 * After a failure the objects in memory are dropped, and the next update begins with the state in
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
    SECTION_PARAMETERS,
    SECTION_COVERED,
    SECTION_MOMENTS,
    SECTION_PPI,
    SECTION_MEI,
    SECTION_SIMPLEX,
    SECTION_ENDMEMBERS,
    N_SECTIONS
};

/* Why a state may not be continued: other samples, bands, anchor line, bands in use, or another
 * kernel of BLAS for this processor, whose results have other last bits. */
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
    const xta_communicator *communicator;
    char *folder;
    int lock;                   /* open file of rank 0; -1 elsewhere */
    long locked_by;             /* the process that holds it, which a child of fork does not */
    unsigned keep;              /* results to keep, and those that they need */
    xta_follow_options options; /* its pointers point to copies */
    double *given, *skewers;
    size_t n_given_bands;
    xta_basis *basis;
    char *parameters; /* lines "name value" */

    bool loaded; /* all members below agree with the state file */
    coverage covered, labelled, unmixed;
    int64_t shape[FOLLOW_SHAPE]; /* the shape of what was covered; see the enum above */
    xta_moments *moments;        /* this and the next three are NULL where they are not needed */
    xta_ppi *ppi;
    xta_simplex *simplex;
    xta_amee *amee;
    xta_endmembers endmembers;
    bool whole;                    /* the last update was finished */
    bool texts;                    /* endmembers.csv has these endmembers */
    coverage before;               /* what was covered when the update began */
    bool fitted;                   /* the arrays were checked since they were loaded */
    bool ppi_changed;              /* the last update changed the counts */
    bool no_labels, no_abundances; /* these endmembers do not allow them */
    blob saved[N_SECTIONS];        /* the state file, section by section */
    blob next[N_SECTIONS];         /* the next state, section by section */

    xta_array *map[N_MAPS]; /* NULL until needed */
};

#endif

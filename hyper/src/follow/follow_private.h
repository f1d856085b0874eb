/* A room of hyper/: what the files of a follower share.
 *
 * An update has this order, and each step its reason:
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

#include <xta/amee.h>
#include <xta/follow.h>
#include <xta/scene_map.h>

#include "statistics/basis.h"
#include "statistics/moments.h"
#include "state/state_file.h"

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

/* ---- follow_options.c ---- */

/* Copy the options, with what they imply, and write them as text. Frees nothing on failure: close
 * does. */
xta_status xta__follow_take_options(xta_follow *f, const xta_follow_options *options,
                                    xta_error *err);
/* How a simplex is chosen, of the whole scene or of candidates. */
xta_simplex_options xta__follow_simplex_options(const xta_follow *f);
/* Whether a state was made with these options. */
xta_status xta__follow_same_options(const xta_follow *f, const state_file *state, xta_error *err);

/* ---- follow_state.c ---- */

/* Collective. The state file, read by rank 0 and given to all. */
xta_status xta__follow_read_state(const xta_follow *f, state_file *state, bool *there,
                                  xta_error *err);
/* Not collective. New objects, empty. */
xta_status xta__follow_make_objects(xta_follow *f, xta_error *err);
void xta__follow_drop_objects(xta_follow *f);
/* The object of AMEE needs its array, so it is made when that is open. */
xta_status xta__follow_make_amee(xta_follow *f, xta_error *err);
/* Collective. Objects and coverage as the state file has them. */
xta_status xta__follow_load(xta_follow *f, xta_error *err);
/* Collective. Write the state of an update that will be complete, under another name: from here on
 * a full disk cannot stop it. */
xta_status xta__follow_prepare_state(xta_follow *f, xta_error *err);
/* Collective. Let that state be the state. */
xta_status xta__follow_commit_state(xta_follow *f, xta_error *err);
/* Collective. Save what was saved last, but with labels and abundances not covered. */
xta_status xta__follow_save_unlabelled(xta_follow *f, xta_error *err);
/* Collective. Save that nothing is covered. */
xta_status xta__follow_save_empty(xta_follow *f, xta_error *err);

/* ---- follow_maps.c ---- */

const char *xta__follow_map_name(int map);
/* Collective. Open or make an array, or bring it to the bounds of the scene. */
xta_status xta__follow_map(xta_follow *f, int map, size_t n_layers, xta_error *err);
void xta__follow_close_maps(xta_follow *f);
/* Collective. Close an array and delete it. Missing ones are as good as deleted. */
xta_status xta__follow_delete_map(xta_follow *f, int map, xta_error *err);
/* Collective. Make what was written to all open ones durable. */
xta_status xta__follow_sync_maps(xta_follow *f, xta_error *err);
/* Collective. Whether an array that is there lies outside the scene: then the scene has become
 * smaller since it was written. */
xta_status xta__follow_maps_fit(xta_follow *f, bool *fit, xta_error *err);
/* Collective. Whether the array of abundances, if it is there, has a layer for each endmember. */
xta_status xta__follow_layers_fit(xta_follow *f, bool *fit, xta_error *err);

/* ---- follow_pixels.c, follow_endmembers.c, follow_labels.c: one result each ---- */

/* What a step of an update works on. */
typedef struct follow_step {
    xta_follow_report *report;
    const line_range *fresh; /* lines that the state does not cover */
    int n_fresh;
} follow_step;

/* The entry of a report for one result; further calls with this name find it again. */
xta_follow_result *xta__follow_result(xta_follow_report *report, const char *name);

xta_status xta__follow_moments(xta_follow *f, const follow_step *step, xta_error *err);
xta_status xta__follow_ppi(xta_follow *f, const follow_step *step, xta_error *err);
xta_status xta__follow_mei(xta_follow *f, const follow_step *step, xta_error *err);
/* *changed: they are others than before. */
xta_status xta__follow_endmembers(xta_follow *f, const follow_step *step, bool *changed,
                                  xta_error *err);
/* Labels and abundances of lines that the state does not cover. */
xta_status xta__follow_label_new(xta_follow *f, const follow_step *step, xta_error *err);
/* And of those it does, which have other endmembers. */
xta_status xta__follow_label_old(xta_follow *f, const follow_step *step, xta_error *err);
/* Take away the arrays that cannot be had with these endmembers. */
xta_status xta__follow_remove_missing(xta_follow *f, xta_error *err);

/* Seconds of a steady clock. */
double xta__follow_seconds(void);

/* ---- follow_texts.c ---- */

xta_status xta__follow_endmembers_csv(const xta_follow *f, xta_error *err);
xta_status xta__follow_bases(const xta_follow *f, xta_error *err);

/* ---- follow_lock.c ---- */

/* Not collective; rank 0. One follower for each folder. */
xta_status xta__follow_lock(xta_follow *f, xta_error *err);
void xta__follow_unlock(xta_follow *f);

#endif

/* Endmembers and abundances against references.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_MATCHING_H
#define XTA_CLI_HYPER_MATCHING_H

#include <xta/score.h>

#include "support/fit.h"

/* The comparison. Inputs whose path is NULL are not compared. Start from zeros. */
typedef struct cli_matching {
    cli_spectra endmembers, references;
    xta_endmember_score score;
    xta_rms abundances; // over pixels and matched endmembers
    xta_rms rebuilt;    // over the cells of the scene
    cli_notes notes;    // what was guessed
} cli_matching;

/* Read both and match them one to one; if `overlap`, in the bands that the references cover. */
xta_status cli_matching_begin(cli_matching *matching, const char *endmembers,
                              const char *references, bool overlap, cli_error *err);

/* Accumulate the differences of abundances: layer k of `found` belongs to endmember k, layer k of
 * `truth` to reference k. The maps are placed by their coordinates, or as --truth-at says. */
xta_status cli_matching_abundances(cli_matching *matching, const cli_args *args, const char *found,
                                   const char *truth, cli_error *err);

/* Accumulate the differences between a scene and its reconstruction from endmembers and abundances;
 * if `normalise`, with pixels and endmembers scaled to length one. */
xta_status cli_matching_rebuild(cli_matching *matching, const cli_args *args, const char *scene,
                                const char *abundances, bool normalise, cli_error *err);

void cli_matching_clear(cli_matching *matching);

#endif

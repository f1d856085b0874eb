/* Endmembers by each method of the tool.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_FIND_H
#define XTA_CLI_HYPER_FIND_H

#include <xta/amee.h>
#include <xta/endmembers.h>
#include <xta/moments.h>

#include "support/maps.h"

typedef enum cli_find_method {
    CLI_FIND_NFINDR,
    CLI_FIND_PPI,
    CLI_FIND_AMEE,
    CLI_FIND_SGA,
    CLI_FIND_VCA
} cli_find_method;

/* Which of the candidates of PPI and AMEE become endmembers. */
typedef enum cli_find_select {
    CLI_SELECT_SIMPLEX, // the corners of the largest simplex
    CLI_SELECT_TOP      // the pixels with the largest counts or indices
} cli_find_select;

/* What to search for, and what was found. Start from zeros. */
typedef struct cli_find {
    cli_find_method method;
    cli_find_select select;
    xta_simplex_options simplex;
    xta_ppi_options ppi;
    double *skewers; // of `ppi`; owned
    int64_t least;   // smallest count of a candidate of PPI
    xta_amee_options amee;
    size_t most; // largest number of candidates of AMEE
    bool means;  // return the means of the regions around the pixels
    xta_region_means_options region;
    xta_basis *basis; // owned; NULL: all bands

    cli_map image;
    xta_endmembers found;
    const char *score;   // name of the scores
    const char *index;   // name of the indices; NULL: there are none
    double *indices;     // of each endmember: count of PPI, or MEI
    size_t *regions;     // pixels of the region of each; NULL: there are none
    size_t n_candidates; // of PPI and AMEE
    double threshold;    // of AMEE
} cli_find;

/* Collective. Find endmembers, and make the image if image.path is set. */
xta_status cli_find_run(cli_find *find, cli_scene *scene, cli_error *err);

/* Free everything but the image. */
void cli_find_clear(cli_find *find);

#endif

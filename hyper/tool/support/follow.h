/* What xta hyper follow is asked for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_FOLLOW_H
#define XTA_CLI_HYPER_FOLLOW_H

#include <xta/follow.h>

#include "support/basis.h"
#include "support/fit.h"

/* Rows for the options that say what is kept and how. */
#define CLI_OPTIONS_FOLLOW                                                                         \
    {"keep", "LIST",                                                                               \
     "what is kept, joined by commas: basis, ppi, mei, endmembers, labels, abundances "            \
     "(endmembers,labels)",                                                                        \
     false},                                                                                       \
        {"method", "M", "of endmembers: nfindr (default), ppi, amee, sga or vca", false},          \
        {"count", "P", "how many endmembers", false},                                              \
        {"endmembers", "FILE", "take these, which never change, instead of looking for some",      \
         false},                                                                                   \
        {"basis", "FILE",                                                                          \
         "look for endmembers in this frozen basis, which xta hyper pct --basis or OUT/pct.basis " \
         "is; without: in all bands",                                                              \
         false},                                                                                   \
        {"seed", "S", "of vca, of the restarts of nfindr and of the skewers of ppi (0)", false},   \
        {"restarts", "N", "nfindr: also start from N selections of vca", false},                   \
        {"sweeps", "N", "nfindr: at most so many of one start (100)", false},                      \
        {"projections", "N", "ppi: random skewers (1000)", false},                                 \
        {"skewers", "F", "ppi: take the skewers from here, a row each", false},                    \
        {"threshold", "T", "ppi: count also pixels within this distance of an extreme (0)",        \
         false},                                                                                   \
        {"least", "C", "ppi: a pixel with this count is a candidate (1)", false},                  \
        {"radius", "R", "amee: windows are 2 R + 1 pixels wide (1)", false},                       \
        {"iterations", "I", "amee: how often pixels are replaced (3)", false},                     \
        {"regions", NULL, "amee: means of regions instead of single pixels", false},               \
        {"labels-by", "HOW", "angle (default) or abundance", false},                               \
        {"unmix", "M", "abundances by fcls (default), nnls, scls or ucls", false},                 \
        {"normalise", NULL, "unmix pixels and endmembers of length one", false},                   \
        {"components", "D", "of the bases that are kept (all)", false},                            \
    {                                                                                              \
        "noise", NULL, "keep also the basis of the minimum noise fraction", false                  \
    }

/* Begin with zeros. */
typedef struct cli_follow {
    xta_follow_options options;
    bool once;
    int64_t until_lines; // 0: no bound
    double interval;
    cli_spectra given;
    double *skewers;
    xta_basis *basis;
} cli_follow;

/* What can be said before the scene is open. Not collective. */
xta_status cli_follow_take(const cli_args *args, cli_follow *wish, cli_error *err);

/* Collective. The files that belong to it: endmembers, skewers, a basis. */
xta_status cli_follow_prepare(const cli_args *args, const cli_scene *scene, cli_follow *wish,
                              cli_error *err);

void cli_follow_clear(cli_follow *wish);

#endif

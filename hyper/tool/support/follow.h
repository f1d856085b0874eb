/* The request of xta hyper follow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_FOLLOW_H
#define XTA_CLI_HYPER_FOLLOW_H

#include <xta/follow.h>

#include "support/basis.h"
#include "support/fit.h"

/* Values of the options that say which results are kept and how. */
typedef struct cli_follow_values {
    const char *keep;
    const char *method;
    int64_t count;
    const char *endmembers;
    const char *basis;
    int64_t seed;
    int64_t restarts;
    int64_t sweeps;
    int64_t projections;
    const char *skewers;
    double threshold;
    int64_t least;
    int64_t radius;
    int64_t iterations;
    bool regions;
    const char *labels_by;
    const char *unmix;
    bool normalise;
    int64_t components;
    bool noise;
} cli_follow_values;

/* The values of a command line whose verb has them as the first member of its struct of options. */
static inline const cli_follow_values *cli_follow_values_of(const cli_args *args)
{
    return args->values;
}

/* The entries of these options in a table; `type` has a member `cli_follow_values follow`. */
#define CLI_FOLLOW_OPTIONS(type)                                                                  \
    CLI_STRING(type, follow.keep, "keep", "LIST",                                                 \
               "what is kept, joined by commas: basis, ppi, mei, endmembers, labels, abundances " \
               "(endmembers,labels)"),                                                            \
        CLI_STRING(type, follow.method, "method", "M",                                            \
                   "of endmembers: nfindr (default), ppi, amee, sga or vca"),                     \
        CLI_INT(type, follow.count, "count", "P", 1, 65535, NULL, "how many endmembers"),         \
        CLI_STRING(type, follow.endmembers, "endmembers", "FILE",                                 \
                   "take these, which never change, instead of looking for some"),                \
        CLI_STRING(type, follow.basis, "basis", "FILE",                                           \
                   "look for endmembers in this frozen basis, which xta hyper pct --basis or "    \
                   "OUT/pct.basis is; without: in all bands"),                                    \
        CLI_INT(type, follow.seed, "seed", "S", 0, INT64_MAX, NULL,                               \
                "of vca, of the restarts of nfindr and of the skewers of ppi (0)"),               \
        CLI_INT(type, follow.restarts, "restarts", "N", 0, 10000, NULL,                           \
                "nfindr: also start from N selections of vca"),                                   \
        CLI_INT(type, follow.sweeps, "sweeps", "N", 1, 1000000, NULL,                             \
                "nfindr: at most so many of one start (100)"),                                    \
        CLI_INT(type, follow.projections, "projections", "N", 1, 100000000, NULL,                 \
                "ppi: random skewers (1000)"),                                                    \
        CLI_STRING(type, follow.skewers, "skewers", "F",                                          \
                   "ppi: take the skewers from here, a row each"),                                \
        CLI_REAL(type, follow.threshold, "threshold", "T",                                        \
                 "ppi: count also pixels within this distance of an extreme (0)"),                \
        CLI_INT(type, follow.least, "least", "C", 1, INT64_MAX, NULL,                             \
                "ppi: a pixel with this count is a candidate (1)"),                               \
        CLI_INT(type, follow.radius, "radius", "R", 1, 15, NULL,                                  \
                "amee: windows are 2 R + 1 pixels wide (1)"),                                     \
        CLI_INT(type, follow.iterations, "iterations", "I", 1, 64, NULL,                          \
                "amee: how often pixels are replaced (3)"),                                       \
        CLI_FLAG(type, follow.regions, "regions",                                                 \
                 "amee: means of regions instead of single pixels"),                              \
        CLI_STRING(type, follow.labels_by, "labels-by", "HOW", "angle (default) or abundance"),   \
        CLI_STRING(type, follow.unmix, "unmix", "M",                                              \
                   "abundances by fcls (default), nnls, scls or ucls"),                           \
        CLI_FLAG(type, follow.normalise, "normalise",                                             \
                 "unmix pixels and endmembers of length one"),                                    \
        CLI_INT(type, follow.components, "components", "D", 1, 65536, NULL,                       \
                "of the bases that are kept (all)"),                                              \
        CLI_FLAG(type, follow.noise, "noise", "keep also the basis of the minimum noise fraction")

/* A parsed request. Start from zeros. */
typedef struct cli_follow {
    xta_follow_options options;
    bool once;
    int64_t until_lines; // 0: no bound
    double interval;
    cli_spectra given;
    double *skewers;
    xta_basis *basis;
} cli_follow;

/* Parse the options that do not depend on the scene. Not collective. */
xta_status cli_follow_take(const cli_args *args, cli_follow *follow, cli_error *err);

/* Collective. Read the files that the request names: endmembers, skewers, a basis. */
xta_status cli_follow_prepare(const cli_args *args, const cli_scene *scene, cli_follow *follow,
                              cli_error *err);

void cli_follow_clear(cli_follow *follow);

#endif

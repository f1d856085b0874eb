/* Bases on a command line: computed from the current scene, or frozen in a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_BASIS_H
#define XTA_CLI_HYPER_BASIS_H

#include <xta/moments.h>

#include "support/options.h"

/* The basis to compute from a scene. */
typedef struct cli_basis_spec {
    bool mnf, uncentred;
    size_t n_components; // 0: all
} cli_basis_spec;

/* Collective. Compute the moments of a scene, with or without those of the noise. */
xta_status cli_moments_of(cli_scene *scene, bool noise, xta_moments **moments, cli_error *err);

/* Collective. Make a basis from the moments of a scene. */
xta_status cli_basis_make(cli_scene *scene, const cli_basis_spec *spec, xta_basis **basis,
                          cli_error *err);

/* Collective. Make or read a basis: "pct:D", "mnf:D", or a file that xta hyper pct has written. */
xta_status cli_basis_of_scene(const char *text, cli_scene *scene, xta_basis **basis,
                              cli_error *err);

/* Read a basis from a file. Not collective. */
xta_status cli_basis_read(const char *path, xta_basis **basis, cli_error *err);

/* Check that a basis is for the bands that a scene uses. */
xta_status cli_basis_check(const char *path, const xta_basis *basis, const cli_scene *scene,
                           cli_error *err);

#endif

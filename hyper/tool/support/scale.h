/* Spectra brought to the scale of the cells of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_SCALE_H
#define XTA_CLI_HYPER_SCALE_H

#include "support/spectra.h"

/* Scale spectra that have the bands in use of a scene. The scales that scene and library state are
 * applied. If one of them states none, the scale that is nearer in magnitude is assumed, and a note
 * says so; a warning says if the two differ by a factor of ten. If `shapes`, only the angles
 * between spectra count: then a factor common to all bands has no effect. Not collective; the same
 * on every process. */
xta_status cli_spectra_scale(cli_spectra *spectra, const cli_scene *scene, bool shapes,
                             cli_error *err);

#endif

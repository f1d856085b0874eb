/* Spectra brought to the scale of the cells of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_SCALE_H
#define XTA_CLI_HYPER_SCALE_H

#include "support/spectra.h"

/* Scale spectra that have the bands in use of a scene. What scene and library state is applied;
 * where one of them states nothing, its numbers are taken for what is nearer in magnitude, and a
 * note says so; so does a warning where the two differ tenfold. If `shapes`, only the angles
 * between spectra count: then nothing that is the same for all bands matters. Not collective; the
 * same on every process. */
xta_status cli_spectra_scale(cli_spectra *spectra, const cli_scene *scene, bool shapes,
                             cli_error *err);

#endif

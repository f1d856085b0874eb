/* Spectra brought to the bands and to the scale of a scene, or to the bands of other spectra.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_FIT_H
#define XTA_CLI_HYPER_FIT_H

#include "support/spectra.h"

/* Open a scene as cli_scene_open does; with --use-bands overlap only in the bands that the library
 * at a path covers. `library` NULL: there is no library, and `overlap` is refused. Collective. */
xta_status cli_scene_open_with(const cli_args *args, const char *path, const char *library,
                               cli_scene *scene, cli_error *err);

/* Bring spectra to the bands that a scene uses, by wavelength if both have wavelengths, else by
 * number, and to the scale of its cells; if `shapes`, only angles between spectra count (see
 * support/scale.h). Not collective. */
xta_status cli_spectra_fit(cli_spectra *spectra, const cli_scene *scene, bool shapes,
                           cli_error *err);

/* Bring spectra to the wavelengths of others, or check that both have the same number of bands. If
 * `overlap`, the bands that these spectra do not cover are first removed from the others. */
xta_status cli_spectra_match(cli_spectra *spectra, cli_spectra *to, bool overlap, cli_error *err);

/* Bring spectra to n bands at equal distances between the first and the last wavelength, or,
 * without wavelengths, the first and the last band. */
xta_status cli_spectra_spread(cli_spectra *spectra, size_t n_bands, cli_error *err);

#endif

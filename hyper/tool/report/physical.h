/* Numbers of a scene's cells as physical values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_PHYSICAL_H
#define XTA_CLI_HYPER_PHYSICAL_H

#include "report/report.h"

/* Convert n spectra, which are in cell values of the scene (or as their file has them, without a
 * scene), to the physical values that the legends of pictures show: reflectances, or what scale and
 * offset say. `label` says for an axis what they are. */
void cli_report_physical(const cli_report *report, size_t n, double *values, char label[128]);

#endif

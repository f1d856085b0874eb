/* A new MATLAB file of version 5 with one variable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MATLAB_WRITE_V5_H
#define XTA_FORMATS_MATLAB_WRITE_V5_H

#include "description/format.h"

xta_status xta__matlab_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err);
xta_status xta__matlab_write(void *state, const xta_box *box, const void *cells, xta_error *err);
xta_status xta__matlab_finish(void *state, xta_error *err);
void xta__matlab_abandon(void *state);

#endif

/* MATLAB files of version 7.3, which are HDF5.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MATLAB_READ_V73_H
#define XTA_FORMATS_MATLAB_READ_V73_H

#include "description/description.h"

#define MATLAB_CLASS "matlab/class" /* the variable's class in MATLAB, a text */

bool xta__matlab_is_v73(const unsigned char *head, size_t n_bytes);
xta_status xta__matlab_v73_open(const char *path, const char *name, bool trust,
                                bridge_description *what, void **state, xta_error *err);
xta_status xta__matlab_v73_read(void *state, const xta_box *box, void *cells, xta_error *err);
void xta__matlab_v73_close(void *state);

#endif

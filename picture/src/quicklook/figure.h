/* An image with axes, title and legend.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_FIGURE_H
#define XTA_PICTURE_QUICKLOOK_FIGURE_H

#include "quicklook/quicklook_state.h"

xta_status xta__picture_figure(const picture_quicklook *q, xta_error *err);

#endif

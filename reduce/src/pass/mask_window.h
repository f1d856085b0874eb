/* Private header: the regions to which the cells of a mask belong.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_MASK_WINDOW_H
#define XTA_REDUCE_MASK_WINDOW_H

#include "pass/pass_state.h"

/* Make sure that the window has the region of each cell of a box of the space; reads the mask
 * unless the window already contains the box. */
xta_status xta__window_show(xta__pass *pass, const xta_box *space);

#endif

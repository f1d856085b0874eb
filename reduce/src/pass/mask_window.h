/* Private header: the regions of the cells of a mask.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_MASK_WINDOW_H
#define XTA_REDUCE_MASK_WINDOW_H

#include "pass/pass_state.h"

/* Have the region of each cell of a box of the space at hand, from what was read last if it holds
 * the box. */
xta_status xta__window_show(xta__pass *pass, const xta_box *space);

#endif

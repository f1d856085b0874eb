/* Private header: passing the cells of a slab to the regions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_PIECES_H
#define XTA_REDUCE_PIECES_H

#include "pass/pass_state.h"

/* Read what is needed of a slab, and process the pieces of every region. */
xta_status xta__process_slab(xta__pass *pass, const xta_box *slab);

#endif

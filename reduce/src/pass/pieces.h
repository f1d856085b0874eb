/* Private header: what the regions have of a slab.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_PIECES_H
#define XTA_REDUCE_PIECES_H

#include "pass/pass_state.h"

/* Read what is needed of a slab, and give every region its pieces. */
xta_status xta__process_slab(xta__pass *pass, const xta_box *slab);

#endif

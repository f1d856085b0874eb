/* What all grids of blocks share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/block_grid.h>

#include "base/base.h"

xta_status xta_blocks_close(xta_blocks *blocks, bool complete, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    if (blocks != NULL && blocks->calls != NULL && blocks->calls->close != NULL) {
        status = blocks->calls->close(blocks->self, complete, err);
    }
    if (blocks != NULL) {
        *blocks = (xta_blocks){.calls = NULL};
    }
    return status;
}

/* What is kept of AMEE between runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_AMEE_SAVED_STATE_H
#define XTA_HYPER_AMEE_SAVED_STATE_H

#include <xta/amee.h>

#include "state/blob.h"

void xta__amee_put(const xta_amee *amee, blob *b);
/* XTA_ESTATE if the bytes are incomplete or of other parameters; the object is as new then. */
xta_status xta__amee_get(xta_amee *amee, blob_reader *r, xta_error *err);

#endif

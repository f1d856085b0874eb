/* A line of the attribute `history`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_HISTORY_H
#define XTA_FORMATS_DESCRIPTION_HISTORY_H

#include "description/description.h"

/* Put a command before the lines of attribute `name` of the whole, or if there is no such attribute
 * before those of `otherwise` (NULL: none). One that is no text stays as it is. XTA_ENOMEM. */
xta_status xta__description_add_history(bridge_description *what, const char *name,
                                        const char *command, const char *otherwise, xta_error *err);

#endif

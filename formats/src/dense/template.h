/* A format to copy when adding a new one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DENSE_TEMPLATE_H
#define XTA_FORMATS_DENSE_TEMPLATE_H

#include "description/format.h"

extern const bridge_format xta__bridge_template;

#endif

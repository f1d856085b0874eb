/* The format of class maps in PNG pictures.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_LABELS_LABELS_H
#define XTA_FORMATS_LABELS_LABELS_H

#include <stdint.h>

#include "description/format.h"

#define LABELS_NO_CLASS UINT32_MAX

/* Names of attributes; see docs/decisions/0010-bridges.md. */
#define LABELS_NAMES   "class_names"   /* one line for each class, from 0 */
#define LABELS_COLOURS "class_colours" /* u8: red, green, blue of each class, from 0 */

extern const bridge_format xta__bridge_labels;

#endif

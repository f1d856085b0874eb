/* The format of NIfTI images.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NIFTI_NIFTI_H
#define XTA_FORMATS_NIFTI_NIFTI_H

#include "description/format.h"

extern const bridge_format xta__bridge_nifti;

#endif

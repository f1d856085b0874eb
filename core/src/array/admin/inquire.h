/* What an array takes on disk, and where its chunks and cells lie. The contracts stand in
 * <xta/array_structure.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_INQUIRE_H
#define XTA_ARRAY_ADMIN_INQUIRE_H

#include <xta/array.h>

#endif

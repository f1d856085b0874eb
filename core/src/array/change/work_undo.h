/* Taking interrupted work back. The contract is in <xta/work.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_WORK_UNDO_H
#define XTA_ARRAY_CHANGE_WORK_UNDO_H

#include <xta/work.h>

#endif

/* What users of the engine inside this library include.
 *
 * Files of the engine itself include the header of the file whose functions they call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ARRAY_H
#define XTA_ARRAY_ARRAY_H

#include <xta/append.h>
#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/work.h>

#include "array/change/growth.h"
#include "array/handle/change_lock.h"
#include "array/handle/commit.h"
#include "array/handle/lifetime.h"
#include "array/handle/open.h"
#include "array/handle/paths.h"
#include "array/handle/replica.h"
#include "array/io/box/box_transfer.h"
#include "array/io/box/dense_pieces.h"
#include "array/io/cell.h"
#include "array/io/check_call.h"
#include "array/io/chunk_address.h"
#include "array/io/chunk_io.h"
#include "array/io/curve_table.h"
#include "array/state/open_array.h"
#include "geometry/region/plan.h"

#endif

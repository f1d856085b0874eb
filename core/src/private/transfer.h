/* Moving cells of a box between chunks and memory, for code that divides a transfer between
 * processes. libxta exports only the functions marked XTA_PRIVATE_API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_TRANSFER_H
#define XTA_PRIVATE_TRANSFER_H

#include "array/io/box/box_transfer.h"
#include "array/io/box/dense_pieces.h"
#include "array/io/check_call.h"
#include "array/io/chunk_address.h"

#endif

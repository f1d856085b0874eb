/* Copying cells between chunks and memory: everything of this folder that others use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_CHUNK_H
#define XTA_CHUNK_CHUNK_H

#include "chunk/copy.h"
#include "chunk/curve_copy.h"
#include "chunk/write_method.h"

#endif

/* An array in files: its journal, the lock of the journal, and its chunks in a data file. What
 * other folders use of store/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_STORE_H
#define XTA_STORE_STORE_H

#include "store/chunks/cached_chunks.h"
#include "store/chunks/data_file.h"
#include "store/chunks/data_header.h"
#include "store/chunks/mapped_chunks.h"
#include "store/journal/format.h"
#include "store/journal/journal.h"
#include "store/lock/lock.h"

#endif

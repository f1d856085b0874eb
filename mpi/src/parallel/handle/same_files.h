/* Whether all ranks have the same files, and locks that reach them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_HANDLE_SAME_FILES_H
#define XTA_PARALLEL_HANDLE_SAME_FILES_H

#include "parallel/handle/handle.h"

/* Called when all ranks have a replica, rank 0 has the root handle, and no rank has opened the data
 * file. XTA_EARG if ranks find different files at the path; XTA_EUNSUPPORTED if the handle is
 * writable and a lock does not reach all nodes. Sets p->only_alike and p->by_lock_file.
 * Collective. */
xta_status xta__same_files(xta_parallel *p, xta_error *err);

#endif

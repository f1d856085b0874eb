/* The lock of a journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_LOCK_TYPES_H
#define XTA_STORE_LOCK_LOCK_TYPES_H

#include "base/base.h"
#include "store/lock/lock_owner.h"
#include "util/os.h"

/* The lock of a journal: the state of one handle. */
typedef struct xta__lock {
    bool by_file;        /* uses a lock file as well */
    unsigned wait_ms;    /* how long to wait for a lock file whose owner is unknown */
    bool proved;         /* tested: locks of this file exclude other programs and other nodes */
    bool has_file;       /* the lock file exists and belongs to this handle */
    bool refused_by_one; /* the cause of the last XTA_EBUSY was an exclusive writer */
    xta__lock_owner me;  /* pid 0: not yet determined */
} xta__lock;

#endif

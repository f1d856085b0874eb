/* The lock of a journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_LOCK_TYPES_H
#define XTA_STORE_LOCK_LOCK_TYPES_H

#include "base/base.h"
#include "store/lock/lock_owner.h"
#include "util/os.h"

/* The lock of a journal, as one handle has it. */
typedef struct xta__lock {
    bool by_file;        /* a lock file as well */
    unsigned wait_ms;    /* how long to wait for one of whose owner nothing is known */
    bool proved;         /* a lock of this file excludes others, and those of other nodes */
    bool has_file;       /* the lock file is there and is this handle's */
    bool refused_by_one; /* the last XTA_EBUSY: a sole writer has it */
    xta__lock_owner me;  /* pid 0: not known yet */
} xta__lock;

#endif

/* A private header of os/: what its files share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_OS_CALLS_H
#define XTA_OS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "util/try.h"

/* The error for a system call that failed with errno `number`: "PATH: cannot WHAT: ...". */
xta_status xta__fail_errno(const char *path, const char *what, int number, xta_error *err);

/* The system's entries of xta__os_calls that map.c has. */
void *xta__posix_map(int fd, off_t offset, size_t bytes, bool writable);
int xta__linux_populate(void *address, size_t bytes);
ssize_t xta__linux_store(const struct iovec *to, size_t n_to, const struct iovec *from,
                         size_t n_from);
int xta__linux_shares_blocks(int fd);
uint64_t xta__linux_faults(void);
int xta__linux_resident(void *page, bool *is);
int xta__linux_fetch(void *address, size_t bytes);

#endif

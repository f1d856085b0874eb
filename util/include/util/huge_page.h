/* The largest folio of a page cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_HUGE_PAGE_H
#define XTA_UTIL_HUGE_PAGE_H

#include <stdint.h>

/* One store may make all of it dirty, and one fault may map all of it. Whether a file may be stored
 * into is recorded in units of this size. */
#define XTA__UNIT_SHIFT 21
#define XTA__HUGE_BYTES ((uint64_t)1 << XTA__UNIT_SHIFT)

#endif

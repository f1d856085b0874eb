/* The header Range (RFC 9110, 14.2).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_BYTE_RANGE_H
#define XTA_VIEWS_SERVE_BYTE_RANGE_H

#include <stdint.h>

typedef enum byte_range {
    BYTES_ALL,  /* no range, several, or none that can be understood: all bytes are the answer */
    BYTES_PART, /* [*from, *from + *n) */
    BYTES_NONE  /* nothing of it is there: 416 */
} byte_range;

/* Read the header for an answer of `size` bytes. NULL: there is none. Pure. */
byte_range xta__byte_range(const char *header, uint64_t size, uint64_t *from, uint64_t *n);

#endif

/* Private header of store/: the header of a data file, which identifies its journal.
 *
 * A data file of layout 2 begins with a header that holds the UUID of the array and where the chunk
 * of address 0 lies. docs/FORMAT.md 7.1 has the table; docs/decisions/0018 says why.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_CHUNKS_DATA_HEADER_H
#define XTA_STORE_CHUNKS_DATA_HEADER_H

#include "base/base.h"
#include "store/journal/format.h"
#include "util/os.h"

#define XTA__DATA_HEADER_BYTES 64

/* Where the chunk of address 0 of a new array is to lie: see docs/decisions/0018. 0 if there is no
 * such place below the limit of offsets. */
uint64_t xta__choose_data_offset(uint64_t slot_bytes, uint64_t alignment_bytes);

/* Write the header of a new data file, whose origin is still 0. Does nothing for an array whose
 * data file has none. Afterwards the origin is the data offset. */
xta_status xta__data_header_write(xta__file *file, const uint8_t uuid[XTA__UUID_BYTES],
                                  const xta__constants *constants, xta_error *err);

/* Open the data file of an array and set its origin. XTA_ECORRUPT if the header is damaged, or
 * belongs to an array other than that of `uuid`. */
XTA_PRIVATE_API xta_status xta__data_file_open(xta__path path, xta__file_mode mode,
                                               const uint8_t uuid[XTA__UUID_BYTES],
                                               const xta__constants *constants, xta__file *file,
                                               xta_error *err);

/* Whether a data file without a journal holds at most a header, as left by a creation that was
 * killed. The origin is 0. */
xta_status xta__data_file_is_unused(const xta__file *file, bool *unused, xta_error *err);

#endif

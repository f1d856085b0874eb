/** @file
 * What a write would do: by which methods the cells of a box would be written to the file.
 *
 * @par Source docs/decisions/0022-io-path.md
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_IO_PLAN_H
#define XTA_IO_PLAN_H

#include <stdint.h>

#include <xta/array.h>
#include <xta/box.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the part of a box within one chunk is written to the file. */
typedef enum xta_io_method {
    XTA_IO_STREAM,            /**< whole chunks, in calls of up to 2 MiB in file order */
    XTA_IO_ROWS,              /**< one call for each run of adjacent cells */
    XTA_IO_IN_PLACE,          /**< stores through the mapping; as rows where blocks are not
                                   allocated */
    XTA_IO_IN_PLACE_RESERVED, /**< the same, but blocks that are not allocated are reserved first */
    XTA_IO_CACHE              /**< through the chunk cache, or to the chunks of an array in
                                   memory */
} xta_io_method;
enum { XTA_IO_METHODS = 5 };

/** The part of a write that uses one method. */
typedef struct xta_io_share {
    uint64_t n_chunks; /**< with cells of the box */
    uint64_t n_rows;   /**< runs of adjacent cells in these chunks */
    uint64_t n_bytes;  /**< of the cells */
} xta_io_share;

/** What a write of a box would do now; see xta_array_plan_write. */
typedef struct xta_io_plan {
    xta_access access; /**< how a writable handle reaches the file: XTA_ACCESS_MAPPED or
                            XTA_ACCESS_CACHED; XTA_ACCESS_AUTO of an array in memory */
    xta_io_share total;
    uint64_t n_whole; /**< chunks that the box covers */
    xta_io_share by_method[XTA_IO_METHODS];
} xta_io_plan;

/** How xta_array_write would move the cells of a box, given what this handle currently knows of the
 * file: the choice depends on the shape of the box and on what was written through this handle
 * since the last sync. Nothing is written, and the array may be read-only. The time is proportional
 * to the chunks of the box.
 * @param[in]  array    any array
 * @param[in]  box      inside the bounds
 * @param[in]  options  as for xta_array_write
 * @param[out] plan     filled in completely
 * @param[out] err      why it failed
 * @retval XTA_EBOX  the box leaves the bounds */
XTA_API XTA_MUST_CHECK xta_status xta_array_plan_write(xta_array *array, const xta_box *box,
                                                       const xta_io_options *options,
                                                       xta_io_plan *plan, xta_error *err);

/** "stream", "rows", "in place", "in place, reserved", "cache"; "?" for any other value. */
XTA_API const char *xta_io_method_name(xta_io_method method);

#ifdef __cplusplus
}
#endif

#endif

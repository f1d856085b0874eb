/** @file
 * Provenance: where the cells of a data set came from, and the attribute `history`.
 *
 * Both take the time of now, or that of the environment variable SOURCE_DATE_EPOCH (seconds since
 * 1970) if it is set. Functions are thread-safe; none is collective.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_PROVENANCE_H
#define XTA_PROVENANCE_H

#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where cells came from. The texts are borrowed, as all texts of a data set (<xta/dataset.h>). */
typedef struct xta_dataset_source {
    const char *dimension; /**< along which they were brought */
    int64_t lo, hi;        /**< the cells of the dimension, [lo, hi) */
    int64_t time;          /**< seconds since 1970-01-01T00:00:00Z */
    const char *source;    /**< a path, or any line of text */
} xta_dataset_source;

/** Note where cells of a dimension came from: after a growth, or after cells were written again.
 * One change of `dataset.xmd`.
 *
 * @param[in]  set        writable
 * @param[in]  dimension  its name
 * @param[in]  lo         the first cell, within the bounds of the dimension
 * @param[in]  hi         the cell after the last, above `lo`
 * @param[in]  source     a path or any text. Control characters become '?'; of more than 255 bytes
 *                        the last 252 are kept behind "..."
 * @param[out] err        why it failed; then there is no note
 * @retval XTA_ENOENT     no such dimension
 * @retval XTA_EBOX       [lo, hi) has no cells, or leaves the bounds
 * @retval XTA_EARG       the text is empty
 * @par Cost
 * Some 110 bytes of `dataset.xmd`, 40 once it has become a checkpoint: 10,000 notes of files of a
 * series have less than 1 MB. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_note_source(xta_dataset *set, const char *dimension,
                                                          int64_t lo, int64_t hi,
                                                          const char *source, xta_error *err);

/** How many notes there are. */
XTA_API size_t xta_dataset_source_count(xta_dataset *set);

/** Note number `k`, in the order in which they were added.
 * @retval XTA_ENOENT  no such number */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_source_at(xta_dataset *set, size_t k,
                                                        xta_dataset_source *source, xta_error *err);

/** A text of `history` with one more line, as NCO does: `Wed Nov 25 11:00:00 2026: COMMAND`, in
 * local time, or in UTC if SOURCE_DATE_EPOCH is set, and below it what there was.
 *
 * @param[in] command  one line of text; control characters become '?'
 * @param[in] before   what there was; NULL or "": nothing
 * @return the text, for the caller to free; NULL: no memory */
XTA_API XTA_MUST_CHECK char *xta_history_prepend(const char *command, const char *before);

/** Put a line before those of the attribute `history` of a data set, as NCO does:
 * `Wed Nov 25 11:00:00 2026: COMMAND`, in local time, or in UTC if SOURCE_DATE_EPOCH is set.
 *
 * @param[in]  set      writable
 * @param[in]  command  one line of text; control characters become '?'
 * @param[out] err      why it failed; then nothing has changed
 * @retval XTA_EARG     there is an attribute `history` that is no text */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_add_history(xta_dataset *set, const char *command,
                                                          xta_error *err);

/** The same for an array: its attribute `global/history`, if it has attributes `global/...` of the
 * file that it came from; else `history`. */
XTA_API XTA_MUST_CHECK xta_status xta_array_add_history(xta_array *array, const char *command,
                                                        xta_error *err);

#ifdef __cplusplus
}
#endif

#endif

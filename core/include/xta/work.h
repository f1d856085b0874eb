/** @file
 * Unfinished work: marks for operations that fill many cells and may be interrupted.
 *
 * An import that is killed leaves an array whose bounds include cells that were never written.
 * Therefore such an operation records a mark in the journal before it writes its first cell, and
 * removes it when it is done. In between the work is *live* while the process that does it runs,
 * and *interrupted* afterwards. Reading is never refused; programs that copy the array elsewhere
 * are notified.
 *
 * xta_array_append and xta_array_append_from do not need this: they publish the bounds after the
 * cells.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_WORK_H
#define XTA_WORK_H

#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What kind of operation it is. Files may hold values that a later version adds. */
typedef enum xta_work_verb {
    XTA_WORK_IMPORT = 1,  /**< cells from a file of another format into a new array */
    XTA_WORK_APPEND = 2,  /**< the same into an existing array */
    XTA_WORK_RECHUNK = 3, /**< cells of another array, or of blocks */
    XTA_WORK_OTHER = 4
} xta_work_verb;

/** Work of this process. Opaque; created by begin or resume, ended by end or abandon. */
typedef struct xta_work xta_work;

/** What will be done. Start from XTA_WORK_PLAN_INIT. */
typedef struct xta_work_plan {
    size_t struct_size;        /**< sizeof(xta_work_plan) */
    xta_work_verb verb;        /**< 0: XTA_WORK_OTHER */
    const char *source;        /**< where the cells come from, in words for the user; NULL: nothing;
                                    cut to 4095 bytes */
    const xta_growth *growths; /**< by which the array is grown first; NULL: none */
    int n_growths;
    const xta_box *box; /**< the cells that will be written, in coordinates after the growths; NULL:
                             with one growth the cells it adds, else all of the bounds */
} xta_work_plan;
#define XTA_WORK_PLAN_INIT                                      \
    {                                                           \
        sizeof(xta_work_plan), XTA_WORK_OTHER, NULL, NULL, 0, 0 \
    }

/** A piece of unfinished work, as recorded in the journal. Pointers are borrowed: valid during the
 * call that receives them. */
typedef struct xta_unfinished {
    uint8_t id[16];
    xta_work_verb verb;
    bool live;          /**< its process holds its lock; otherwise it was interrupted */
    bool created_array; /**< the work created the array */
    uint64_t process;   /**< id of the process that began it, on `host` */
    int64_t begun;      /**< seconds since 1970-01-01 00:00 UTC */
    const char *host;
    const char *source;
    xta_box box;    /**< the cells it fills */
    xta_box before; /**< bounds before it began; empty if it created the array */
} xta_unfinished;

/** Announce work, and grow the array for it in the same step: after a kill both the mark and the
 * growth exist, or neither, or the mark alone.
 *
 * Must not be called by two threads on one handle at the same time.
 *
 * @param[in]  array  writable, in files
 * @param[in]  plan   what will be done
 * @param[out] box    the cells to write; NULL if not wanted
 * @param[out] out    the work; the caller ends it before it closes the array
 * @param[out] err    why it failed; the array is unchanged
 * @retval XTA_EBOX      the box is not within the grown bounds
 * @retval XTA_EARG      a growth is invalid, or 4096 pieces of work are already unfinished
 * @retval XTA_EUNSUPPORTED  the file system has no locks that tell live work from interrupted work
 * @par Cost
 * Two records and one sync of the journal. */
XTA_API XTA_MUST_CHECK xta_status xta_work_begin(xta_array *array, const xta_work_plan *plan,
                                                 xta_box *box, xta_work **out, xta_error *err);

/** Create an array as xta_array_create does, together with a mark for the work that fills it: the
 * array appears with the mark, or not at all.
 *
 * @param[in]  path     as in xta_array_create
 * @param[in]  type     as in xta_array_create
 * @param[in]  ndim     as in xta_array_create
 * @param[in]  bounds   as in xta_array_create
 * @param[in]  options  as in xta_array_create
 * @param[in]  plan     verb, source and box (NULL: all); it has no growths. The box may exceed
 *                      these bounds if the caller grows the array accordingly before it writes
 *                      cells
 * @param[out] array    the new array, writable
 * @param[out] out      the work; the caller ends it before it closes the array
 * @param[out] err      why it failed, as in xta_array_create and xta_work_begin
 * @retval XTA_EEXIST   an array of this name exists */
XTA_API XTA_MUST_CHECK xta_status xta_work_create_array(const char *path, xta_type type, int ndim,
                                                        const int64_t bounds[],
                                                        const xta_create_options *options,
                                                        const xta_work_plan *plan,
                                                        xta_array **array, xta_work **out,
                                                        xta_error *err);

/** Create an array as xta_array_create_like does, together with a mark for the work that fills all
 * of it.
 *
 * @param[in]  source   as in xta_array_create_like; the mark names its path
 * @param[in]  path     as in xta_array_create_like
 * @param[in]  changes  as in xta_array_create_like
 * @param[in]  verb     what kind of work it is
 * @param[out] out      the new array, writable
 * @param[out] work     the work; the caller ends it before it closes the array
 * @param[out] err      why it failed; then no file is left behind */
XTA_API XTA_MUST_CHECK xta_status xta_work_create_like(xta_array *source, const char *path,
                                                       const xta_create_options *changes,
                                                       xta_work_verb verb, xta_array **out,
                                                       xta_work **work, xta_error *err);

/** End finished work: its cells are made durable, then the mark is removed.
 *
 * The work is freed in any case; on failure it stays unfinished in the journal, and can be resumed.
 * If `work` is NULL nothing is done.
 *
 * @param[in]  array  the handle it was begun with
 * @param[in]  work   ends here
 * @param[out] err    why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_work_end(xta_array *array, xta_work *work, xta_error *err);

/** Give up work without finishing it: it counts as interrupted from now on. NULL does nothing. */
XTA_API void xta_work_abandon(xta_work *work);

/** The id of a piece of work, for resume and undo. Borrowed until the work ends. */
XTA_API const uint8_t *xta_work_id(const xta_work *work);

/** List all unfinished work of an array, in the order in which it began.
 *
 * @param[in]  array  any array; a read-only handle lists what it knew at its last refresh
 * @param[in]  each   called for each piece; a result other than 0 stops
 * @param[in]  user   passed to `each`
 * @param[out] err    why it failed
 * @retval XTA_ECANCELLED  `each` returned a result other than 0
 * @par Cost
 * One system call for each piece; never waits. */
XTA_API XTA_MUST_CHECK xta_status xta_array_unfinished(xta_array *array,
                                                       int (*each)(void *user,
                                                                   const xta_unfinished *work),
                                                       void *user, xta_error *err);

/** XTA_OK if no work of an array was interrupted; else XTA_EUNFINISHED, with a text that names the
 * first piece and what can be done. Live work is no failure.
 *
 * @param[in]  array  any array
 * @param[out] err    names the work */
XTA_API XTA_MUST_CHECK xta_status xta_array_check_finished(xta_array *array, xta_error *err);

/** Take over interrupted work, to repeat it and end it.
 *
 * @param[in]  array  writable
 * @param[in]  id     of xta_unfinished
 * @param[out] out    the work
 * @param[out] err    why it failed
 * @retval XTA_ENOENT  there is no unfinished work of this id
 * @retval XTA_EBUSY   it is live */
XTA_API XTA_MUST_CHECK xta_status xta_work_resume(xta_array *array, const uint8_t id[16],
                                                  xta_work **out, xta_error *err);

/** Take over the interrupted work of one kind, for callers that know there is at most one.
 *
 * @param[in]  array  writable
 * @param[in]  verb   what kind of work it is
 * @param[out] out    the work; NULL if none of this kind is unfinished
 * @param[out] err    why it failed
 * @retval XTA_EBUSY  such work is live
 * @retval XTA_EARG   several pieces of such work were interrupted: resume them by their ids */
XTA_API XTA_MUST_CHECK xta_status xta_work_resume_any(xta_array *array, xta_work_verb verb,
                                                      xta_work **out, xta_error *err);

/** The result of undoing work. */
typedef enum xta_undo_result {
    XTA_UNDO_DELETED = 1, /**< the array, which the work had created, was deleted */
    XTA_UNDO_SHRUNK = 2,  /**< the bounds are again those before the work */
    XTA_UNDO_FILLED = 3   /**< the cells of its box have the fill value; the bounds stay, as others
                               may have written within them or extended them */
} xta_undo_result;

/** Roll interrupted work back.
 *
 * @param[in]  path          of the array; no handle of this process may have it open
 * @param[in]  id            of xta_unfinished
 * @param[in]  discard_cells allow undoing even if the box holds cells that were within the bounds
 *                           before the work: their old values cannot be restored, and they get the
 *                           fill value. false: refuse
 * @param[out] result        what was done; NULL if not wanted
 * @param[out] err           why it failed; the work is still unfinished
 * @retval XTA_ENOENT  there is no unfinished work of this id
 * @retval XTA_EBUSY   it is live
 * @retval XTA_ESTATE  cells would be lost, and discard_cells is false */
XTA_API XTA_MUST_CHECK xta_status xta_work_undo(const char *path, const uint8_t id[16],
                                                bool discard_cells, xta_undo_result *result,
                                                xta_error *err);

/* ---- several calls that belong together ---- */

/** An advisory lock on an array. Opaque. */
typedef struct xta_lock xta_lock;

/** Exclude others that acquire this lock, for a change of several calls: reading bounds and
 * attributes, deciding what to do, growing the array, setting attributes. Imports hold it while
 * they compare coordinates and reserve their slab. It excludes nobody else: single calls are atomic
 * without it. The kernel releases it when the process ends.
 *
 * @param[in]  array        in files
 * @param[in]  timeout_ms   how long to wait for another owner; 0: not at all
 * @param[out] out          to be released by xta_lock_release
 * @param[out] err          why it failed
 * @retval XTA_EBUSY        another thread or process held it during the whole time
 * @retval XTA_EUNSUPPORTED the array is in memory, or the file system has no locks */
XTA_API XTA_MUST_CHECK xta_status xta_array_lock(xta_array *array, unsigned timeout_ms,
                                                 xta_lock **out, xta_error *err);

/** Release the lock. NULL: nothing is done. */
XTA_API void xta_lock_release(xta_lock *lock);

#ifdef __cplusplus
}
#endif
#endif

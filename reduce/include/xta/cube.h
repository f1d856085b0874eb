/** @file
 * Cubes: count, sum, minimum and maximum of a growing array at every combination of levels of its
 * axes, kept as a data set and brought up to date at the price of the cells that are new. A query
 * reads a few aggregates of each level, and cells of the array only at the rim of its box.
 *
 * @par Levels
 * A level of an axis divides its cells into groups. `1>8>64` are blocks of 8 and 64 cells, block
 * floor(cell / length); 1 is the cells themselves. `day>month>year` are the periods of the calendar
 * of the axis' coordinates (a time since a date, ascending); their number counts from 2000-01-01.
 * Each level divides the one after it; both forms may follow a 1. A cube keeps an array for every
 * combination of listed levels, except that of the cells of the base itself.
 *
 * @par Arithmetic
 * Sums are binary64; of integers exact in 64 bits. A group is the sum of the groups of the next
 * finer level of the last axis that is above its first, added in ascending order from +0.0; the
 * first level is added from cells. So a cube that has grown equals, byte for byte, a cube made
 * afresh. Missing cells do not count. Of floating-point numbers a NaN does not count; with
 * `propagate_nan` it makes sum, mean, minimum and maximum NaN.
 *
 * @par Growth
 * Cells that are in the cube must not change; an array that has shrunk needs a new cube. An update
 * that is interrupted, by SIGKILL too, is completed by the next one.
 *
 * @par Source
 * [CXA] 1 (MOLAP), 10.1.5; docs/decisions/0038-cubes.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_CUBE_H
#define XTA_CUBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a cube keeps. The count is always kept. */
typedef enum xta_cube_measure {
    XTA_CUBE_COUNT = 0, /**< u64 */
    XTA_CUBE_SUM = 1,   /**< f64; of integers i64, of unsigned integers and bool u64 */
    XTA_CUBE_MIN = 2,   /**< the base's type (of bool u8); +inf or the greatest value: no cell */
    XTA_CUBE_MAX = 3,   /**< the same; -inf or the least value: no cell */
    XTA_CUBE_MEASURES = 4
} xta_cube_measure;

/** "count", "sum", "min" or "max"; "?" for a value that is none. Never fails. */
XTA_API const char *xta_cube_measure_name(xta_cube_measure measure);

/** What a new cube keeps. Start from XTA_CUBE_OPTIONS_INIT. */
typedef struct xta_cube_options {
    size_t struct_size;   /**< sizeof(xta_cube_options) */
    const char *levels;   /**< "time:day>month>year,y:1>8>64"; axes by name or number; axes that are
                               not named have the level 1 */
    const char *measures; /**< "sum,min"; NULL: all */
    const void *missing;  /**< one cell of the base's type that does not count; NULL: none */
    bool propagate_nan;   /**< a NaN makes the result NaN; false: NaN is skipped */
} xta_cube_options;
#define XTA_CUBE_OPTIONS_INIT                             \
    {                                                     \
        sizeof(xta_cube_options), NULL, NULL, NULL, false \
    }

/** Make a cube without aggregates; xta_cube_update adds them. Not collective. Thread-safe.
 *
 * @param[in]  base     path of the array, as for xta_array_open
 * @param[in]  path     of the new folder
 * @param[in]  options  levels are required
 * @param[out] err      why it failed
 * @retval XTA_EARG     levels or measures that cannot be; the text names axis, level and remedy
 * @retval XTA_EEXIST   the folder holds a cube, or other things
 * @retval XTA_ETYPE    the base holds complex numbers, bytes or text
 * @retval XTA_EBOX     levels of a calendar, and the coordinates are no ascending times */
XTA_API XTA_MUST_CHECK xta_status xta_cube_create(const char *base, const char *path,
                                                  const xta_cube_options *options, xta_error *err);

/** Facts about an update. */
typedef struct xta_cube_facts {
    xta_box before;          /**< cells of the base that were in the cube; empty: none */
    xta_box bounds;          /**< those that are now */
    uint64_t n_base_cells;   /**< read from the base (a cell may be read for several levels) */
    uint64_t n_cube_cells;   /**< read from the cube, for coarser levels */
    uint64_t n_groups;       /**< groups computed, of all combinations */
    uint64_t n_combinations; /**< of levels */
} xta_cube_facts;

/** Bring a cube up to date with its base. One update of a cube runs at a time; others wait. Others
 * may append to the base and query the cube meanwhile.
 *
 * @param[in]  path   of the cube
 * @param[out] facts  NULL if not wanted; zeros on failure
 * @param[out] err    why it failed; the next update completes it
 * @retval XTA_ENOENT  no cube, or its base is not where it was, nor where it was from the cube
 * @retval XTA_ESTATE  the base is another array, has shrunk (even if it has grown again), has other
 *                     times, or was compacted after steps that the cube does not know: the cube
 *                     must be made again
 * @retval XTA_EBOX    coordinates of a calendar are no longer ascending
 * @retval XTA_ERANGE  a sum of integers leaves 64 bits; the text names the group
 * @par Cost
 * The cells of the base that are new, and the blocks that the faces of the former bounds cut. */
XTA_API XTA_MUST_CHECK xta_status xta_cube_update(const char *path, xta_cube_facts *facts,
                                                  xta_error *err);

/** An open cube with its base. Opaque. */
typedef struct xta_cube xta_cube;

/** Open a cube for queries. It answers for the bounds that the base has now, until
 * xta_cube_refresh.
 * @param[in]  path  of the folder
 * @param[out] out   to be closed by the caller; NULL on failure
 * @param[out] err   why it failed, as for xta_cube_update */
XTA_API XTA_MUST_CHECK xta_status xta_cube_open(const char *path, xta_cube **out, xta_error *err);
XTA_API xta_status xta_cube_close(xta_cube *cube, xta_error *err);

/** Take the present bounds of the base, and what updates by other handles and processes have added.
 *
 * @param[in]  cube     open; no query in progress. Answers stay valid
 * @param[out] changed  whether the base or the cube has other cells; NULL if not wanted
 * @param[out] err      why it failed, as for xta_cube_update; queries are refused until a refresh
 *                      succeeds
 * @retval XTA_ESTATE   also: another cube has taken the place of this one
 * @par Cost
 * The new records of the journals; times of axes whose levels need them are read again. */
XTA_API XTA_MUST_CHECK xta_status xta_cube_refresh(xta_cube *cube, bool *changed, xta_error *err);

/** Whether the cube has all cells that its base had at the last refresh. Never fails. */
XTA_API bool xta_cube_is_current(const xta_cube *cube);

/** The base, read-only; borrowed. */
XTA_API xta_array *xta_cube_base(xta_cube *cube);

/** Whether a measure is kept. */
XTA_API bool xta_cube_keeps(const xta_cube *cube, xta_cube_measure measure);

/** What to ask. Start from XTA_CUBE_QUESTION_INIT. */
typedef struct xta_cube_question {
    size_t struct_size;             /**< sizeof(xta_cube_question) */
    const xta_selection *selection; /**< cells, of xta_box_select; NULL: see `box` */
    const xta_box *box;             /**< cells, within the bounds; NULL: all */
    uint32_t measures;              /**< bits 1 << xta_cube_measure that are wanted; 0: all kept */
    const int *over;                /**< axes to reduce, ascending; NULL with `n_over` 0: all that
                                         `by` does not name. Other axes remain, cell by cell */
    int n_over;
    bool keep_all;  /**< `n_over` 0 means that no axis is reduced */
    const char *by; /**< groups: "year", "month-of-year" (on the one axis with a time), "y:8",
                         "time:season,y:64"; NULL: none. As for xta_calendar_groups, or a number of
                         cells; they need not be levels */
} xta_cube_question;
#define XTA_CUBE_QUESTION_INIT                                         \
    {                                                                  \
        sizeof(xta_cube_question), NULL, NULL, 0, NULL, 0, false, NULL \
    }

/** A number: `f` of floating-point bases, `i` of signed integers, `u` of unsigned ones and bool. */
typedef union xta_cube_number {
    double f;
    int64_t i;
    uint64_t u;
} xta_cube_number;

/** Aggregates of one cell of an answer. Those that are not kept, or not wanted, are 0. */
typedef struct xta_cube_values {
    uint64_t count;
    xta_cube_number sum;
    xta_cube_number min, max; /**< no value if the count is 0, unless NaN */
} xta_cube_values;

/** How many cells were read of a combination of levels. */
typedef struct xta_cube_reading {
    const char *levels; /**< "month,8,1"; "base": the base. Borrowed from the answer */
    uint64_t n_boxes;
    uint64_t n_cells;
} xta_cube_reading;

/** An answer. Opaque. */
typedef struct xta_cube_answer xta_cube_answer;

/** Answer a question.
 *
 * Integers, minima, maxima and counts are exact; a sum of floating-point numbers is a sum of the
 * aggregates that were read, within rounding of any other order. Safe from several threads with a
 * cube each.
 *
 * @param[in]  cube      open
 * @param[in]  question  NULL: everything about all cells
 * @param[out] out       for xta_cube_answer_free; NULL on failure
 * @param[out] err       why it failed
 * @retval XTA_EARG   axes or groups that do not fit; a measure that the cube does not keep
 * @retval XTA_EBOX   cells outside the bounds
 * @retval XTA_ERANGE a sum of integers, or a part of it that is added first, leaves 64 bits
 * @par Cost
 * See docs/decisions/0038-cubes.md: at most (2 L - 1) runs on an axis of L levels; cells of the
 * base at the rim of the box only, if the cube is up to date. */
XTA_API XTA_MUST_CHECK xta_status xta_cube_query(xta_cube *cube, const xta_cube_question *question,
                                                 xta_cube_answer **out, xta_error *err);
XTA_API void xta_cube_answer_free(xta_cube_answer *answer);

/** Axes that remain, in the order of the base; 0: the answer is one cell. */
XTA_API int xta_cube_answer_ndim(const xta_cube_answer *answer);

/** The axis of the base that axis `k` of the answer is. */
XTA_API int xta_cube_answer_axis(const xta_cube_answer *answer, int k);

/** Cells of axis `k`. */
XTA_API int64_t xta_cube_answer_length(const xta_cube_answer *answer, int k);

/** What cell `n` of axis `k` is: of calendar groups the label of xta_calendar_groups, of blocks
 * their number, else the cell of the base. */
XTA_API int64_t xta_cube_answer_label(const xta_cube_answer *answer, int k, int64_t n);

/** The same as text: "2014", "2014-03", "2014-DJF", "[8:16)", "17". `text` holds 48 bytes. */
XTA_API void xta_cube_answer_text(const xta_cube_answer *answer, int k, int64_t n, char text[48]);

/** Cell number `n` in row-major order. */
XTA_API xta_cube_values xta_cube_answer_values(const xta_cube_answer *answer, uint64_t n);

/** What was read of one combination; NULL after the last. */
XTA_API const xta_cube_reading *xta_cube_answer_reading(const xta_cube_answer *answer, size_t k);

#ifdef __cplusplus
}
#endif
#endif

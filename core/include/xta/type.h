/** @file
 * Element types: what one cell of an array is.
 *
 * In memory cells are native-endian; in files they are little-endian.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_TYPE_H
#define XTA_TYPE_H

#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The values are stored in files and never change. */
typedef enum xta_type {
    XTA_TYPE_SAME = 0, /**< in options: the type of the array */
    XTA_BOOL = 1,      /**< one byte, 0 or 1 */
    XTA_I8 = 2,
    XTA_U8 = 3,
    XTA_I16 = 4,
    XTA_U16 = 5,
    XTA_I32 = 6,
    XTA_U32 = 7,
    XTA_I64 = 8,
    XTA_U64 = 9,
    XTA_F16 = 10, /**< IEEE 754 binary16, held in memory as uint16_t */
    XTA_F32 = 11,
    XTA_F64 = 12,
    XTA_C64 = 13,   /**< two F32: real, imaginary */
    XTA_C128 = 14,  /**< two F64: real, imaginary */
    XTA_BYTES = 15, /**< a fixed number of bytes, 1 to 65535 */
    XTA_TEXT = 16   /**< UTF-8 text; for attributes only */
} xta_type;

/** Bytes of one cell; 0 for XTA_BYTES (which has its own length) and for values that are not a
 * type. XTA_TEXT counts one byte for each byte of text. Thread-safe. */
XTA_API size_t xta_type_bytes(xta_type type);

/** "f64", "i16", "bool", "bytes", "text" ...; "?" for a value that is not a type. Static memory.
 * Thread-safe. */
XTA_API const char *xta_type_name(xta_type type);

/** The type named `name`: the names above, `bytes:N`, or NumPy's and NetCDF's long names
 * (`float64`, `double`, `int16`, `short` ...).
 *
 * @param[in]  name        zero-terminated
 * @param[out] type        the type; untouched on failure
 * @param[out] cell_bytes  bytes of one cell (N of `bytes:N`); NULL if not wanted
 * @param[out] err         why it failed; NULL if not wanted
 * @retval XTA_EARG        no such name; the text lists the names
 */
XTA_API XTA_MUST_CHECK xta_status xta_type_parse(const char *name, xta_type *type,
                                                 size_t *cell_bytes, xta_error *err);

/** Convert `n` values from one type into another. Pure; thread-safe.
 *
 * Numbers keep their value exactly or are rounded to the nearest float (ties to even). A number
 * that the target cannot hold (outside an integer's range, a fraction or NaN into an integer,
 * beyond a float's largest finite value, an imaginary part other than 0 into a real, anything but
 * 0 and 1 into bool) is refused. Infinities and NaN pass between floating types. Integers beyond a
 * float's precision are rounded. XTA_BYTES converts only to XTA_BYTES of the same length.
 *
 * @param[in]  from       type of the source
 * @param[in]  source     `n` values; any alignment
 * @param[in]  to         type of the target
 * @param[out] target     `n` values; any alignment; must not overlap `source`
 * @param[in]  n          how many
 * @param[out] bad        where the first value that cannot be represented lies; NULL if not wanted
 * @retval XTA_ERANGE     values before `*bad` are converted, the rest of `target` is unspecified
 * @retval XTA_ETYPE      no conversion between the two types
 * @par Cost
 * One pass, no memory.
 */
XTA_API XTA_MUST_CHECK xta_status xta_type_convert(xta_type from, const void *source, xta_type to,
                                                   void *target, size_t n, size_t *bad);

#ifdef __cplusplus
}
#endif
#endif

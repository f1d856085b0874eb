/** @file
 * Conversion of numbers from one unit of measure to another.
 *
 * UDUNITS converts where the library was built with it and UDUNITS can be loaded. Else only equal
 * texts and units of time (days, hours, ...) convert.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_UNITS_H
#define XTA_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Convert `n` numbers from one unit to another.
 *
 * Thread-safe; a lock is held while units are read, not while numbers are converted.
 *
 * @param[in]  from       unit of the numbers, such as "hPa"; zero-terminated
 * @param[in]  to         the unit wanted
 * @param[in]  numbers    `n` of them
 * @param[out] converted  `n` numbers; may be `numbers`; untouched on failure
 * @param[in]  n          how many
 * @param[out] err        why it failed; names both units
 * @retval XTA_EARG          a text is no unit, or the units measure different things
 * @retval XTA_EUNSUPPORTED  this build has no UDUNITS, or it cannot be loaded, and these units
 *                           need it
 * @retval XTA_EFOREIGN      UDUNITS cannot read its tables
 * @par Cost
 * The first call of a process loads UDUNITS and reads its tables (some ms). Equal texts are copied
 * without it. */
XTA_API XTA_MUST_CHECK xta_status xta_units_convert(const char *from, const char *to,
                                                    const double *numbers, double *converted,
                                                    size_t n, xta_error *err);

/** Whether numbers mean the same in both units ("degrees_north" and "degree"): equal texts, or a
 * conversion that changes nothing. False if that cannot be known. Thread-safe. */
XTA_API bool xta_units_same(const char *a, const char *b);

/** Whether this build has UDUNITS. */
XTA_API bool xta_units_known(void);

#ifdef __cplusplus
}
#endif

#endif

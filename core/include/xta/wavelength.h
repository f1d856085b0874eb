/** @file
 * Units of wavelengths: what they are in nanometres, and which unit numbers without one are in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_WAVELENGTH_H
#define XTA_WAVELENGTH_H

#include <stddef.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Nanometres in a unit of wavelengths ("Micrometers": 1000); 0 if it is none of them.
 *
 * Known are nm, um (also with the sign for micro), mm, m, Angstrom, micron and everything that
 * begins with "nanomet" or "micromet", in upper or lower case.
 *
 * Not collective. Pure; thread-safe.
 *
 * @param[in] unit  zero-terminated; NULL is not known */
XTA_API double xta_wavelength_nanometres(const char *unit);

/** The unit that wavelengths without one are in, by their magnitude: "um" if the largest is below
 * 100, else "nm". No sensor for sunlight sees beyond 100 um or works below 100 nm.
 *
 * Not collective. Pure; thread-safe.
 *
 * @param[in] wavelengths  n numbers; those that are not finite or not above zero do not count
 * @param[in] n            how many
 * @return static memory; NULL if no number counts */
XTA_API const char *xta_wavelength_guess(const double *wavelengths, size_t n);

#ifdef __cplusplus
}
#endif
#endif

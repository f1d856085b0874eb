/** @file
 * Units of wavelengths: conversion to nanometres, and a guess for wavelengths without a unit.
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

/** Nanometres in a unit of wavelengths ("Micrometers": 1000); 0 for an unknown unit.
 *
 * Known are nm, um (also with the sign for micro), mm, m, Angstrom, micron and everything that
 * begins with "nanomet" or "micromet", in upper or lower case.
 *
 * Not collective. Pure; thread-safe.
 *
 * @param[in] unit  zero-terminated; NULL is an unknown unit */
XTA_API double xta_wavelength_nanometres(const char *unit);

/** Guess the unit of wavelengths that have none from their magnitude: "um" if the largest is below
 * 100, else "nm". No sensor for sunlight works beyond 100 um or below 100 nm.
 *
 * Not collective. Pure; thread-safe.
 *
 * @param[in] wavelengths  n numbers; those that are not finite or not above zero are ignored
 * @param[in] n            how many
 * @return static memory; NULL if all numbers are ignored */
XTA_API const char *xta_wavelength_guess(const double *wavelengths, size_t n);

#ifdef __cplusplus
}
#endif
#endif

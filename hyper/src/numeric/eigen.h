/* Linear algebra on one thread: calls of the same shape give the same bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_NUMERIC_EIGEN_H
#define XTA_HYPER_NUMERIC_EIGEN_H

#include <stddef.h>

#include <xta/status.h>

/* Eigenvalues descending and eigenvectors (rows of `vectors`, n x n) of a symmetric matrix
 * (row-major; destroyed). The component of largest magnitude is positive, the lowest on ties. */
xta_status xta__eigen(size_t n, double *matrix, double *values, double *vectors, xta_error *err);
/* Make BLAS use one thread from here on. Everything that uses BLAS calls this first. */
void xta__blas_single(void);

#endif

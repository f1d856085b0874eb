/* Flat files of one array without attributes: NumPy's, raw cells, and their description.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_DENSE_H
#define XTA_VIEWS_FLAT_DENSE_H

#include "flat/sources.h"

xta_status xta__flat_describe_npy(xta_flat *flat, xta_error *err);
xta_status xta__flat_describe_raw(xta_flat *flat, xta_error *err);
xta_status xta__flat_describe_json(xta_flat *flat, xta_error *err);

#endif

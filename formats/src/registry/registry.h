/* The formats of this build, and the selection of one of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_REGISTRY_REGISTRY_H
#define XTA_FORMATS_REGISTRY_REGISTRY_H

#include "description/format.h"

xta_status xta__format_for_import(const char *path, const xta_import_options *options,
                                  const bridge_format **out, xta_error *err);
xta_status xta__format_for_export(const char *path, const char *format, const bridge_format **out,
                                  xta_error *err);

#endif

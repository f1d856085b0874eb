/* A variable of a file that the program has opened, with all that is known of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_NETCDF_HANDLE_NETCDF_H
#define XTA_FORMATS_MAP_NETCDF_HANDLE_NETCDF_H

#include "description/description.h"
#include "netcdf/select_variable.h"

/* Describe the variable; `source->path` is its name in messages. `origin` has the coordinates of
 * the first cell. To be freed by xta__mapping_netcdf_free. */
xta_status xta__mapping_open_netcdf(int group, int variable, bridge_description *what,
                                    int64_t origin[], netcdf_source **out, xta_error *err);
void xta__mapping_netcdf_free(netcdf_source *source);
/* Under the lock. The path of the file of a group, to be freed; NULL: there is none, or out of
 * memory. */
char *xta__mapping_netcdf_path(int group);
/* Under the lock. "/group/inner" of a group, with `name` behind it if that is not NULL; to be
 * freed. NULL: out of memory. */
char *xta__mapping_netcdf_name(int group, const char *name);

#endif

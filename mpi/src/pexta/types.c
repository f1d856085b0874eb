/* Types of cells: Global Arrays' codes and ours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/types.h"

#include <ga.h>
#include <limits.h>
#include <string.h>

#if LONG_MAX > 0x7fffffff
#define LONG_CELLS XTA_I64
#else
#define LONG_CELLS XTA_I32
#endif

/* Of several codes with the same cells, the first is assumed for a file that does not name one. */
static const struct {
    int code;
    xta_type cells;
    const char *name;
} types[] = {
    {C_CHAR, XTA_I8, "C_CHAR"},     {C_INT, XTA_I32, "C_INT"},
    {C_LONG, LONG_CELLS, "C_LONG"}, {C_LONGLONG, XTA_I64, "C_LONGLONG"},
    {C_FLOAT, XTA_F32, "C_FLOAT"},  {C_DBL, XTA_F64, "C_DBL"},
    {C_SCPL, XTA_C64, "C_SCPL"},    {C_DCPL, XTA_C128, "C_DCPL"},
};

enum { N_TYPES = sizeof types / sizeof types[0] };

xta_type xta__cells_of_ga(int ga_type)
{
    for (int k = 0; k < N_TYPES; k++) {
        if (types[k].code == ga_type) {
            return types[k].cells;
        }
    }
    return XTA_TYPE_SAME;
}

const char *xta__ga_type_name(int ga_type)
{
    for (int k = 0; k < N_TYPES; k++) {
        if (types[k].code == ga_type) {
            return types[k].name;
        }
    }
    return "?";
}

int xta__ga_type_named(const char *name)
{
    for (int k = 0; k < N_TYPES; k++) {
        if (strcmp(types[k].name, name) == 0) {
            return types[k].code;
        }
    }
    return 0;
}

int xta__ga_type_of(xta_type type)
{
    for (int k = 0; k < N_TYPES; k++) {
        if (types[k].cells == type) {
            return types[k].code;
        }
    }
    return type == XTA_U8 ? C_CHAR : 0;
}

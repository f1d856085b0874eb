/* What a foreign source is, without its cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/bridge.h>

#include <xta/options.h>

#include <stdio.h>
#include <string.h>

#include "description/description.h"
#include "description/format.h"
#include "registry/registry.h"
#include "transfer/cut_source.h"
#include "transfer/fold_axis.h"
#include "util/try.h"

static void copy_description(const bridge_format *format, const bridge_description *what,
                             xta_source_info *out)
{
    size_t struct_size = out->struct_size;

    *out = (xta_source_info){.struct_size = struct_size,
                             .type = what->type,
                             .cell_bytes = what->cell_bytes,
                             .ndim = what->ndim,
                             .chunked = what->chunk[0] > 0};
    // A name that does not fit is none: what is cut off would name something else.
    snprintf(out->format, sizeof out->format, "%s", format->name);
    if (what->variable != NULL && strlen(what->variable) < sizeof out->variable) {
        memcpy(out->variable, what->variable, strlen(what->variable) + 1);
    }
    for (int axis = 0; axis < what->ndim; axis++) {
        out->bounds[axis] = what->bounds[axis];
        out->chunk[axis] = out->chunked ? what->chunk[axis] : 0;
    }
}

xta_status xta_import_describe(const char *source, const xta_import_options *options,
                               xta_source_info *out, xta_error *err)
{
    xta_import_options chosen = XTA_IMPORT_OPTIONS_INIT;
    const bridge_target target = {NULL, -1};
    const bridge_format *format = NULL;
    bridge_description what;
    int64_t origin[XTA_MAX_NDIM] = {0};
    bridge_cut cut = {0};
    bridge_fold fold;
    void *state = NULL;
    xta_status status;

    if (out == NULL || out->struct_size != sizeof *out) {
        return xta_error_set(err, XTA_EARG, 0,
                             "xta_source_info: begin with XTA_SOURCE_INFO_INIT of this version");
    }
    xta__description_init(&what);
    XTA_TRY(xta_options_read(&chosen, sizeof chosen, options, "xta_import_options", err));
    if (chosen.memory_bytes == 0) {
        chosen.memory_bytes = BRIDGE_MEMORY_BYTES;
    }
    XTA_TRY(xta__format_for_import(source, &chosen, &format, err));
    XTA_TRY(format->open(source, &chosen, &target, &what, &state, err));
    XTA_TRY(xta__cut_source(&chosen, format, source, state, &what, origin, &cut, err));
    XTA_TRY(xta__fold_axis(&chosen, source, &what, &fold, err));
    copy_description(format, &what, out);
done:
    if (state != NULL) {
        format->close(state);
    }
    xta__cut_clear(&cut);
    xta__description_clear(&what);
    return status;
}

/* A line of the attribute `history`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/history.h"

#include <stdlib.h>

#include <xta/attribute.h>
#include <xta/provenance.h>

xta_status xta__description_add_history(bridge_description *what, const char *name,
                                        const char *command, const char *otherwise, xta_error *err)
{
    const char *before = xta__description_text(what, XTA_ON_ARRAY, name);
    bool there = xta__description_find(what, XTA_ON_ARRAY, name) != NULL;

    if (there && before == NULL) {
        return XTA_OK;
    }
    char *text = xta_history_prepend(command, there ? before : otherwise);
    if (text != NULL) {
        xta__description_remove(what, XTA_ON_ARRAY, name);
    }
    bool good = text != NULL && xta__description_add_text(what, XTA_ON_ARRAY, name, text) != NULL;
    free(text);
    return good ? XTA_OK : xta__bridge_no_memory(name, err);
}

/* Texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/texts.h"

#include <stdlib.h>

#include "util/checked.h"

bool xta__report_copy_text(const char *text, char **to)
{
    *to = text != NULL ? xta__strdup(text) : NULL;
    return text == NULL || *to != NULL;
}

void xta__report_free_texts(char **texts, size_t n)
{
    for (size_t k = 0; texts != NULL && k < n; k++) {
        free(texts[k]);
    }
    free(texts);
}

/* Where a request ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "serve/request_framing.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

typedef struct field_count {
    int hosts, lengths;
    bool bad_name;
} field_count;

static enum MHD_Result count_field(void *user, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    field_count *count = user;

    (void)kind, (void)value;
    count->hosts += strcasecmp(name, "Host") == 0;
    count->lengths += strcasecmp(name, "Content-Length") == 0;
    count->bad_name = count->bad_name || name[0] == '\0' || strpbrk(name, " \t") != NULL;
    return MHD_YES;
}

const char *xta__request_framing(struct MHD_Connection *connection)
{
    field_count count = {0};

    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, count_field, &count);
    return count.bad_name      ? "the name of a header field has a blank in it"
           : count.hosts > 1   ? "there are two header fields Host"
           : count.lengths > 1 ? "there are two header fields Content-Length"
                               : NULL;
}

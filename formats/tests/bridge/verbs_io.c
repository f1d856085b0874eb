/* The verbs import and export for scripts that call them often: their programs in one, which a
 * server runs (request_server.h).
 *
 *   verbs_io import|export WORD...
 *   verbs_io serve
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "request_server.h"
#include "verbs_io.h"

static int run(int argc, char **argv)
{
    if (argc < 2 || (strcmp(argv[1], "import") != 0 && strcmp(argv[1], "export") != 0)) {
        fprintf(stderr, "usage: verbs_io import|export WORD... | serve\n");
        return 99;
    }
    return argv[1][0] == 'i' ? import_main(argc - 1, argv + 1) : export_main(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "serve") == 0 ? serve_requests(run, true) : run(argc, argv);
}

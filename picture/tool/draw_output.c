/* The picture of xta draw as a file or as a stream.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/errors.h"
#include "util/text.h"

xta_status draw_output_begin(const cli_args *args, draw_output *output, cli_error *err)
{
    const draw_options *o = draw_values(args);
    const char *folder = getenv("TMPDIR"), *format = o->format != NULL ? o->format : "png";

    *output = (draw_output){.path = o->out};
    if (strcmp(o->out, "-") != 0) {
        return o->format == NULL
                   ? XTA_OK
                   : cli_usage(err, "--format belongs to --out -; the suffix of %s says it",
                               o->out);
    }
    if (strcmp(format, "png") != 0 && strcmp(format, "svg") != 0) {
        return cli_usage(err, "--format: \"%s\" is none of png, svg", format);
    }
    if (o->json) {
        return cli_usage(err, "--out - and --json: one of them can have standard output; name a "
                              "file");
    }
    if (isatty(STDOUT_FILENO)) {
        return cli_usage(err, "standard output is a terminal; give --out F or send it elsewhere");
    }
    output->temporary =
        xta__string("%s/xta-draw-XXXXXX.%s", folder != NULL ? folder : "/tmp", format);
    if (output->temporary == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the name of a file");
    }
    int fd = mkstemps(output->temporary, 4);
    if (fd < 0) {
        int number = errno;
        xta_status status = cli_fail(err, xta__status_of_errno(number), number,
                                     "%s: cannot be made: %s", output->temporary, strerror(number));
        free(output->temporary);
        output->temporary = NULL;
        return status;
    }
    (void)close(fd);
    output->path = output->temporary;
    return XTA_OK;
}

/* What cannot be written to standard output is noticed at the end of the program. */
static xta_status copy_to_output(const char *path, cli_error *err)
{
    FILE *file = fopen(path, "rb");
    char bytes[8192];
    size_t n;

    if (file == NULL) {
        int number = errno;
        return cli_fail(err, xta__status_of_errno(number), number, "%s: cannot be opened: %s", path,
                        strerror(number));
    }
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0 && fwrite(bytes, 1, n, stdout) == n) {}
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? cli_fail(err, XTA_EIO, 0, "%s: cannot be read", path) : XTA_OK;
}

xta_status draw_output_end(draw_output *output, xta_status status, cli_error *err)
{
    if (output->temporary != NULL) {
        status = status == XTA_OK ? copy_to_output(output->temporary, err) : status;
        unlink(output->temporary);
        free(output->temporary);
        output->temporary = NULL;
    }
    return status;
}

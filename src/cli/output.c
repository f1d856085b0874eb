/* Output that is complete or not there: a file is written under another name and renamed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static xta_status fail_to_write(const cli_output *output, int os_errno, cli_error *err)
{
    xta_status status = os_errno == ENOSPC   ? XTA_ENOSPC
                        : os_errno == EACCES ? XTA_EACCESS
                                             : XTA_EIO;

    return cli_fail(err, status, os_errno, "%s: cannot be written: %s",
                    output->path != NULL ? output->path : "standard output", strerror(os_errno));
}

xta_status cli_output_begin(cli_output *output, const char *path, cli_error *err)
{
    struct stat facts;
    size_t capacity;

    *output = (cli_output){.file = stdout, .path = path};
    if (path == NULL) {
        return XTA_OK;
    }
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file != NULL ? XTA_OK : fail_to_write(output, errno, err);
    }
    capacity = strlen(path) + 32;
    output->temporary = malloc(capacity);
    if (output->temporary == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", path);
    }
    snprintf(output->temporary, capacity, "%s.%ld.part", path, (long)getpid());
    output->file = fopen(output->temporary, "wbx");
    if (output->file == NULL) {
        int os_errno = errno;
        free(output->temporary);
        output->temporary = NULL;
        return fail_to_write(output, os_errno, err);
    }
    return XTA_OK;
}

xta_status cli_output_write(cli_output *output, const void *bytes, size_t n, cli_error *err)
{
    errno = 0;
    if (n > 0 && fwrite(bytes, 1, n, output->file) != n) {
        return fail_to_write(output, errno != 0 ? errno : EIO, err);
    }
    return XTA_OK;
}

/* Flush and close, or flush alone for standard output. */
static int finish_file(FILE *file)
{
    int os_errno = 0;

    errno = 0;
    if (fflush(file) != 0 || ferror(file)) {
        os_errno = errno != 0 ? errno : EIO;
    }
    if (file != stdout && fclose(file) != 0 && os_errno == 0) {
        os_errno = errno != 0 ? errno : EIO;
    }
    return os_errno;
}

xta_status cli_output_end(cli_output *output, xta_status status, cli_error *err)
{
    if (output->file != NULL) {
        int os_errno = finish_file(output->file);
        if (status == XTA_OK && os_errno != 0) {
            status = fail_to_write(output, os_errno, err);
        }
    }
    if (output->temporary != NULL && status == XTA_OK &&
        rename(output->temporary, output->path) != 0) {
        status = fail_to_write(output, errno, err);
    }
    if (output->temporary != NULL && status != XTA_OK) {
        remove(output->temporary);
    }
    free(output->temporary);
    *output = (cli_output){0};
    return status;
}

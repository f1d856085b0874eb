/* Output that is complete or absent: a file is written under another name and renamed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/cells/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/errors.h"

static xta_status fail_to_write(const cli_output *output, int os_errno, cli_error *err)
{
    return cli_fail(err, xta__status_of_errno(os_errno), os_errno, "%s: cannot be written: %s",
                    output->path != NULL ? output->path : "standard output", strerror(os_errno));
}

/* The descriptor that a path like /dev/stdout names, or -1: the file behind it must not be
 * replaced, nor written from its beginning. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0) {
        return strcmp(path, "/dev/stdout") == 0 ? STDOUT_FILENO : STDERR_FILENO;
    }
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++) {
        size_t n = strlen(folders[k]);
        if (strncmp(path, folders[k], n) == 0 && path[n] >= '0' && path[n] <= '9') {
            return atoi(path + n);
        }
    }
    return -1;
}

xta_status cli_output_begin(cli_output *output, const char *path, cli_error *err)
{
    struct stat facts;

    *output = (cli_output){.file = stdout, .path = path};
    if (path == NULL || strcmp(path, "-") == 0) {
        output->path = NULL;
        return XTA_OK;
    }
    int open_fd = descriptor_of(path);
    if (open_fd == STDOUT_FILENO) {
        return XTA_OK;
    }
    if (open_fd >= 0) {
        int copy = dup(open_fd);
        output->file = copy >= 0 ? fdopen(copy, "wb") : NULL;
        return output->file != NULL ? XTA_OK : fail_to_write(output, errno, err);
    }
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file != NULL ? XTA_OK : fail_to_write(output, errno, err);
    }
    int number = xta__new_file_create(&output->whole, path);
    output->file = number == 0 ? fdopen(output->whole.fd, "wb") : NULL;
    if (output->file == NULL) {
        number = number != 0 ? number : errno;
        xta__new_file_discard(&output->whole);
        return fail_to_write(output, number, err);
    }
    output->whole.fd = -1; // closed with the file
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
    if (output->whole.part != NULL && status == XTA_OK) {
        int number = xta__new_file_commit(&output->whole, false);
        if (number != 0) {
            status = fail_to_write(output, number, err);
        }
    }
    xta__new_file_discard(&output->whole);
    *output = (cli_output){0};
    return status;
}

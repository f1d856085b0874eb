/* Asking xta import what a foreign dataset is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "inquiry/foreign_source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/programs.h"
#include "util/text.h"

/* A folder with the documents of a Zarr store. */
static bool is_zarr(const char *folder)
{
    static const char *const documents[] = {"zarr.json", ".zgroup", ".zarray", ".zmetadata"};
    bool found = false;

    for (size_t k = 0; k < CLI_COUNT(documents) && !found; k++) {
        char *path = xta__string("%s/%s", folder, documents[k]);
        found = path != NULL && access(path, F_OK) == 0;
        free(path);
    }
    return found;
}

bool foreign_source_exists(const char *word)
{
    cli_error ignored = {0};
    const char *variable;
    char *file = NULL;
    struct stat found;

    bool exists = cli_split_variable(word, &file, &variable, &ignored) == XTA_OK &&
                  stat(file, &found) == 0 && (S_ISREG(found.st_mode) || is_zarr(file)) &&
                  !xta__ends_with(file, ".xmd") && !xta__ends_with(file, ".xta");
    free(file);
    return exists;
}

/* One line: a name, padded, and its value. */
static bool take_line(char *line, foreign_source *source)
{
    cli_error ignored = {0};
    xta_status status = XTA_OK;
    size_t n = strcspn(line, " ");
    char *value = line + n + strspn(line + n, " ");

    line[n] = '\0';
    if (strcmp(line, "format") == 0 && strlen(value) < sizeof source->format) {
        memcpy(source->format, value, strlen(value) + 1);
    } else if (strcmp(line, "bounds") == 0) {
        status = cli_parse_coords(value, "bounds", source->bounds, &source->ndim, &ignored);
    } else if (strcmp(line, "type") == 0) {
        status = cli_parse_type(value, &source->type, &source->cell_bytes, &ignored);
    } else if (strcmp(line, "chunk") == 0 && strcmp(value, "-") != 0) {
        source->chunked = true;
        status = cli_parse_coords_of(value, "chunk", source->ndim, source->chunk, &ignored);
    }
    return status == XTA_OK;
}

/* The last line that the program printed is its error. */
static xta_status repeat_error(const char *word, char *text, cli_error *err)
{
    static const char name[] = "xta import: ";
    size_t n = strlen(text);

    while (n > 0 && text[n - 1] == '\n') {
        text[--n] = '\0';
    }
    const char *line = strrchr(text, '\n');
    line = line != NULL ? line + 1 : text;
    if (strncmp(line, name, strlen(name)) != 0) {
        return cli_fail(err, XTA_EFORMAT, 0, "%s: xta import --describe failed", word);
    }
    return cli_fail(err, XTA_EFORMAT, 0, "%s", line + strlen(name));
}

xta_status foreign_source_describe(const char *word, foreign_source *source, cli_error *err)
{
    const char *const arguments[] = {"--describe", "--", word};
    char *text = NULL, *rest = NULL;
    xta_status status = cli_program_output("import", (int)CLI_COUNT(arguments), arguments, &text);

    *source = (foreign_source){.ndim = 0};
    if (status == XTA_ENOENT) {
        return cli_fail(err, XTA_EUNSUPPORTED, 0,
                        "%s: xta import, which would read it, is not installed", word);
    }
    if (status == XTA_ENOMEM) {
        return cli_fail(err, status, 0, "%s: no memory for its description", word);
    }
    if (status != XTA_OK) {
        status = repeat_error(word, text, err);
        free(text);
        return status;
    }
    bool understood = true;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && understood;
         line = strtok_r(NULL, "\n", &rest)) {
        understood = take_line(line, source);
    }
    free(text);
    if (!understood || source->ndim == 0 || source->cell_bytes == 0) {
        return cli_fail(err, XTA_EFORMAT, 0,
                        "%s: xta import --describe is of another version; install the one of this "
                        "tool",
                        word);
    }
    return XTA_OK;
}

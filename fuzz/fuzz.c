/* See fuzz.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

uint8_t fuzz_u8(fuzz_source *source)
{
    if (source->left == 0) {
        return 0;
    }
    source->left--;
    return *source->at++;
}

int64_t fuzz_i64(fuzz_source *source)
{
    uint64_t value = 0;

    for (int k = 0; k < 8; k++) {
        value = value << 8 | fuzz_u8(source);
    }
    return (int64_t)value;
}

int fuzz_below(fuzz_source *source, int n)
{
    return fuzz_u8(source) % n;
}

int64_t fuzz_coord(fuzz_source *source)
{
    uint8_t kind = fuzz_u8(source);

    if (kind < 240) {
        return (int64_t)(kind % 24) - 8;
    }
    return fuzz_i64(source) >> (kind < 248 ? 32 : 0);
}

void fuzz_text(fuzz_source *source, char *text, size_t capacity)
{
    size_t n = fuzz_u8(source);

    n = n < capacity - 1 ? n : capacity - 1;
    for (size_t k = 0; k < n; k++) {
        text[k] = (char)fuzz_u8(source);
    }
    text[n] = '\0';
}

static void remove_folder(void)
{
    DIR *open_folder = opendir(folder);
    char path[1024];

    if (open_folder != NULL) {
        for (struct dirent *entry = readdir(open_folder); entry != NULL;
             entry = readdir(open_folder)) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
        closedir(open_folder);
    }
    rmdir(folder);
}

const char *fuzz_folder(void)
{
    const char *where = getenv("TMPDIR");

    if (folder[0] == '\0') {
        // Memory is much faster than a disk, and nothing here has to survive.
        if (where == NULL) {
            where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        }
        snprintf(folder, sizeof folder, "%s/xta-fuzz-XXXXXX", where);
        if (mkdtemp(folder) == NULL) {
            perror(folder);
            exit(1);
        }
        atexit(remove_folder);
    }
    return folder;
}

void fuzz_write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

void fuzz_promise(bool holds, const char *what, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, what);
        abort();
    }
}

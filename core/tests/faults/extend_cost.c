/* The program that extend_cost.sh traces: makes large arrays, and extends one.
 *
 *   extend_cost make PATH      an array of 10^6 chunks, made by growth on three axes
 *   extend_cost extend PATH    one extension of it, and nothing else
 *   extend_cost exclusive PATH      the same by an exclusive writer; prints how many bytes of the
 *                              journal have changed
 *   extend_cost cubical PATH   10^6 chunks by cubical growth; prints the bytes of the journal
 *   extend_cost open PATH      open it, and nothing else
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/array.h>

static void must(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fprintf(stderr, "extend_cost: %s\n", err->text);
        exit(1);
    }
}

static xta_array *make(const char *path, const int64_t bounds[], xta_policy policy)
{
    static const int64_t chunk[] = {4, 4, 4};
    xta_array *array = NULL;
    xta_error err;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    options.policy = policy;
    must(xta_array_create(path, XTA_F64, 3, bounds, &options, &array, &err), &err);
    return array;
}

static void grow(xta_array *array, int axis, xta_side side, int64_t by)
{
    xta_error err;
    xta_growth growth = {axis, side, by};
    must(xta_array_extend(array, &growth, 1, NULL, &err), &err);
}

static void end_with_million(xta_array *array)
{
    xta_error err;
    xta_array_info info;
    must(xta_array_inquire(array, &info, &err), &err);
    if (info.n_chunks != 1000000) {
        fprintf(stderr, "extend_cost: %llu chunks\n", (unsigned long long)info.n_chunks);
        exit(1);
    }
    must(xta_array_close(array, &err), &err);
}

static void make_large(const char *path)
{
    xta_array *array = make(path, (int64_t[]){40, 40, 40}, XTA_EXACT);
    for (int round = 0; round < 30; round++) { // 10 to 100 chunks on each axis, on either side.
        for (int axis = 0; axis < 3; axis++) {
            grow(array, axis, round % 2 == 0 ? XTA_BACK : XTA_FRONT, 12);
        }
    }
    end_with_million(array);
}

static void extend_once(const char *path)
{
    xta_array *array = NULL;
    xta_error err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = true;
    must(xta_array_open(path, &options, &array, &err), &err);
    fputs("now\n", stderr); // The traced part begins here ...
    grow(array, 1, XTA_BACK, 4);
    fputs("then\n", stderr); // ... and ends here.
    must(xta_array_close(array, &err), &err);
}

/* The journal as another process reads it. */
static size_t read_journal(const char *path, unsigned char bytes[], size_t capacity)
{
    char name[512];
    snprintf(name, sizeof name, "%s.xmd", path);
    FILE *file = fopen(name, "rb");
    size_t n = file != NULL ? fread(bytes, 1, capacity, file) : 0;
    if (file == NULL || n == capacity) {
        fprintf(stderr, "extend_cost: %s cannot be read\n", name);
        exit(1);
    }
    fclose(file);
    return n;
}

static void extend_alone(const char *path)
{
    static unsigned char before[1 << 20], after[1 << 20];
    xta_array *array = NULL;
    xta_error err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    size_t changed = 0;

    options.writable = options.exclusive_writer = true;
    must(xta_array_open(path, &options, &array, &err), &err);
    size_t n = read_journal(path, before, sizeof before);
    fputs("now\n", stderr);
    grow(array, 1, XTA_BACK, 4);
    fputs("then\n", stderr);
    if (read_journal(path, after, sizeof after) != n) {
        fputs("extend_cost: the journal has another length\n", stderr);
        exit(1);
    }
    for (size_t k = 0; k < n; k++) {
        changed += before[k] != after[k];
    }
    must(xta_array_close(array, &err), &err);
    printf("%zu\n", changed);
}

static void cubical(const char *path)
{
    xta_array *array = make(path, (int64_t[]){4, 4, 4}, XTA_CUBICAL);
    xta_error err;
    xta_array_info info;

    for (int length = 2; length <= 100; length++) {
        grow(array, length % 3, XTA_BACK, 4 * length - (xta_array_bounds(array).hi[length % 3]));
    }
    must(xta_array_inquire(array, &info, &err), &err);
    end_with_million(array);
    printf("%llu\n", (unsigned long long)info.journal_bytes);
}

static void open_once(const char *path)
{
    xta_array *array = NULL;
    xta_error err;

    fputs("now\n", stderr);
    must(xta_array_open(path, NULL, &array, &err), &err);
    fputs("then\n", stderr);
    must(xta_array_close(array, &err), &err);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "make") == 0) {
        make_large(argv[2]);
    } else if (argc == 3 && strcmp(argv[1], "extend") == 0) {
        extend_once(argv[2]);
    } else if (argc == 3 && strcmp(argv[1], "exclusive") == 0) {
        extend_alone(argv[2]);
    } else if (argc == 3 && strcmp(argv[1], "cubical") == 0) {
        cubical(argv[2]);
    } else if (argc == 3 && strcmp(argv[1], "open") == 0) {
        open_once(argv[2]);
    } else {
        fputs("usage: extend_cost make|extend|exclusive|cubical|open PATH\n", stderr);
        return 2;
    }
    return 0;
}

/* States of a follower and bases of arbitrary bytes: xta_follow_open, xta_follow_update,
 * xta_basis_read.
 *
 * The first byte chooses: the rest is a basis (b) or a state (s) as it is; otherwise it is edits to
 * a valid basis (p) or a valid state (any other byte), whose lengths and checksums are then
 * corrected, since without that no input would get past them. The state is put into the folder of a
 * follower that has run before; if it is accepted, the follower continues from it. Whatever it
 * held, the follower starts over when it is told to, and arrives at the same state as the first
 * time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xta/follow.h>
#include <xta/moments.h>

#include "state/state_file.h"
#include "util/crc32c.h"

enum { LINES = 7, SAMPLES = 5, BANDS = 4, HEAD = 32, CHECKED = 28 };

static char folder[512];
static xta_array *array;
// What the follower wrote the first time.
static uint8_t *first_state, *first_basis;
static size_t state_bytes, basis_bytes;

/* A scene of pseudo-random whole numbers. */
static void make_scene(void)
{
    int64_t bounds[3] = {LINES, SAMPLES, BANDS};
    int16_t cells[LINES * SAMPLES * BANDS];
    xta_box box = {3, {0}, {LINES, SAMPLES, BANDS}};
    uint32_t random = 1;
    xta_error err;

    for (size_t k = 0; k < LINES * SAMPLES * BANDS; k++) {
        random = random * 1664525 + 1013904223;
        cells[k] = (int16_t)(random >> 20);
    }
    FUZZ_PROMISE(xta_array_new(XTA_I16, 3, bounds, NULL, &array, &err) == XTA_OK);
    FUZZ_PROMISE(xta_array_write(array, &box, NULL, cells, &err) == XTA_OK);
}

static void empty_folder(void)
{
    DIR *open_folder = opendir(folder);
    char path[1024];

    for (struct dirent *entry = open_folder != NULL ? readdir(open_folder) : NULL; entry != NULL;
         entry = readdir(open_folder)) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (open_folder != NULL) {
        closedir(open_folder);
    }
}

static void remove_all(void)
{
    empty_folder();
    rmdir(folder);
}

static xta_status run(bool again, xta_error *err)
{
    xta_follow_options options = XTA_FOLLOW_OPTIONS_INIT;
    xta_follow_report report = {0};
    xta_follow *follow = NULL;
    xta_scene *scene = NULL;

    options.keep = XTA_FOLLOW_BASIS | XTA_FOLLOW_PPI | XTA_FOLLOW_MEI | XTA_FOLLOW_ENDMEMBERS |
                   XTA_FOLLOW_LABELS;
    options.n_endmembers = 3;
    options.n_skewers = 16;
    options.iterations = 1;
    options.again = again;
    FUZZ_PROMISE(xta_scene_open(array, NULL, &scene, err) == XTA_OK);
    xta_status status = xta_follow_open(scene, folder, &options, &follow, err);
    FUZZ_PROMISE((status == XTA_OK) == (follow != NULL));
    if (status == XTA_OK) {
        status = xta_follow_update(follow, &report, err);
    }
    xta_follow_close(follow);
    xta_scene_close(scene);
    return status;
}

static uint8_t *read_file(const char *name, size_t *n)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 20);

    FUZZ_PROMISE(file != NULL && bytes != NULL);
    *n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void put_number(uint8_t *at, uint64_t value, int n)
{
    for (int k = 0; k < n; k++) {
        at[k] = (uint8_t)(value >> 8 * k);
    }
}

static uint64_t get_number(const uint8_t *at, int n)
{
    uint64_t value = 0;

    for (int k = 0; k < n; k++) {
        value |= (uint64_t)at[k] << 8 * k;
    }
    return value;
}

/* Make the header and the sections valid: lengths and checksums that fit the bytes. */
static void repair(uint8_t *bytes, size_t n)
{
    size_t at = HEAD, n_sections = 0;

    if (n < HEAD) {
        return;
    }
    while (n - at >= HEAD && n_sections < STATE_SECTIONS) {
        uint64_t length = get_number(bytes + at + 16, 8), left = n - at - HEAD;
        if (length > left || n_sections + 1 == STATE_SECTIONS) {
            length = left;
            put_number(bytes + at + 16, length, 8);
        }
        uint32_t crc = xta__crc32c(0, bytes + at, CHECKED);
        put_number(bytes + at + CHECKED, xta__crc32c(crc, bytes + at + HEAD, (size_t)length), 4);
        at += HEAD + (size_t)length;
        n_sections++;
    }
    memcpy(bytes, "XTAHYPER", 8);
    put_number(bytes + 8, STATE_VERSION, 4);
    put_number(bytes + 12, n_sections, 4);
    put_number(bytes + 16, n, 8);
    put_number(bytes + 24, 0, 4);
    put_number(bytes + CHECKED, xta__crc32c(0, bytes, CHECKED), 4);
}

static void prepare(void)
{
    xta_error err;

    if (array != NULL) {
        return;
    }
    snprintf(folder, sizeof folder, "%s/followed", fuzz_folder());
    mkdir(folder, 0777);
    atexit(remove_all); // runs before the scratch folder is removed
    make_scene();
    FUZZ_PROMISE(run(false, &err) == XTA_OK);
    first_state = read_file("follow.state", &state_bytes);
    first_basis = read_file("pct.basis", &basis_bytes);
}

static void check(xta_status status, const xta_error *err)
{
    FUZZ_PROMISE(status == XTA_OK || (err->text[0] != '\0' && strchr(err->text, '\n') == NULL));
}

static void read_basis(const char *path)
{
    xta_basis *basis = NULL;
    xta_error err = {XTA_OK, 0, ""};
    xta_status status = xta_basis_read(path, &basis, &err);

    check(status, &err);
    FUZZ_PROMISE((status == XTA_OK) == (basis != NULL));
    if (status == XTA_OK) {
        FUZZ_PROMISE(xta_basis_write(basis, path, &err) == XTA_OK);
    }
    xta_basis_free(basis);
}

static void read_follower(void)
{
    xta_error err = {XTA_OK, 0, ""};
    uint8_t *bytes;
    size_t n = 0;

    check(run(false, &err), &err);
    FUZZ_PROMISE(run(true, &err) == XTA_OK);
    bytes = read_file("follow.state", &n);
    FUZZ_PROMISE(n == state_bytes && memcmp(bytes, first_state, n) == 0);
    free(bytes);
}

/* Change some bytes of a valid file. Returns its new length. */
static size_t edit(fuzz_source *source, uint8_t *bytes, size_t n)
{
    while (source->left > 0 && n > HEAD) {
        uint8_t kind = fuzz_u8(source);
        size_t at = (size_t)fuzz_u8(source) << 8;
        at = (at | fuzz_u8(source)) % n;
        if (kind < 100) {
            bytes[at] = fuzz_u8(source);
        } else if (kind < 250 && n - at >= 8) {
            put_number(bytes + at, (uint64_t)fuzz_coord(source), 8);
        } else if (kind >= 250) {
            n = at;
        }
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_source source = {data + 1, size - 1};
    char path[1024];

    if (size == 0) {
        return 0;
    }
    prepare();
    bool basis = data[0] == 'b' || data[0] == 'p', as_it_is = data[0] == 'b' || data[0] == 's';
    size_t n = as_it_is ? size - 1 : basis ? basis_bytes : state_bytes;
    uint8_t *bytes = malloc(n + 1);
    FUZZ_PROMISE(bytes != NULL);
    memcpy(bytes, as_it_is ? data + 1 : basis ? first_basis : first_state, n);
    if (!as_it_is) {
        n = edit(&source, bytes, n);
        repair(bytes, n);
    }
    snprintf(path, sizeof path, "%s/%s", folder, basis ? "some.basis" : "follow.state");
    fuzz_write_file(path, bytes, n);
    free(bytes);
    if (basis) {
        read_basis(path);
        unlink(path);
    } else {
        read_follower();
    }
    return 0;
}

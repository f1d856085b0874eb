/* The exclusive writer: what others may do at the same time, and what is left when it is killed or
 * out of disk space. Shows F-95, F-96, F-97, F-98, F-99, F-100 of docs/FORMAT.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/array.h>
#include <xta/attribute.h>

#include "support/folder.h"
#include "support/peer.h"
#include "support/random.h"
#include "support/report.h"
#include "util/os.h"

#define COLUMNS 11

static test_story story;
static test_folder folder;
static char path[TEST_PATH_BYTES];
static xta_error err;
static const int64_t bounds[2] = {2, COLUMNS};
static const int64_t chunk[2] = {2, 4};
static const xta_growth one_row = {0, XTA_BACK, 1};

static xta_array *create(const char *name, bool exclusive)
{
    xta_array *array = NULL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    options.exclusive_writer = exclusive;
    test_folder_join(&folder, name, path);
    STORY_OK(&story, xta_array_create(path, XTA_U32, 2, bounds, &options, &array, &err), err);
    return array;
}

static xta_status open_as(bool writable, bool exclusive, xta_array **array)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = writable;
    options.exclusive_writer = exclusive;
    return xta_array_open(path, &options, array, &err);
}

static xta_array *open_it(bool writable, bool exclusive)
{
    xta_array *array = NULL;

    STORY_OK(&story, open_as(writable, exclusive, &array), err);
    return array;
}

static void close_it(xta_array *array)
{
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static int64_t rows(xta_array *array)
{
    return xta_array_bounds(array).hi[0];
}

/* The call was refused with a helpful text, and the file is unchanged. */
static void refused(xta_status status, const xta_error *why)
{
    STORY_CHECK(&story, status == XTA_EBUSY, "beside an exclusive writer: %s",
                xta_status_name(status));
    STORY_CHECK(&story,
                strstr(why->text, "exclusive writer") != NULL && strstr(why->text, path) != NULL &&
                    strstr(why->text, "closed") != NULL,
                "neither the file nor the reason nor the remedy: %s", why->text);
}

/* ---- another handle of this process ---- */

static void other_handles(void)
{
    xta_array *exclusive = create("handles", true);
    xta_array *reader = open_it(false, false), *writer = open_it(true, false), *second = NULL;
    uint32_t cell = 7;
    bool changed = false;

    test_story_add(&story, "two handles of one process");
    refused(xta_array_extend(writer, &one_row, 1, NULL, &err), &err);
    refused(xta_array_shrink(writer, &one_row, 1, NULL, &err), &err);
    refused(xta_array_add_axis(writer, 0, "new", &err), &err);
    refused(xta_attribute_set_text(writer, XTA_ON_ARRAY, "a", "b", &err), &err);
    refused(xta_compact(path, NULL, NULL, &err), &err);
    refused(open_as(true, true, &second), &err);
    STORY_CHECK(&story, second == NULL, "a failed open leaves a handle");

    STORY_OK(&story, xta_array_extend(exclusive, &one_row, 1, NULL, &err), err);
    STORY_OK(&story, xta_array_refresh(reader, &changed, &err), err);
    STORY_CHECK(&story, changed && rows(reader) == 3, "a reader does not see it at once");
    STORY_OK(&story, xta_array_refresh(reader, &changed, &err), err);
    STORY_CHECK(&story, !changed, "a reader sees changes where there are none");
    STORY_OK(&story, xta_array_refresh(writer, NULL, &err), err);
    STORY_OK(&story, xta_array_put(writer, (int64_t[]){2, 3}, &cell, &err), err);
    STORY_OK(&story, xta_array_sync(writer, &err), err);
    cell = 0;
    STORY_OK(&story, xta_array_get(exclusive, (int64_t[]){2, 3}, &cell, &err), err);
    STORY_CHECK(&story, cell == 7, "a cell written beside the exclusive writer is lost");
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    close_it(open_it(true, false));

    close_it(exclusive);
    STORY_OK(&story, xta_array_extend(writer, &one_row, 1, NULL, &err), err);
    exclusive = open_it(true, true);
    STORY_CHECK(&story, rows(exclusive) == 4, "%lld rows", (long long)rows(exclusive));
    close_it(writer);
    close_it(reader);
    close_it(exclusive);
}

/* A handle relies on the length that the data file once had; an exclusive writer that opened and
 * closed in between must not have shortened it (F-100). */
static void length_that_others_know(void)
{
    xta_array *writer = create("length", false), *exclusive = NULL;
    uint32_t cell = 0;

    test_story_add(&story, "the length of the data file");
    for (int round = 0; round < 40; round++) {
        int64_t before = rows(writer);
        for (int k = 0; k < 10 + round; k++) {
            STORY_OK(&story, xta_array_extend(writer, &one_row, 1, NULL, &err), err);
        }
        exclusive = open_it(true, true);
        close_it(exclusive);
        for (int64_t row = before; row < rows(writer); row++) {
            STORY_OK(&story, xta_array_put(writer, (int64_t[]){row, 2}, &cell, &err), err);
        }
        STORY_OK(&story, xta_array_extend(writer, &one_row, 1, NULL, &err), err);
        cell = (uint32_t)round;
        STORY_OK(&story, xta_array_put(writer, (int64_t[]){rows(writer) - 1, 10}, &cell, &err),
                 err);
        STORY_OK(&story, xta_array_get(writer, (int64_t[]){rows(writer) - 1, 10}, &cell, &err),
                 err);
        STORY_CHECK(&story, cell == (uint32_t)round, "a cell of the last row is lost");
        xta_array_info info;
        STORY_OK(&story, xta_array_inquire(writer, &info, &err), err);
        STORY_CHECK(&story, info.data_apparent_bytes >= info.n_chunks * info.slot_bytes,
                    "the data file is shorter than its chunks");
    }
    close_it(writer);
}

/* The files of an exclusive writer are those of any writer, byte for byte except the UUID and the
 * marks. */
static void same_files(void)
{
    size_t n[2][2];
    uint8_t *bytes[2][2];
    char file[TEST_PATH_BYTES + 8];
    const size_t header = 128;

    test_story_add(&story, "the same files");
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        xta_array *array =
            create(exclusive == 1 ? "same-exclusive" : "same-shared", exclusive == 1);
        for (int k = 0; k < 3000; k++) {
            xta_growth growth = {k % 7 == 3, k % 5 == 4 ? XTA_FRONT : XTA_BACK, 1 + k % 3};
            growth.by = growth.axis == 1 && k > 30 ? 0 : growth.by;
            STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
        }
        xta_array_info info;
        STORY_OK(&story, xta_array_inquire(array, &info, &err), err);
        close_it(array);
        snprintf(file, sizeof file, "%s.xmd", path);
        bytes[exclusive][0] = test_file_read(file, &n[exclusive][0]);
        STORY_CHECK(&story, info.journal_bytes == n[exclusive][0],
                    "%llu bytes of journal were told", (unsigned long long)info.journal_bytes);
        snprintf(file, sizeof file, "%s.xta", path);
        bytes[exclusive][1] = test_file_read(file, &n[exclusive][1]);
    }
    STORY_CHECK(&story, n[0][0] == n[1][0], "journals of %zu and %zu bytes", n[0][0], n[1][0]);
    STORY_CHECK(&story, memcmp(bytes[0][0] + header, bytes[1][0] + header, n[0][0] - header) == 0,
                "the records differ");
    STORY_CHECK(&story, n[1][1] <= n[0][1], "the room in the data file was left behind");
    for (int k = 0; k < 4; k++) {
        free(bytes[k / 2][k % 2]);
    }
}

static void bad_options(void)
{
    xta_array *array = create("options", false);

    test_story_add(&story, "options");
    close_it(array);
    STORY_FAILS(&story, open_as(false, true, &array), XTA_EARG, err);
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    options.exclusive_writer = true; // An array in memory has no other handle.
    STORY_OK(&story, xta_array_new(XTA_U32, 2, bounds, &options, &array, &err), err);
    STORY_OK(&story, xta_array_extend(array, &one_row, 1, NULL, &err), err);
    close_it(array);
}

/* ---- another process ---- */

static peer_answer ask(peer *p, peer_verb verb)
{
    peer_request request = {.verb = verb, .writable = true, .growth = one_row};

    snprintf(request.path, sizeof request.path, "%s", verb == PEER_NOTE ? "text" : path);
    request.box = (xta_box){.ndim = 2, .lo = {0, 0}, .hi = {1, COLUMNS}};
    request.cell[0] = 5;
    return peer_ask(p, &request, NULL);
}

static void must_go_well(peer_answer answer)
{
    STORY_CHECK(&story, answer.status == XTA_OK, "the second process: %s", answer.err.text);
}

static void other_process(peer *p)
{
    uint32_t cell = 0;

    test_story_add(&story, "another process");
    xta_array *array = create("process", true);
    must_go_well(ask(p, PEER_OPEN));
    const peer_verb changes[] = {PEER_EXTEND, PEER_SHRINK, PEER_NOTE};
    for (int k = 0; k < 3; k++) {
        peer_answer answer = ask(p, changes[k]);
        refused(answer.status, &answer.err);
    }
    must_go_well(ask(p, PEER_FILL)); // With a sync.
    STORY_OK(&story, xta_array_get(array, (int64_t[]){0, 3}, &cell, &err), err);
    STORY_CHECK(&story, cell == 5, "its cell is %u", cell);
    for (int k = 0; k < 2000; k++) {
        STORY_OK(&story, xta_array_extend(array, &one_row, 1, NULL, &err), err);
        peer_answer answer = k % 100 == 0 ? ask(p, PEER_REFRESH) : (peer_answer){.status = XTA_OK};
        must_go_well(answer);
        STORY_CHECK(&story, k % 100 != 0 || answer.bounds.hi[0] == rows(array),
                    "it sees %lld rows of %lld", (long long)answer.bounds.hi[0],
                    (long long)rows(array));
    }
    must_go_well(ask(p, PEER_READ));
    must_go_well(ask(p, PEER_CLOSE));
    must_go_well(ask(p, PEER_OPEN));
    close_it(array);
    must_go_well(ask(p, PEER_EXTEND));
    must_go_well(ask(p, PEER_CLOSE));
    array = open_it(false, false);
    STORY_CHECK(&story, rows(array) == 2003, "%lld rows", (long long)rows(array));
    close_it(array);
}

/* ---- killed, with concurrent readers ---- */

static uint32_t value_of(int64_t row, int64_t column)
{
    return (uint32_t)(row * 1009 + column) * 2654435761u | 1u;
}

/* Grows by rows with their cells, and by empty columns, until it is killed. */
static _Noreturn void write_until_killed(int out)
{
    xta_array *array = open_it(true, true);
    uint32_t cells[64 * COLUMNS];

    for (int64_t k = 0;; k++) {
        int64_t row = rows(array);
        int64_t width = xta_array_bounds(array).hi[1];
        if (k % 50 == 49 && width < 60) {
            xta_growth column = {1, XTA_BACK, 1};
            STORY_OK(&story, xta_array_extend(array, &column, 1, NULL, &err), err);
            continue;
        }
        for (int64_t c = 0; c < width; c++) {
            cells[c] = value_of(row, c);
        }
        STORY_OK(&story, xta_array_append(array, &one_row, NULL, cells, NULL, &err), err);
        row++;
        if (k % 16 == 0 && !test_write_all(out, &row, sizeof row)) {
            _exit(0);
        }
    }
}

/* Every visible row has its cells. */
static void check_rows(xta_array *array, int64_t from)
{
    uint32_t cells[COLUMNS];

    for (int64_t row = from > 2 ? from : 2; row < rows(array); row++) {
        xta_box box = {.ndim = 2, .lo = {row, 0}, .hi = {row + 1, COLUMNS}};
        STORY_OK(&story, xta_array_read(array, &box, NULL, cells, &err), err);
        for (int64_t c = 0; c < COLUMNS; c++) {
            STORY_CHECK(&story, cells[c] == value_of(row, c), "row %lld is seen without its cells",
                        (long long)row);
        }
    }
}

static void kill_it(test_random *random, int round)
{
    int tube[2];
    int64_t told = 0, seen = 2;

    test_story_add(&story, "kill %d", round);
    close_it(create(round % 2 == 0 ? "killed-0" : "killed-1", false));
    STORY_CHECK(&story, pipe(tube) == 0, "no pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(tube[0]);
        write_until_killed(tube[1]);
    }
    close(tube[1]);
    xta_array *reader = open_it(false, false);
    int64_t until = test_random_in(random, 0, 3000);
    while (told < until && test_read_all(tube[0], &told, sizeof told)) {
        STORY_OK(&story, xta_array_refresh(reader, NULL, &err), err);
        STORY_CHECK(&story, rows(reader) >= told, "%lld rows were told, %lld are seen",
                    (long long)told, (long long)rows(reader));
        check_rows(reader, seen);
        seen = rows(reader);
    }
    usleep((useconds_t)test_random_in(random, 0, 300));
    kill(child, SIGKILL);
    int end = 0;
    waitpid(child, &end, 0);
    STORY_CHECK(&story, WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL, "it ended by itself");
    close(tube[0]);

    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    xta_array *next = open_it(true, round % 3 == 0); // Nobody has the lock any more.
    STORY_CHECK(&story, rows(next) >= seen, "rows that were seen are gone");
    check_rows(next, 2);
    STORY_OK(&story, xta_array_extend(next, &one_row, 1, NULL, &err), err);
    STORY_OK(&story, xta_array_refresh(reader, NULL, &err), err);
    STORY_CHECK(&story, rows(reader) == rows(next), "the next step is not seen");
    close_it(next);
    close_it(reader);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    STORY_OK(&story, xta_array_delete(path, &err), err);
}

/* ---- several threads ---- */

static void *extend_often(void *user)
{
    xta_array *array = user;

    for (int k = 0; k < 3000; k++) {
        xta_error why;
        xta_growth growth = {0, XTA_BACK, 1};
        if (xta_array_extend(array, &growth, 1, NULL, &why) != XTA_OK) {
            return "a growth failed";
        }
        uint32_t cell = 1;
        if (xta_array_get(array, (int64_t[]){xta_array_bounds(array).hi[0] - 1, 10}, &cell, &why) !=
                XTA_OK ||
            cell != 0) {
            return "a new cell is not fill";
        }
    }
    return NULL;
}

static void threads(void)
{
    pthread_t thread[3];
    void *answer = NULL;
    xta_array *array = create("threads", true);

    test_story_add(&story, "threads");
    for (int k = 0; k < 3; k++) {
        STORY_CHECK(&story, pthread_create(&thread[k], NULL, extend_often, array) == 0, "thread");
    }
    for (int k = 0; k < 3; k++) {
        pthread_join(thread[k], &answer);
        STORY_CHECK(&story, answer == NULL, "%s", (const char *)answer);
    }
    STORY_CHECK(&story, rows(array) == 2 + 9000, "%lld rows", (long long)rows(array));
    close_it(array);
}

/* ---- no disk space ---- */

static xta__os_calls calls;
static bool full, refuse_space, refuse_map;

static ssize_t write_if_space(int fd, const void *bytes, size_t n, off_t at)
{
    errno = ENOSPC;
    return full ? -1 : pwrite(fd, bytes, n, at);
}

static int allocate_if_space(int fd, int mode, off_t at, off_t n)
{
    (void)fd, (void)mode, (void)at, (void)n;
    errno = full ? ENOSPC : EOPNOTSUPP;
    return -1;
}

static void *map_nothing(int fd, off_t at, size_t n, bool writable)
{
    (void)fd, (void)at, (void)n, (void)writable;
    return NULL;
}

/* A record without disk space is refused, and records stored after it later are not lost. */
static void refuse_large_record(xta_array *array)
{
    static char text[200000];

    full = true;
    memset(text, 't', sizeof text - 1);
    STORY_FAILS(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "t", text, &err), XTA_ENOSPC,
                err);
    full = false;
    for (int k = 0; k < 200; k++) {
        STORY_OK(&story, xta_array_extend(array, &one_row, 1, NULL, &err), err);
    }
}

/* Grow until the disk is full, and check that the only effect is an error. */
static void grow_until_full(xta_array *array, int64_t can_have)
{
    xta_growth growth = {0, XTA_BACK, 0};

    full = true;
    for (int64_t k = 0; k < can_have + 10; k++) {
        int64_t before = rows(array);
        growth.by = 1 + k % 2;
        xta_status status = xta_array_extend(array, &growth, 1, NULL, &err);
        STORY_CHECK(&story, status == XTA_OK || status == XTA_ENOSPC, "a full disk: %s: %s",
                    xta_status_name(status), err.text);
        STORY_CHECK(&story, rows(array) == before + (status == XTA_OK ? growth.by : 0),
                    "bounds after %s", xta_status_name(status));
    }
    STORY_FAILS(&story, xta_array_extend(array, &one_row, 1, NULL, &err), XTA_ENOSPC, err);
    full = false;
}

/* Without reserved space or a mapping the exclusive writer writes by calls, as others do. */
static void no_space(void)
{
    for (int way = 0; way < 3; way++) {
        test_story_add(&story, "no room, way %d", way);
        refuse_space = way == 1;
        refuse_map = way == 2;
        calls = *xta__os();
        calls.write_at = write_if_space;
        calls.allocate = refuse_space ? allocate_if_space : calls.allocate;
        calls.map = refuse_map ? map_nothing : calls.map;
        xta__os_replace(&calls);
        xta_array *array = create("room", true);
        STORY_OK(&story, xta_array_extend(array, &one_row, 1, NULL, &err), err);
        refuse_large_record(array);
        grow_until_full(array, way == 0 ? 3000 : 0);
        STORY_OK(&story, xta_array_extend(array, &one_row, 1, NULL, &err), err);
        int64_t had = rows(array);
        close_it(array);
        xta__os_replace(NULL);
        STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
        array = open_it(false, false);
        STORY_CHECK(&story, rows(array) == had, "rows were lost");
        close_it(array);
        STORY_OK(&story, xta_array_delete(path, &err), err);
    }
}

int main(void)
{
    uint64_t seed = test_seed("test_exclusive_writer", 20261122);
    uint64_t n = test_scale(60);
    test_random random = test_random_make(seed, 0);
    peer second;

    peer_start(&second);
    test_story_begin(&story, "test_exclusive_writer", seed, 0);
    test_folder_make(&folder);
    other_handles();
    length_that_others_know();
    same_files();
    bad_options();
    other_process(&second);
    for (uint64_t round = 0; round < n; round++) {
        kill_it(&random, (int)round);
    }
    threads();
    no_space();
    peer_stop(&second);
    test_folder_remove(&folder);
    printf("test_exclusive_writer: killed %llu times, nothing wrong\n", (unsigned long long)n);
    return 0;
}

/* Reads of files that are not in memory give the same cells, whatever system calls are forbidden.
 *
 * Arrays of random shapes are written, synced, and their pages dropped before each read of a random
 * box, mapped and through a chunk cache, by one thread and by two. Then a filter of system calls
 * forbids a separate process what fetching ahead needs: threads, populating, queries of pages,
 * non-blocking reads. Reads of one cell of each chunk fetch no more from the disk than the pieces
 * of 2 MiB, or the chunks, in which the cells lie.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <stdatomic.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "util/os.h"

enum { ROUNDS = 6, READS = 6 };

#define MIB ((uint64_t)1 << 20)

static test_folder folder;
static test_story story;
static char path[TEST_PATH_BYTES], data[TEST_PATH_BYTES + 8];
static xta_error err;

static void drop_pages(void)
{
    int fd = open(data, O_RDONLY);

    STORY_CHECK(&story,
                fd >= 0 && fdatasync(fd) == 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0,
                "pages cannot be dropped");
    close(fd);
}

/* ---- arrays whose cells follow from their coordinates ---- */

typedef struct cube {
    int64_t side[3], chunk[3];
    xta_order order;
} cube;

static uint32_t value_of(const int64_t at[3])
{
    return (uint32_t)((at[0] * 1000003 + at[1]) * 1000003 + at[2]);
}

static uint64_t count_of(const xta_box *box, const int64_t step[3])
{
    uint64_t n = 1;

    for (int axis = 0; axis < 3; axis++) {
        n *= (uint64_t)((box->hi[axis] - box->lo[axis] - 1) / step[axis] + 1);
    }
    return n;
}

/* The cells of a row from `at` along the last axis. The thread sanitizer need not look at each: no
 * other thread has the row. */
#ifdef __clang__
__attribute__((no_sanitize("thread")))
#endif
static void
fill_row(const int64_t at[3], int64_t step, size_t n, uint32_t *row)
{
    const uint32_t first = value_of(at);

    for (size_t k = 0; k < n; k++) {
        row[k] = first + (uint32_t)k * (uint32_t)step;
    }
}

static void fill_cells(const xta_box *box, uint32_t *cells)
{
    const size_t n = (size_t)(box->hi[2] - box->lo[2]);
    int64_t at[3] = {0, 0, box->lo[2]};

    for (at[0] = box->lo[0]; at[0] < box->hi[0]; at[0]++) {
        for (at[1] = box->lo[1]; at[1] < box->hi[1]; at[1]++) {
            fill_row(at, 1, n, cells);
            cells += n;
        }
    }
}

static void check_row(const int64_t first[3], int64_t step, size_t n, const uint32_t *cells)
{
    int64_t at[3] = {first[0], first[1], first[2]};

    for (size_t k = 0; k < n; k++, at[2] += step) {
        STORY_CHECK(&story, cells[k] == value_of(at), "cell %lld,%lld,%lld is %u", (long long)at[0],
                    (long long)at[1], (long long)at[2], (unsigned)cells[k]);
    }
}

static void check_cells(const xta_box *box, const int64_t step[3], const uint32_t *cells)
{
    const size_t n = (size_t)((box->hi[2] - box->lo[2] - 1) / step[2] + 1);
    int64_t at[3] = {0, 0, box->lo[2]};
    uint32_t *row = malloc(n * sizeof row[0]);

    STORY_CHECK(&story, row != NULL, "no memory");
    for (at[0] = box->lo[0]; at[0] < box->hi[0]; at[0] += step[0]) {
        for (at[1] = box->lo[1]; at[1] < box->hi[1]; at[1] += step[1]) {
            fill_row(at, step[2], n, row);
            if (memcmp(row, cells, n * sizeof row[0]) != 0) {
                check_row(at, step[2], n, cells);
            }
            cells += n;
        }
    }
    free(row);
}

static void make_array(const cube *c)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_box all = {.ndim = 3, .hi = {c->side[0], c->side[1], c->side[2]}};
    uint32_t *cells = malloc((size_t)(c->side[0] * c->side[1] * c->side[2]) * sizeof cells[0]);
    xta_array *array = NULL;
    int64_t half[3] = {c->side[0], (c->side[1] + 1) / 2, c->side[2]};
    const xta_growth growth = {1, XTA_BACK, c->side[1] - half[1]};

    STORY_CHECK(&story, cells != NULL, "no memory");
    options.chunk = c->chunk;
    options.order = c->order;
    test_pair_remove(path);
    // Grown on an inner axis, so that read order differs from file order.
    STORY_OK(&story, xta_array_create(path, XTA_U32, 3, half, &options, &array, &err), err);
    STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
    fill_cells(&all, cells);
    STORY_OK(&story, xta_array_write(array, &all, NULL, cells, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    free(cells);
}

/* Memory that is used again may hold the very cells that are to be read. */
static void forget_cells(uint32_t *cells, uint64_t n)
{
    memset(cells, 0xa5, n * sizeof cells[0]);
}

/* One read of a file that is not in memory, by a new handle. */
static void read_cold(const xta_box *box, const int64_t step[3], xta_access access, int threads)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    uint32_t *cells = malloc(count_of(box, step) * sizeof cells[0]);
    xta_array *array = NULL;

    STORY_CHECK(&story, cells != NULL, "no memory");
    options.access = access;
    io.step = step;
    io.threads = threads;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    drop_pages();
    forget_cells(cells, count_of(box, step));
    STORY_OK(&story, xta_array_read(array, box, &io, cells, &err), err);
    check_cells(box, step, cells);
    STORY_OK(&story, xta_array_close(array, &err), err);
    free(cells);
}

static void choose_box(test_random *random, const cube *c, xta_box *box, int64_t step[3])
{
    bool steps = test_random_chance(random, 40), large = test_random_chance(random, 60);

    box->ndim = 3;
    for (int axis = 0; axis < 3; axis++) {
        int64_t side = c->side[axis];
        box->lo[axis] = test_random_in(random, 0, large ? side / 8 : side - 1);
        box->hi[axis] = test_random_in(random, large ? side - side / 8 : box->lo[axis] + 1, side);
        step[axis] = steps ? test_random_in(random, 1, c->chunk[axis] + 3) : 1;
    }
    test_story_add(&story, "box from %lld,%lld,%lld to %lld,%lld,%lld by %lld,%lld,%lld",
                   (long long)box->lo[0], (long long)box->lo[1], (long long)box->lo[2],
                   (long long)box->hi[0], (long long)box->hi[1], (long long)box->hi[2],
                   (long long)step[0], (long long)step[1], (long long)step[2]);
}

static void read_boxes(uint64_t seed, uint64_t round, bool all)
{
    static const xta_order orders[] = {XTA_ROW, XTA_COLUMN, XTA_HILBERT};
    test_random random = test_random_make(seed, round);
    cube c = {.order = orders[test_random_in(&random, 0, 2)]};
    int bits = (int)test_random_in(&random, 4, 6);

    test_story_begin(&story, "test_cold", seed, round);
    for (int axis = 0; axis < 3; axis++) {
        c.chunk[axis] = (int64_t)1 << bits;
        c.side[axis] = test_random_in(&random, 230, 290);
    }
    test_story_add(&story, "%lld x %lld x %lld in chunks of %lld^3, order %d", (long long)c.side[0],
                   (long long)c.side[1], (long long)c.side[2], (long long)c.chunk[0], (int)c.order);
    make_array(&c);
    for (int k = 0; k < (all ? READS : 2); k++) {
        xta_box box;
        int64_t step[3];
        choose_box(&random, &c, &box, step);
        for (int way = 0; way < 4; way++) {
            read_cold(&box, step, way % 2 == 0 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED,
                      way / 2 + 1);
        }
    }
}

/* ---- what is forbidden ---- */

typedef struct ban {
    const char *name;
    int call, argument; /* if set: only if the argument of that number is `value` */
    uint32_t value;
    int number; /* errno */
} ban;

#define ADVICE_POPULATE_READ 22

static const ban bans[] = {
    {"io_uring_setup", SYS_io_uring_setup, -1, 0, EPERM},
    {"populating, as before Linux 5.14", SYS_madvise, 2, ADVICE_POPULATE_READ, EINVAL},
    {"populating", SYS_madvise, 2, ADVICE_POPULATE_READ, EPERM},
    {"mincore", SYS_mincore, -1, 0, EPERM},
    {"preadv2", SYS_preadv2, -1, 0, EOPNOTSUPP},
    {"fadvise64", SYS_fadvise64, 3, POSIX_FADV_RANDOM, EPERM},
    {"clone", SYS_clone, -1, 0, EAGAIN},
};

/* Make the system call fail with an errno from here on. */
static bool forbid(const ban *b)
{
    const uint32_t answer = SECCOMP_RET_ERRNO | (uint32_t)b->number;
    const uint32_t where =
        (uint32_t)(offsetof(struct seccomp_data, args) +
                   (size_t)(b->argument >= 0 ? b->argument : 0) * sizeof(uint64_t)) +
        (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)b->call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, where),
        BPF_JUMP(b->argument >= 0 ? BPF_JMP | BPF_JEQ | BPF_K : BPF_JMP | BPF_JGE | BPF_K, b->value,
                 0, 1),
        BPF_STMT(BPF_RET | BPF_K, answer),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In a separate process, since a filter cannot be removed. */
static void read_forbidden(const ban *b, uint64_t seed)
{
    int state = 0;

    fflush(NULL);
    pid_t child = fork();
    STORY_CHECK(&story, child >= 0, "no process");
    if (child == 0) {
        const ban clone3 = {"clone3", SYS_clone3, -1, 0, ENOSYS};
        bool well = forbid(b) && (b->call != SYS_clone || forbid(&clone3));
        if (!well) {
            _exit(2);
        }
        errno = 0;
        bool holds = b->call != SYS_mincore || (mincore(NULL, 1, NULL) != 0 && errno == b->number);
        if (!holds) {
            _exit(3);
        }
        read_boxes(seed, 100, false);
        _exit(0);
    }
    STORY_CHECK(&story, waitpid(child, &state, 0) == child && WIFEXITED(state),
                "the process was ended");
    STORY_CHECK(&story, WEXITSTATUS(state) == 0, "without %s: ended by %d", b->name,
                WEXITSTATUS(state));
    printf("without %s: the same cells\n", b->name);
}

/* ---- bytes ---- */

static uint64_t bytes_read(void)
{
    char text[1024] = "";
    FILE *file = fopen("/proc/self/io", "r");
    size_t n = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file != NULL) {
        fclose(file);
    }
    text[n] = '\0';
    const char *at = strstr(text, "\nread_bytes: ");
    return at != NULL ? strtoull(at + strlen("\nread_bytes: "), NULL, 10) : 0;
}

/* Of chunks of 1 MiB: 512, and 128. */
static const cube large = {.side = {512, 512, 512}, .chunk = {64, 64, 64}, .order = XTA_ROW};
static const cube slab = {.side = {512, 256, 256}, .chunk = {64, 64, 64}, .order = XTA_ROW};

/* One cell of every other chunk of `large`, on each axis: 64 are read. */
static void read_scattered(void)
{
    const int64_t step[3] = {128, 128, 128};
    const xta_box box = {.ndim = 3, .lo = {5, 6, 7}, .hi = {512, 512, 512}};

    test_story_begin(&story, "test_cold", 0, 1000);
    for (int way = 0; way < 4; way++) {
        bool mapped = way % 2 == 0;
        uint64_t before = bytes_read();
        read_cold(&box, step, mapped ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED, way / 2 + 1);
        uint64_t got = bytes_read() - before, unit = mapped ? 2 * MIB : MIB;
        printf("one cell of each of 64 chunks of 1 MiB, %s, %d thread%s: %.1f MiB from the disk\n",
               mapped ? "mapped" : "cached", way / 2 + 1, way < 2 ? "" : "s",
               (double)got / (double)MIB);
        // In addition the journal, and the system's read-ahead before the file is known to be cold.
        STORY_CHECK(&story, got <= 64 * unit + (mapped ? 1 : 17) * MIB,
                    "%llu bytes came from the disk", (unsigned long long)got);
    }
}

/* A plane of `large` through a chunk cache: half a MiB of cells in 32 chunks, which lie apart. The
 * system must not read ahead in each of them. */
static void read_plane(void)
{
    const int64_t step[3] = {1, 1, 1};
    const xta_box plane = {.ndim = 3, .lo = {0, 300, 0}, .hi = {512, 301, 256}};

    test_story_begin(&story, "test_cold", 0, 1500);
    uint64_t before = bytes_read();
    read_cold(&plane, step, XTA_ACCESS_CACHED, 1);
    uint64_t got = bytes_read() - before;
    printf("a plane in 32 chunks of 1 MiB, cached: %.1f MiB from the disk\n",
           (double)got / (double)MIB);
    STORY_CHECK(&story, got <= 34 * MIB, "%llu bytes came from the disk", (unsigned long long)got);
}

/* ---- when data are fetched ahead ---- */

static const xta__os_calls *system_calls;
static atomic_int n_fetched, n_asked;

static int count_fetch(void *address, size_t bytes)
{
    atomic_fetch_add(&n_fetched, 1);
    return system_calls->fetch(address, bytes);
}

static int count_resident(void *page, bool *is)
{
    atomic_fetch_add(&n_asked, 1);
    return system_calls->resident(page, is);
}

/* `slab`, 128 MiB, by one read. Cold: each 2 MiB is fetched once at most, or twice where a planned
 * range ends inside them (of 32 MiB at least half is planned at once). Warm: nothing is fetched,
 * and the system is queried a few times. Small boxes make no query. */
static void count_fetches(void)
{
    const int64_t step[3] = {1, 1, 1};
    const xta_box all = {.ndim = 3, .hi = {512, 256, 256}};
    const xta_box few = {.ndim = 3, .lo = {30, 30, 30}, .hi = {94, 94, 94}};
    uint32_t *cells = malloc(count_of(&all, step) * sizeof cells[0]);
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    test_story_begin(&story, "test_cold", 0, 2000);
    STORY_CHECK(&story, cells != NULL, "no memory");
    system_calls = xta__os();
    xta__os_calls counting = *system_calls;
    counting.fetch = count_fetch;
    counting.resident = count_resident;
    xta__os_replace(&counting);
    options.access = XTA_ACCESS_MAPPED;
    read_cold(&all, step, XTA_ACCESS_MAPPED, 1);
    printf("128 MiB, cold: %d pieces fetched, %d questions\n", n_fetched, n_asked);
    STORY_CHECK(&story, n_fetched > 8 && n_fetched <= 65 + 16, "%d pieces were fetched", n_fetched);
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    n_fetched = n_asked = 0;
    STORY_OK(&story, xta_array_read(array, &all, NULL, cells, &err), err);
    printf("128 MiB, warm: %d pieces fetched, %d questions\n", n_fetched, n_asked);
    STORY_CHECK(&story, n_fetched == 0 && n_asked >= 1 && n_asked <= 6, "%d, %d", n_fetched,
                n_asked);
    n_asked = 0;
    STORY_OK(&story, xta_array_read(array, &few, NULL, cells, &err), err);
    STORY_CHECK(&story, n_asked == 0, "a box of 1 MiB asked %d times", n_asked);
    STORY_OK(&story, xta_array_close(array, &err), err);
    xta__os_replace(NULL);
    free(cells);
}

static int cannot_tell_page(void *page, bool *is)
{
    (void)page;
    *is = false;
    atomic_fetch_add(&n_asked, 1);
    errno = EPERM;
    return -1;
}

static ssize_t cannot_tell_bytes(int fd, void *bytes, size_t n, off_t offset)
{
    (void)fd;
    (void)bytes;
    (void)n;
    (void)offset;
    atomic_fetch_add(&n_asked, 1);
    errno = EOPNOTSUPP;
    return -1;
}

static atomic_int n_opened;

static int count_open(const char *path_of, int flags, unsigned mode)
{
    atomic_fetch_add(&n_opened, 1);
    return system_calls->open(path_of, flags, mode);
}

/* If the system cannot report which pages of `slab` are in memory, nothing is fetched ahead, either
 * mapped or through a cache; chunks of the cache are then loaded by no other descriptor. */
static void unknown_is_not_cold(void)
{
    const int64_t step[3] = {1, 1, 1};
    const xta_box all = {.ndim = 3, .hi = {512, 256, 256}};
    uint32_t *cells = malloc(count_of(&all, step) * sizeof cells[0]);

    test_story_begin(&story, "test_cold", 0, 3000);
    STORY_CHECK(&story, cells != NULL, "no memory");
    system_calls = xta__os();
    xta__os_calls blind = *system_calls;
    blind.fetch = count_fetch;
    blind.resident = cannot_tell_page;
    blind.read_now = cannot_tell_bytes;
    blind.open = count_open;
    for (int way = 0; way < 2; way++) {
        xta_open_options options = XTA_OPEN_OPTIONS_INIT;
        xta_array *array = NULL;
        options.access = way == 0 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED;
        STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
        xta__os_replace(&blind);
        n_fetched = n_asked = n_opened = 0;
        forget_cells(cells, count_of(&all, step));
        STORY_OK(&story, xta_array_read(array, &all, NULL, cells, &err), err);
        xta__os_replace(NULL);
        check_cells(&all, step, cells);
        STORY_CHECK(&story, n_asked > 0 && n_fetched == 0 && n_opened == 0, "%d, %d, %d", n_asked,
                    n_fetched, n_opened);
        STORY_OK(&story, xta_array_close(array, &err), err);
    }
    free(cells);
}

/* A few large chunks are fetched ahead as well: three of 64 MiB. */
static void few_large_chunks(void)
{
    const cube c = {.side = {768, 256, 256}, .chunk = {256, 256, 256}, .order = XTA_ROW};
    const int64_t step[3] = {1, 1, 1};
    const xta_box all = {.ndim = 3, .hi = {768, 256, 256}};

    test_story_begin(&story, "test_cold", 0, 4000);
    make_array(&c);
    system_calls = xta__os();
    xta__os_calls counting = *system_calls;
    counting.fetch = count_fetch;
    xta__os_replace(&counting);
    n_fetched = 0;
    read_cold(&all, step, XTA_ACCESS_MAPPED, 1);
    xta__os_replace(NULL);
    STORY_CHECK(&story, n_fetched > 8, "%d pieces were fetched", n_fetched);
}

/* ---- blocks freed while another thread reads ---- */

static xta_array *shared_array;

/* One cell of the first chunk, by a separate thread. */
static void *read_one(void *user)
{
    uint32_t *cell = user;

    STORY_OK(&story, xta_array_get(shared_array, (const int64_t[]){1, 1, 1}, cell, &err), err);
    return NULL;
}

/* The first chunk is loaded when it has left the cache and its blocks have not been freed. */
static int load_and_give_back(int fd, int mode, off_t offset, off_t bytes)
{
    static bool done;
    uint32_t cell;
    pthread_t thread;

    if (!done) {
        done = true;
        STORY_CHECK(&story, pthread_create(&thread, NULL, read_one, &cell) == 0, "no thread");
        pthread_join(thread, NULL);
    }
    return system_calls->allocate(fd, mode, offset, bytes);
}

/* A chunk that is loaded during a fill does not keep its old cells in the cache. */
static void filled_while_loaded(void)
{
    const cube c = {.side = {64, 64, 64}, .chunk = {32, 32, 32}, .order = XTA_ROW};
    const xta_box all = {.ndim = 3, .hi = {64, 64, 64}};
    const uint32_t none = 0;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    uint32_t cell = 1;

    test_story_begin(&story, "test_cold", 0, 5000);
    make_array(&c);
    options.writable = true;
    options.access = XTA_ACCESS_CACHED;
    STORY_OK(&story, xta_array_open(path, &options, &shared_array, &err), err);
    system_calls = xta__os();
    xta__os_calls calls = *system_calls;
    calls.allocate = load_and_give_back;
    xta__os_replace(&calls);
    STORY_OK(&story, xta_array_fill(shared_array, &all, &none, &err), err);
    xta__os_replace(NULL);
    STORY_OK(&story, xta_array_get(shared_array, (const int64_t[]){2, 3, 4}, &cell, &err), err);
    STORY_CHECK(&story, cell == 0, "a cell that was filled is %u", (unsigned)cell);
    STORY_OK(&story, xta_array_close(shared_array, &err), err);
}

/* ---- a child created by fork ---- */

/* Descriptors of the data file in this process. */
static int data_descriptors(void)
{
    DIR *folder_of = opendir("/proc/self/fd");
    const struct dirent *entry;
    int n = 0;

    while (folder_of != NULL && (entry = readdir(folder_of)) != NULL) {
        char target[TEST_PATH_BYTES + 16];
        ssize_t length = readlinkat(dirfd(folder_of), entry->d_name, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        n += strcmp(target, data) == 0;
    }
    closedir(folder_of);
    return n;
}

/* The child has no descriptor of the file of `large`, not even the one for reads without
 * read-ahead. */
static void child_has_no_descriptor(void)
{
    const int64_t step[3] = {128, 128, 128};
    const xta_box box = {.ndim = 3, .lo = {5, 6, 7}, .hi = {512, 512, 512}};
    uint32_t cells[64];
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_array *array = NULL;
    int state = 0;

    test_story_begin(&story, "test_cold", 0, 6000);
    options.access = XTA_ACCESS_CACHED;
    io.step = step;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    drop_pages();
    STORY_OK(&story, xta_array_read(array, &box, &io, cells, &err), err);
    STORY_CHECK(&story, data_descriptors() == 2, "%d descriptors", data_descriptors());
    fflush(NULL);
    pid_t child = fork();
    STORY_CHECK(&story, child >= 0, "no process");
    if (child == 0) {
        _exit(data_descriptors());
    }
    STORY_CHECK(&story, waitpid(child, &state, 0) == child && WIFEXITED(state),
                "the process was ended");
    STORY_CHECK(&story, WEXITSTATUS(state) == 0, "the child has %d", WEXITSTATUS(state));
    STORY_OK(&story, xta_array_close(array, &err), err);
}

int main(void)
{
    uint64_t seed = test_seed("test_cold", 1);

    // The pages of freed buffers stay with the process: there are hundreds of up to 100 MiB, and
    // the system would clear each page anew.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    test_folder_make(&folder);
    test_folder_join(&folder, "cold", path);
    snprintf(data, sizeof data, "%s.xta", path);
    for (uint64_t round = 0; round < test_scale(ROUNDS); round++) {
        read_boxes(seed, round, true);
    }
    for (size_t k = 0; k < sizeof bans / sizeof bans[0]; k++) {
        read_forbidden(&bans[k], seed);
    }
    make_array(&large);
    read_scattered();
    read_plane();
    child_has_no_descriptor();
    make_array(&slab);
    count_fetches();
    unknown_is_not_cold();
    few_large_chunks();
    filled_while_loaded();
    test_folder_remove(&folder);
    return 0;
}

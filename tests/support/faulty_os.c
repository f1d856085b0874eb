/* The faulty system.
 *
 * A watched file is kept as its content at the last sync and a list of the changes made since.
 * Names are watched as well: the entries of a folder are durable once the folder was synced.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "support/faulty_os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/os.h"

#define MAX_FILES 64
#define MAX_FDS   1024
#define PAGE      4096

typedef enum change_kind { CHANGE_WRITE, CHANGE_TRUNCATE, CHANGE_PUNCH } change_kind;

typedef struct change {
    change_kind kind;
    off_t offset, n;
    uint8_t *bytes;
} change;

typedef struct watched {
    char name[512];      /* now; "" if removed */
    char sure_name[512]; /* on the disk; "" if it has none there */
    ino_t inode;
    uint8_t *sure; /* content at the last sync, without the hole at the end */
    off_t n_sure;  /* length of the file */
    off_t n_data;  /* of `sure` */
    change *changes;
    size_t n_changes, capacity;
    bool mapped;   /* to be stored into */
    uint8_t *last; /* from then on: content when the power was lost */
    off_t n_last;
} watched;

static xta__os_calls real;
static watched files[MAX_FILES];
static int n_files;
static watched *by_fd[MAX_FDS];
static bool folder_fd[MAX_FDS];
static uint64_t left, calls;
static int fail_number;
static bool cutting, count_reads, happened, dead, may_share_blocks;

static void *must(void *memory)
{
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* ---- when to fail ---- */

/* Stores go on after the power is lost; they never reach the disk. */
static void see_mapped_files(void)
{
    for (int i = 0; i < n_files; i++) {
        watched *file = &files[i];
        struct stat facts;
        int fd = file->mapped ? open(file->name, O_RDONLY | O_CLOEXEC) : -1;
        if (fd < 0 || fstat(fd, &facts) != 0) {
            continue;
        }
        free(file->last);
        file->n_last = facts.st_size;
        file->last = must(malloc((size_t)facts.st_size + 1));
        if (pread(fd, file->last, (size_t)facts.st_size, 0) != (ssize_t)facts.st_size) {
            abort();
        }
        close(fd);
    }
}

/* Count a call. Returns true if the call must not be made. */
static bool struck(bool read)
{
    if (dead) {
        errno = EIO;
        return !read;
    }
    if (read && !count_reads) {
        return false;
    }
    calls++;
    if (left == 0 || --left > 0) {
        return false;
    }
    happened = true;
    dead = cutting;
    if (dead) {
        see_mapped_files();
    }
    errno = cutting ? EIO : fail_number;
    return true;
}

void faulty_os_fail_at(uint64_t n, int number, bool reads)
{
    left = n;
    calls = 0;
    fail_number = number;
    count_reads = reads;
    cutting = happened = dead = false;
}

void faulty_os_cut_at(uint64_t n)
{
    faulty_os_fail_at(n, EIO, false);
    cutting = true;
}

bool faulty_os_happened(void)
{
    return happened;
}

uint64_t faulty_os_calls(void)
{
    return calls;
}

/* ---- what is on the disk ---- */

/* Where the data of a file ends: files that were lengthened consist mostly of a hole. */
static off_t end_of_data(int fd)
{
    off_t end = 0;
    for (off_t at = lseek(fd, 0, SEEK_DATA); at >= 0; at = lseek(fd, end, SEEK_DATA)) {
        end = lseek(fd, at, SEEK_HOLE);
    }
    return end;
}

static void make_sure(watched *file, int fd)
{
    struct stat facts;
    for (size_t i = 0; i < file->n_changes; i++) {
        free(file->changes[i].bytes);
    }
    file->n_changes = 0;
    free(file->sure);
    if (fstat(fd, &facts) != 0) {
        abort();
    }
    file->n_sure = facts.st_size;
    file->n_data = end_of_data(fd);
    file->sure = must(malloc((size_t)file->n_data + 1));
    if (pread(fd, file->sure, (size_t)file->n_data, 0) != (ssize_t)file->n_data) {
        abort();
    }
}

static void note(int fd, change_kind kind, const void *bytes, off_t n, off_t offset)
{
    watched *file = fd >= 0 && fd < MAX_FDS ? by_fd[fd] : NULL;
    if (file == NULL) {
        return;
    }
    if (file->n_changes == file->capacity) {
        file->capacity = 2 * file->capacity + 16;
        file->changes = must(realloc(file->changes, file->capacity * sizeof(change)));
    }
    change *c = &file->changes[file->n_changes++];
    *c = (change){.kind = kind, .offset = offset, .n = n};
    if (bytes != NULL) {
        c->bytes = must(malloc((size_t)n + 1));
        memcpy(c->bytes, bytes, (size_t)n);
    }
}

static watched *find(const char *name, ino_t inode)
{
    for (int i = 0; i < n_files; i++) {
        if (files[i].inode == inode && strcmp(files[i].name, name) == 0) {
            return &files[i];
        }
    }
    return NULL;
}

static watched *watch(const char *name, int fd, bool fresh)
{
    struct stat facts;
    if (fstat(fd, &facts) != 0) {
        abort();
    }
    watched *file = find(name, facts.st_ino);
    if (file != NULL) {
        return file;
    }
    if (n_files == MAX_FILES) {
        abort();
    }
    file = &files[n_files++];
    memset(file, 0, sizeof(*file));
    snprintf(file->name, sizeof(file->name), "%s", name);
    snprintf(file->sure_name, sizeof(file->sure_name), "%s", fresh ? "" : name);
    file->inode = facts.st_ino;
    int reader = open(name, O_RDONLY | O_CLOEXEC);
    make_sure(file, reader);
    close(reader);
    return file;
}

/* ---- the table ---- */

static int faulty_open(const char *path, int flags, unsigned mode)
{
    bool creates = (flags & O_CREAT) != 0;
    if (struck(!creates)) {
        return -1;
    }
    bool fresh = creates && access(path, F_OK) != 0;
    int fd = real.open(path, flags, mode);
    if (fd >= 0 && fd < MAX_FDS) {
        folder_fd[fd] = (flags & O_DIRECTORY) != 0;
        by_fd[fd] = folder_fd[fd] ? NULL : watch(path, fd, fresh);
    }
    return fd;
}

static int faulty_close(int fd)
{
    if (fd >= 0 && fd < MAX_FDS) {
        by_fd[fd] = NULL;
    }
    return real.close(fd);
}

static ssize_t faulty_read_at(int fd, void *bytes, size_t n, off_t offset)
{
    return struck(true) ? -1 : real.read_at(fd, bytes, n, offset);
}

static ssize_t faulty_write_at(int fd, const void *bytes, size_t n, off_t offset)
{
    bool was_dead = dead;
    if (struck(false)) {
        // The write interrupted by the loss of power may have reached the disk in part.
        if (dead && !was_dead) {
            note(fd, CHANGE_WRITE, bytes, (off_t)n, offset);
        }
        return -1;
    }
    ssize_t done = real.write_at(fd, bytes, n, offset);
    if (done > 0) {
        note(fd, CHANGE_WRITE, bytes, (off_t)done, offset);
    }
    return done;
}

static int faulty_sync(int fd)
{
    if (struck(false)) {
        return -1;
    }
    if (fd >= 0 && fd < MAX_FDS && folder_fd[fd]) {
        for (int i = 0; i < n_files; i++) {
            memcpy(files[i].sure_name, files[i].name, sizeof(files[i].sure_name));
        }
    } else if (fd >= 0 && fd < MAX_FDS && by_fd[fd] != NULL) {
        int reader = open(by_fd[fd]->name, O_RDONLY | O_CLOEXEC);
        make_sure(by_fd[fd], reader >= 0 ? reader : fd);
        if (reader >= 0) {
            close(reader);
        }
    }
    return 0; // The real disk need not be synced.
}

static int faulty_truncate(int fd, off_t n_bytes)
{
    if (struck(false)) {
        return -1;
    }
    note(fd, CHANGE_TRUNCATE, NULL, n_bytes, 0);
    return real.truncate(fd, n_bytes);
}

static int faulty_allocate(int fd, int mode, off_t offset, off_t n_bytes)
{
    if (struck(false)) {
        return -1;
    }
    int failed = real.allocate(fd, mode, offset, n_bytes);
    if (failed == 0 && (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0) {
        note(fd, CHANGE_PUNCH, NULL, n_bytes, offset);
    }
    return failed;
}

static ssize_t faulty_read_now(int fd, void *bytes, size_t n, off_t offset)
{
    return struck(true) ? -1 : real.read_now(fd, bytes, n, offset);
}

static int faulty_populate(void *address, size_t n_bytes)
{
    return struck(false) ? -1 : real.populate(address, n_bytes);
}

void faulty_os_share_blocks(bool may)
{
    may_share_blocks = may;
}

static int faulty_shares_blocks(int fd)
{
    return may_share_blocks ? 1 : real.shares_blocks(fd);
}

static ssize_t faulty_store(const struct iovec *to, size_t n_to, const struct iovec *from,
                            size_t n_from)
{
    return struck(false) ? -1 : real.store(to, n_to, from, n_from);
}

static void forget_name(const char *name)
{
    for (int i = 0; i < n_files; i++) {
        if (strcmp(files[i].name, name) == 0) {
            files[i].name[0] = '\0';
        }
    }
}

static int faulty_rename(const char *from, const char *to, bool replace)
{
    if (struck(false)) {
        return -1;
    }
    int failed = real.rename(from, to, replace);
    if (failed == 0) {
        forget_name(to);
        for (int i = 0; i < n_files; i++) {
            if (strcmp(files[i].name, from) == 0) {
                snprintf(files[i].name, sizeof(files[i].name), "%s", to);
            }
        }
    }
    return failed;
}

static void *faulty_map(int fd, off_t offset, size_t bytes, bool writable)
{
    if (writable && fd >= 0 && fd < MAX_FDS && by_fd[fd] != NULL) {
        by_fd[fd]->mapped = true;
    }
    return real.map(fd, offset, bytes, writable);
}

static int faulty_link(const char *from, const char *to)
{
    return struck(false) ? -1 : real.link(from, to);
}

static int faulty_unlink(const char *path)
{
    if (struck(false)) {
        return -1;
    }
    int failed = real.unlink(path);
    if (failed == 0) {
        forget_name(path);
    }
    return failed;
}

/* A loss of power does not undo owners and modes; the call may only fail. */
static int faulty_keep_access(int fd, int like)
{
    return struck(false) ? errno : real.keep_access(fd, like);
}

/* After a loss of power the system has another boot id. */
static uint32_t boots = 1;

static uint32_t faulty_boot(void)
{
    return boots;
}

/* Locks end with their process, and mounts are not simulated: these calls go to the real system. */
static int faulty_lock(int fd, int operation)
{
    return real.lock(fd, operation);
}

static int faulty_lock_range(int fd, int command, struct flock *range)
{
    return real.lock_range(fd, command, range);
}

static uint32_t faulty_file_system(int fd)
{
    return real.file_system(fd);
}

static char *faulty_mounts(void)
{
    return real.mounts();
}

static uint64_t faulty_faults(void)
{
    return real.faults();
}

static int faulty_resident(void *page, bool *is)
{
    return real.resident(page, is);
}

static int faulty_fetch(void *address, size_t bytes)
{
    return real.fetch(address, bytes);
}

static const xta__os_calls faulty = {
    .open = faulty_open,
    .close = faulty_close,
    .read_at = faulty_read_at,
    .write_at = faulty_write_at,
    .sync = faulty_sync,
    .truncate = faulty_truncate,
    .allocate = faulty_allocate,
    .rename = faulty_rename,
    .unlink = faulty_unlink,
    .link = faulty_link,
    .keep_access = faulty_keep_access,
    .map = faulty_map,
    .boot = faulty_boot,
    .populate = faulty_populate,
    .faults = faulty_faults,
    .store = faulty_store,
    .shares_blocks = faulty_shares_blocks,
    .read_now = faulty_read_now,
    .resident = faulty_resident,
    .fetch = faulty_fetch,
    .lock = faulty_lock,
    .lock_range = faulty_lock_range,
    .file_system = faulty_file_system,
    .mounts = faulty_mounts,
};

void faulty_os_start(void)
{
    xta__os_replace(NULL);
    real = *xta__os();
    faulty_os_fail_at(0, 0, false);
    xta__os_replace(&faulty);
}

/* ---- after the cut ---- */

static void apply(int fd, const change *c, test_random *random)
{
    off_t n = c->n;
    if (c->kind == CHANGE_TRUNCATE) {
        if (ftruncate(fd, n) != 0) {
            abort();
        }
        return;
    }
    if (c->kind == CHANGE_PUNCH) {
        if (real.allocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, c->offset, n) != 0) {
            abort();
        }
        return;
    }
    if (test_random_chance(random, 30)) {
        n = test_random_in(random, 0, n);
    }
    if (pwrite(fd, c->bytes, (size_t)n, c->offset) != (ssize_t)n) {
        abort();
    }
}

/* A page of a mapped file: its content by the recorded calls, and its content as found. Records are
 * stored at ascending offsets, so a page written back in between holds its first part only. */
static void apply_page(int fd, const uint8_t *told, const uint8_t *found, off_t at, off_t n,
                       test_random *random)
{
    if (memcmp(told, found, (size_t)n) == 0 || test_random_chance(random, 30)) {
        return;
    }
    if (test_random_chance(random, 40)) {
        n = test_random_in(random, 0, n / 8) * 8;
    }
    if (pwrite(fd, found, (size_t)n, at) != (ssize_t)n) {
        abort();
    }
}

/* Apply all changes to the synced content; the result has n_last bytes. */
static uint8_t *told_content(const watched *file)
{
    uint8_t *told = must(calloc(1, (size_t)file->n_last + 1));
    off_t n = file->n_data < file->n_last ? file->n_data : file->n_last;

    memcpy(told, file->sure, (size_t)n);
    for (size_t i = 0; i < file->n_changes; i++) {
        const change *c = &file->changes[i];
        off_t begin = c->kind == CHANGE_TRUNCATE ? c->n : c->offset;
        off_t end = c->kind == CHANGE_TRUNCATE ? file->n_last : c->offset + c->n;
        begin = begin < file->n_last ? begin : file->n_last;
        end = end < file->n_last ? end : file->n_last;
        if (c->kind == CHANGE_WRITE) {
            memcpy(told + begin, c->bytes, (size_t)(end - begin));
        } else {
            memset(told + begin, 0, (size_t)(end - begin));
        }
    }
    return told;
}

static void apply_stores(const watched *file, int fd, test_random *random)
{
    struct stat facts;
    uint8_t *told = told_content(file);

    if (fstat(fd, &facts) != 0) {
        abort();
    }
    // Nothing is kept beyond the file's length on the disk.
    off_t n = facts.st_size < file->n_last ? facts.st_size : file->n_last;
    for (off_t at = 0; at < n; at += PAGE) {
        apply_page(fd, told + at, file->last + at, at, n - at < PAGE ? n - at : PAGE, random);
    }
    free(told);
}

/* Write the content that the disk has for a file, under `name`. */
static void rebuild(const watched *file, const char *name, test_random *random)
{
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || pwrite(fd, file->sure, (size_t)file->n_data, 0) != (ssize_t)file->n_data ||
        ftruncate(fd, file->n_sure) != 0) {
        abort();
    }
    // All, none, a prefix, or any subset of the changes reached the disk.
    int way = (int)test_random_in(random, 0, 3);
    size_t prefix = (size_t)test_random_in(random, 0, (int64_t)file->n_changes);
    for (size_t i = 0; i < file->n_changes; i++) {
        bool there =
            way == 0 || (way == 1 && i < prefix) || (way == 2 && test_random_chance(random, 60));
        if (there) {
            apply(fd, &file->changes[i], random);
        }
    }
    if (file->last != NULL) {
        apply_stores(file, fd, random);
    }
    close(fd);
}

static void clear_files(void)
{
    for (int i = 0; i < n_files; i++) {
        for (size_t k = 0; k < files[i].n_changes; k++) {
            free(files[i].changes[k].bytes);
        }
        free(files[i].changes);
        free(files[i].sure);
        free(files[i].last);
    }
    n_files = 0;
    memset(by_fd, 0, sizeof(by_fd));
}

void faulty_os_restart(test_random *random)
{
    bool names_of_now = test_random_chance(random, 50);

    boots++;
    for (int i = 0; i < n_files; i++) {
        if (files[i].name[0] != '\0') {
            unlink(files[i].name);
        }
    }
    for (int i = 0; i < n_files; i++) {
        const char *name = names_of_now ? files[i].name : files[i].sure_name;
        if (name[0] != '\0') {
            rebuild(&files[i], name, random);
        }
    }
    clear_files();
    faulty_os_fail_at(0, 0, false);
}

void faulty_os_stop(void)
{
    xta__os_replace(NULL);
    clear_files();
}

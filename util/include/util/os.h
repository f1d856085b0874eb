/* The one place that calls the operating system about files.
 *
 * Every call goes through a table of functions, so that a test can let the n-th one fail or end the
 * world there. All texts of system errors are written here and name the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_OS_H
#define XTA_UTIL_OS_H

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "util/huge_page.h"
#include "util/try.h"

/* What a test may replace. Each function has the contract of its POSIX or Linux namesake. */
typedef struct xta__os_calls {
    int (*open)(const char *path, int flags, unsigned mode);
    int (*close)(int fd);
    ssize_t (*read_at)(int fd, void *bytes, size_t n, off_t offset);
    ssize_t (*write_at)(int fd, const void *bytes, size_t n, off_t offset);
    int (*sync)(int fd);
    int (*truncate)(int fd, off_t bytes);
    int (*allocate)(int fd, int mode, off_t offset, off_t bytes);
    int (*rename)(const char *from, const char *to, bool replace);
    int (*unlink)(const char *path);
    int (*keep_access)(int fd, int like); /* an errno: see util/files.h */
    void *(*map)(int fd, off_t offset, size_t bytes, bool writable); /* shared; NULL: it failed */
    uint32_t (*boot)(
        void); /* a number that differs from boot to boot of the system; 0 if unknown */
    int (*populate)(void *address, size_t bytes); /* make pages ready to be stored into */
    uint64_t (*faults)(void); /* page faults of this thread so far; 0 where they are not counted */
    /* process_vm_readv of this process. */
    ssize_t (*store)(const struct iovec *to, size_t n_to, const struct iovec *from, size_t n_from);
    int (*shares_blocks)(int fd); /* copies may share blocks with the file: 1, or 0 */
    /* As read_at, but only what is in memory; EAGAIN where nothing of it is. */
    ssize_t (*read_now)(int fd, void *bytes, size_t n, off_t offset);
    int (*resident)(void *page, bool *is);     /* mincore of one page */
    int (*fetch)(void *address, size_t bytes); /* have pages read, and wait for them */
    int (*lock)(int fd, int operation);        /* flock */
    int (*lock_range)(int fd, int command, struct flock *range); /* fcntl */
    uint32_t (*file_system)(int fd); /* its type, as fstatfs has it; 0 if unknown */
    char *(*mounts)(void);           /* /proc/self/mountinfo, to be freed; NULL if it fails */
    int (*revalidate)(int fd); /* have a network file system ask its server for the attributes */
} xta__os_calls;

/* The table in use, and for tests: another one (NULL: the system's). */
const xta__os_calls *xta__os(void);
void xta__os_replace(const xta__os_calls *calls);

/* A file: where it is, links followed and from the root, and what messages call it. */
typedef struct xta__path {
    const char *at, *name;
} xta__path;

/* An open file. Closed: fd < 0.
 *
 * Every offset and every length below counts from byte `origin` of the file: 0 for all files but a
 * data file that begins with a header, which is opened with xta__data_file_open and whose chunk of
 * address 0 lies at the origin. */
typedef struct xta__file {
    int fd;
    char *path; /* its name in messages */
    char *at;   /* where it is; NULL: at `path` */
    uint64_t origin;
    uint64_t limit; /* of this process when it was opened: to write beyond would be a signal */
    int lost;       /* errno of a sync that failed; 0: none has */
} xta__file;

#define XTA__FILE_CLOSED \
    {                    \
        .fd = -1         \
    }

typedef enum xta__file_mode {
    XTA__FILE_READ,
    XTA__FILE_WRITE,          /* read and write a file that exists */
    XTA__FILE_CREATE_NEW,     /* XTA_EEXIST if it exists */
    XTA__FILE_CREATE_PRIVATE, /* the same, and nobody else may read it */
    XTA__FILE_READ_NO_LINK,   /* as READ, WRITE; a symbolic link is an error */
    XTA__FILE_WRITE_NO_LINK,
} xta__file_mode;

xta_status xta__file_open(const char *path, xta__file_mode mode, xta__file *file, xta_error *err);
xta_status xta__file_open_at(xta__path path, xta__file_mode mode, xta__file *file, xta_error *err);
void xta__file_close(xta__file *file);

/* Close the descriptor and keep the name. */
void xta__file_disown(xta__file *file);

/* Up to `n` bytes; *got is less only at the end of the file. */
xta_status xta__file_read_at(const xta__file *file, uint64_t offset, void *bytes, size_t n,
                             size_t *got, xta_error *err);

/* How many bytes from `offset` on, up to `n`, could be read without waiting for a disk. Those that
 * could not may be on their way afterwards. *known is false, and the answer 0, where the system
 * cannot tell. */
size_t xta__file_read_now(const xta__file *file, uint64_t offset, void *bytes, size_t n,
                          bool *known);
xta_status xta__file_write_at(const xta__file *file, uint64_t offset, const void *bytes, size_t n,
                              xta_error *err);
xta_status xta__file_write_zeros(const xta__file *file, uint64_t offset, uint64_t bytes,
                                 xta_error *err);

/* After a failure pages that did not reach the disk count as written for the system, and it says so
 * once. So each later call fails as well. */
xta_status xta__file_sync(xta__file *file, xta_error *err);
xta_status xta__file_truncate(const xta__file *file, uint64_t bytes, xta_error *err);

/* Whether this process may make a file so long, header included. If not, trying to would be a
 * signal. */
bool xta__file_length_is_allowed(uint64_t bytes);
xta_status xta__file_sizes(const xta__file *file, uint64_t *apparent, uint64_t *real,
                           xta_error *err);

/* Give a range disk space, so that storing through a mapping cannot find the disk full. *done is
 * false where the file system does not know how. */
xta_status xta__file_reserve(const xta__file *file, uint64_t offset, uint64_t bytes, bool *done,
                             xta_error *err);

/* Make a range a hole that reads as zeros; writes zeros where the file system cannot. */
xta_status xta__file_punch(const xta__file *file, uint64_t offset, uint64_t bytes, xta_error *err);

/* What lies in a range becomes zeros and keeps its disk space; holes stay holes, and the file as
 * long as it is. */
xta_status xta__file_zero(const xta__file *file, uint64_t offset, uint64_t bytes, xta_error *err);

/* Whose the blocks of a range are. */
typedef enum xta__file_space {
    XTA__SPACE_UNKNOWN, /* the file system does not tell */
    XTA__SPACE_HOLES,   /* some of it has none */
    XTA__SPACE_SHARED,  /* some of it is shared with another file or kept in another form, so that a
                           change needs new blocks */
    XTA__SPACE_OWN      /* each byte has a block of its own */
} xta__file_space;

/* *missing: how many bytes of the range have none; all if it is not known. */
xta__file_space xta__file_space_of(const xta__file *file, uint64_t offset, uint64_t bytes,
                                   uint64_t *missing);

/* How much the file system has left, as far as it says; quotas are not in it. */
uint64_t xta__file_free_bytes(const xta__file *file);

/* Where data begins at or after `offset`, and where it ends; *begin = *end = `limit` if nowhere
 * before it. */
xta_status xta__file_next_data(const xta__file *file, uint64_t offset, uint64_t limit,
                               uint64_t *begin, uint64_t *end, xta_error *err);

/* Whether a mapping is safe. Reading: true but where a hole that is looked at takes space (file
 * systems in memory). Storing into ranges that have been reserved: for file systems that write in
 * place and keep their word. */
bool xta__file_mapping_is_safe(const xta__file *file, bool writable);

/* Whether storing through a mapping into what has been written needs no space that the disk may not
 * have: the same file systems, and those in memory. */
bool xta__file_rewrites_in_place(const xta__file *file);

/* Map a range, which may reach beyond the end of the file and begins on a page as far as the
 * origin does. NULL where it cannot be had. From XTA__HUGE_BYTES on a byte of the file and its
 * address are equally far from a multiple of that, so that huge pages fit, if there are addresses
 * enough. */
void *xta__file_map(const xta__file *file, uint64_t offset, uint64_t bytes, bool writable);
void xta__file_unmap(void *address, uint64_t bytes);

/* Have a mapping read by huge pages, and nothing beside them. False where the system cannot. */
bool xta__map_by_huge_pages(void *address, uint64_t bytes);

/* Make the pages of a mapping ready to be stored into, as stores would, but with an answer where
 * those would be ended by a signal. */
bool xta__map_populate(void *address, size_t bytes);

/* Bytes to be stored into a mapping. */
typedef struct xta__store {
    uint8_t *to;
    const uint8_t *from;
    size_t n;
} xta__store;

enum { XTA__MOST_STORES = 256 };

/* Store up to XTA__MOST_STORES pieces by one system call. False where plain stores would be ended
 * by a signal; then any of them may have been stored. *can = false where the system has no such
 * call. Some 30 ns for each piece; a page of the mapping that is touched first is a fault as
 * ever. */
bool xta__map_store(const xta__store stores[], size_t n, bool *can);

/* Whether a copy of the file may share its blocks (FICLONE), so that they have to be written
 * elsewhere from then on. */
bool xta__file_may_share_blocks(const xta__file *file);

/* Page faults of this thread so far; 0 where they are not counted. */
uint64_t xta__thread_faults(void);

/* Memory that takes a fault for each huge page and not for each page, where the system has such; of
 * any content, freed with free(). For lengths that waste little of the last huge page, else it is
 * like malloc. */
void *xta__memory_of_huge_pages(size_t bytes);

/* Zeroed memory of which only what is touched counts, however much is asked for; NULL where the
 * system gives none. Freed with xta__memory_drop. */
void *xta__memory_reserve(uint64_t bytes);
void xta__memory_drop(void *address, uint64_t bytes);

/* Whether the page where `address` lies, in a mapping of `file` that is byte `offset` of it, would
 * have to be read. False where this cannot be told. */
bool xta__map_is_cold(const xta__file *file, uint64_t offset, const void *address);

/* Have pages of a mapping read, as loads would, and wait for them. A hint: whoever loads from them
 * finds out what went wrong. */
void xta__map_fetch(const void *address, size_t bytes);

/* Ask for pages that are not in memory yet to be read ahead. A hint. */
void xta__file_will_need(const void *address, size_t bytes);

/* When its bytes were changed last, in nanoseconds; a clock that may tick slowly. */
xta_status xta__file_changed_at(const xta__file *file, uint64_t *stamp, xta_error *err);

/* An exclusive lock on the file, against other processes and other handles of this one; waits. */
xta_status xta__file_lock(const xta__file *file, xta_error *err);

/* The same without waiting, and perhaps `shared` with others that share it; *got tells. */
xta_status xta__file_try_lock(const xta__file *file, bool shared, bool *got, xta_error *err);
void xta__file_unlock(const xta__file *file);

/* A lock on one byte of the file, which need not exist: shared or exclusive, of the open file and
 * not of the process, and apart from the locks above. Waits. Where the file system knows no such
 * locks nothing is locked. */
xta_status xta__file_lock_byte(const xta__file *file, uint64_t at, bool shared, xta_error *err);

/* The same, shared; *locked says whether there are such locks here. */
xta_status xta__file_share_byte(const xta__file *file, uint64_t at, bool *locked, xta_error *err);
void xta__file_unlock_byte(const xta__file *file, uint64_t at);

/* An exclusive lock on one byte, which the system lets go when the last copy of this descriptor is
 * closed, and so when its process dies; it excludes other handles of this process as well. Does not
 * wait; *got tells. The file is open for writing, and `byte` counts from the beginning of the file,
 * whatever its origin. XTA_EUNSUPPORTED where the file system has no such locks. */
xta_status xta__file_try_lock_byte(const xta__file *file, uint64_t byte, bool *got, xta_error *err);

/* Whether somebody else has that lock. */
xta_status xta__file_byte_is_locked(const xta__file *file, uint64_t byte, bool *locked,
                                    xta_error *err);

/* Whether the lock that `file`, open for writing, has now would be refused to somebody else:
 * locking a second open file of it. XTA_EUNSUPPORTED if it is granted. *proved is false, and all
 * else as if nothing had been asked, where the path has gone to another file meanwhile. */
xta_status xta__file_prove_lock(const xta__file *file, bool *proved, xta_error *err);

/* The same of the lock of one byte, counted as in xta__file_try_lock_byte. */
xta_status xta__file_prove_lock_byte(const xta__file *file, uint64_t byte, xta_error *err);

/* XTA_EUNSUPPORTED where the file system is known to keep locks on the node, or may and does not
 * say. */
xta_status xta__file_locks_reach(const xta__file *file, xta_error *err);

/* The name of this machine, cut to the capacity; "" if it cannot be had. */
void xta__host_name(char *name, size_t capacity);
uint64_t xta__process_number(void);

/* Seconds since 1970. */
int64_t xta__now(void);

/* What tells this machine, and this run of its kernel, from others; "" if it is not known. */
void xta__machine_id(char *id, size_t capacity);
void xta__boot_id(char *id, size_t capacity);

/* The namespaces in which process numbers and times of processes count, by number; 0: not known. */
void xta__process_spaces(uint64_t *pids, uint64_t *clock);

/* Whether there is a process of this number. A zombie is none. *start: when it began, in ticks
 * since the machine was started, 0 if that cannot be known. */
typedef enum xta__process_state { XTA__PROCESS_GONE, XTA__PROCESS_THERE } xta__process_state;
xta__process_state xta__process_state_of(uint64_t pid, uint64_t *start);

/* Milliseconds of a clock that nobody sets. */
uint64_t xta__clock_ms(void);

/* Have a network file system ask its server what `file` is now: how long, and whether its path
 * still names it. Reads that follow see what other nodes have written and synced. *replaced: the
 * path names another file. */
xta_status xta__file_revalidate(const xta__file *file, bool *replaced, xta_error *err);

/* Whether `file` is still what its path names. False if the path names nothing. */
bool xta__file_is_at_path(const xta__file *file);

bool xta__path_exists(const char *path);

/* Whether there is anything of that name, be it a link that leads nowhere. */
bool xta__path_is_taken(const char *path);
bool xta__path_is_link(const char *path);
bool xta__path_is_folder(const char *path);

/* The file that `path` names, with all links followed and from the root; it need not exist. A path
 * whose folder cannot be reached is returned as it is: opening it will fail and say why. Freed by
 * the caller. */
xta_status xta__path_resolve(const char *path, char **real, xta_error *err);

/* Whether mincore is reliable for this file: only for its owner and for those who may write it. */
bool xta__file_shows_residency(const xta__file *file);

/* The same file for reads of which the system is to read nothing but what was asked for: through a
 * descriptor that is opened at the first call and kept in *fd, where it is XTA__EXACT_UNKNOWN
 * before. Where there can be none it is the file itself. What is returned is not to be closed. */
#define XTA__EXACT_UNKNOWN (-2)
xta__file xta__file_exact(const xta__file *file, _Atomic int *fd);
void xta__file_exact_end(_Atomic int *fd);

/* How many names (hard links) an open file has. */
xta_status xta__file_names(const xta__file *file, uint64_t *n, xta_error *err);

/* Give a file that will take the place of `like` its owner, group, mode, access control list and
 * user attributes. XTA_EACCESS where that takes another user: then nothing may be replaced, or its
 * owner would be locked out. */
xta_status xta__file_keep_access(const xta__file *file, const xta__file *like, xta_error *err);
xta_status xta__path_remove(const char *path, xta_error *err);

/* Rename; with `replace` false an existing target gives XTA_EEXIST and stays. */
xta_status xta__path_rename(const char *from, const char *to, bool replace, xta_error *err);

/* Make a rename or a creation in the folder of `path` durable. */
xta_status xta__path_sync_folder(const char *path, xta_error *err);

/* The path of `to`, which exists, from the folder of `from`, which does too: "../b/x". Freed by the
 * caller. XTA_ENOMEM, or what the system says of either. */
xta_status xta__path_relative(const char *from, const char *to, char **out, xta_error *err);

/* Names in a folder, sorted. Freed with xta__folder_entries_free. */
typedef struct xta__folder_entry {
    char *name;
    bool folder;
} xta__folder_entry;
xta_status xta__folder_list(const char *folder, xta__folder_entry **names, size_t *n,
                            xta_error *err);
void xta__folder_entries_free(xta__folder_entry *names, size_t n);

/* 16 random bytes with the marks of a version 4 UUID. */
xta_status xta__random_uuid(uint8_t uuid[16], xta_error *err);

size_t xta__page_bytes(void);

/* Start a thread that runs none of the program's signal handlers: all signals but those of its own
 * faults are blocked. False if no thread can be created. */
bool xta__thread_start(pthread_t *thread, void *(*run)(void *user), void *user);

/* The processors that this process may use, at least 1. */
int xta__processors(void);

/* Let other processes go on for a while. */
void xta__pause_ms(unsigned ms);

/* A number that differs from boot to boot of the system; 0 if it cannot be known. */
uint32_t xta__boot(void);

#endif

/* The only place that makes system calls on files.
 *
 * Every call goes through a table of functions, so that a test can make the n-th one fail or
 * simulate a power loss there. All texts of system errors are written here and name the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_OS_H
#define XTA_UTIL_OS_H

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "util/huge_page.h"
#include "util/try.h"

/* The functions that a test may replace. Each function has the contract of its POSIX or Linux
 * namesake. */
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
    int (*link)(const char *from, const char *to);
    int (*make_folder)(const char *path, unsigned mode);
    int (*remove_folder)(const char *path);
    int (*keep_access)(int fd, int like); /* an errno: see util/files.h */
    void *(*map)(int fd, off_t offset, size_t bytes, bool writable); /* shared; NULL: failed */
    uint32_t (*boot)(
        void); /* a number that differs from boot to boot of the system; 0 if unknown */
    int (*populate)(void *address, size_t bytes); /* prepare pages for stores */
    uint64_t (*faults)(void); /* page faults of this thread so far; 0 if they are not counted */
    /* process_vm_readv of this process. */
    ssize_t (*store)(const struct iovec *to, size_t n_to, const struct iovec *from, size_t n_from);
    int (*shares_blocks)(int fd); /* copies may share blocks with the file: 1, or 0 */
    /* As read_at, but only what is in memory; EAGAIN if nothing is. */
    ssize_t (*read_now)(int fd, void *bytes, size_t n, off_t offset);
    int (*resident)(void *page, bool *is);     /* mincore of one page */
    int (*fetch)(void *address, size_t bytes); /* let the system read pages, and wait for them */
    int (*lock)(int fd, int operation);        /* flock */
    int (*lock_range)(int fd, int command, struct flock *range); /* fcntl */
    uint32_t (*file_system)(int fd); /* its type, as fstatfs reports it; 0 if unknown */
    char *(*mounts)(void);           /* /proc/self/mountinfo, to be freed; NULL if it fails */
    int (*revalidate)(int fd); /* make a network file system ask its server for the attributes */
} xta__os_calls;

/* The table in use: a growth makes four system calls, so it is looked up without a call. */
extern _Atomic(const xta__os_calls *) xta__calls_in_use;

static inline const xta__os_calls *xta__os(void)
{
    return atomic_load_explicit(&xta__calls_in_use, memory_order_acquire);
}

/* For tests: use another table (NULL: the system's). */
void xta__os_replace(const xta__os_calls *calls);

/* A file: its absolute path with links followed, and its name in messages. */
typedef struct xta__path {
    const char *at, *name;
} xta__path;

/* An open file. Closed: fd < 0.
 *
 * All offsets and lengths below count from byte `origin` of the file. It is 0 except for a data
 * file that begins with a header: such a file is opened with xta__data_file_open, and its chunk of
 * address 0 lies at the origin. */
typedef struct xta__file {
    int fd;
    char *path; /* its name in messages */
    char *at;   /* where it is; NULL: at `path` */
    uint64_t origin;
    uint64_t limit; /* of this process when it was opened: writing beyond it would raise a signal */
    int lost;       /* errno of a failed sync; 0: none */
} xta__file;

#define XTA__FILE_CLOSED \
    {                    \
        .fd = -1         \
    }

typedef enum xta__file_mode {
    XTA__FILE_READ,
    XTA__FILE_WRITE,          /* read and write a file that exists */
    XTA__FILE_CREATE_NEW,     /* XTA_EEXIST if it exists */
    XTA__FILE_CREATE_PRIVATE, /* the same, readable by nobody else */
    XTA__FILE_READ_NO_LINK,   /* as READ, WRITE, but a symbolic link is an error */
    XTA__FILE_WRITE_NO_LINK,
} xta__file_mode;

xta_status xta__file_open(const char *path, xta__file_mode mode, xta__file *file, xta_error *err);
xta_status xta__file_open_at(xta__path path, xta__file_mode mode, xta__file *file, xta_error *err);
void xta__file_close(xta__file *file);

/* Close the descriptor and keep the name. */
void xta__file_disown(xta__file *file);

/* Read up to `n` bytes; *got is less only at the end of the file. */
xta_status xta__file_read_at(const xta__file *file, uint64_t offset, void *bytes, size_t n,
                             size_t *got, xta_error *err);

/* How many bytes from `offset` on, up to `n`, could be read without waiting for a disk. Reading the
 * others may have been started. *known is false, and the result 0, if the system cannot report
 * it. */
size_t xta__file_read_now(const xta__file *file, uint64_t offset, void *bytes, size_t n,
                          bool *known);
xta_status xta__file_write_at(const xta__file *file, uint64_t offset, const void *bytes, size_t n,
                              xta_error *err);
xta_status xta__file_write_zeros(const xta__file *file, uint64_t offset, uint64_t bytes,
                                 xta_error *err);

/* After a failure the system treats pages that did not reach the disk as written, and reports it
 * only once. So each later call fails as well. */
xta_status xta__file_sync(xta__file *file, xta_error *err);
xta_status xta__file_truncate(const xta__file *file, uint64_t bytes, xta_error *err);

/* Whether this process may make a file this long, header included. If not, trying to would raise a
 * signal. */
bool xta__file_length_is_allowed(uint64_t bytes);
xta_status xta__file_sizes(const xta__file *file, uint64_t *apparent, uint64_t *real,
                           xta_error *err);

/* Allocate disk space for a range, so that storing through a mapping cannot find the disk full.
 * *done is false if the file system does not support this. */
xta_status xta__file_reserve(const xta__file *file, uint64_t offset, uint64_t bytes, bool *done,
                             xta_error *err);

/* Make a range a hole that reads as zeros; writes zeros if the file system does not support
 * holes. */
xta_status xta__file_punch(const xta__file *file, uint64_t offset, uint64_t bytes, xta_error *err);

/* Zero a range and keep its disk space; holes stay holes, and the length of the file does not
 * change. */
xta_status xta__file_zero(const xta__file *file, uint64_t offset, uint64_t bytes, xta_error *err);

/* Whether the blocks of a range belong to the file alone. */
typedef enum xta__file_space {
    XTA__SPACE_UNKNOWN, /* the file system does not report it */
    XTA__SPACE_HOLES,   /* some of it has no blocks */
    XTA__SPACE_SHARED,  /* some of it is shared with another file or kept in another form, so that a
                           change needs new blocks */
    XTA__SPACE_OWN      /* each byte has a block of its own */
} xta__file_space;

/* *missing: how many bytes of the range have no blocks; all if that is not known. */
xta__file_space xta__file_space_of(const xta__file *file, uint64_t offset, uint64_t bytes,
                                   uint64_t *missing);

/* Free space that the file system reports; quotas are not considered. */
uint64_t xta__file_free_bytes(const xta__file *file);

/* Where data begins at or after `offset`, and where it ends; *begin = *end = `limit` if there is
 * none before `limit`. */
xta_status xta__file_next_data(const xta__file *file, uint64_t offset, uint64_t limit,
                               uint64_t *begin, uint64_t *end, xta_error *err);

/* Whether a mapping is safe. For reading: true unless reading a hole takes space (file systems in
 * memory). For storing into reserved ranges: true for file systems that write in place and honour
 * reservations. */
bool xta__file_mapping_is_safe(const xta__file *file, bool writable);

/* Whether storing through a mapping into written ranges needs no new disk space: the same file
 * systems, and those in memory. */
bool xta__file_rewrites_in_place(const xta__file *file);

/* Map a range, which may extend beyond the end of the file; its start is page-aligned in the file
 * if the origin is. NULL if that fails. If the range has XTA__HUGE_BYTES or more and there are
 * enough addresses, file offsets and addresses are equal modulo XTA__HUGE_BYTES, so that huge pages
 * fit. */
void *xta__file_map(const xta__file *file, uint64_t offset, uint64_t bytes, bool writable);
void xta__file_unmap(void *address, uint64_t bytes);

/* Make the system read a mapping in huge pages, and nothing else. False if it cannot. */
bool xta__map_by_huge_pages(void *address, uint64_t bytes);

/* Prepare the pages of a mapping for stores, as stores would, but return an error where a store
 * would raise a signal. */
bool xta__map_populate(void *address, size_t bytes);

/* Bytes to store into a mapping. */
typedef struct xta__store {
    uint8_t *to;
    const uint8_t *from;
    size_t n;
} xta__store;

enum { XTA__MOST_STORES = 256 };

/* Store up to XTA__MOST_STORES pieces by one system call. False if plain stores would raise a
 * signal; then any of the pieces may have been stored. *can = false if the system has no such call.
 * About 30 ns for each piece; the first access to a page of the mapping causes a fault as usual. */
bool xta__map_store(const xta__store stores[], size_t n, bool *can);

/* Whether a copy of the file may share its blocks (FICLONE), so that they have to be written
 * elsewhere from then on. */
bool xta__file_may_share_blocks(const xta__file *file);

/* Page faults of this thread so far; 0 if they are not counted. */
uint64_t xta__thread_faults(void);

/* Memory that takes a fault for each huge page instead of each page, if the system has huge pages;
 * with any content, freed with free(). Only for lengths that waste little of the last huge page;
 * other pieces of 64 KiB and more begin at a cache line, and shorter ones are malloc's. */
void *xta__memory_of_huge_pages(size_t bytes);

/* Zeroed memory, of which only touched pages are allocated, however much is requested; NULL if the
 * system refuses. Freed with xta__memory_drop. */
void *xta__memory_reserve(uint64_t bytes);
void xta__memory_drop(void *address, uint64_t bytes);

/* Set a part of such memory to zero. Whole pages of it are given back to the system until they are
 * touched again; pages that were never touched stay unallocated. */
void xta__memory_zero(void *address, uint64_t bytes);

/* Whether the page where `address` lies, in a mapping of `file` that is byte `offset` of it, would
 * have to be read. False if this is not known. */
bool xta__map_is_cold(const xta__file *file, uint64_t offset, const void *address);

/* Let the system read pages of a mapping, as loads would, and wait for them. A hint: failures show
 * when the pages are accessed. */
void xta__map_fetch(const void *address, size_t bytes);

/* Ask for pages that are not in memory yet to be read ahead. A hint. */
void xta__file_will_need(const void *address, size_t bytes);

/* When its bytes were last changed, in nanoseconds; the clock may be coarse. */
xta_status xta__file_changed_at(const xta__file *file, uint64_t *stamp, xta_error *err);

/* An exclusive lock on the file, against other processes and other handles of this one; waits. */
xta_status xta__file_lock(const xta__file *file, xta_error *err);

/* The same without waiting, optionally `shared`; *got: whether the lock was acquired. */
xta_status xta__file_try_lock(const xta__file *file, bool shared, bool *got, xta_error *err);
void xta__file_unlock(const xta__file *file);

/* A lock on one byte of the file, which need not exist: shared or exclusive, owned by the open file
 * and not by the process, and independent of the locks above. Waits. If the file system has no such
 * locks nothing is locked. */
xta_status xta__file_lock_byte(const xta__file *file, uint64_t at, bool shared, xta_error *err);

/* The same, shared; *locked: whether the file system has such locks. */
xta_status xta__file_share_byte(const xta__file *file, uint64_t at, bool *locked, xta_error *err);
void xta__file_unlock_byte(const xta__file *file, uint64_t at);

/* An exclusive lock on one byte, which the system releases when the last copy of this descriptor is
 * closed, and so when its process dies; it also excludes other handles of this process. Does not
 * wait; *got: whether it was acquired. The file is open for writing, and `byte` counts from the
 * beginning of the file, whatever its origin. XTA_EUNSUPPORTED if the file system has no such
 * locks. */
xta_status xta__file_try_lock_byte(const xta__file *file, uint64_t byte, bool *got, xta_error *err);

/* Whether somebody else has that lock. */
xta_status xta__file_byte_is_locked(const xta__file *file, uint64_t byte, bool *locked,
                                    xta_error *err);

/* Check that the lock that `file`, open for writing, holds would be refused to others, by trying to
 * lock a second open file of it. XTA_EUNSUPPORTED if that is granted. If the path names another
 * file meanwhile, *proved is false and nothing is concluded. */
xta_status xta__file_prove_lock(const xta__file *file, bool *proved, xta_error *err);

/* The same for the lock of one byte, counted as in xta__file_try_lock_byte. */
xta_status xta__file_prove_lock_byte(const xta__file *file, uint64_t byte, xta_error *err);

/* XTA_EUNSUPPORTED if the locks of the file system are known to be local to the node, or may be and
 * the system does not report it. */
xta_status xta__file_locks_reach(const xta__file *file, xta_error *err);

/* The name of this machine, truncated to the capacity; "" if it is not known. */
void xta__host_name(char *name, size_t capacity);
uint64_t xta__process_number(void);

/* Seconds since 1970. */
int64_t xta__now(void);

/* Identifiers of this machine and of this boot of its kernel; "" if not known. */
void xta__machine_id(char *id, size_t capacity);
void xta__boot_id(char *id, size_t capacity);

/* The numbers of the namespaces in which pids and process times are valid; 0: not known. */
void xta__process_spaces(uint64_t *pids, uint64_t *clock);

/* Whether there is a process with this pid. A zombie does not count. *start: its start time, in
 * ticks since boot; 0 if not known. */
typedef enum xta__process_state { XTA__PROCESS_GONE, XTA__PROCESS_THERE } xta__process_state;
xta__process_state xta__process_state_of(uint64_t pid, uint64_t *start);

/* Milliseconds of a monotonic clock. */
uint64_t xta__clock_ms(void);

/* Make a network file system ask its server for the current length of `file` and whether its path
 * still names it. Later reads see what other nodes have written and synced. *replaced: the path
 * names another file. */
xta_status xta__file_revalidate(const xta__file *file, bool *replaced, xta_error *err);

/* Whether `file` is still what its path names. False if the path names nothing. */
bool xta__file_is_at_path(const xta__file *file);

bool xta__path_exists(const char *path);

/* Whether anything has that name, even a dangling link. */
bool xta__path_is_taken(const char *path);
/* Whether nothing has that name; false if that cannot be known. */
bool xta__path_is_missing(const char *path);
bool xta__path_is_link(const char *path);
bool xta__path_is_folder(const char *path);

/* The absolute path of the file that `path` names, with all links followed; the file need not
 * exist. A path whose folder is not accessible is returned unchanged: opening it will fail with the
 * reason. Freed by the caller. */
xta_status xta__path_resolve(const char *path, char **real, xta_error *err);

/* Whether mincore is reliable for this file: only for its owner and for those who may write it. */
bool xta__file_shows_residency(const xta__file *file);

/* The same file for exact reads, for which the system reads nothing but the requested bytes:
 * through a descriptor that is opened by the first call and kept in *fd, initially
 * XTA__EXACT_UNKNOWN. If it cannot be opened, the file itself. The result must not be closed. */
#define XTA__EXACT_UNKNOWN (-2)
xta__file xta__file_exact(const xta__file *file, _Atomic int *fd);
void xta__file_exact_end(_Atomic int *fd);

/* How many names (hard links) an open file has. */
xta_status xta__file_names(const xta__file *file, uint64_t *n, xta_error *err);

/* Give a file that will replace `like` its owner, group, mode, access control list and user
 * attributes. XTA_EACCESS if only another user may do that: then nothing may be replaced, or its
 * owner would be locked out. */
xta_status xta__file_keep_access(const xta__file *file, const xta__file *like, xta_error *err);
xta_status xta__path_remove(const char *path, xta_error *err);

/* Make a folder, unless it is there; *made: it was not. XTA_EEXIST if something else has its
 * name. */
xta_status xta__path_make_folder(const char *path, bool *made, xta_error *err);

/* Remove an empty folder. */
xta_status xta__path_remove_folder(const char *path, xta_error *err);

/* Give a file a second name (hard link). XTA_EEXIST if something has it; XTA_EUNSUPPORTED if the
 * file system has no hard links. */
xta_status xta__path_link(const char *from, const char *to, xta_error *err);

/* Whether both paths name one file; false if either names nothing. Links are not followed. */
bool xta__path_same_file(const char *a, const char *b);

/* Rename; with `replace` false an existing target gives XTA_EEXIST and stays. */
xta_status xta__path_rename(const char *from, const char *to, bool replace, xta_error *err);

/* Make a rename or a creation in the folder of `path` durable. */
xta_status xta__path_sync_folder(const char *path, xta_error *err);

/* The path of `to` relative to the folder of `from`, for example "../b/x"; both exist. Freed by the
 * caller. XTA_ENOMEM, or a system error for either. */
xta_status xta__path_relative(const char *from, const char *to, char **out, xta_error *err);

/* Names in a folder, sorted. Freed with xta__folder_entries_free. */
typedef struct xta__folder_entry {
    char *name;
    bool folder;
} xta__folder_entry;
xta_status xta__folder_list(const char *folder, xta__folder_entry **names, size_t *n,
                            xta_error *err);
void xta__folder_entries_free(xta__folder_entry *names, size_t n);

/* 16 random bytes with the version bits of a version 4 UUID. */
xta_status xta__random_uuid(uint8_t uuid[16], xta_error *err);

size_t xta__page_bytes(void);

/* Start a thread that runs none of the program's signal handlers: all signals except those of its
 * own faults are blocked. False if no thread can be created. */
bool xta__thread_start(pthread_t *thread, void *(*run)(void *user), void *user);

/* The same for a thread that computes while its creator does: it begins on another processor than
 * the creator's, if it may use one; afterwards the scheduler may place it anywhere. Otherwise a new
 * thread may wait for milliseconds on the processor of its creator while another one is idle, until
 * the scheduler knows how busy both are. */
bool xta__thread_start_elsewhere(pthread_t *thread, void *(*run)(void *user), void *user);

/* The processors that this process may use, at least 1. */
int xta__processors(void);

/* Let other processes run for a while. */
void xta__pause_ms(unsigned ms);

/* A number that differs from boot to boot of the system; 0 if unknown. */
uint32_t xta__boot(void);

#endif

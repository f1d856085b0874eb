/* The inodes of the mount.
 *
 * A node is in one chain of a table by the hash of its path and kind. It holds its snapshot while
 * somebody has it open, or while it is among the last ones looked up (spare). So listing a large
 * folder does not use up descriptors, and the open that follows a lookup finds the same step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "mount/nodes.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mount/report.h"
#include "util/bus_guard.h"
#include "util/hash.h"

enum { N_CHAINS = 4096, CACHE_SECONDS = 60 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mount_node *chains[N_CHAINS];
static mount_node *newest, *oldest;
static int n_spare;
static mount_node *root;
static uint64_t last_number = 1;

/* ---- the table, under the lock ---- */

static size_t chain_of(const mount_source *source)
{
    uint64_t hash = xta__hash_bytes(XTA__HASH_OF_NOTHING, source->path, strlen(source->path));

    hash = xta__hash_bytes(hash, &source->kind, sizeof source->kind);
    hash = xta__hash_bytes(hash, &source->flat, sizeof source->flat);
    return (size_t)(hash % N_CHAINS);
}

static mount_node *find_node(const mount_source *source, uint64_t version)
{
    mount_node *node = chains[chain_of(source)];

    while (node != NULL &&
           (node->version != version || node->source.kind != source->kind ||
            node->source.flat != source->flat || strcmp(node->source.path, source->path) != 0)) {
        node = node->next;
    }
    return node;
}

static void remove_node(mount_node *node)
{
    mount_node **at = &chains[chain_of(&node->source)];

    while (*at != node) {
        at = &(*at)->next;
    }
    *at = node->next;
}

/* ---- spare snapshots, under the lock ---- */

static void spare_remove(mount_node *node)
{
    if (!node->spare) {
        return;
    }
    *(node->newer != NULL ? &node->newer->older : &newest) = node->older;
    *(node->older != NULL ? &node->older->newer : &oldest) = node->newer;
    node->spare = false;
    n_spare--;
}

/* Keep the snapshot for a while. Returns one that is not kept any longer, for the caller to close
 * without the lock; NULL: none. */
static xta_flat *spare_add(mount_node *node)
{
    xta_flat *dropped = NULL;

    spare_remove(node);
    node->older = newest;
    node->newer = NULL;
    *(newest != NULL ? &newest->newer : &oldest) = node;
    newest = node;
    node->spare = true;
    if (++n_spare > MOUNT_SPARE_SNAPSHOTS) {
        mount_node *last = oldest;
        spare_remove(last);
        dropped = last->flat;
        last->flat = NULL;
    }
    return dropped;
}

/* ---- snapshots ---- */

static int errno_of(xta_status status)
{
    switch (status) {
    case XTA_ENOENT:
        return ENOENT;
    case XTA_EACCESS:
        return EACCES;
    case XTA_ENOMEM:
        return ENOMEM;
    case XTA_EBUSY:
        return EBUSY;
    default:
        return EIO;
    }
}

/* Open the array or the set as it is now. Returns 0, or an errno; `report`: with a line in
 * the report. */
static int open_snapshot(const mount_source *source, bool report, xta_flat **out, uint64_t *version)
{
    xta_error err = {0};
    xta_status status;
    atomic_bool missing = false;

    // Mapped, so that no cells are older than the time of opening. What this can raise is caught.
    xta__bus_guard_enter(&missing);
    status = source->kind == MOUNT_SET
                 ? xta_flat_open_set(source->path, XTA_ACCESS_MAPPED, out, &err)
                 : xta_flat_open(source->path, source->flat, XTA_ACCESS_MAPPED, out, &err);
    if (xta__bus_guard_leave() && status == XTA_OK) {
        xta_flat_close(*out);
        *out = NULL;
        status =
            xta_error_set(&err, XTA_ECORRUPT, 0, "%s: a file of it was truncated", source->path);
    }
    if (status != XTA_OK) {
        *version = 0;
        if (report) {
            mount_report(err.text);
        }
        return errno_of(status);
    }
    *version =
        xta__hash_bytes(xta_flat_version(*out), &source->files.st_ino, sizeof source->files.st_ino);
    return 0;
}

/* ---- lookups ---- */

/* A new node, which takes the source. NULL: out of memory. */
static mount_node *new_node(mount_source *source, uint64_t version)
{
    mount_node *node = calloc(1, sizeof *node);

    if (node != NULL) {
        size_t chain = chain_of(source);
        node->source = *source;
        node->version = version;
        node->number = ++last_number;
        node->next = chains[chain];
        chains[chain] = node;
        source->path = NULL;
    }
    return node;
}

/* Attach a snapshot to the node of its version, which is made if there is none. Whatever is not
 * needed any more is left in `*flat` and `source` for the caller. */
static int attach(mount_source *source, uint64_t version, xta_flat **flat, mount_node **out)
{
    mount_node *node = find_node(source, version);
    xta_flat *mine = *flat;

    if (node == NULL) {
        node = new_node(source, version);
    } else {
        node->source.files = source->files;
    }
    if (node == NULL) {
        return ENOMEM;
    }
    if (node->flat == NULL && mine != NULL) {
        node->flat = mine;
        node->n_bytes = xta_flat_bytes(mine);
        *flat = NULL;
    }
    if (node->flat != NULL && node->n_open == 0) {
        xta_flat *dropped = spare_add(node);
        if (dropped != NULL) {
            xta_flat_close(*flat); // both at once are rare: the node had one already
            *flat = dropped;
        }
    }
    node->n_lookups++;
    *out = node;
    return 0;
}

/* ---- files that were opened just now, under the lock ---- */

typedef struct recent_open {
    pid_t thread;
    uint64_t number, version; /* of the node, which may be gone */
    ino_t journal;
    struct timespec at;
} recent_open;

static recent_open recent[16];
static size_t n_recent;

static void remember_open(const mount_node *node, pid_t thread)
{
    recent_open *r = &recent[n_recent++ % (sizeof recent / sizeof recent[0])];

    *r = (recent_open){thread, node->number, node->version, node->source.files.st_ino, {0}};
    clock_gettime(CLOCK_MONOTONIC, &r->at);
}

static bool is_recent(const recent_open *r)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ms = (int64_t)(now.tv_sec - r->at.tv_sec) * 1000 +
                 (int64_t)(now.tv_nsec - r->at.tv_nsec) / 1000000;
    return r->number != 0 && ms < MOUNT_SAME_MS;
}

/* The node that this thread has just opened under the same name; NULL: none. */
static mount_node *find_recent(const mount_source *source, pid_t thread)
{
    for (size_t k = 0; k < sizeof recent / sizeof recent[0]; k++) {
        const recent_open *r = &recent[k];
        if (r->thread == thread && r->journal == source->files.st_ino && is_recent(r)) {
            mount_node *node = find_node(source, r->version);
            if (node != NULL && node->number == r->number && node->flat != NULL) {
                return node;
            }
        }
    }
    return NULL;
}

static bool lookup_recent(const mount_source *source, pid_t thread, mount_node **out)
{
    pthread_mutex_lock(&lock);
    *out = source->kind != MOUNT_FOLDER ? find_recent(source, thread) : NULL;
    if (*out != NULL) {
        (*out)->n_lookups++;
    }
    pthread_mutex_unlock(&lock);
    return *out != NULL;
}

int mount_node_lookup(const mount_node *folder, const char *name, pid_t thread, mount_node **out)
{
    mount_source source = {0};
    xta_flat *flat = NULL;
    uint64_t version = 0;
    int code = mount_source_find(folder->source.path, name, &source);

    if (code != 0 || lookup_recent(&source, thread, out)) {
        mount_source_clear(&source);
        return code;
    }
    if (source.kind == MOUNT_FOLDER) {
        version = (uint64_t)source.files.st_ino;
    } else if (open_snapshot(&source, false, &flat, &version) == ENOENT) {
        mount_source_clear(&source);
        return ENOENT; // it has gone meanwhile
    }
    pthread_mutex_lock(&lock);
    code = attach(&source, version, &flat, out);
    pthread_mutex_unlock(&lock);
    xta_flat_close(flat);
    mount_source_clear(&source);
    return code;
}

/* Under the lock: take a node out of the table that nobody knows any more. */
static bool remove_unknown(mount_node *node)
{
    if (node->n_lookups > 0 || node->n_open > 0 || node == root) {
        return false;
    }
    spare_remove(node);
    remove_node(node);
    return true;
}

static void free_node(mount_node *node)
{
    xta_flat_close(node->flat);
    mount_source_clear(&node->source);
    free(node);
}

void mount_node_forget(mount_node *node, uint64_t n)
{
    pthread_mutex_lock(&lock);
    node->n_lookups -= n < node->n_lookups ? n : node->n_lookups;
    bool unknown = remove_unknown(node);
    pthread_mutex_unlock(&lock);
    if (unknown) {
        free_node(node);
    }
}

/* ---- open files ---- */

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Whether cells that the kernel has cached are still those of the file. A write through a mapping
 * changes the time of the file only when its page was clean, and dirty pages become clean within 35
 * seconds. So all writes change the time once a minute has passed between it and the caching. */
static bool cache_is_right(mount_node *node, bool append_only)
{
    struct timespec now;
    const struct timespec *changed = &node->source.files.st_mtim;

    clock_gettime(CLOCK_REALTIME, &now);
    if (node->cached_from.tv_sec != 0 &&
        (append_only || (same_time(&node->cached_mtim, changed) &&
                         node->cached_from.tv_sec > changed->tv_sec + CACHE_SECONDS))) {
        return true;
    }
    node->cached_from = now;
    node->cached_mtim = *changed;
    return false;
}

/* Open the snapshot again that was closed. Called without the lock. */
static int reopen(mount_node *node, const mount_source *source)
{
    xta_flat *flat = NULL;
    uint64_t version = 0;
    int code = open_snapshot(source, true, &flat, &version);

    pthread_mutex_lock(&lock);
    if (code == 0 && version != node->version) {
        code = ESTALE;
    } else if (code == 0 && node->flat == NULL) {
        node->flat = flat;
        flat = NULL;
    }
    pthread_mutex_unlock(&lock);
    xta_flat_close(flat);
    return code;
}

int mount_node_open(mount_node *node, pid_t thread, bool append_only, bool *keep_cache)
{
    mount_source now = node->source; // its path does not change
    int code = mount_source_stat(&now);

    pthread_mutex_lock(&lock);
    node->n_open++; // so that the snapshot stays
    spare_remove(node);
    bool closed = node->flat == NULL;
    pthread_mutex_unlock(&lock);
    if (code == 0 && closed) {
        code = reopen(node, &now);
    }
    if (code != 0 && closed) {
        mount_node_release(node);
        return code;
    }
    pthread_mutex_lock(&lock);
    if (code == 0) {
        node->source.files.st_mtim = now.files.st_mtim;
    }
    *keep_cache = cache_is_right(node, append_only);
    remember_open(node, thread);
    pthread_mutex_unlock(&lock);
    return 0;
}

void mount_node_release(mount_node *node)
{
    xta_flat *dropped = NULL;

    pthread_mutex_lock(&lock);
    node->n_open--;
    bool unknown = remove_unknown(node);
    if (!unknown && node->n_open == 0 && node->flat != NULL) {
        dropped = spare_add(node);
    }
    pthread_mutex_unlock(&lock);
    if (unknown) {
        free_node(node);
    }
    xta_flat_close(dropped);
}

void mount_node_stat(mount_node *node, struct stat *out)
{
    *out = (struct stat){0};
    pthread_mutex_lock(&lock);
    const struct stat *files = &node->source.files;
    bool folder = node->source.kind == MOUNT_FOLDER;
    out->st_ino = node->number;
    out->st_mode = folder ? S_IFDIR | (files->st_mode & 0555) : S_IFREG | (files->st_mode & 0444);
    out->st_nlink = folder ? 2 : 1;
    out->st_uid = files->st_uid;
    out->st_gid = files->st_gid;
    out->st_size = folder ? 0 : (off_t)node->n_bytes;
    out->st_blksize = 1 << 20;
    out->st_blocks = (blkcnt_t)((node->n_bytes + 511) / 512);
    out->st_mtim = files->st_mtim;
    out->st_ctim = files->st_mtim;
    out->st_atim = files->st_mtim;
    pthread_mutex_unlock(&lock);
}

/* ---- all ---- */

int mount_nodes_begin(const char *path)
{
    mount_source source = {.kind = MOUNT_FOLDER, .path = strdup(path)};
    int code = source.path != NULL ? mount_source_stat(&source) : ENOMEM;

    root = code == 0 ? new_node(&source, (uint64_t)source.files.st_ino) : NULL;
    if (code == 0 && root == NULL) {
        code = ENOMEM;
    }
    mount_source_clear(&source);
    return code;
}

mount_node *mount_nodes_root(void)
{
    return root;
}

void mount_nodes_end(void)
{
    for (size_t k = 0; k < N_CHAINS; k++) {
        while (chains[k] != NULL) {
            mount_node *node = chains[k];
            chains[k] = node->next;
            free_node(node);
        }
    }
    newest = oldest = root = NULL;
    n_spare = 0;
}

/* A room of hyper/: the state file of a follower, and files that are replaced as a whole.
 *
 * All numbers are little-endian.
 *
 *     header   8 bytes "XTAHYPER", u32 version, u32 number of sections, u64 bytes of the whole
 *              file, u32 zero, u32 CRC-32C of the 28 bytes before
 *     section  16 bytes name (filled up with zeros), u64 bytes of the contents, u32 zero,
 *              u32 CRC-32C of the 28 bytes before and of the contents, the contents
 *
 * Every byte stands under a checksum and the last section ends with the file, so a file that was
 * cut or damaged anywhere is not taken for a good one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATE_STATE_FILE_H
#define XTA_HYPER_STATE_STATE_FILE_H

#include "hyper.h"

enum { STATE_VERSION = 1, STATE_NAME_BYTES = 16, STATE_SECTIONS = 16 };

typedef struct state_section {
    const char *name; /* at most STATE_NAME_BYTES characters; borrowed */
    const unsigned char *bytes;
    size_t n;
} state_section;

/* What was read; the sections point into it. */
typedef struct state_file {
    unsigned char *bytes;
    size_t n_bytes;
    char names[STATE_SECTIONS][STATE_NAME_BYTES + 1];
    state_section section[STATE_SECTIONS];
    size_t n_sections;
} state_file;

/* The bytes of a state file with these sections. */
void xta__state_pack(const state_section *sections, size_t n_sections, blob *file);

/* Read a state file. *there: whether there is one; if not, that is no error and *state is empty.
 * XTA_EFORMAT: of another kind or version. XTA_ECORRUPT: cut or damaged; the text names the place
 * and the remedy. */
xta_status xta__state_load(const char *path, state_file *state, bool *there, xta_error *err);
/* The same for bytes that are there already; they are freed with the state, also on failure. `path`
 * is for messages. */
xta_status xta__state_take(const char *path, unsigned char *bytes, size_t n, state_file *state,
                           xta_error *err);
void xta__state_drop(state_file *state);

/* A section by name, as something to read from; empty if it is missing. */
blob_reader xta__state_find(const state_file *state, const char *name);

/* Replace a file by `n` bytes: a reader, and whoever comes after a loss of power, finds the old
 * file or the new one. Written under another name in the same folder, synchronised, renamed. */
xta_status xta__file_replace(const char *folder, const char *name, const void *bytes, size_t n,
                             xta_error *err);

/* The two halves of it, for a file whose room is to be sure before it counts. Messages name `name`,
 * whatever it is called until it is renamed. */
xta_status xta__file_write(const char *folder, const char *temporary, const char *name,
                           const void *bytes, size_t n, xta_error *err);
xta_status xta__file_rename(const char *folder, const char *from, const char *to, xta_error *err);

/* An error of the system as a status: full, forbidden, missing, or XTA_EIO. */
xta_status xta__file_trouble(const char *path, const char *what, int os_errno, xta_error *err);

/* CRC-32C, continued from `crc` (0 at the begin). */
uint32_t xta__checksum(uint32_t crc, const unsigned char *bytes, size_t n);

/* "FOLDER/NAME", to be freed; NULL if memory is out. */
char *xta__file_path(const char *folder, const char *name);

#endif

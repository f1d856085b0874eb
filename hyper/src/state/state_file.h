/* The state file of a follower; bases are kept in the same form.
 *
 * All numbers are little-endian.
 *
 *     header   8 bytes "XTAHYPER", u32 version, u32 number of sections, u64 bytes of the whole
 *              file, u32 zero, u32 CRC-32C of the 28 bytes before
 *     section  16 bytes name (filled up with zeros), u64 bytes of the contents, u32 zero,
 *              u32 CRC-32C of the 28 bytes before and of the contents, the contents
 *
 * Every byte is covered by a checksum and the last section ends with the file, so a file that was
 * cut or damaged anywhere is not accepted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATE_STATE_FILE_H
#define XTA_HYPER_STATE_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#include "state/blob.h"

enum { STATE_VERSION = 1, STATE_NAME_BYTES = 16, STATE_SECTIONS = 16 };

typedef struct state_section {
    const char *name; /* at most STATE_NAME_BYTES characters; borrowed */
    const unsigned char *bytes;
    size_t n;
} state_section;

/* A state file in memory; the sections point into `bytes`. */
typedef struct state_file {
    unsigned char *bytes;
    size_t n_bytes;
    char names[STATE_SECTIONS][STATE_NAME_BYTES + 1];
    state_section section[STATE_SECTIONS];
    size_t n_sections;
} state_file;

/* Append the bytes of a state file with these sections to `file`. */
void xta__state_file_pack(const state_section *sections, size_t n_sections, blob *file);

/* Read a state file. A missing file is no error: *there is false and *state is empty. XTA_EFORMAT:
 * another kind of file or another version. XTA_ECORRUPT: truncated or damaged; the message names
 * the offset and the remedy. */
xta_status xta__state_file_load(const char *path, state_file *state, bool *there, xta_error *err);
/* Parse a state file that is in memory. The bytes are owned by *state, and freed on failure. `path`
 * is used in messages. */
xta_status xta__state_file_parse(const char *path, unsigned char *bytes, size_t n,
                                 state_file *state, xta_error *err);
void xta__state_file_clear(state_file *state);

/* A reader of the section of that name; it is empty if there is none. */
blob_reader xta__state_file_find(const state_file *state, const char *name);

#endif

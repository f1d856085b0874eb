/* The state file of a follower; bases are kept in the same form.
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

/* What was read; the sections point into it. */
typedef struct state_file {
    unsigned char *bytes;
    size_t n_bytes;
    char names[STATE_SECTIONS][STATE_NAME_BYTES + 1];
    state_section section[STATE_SECTIONS];
    size_t n_sections;
} state_file;

/* The bytes of a state file with these sections. */
void xta__state_file_pack(const state_section *sections, size_t n_sections, blob *file);

/* Read a state file. *there: whether there is one; if not, that is no error and *state is empty.
 * XTA_EFORMAT: of another kind or version. XTA_ECORRUPT: cut or damaged; the text names the place
 * and the remedy. */
xta_status xta__state_file_load(const char *path, state_file *state, bool *there, xta_error *err);
/* The same for bytes that are there already; they are freed with the state, also on failure. `path`
 * is for messages. */
xta_status xta__state_file_parse(const char *path, unsigned char *bytes, size_t n,
                                 state_file *state, xta_error *err);
void xta__state_file_clear(state_file *state);

/* A section by name, as something to read from; empty if it is missing. */
blob_reader xta__state_file_find(const state_file *state, const char *name);

#endif

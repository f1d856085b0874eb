/* Folders in the place of arrays: a verb does the same to each array in a folder and in the folders
 * in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_FOLDER_H
#define XTA_TOOL_KIT_FOLDER_H

#include "kit/cli.h"

/* What a listing of a folder calls for each array and each folder in it. `name` is relative to the
 * folder that was listed first: "a", "sub/b". */
typedef struct cli_member {
    const char *name;
    bool array; // false: a folder
    int depth;  // 0: in the folder itself
} cli_member;
typedef xta_status cli_member_visit(void *user, const cli_member *member, cli_error *err);

/* Visit the arrays and folders of a folder, sorted by name, a folder before what is in it. With
 * `deep` also what is in the folders. Stops at the first failure. XTA_EARG if folders nest more
 * than 64 deep. */
xta_status cli_members_visit(const char *folder, bool deep, cli_member_visit *visit, void *user,
                             cli_error *err);

/* The names of all arrays in a folder and the folders in it, sorted as above. Cleared by
 * cli_members_clear, also after a failure. */
typedef struct cli_members {
    char **names;
    size_t n, capacity;
} cli_members;
xta_status cli_members_list(const char *folder, cli_members *members, cli_error *err);
void cli_members_clear(cli_members *members);

/* Whether a path names a folder, and not an array of the same name. */
bool cli_is_folder(const char *path);

/* FOLDER/NAME; the caller frees it. XTA_ENOMEM. */
xta_status cli_join(const char *folder, const char *name, char **path, cli_error *err);

#endif

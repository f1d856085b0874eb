/* The table of mounts (proc(5), mountinfo): one line for each mount, whose fields are
 *
 *     id parent major:minor root point options [tag...] - type source file-system-options
 *
 * Blanks, tabs, ends of lines and backslashes in names are written as a backslash and three octal
 * digits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "os/mounts.h"

#include <stdio.h>
#include <string.h>

/* ---- reading lines ---- */

/* Return the next field of a line; empty at its end. */
static xta__mount_field next_field(const char **at)
{
    *at += strspn(*at, " ");
    const xta__mount_field field = {*at, strcspn(*at, " \n")};

    *at += field.n;
    return field;
}

static bool field_is(xta__mount_field field, const char *text)
{
    return field.n == strlen(text) && memcmp(field.text, text, field.n) == 0;
}

static bool read_line(const char *at, xta__mount *mount)
{
    xta__mount_field field = {0};

    next_field(&at);
    next_field(&at);
    field = next_field(&at);
    if (sscanf(field.text, "%u:%u", &mount->major, &mount->minor) != 2) {
        return false;
    }
    next_field(&at);
    mount->point = next_field(&at);
    mount->options = next_field(&at);
    do {
        field = next_field(&at);
    } while (field.n > 0 && !field_is(field, "-"));
    mount->type = next_field(&at);
    next_field(&at);
    mount->file_system_options = next_field(&at);
    return mount->point.n > 0 && mount->type.n > 0;
}

/* ---- which mount ---- */

static bool is_octal(const char *digits)
{
    return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' && digits[1] <= '7' &&
           digits[2] >= '0' && digits[2] <= '7';
}

/* Decode the character of a field at *k and advance *k. */
static char character_at(xta__mount_field field, size_t *k)
{
    const char *at = field.text + *k;

    if (*at == '\\' && *k + 4 <= field.n && is_octal(at + 1)) {
        *k += 4;
        return (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
    }
    *k += 1;
    return *at;
}

/* How many bytes of `path` a mount point covers; 0 if the path is not below it. */
static size_t bytes_within(xta__mount_field point, const char *path)
{
    size_t n = 0;

    for (size_t k = 0; k < point.n;) {
        if (path[n] == '\0' || character_at(point, &k) != path[n]) {
            return 0;
        }
        n++;
    }
    bool whole_name = path[n] == '/' || path[n] == '\0' || path[n - 1] == '/';
    return whole_name ? n : 0;
}

bool xta__mount_of(const char *text, unsigned major, unsigned minor, const char *path,
                   xta__mount *out)
{
    bool found = false, of_device = false;
    size_t longest = 0;

    for (const char *line = text; line != NULL && *line != '\0';) {
        xta__mount mount;
        bool read = read_line(line, &mount);
        size_t n = read ? bytes_within(mount.point, path) : 0;
        bool same = read && mount.major == major && mount.minor == minor;
        // The path may belong to a different namespace than the table: then only the device
        // decides.
        bool better = same ? !of_device || n >= longest : !of_device && n > 0 && n >= longest;
        if (better) {
            *out = mount;
            found = true;
            of_device = same;
            longest = n;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return found;
}

/* ---- what it means for locks ---- */

static bool has_option(const xta__mount *mount, const char *option)
{
    const xta__mount_field lists[] = {mount->options, mount->file_system_options};
    size_t n = strlen(option);

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        for (size_t at = 0; at < lists[k].n;) {
            const char *word = lists[k].text + at;
            const char *comma = memchr(word, ',', lists[k].n - at);
            size_t length = comma != NULL ? (size_t)(comma - word) : lists[k].n - at;
            if (length == n && memcmp(word, option, n) == 0) {
                return true;
            }
            at += length + 1;
        }
    }
    return false;
}

/* For each type of mount, an option that makes locks local, by being present or by being absent. */
static const struct rule {
    const char *type, *option;
    bool missing;
    xta__mount_flaw flaw;
} rules[] = {
    {"lustre", "localflock", false, {"localflock", "mount it with flock"}},
    {"lustre", "flock", true, {"no flock", "mount it with flock"}},
    {"nfs", "nolock", false, {"nolock", "mount it with lock,local_lock=none"}},
    {"nfs", "local_lock=all", false, {"local_lock=all", "mount it with local_lock=none"}},
    {"nfs", "local_lock=flock", false, {"local_lock=flock", "mount it with local_lock=none"}},
    {"nfs", "local_lock=posix", false, {"local_lock=posix", "mount it with local_lock=none"}},
    {"nfs4", "local_lock=all", false, {"local_lock=all", "mount it with local_lock=none"}},
    {"nfs4", "local_lock=flock", false, {"local_lock=flock", "mount it with local_lock=none"}},
    {"nfs4", "local_lock=posix", false, {"local_lock=posix", "mount it with local_lock=none"}},
    {"gfs2", "localflocks", false, {"localflocks", "mount it without that"}},
    {"ocfs2", "localflocks", false, {"localflocks", "mount it without that"}},
    {"cifs", "nobrl", false, {"nobrl", "mount it without that"}},
    {"smb3", "nobrl", false, {"nobrl", "mount it without that"}},
};

const xta__mount_flaw *xta__mount_lock_flaw(const xta__mount *mount)
{
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++) {
        if (field_is(mount->type, rules[k].type) &&
            has_option(mount, rules[k].option) != rules[k].missing) {
            return &rules[k].flaw;
        }
    }
    return NULL;
}

/* Finding the files of an array by its name.
 *
 * Links are resolved here, once, when an array is opened: from then on its files are accessed by
 * absolute paths, even if the links or the working directory change. New files that replace old
 * ones are created beside the real ones, so no link is ever replaced. Messages use the names that
 * the caller gave.
 *
 * If only one of the two files has a link at the path, the other is searched for (or created)
 * beside the first one. If both are links they may lead to different folders, as long as neither
 * file has another partner there: two journals for one data file would overwrite each other's
 * chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/paths.h"

#include <stdlib.h>
#include <string.h>

#define SUFFIX_BYTES 4 /* ".xmd" */

/* ---- names ---- */

static char *join(const char *a, size_t n, const char *b)
{
    char *text = malloc(n + strlen(b) + 1);

    if (text != NULL) {
        memcpy(text, a, n);
        strcpy(text + n, b);
    }
    return text;
}

/* The number of the suffix of a path, or -1. */
static int suffix_of(const char *path)
{
    static const char *const suffixes[] = {".xmd", ".xta", ".pma", ".pta"};
    size_t n = strlen(path);

    for (int k = 0; k < 4; k++) {
        if (n > SUFFIX_BYTES && strcmp(path + n - SUFFIX_BYTES, suffixes[k]) == 0 &&
            path[n - SUFFIX_BYTES - 1] != '/') {
            return k;
        }
    }
    return -1;
}

/* Name the files "base.xmd" and "base.xta", or with the suffixes of the Global Arrays layer ([CXA]
 * 8.4) if the path has one of these, or if only such files exist. */
static xta_status name_files(const char *path, xta__pair *pair)
{
    int which = suffix_of(path);
    size_t n = strlen(path) - (which >= 0 ? SUFFIX_BYTES : 0);

    pair->base = join(path, n, "");
    pair->journal_path = join(path, n, ".xmd");
    pair->data_path = join(path, n, ".xta");
    if (pair->base == NULL || pair->journal_path == NULL || pair->data_path == NULL) {
        return XTA_ENOMEM;
    }
    bool global = which >= 2;
    if (which < 0 && !xta__path_is_taken(pair->journal_path) &&
        !xta__path_is_taken(pair->data_path)) {
        char *pma = join(path, n, ".pma");
        global = pma != NULL && xta__path_is_taken(pma);
        free(pma);
    }
    if (global) {
        strcpy(pair->journal_path + n, ".pma");
        strcpy(pair->data_path + n, ".pta");
    }
    return XTA_OK;
}

static void free_names(xta__pair *pair)
{
    free(pair->base);
    free(pair->journal_path);
    free(pair->data_path);
    pair->base = pair->journal_path = pair->data_path = NULL;
}

void xta__pair_clear(xta__pair *pair)
{
    free_names(pair);
    free(pair->journal_file);
    free(pair->data_file);
    *pair = (xta__pair){0};
}

/* ---- files ---- */

/* The other file of the array that has the file `path`; NULL if that path has no known suffix. */
static xta_status partner_of(const char *path, bool of_journal, char **partner, xta_error *err)
{
    static const char *const partners[] = {".xta", ".xmd", ".pta", ".pma"};
    int which = suffix_of(path);

    *partner = NULL;
    if (which >= 0 && (which % 2 == 0) == of_journal) {
        *partner = join(path, strlen(path) - SUFFIX_BYTES, partners[which]);
        if (*partner == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", path);
        }
    }
    return XTA_OK;
}

/* Follow a path that names neither file: it may be a link to one of them, or to their common
 * name. */
static xta_status follow_base(const char *path, xta__pair *pair, bool *followed, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__pair target = {0};
    char *real = NULL;

    *followed = false;
    if (!xta__path_is_link(path) || xta__path_is_folder(path)) {
        return XTA_OK;
    }
    XTA_TRY(xta__path_resolve(path, &real, err));
    if (name_files(real, &target) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", path));
    }
    if (xta__path_is_taken(target.journal_path) || xta__path_is_taken(target.data_path)) {
        char *base = pair->base;
        pair->base = target.base;
        target.base = base;
        free_names(pair);
        *pair = target;
        target = (xta__pair){0};
        *followed = true;
    }

done:
    xta__pair_clear(&target);
    free(real);
    return status;
}

/* Find the file at `path`; if there is none, use the partner of `other`, and set `path` to its
 * name. */
static xta_status find_file(char **path, const char *other, bool of_journal, char **file,
                            xta_error *err)
{
    char *partner = NULL, *plain = NULL;
    xta_status status = XTA_OK;

    if (!xta__path_is_taken(*path) && other != NULL) {
        XTA_TRY(partner_of(other, of_journal, &partner, err));
    }
    XTA_TRY(xta__path_resolve(*path, &plain, err));
    if (partner == NULL || strcmp(partner, plain) == 0) {
        *file = plain;
        plain = NULL;
        goto done;
    }
    char *name = xta__strdup(partner);
    if (name == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", *path));
    }
    free(*path);
    *path = name;
    XTA_TRY(xta__path_resolve(partner, file, err));

done:
    free(partner);
    free(plain);
    return status;
}

/* Set *other if the file that would be the partner of `file` beside it exists, and is not
 * `partner`. */
static xta_status has_another(const char *file, bool of_journal, const char *partner, bool *other,
                              xta_error *err)
{
    char *beside = NULL, *real = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(partner_of(file, of_journal, &beside, err));
    if (beside != NULL && xta__path_exists(beside)) {
        XTA_TRY(xta__path_resolve(beside, &real, err));
        *other = *other || strcmp(real, partner) != 0;
    }

done:
    free(beside);
    free(real);
    return status;
}

xta_status xta__pair_find(const char *path, xta__pair *pair, xta_error *err)
{
    xta_status status = XTA_OK;
    bool followed = false, mixed = false;

    *pair = (xta__pair){0};
    if (name_files(path, pair) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", path));
    }
    bool journal = xta__path_is_taken(pair->journal_path);
    bool data = xta__path_is_taken(pair->data_path);
    if (!journal && !data) {
        XTA_TRY(follow_base(path, pair, &followed, err));
        journal = followed && xta__path_is_taken(pair->journal_path);
        data = followed && xta__path_is_taken(pair->data_path);
    }
    if (journal || !data) {
        XTA_TRY(find_file(&pair->journal_path, NULL, false, &pair->journal_file, err));
        XTA_TRY(find_file(&pair->data_path, pair->journal_file, true, &pair->data_file, err));
    } else {
        XTA_TRY(find_file(&pair->data_path, NULL, true, &pair->data_file, err));
        XTA_TRY(find_file(&pair->journal_path, pair->data_file, false, &pair->journal_file, err));
    }
    XTA_TRY(has_another(pair->journal_file, true, pair->data_file, &mixed, err));
    XTA_TRY(has_another(pair->data_file, false, pair->journal_file, &mixed, err));
    if (mixed) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: its links lead to two arrays: the journal is %s, the data file %s; "
                          "link both files of one array",
                          pair->base, pair->journal_file, pair->data_file));
    }

done:
    if (status != XTA_OK) {
        xta__pair_clear(pair);
    }
    return status;
}

bool xta__pair_is_split(const char *journal_file, const char *data_file)
{
    size_t n = strlen(journal_file);
    int journal = suffix_of(journal_file), data = suffix_of(data_file);

    return journal < 0 || data != journal + 1 || strlen(data_file) != n ||
           memcmp(journal_file, data_file, n - SUFFIX_BYTES) != 0;
}

xta_status xta__array_find(xta_array *array, const char *path, xta_error *err)
{
    xta__pair pair;
    xta_status status = xta__pair_find(path, &pair, err);

    if (status == XTA_OK) {
        array->path = pair.base;
        array->journal_path = pair.journal_path;
        array->data_path = pair.data_path;
        array->journal_file = pair.journal_file;
        array->data_file = pair.data_file;
    }
    return status;
}

/* xta hyper: hyperspectral analysis, a command with subcommands. This file has their names; the
 * subcommands are in a library (verbs/verbs.h says why).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "verb_loader.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/verbs.h"

static const cli_entry entries[] = {
    {"pct", "principal components, or noise-adjusted ones, of a scene"},
    {"count", "how many endmembers a scene may have"},
    {"endmembers", "pure spectra of a scene: nfindr, ppi, amee, sga, vca"},
    {"unmix", "how much of each endmember is in each pixel"},
    {"classify", "a label for each pixel"},
    {"score", "labels, endmembers and abundances against the truth"},
    {"follow", "results beside a scene, kept up to date while it grows"},
    {"report", "pictures of a scene and its results in one HTML file"},
    {"synth", "a scene of any size with known truth"},
};

static bool listed(const char *word)
{
    for (size_t k = 0; k < CLI_COUNT(entries); k++) {
        if (strcmp(entries[k].name, word) == 0) {
            return true;
        }
    }
    return false;
}

static xta_status unknown(const char *word, cli_error *err)
{
    const char *names[CLI_COUNT(entries)];
    const char *nearest;

    for (size_t k = 0; k < CLI_COUNT(entries); k++) {
        names[k] = entries[k].name;
    }
    nearest = cli_nearest(word, names, CLI_COUNT(names));
    if (nearest != NULL) {
        return cli_usage(err, "there is no command \"hyper %s\"; did you mean %s?", word, nearest);
    }
    return cli_usage(err, "there is no command \"hyper %s\"", word);
}

/* Whether a flag is among the flags of the CPU, a line of words. */
static bool has_flag(const char *flags, const char *flag)
{
    size_t length = strlen(flag);

    for (const char *at = strstr(flags, flag); at != NULL; at = strstr(at + 1, flag)) {
        if (at[-1] == ' ' && strchr(" \n", at[length]) != NULL) {
            return true;
        }
    }
    return false;
}

/* OpenBLAS recognizes CPUs by their model numbers. A CPU that is newer than the library gets the
 * slowest kernels, a third of the speed, unless the kernels are chosen before the library is
 * loaded. The CPU's flags say what it supports. OpenBLAS's own threads are of no use either: the
 * callers already divide the work among threads. */
static void choose_kernels(void)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char *line = NULL;
    size_t capacity = 0;

    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    if (file == NULL) {
        return;
    }
    while (getline(&line, &capacity, file) >= 0) {
        if (strncmp(line, "flags", 5) != 0) {
            continue;
        }
        if (has_flag(line, "avx512f") && has_flag(line, "avx512dq") && has_flag(line, "avx512bw") &&
            has_flag(line, "avx512vl")) {
            setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
        } else if (has_flag(line, "avx2") && has_flag(line, "fma")) {
            setenv("OPENBLAS_CORETYPE", "Haswell", 0);
        }
        break;
    }
    free(line);
    fclose(file);
}

static xta_status find(const char *word, const cli_command **command, cli_error *err)
{
    cli_hyper_lookup *lookup = NULL;
    void *library, *symbol;

    if (!listed(word)) {
        return unknown(word, err);
    }
    choose_kernels();
    library = dlopen(XTA_HYPER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return cli_fail(
            err, XTA_EUNSUPPORTED, 0,
            "the hyperspectral commands cannot be loaded (%s); install " XTA_HYPER_LIBRARY,
            dlerror());
    }
    // POSIX lets a function be called through the pointer that dlsym returns; ISO C requires the
    // copy.
    symbol = dlsym(library, "xta_hyper_command");
    memcpy(&lookup, &symbol, sizeof lookup);
    *command = lookup != NULL ? lookup(word) : NULL;
    if (*command == NULL) {
        return cli_fail(
            err, XTA_EUNSUPPORTED, 0,
            XTA_HYPER_LIBRARY
            " has no command \"%s\": it is of another version; install the one of this tool",
            word);
    }
    return XTA_OK;
}

const cli_command cli_hyper = {
    .name = "hyper",
    .summary = "hyperspectral analysis of a scene, also of one that grows",
    .usage = "COMMAND ...",
    .details =
        "A scene is an array of lines, samples and bands. Its pixels are read in tiles, so that it "
        "may be larger than memory, and every result is the same, bit for bit, for any number "
        "of threads and processes and however the array has grown. xta help hyper COMMAND explains "
        "a command.",
    .example = "  xta hyper endmembers samson spectra.csv --method nfindr --count 3\n"
               "  xta hyper unmix samson spectra.csv abundances --method fcls",
    .commands = entries,
    .n_commands = CLI_COUNT(entries),
    .find = find,
};

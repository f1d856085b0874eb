/* xta hyper: hyperspectral analysis, a command with commands of its own. Here are their names; they
 * themselves are in a library (hyper_commands.h says why).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include <dlfcn.h>
#include <string.h>

#include "hyper_commands.h"

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

static xta_status find(const char *word, const cli_command **command, cli_error *err)
{
    cli_hyper_lookup *lookup = NULL;
    void *library, *symbol;

    if (!listed(word)) {
        return unknown(word, err);
    }
    library = dlopen(XTA_HYPER_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        return cli_fail(
            err, XTA_EUNSUPPORTED, 0,
            "the hyperspectral commands cannot be loaded (%s); install " XTA_HYPER_LIBRARY,
            dlerror());
    }
    // POSIX lets a function be reached through the pointer that dlsym gives; ISO C wants the detour.
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

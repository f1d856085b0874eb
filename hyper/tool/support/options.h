/* What the subcommands of `xta hyper` share: opening a scene, the communicator, progress, and
 * numbers in JSON.
 *
 * The same commands run as one process and, under xta-mpi, as many processes. All processes do the
 * same steps: independent steps (parsing, opening) end with cli_hyper_agree before the first
 * collective call; functions of the library agree by themselves. Only the leading process creates
 * files and prints.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_OPTIONS_H
#define XTA_CLI_HYPER_OPTIONS_H

#include <xta/scene.h>

#include "kit/cli.h"

/* ---- the communicator ---- */

/* Set the communicator once, before a command runs; borrowed. NULL, the default: one process. */
void cli_hyper_set_communicator(const xta_communicator *with);
const xta_communicator *cli_hyper_communicator(void);

/* Whether this process creates files and prints. */
bool cli_hyper_leads(void);

/* Collective. One status for all, with the text of the lowest rank in error. */
xta_status cli_hyper_agree(xta_status status, cli_error *err);

/* ---- progress ---- */

typedef struct cli_hyper_meter {
    const char *name;
    double begin, last; // seconds of a monotonic clock
    bool shown;
} cli_hyper_meter;

/* Remove the progress line. */
void cli_hyper_meter_end(cli_hyper_meter *meter);

/* ---- scenes ---- */

/* Values of the options of a verb that opens a scene. */
typedef struct cli_scene_values {
    const char *lines, *samples, *bands;
    const char *use_bands;
    bool bad_bands_too;
    uint64_t memory_bytes;
    int64_t threads;
    int64_t as_of;
    bool json;
} cli_scene_values;

/* The entries of these options in a table; `type` has a member `cli_scene_values scene_values`. */
#define CLI_SCENE_OPTIONS(type)                                                                  \
    CLI_STRING(type, scene_values.lines, "lines", "AXIS",                                        \
               "axis of lines, by name or number, where it is not plain"),                       \
        CLI_STRING(type, scene_values.samples, "samples", "AXIS", "axis of samples, likewise"),  \
        CLI_STRING(type, scene_values.bands, "bands", "AXIS", "axis of bands, likewise"),        \
        CLI_STRING(type, scene_values.use_bands, "use-bands", "LIST",                            \
                   "coordinates of the bands to use, such as 0:100,120,130:200; overlap: those " \
                   "that the spectra given cover"),                                              \
        CLI_FLAG(type, scene_values.bad_bands_too, "bad-bands-too",                              \
                 "take bands that the attribute bbl marks as bad"),                              \
        CLI_LIST("nodata", "V", "a further value that means that there is no data"),             \
        CLI_BYTES(type, scene_values.memory_bytes, "memory", "SIZE",                             \
                  "the most to allocate for tiles, caches and results (1GiB)"),                  \
        CLI_INT(type, scene_values.threads, "threads", "N", 1, INT64_MAX,                        \
                "is too few; want at least 1", "worker threads (1)"),                            \
        CLI_INT(type, scene_values.as_of, "as-of", "STEP", 0, INT64_MAX, CLI_NO_STEP,            \
                CLI_AS_OF_TEXT),                                                                 \
        CLI_FLAG(type, scene_values.json, "json", "print one JSON object")

/* An open scene and what it borrows. Start from zeros. */
typedef struct cli_scene {
    xta_array *array;
    xta_scene *scene;
    xta_scene_info info;
    int64_t *use;
    double *nodata;
    uint64_t memory_bytes; // the value of --memory
    cli_hyper_meter meter;
    xta_scene_options options; // options that the scene was opened with
} cli_scene;

/* The value of --use-bands for the bands that a library covers. */
#define CLI_OVERLAP "overlap"

/* Collective. Open the array at a path as a scene, as the options say. Close it even after a
 * failure. */
xta_status cli_scene_open(const cli_args *args, const char *path, cli_scene *scene, cli_error *err);

/* Like cli_scene_open, but --use-bands may be `overlap`, which means all bands here. */
xta_status cli_scene_open_all(const cli_args *args, const char *path, cli_scene *scene,
                              cli_error *err);

/* Collective. Open the scene again with these bands. Takes ownership of the list (also after a
 * failure). */
xta_status cli_scene_use(cli_scene *scene, int64_t *use, size_t n_use, cli_error *err);

/* Erase the progress line and close; returns `status`, or the status of the close. Not
 * collective. */
xta_status cli_scene_close(cli_scene *scene, xta_status status, cli_error *err);

size_t cli_scene_n_pixels(const cli_scene *scene);

/* ---- options ---- */

/* The value of a CLI_INT option; `without` if it is not given. */
int64_t cli_hyper_count_option(const cli_args *args, const char *name, int64_t without);

/* The value of a CLI_REAL option, which must lie in `range`; `without` if it is not given. */
xta_status cli_hyper_real_option(const cli_args *args, const char *name, const double range[2],
                                 double without, double *value, cli_error *err);

/* Put "name: " before the message of a call that does not know the name. Returns `status`. */
xta_status cli_hyper_named(const char *name, xta_status status, cli_error *err);

/* The value of --seed; 0 if it is not given. */
uint64_t cli_hyper_seed(const cli_args *args);

/* Find the index of a word in a list of `n` words; a usage error lists them. */
xta_status cli_hyper_choice(const char *text, const char *what, const char *const words[], size_t n,
                            size_t *chosen, cli_error *err);

/* ---- printing ---- */

/* Print a number with the fewest digits that read back as the same value; null for NaN and
 * infinities, which JSON does not have. */
void cli_json_real(FILE *out, double value);
void cli_json_reals(FILE *out, const double *values, size_t n);

/* Print the members "command", "version" and "scene" of an object, each followed by a comma. */
void cli_json_head(FILE *out, const cli_args *args, const cli_scene *scene);

#endif

/* Import and export from scripts, using only the public API:
 *
 *     bridge_io import SOURCE ARRAY [key=value ...]
 *         format variable append at=1,2|at=auto chunk order type bounds memory stop axes
 *         fold=AXIS=N,N:row|column colours trust=1 no_coordinates=1
 *     bridge_io export ARRAY TARGET [key=value ...]
 *         format variable box=lo:hi,... order interleave memory stop overwrite=never|same|any
 *         no_coordinates=1
 *
 *     bridge_io spectra SOURCE TARGET [key=value ...]
 *         variable names wavelengths column skip transposed=1 unit at=W,W,... in=UNIT
 *
 *     bridge_io serve
 *         the same for many calls: request_server.h
 *
 * Prints the box that was written; on failure, one line on standard error, with the status as exit
 * code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "request_server.h"

#include <xta/attribute.h>
#include <xta/bridge.h>
#include <xta/spectra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int numbers(const char *text, int64_t out[])
{
    int n = 0;
    char *end = NULL;
    for (const char *at = text; n < XTA_MAX_NDIM; at = end + 1) {
        out[n++] = strtoll(at, &end, 10);
        if (*end != ',') {
            break;
        }
    }
    return n;
}

static xta_box box_of(const char *text)
{
    xta_box box = {0, {0}, {0}};
    char *end = NULL;
    for (const char *at = text; box.ndim < XTA_MAX_NDIM; at = end + 1) {
        box.lo[box.ndim] = strtoll(at, &end, 10);
        box.hi[box.ndim] = strtoll(end + 1, &end, 10);
        box.ndim++;
        if (*end != ',') {
            break;
        }
    }
    return box;
}

static int stop_at_once(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    (void)user;
    (void)total_bytes;
    return done_bytes > 0;
}

static xta_order order_of(const char *text);

static void take_fold(char *text, int64_t lengths[], xta_import_options *options)
{
    char *colon = strchr(text, ':');
    if (colon != NULL) {
        options->fold_order = order_of(colon + 1);
        *colon = '\0';
    }
    options->fold_axis = atoi(text);
    options->n_fold = numbers(strchr(text, '=') + 1, lengths);
    options->fold = lengths;
}

static xta_order order_of(const char *text)
{
    static const char *const names[] = {"row", "column", "morton", "hilbert"};
    for (int k = 0; k < 4; k++) {
        if (strcmp(names[k], text) == 0) {
            return (xta_order)k;
        }
    }
    return XTA_ROW;
}

static xta_status do_import(int n, char **words, xta_error *err)
{
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    int64_t at[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM];
    int64_t bounds[XTA_MAX_NDIM];
    int64_t fold[XTA_MAX_NDIM];
    xta_box written;
    for (int k = 2; k < n; k++) {
        char *value = strchr(words[k], '=');
        *value++ = '\0';
        if (strcmp(words[k], "format") == 0) {
            options.format = value;
        } else if (strcmp(words[k], "variable") == 0) {
            options.variable = value;
        } else if (strcmp(words[k], "append") == 0) {
            options.placement = XTA_PLACE_APPEND;
            options.axis = value;
        } else if (strcmp(words[k], "at") == 0) {
            options.placement = XTA_PLACE_AT;
            if (strcmp(value, "auto") != 0) {
                numbers(value, at);
                options.at = at;
            }
        } else if (strcmp(words[k], "chunk") == 0) {
            numbers(value, chunk);
            options.chunk = chunk;
        } else if (strcmp(words[k], "bounds") == 0) {
            options.ndim = numbers(value, bounds);
            options.bounds = bounds;
        } else if (strcmp(words[k], "type") == 0) {
            if (xta_type_parse(value, &options.type, NULL, err) != XTA_OK) {
                return XTA_EARG;
            }
        } else if (strcmp(words[k], "order") == 0) {
            options.order = order_of(value);
        } else if (strcmp(words[k], "memory") == 0) {
            options.memory_bytes = strtoull(value, NULL, 10);
        } else if (strcmp(words[k], "no_coordinates") == 0) {
            options.no_coordinates = true;
        } else if (strcmp(words[k], "axes") == 0) {
            options.axes = value;
        } else if (strcmp(words[k], "trust") == 0) {
            options.trust = true;
        } else if (strcmp(words[k], "colours") == 0) {
            options.colours = value;
        } else if (strcmp(words[k], "fold") == 0) {
            take_fold(value, fold, &options);
        } else if (strcmp(words[k], "stop") == 0) {
            options.progress.report = stop_at_once;
        }
    }
    xta_status status = xta_import(words[0], words[1], &options, &written, err);
    for (int axis = 0; status == XTA_OK && axis < written.ndim; axis++) {
        printf("%s%lld:%lld", axis == 0 ? "" : ",", (long long)written.lo[axis],
               (long long)written.hi[axis]);
    }
    if (status == XTA_OK) {
        printf("\n");
    }
    return status;
}

static xta_status do_export(int n, char **words, xta_error *err)
{
    xta_export_options options = XTA_EXPORT_OPTIONS_INIT;
    xta_box box;
    xta_array *array = NULL;
    for (int k = 2; k < n; k++) {
        char *value = strchr(words[k], '=');
        *value++ = '\0';
        if (strcmp(words[k], "format") == 0) {
            options.format = value;
        } else if (strcmp(words[k], "variable") == 0) {
            options.variable = value;
        } else if (strcmp(words[k], "box") == 0) {
            box = box_of(value);
            options.box = &box;
        } else if (strcmp(words[k], "order") == 0) {
            options.order = order_of(value);
        } else if (strcmp(words[k], "interleave") == 0) {
            options.interleave = value;
        } else if (strcmp(words[k], "overwrite") == 0) {
            options.overwrite = strcmp(value, "any") == 0    ? XTA_OVERWRITE_ANY
                                : strcmp(value, "same") == 0 ? XTA_OVERWRITE_SAME
                                                             : XTA_OVERWRITE_NEVER;
        } else if (strcmp(words[k], "no_coordinates") == 0) {
            options.no_coordinates = true;
        } else if (strcmp(words[k], "memory") == 0) {
            options.memory_bytes = strtoull(value, NULL, 10);
        } else if (strcmp(words[k], "stop") == 0) {
            options.progress.report = stop_at_once;
        }
    }
    xta_status status = xta_array_open(words[0], NULL, &array, err);
    if (status == XTA_OK) {
        status = xta_export(array, words[1], &options, err);
    }
    xta_status closed = xta_array_close(array, status == XTA_OK ? err : NULL);
    return status == XTA_OK ? closed : status;
}

/* Numbers separated by commas. */
static size_t wavelengths_of(const char *text, double out[256])
{
    size_t n = 0;
    char *end = NULL;
    for (const char *at = text; n < 256; at = end + 1) {
        out[n++] = strtod(at, &end);
        if (*end != ',') {
            break;
        }
    }
    return n;
}

static void take_spectra_word(const char *key, const char *value, xta_spectra_options *options)
{
    if (strcmp(key, "variable") == 0) {
        options->variable = value;
    } else if (strcmp(key, "names") == 0) {
        options->names = value;
    } else if (strcmp(key, "wavelengths") == 0) {
        options->wavelengths = value;
    } else if (strcmp(key, "column") == 0) {
        options->wavelength_column = strtoul(value, NULL, 10);
    } else if (strcmp(key, "skip") == 0) {
        options->skip = strtoul(value, NULL, 10);
    } else if (strcmp(key, "unit") == 0) {
        options->unit = value;
    } else if (strcmp(key, "transposed") == 0) {
        options->transposed = true;
    }
}

/* Read a library, resample it if requested, and write it. */
static xta_status do_spectra(int n, char **words, xta_error *err)
{
    xta_spectra_options options = XTA_SPECTRA_OPTIONS_INIT;
    xta_spectra s;
    xta_spectra other;
    double at[256];
    size_t n_at = 0;
    const char *unit = NULL;
    for (int k = 2; k < n; k++) {
        char *value = strchr(words[k], '=');
        *value++ = '\0';
        if (strcmp(words[k], "at") == 0) {
            n_at = wavelengths_of(value, at);
        } else if (strcmp(words[k], "in") == 0) {
            unit = value;
        } else {
            take_spectra_word(words[k], value, &options);
        }
    }
    xta_status status = xta_spectra_read(words[0], &options, &s, err);
    if (status != XTA_OK) {
        return status;
    }
    if (n_at > 0) {
        status = xta_spectra_resample(&s, at, n_at, unit, &other, err);
        xta_spectra_free(&s);
        s = other;
    }
    if (status == XTA_OK) {
        status = xta_spectra_write(words[1], NULL, &s, err);
    }
    xta_spectra_free(&s);
    return status;
}

static int run(int argc, char **argv)
{
    xta_error err = {XTA_OK, 0, ""};
    if (argc < 4) {
        fprintf(stderr, "usage: bridge_io import|export|spectra FROM TO [key=value ...]\n");
        return 99;
    }
    xta_status status = strcmp(argv[1], "import") == 0    ? do_import(argc - 2, argv + 2, &err)
                        : strcmp(argv[1], "spectra") == 0 ? do_spectra(argc - 2, argv + 2, &err)
                                                          : do_export(argc - 2, argv + 2, &err);
    if (status != XTA_OK) {
        fprintf(stderr, "%s: %s\n", xta_status_name(status), err.text);
    }
    return (int)status;
}

int main(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "serve") == 0 ? serve_requests(run, false)
                                                      : run(argc, argv);
}

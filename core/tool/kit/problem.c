/* The one-line array grammar:
 *
 *   TYPE[:LENGTH] ":" BOUNDS { ":" PART }
 *
 *   TYPE      a type's name; LENGTH follows `bytes` alone           f64   bytes:12
 *   BOUNDS    cells on each axis, joined by x                       512x512x512
 *   PART      c and the chunk shape                                 c64x64x64
 *             o and the order in a chunk: row column morton hilbert ohilbert
 *             p and the growth policy, its number joined by =       plinear=4
 *
 * So "f64:512x512x512:c64x64x64" is the array of most benchmarks, and
 * "bytes:12:0x8:c4x4:ocolumn:pexponential=2" is an empty array of records. Parts may appear in any
 * order, each once. No part contains a blank: a problem is one word of a command line and one field
 * of a CSV file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES 704 // 32 lengths of 19 digits and the separators between them

static const char *const orders[] = {"row", "column", "morton", "hilbert"};
static const char *const policies[] = {"exact", "linear", "exponential", "cubical", "shell"};

/* Parse "4x3x1" into numbers; returns 0 if it is invalid. */
static int parse_lengths(const char *text, int64_t length[])
{
    int n = 0;

    for (;;) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 18 || n == XTA_MAX_NDIM) {
            return 0;
        }
        length[n++] = strtoll(text, NULL, 10);
        text += digits;
        if (*text == '\0') {
            return n;
        }
        if (*text++ != 'x') {
            return 0;
        }
    }
}

/* Index of the text in `names`; -1 if it is not among them. */
static int find_name(const char *text, const char *const names[], int n_names)
{
    for (int k = 0; k < n_names; k++) {
        if (strcmp(text, names[k]) == 0) {
            return k;
        }
    }
    return -1;
}

static bool parse_policy(char *text, cli_problem *problem)
{
    char *number = strchr(text, '=');
    int found;

    problem->policy_amount = 0;
    if (number != NULL) {
        char *end;
        *number++ = '\0';
        unsigned long amount = strtoul(number, &end, 10);
        if (*number < '0' || *number > '9' || *end != '\0' || amount < 1 || amount > UINT32_MAX) {
            return false;
        }
        problem->policy_amount = (uint32_t)amount;
    }
    found = find_name(text, policies, 5);
    problem->policy = found < 0 ? XTA_EXACT : (xta_policy)found;
    return found >= 0 && (number == NULL || found == XTA_LINEAR || found == XTA_EXPONENTIAL);
}

static xta_status parse_part(const char *whole, char *part, cli_problem *problem, xta_error *err)
{
    int order;

    switch (part[0]) {
    case 'c':
        if (parse_lengths(part + 1, problem->chunk) != problem->ndim) {
            return xta_error_set(
                err, XTA_EARG, 0,
                "problem \"%s\": \"%s\" is no chunk shape of %d axes, such as c4x4", whole, part,
                problem->ndim);
        }
        problem->has_chunk = true;
        return XTA_OK;
    case 'o':
        order = find_name(part + 1, orders, 4);
        if (order < 0) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "problem \"%s\": \"%s\" is no order; want orow, ocolumn, omorton "
                                 "or ohilbert",
                                 whole, part);
        }
        problem->order = (xta_order)order;
        return XTA_OK;
    case 'p':
        if (!parse_policy(part + 1, problem)) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "problem \"%s\": no such policy; want pexact, plinear=N, "
                                 "pexponential=N, pcubical or pshell",
                                 whole);
        }
        return XTA_OK;
    default:
        return xta_error_set(err, XTA_EARG, 0,
                             "problem \"%s\": \"%s\" begins with none of c (chunk), o (order), "
                             "p (policy)",
                             whole, part);
    }
}

/* Copy the next part, up to a colon, and step over it. False at the end, or if it is too long. */
static bool next_part(const char **at, char part[PART_BYTES])
{
    size_t length = strcspn(*at, ":");

    if (**at == '\0' || length >= PART_BYTES) {
        return false;
    }
    memcpy(part, *at, length);
    part[length] = '\0';
    *at += length;
    *at += **at == ':';
    return true;
}

/* The type, with the length that belongs to `bytes`. */
static xta_status parse_type(const char **at, cli_problem *problem, xta_error *err)
{
    size_t length = strcspn(*at, ":");
    char name[64];

    if (length == 5 && strncmp(*at, "bytes:", 6) == 0) {
        length += 1 + strcspn(*at + 6, ":");
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), *at);
    *at += length;
    *at += **at == ':';
    return xta_type_parse(name, &problem->type, &problem->cell_bytes, err);
}

xta_status cli_problem_parse(const char *text, cli_problem *problem, xta_error *err)
{
    const char *at = text;
    char part[PART_BYTES];
    bool seen[256] = {false};
    xta_status status;

    *problem = (cli_problem){0};
    status = parse_type(&at, problem, err);
    if (status != XTA_OK) {
        return status;
    }
    if (next_part(&at, part)) {
        problem->ndim = parse_lengths(part, problem->bounds);
    }
    if (problem->ndim == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "problem \"%s\": want bounds behind the type, such as f64:512x512",
                             text);
    }
    while (status == XTA_OK && next_part(&at, part)) {
        if (seen[(unsigned char)part[0]]) {
            return xta_error_set(err, XTA_EARG, 0, "problem \"%s\": two parts begin with %c", text,
                                 part[0]);
        }
        seen[(unsigned char)part[0]] = true;
        status = parse_part(text, part, problem, err);
    }
    return status;
}

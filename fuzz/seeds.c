/* Writes a few good inputs for each fuzzer into folders below the one it is given, so that a run of
 * a few seconds starts beyond the first checks. Seeds are generated and never stored, since a
 * change of the format changes them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <xta/xta.h>

#define DRA_INFO "d3 6 7 5 1004 1 3 4 2 1 4 \na name\n"

static const char *root;

static void put(const char *fuzzer, const char *name, const void *bytes, size_t n)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", root, fuzzer);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", root, fuzzer, name);
    fuzz_write_file(path, bytes, n);
}

/* The journal at `path`, followed by the two deciding bytes. */
static void put_journal(const char *path, const char *name, uint8_t length, uint8_t repair)
{
    char journal[1024];
    uint8_t bytes[1 << 16];

    snprintf(journal, sizeof journal, "%s.xmd", path);
    FILE *file = fopen(journal, "rb");
    FUZZ_PROMISE(file != NULL);
    size_t n = fread(bytes, 1, sizeof bytes - 2, file);
    fclose(file);
    bytes[n] = length;
    bytes[n + 1] = repair;
    put("journal", name, bytes, n + 2);
}

static void must(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fprintf(stderr, "seeds: %s\n", err->text);
        exit(1);
    }
}

static void make_journals(void)
{
    static const xta_order orders[] = {XTA_ROW, XTA_HILBERT};
    xta_growth growths[] = {{0, XTA_FRONT, 5}, {1, XTA_BACK, 7}, {0, XTA_BACK, 4}};
    xta_growth shrink = {1, XTA_FRONT, 3};
    int64_t bounds[2] = {4, 3}, chunk[2] = {4, 2};
    char path[512], name[32];
    xta_array *array = NULL;
    xta_error err = {0};

    for (int k = 0; k < 2; k++) {
        xta_create_options options = XTA_CREATE_OPTIONS_INIT;
        options.chunk = chunk;
        options.order = orders[k];
        options.policy = k == 0 ? XTA_EXACT : XTA_CUBICAL;
        snprintf(path, sizeof path, "%s/seed%d", fuzz_folder(), k);
        must(xta_array_create(path, XTA_F32, 2, bounds, &options, &array, &err), &err);
        must(xta_array_sync(array, &err), &err);
        snprintf(name, sizeof name, "created%d", k);
        put_journal(path, name, 2, 1);
        must(xta_array_extend(array, growths, 3, NULL, &err), &err);
        must(xta_array_shrink(array, &shrink, 1, NULL, &err), &err);
        must(xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "a seed", &err), &err);
        must(xta_attribute_set_f64(array, 1, "scale", 0.5, &err), &err);
        must(xta_axis_set_name(array, 0, "time", &err), &err);
        must(xta_axis_set_unit(array, 0, "days", &err), &err);
        must(xta_array_add_axis(array, 1, "band", &err), &err);
        must(xta_array_close(array, &err), &err);
        snprintf(name, sizeof name, "grown%d", k);
        put_journal(path, name, 2, 1);
        snprintf(name, sizeof name, "sparse%d", k);
        put_journal(path, name, 3, 0);
        must(xta_compact(path, NULL, NULL, &err), &err);
        snprintf(name, sizeof name, "compacted%d", k);
        put_journal(path, name, 2, 1);
        must(xta_array_delete(path, &err), &err);
    }
}

static void make_npy(void)
{
    static const char *const types[] = {"<f8", ">i2", "|u1", "<c16", "|S3"};
    char text[256], name[32];
    uint8_t bytes[512];

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, "n\x93NUMPY\x01\x00", 9);
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 3), }",
                 types[k], k % 2 == 0 ? "False" : "True");
        size_t n = strlen(text);
        memset(bytes + 11, ' ', 118);
        memcpy(bytes + 11, text, n);
        bytes[128] = '\n';
        bytes[9] = 118;
        snprintf(name, sizeof name, "npy%zu", k);
        put("import", name, bytes, 129 + 6 * 16);
    }
    put("import", "raw", "r123456789012345678901234567890", 31);
    put("import", "dra", DRA_INFO, strlen(DRA_INFO));
}

/* An image of 2 x 3 numbers of 16 bits, in both byte orders. */
static void make_nifti(void)
{
    uint8_t bytes[1 + 352 + 12] = {'i'};
    uint8_t *header = bytes + 1;
    header[0] = 0x5c; // 348 bytes
    header[1] = 1;
    header[40] = 2; // axes
    header[42] = 2;
    header[44] = 3;
    header[70] = 4;                          // the type's number
    header[72] = 16;                         // bits
    memcpy(header + 108, "\0\0\xb0\x43", 4); // where the cells begin: 352
    memcpy(header + 344, "n+1", 4);
    put("import", "nifti", bytes, sizeof bytes);
    static const int numbers[][2] = {{0, 4}, {40, 2}, {42, 2}, {44, 2}, {70, 2}, {72, 2}, {108, 4}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        uint8_t *at = header + numbers[k][0];
        for (int i = 0; i < numbers[k][1] / 2; i++) {
            uint8_t kept = at[i];
            at[i] = at[numbers[k][1] - 1 - i];
            at[numbers[k][1] - 1 - i] = kept;
        }
    }
    put("import", "turned", bytes, sizeof bytes);
}

/* A MATLAB file of version 5 with one 2 x 3 matrix of numbers saved in 16 bits, and one of version
 * 4. */
static void make_matlab(void)
{
    uint8_t bytes[1 + 128 + 8 + 16 + 16 + 16 + 8 + 16] = {'m'};
    uint8_t *head = bytes + 1;
    memcpy(head, "MATLAB 5.0", 10);
    memcpy(head + 124, "\0\1IM", 4);
    static const uint32_t words[] = {14, 72, 6,   8, 6, 0,  5, 8, 2, 3,
                                     1,  1,  'x', 0, 3, 12, 1, 2, 3, 0};
    memcpy(head + 128, words, sizeof words);
    put("import", "matlab", bytes, sizeof bytes);
    static const uint32_t old[] = {30, 2, 2, 0, 2, 'x' | 0x10000, 0x30002, 4};
    uint8_t v4[1 + sizeof old] = {'m'};
    memcpy(v4 + 1, old, sizeof old);
    put("import", "matlab4", v4, 1 + 20 + 2 + 8);
}

/* Pictures of 4 x 2 with a palette and names, and of 2 x 1 in colours. */
static void make_labels(void)
{
    static const uint8_t indexed[] = {
        0x6c, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49,
        0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x02, 0x02, 0x03, 0x00,
        0x00, 0x00, 0x02, 0xc6, 0x95, 0xf0, 0x00, 0x00, 0x00, 0x0c, 0x50, 0x4c, 0x54, 0x45,
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0xdc, 0x4c,
        0x38, 0x9c, 0x00, 0x00, 0x00, 0x0f, 0x74, 0x45, 0x58, 0x74, 0x63, 0x6c, 0x61, 0x73,
        0x73, 0x5f, 0x6e, 0x61, 0x6d, 0x65, 0x73, 0x00, 0x61, 0x0a, 0x62, 0x7c, 0x00, 0x2a,
        0xea, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x90, 0x66,
        0x78, 0x02, 0x00, 0x01, 0x39, 0x01, 0x00, 0x45, 0x64, 0x91, 0x9b, 0x00, 0x00, 0x00,
        0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    static const uint8_t coloured[] = {
        0x6c, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00,
        0x7b, 0x40, 0xe8, 0xdd, 0x00, 0x00, 0x00, 0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63,
        0x60, 0x60, 0x60, 0xe0, 0xe4, 0x60, 0x07, 0x00, 0x00, 0x39, 0x00, 0x19, 0xc6, 0x99, 0x89,
        0x02, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    put("import", "indexed", indexed, sizeof indexed);
    put("import", "coloured", coloured, sizeof coloured);
    static const char colours[] = "c#000000 nothing\n#000001 first\n\n#0a0b0c\n#0E1107 second\n";
    put("import", "colours", colours, sizeof colours - 1);
}

static void make_envi(void)
{
    static const char header[] =
        "eENVI\nsamples = 3\nlines = 2\nbands = 2\nheader offset = 4\ndata type = 12\n"
        "interleave = bil\nbyte order = 1\nwavelength units = Nanometers\n"
        "wavelength = {1, 2}\nbbl = {0,\n1}\nfwhm = {3, 4}\nreflectance scale factor = 1e4\n"
        "data ignore value = 7\nband names = {a, b}\n";
    static const char classes[] =
        "eENVI\nsamples = 3\nlines = 2\nbands = 1\ndata type = 1\ninterleave = bsq\n"
        "file type = ENVI Classification\nclasses = 2\nclass names = {none, one}\n"
        "class lookup = {0,0,0, 255,0,1}\n";
    put("import", "envi", header, sizeof header - 1);
    put("import", "classes", classes, sizeof classes - 1);
}

static void make_request(void)
{
    static const char *const texts[] = {"12345678/sst@3.zarr/sst/0.4.0",
                                        "12345678/ocean/latest3",
                                        "12345678/o@t=-3:9.json",
                                        "12345678/o/%73st.xta",
                                        "12345678bytes=5-17",
                                        "12345678bytes=-4",
                                        "12345678[::1]:80"};
    char name[16];

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        snprintf(name, sizeof name, "text%zu", k);
        put("request", name, texts[k], strlen(texts[k]));
    }
}

static void make_spectra(void)
{
    static const char csv[] = "c# reflectance scale factor: 100\nwavelength (nm),a,\"b, "
                              "\"\"c\"\"\"\n400.5,1,2\n# more\n410,,-3e4\n";
    static const char header[] = "eENVI\nsamples = 3\nlines = 2\nbands = 1\ndata type = 2\n"
                                 "byte order = 1\nwavelength units = um\n"
                                 "wavelength = {1,\n 2, 3}\nspectra names = {a, b}\n"
                                 "reflectance scale factor = 10000\n";
    static const uint32_t head[] = {0, 3, 2, 0, 2, 'M'}; // of version 4: doubles, 3 x 2
    uint8_t old[80] = {'m'};
    double values[6] = {1, 2, 3, 4, 5, 6};
    put("spectra", "csv", csv, sizeof csv - 1);
    put("spectra", "envi", header, sizeof header - 1);
    memcpy(old + 1, head, 22); // the name is "M" and its zero
    memcpy(old + 23, values, sizeof values);
    put("spectra", "matlab", old, 23 + sizeof values);
}

/* Text files that the tool, access logs and repartitioning read. */
static void make_texts(void)
{
    static const struct {
        const char *fuzzer, *name, *text;
    } texts[] = {
        {"access", "log", "\x04# xta access log\nr 0:2,5:6\nw 0:2,5:6\nr -3:20,0:1000:3\n"},
        {"access", "shapes", "\x08r 1,2\nr 0:7,3\n"},
        {"resume_log", "run",
         "xta repartition 1 1234abcd 00000005~\nblock 1~\nblock 999~\nsynced~\nblock 3~\n"},
        {"resume_log", "two",
         "xta repartition 1 1234abcd 00000000~\nblock 1~\n"
         "xta repartition 1 1234abcd 00000001~\nblock 2~\nsynced~\n"},
        {"resume_log", "other", "xta repartition 1 1234abce 00000005~\nblock 1~\n"},
        {"tool", "regions", "bbox 0:2,5:6 first # a remark\nsphere 1.5,2 3 ball\nbox :,3\n"},
        {"tool", "matrix", "m# skewers\n1,2,3\n4 5 6\n"},
        {"tool", "plan",
         "p{\"array\": \"x\", \"bounds\": [[0, 8], [0, 9]], \"from\": [2, 3], \"to\": [4, 9], "
         "\"memory_bytes\": 1000, \"plans\": [{\"strategy\": \"sweep\", \"feasible\": true}]}"},
        {"follow", "bytes", "e\x10\x01\x20\x07\xc8\x01\x30\xf0\x01\x02\x03\x04"},
        {"follow", "basis", "p\x10\x00\x50\x07\xc8\x00\x60\x09"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        put(texts[k].fuzzer, texts[k].name, texts[k].text, strlen(texts[k].text));
    }
    uint8_t npy[128] = "n\x93NUMPY\x01";
    const char *header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
    npy[9] = (uint8_t)strlen(header);
    memcpy(npy + 11, header, strlen(header));
    put("tool", "npy", npy, 11 + strlen(header));
}

static void make_rest(void)
{
    static const char *const names[] = {"\x03"
                                        "f64",
                                        "\x07"
                                        "bytes:9",
                                        "\x06"
                                        "double",
                                        "\x05"
                                        "int16"};
    uint8_t bytes[256];

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        size_t n = strlen(names[k]);
        memcpy(bytes, names[k], n);
        for (size_t i = n; i < sizeof bytes; i++) {
            bytes[i] = (uint8_t)(i * 37 + k * 11);
        }
        put("type", names[k] + 1, bytes, sizeof bytes);
    }
    srand(1);
    for (int k = 0; k < 16; k++) {
        char name[32];
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (uint8_t)(rand() >> 7);
        }
        snprintf(name, sizeof name, "random%d", k);
        put("box", name, bytes, sizeof bytes);
        put("attribute", name, bytes, sizeof bytes);
    }
}

/* An image of NIfTI-2. */
static void make_nifti_2(void)
{
    uint8_t bytes[1 + 544 + 12] = {'i'};
    uint8_t *header = bytes + 1;
    header[0] = 0x1c; // 540 bytes
    header[1] = 2;
    memcpy(header + 4, "n+2\0\r\n\032\n", 8);
    header[12] = 4;  // the type's number
    header[14] = 16; // bits
    header[16] = 2;  // axes
    header[24] = 2;
    header[32] = 3;
    header[168] = 0x20; // where the cells begin: 544
    header[169] = 2;
    put("import", "nifti2", bytes, sizeof bytes);
}

#define FITS_BLOCK 2880

/* A block of a FITS header; the cards are separated by line ends. */
static void put_cards(uint8_t *block, const char *cards)
{
    memset(block, ' ', FITS_BLOCK);
    while (*cards != '\0') {
        size_t n = strcspn(cards, "\n");
        memcpy(block, cards, n);
        block += 80;
        cards += n + (cards[n] == '\n' ? 1 : 0);
    }
    memcpy(block, "END", 3);
}

/* An image of signed numbers in the primary HDU, and one of unsigned numbers in an extension. */
static void make_fits(void)
{
    static uint8_t bytes[1 + 3 * FITS_BLOCK] = {'f'};
    put_cards(bytes + 1, "SIMPLE  =                    T\nBITPIX  =                   16\n"
                         "NAXIS   =                    2\nNAXIS1  =                    2\n"
                         "NAXIS2  =                    3\nBSCALE  =                  0.5\n"
                         "BLANK   =                   -1\nOBJECT  = 'long &'\n"
                         "CONTINUE  'text' / of two cards\nHISTORY made for a test\n"
                         "HIERARCH ESO A B = 2.5 / a number\nEXPTIME =              1.5D+03");
    memset(bytes + 1 + FITS_BLOCK, 0, FITS_BLOCK);
    put("import", "fits", bytes, 1 + 2 * FITS_BLOCK);
    put_cards(bytes + 1, "SIMPLE  =                    T\nBITPIX  =                    8\n"
                         "NAXIS   =                    0\nEXTEND  =                    T");
    put_cards(bytes + 1 + FITS_BLOCK,
              "XTENSION= 'IMAGE   '\nBITPIX  =                   16\n"
              "NAXIS   =                    3\nNAXIS1  =                    2\n"
              "NAXIS2  =                    1\nNAXIS3  =                    3\n"
              "PCOUNT  =                    0\nGCOUNT  =                    1\n"
              "BZERO   =                32768\nBLANK   =               -32768\n"
              "EXTNAME = 'SCI     '\nCRPIX1  =                  1.5\nCUNIT1  = 'deg     '");
    memset(bytes + 1 + 2 * FITS_BLOCK, 0, FITS_BLOCK);
    put("import", "fits_extension", bytes, sizeof bytes);
}

/* A unit of time, then selections; each text after its length. */
static void make_selections(void)
{
    static const char *const texts[][3] = {
        {"days since 2000-01-01 12:30:00.5 +01:00", "t=2000-01:2000-03-01T12:30:7,y=[1,2~0.5]",
         "n=\"b \"\"c\"\"\",z=:3"},
        {"hours since 1-1-1", "y=850hPa~10 Pa,t=0.5:", "t=0001-01-01T06,n=[a,d],z=::2"}};

    for (int k = 0; k < 2; k++) {
        uint8_t bytes[512];
        size_t n = 0;
        for (int t = 0; t < 3; t++) {
            size_t length = strlen(texts[k][t]);
            bytes[n] = (uint8_t)length;
            memcpy(bytes + n + 1, texts[k][t], length);
            n += 1 + length;
        }
        put("select", k == 0 ? "days" : "hours", bytes, n);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds FOLDER\n");
        return 2;
    }
    root = argv[1];
    make_journals();
    make_npy();
    make_nifti();
    make_nifti_2();
    make_fits();
    make_matlab();
    make_labels();
    make_envi();
    make_request();
    make_spectra();
    make_texts();
    make_selections();
    make_rest();
    return 0;
}

/** @file
 * Pictures of arrays: quicklooks, allocation maps and plans, as PNG or SVG. Library libxta_picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_PICTURE_H
#define XTA_PICTURE_H

#include <xta/array.h>
#include <xta/rechunk.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A position to mark: a ring around a cell, with a few letters beside it. */
typedef struct xta_picture_mark {
    int64_t row, column; /**< coordinates on the two axes shown; outside the box it is not drawn */
    const char *text;    /**< such as "3"; NULL: only the ring */
} xta_picture_mark;

/** How to draw a quicklook. Start from XTA_QUICKLOOK_OPTIONS_INIT. */
typedef struct xta_quicklook_options {
    size_t struct_size;  /**< sizeof(xta_quicklook_options) */
    const xta_box *box;  /**< what to show; NULL: the bounds. On axes other than the three below,
                              the first coordinate is used */
    const char *rows;    /**< axis that runs down: name or number; NULL: chosen */
    const char *columns; /**< axis that runs right; NULL: chosen */
    const char *bands;   /**< axis of bands; NULL: chosen, or none */
    int64_t rgb[3]; /**< coordinates on the band axis for red, green, blue; used if `n_rgb` is 3 */
    int n_rgb;      /**< 3: RGB; 1: rgb[0] with a colour map; 0: chosen */
    const char
        *colormap; /**< "viridis" (default), "gray", "magma", "turbo", "coolwarm", "thermal" */
    double low;    /**< value shown as the lower end; low == high: stretched between percentiles */
    double high;
    double percent;    /**< percentage cut off at either end by the stretch; 0: 2 */
    bool flip_rows;    /**< first row at the bottom (latitudes that increase) */
    bool legend;       /**< a colour bar with values and unit, a title, and the axes' coordinates:
                            their listed or regular ones, or a raster's georeference. Where these
                            are degrees, or the array has fields of latitudes and longitudes
                            (`coordinates`), also meridians and parallels */
    const char *title; /**< NULL: the array's name */
    int max_pixels;    /**< longest side of the image; larger boxes are sampled; 0: 1600 */
    int zoom;        /**< whole pixels for each cell; 0: chosen so that small scenes can be seen */
    bool log_counts; /**< colours by log(1 + value), from 0 to the largest unless `low` and `high`
                          say otherwise: for counts that are mostly 0. A sampled block shows its
                          largest cell, so all cells are read */
    bool fill_is_data; /**< treat a cell that holds the fill value as a number like any other */
    const char *label; /**< of the colour bar; NULL: the attributes `long_name` and `units` */
    const xta_picture_mark *marks; /**< drawn over the image; NULL: none */
    size_t n_marks;
    bool cell_axes;    /**< axes of the legend count cells, even if there are coordinates */
    bool no_graticule; /**< with a legend, no meridians and parallels */
    bool free_aspect;  /**< cells need not be squares, as in a diagram of time and depth: both
                            sides get about the same length */
} xta_quicklook_options;
#define XTA_QUICKLOOK_OPTIONS_INIT                                                               \
    {                                                                                            \
        sizeof(xta_quicklook_options), 0, 0, 0, 0, {0, 0, 0}, 0, 0, 0, 0, 0, false, false, 0, 0, \
            0, false, false, 0, 0, 0, false, false, false                                        \
    }

/** Draw cells as an image. Cells that hold the fill value, the attribute `_FillValue` or
 * `missing_value`, or NaN are transparent.
 * @param[in]  array    any array of numbers
 * @param[in]  options  NULL for the defaults
 * @param[in]  path     ends in .png or .svg; replaced only on success
 * @param[out] err      why it failed
 * @retval XTA_ETYPE    cells are not real numbers
 * @retval XTA_ENOENT   no such axis
 * @par Cost
 * Reads the shown (sampled) cells of three bands at most. */
XTA_API XTA_MUST_CHECK xta_status xta_picture_quicklook(xta_array *array,
                                                        const xta_quicklook_options *options,
                                                        const char *path, xta_error *err);

/** The default colour of class `k`. The first 24 can also be distinguished by people with
 * colour-vision deficiency; class 0 (not labelled) is light grey. Never fails. */
XTA_API void xta_class_colour(size_t k, unsigned char rgb[3]);

/** How to draw a map of classes. Start from XTA_CLASSES_OPTIONS_INIT. */
typedef struct xta_classes_options {
    size_t struct_size;           /**< sizeof(xta_classes_options) */
    const xta_box *box;           /**< what to show; NULL: the bounds */
    const char *rows;             /**< axis that runs down: name or number; NULL: chosen */
    const char *columns;          /**< axis that runs right; NULL: chosen */
    const char *const *names;     /**< of class k from 0; NULL: the lines of the attribute
                                 `class_names`, else "class k". An entry may be NULL */
    const unsigned char *colours; /**< 3 bytes for each class from 0; NULL: the attribute
                                       `class_colours`, else xta_class_colour */
    size_t n_classes;             /**< entries in `names` and `colours` */
    bool zero_is_class;           /**< 0 is a class; else it means not labelled */
    bool legend;                  /**< names with their colours and shares, coordinates, a title */
    const char *title;            /**< NULL: the array's name */
    int max_pixels;               /**< as for a quicklook */
    int zoom;                     /**< as for a quicklook */
    const xta_picture_mark *marks;
    size_t n_marks;
    bool cell_axes; /**< as for a quicklook */
} xta_classes_options;
#define XTA_CLASSES_OPTIONS_INIT                                                          \
    {                                                                                     \
        sizeof(xta_classes_options), 0, 0, 0, 0, 0, 0, false, false, 0, 0, 0, 0, 0, false \
    }

/** Draw a map of classes. Cells that are not labelled (0, no data) are transparent, or light grey
 * if there is a legend. The legend lists the classes that occur, with their share of the labelled
 * cells shown.
 * @param[in]  array    class numbers, 0 to 65535; cells of real types must hold whole values
 * @param[in]  options  NULL for the defaults
 * @param[in]  path     ends in .png or .svg; replaced only on success
 * @param[out] err      why it failed
 * @retval XTA_ETYPE   cells are not real numbers
 * @retval XTA_ERANGE  a cell is not a class number (the text names it)
 * @par Cost
 * Reads the shown (sampled) cells. */
XTA_API XTA_MUST_CHECK xta_status xta_picture_classes(xta_array *array,
                                                      const xta_classes_options *options,
                                                      const char *path, xta_error *err);

/** How to draw cells along an axis as lines. Start from XTA_SERIES_OPTIONS_INIT. */
typedef struct xta_series_options {
    size_t struct_size; /**< sizeof(xta_series_options) */
    const char *axis;   /**< along which: name or number; NULL: an axis of time, else the first */
    const xta_box *box; /**< which cells of it; NULL: the bounds */
    const int64_t *points; /**< n_points x ndim coordinates, row-major: a line for each; what they
                                say for the axis itself does not matter */
    size_t n_points;       /**< up to 4096; 0: one, the first of the box on all other axes */
    const char *title;     /**< NULL: the array's name */
    double width, height;  /**< as for xta_spectra_chart */
    bool bad_bands_too;    /**< draw all bands */
} xta_series_options;
#define XTA_SERIES_OPTIONS_INIT                                \
    {                                                          \
        sizeof(xta_series_options), 0, 0, 0, 0, 0, 0, 0, false \
    }

/** Draw cells along an axis as lines, such as a time series at a point, or the spectrum of a pixel.
 * Values are physical (scale and offset are applied); the axis has its coordinates. Lines are
 * broken at cells without data, at bands that `bbl` marks as bad or in which water vapour absorbs
 * the light (xta_chart_opaque), and at wide steps of the coordinates. Of more than 16384 cells
 * evenly spaced ones are drawn.
 * @param[in]  array    any array of numbers
 * @param[in]  options  NULL for the defaults
 * @param[in]  path     ends in .png or .svg; replaced only on success
 * @param[out] err      why it failed
 * @retval XTA_EARG     too many points
 * @retval XTA_EBOX     a point outside the bounds
 * @retval XTA_ETYPE    cells are not real numbers
 * @retval XTA_ENOENT   no such axis
 * @par Cost
 * Reads the cells shown, once for each point. */
XTA_API XTA_MUST_CHECK xta_status xta_picture_series(xta_array *array,
                                                     const xta_series_options *options,
                                                     const char *path, xta_error *err);

/** How to draw small multiples. Start from XTA_PANELS_OPTIONS_INIT. */
typedef struct xta_panels_options {
    size_t struct_size; /**< sizeof(xta_panels_options) */
    const char *axis;   /**< a panel for each of its cells in the box, up to 64: name or number */
    const xta_quicklook_options *quicklook; /**< of every panel; `title` is that of the page,
                                                 `legend`, `marks` and `zoom` are not used. NULL for
                                                 the defaults */
} xta_panels_options;
#define XTA_PANELS_OPTIONS_INIT          \
    {                                    \
        sizeof(xta_panels_options), 0, 0 \
    }

/** Draw small multiples: a quicklook for each cell of an axis, in rows from left to right, all with
 * one colour scale, which is stretched over all of them.
 * @param[in]  array    any array of numbers
 * @param[in]  options  `axis` is needed
 * @param[in]  path     ends in .png or .svg; replaced only on success
 * @param[out] err      why it failed
 * @retval XTA_EARG     no axis is given, it is one that the panels show, or it has too many cells
 * @retval XTA_ETYPE    cells are not real numbers
 * @retval XTA_ENOENT   no such axis
 * @par Cost
 * As for a quicklook; a panel has at most `max_pixels` (1600) divided by their number in a row. */
XTA_API XTA_MUST_CHECK xta_status xta_picture_panels(xta_array *array,
                                                     const xta_panels_options *options,
                                                     const char *path, xta_error *err);

/** How to draw an allocation map. Start from XTA_MAP_OPTIONS_INIT. */
typedef struct xta_map_options {
    size_t struct_size;  /**< sizeof(xta_map_options) */
    const char *rows;    /**< axis that runs down; NULL: the first that is longer than one chunk */
    const char *columns; /**< axis that runs right; NULL: the second of these (or the last axis) */
    const int64_t *at;   /**< chunk coordinates on the other axes; NULL: 0, or the lowest */
    const char *title;   /**< NULL: the array's name */
} xta_map_options;
#define XTA_MAP_OPTIONS_INIT                \
    {                                       \
        sizeof(xta_map_options), 0, 0, 0, 0 \
    }

/** Draw the allocated box: a square for each chunk with its address, coloured by segment, the
 * bounds as a line, coordinates at the margins, and the segments in a legend. If there are too many
 * chunks to number, they are drawn without numbers.
 * @param[in]  array    any array
 * @param[in]  options  NULL for the defaults
 * @param[in]  path     ends in .png or .svg
 * @param[out] err      why it failed
 * @par Source
 * [DRX] Fig. 1. */
XTA_API XTA_MUST_CHECK xta_status xta_picture_allocation(xta_array *array,
                                                         const xta_map_options *options,
                                                         const char *path, xta_error *err);

/** How to draw a plan. Start from XTA_PLAN_OPTIONS_INIT. */
typedef struct xta_plan_options {
    size_t struct_size; /**< sizeof(xta_plan_options) */
    const int *rows;    /**< number of the axis that runs down; NULL: the first that is cut */
    const int *columns; /**< number of the axis that runs right; NULL: the second that is cut */
    const char *title;  /**< NULL: the block shapes of both sides */
} xta_plan_options;
#define XTA_PLAN_OPTIONS_INIT             \
    {                                     \
        sizeof(xta_plan_options), 0, 0, 0 \
    }

/** Draw a plan: the front face of the array twice, as it is read and as it is written, with the
 * blocks of both sides and the pieces coloured by when they are moved; and below, against the bytes
 * moved, the memory in use: live cells and allocated buffers, under the memory budget. For a long
 * plan the first components are shown, up to 20000 operations.
 *
 * @param[in]  problem  what the plan was made for
 * @param[in]  plan     the plan
 * @param[in]  options  NULL for the defaults
 * @param[in]  path     ends in .png or .svg
 * @param[out] err      why it failed
 * @retval XTA_EARG     no such axis, or another suffix
 * @par Cost
 * The operations shown, each write times the buffers held. */
XTA_API XTA_MUST_CHECK xta_status xta_picture_plan(const xta_rechunk_problem *problem,
                                                   const xta_rechunk_plan *plan,
                                                   const xta_plan_options *options,
                                                   const char *path, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif

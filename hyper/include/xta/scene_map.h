/** @file
 * Arrays beside a scene: one number, or one for each of several layers, for every pixel.
 * Abundances, labels, counts and indices are such arrays. They have the scene's coordinates, grow
 * with it at both ends, and can be exported like any other array. Library libxta_hyper.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SCENE_MAP_H
#define XTA_SCENE_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What such an array is. Start from XTA_SCENE_MAP_OPTIONS_INIT. */
typedef struct xta_scene_map_options {
    size_t struct_size;     /**< sizeof(xta_scene_map_options) */
    const char *path;       /**< as for xta_array_create; NULL: in the memory of each member */
    xta_type type;          /**< of the cells; XTA_TYPE_SAME: f32 */
    bool must_be_new;       /**< fail with XTA_EEXIST instead of opening what is there */
    size_t n_layers;        /**< 0: axes line, sample; above: layer, line, sample */
    const char *layer_axis; /**< name of the axis of layers; NULL: "band" */
    const char *const *layer_names; /**< one for each layer, kept as the attribute
                                       `gdal/description` of that axis; NULL: none */
    const char *title;              /**< kept as the attribute `title` of the array; NULL: none */
} xta_scene_map_options;
#define XTA_SCENE_MAP_OPTIONS_INIT                                         \
    {                                                                      \
        sizeof(xta_scene_map_options), 0, XTA_TYPE_SAME, false, 0, 0, 0, 0 \
    }

/** Make such an array, or open one made before, with the bounds that the scene has now.
 *
 * Cells that nobody has written are NaN in floating types and 0 in others. The array gets the names
 * of the scene's axes and its attributes `geotransform` and `projection`; attributes that are there
 * already are left.
 *
 * **Collective** over the scene's communicator; every member gets a handle of its own. Call it
 * again, on a closed array, or use xta_scene_map_grow, when the scene has grown.
 *
 * @param[in]  scene    the scene
 * @param[in]  options  see there
 * @param[out] map      writable, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EEXIST  it is there and was to be new
 * @retval XTA_EARG    what is there has another type, other layers or other samples (says which)
 * @par Cost
 * No cells are read or written. */
XTA_API XTA_MUST_CHECK xta_status xta_scene_map_open(xta_scene *scene,
                                                     const xta_scene_map_options *options,
                                                     xta_array **map, xta_error *err);

/** Bring the bounds of such an array to those of the scene; lines that the scene no longer has go.
 * **Collective** over the scene's communicator.
 * @param[in]  scene  the scene
 * @param[in]  map    from xta_scene_map_open
 * @param[out] err    why it failed
 * @retval XTA_EARG   it has other axes than lines and samples, or other samples than the scene */
XTA_API XTA_MUST_CHECK xta_status xta_scene_map_grow(xta_scene *scene, xta_array *map,
                                                     xta_error *err);

#ifdef __cplusplus
}
#endif
#endif

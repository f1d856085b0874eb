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

/** Which array to create or open. Start from XTA_SCENE_MAP_OPTIONS_INIT. */
typedef struct xta_scene_map_options {
    size_t struct_size;     /**< sizeof(xta_scene_map_options) */
    const char *path;       /**< as for xta_array_create; NULL: in the memory of each member */
    xta_type type;          /**< of the cells; XTA_TYPE_SAME: f32 */
    bool must_be_new;       /**< fail with XTA_EEXIST instead of opening an existing array */
    size_t n_layers;        /**< 0: axes line, sample; above: layer, line, sample */
    const char *layer_axis; /**< name of the axis of layers; NULL: "band" */
    const char *const *layer_names; /**< one for each layer, stored as the attribute
                                       `gdal/description` of that axis; NULL: none */
    const char *title;              /**< stored as the attribute `title` of the array; NULL: none */
} xta_scene_map_options;
#define XTA_SCENE_MAP_OPTIONS_INIT                                         \
    {                                                                      \
        sizeof(xta_scene_map_options), 0, XTA_TYPE_SAME, false, 0, 0, 0, 0 \
    }

/** Create an array beside a scene, or open an existing one, with the bounds that the scene has now.
 *
 * Cells that were never written are NaN in floating types and 0 in others. The array gets the names
 * of the scene's axes and its attributes `geotransform` and `projection`; existing attributes are
 * kept.
 *
 * **Collective** over the scene's communicator; every member gets a handle of its own. When the
 * scene has grown, close the array and call this again, or use xta_scene_map_grow.
 *
 * @param[in]  scene    the scene
 * @param[in]  options  see xta_scene_map_options
 * @param[out] map      writable, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EEXIST  it exists and `must_be_new` is set
 * @retval XTA_EARG    the existing array has another type, other layers or other samples (the text
 *                     says which)
 * @par Cost
 * No cells are read or written. */
XTA_API XTA_MUST_CHECK xta_status xta_scene_map_open(xta_scene *scene,
                                                     const xta_scene_map_options *options,
                                                     xta_array **map, xta_error *err);

/** Bring the bounds of an array beside a scene to those of the scene; lines that the scene no
 * longer has are removed. **Collective** over the scene's communicator.
 * @param[in]  scene  the scene
 * @param[in]  map    from xta_scene_map_open
 * @param[out] err    why it failed
 * @retval XTA_EARG   the array has other axes than lines and samples, or other samples than the
 *                    scene */
XTA_API XTA_MUST_CHECK xta_status xta_scene_map_grow(xta_scene *scene, xta_array *map,
                                                     xta_error *err);

#ifdef __cplusplus
}
#endif
#endif

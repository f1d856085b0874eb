/* Bases on a command line: from the moments of a scene, or from a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/basis.h"

#include <inttypes.h>
#include <string.h>

xta_status cli_moments_of(cli_scene *scene, bool noise, xta_moments **moments, cli_error *err)
{
    xta_moments_options options = XTA_MOMENTS_OPTIONS_INIT;
    xta_status status = XTA_OK;

    options.noise = noise;
    status = xta_moments_new(&options, moments, &err->error);
    XTA_TRY(cli_hyper_agree(status, err));
    XTA_TRY(xta_moments_update(*moments, scene->scene, &err->error));
done:
    return status;
}

xta_status cli_basis_make(cli_scene *scene, const cli_basis_spec *spec, xta_basis **basis,
                          cli_error *err)
{
    xta_basis_options options = XTA_BASIS_OPTIONS_INIT;
    xta_moments *moments = NULL;
    xta_status status = XTA_OK;

    options.n_components = spec->n_components;
    options.uncentred = spec->uncentred;
    XTA_TRY(cli_moments_of(scene, spec->mnf, &moments, err));
    // Every process has the same moments and computes the same basis.
    status = spec->mnf ? xta_mnf(moments, &options, basis, &err->error)
                       : xta_pct(moments, &options, basis, &err->error);
    status = cli_hyper_agree(cli_hyper_named(scene->info.name, status, err), err);
done:
    xta_moments_free(moments);
    return status;
}

xta_status cli_basis_read(const char *path, xta_basis **basis, cli_error *err)
{
    xta_status status = xta_basis_read(path, basis, &err->error);

    if (status != XTA_EFORMAT && status != XTA_ECORRUPT) {
        return status;
    }
    return cli_fail(
        err, status, 0,
        "%s: is not a whole basis as xta hyper pct --basis writes it; name another file", path);
}

xta_status cli_basis_check(const char *path, const xta_basis *basis, const cli_scene *scene,
                           cli_error *err)
{
    xta_basis_info is = xta_basis_inquire(basis);
    const xta_scene_info *info = &scene->info;

    if (is.n_bands != info->n_bands) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: is a basis for %zu bands, %zu bands of %s are in use; see --use-bands",
                        path, is.n_bands, info->n_bands, info->name);
    }
    for (size_t k = 0; k < is.n_bands; k++) {
        if (is.band[k] != info->band[k]) {
            return cli_fail(err, XTA_EARG, 0,
                            "%s: is a basis for band %" PRId64 ", of %s band %" PRId64
                            " is in use in its place; see --use-bands",
                            path, is.band[k], info->name, info->band[k]);
        }
    }
    return XTA_OK;
}

xta_status cli_basis_of_scene(const char *text, cli_scene *scene, xta_basis **basis, cli_error *err)
{
    cli_basis_spec spec = {.mnf = strncmp(text, "mnf:", 4) == 0};
    int64_t n_components = 0;
    xta_status status = XTA_OK;

    if (spec.mnf || strncmp(text, "pct:", 4) == 0) {
        status = cli_parse_int(text + 4, "--basis", &n_components, err);
        if (status == XTA_OK && n_components < 1) {
            status = cli_usage(err, "--basis: \"%s\": want at least one component", text);
        }
        XTA_TRY(cli_hyper_agree(status, err));
        spec.n_components = (size_t)n_components;
        return cli_basis_make(scene, &spec, basis, err);
    }
    status = cli_basis_read(text, basis, err);
    if (status == XTA_OK) {
        status = cli_basis_check(text, *basis, scene, err);
    } else if (status == XTA_ENOENT) {
        status = cli_usage(err, "--basis: \"%s\" is neither full, pct:D or mnf:D nor a file", text);
    }
    status = cli_hyper_agree(status, err);
done:
    return status;
}

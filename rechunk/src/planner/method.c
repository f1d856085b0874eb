/* Strategies and methods in words.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/rechunk.h>

const char *xta_rechunk_strategy_name(xta_rechunk_strategy strategy)
{
    static const char *const names[] = {"sweep", "keep", "baseline", "split", "merge"};

    return (unsigned)strategy < sizeof names / sizeof names[0] ? names[strategy] : "unknown";
}

static const struct {
    const char *name, *reason;
} methods[] = {
    [XTA_RECHUNK_BY_NOTHING] = {"nothing to do", "there are no cells"},
    [XTA_RECHUNK_BY_WHOLE_BLOCKS] = {"lower bound", "an order of events fits in which each block "
                                                    "is moved once, whole; no plan has fewer runs"},
    [XTA_RECHUNK_BY_SLABS] =
        {"slabs", "whole blocks do not fit; one axis is cut where that adds the fewest runs, and "
                  "of a block across a cut the part so far is held or moved"},
    [XTA_RECHUNK_BY_THIN_SLABS] =
        {"thin slabs", "nothing that holds cells from slab to slab fits; slabs are as thick as "
                       "memory allows"},
    [XTA_RECHUNK_BY_INPUT_SLABS] =
        {"slabs of input blocks",
         "as many input blocks as fit are read at a time, and outputs are cut where they end"},
    [XTA_RECHUNK_BY_OUTPUT_SLABS] =
        {"slabs of output blocks",
         "as many output blocks as fit are filled at a time, and inputs are cut where they end"},
    [XTA_RECHUNK_BY_READ_SHAPE] =
        {"reads of one shape", "of the read shapes that fit this one has the fewest seeks; what "
                               "completes output blocks is written, the rest is held"},
    [XTA_RECHUNK_BY_GRID] =
        {"grid", "whole blocks do not fit, and the plan of keep has fewer runs than slabs have"},
    [XTA_RECHUNK_BY_SINGLE_BLOCKS] =
        {"baseline", "one input block is read at a time, and its parts are written at once"},
    [XTA_RECHUNK_BY_BUFFERS] = {"buffers", "of the buffers that fit, in the orders, lengths and "
                                           "sides allowed, these have the fewest seeks"},
};

const char *xta_rechunk_method_name(xta_rechunk_method method)
{
    return (unsigned)method < sizeof methods / sizeof methods[0] ? methods[method].name : "unknown";
}

const char *xta_rechunk_method_reason(xta_rechunk_method method)
{
    return (unsigned)method < sizeof methods / sizeof methods[0] ? methods[method].reason
                                                                 : "unknown";
}

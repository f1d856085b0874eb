/* An open array, with the bounds that its users see from the opening on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_ARRAY_ARRAY_H
#define XTA_GDAL_ARRAY_ARRAY_H

#include <memory>
#include <string>

#include <xta/array.h>
#include <xta/coordinates.h>

#include "array/data_set.h"

namespace xta_gdal
{

/* Growth elsewhere changes nothing in it: the bounds are those of the opening, and position 0 is
 * their lower end. Reads may come from several threads. */
class Array
{
  public:
    /* NULL, and GDAL is told: no such array, a file of it is missing, or it is corrupt. */
    static std::shared_ptr<Array> open(const std::string &path, const OpenMode &mode);
    /* A member of an open data set, which stays open as long as the array. */
    static std::shared_ptr<Array> member(const std::shared_ptr<DataSet> &set,
                                         const std::string &name);
    /* Takes an array that has been created. */
    static std::shared_ptr<Array> take(xta_array *handle);
    ~Array();
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;

    /* False: it failed, and GDAL is told. A box of the array's bounds, as at the opening. */
    bool read(const xta_box &wanted, const xta_io_options &options, void *out) const;
    bool write(const xta_box &wanted, const xta_io_options &options, const void *in) const;
    bool sync() const;
    /* Sync and close what is not a member. */
    bool close();

    /* The name of an axis, or `axis_2`. */
    std::string axis_name(int axis) const;
    int64_t length(int axis) const
    {
        return box.hi[axis] - box.lo[axis];
    }

    xta_array *handle = nullptr;
    xta_box box;
    xta_array_info info;
    bool writable = false;
    std::shared_ptr<DataSet> set;

  private:
    Array() = default;
    bool inquire();
    bool read_remaining(const xta_box &wanted, const xta_io_options &options, void *out) const;
};

using ArrayPtr = std::shared_ptr<Array>;

struct FreeCoordinates {
    void operator()(xta_coordinates *coordinates) const
    {
        xta_coordinates_free(coordinates);
    }
};
using Coordinates = std::shared_ptr<xta_coordinates>;

/* The coordinates of an axis; NULL: it has none that cover its cells. */
Coordinates coordinates_of(const Array &array, int axis);

} // namespace xta_gdal

#endif

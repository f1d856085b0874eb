/** @file
 * libxta for C++17 and later: handles that close themselves, exceptions, values of any contiguous range, and views with
 * several indices. Header-only, on top of the public headers in C, whose contracts hold; `handle()` gives the object of
 * the C library for everything that is not here.
 *
 *     auto sst = xta::array::create<float>("sst", {0, 180, 360}, {{"time", "lat", "lon"}});
 *     sst.append(sst.axis("time"), month);                  // a std::vector<float>, a std::span ...
 *     xta::block<float> b = sst.read<float>(sst.bounds());  // b(0, 90, 180)
 *
 * Every call that fails throws xta::error, whose what() names file, axis, value and remedy. An object that was moved
 * from, or closed, may be assigned to and destroyed; every other call on it throws.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_HPP
#define XTA_HPP

#include <array>
#include <cassert>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <xta/dataset_append.h>
#include <xta/xta.h>

namespace xta {

/** What a call of the library failed with. */
class error : public std::runtime_error {
public:
    error(xta_status status, const xta_error &why)
        : std::runtime_error(why.text[0] != '\0' ? why.text : xta_status_name(status)), status_(status),
          os_errno_(why.os_errno)
    {
    }
    xta_status status() const noexcept { return status_; }
    int os_errno() const noexcept { return os_errno_; }

private:
    xta_status status_;
    int os_errno_;
};

namespace detail {

/* Call a function that takes an error last, and throw if it fails. */
template <class Function, class... Arguments> void call(Function function, Arguments... arguments)
{
    xta_error why{};
    xta_status status = function(arguments..., &why);
    if (status != XTA_OK) {
        throw error(status, why);
    }
}

[[noreturn]] inline void refuse(xta_status status, const std::string &text)
{
    xta_error why{};
    xta_error_set(&why, status, 0, "%s", text.c_str());
    throw error(status, why);
}

template <class T> struct type;
template <> struct type<bool> : std::integral_constant<xta_type, XTA_BOOL> {};
template <> struct type<std::int8_t> : std::integral_constant<xta_type, XTA_I8> {};
template <> struct type<std::uint8_t> : std::integral_constant<xta_type, XTA_U8> {};
template <> struct type<std::int16_t> : std::integral_constant<xta_type, XTA_I16> {};
template <> struct type<std::uint16_t> : std::integral_constant<xta_type, XTA_U16> {};
template <> struct type<std::int32_t> : std::integral_constant<xta_type, XTA_I32> {};
template <> struct type<std::uint32_t> : std::integral_constant<xta_type, XTA_U32> {};
template <> struct type<std::int64_t> : std::integral_constant<xta_type, XTA_I64> {};
template <> struct type<std::uint64_t> : std::integral_constant<xta_type, XTA_U64> {};
template <> struct type<float> : std::integral_constant<xta_type, XTA_F32> {};
template <> struct type<double> : std::integral_constant<xta_type, XTA_F64> {};
template <> struct type<std::complex<float>> : std::integral_constant<xta_type, XTA_C64> {};
template <> struct type<std::complex<double>> : std::integral_constant<xta_type, XTA_C128> {};

template <class Range>
using value_of = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<Range &>()))>>;

} // namespace detail

/** The type of cells that are a T in memory. */
template <class T> inline constexpr xta_type type_of = detail::type<std::remove_cv_t<T>>::value;

/** One interval of coordinates, [lo, hi). */
struct range {
    std::int64_t lo, hi;
};

/** A box of cells: an interval for each axis. */
class box {
public:
    box() = default;
    box(const xta_box &plain) : plain_(plain) {}
    box(std::initializer_list<range> ranges) : box(ranges.begin(), ranges.size()) {}
    explicit box(const std::vector<range> &ranges) : box(ranges.data(), ranges.size()) {}

    int ndim() const noexcept { return plain_.ndim; }
    range operator[](int axis) const { return {plain_.lo[checked(axis)], plain_.hi[axis]}; }
    void set(int axis, range r)
    {
        plain_.lo[checked(axis)] = r.lo;
        plain_.hi[axis] = r.hi;
    }
    std::int64_t length(int axis) const { return plain_.hi[checked(axis)] - plain_.lo[axis]; }
    std::size_t size() const
    {
        std::uint64_t n = 0;
        if (plain_.ndim == 0 || xta_box_cells(&plain_, &n) != XTA_OK) {
            detail::refuse(XTA_EOVERFLOW, "a box without axes, or of more than 2^63 cells");
        }
        return static_cast<std::size_t>(n);
    }
    friend bool operator==(const box &a, const box &b) { return xta_box_equal(&a.plain_, &b.plain_); }
    friend bool operator!=(const box &a, const box &b) { return !(a == b); }
    const xta_box &plain() const noexcept { return plain_; }

private:
    box(const range *ranges, std::size_t n)
    {
        if (n > XTA_MAX_NDIM) {
            detail::refuse(XTA_EARG, "a box of " + std::to_string(n) + " axes; want at most 32");
        }
        plain_.ndim = static_cast<int>(n);
        for (std::size_t k = 0; k < n; k++) {
            plain_.lo[k] = ranges[k].lo;
            plain_.hi[k] = ranges[k].hi;
        }
    }
    int checked(int axis) const
    {
        if (axis < 0 || axis >= plain_.ndim) {
            detail::refuse(XTA_EARG, "axis " + std::to_string(axis) + " of a box with " +
                                         std::to_string(plain_.ndim) + " axes");
        }
        return axis;
    }
    xta_box plain_{};
};

/** Elements with several indices, from 0, and strides in elements: what std::mdspan is in C++23, with a number of
 * indices that is known when the program runs. Does not own them. */
template <class T> class view {
public:
    view() = default;
    /** Dense, row-major. */
    view(T *data, const std::vector<std::int64_t> &lengths) : data_(data), ndim_(static_cast<int>(lengths.size()))
    {
        std::int64_t stride = 1;
        assert(lengths.size() <= XTA_MAX_NDIM);
        for (int k = ndim_; k-- > 0;) {
            length_[static_cast<std::size_t>(k)] = lengths[static_cast<std::size_t>(k)];
            stride_[static_cast<std::size_t>(k)] = stride;
            stride *= lengths[static_cast<std::size_t>(k)];
        }
    }
    /** An element; as many indices as there are, within the lengths (checked by assert alone). */
    template <class... Index> T &operator()(Index... index) const
    {
        static_assert((std::is_integral_v<Index> && ...), "indices are whole numbers");
        const std::array<std::int64_t, sizeof...(Index)> at{static_cast<std::int64_t>(index)...};
        std::int64_t position = 0;
        assert(static_cast<int>(sizeof...(Index)) == ndim_);
        for (std::size_t k = 0; k < at.size(); k++) {
            assert(at[k] >= 0 && at[k] < length_[k]);
            position += at[k] * stride_[k];
        }
        return data_[position];
    }
    int ndim() const noexcept { return ndim_; }
    std::int64_t length(int k) const { return length_[static_cast<std::size_t>(k)]; }
    std::int64_t stride(int k) const { return stride_[static_cast<std::size_t>(k)]; }
    std::size_t size() const
    {
        std::size_t n = ndim_ > 0 ? 1 : 0;
        for (int k = 0; k < ndim_; k++) {
            n *= static_cast<std::size_t>(length(k));
        }
        return n;
    }
    T *data() const noexcept { return data_; }

private:
    T *data_ = nullptr;
    int ndim_ = 0;
    std::array<std::int64_t, XTA_MAX_NDIM> length_{}, stride_{};
};

/** Cells that were read: dense, row-major, in memory of their own. One that was moved from has no elements. */
template <class T> class block {
public:
    explicit block(const box &cells)
        : box_(cells), values_(std::make_unique<T[]>(cells.size())), view_(values_.get(), lengths_of(cells))
    {
    }
    /** The box that they are of. */
    const xta::box &box() const noexcept { return box_; }
    template <class... Index> T &operator()(Index... index) { return view_(index...); }
    template <class... Index> const T &operator()(Index... index) const { return view_(index...); }
    xta::view<T> view() noexcept { return view_; }
    T *data() noexcept { return values_.get(); }
    const T *data() const noexcept { return values_.get(); }
    std::size_t size() const { return values_ != nullptr ? box_.size() : 0; }
    T *begin() noexcept { return data(); }
    T *end() { return data() + size(); }
    const T *begin() const noexcept { return data(); }
    const T *end() const { return data() + size(); }

private:
    static std::vector<std::int64_t> lengths_of(const xta::box &cells)
    {
        std::vector<std::int64_t> lengths;
        for (int axis = 0; axis < cells.ndim(); axis++) {
            lengths.push_back(cells.length(axis));
        }
        return lengths;
    }
    xta::box box_;
    std::unique_ptr<T[]> values_;
    xta::view<T> view_;
};

/** How to create an array; what is empty is chosen by the library. */
struct create_options {
    std::vector<std::string> names{};    /**< of the axes */
    std::vector<std::int64_t> chunk{};   /**< cells of a chunk on each axis */
    std::optional<double> fill{};        /**< value of cells that nobody has written; without: 0 */
};

namespace detail {

/* The options of C, and what they point into. */
struct create_arguments {
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    std::vector<const char *> names;
    std::array<unsigned char, 16> fill{};

    create_arguments(const create_options &from, xta_type type, std::size_t ndim)
    {
        for (const std::string &name : from.names) {
            names.push_back(name.empty() ? nullptr : name.c_str());
        }
        if ((!names.empty() && names.size() != ndim) || (!from.chunk.empty() && from.chunk.size() != ndim)) {
            refuse(XTA_EARG, "names and chunk must have an item for each axis");
        }
        if (from.fill) {
            xta_status status = xta_type_convert(XTA_F64, &*from.fill, type, fill.data(), 1, nullptr);
            if (status != XTA_OK) {
                refuse(status, "the fill value cannot be a cell of type " + std::string(xta_type_name(type)));
            }
            options.fill = fill.data();
        }
        options.names = names.empty() ? nullptr : names.data();
        options.chunk = from.chunk.empty() ? nullptr : from.chunk.data();
    }
};

} // namespace detail

/** An open array. Moves, and does not copy. Its functions are safe from several threads, as those of the library. */
class array {
public:
    array() = default;
    array(array &&other) noexcept { swap(other); }
    array &operator=(array &&other) noexcept
    {
        array old(std::move(*this));
        swap(other);
        return *this;
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    /** Closes; a failure is lost. close() reports it. */
    ~array() { release(); }

    /** Create an array of T as a pair of files and open it writable. */
    template <class T>
    static array create(const std::string &path, const std::vector<std::int64_t> &lengths,
                        const create_options &options = {})
    {
        detail::create_arguments arguments(options, type_of<T>, lengths.size());
        array made;
        detail::call(xta_array_create, path.c_str(), type_of<T>, static_cast<int>(lengths.size()), lengths.data(),
                     &arguments.options, &made.handle_);
        return made;
    }
    static array open(const std::string &path, bool writable = false)
    {
        xta_open_options options = XTA_OPEN_OPTIONS_INIT;
        options.writable = writable;
        return open(path, options);
    }
    static array open(const std::string &path, const xta_open_options &options)
    {
        array opened;
        detail::call(xta_array_open, path.c_str(), &options, &opened.handle_);
        return opened;
    }
    /** An array that another object closes, such as a member of a data set. */
    static array borrow(xta_array *handle)
    {
        array borrowed;
        borrowed.handle_ = handle;
        borrowed.borrowed_ = true;
        return borrowed;
    }

    bool is_open() const noexcept { return handle_ != nullptr; }
    /** Sync and close. */
    void close()
    {
        xta_array *closing = std::exchange(handle_, nullptr);
        if (closing != nullptr && !borrowed_) {
            detail::call(xta_array_close, closing);
        }
    }
    void sync() { detail::call(xta_array_sync, handle()); }
    /** See the growth that others have made. Returns whether there was any. */
    bool refresh()
    {
        bool changed = false;
        detail::call(xta_array_refresh, handle(), &changed);
        return changed;
    }
    /** The object of the C library; throws if it is not open. */
    xta_array *handle() const
    {
        if (handle_ == nullptr) {
            detail::refuse(XTA_ESTATE, "the array is not open");
        }
        return handle_;
    }

    int ndim() const { return xta_array_ndim(handle()); }
    xta_type type() const { return xta_array_type(handle()); }
    box bounds() const { return xta_array_bounds(handle()); }
    std::string path() const { return xta_array_path(handle()); }
    /** The number of the axis with a name. */
    int axis(const std::string &name) const
    {
        int number = 0;
        detail::call(xta_axis_find, handle(), name.c_str(), &number);
        return number;
    }
    std::string axis_name(int number) const { return xta_axis_name(handle(), number); }

    /** Read the cells of a box, converted to T if they are of another type. */
    template <class T> block<T> read(const box &cells) const
    {
        block<T> values(cells);
        read(cells, values);
        return values;
    }
    /** Read them into a contiguous range with as many elements. */
    template <class Range, class = decltype(std::data(std::declval<Range &>()))>
    void read(const box &cells, Range &&values) const
    {
        const xta_io_options options = io_options<Range>();
        check_count(cells.size(), std::size(values));
        detail::call(xta_array_read, handle(), &cells.plain(), &options, static_cast<void *>(std::data(values)));
    }
    /** Write a box from a contiguous range with as many elements. */
    template <class Range, class = decltype(std::data(std::declval<Range &>()))>
    void write(const box &cells, const Range &values)
    {
        const xta_io_options options = io_options<Range>();
        check_count(cells.size(), std::size(values));
        detail::call(xta_array_write, handle(), &cells.plain(), &options,
                     static_cast<const void *>(std::data(values)));
    }
    /** Grow along an axis, or take cells away; return the bounds right after it. */
    box extend(int number, std::int64_t by, xta_side side = XTA_BACK)
    {
        return change(xta_array_extend, {number, side, by});
    }
    box shrink(int number, std::int64_t by, xta_side side = XTA_BACK)
    {
        return change(xta_array_shrink, {number, side, by});
    }
    /** Append along an axis as many cells as the range fills, row-major; no reader sees them before they are written.
     * Returns the box of the new cells. */
    template <class Range> box append(int number, const Range &values, xta_side side = XTA_BACK)
    {
        const xta_io_options options = io_options<Range>();
        box slab = bounds();
        slab.set(number, {0, 1});
        const std::size_t row = slab.size(), n = std::size(values);
        if (row == 0 || n % row != 0) {
            detail::refuse(XTA_EBOX, path() + ": " + std::to_string(n) + " values are no multiple of the " +
                                         std::to_string(row) + " cells at one coordinate of axis " +
                                         std::to_string(number));
        }
        const std::int64_t by = static_cast<std::int64_t>(n / row);
        const xta_growth growth{number, side, by};
        xta_box after{};
        detail::call(xta_array_append, handle(), &growth, &options, static_cast<const void *>(std::data(values)),
                     &after);
        slab = after;
        slab.set(number, side == XTA_FRONT ? range{after.lo[number], after.lo[number] + by}
                                           : range{after.hi[number] - by, after.hi[number]});
        return slab;
    }

    /** Attributes of the array, or of an axis. */
    void set(const std::string &name, const std::string &text, int number = XTA_ON_ARRAY)
    {
        detail::call(xta_attribute_set_text, handle(), number, name.c_str(), text.c_str());
    }
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    void set(const std::string &name, const std::vector<T> &numbers, int number = XTA_ON_ARRAY)
    {
        const xta_attribute attribute{name.c_str(), type_of<T>, sizeof(T), numbers.size(), numbers.data()};
        detail::call(xta_attribute_set, handle(), number, &attribute);
    }
    std::string text(const std::string &name, int number = XTA_ON_ARRAY) const
    {
        const xta_attribute found = attribute(name, number);
        if (found.type != XTA_TEXT) {
            detail::refuse(XTA_ETYPE, path() + ": attribute " + name + " is no text");
        }
        return std::string(static_cast<const char *>(found.values), found.count);
    }
    template <class T> std::vector<T> numbers(const std::string &name, int number = XTA_ON_ARRAY) const
    {
        const xta_attribute found = attribute(name, number);
        std::vector<T> values(found.count);
        xta_status status =
            xta_type_convert(found.type, found.values, type_of<T>, values.data(), found.count, nullptr);
        if (status != XTA_OK) {
            detail::refuse(status, path() + ": attribute " + name + " does not fit the type that it is read as");
        }
        return values;
    }

    /** The coordinates of the cells of an axis. */
    std::vector<double> coordinates(int number) const
    {
        xta_coordinates *found = nullptr;
        detail::call(xta_coordinates_read, handle(), number, &found);
        const std::unique_ptr<xta_coordinates, void (*)(xta_coordinates *)> owned(found, xta_coordinates_free);
        std::vector<double> values;
        for (std::int64_t c = xta_coordinates_lo(found); c < xta_coordinates_hi(found); c++) {
            values.push_back(xta_coordinates_at(found, c));
        }
        return values;
    }
    /** The least box that contains the cells that labels select: "time=2015-01,lat=40:50". */
    box select(const std::string &labels) const
    {
        xta_selection selection{};
        detail::call(xta_box_select, handle(), labels.c_str(), &selection);
        const box cells = selection.box;
        xta_selection_clear(&selection);
        return cells;
    }

private:
    void swap(array &other) noexcept
    {
        std::swap(handle_, other.handle_);
        std::swap(borrowed_, other.borrowed_);
    }
    void release() noexcept
    {
        if (handle_ != nullptr && !borrowed_) {
            xta_array_close(handle_, nullptr);
        }
        handle_ = nullptr;
    }
    template <class Function> box change(Function function, const xta_growth &growth)
    {
        xta_box after{};
        detail::call(function, handle(), &growth, 1, &after);
        return after;
    }
    template <class Range> static xta_io_options io_options()
    {
        xta_io_options options = XTA_IO_OPTIONS_INIT;
        options.type = type_of<detail::value_of<Range>>;
        return options;
    }
    void check_count(std::size_t cells, std::size_t elements) const
    {
        if (cells != elements) {
            detail::refuse(XTA_EARG, path() + ": a box of " + std::to_string(cells) + " cells and a range of " +
                                         std::to_string(elements) + " elements");
        }
    }
    xta_attribute attribute(const std::string &name, int number) const
    {
        xta_attribute found{};
        detail::call(xta_attribute_get, handle(), number, name.c_str(), &found);
        return found;
    }
    xta_array *handle_ = nullptr;
    bool borrowed_ = false;
};

/** An open data set. Moves, and does not copy. */
class dataset {
public:
    static dataset create(const std::string &path)
    {
        dataset made;
        xta_dataset *handle = nullptr;
        detail::call(xta_dataset_create, path.c_str(), nullptr, &handle);
        made.handle_.reset(handle);
        return made;
    }
    static dataset open(const std::string &path, bool writable = false)
    {
        xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
        dataset opened;
        xta_dataset *handle = nullptr;
        options.writable = writable;
        detail::call(xta_dataset_open, path.c_str(), &options, &handle);
        opened.handle_.reset(handle);
        return opened;
    }
    /** Sync and close the set and its members. */
    void close() { detail::call(xta_dataset_close, handle_.release()); }
    bool refresh()
    {
        bool changed = false;
        detail::call(xta_dataset_refresh, handle(), &changed);
        return changed;
    }
    xta_dataset *handle() const
    {
        if (handle_ == nullptr) {
            detail::refuse(XTA_ESTATE, "the data set is not open");
        }
        return handle_.get();
    }
    std::vector<std::string> members() const
    {
        std::vector<std::string> names;
        for (std::size_t k = 0; k < xta_dataset_member_count(handle()); k++) {
            names.emplace_back(xta_dataset_member_name(handle(), k));
        }
        return names;
    }
    /** A member, open as long as the set is. */
    array member(const std::string &name) const
    {
        xta_array *found = nullptr;
        detail::call(xta_dataset_member, handle(), name.c_str(), &found);
        return array::borrow(found);
    }
    void set_dimension(const xta_dimension &dimension)
    {
        detail::call(xta_dataset_set_dimension, handle(), &dimension);
    }
    /** Add a member whose axes are dimensions of the set. */
    template <class T>
    array add(const std::string &name, const std::vector<std::string> &dimensions, create_options options = {})
    {
        options.names.clear(); // they are those of the dimensions
        const detail::create_arguments arguments(options, type_of<T>, dimensions.size());
        std::vector<const char *> names;
        for (const std::string &dimension : dimensions) {
            names.push_back(dimension.c_str());
        }
        xta_array *made = nullptr;
        detail::call(xta_dataset_add_member, handle(), name.c_str(), type_of<T>, static_cast<int>(names.size()),
                     names.data(), &arguments.options, &made);
        return array::borrow(made);
    }
    /** Append to all members that have a dimension, in one step; `cells` names members and their memory. Returns the
     * first of the new cells. */
    std::int64_t append(const xta_dataset_slab &slab)
    {
        std::int64_t lo = 0;
        detail::call(xta_dataset_append, handle(), &slab, &lo);
        return lo;
    }

private:
    struct closer {
        void operator()(xta_dataset *set) const { xta_dataset_close(set, nullptr); }
    };
    std::unique_ptr<xta_dataset, closer> handle_;
};

} // namespace xta

#endif

// xta.hpp: arrays, boxes, blocks and data sets, their moves, and what they throw. The argument is a
// folder.
//
// SPDX-License-Identifier: Apache-2.0
#include <xta.hpp>

#include <cstdlib>
#include <iostream>
#include <numeric>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace
{

int n_checks = 0;

void check(bool good, const char *what)
{
    n_checks++;
    if (!good) {
        std::cerr << "test_hpp: " << what << "\n";
        std::exit(1);
    }
}

template <class Function> void throws(xta_status status, const char *what, Function function)
{
    try {
        function();
    } catch (const xta::error &why) {
        if (why.status() != status) {
            std::cerr << xta_status_name(why.status()) << ": " << why.what() << "\n";
        }
        check(why.status() == status && std::string(why.what()) != "", what);
        return;
    }
    check(false, what);
}

template <class T> void check_type(const std::string &folder)
{
    auto a = xta::array::create<T>(folder + "/type" + xta_type_name(xta::type_of<T>), {3});
    std::array<T, 3> values{T(1), T(0), T(1)}, back{};
    a.write(a.bounds(), values);
    a.read(a.bounds(), back);
    check(values == back && a.type() == xta::type_of<T>, xta_type_name(a.type()));
}

void check_types(const std::string &folder)
{
    check_type<bool>(folder);
    check_type<std::int8_t>(folder);
    check_type<std::uint8_t>(folder);
    check_type<std::int16_t>(folder);
    check_type<std::uint16_t>(folder);
    check_type<std::int32_t>(folder);
    check_type<std::uint32_t>(folder);
    check_type<std::int64_t>(folder);
    check_type<std::uint64_t>(folder);
    check_type<float>(folder);
    check_type<double>(folder);
    check_type<std::complex<float>>(folder);
    check_type<std::complex<double>>(folder);
}

void check_growth(const std::string &folder)
{
    auto a = xta::array::create<float>(folder + "/grown", {0, 2, 3},
                                       {{"time", "y", "x"}, {4, 2, 2}, -1.0});
    auto reader = xta::array::open(folder + "/grown");
    std::vector<float> rows(12);
    std::iota(rows.begin(), rows.end(), 0.0F);
    check(a.append(a.axis("time"), rows) == xta::box{{0, 2}, {0, 2}, {0, 3}}, "appended behind");
    check(a.append(0, std::vector<int>(6, 7), XTA_FRONT) == xta::box{{-1, 0}, {0, 2}, {0, 3}},
          "appended before");
    check(a.extend(2, 1) == xta::box{{-1, 2}, {0, 2}, {0, 4}}, "extended");
    a.sync();
    check(reader.bounds().size() == 0 && reader.refresh() && reader.bounds() == a.bounds(),
          "a reader keeps its bounds");
    const xta::block<double> cells = reader.read<double>(reader.bounds());
    check(cells(0, 0, 0) == 7 && cells(1, 0, 1) == 1 && cells(2, 1, 2) == 11 &&
              cells(2, 1, 3) == -1,
          "cells of a block");
    check(cells.size() == 24 && cells.end() - cells.begin() == 24, "size of a block");
    check(a.shrink(0, 1, XTA_FRONT)[0].lo == 0, "shrunk");
    check(a.ndim() == 3 && a.axis_name(1) == "y" && a.path() == folder + "/grown", "inquiry");
#if __cplusplus >= 202002L
    std::span<float> part(rows.data(), 3);
    a.read({{1, 2}, {0, 1}, {0, 3}}, part);
    check(part[2] == 8, "a span");
    a.write({{1, 2}, {0, 1}, {0, 3}}, std::span<const float>(part));
#endif
}

void check_view()
{
    std::vector<int> values(24);
    std::iota(values.begin(), values.end(), 0);
    xta::view<int> v(values.data(), {2, 3, 4});
    check(v(1, 2, 3) == 23 && v(0, 1, 0) == 4 && v.size() == 24 && v.ndim() == 3 &&
              v.stride(0) == 12,
          "a view");
    v(0, 0, 1) = 100;
    check(values[1] == 100 && v.length(2) == 4, "a view refers");
    xta::block<int> b(xta::box{{-2, 0}, {5, 8}});
    check(b(1, 2) == 0 && b.box()[1].lo == 5, "a block begins with zeros");
    b(1, 2) = 3;
    xta::block<int> moved = std::move(b);
    check(moved(1, 2) == 3 && moved.size() == 6, "a block that was moved to");
    // NOLINTNEXTLINE(bugprone-use-after-move)
    check(b.size() == 0 && b.begin() == b.end(), "one that was moved from");
    b = std::move(moved);
    // NOLINTNEXTLINE(bugprone-use-after-move)
    check(b(1, 2) == 3 && b.end() - b.begin() == 6 && moved.size() == 0, "a block moved back");
    check(xta::view<int>().size() == 0, "a view of nothing");
}

void check_attributes(const std::string &folder)
{
    auto a = xta::array::create<double>(folder + "/attributed", {4}, {{"x"}});
    a.set("title", "a text");
    a.set("levels", std::vector<int>{1, 2, 3});
    a.set("units", "m", 0);
    xta_regular regular{};
    regular.type = XTA_F64;
    regular.origin.f = 10;
    regular.step.f = 0.5;
    xta_error why;
    check(xta_axis_set_regular(a.handle(), 0, &regular, &why) == XTA_OK, "the handle of C");
    check(a.text("title") == "a text" && a.text("units", 0) == "m", "texts");
    check(a.numbers<double>("levels") == std::vector<double>{1, 2, 3}, "numbers");
    check(a.coordinates(0) == std::vector<double>{10, 10.5, 11, 11.5}, "coordinates");
    check(a.select("x=10.5:11") == xta::box{{1, 3}}, "labels");
    throws(XTA_ETYPE, "numbers as a text", [&] { (void)a.text("levels"); });
    throws(XTA_ETYPE, "a text as numbers", [&] { (void)a.numbers<int>("title"); });
    throws(XTA_ENOENT, "no such attribute", [&] { (void)a.text("none"); });
}

void check_set(const std::string &folder)
{
    auto set = xta::dataset::create(folder + "/set");
    xta_dimension time{};
    time.name = "time";
    set.set_dimension(time);
    auto a = set.add<std::int32_t>("a", {"time"}, {{}, {}, 5.0});
    const std::array<std::int32_t, 2> values{1, 2};
    xta_member_cells cells{};
    cells.member = "a";
    cells.cells = values.data();
    xta_dataset_slab slab{};
    slab.dimension = "time";
    slab.by = 2;
    slab.cells = &cells;
    slab.n_cells = 1;
    check(set.append(slab) == 0 && a.read<int>(a.bounds())(1) == 2, "appended to a set");
    check(set.members() == std::vector<std::string>{"a"}, "members");
    set.close();
    auto again = xta::dataset::open(folder + "/set");
    check(!again.refresh() && again.member("a").bounds() == xta::box{{0, 2}}, "a set opened again");
    throws(XTA_ENOENT, "no such member", [&] { (void)again.member("b"); });
    throws(XTA_ESTATE, "a closed set", [&] { (void)set.members(); });
}

void check_errors(const std::string &folder)
{
    throws(XTA_ENOENT, "no such array", [&] { (void)xta::array::open(folder + "/none"); });
    auto a = xta::array::create<std::int8_t>(folder + "/errors", {4});
    throws(XTA_EEXIST, "it exists",
           [&] { (void)xta::array::create<int>(folder + "/errors", {4}); });
    throws(XTA_EBOX, "beyond the bounds", [&] { (void)a.read<int>({{2, 5}}); });
    throws(XTA_EARG, "too few elements", [&] { a.write(a.bounds(), std::vector<int>(3)); });
    throws(XTA_ERANGE, "a number that does not fit",
           [&] { a.write(a.bounds(), std::vector<int>(4, 1000)); });
    throws(XTA_EARG, "no such axis", [&] { a.extend(1, 1); });
    throws(XTA_EARG, "no such axis of a box", [&] { a.append(1, std::vector<int>(4)); });
    throws(XTA_EARG, "names of other axes", [&] {
        (void)xta::array::create<int>(folder + "/e", {4}, {{"a", "b"}});
    });
    throws(XTA_ERANGE, "a fill value that does not fit", [&] {
        (void)xta::array::create<std::int8_t>(folder + "/e", {4}, {{}, {}, 1000.0});
    });
    throws(XTA_EARG, "a box of 40 axes", [] { (void)xta::box(std::vector<xta::range>(40)); });
    throws(XTA_EOVERFLOW, "a box without axes", [] { (void)xta::box().size(); });
    auto two = xta::array::create<int>(folder + "/two", {2, 2});
    throws(XTA_EBOX, "half a row", [&] { two.append(0, std::vector<int>(3)); });

    xta::array moved = std::move(a);
    check(moved.is_open() && !a.is_open(), "moved"); // NOLINT(bugprone-use-after-move)
    throws(XTA_ESTATE, "moved from", [&] { (void)a.bounds(); });
    a = std::move(moved);
    check(a.bounds().size() == 4, "moved back");
    a.close();
    a.close();
    throws(XTA_ESTATE, "closed", [&] { a.sync(); });
}

} // namespace

int main(int argc, char *argv[])
{
    if (argc != 2) {
        std::cerr << "usage: test_hpp FOLDER\n";
        return 2;
    }
    const std::string folder = argv[1];
    check_types(folder);
    check_growth(folder);
    check_view();
    check_attributes(folder);
    check_set(folder);
    check_errors(folder);
    std::cout << "test_hpp: " << n_checks << " checks\n";
    return 0;
}

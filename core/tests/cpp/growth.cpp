// A growing array from C++: append at both ends, read a block, and a data set member by its
// coordinates.
//
// SPDX-License-Identifier: Apache-2.0
#include <xta.hpp>

#include <iostream>

int main()
{
    auto sst = xta::array::create<float>("sst", {0, 3, 4}, {{"time", "lat", "lon"}});
    for (int month = 1; month <= 3; month++) {
        sst.append(sst.axis("time"), std::vector<float>(12, static_cast<float>(month)));
    }
    sst.append(0, std::vector<float>(12, 0.0F), XTA_FRONT); // the month before; no cell moves

    const xta::block<double> place = sst.read<double>({{-1, 3}, {1, 2}, {2, 3}});
    for (const double value : place) {
        std::cout << value << " ";
    }
    std::cout << "\n";
    try {
        sst.read<float>({{0, 9}, {0, 3}, {0, 4}});
    } catch (const xta::error &why) {
        std::cout << xta_status_name(why.status()) << "\n";
    }
    return place(0, 0, 0) == 0 && place(3, 0, 0) == 3 ? 0 : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of transforms, shared by orders m and rings, that divide unevenly.
#pragma once

#include <QtTest>
#include <vector>

#include "armilla/ops/ring_grid.h"

namespace armilla::test {

struct ShareCase {
    const char* name;
    RingGrid grid;
    int lmax, mmax;
};
inline std::vector<ShareCase> shareCases() {
    return {{"HEALPix", RingGrid::healpix(64), 128, 128},
            {"few orders", RingGrid::healpix(64), 150, 20},
            {"fewer tiles than shares", RingGrid::healpix(4), 9, 9},
            {"fewer rings than shares", RingGrid::gaussLegendre(3, 9), 2, 2},
            {"odd rings", RingGrid::gaussLegendre(65, 131), 64, 64},
            {"poles", RingGrid::clenshawCurtis(33, 64), 31, 31},
            // Sums at fewer latitudes than rings.
            {"interpolated", RingGrid::healpix(512), 1000, 1000},
            {"interpolated, odd", RingGrid::fejer(1601, 1200), 601, 590}};
}
// A row for each shape and number of shares, named `what`.
inline void addShareRows(const char* what) {
    QTest::addColumn<RingGrid>("grid");
    QTest::addColumn<int>("lmax");
    QTest::addColumn<int>("mmax");
    QTest::addColumn<int>("shares");
    for (const ShareCase& c : shareCases())
        for (const int shares : {1, 2, 3, 5})
            QTest::addRow("%s, %d %s", c.name, shares, what)
                << c.grid << c.lmax << c.mmax << shares;
}

}  // namespace armilla::test

Q_DECLARE_METATYPE(armilla::RingGrid)

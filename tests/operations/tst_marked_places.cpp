// SPDX-License-Identifier: GPL-3.0-or-later
// Directions of a catalog's rows for a figure.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "armilla/operations/figure_content.h"
#include "support/less_memory.h"

using namespace armilla;

namespace {

constexpr int64_t kRows = (int64_t{1} << 22) + 5;

bool isMissing(int64_t row) {
    return row % 1000 == 3;
}

LonLat placeOf(int64_t row) {
    const auto share = static_cast<double>(row) / static_cast<double>(kRows);
    return {kTwoPi * share, 3.0 * share - 1.5};
}

std::shared_ptr<const Catalog> catalog() {
    auto result = std::make_shared<Catalog>();
    std::vector<double> lon, lat;
    lon.reserve(kRows);
    lat.reserve(kRows);
    for (int64_t row = 0; row < kRows; ++row) {
        const LonLat at = placeOf(row);
        lon.push_back(at.lon);
        lat.push_back(isMissing(row) ? std::numeric_limits<double>::quiet_NaN() : at.lat);
    }
    result->table.columns.resize(2);
    result->table.columns[0].values = std::move(lon);
    result->table.columns[1].values = std::move(lat);
    result->position = {0, 1, Frame::Galactic, 1.0, 1.0};
    return result;
}

}  // namespace

class tst_marked_places : public QObject {
    Q_OBJECT

private slots:
    // All rows with a position, in order, and again on each call.
    void rowsInOrder() {
        JobContext job;
        const auto places = markedPlaces(catalog(), Frame::Galactic, job);
        for (int pass = 0; pass < 2; ++pass) {
            int64_t row = 0, count = 0;
            double farthest = 0.0;
            places->forBlocks(
                [&](std::span<const Vec3> block) {
                    for (const Vec3& place : block) {
                        if (isMissing(row)) ++row;
                        farthest = std::max(farthest, norm(place - direction(placeOf(row++))));
                    }
                    count += std::ssize(block);
                },
                job);
            // A rotation by the identity rounds nothing.
            QCOMPARE(farthest, 0.0);
            QCOMPARE(count, places->count);
            QCOMPARE(count, kRows - (kRows + 996) / 1000);
        }
    }

    // Directions of all rows take 96 MiB, a block of them 24 MiB.
    void memoryOfABlock() {
#if !defined(__SANITIZE_ADDRESS__)  // reserves terabytes of addresses
        JobContext job;
        const auto rows = catalog();
        int64_t count = 0;
        // The first call starts the threads, whose stacks are no part of the limit.
        const auto first = markedPlaces(rows, Frame::Galactic, job);
        const test::LessMemory less(int64_t{64} << 20);
        const auto places = markedPlaces(rows, Frame::Galactic, job);
        places->forBlocks([&](std::span<const Vec3> block) { count += std::ssize(block); }, job);
        QCOMPARE(count, first->count);
#endif
    }
};

QTEST_GUILESS_MAIN(tst_marked_places)
#include "tst_marked_places.moc"

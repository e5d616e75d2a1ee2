// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that bypass the caches, compared with the standard library byte by byte.
#include "copy_past_caches.h"

#include <QtTest>
#include <algorithm>
#include <cstring>
#include <vector>

using namespace armilla;

class CopyPastCachesTest : public QObject {
    Q_OBJECT
private slots:
    // All lengths around those of vectors, between all offsets within a vector; adjacent bytes stay
    // unchanged.
    void copiesBytes() {
        constexpr size_t kPlaces = 17, kLongest = 100, kCapacity = kPlaces + kLongest + 32;
        std::vector<unsigned char> from(kCapacity), to(kCapacity), expected(kCapacity);
        for (size_t i = 0; i < kCapacity; ++i) from[i] = static_cast<unsigned char>(7 * i + 1);
        for (size_t source = 0; source < kPlaces; ++source)
            for (size_t place = 0; place < kPlaces; ++place)
                for (size_t count = 0; count <= kLongest; ++count) {
                    std::fill(to.begin(), to.end(), 0xA5);
                    expected = to;
                    std::memcpy(expected.data() + place, from.data() + source, count);
                    copyPastCaches(to.data() + place, from.data() + source, count);
                    QCOMPARE(to, expected);
                }
    }
};

QTEST_APPLESS_MAIN(CopyPastCachesTest)
#include "tst_copy_past_caches.moc"

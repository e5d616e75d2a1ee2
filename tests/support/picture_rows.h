// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of every projection with every scale, for tests of pictures.
#pragma once

#include <QtTest>
#include <initializer_list>

#include "armilla/core/color_mapping.h"
#include "support/projections.h"

namespace armilla::test {

// Columns `projection`, `scale`, `zoom`.
inline void addPictureRows(std::initializer_list<double> zooms) {
    QTest::addColumn<Projection>("projection");
    QTest::addColumn<Scale>("scale");
    QTest::addColumn<double>("zoom");
    const std::pair<const char*, Scale> scales[] = {{"linear", Scale::Linear},
                                                    {"log", Scale::Log},
                                                    {"symlog", Scale::SymLog},
                                                    {"asinh", Scale::Asinh},
                                                    {"histogram", Scale::Histogram}};
    for (const auto& [name, projection] : kProjections)
        for (const auto& [scaleName, scale] : scales)
            for (const double zoom : zooms)
                QTest::addRow("%s, %s, zoom %g", name, scaleName, zoom)
                    << projection << scale << zoom;
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Quadrature rules in colatitude: their definitions summed term by term, and the integrals that
// must be exact.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sht/latitude/latitude_rules.h"

using namespace armilla;

namespace {

using Wide = long double;
const Wide kPi = std::acos(Wide{-1});
constexpr Wide kEpsilon = std::numeric_limits<Wide>::epsilon();

using Rule = LatitudeNode (*)(int64_t, int64_t);

std::vector<LatitudeNode> nodesOf(Rule rule, int64_t rows) {
    std::vector<LatitudeNode> nodes;
    for (int64_t i = 0; 2 * i < rows; ++i) nodes.push_back(rule(rows, i));
    return nodes;
}

// Weight of a node of an interpolatory rule with equidistant nodes, of `terms` terms.
Wide cosineWeight(Wide theta, Wide scale, int64_t terms, bool halfEnd) {
    Wide sum = 1;
    for (int64_t k = 1; k <= terms; ++k) {
        const auto even = static_cast<Wide>(2 * k);
        const Wide term = 2 * std::cos(even * theta) / (1 - even * even);
        sum += halfEnd && k == terms ? term / 2 : term;
    }
    return 4 * kPi * scale * sum;
}

}  // namespace

class LatitudeRulesTest : public QObject {
    Q_OBJECT

private slots:
    void equidistantWeights_data() {
        QTest::addColumn<bool>("poles");
        QTest::addColumn<int>("rows");
        for (const bool poles : {false, true})
            for (const int rows : {2, 3, 4, 63, 64, 65, 66, 200, 1001})
                QTest::addRow("%s, %d rows", poles ? "Clenshaw-Curtis" : "Fejer", rows)
                    << poles << rows;
    }

    // Compared with the sums themselves. A sum of n rounded terms, with phases k theta that are off
    // by epsilon k theta, errs by about n epsilon; the scale of a weight is pi sin(theta) / 2.
    void equidistantWeights() {
        QFETCH(const bool, poles);
        QFETCH(const int, rows);
        for (int64_t i = 0; 2 * i < rows; ++i) {
            const LatitudeNode node = poles ? clenshawCurtisNode(rows, i) : fejerNode(rows, i);
            const Wide n = poles ? rows - 1 : rows;
            const Wide theta =
                kPi * (poles ? static_cast<Wide>(i) : static_cast<Wide>(i) + Wide{0.5}) / n;
            const Wide end = poles && i == 0 ? Wide{0.5} : Wide{1};
            const Wide weight =
                cosineWeight(theta, end / n, (rows - 1) / 2, poles && rows % 2 == 1);
            QVERIFY(std::fabs(node.weight - weight) <= 4 * kPi * kEpsilon);
            QVERIFY(std::fabs(node.z - std::cos(theta)) <= 2 * kEpsilon);
            QVERIFY(std::fabs(node.sinTheta - std::sin(theta)) <= 2 * kEpsilon * node.sinTheta);
        }
    }

    void gaussLegendreNodes_data() {
        QTest::addColumn<int>("rows");
        for (const int rows : {1, 2, 3, 20, 64, 65, 100, 513, 2000})
            QTest::addRow("%d", rows) << rows;
    }

    // P_n vanishes at the nodes, by Bonnet's recurrence, whose error grows as epsilon sqrt(n) away
    // from the poles; distances in theta: P_n / (d P_n / d theta).
    void gaussLegendreNodes() {
        QFETCH(const int, rows);
        const Wide n = rows;
        Wide last = 0;
        for (int64_t i = 0; 2 * i < rows; ++i) {
            const LatitudeNode node = gaussLegendreNode(rows, i);
            Wide before = 1, value = node.z;
            for (int l = 2; l <= rows; ++l) {
                const Wide next = ((2 * l - 1) * node.z * value - (l - 1) * before) / l;
                before = value;
                value = next;
            }
            if (rows == 1) before = 1;
            const Wide slope = n * (before - node.z * value) / node.sinTheta;
            // cos(theta) is rounded to epsilon / 2, which is epsilon / (2 sin(theta)) of theta.
            const Wide limit = kEpsilon * (n / 4 + 4 / node.sinTheta);
            QVERIFY2(std::fabs(value / slope) <= limit,
                     qPrintable(QString("node %1: %2").arg(i).arg(double(value / slope))));
            // Bonnet's recurrence rounds at each degree, and P_{n-1} is below one.
            const Wide weight = 4 * kPi / (slope * slope);
            QVERIFY2(
                std::fabs(node.weight / weight - 1) <= 10 * (n + 1) * kEpsilon,
                qPrintable(QString("node %1: %2").arg(i).arg(double(node.weight / weight - 1))));
            const Wide theta = std::asin(node.sinTheta);
            QVERIFY(theta > last);
            last = theta;
        }
    }

    void integrals_data() {
        QTest::addColumn<int>("rule");
        QTest::addColumn<int>("rows");
        const char* names[] = {"Clenshaw-Curtis", "Fejer", "Gauss-Legendre"};
        for (int rule = 0; rule < 3; ++rule)
            for (const int rows : {64, 65, 4097, 32769})
                QTest::addRow("%s, %d rows", names[rule], rows) << rule << rows;
    }

    // The sphere's area, and the mean of P_l (zero) at even l up to the largest that is exact.
    // Each weight is right to some 16 epsilon near the poles (rounding of n steps), P_l to l
    // epsilon.
    void integrals() {
        QFETCH(const int, rule);
        QFETCH(const int, rows);
        const Rule rules[] = {clenshawCurtisNode, fejerNode, gaussLegendreNode};
        const std::vector<LatitudeNode> nodes = nodesOf(rules[rule], rows);
        const int exact = rule == 2 ? 2 * rows - 2 : (rows - 1) / 2 * 2;
        std::vector<Wide> before(nodes.size(), 1), value(nodes.size());
        for (size_t i = 0; i < nodes.size(); ++i) value[i] = nodes[i].z;
        const auto integral = [&](const std::vector<Wide>& f) {
            Wide sum = 0;
            for (size_t i = 0; i < nodes.size(); ++i) {
                const bool equator = rows % 2 == 1 && i + 1 == nodes.size();
                sum += (equator ? 1 : 2) * nodes[i].weight * f[i];
            }
            return sum;
        };
        QVERIFY2(std::fabs(integral(before) - 4 * kPi) <= 4 * kPi * 64 * kEpsilon,
                 qPrintable(QString("area %1").arg(double(integral(before) - 4 * kPi))));
        const int highest = std::min(exact, 1200);  // P_l costs a step for each l and node
        for (int l = 2; l <= highest; ++l) {
            for (size_t i = 0; i < nodes.size(); ++i) {
                const Wide next = ((2 * l - 1) * nodes[i].z * value[i] - (l - 1) * before[i]) / l;
                before[i] = value[i];
                value[i] = next;
            }
            if (l % 2 == 0 && (l < 8 || l > highest - 4))
                QVERIFY2(std::fabs(integral(value)) <= 100 * l * kEpsilon,
                         qPrintable(QString("l %1: %2").arg(l).arg(double(integral(value)))));
        }
    }
};

QTEST_APPLESS_MAIN(LatitudeRulesTest)
#include "tst_latitude_rules.moc"

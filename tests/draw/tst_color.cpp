// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/round_step.h"
#include "armilla/draw/color_scale.h"

using namespace armilla;

namespace {

ColorScale scaleOf(Scale kind, float low, float high, float linear = 1.0F) {
    ColorScale scale;
    scale.mapping = {kind, low, high, 0.5F, linear};
    return scale;
}

float position(const ColorScale& scale, float value) {
    return colorPosition(scale.mapping, scale.cumulative.data(), value);
}

// Lightness of CIE 1976 from sRGB.
double lightness(Rgba c) {
    const auto linear = [](double v) {
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const double y =
        0.2126 * linear(c.r / 255.0) + 0.7152 * linear(c.g / 255.0) + 0.0722 * linear(c.b / 255.0);
    return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Scale)

class ColorTest : public QObject {
    Q_OBJECT
private slots:
    // Ends and closed forms between.
    void positions() {
        const ColorScale linear = scaleOf(Scale::Linear, -2.0F, 6.0F);
        QCOMPARE(position(linear, -2.0F), 0.0F);
        QCOMPARE(position(linear, 6.0F), 1.0F);
        QCOMPARE(position(linear, 0.0F), 0.25F);
        const ColorScale log = scaleOf(Scale::Log, 1.0F, 1e4F);
        // Six operations in single precision round by 6e-8 each.
        QVERIFY(std::fabs(position(log, 100.0F) - 0.5F) < 1e-6F);
        const ColorScale symlog = scaleOf(Scale::SymLog, -std::exp(4.0F), std::exp(4.0F), 1.0F);
        QVERIFY(std::fabs(position(symlog, 0.0F) - 0.5F) < 1e-6F);
        QVERIFY(std::fabs(position(symlog, 1.0F) - 0.6F) < 1e-6F);  // (5 + 1) / 10
        QVERIFY(std::fabs(position(symlog, std::exp(2.0F)) - 0.8F) < 1e-6F);
        QVERIFY(std::fabs(position(symlog, -std::exp(2.0F)) - 0.2F) < 1e-6F);
        const ColorScale asinh = scaleOf(Scale::Asinh, -std::sinh(2.0F), std::sinh(2.0F), 1.0F);
        QVERIFY(std::fabs(position(asinh, std::sinh(1.0F)) - 0.75F) < 1e-6F);
    }

    void exceptions_data() {
        QTest::addColumn<Scale>("kind");
        QTest::newRow("linear") << Scale::Linear;
        QTest::newRow("log") << Scale::Log;
        QTest::newRow("symlog") << Scale::SymLog;
        QTest::newRow("asinh") << Scale::Asinh;
        QTest::newRow("histogram") << Scale::Histogram;
    }
    void exceptions() {
        QFETCH(Scale, kind);
        ColorScale scale = scaleOf(kind, 1.0F, 9.0F);
        for (size_t i = 0; i < 256; ++i)
            scale.cumulative[i] = 1.0F + 8.0F * static_cast<float>(i) / 255.0F;
        scale.below = {1, 1, 1, 255};
        scale.above = {2, 2, 2, 255};
        scale.bad = {3, 3, 3, 255};
        const ColorTable table = colorTable("viridis", false);
        QVERIFY(std::isnan(position(scale, std::nanf(""))));
        QVERIFY(position(scale, 0.5F) < 0.0F);
        QVERIFY(position(scale, -7.0F) < 0.0F);
        QVERIFY(position(scale, 9.5F) > 1.0F);
        QVERIFY(position(scale, HUGE_VALF) > 1.0F);
        QVERIFY(position(scale, -HUGE_VALF) < 0.0F);
        QCOMPARE(colorOf(scale, table, std::nanf("")), scale.bad);
        QCOMPARE(colorOf(scale, table, 0.5F), table.front());
        QCOMPARE(colorOf(scale, table, 9.5F), table.back());
        scale.ownBelow = scale.ownAbove = true;
        QCOMPARE(colorOf(scale, table, 0.5F), scale.below);
        QCOMPARE(colorOf(scale, table, 9.5F), scale.above);
        QCOMPARE(colorOf(scale, table, 1.0F), table.front());
        QCOMPARE(colorOf(scale, table, 9.0F), table.back());
        // Monotone, and restored by the inverse, to single precision times the spread of the scale.
        for (const float middle : {0.5F, 0.2F}) {
            scale.mapping.middle = middle;
            float last = -1.0F;
            for (float value = 1.0F; value <= 9.0F; value += 0.01F) {
                const float p = position(scale, value);
                QVERIFY(p >= last);
                last = p;
                // Half a unit of single precision of the position, 6e-8, times the steepest slope
                // of the scale.
                QVERIFY(std::fabs(valueAtPosition(scale, static_cast<double>(p)) -
                                  static_cast<double>(value)) < 2e-4);
            }
        }
    }

    void middle() {
        ColorScale scale = scaleOf(Scale::Linear, 0.0F, 10.0F);
        scale.mapping.middle = 0.2F;  // value 2 gets the middle color
        QVERIFY(std::fabs(position(scale, 2.0F) - 0.5F) < 1e-6F);
        QCOMPARE(position(scale, 0.0F), 0.0F);
        QCOMPARE(position(scale, 10.0F), 1.0F);
    }

    void emptyRange() {
        for (const Scale kind : {Scale::Linear, Scale::Log, Scale::SymLog, Scale::Asinh}) {
            const ColorScale scale = scaleOf(kind, 3.0F, 3.0F);
            QCOMPARE(position(scale, 3.0F), 0.5F);
            QVERIFY(position(scale, 2.9F) < 0.0F);
            QCOMPARE(colorBarTicks(scale, 5).size(), size_t{1});
        }
        // A logarithm of a range that extends below 0 keeps its upper decades.
        const ColorScale log = scaleOf(Scale::Log, -5.0F, 1.0F);
        QVERIFY(std::fabs(position(log, 1e-3F) - 0.5F) < 1e-6F);
        QVERIFY(position(log, -1.0F) < 0.0F);
    }

    void histogramWithPlateaus() {
        ColorScale scale = scaleOf(Scale::Histogram, 0.0F, 1.0F);
        for (size_t i = 0; i < 256; ++i)
            scale.cumulative[i] = i < 100 ? 0.0F : static_cast<float>(i - 99) / 156.0F;
        QCOMPARE(position(scale, 0.0F), 0.0F);  // zeros keep the lowest color
        QVERIFY(position(scale, 0.001F) > 0.38F);
        QCOMPARE(position(scale, 1.0F), 1.0F);
        scale.cumulative.fill(4.0F);
        QCOMPARE(position(scale, 4.0F), 0.0F);
    }

    void maps() {
        const auto names = colorMapNames();
        for (const char* name :
             {"planck", "viridis", "cividis", "magma", "inferno", "plasma", "coolwarm", "RdBu",
              "hot", "cubehelix", "turbo", "twilight", "gray"})
            QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name);
        for (const std::string& name : names) {
            const ColorTable table = colorTable(name, false);
            const ColorTable back = colorTable(name, true);
            for (size_t i = 0; i < 256; ++i) {
                QCOMPARE(table[i], back[255 - i]);
                if (i == 0) continue;
                // Smooth: no step is visible as an edge. The limit is twice the mean step of the
                // steepest map, 100 units of lightness in 256 entries; turbo's published
                // polynomials, which oscillate, begin at 2.3.
                const double step = std::fabs(lightness(table[i]) - lightness(table[i - 1]));
                QVERIFY2(step < (name == "turbo" ? 2.4 : 2.0),
                         qPrintable(QString("%1 %2: %3").arg(name.c_str()).arg(i).arg(step)));
            }
        }
        QVERIFY_EXCEPTION_THROWN(colorTable("jet", false), InvalidArgument);
    }
    // Sequential maps must be monotone in lightness; rounding to bytes causes an error of 0.4.
    void sequentialMapsGrowLighter() {
        for (const char* name :
             {"viridis", "cividis", "magma", "inferno", "plasma", "hot", "cubehelix", "gray"}) {
            const ColorTable table = colorTable(name, false);
            for (size_t i = 1; i < 256; ++i)
                QVERIFY2(lightness(table[i]) > lightness(table[i - 1]) - 0.4, name);
        }
    }
    // Values of the published definitions, by hand: ends and a node of `hot`, ends and one position
    // of `cubehelix`.
    void formulasAreThePublishedOnes() {
        const ColorTable hot = colorTable("hot", false), helix = colorTable("cubehelix", false);
        QCOMPARE(hot[0], (Rgba{11, 0, 0, 255}));
        QCOMPARE(hot[255], (Rgba{255, 255, 255, 255}));
        QCOMPARE(hot[94].g, uint8_t{2});  // green starts at 0.365079 of 255: 93.1
        QCOMPARE(helix[0], (Rgba{0, 0, 0, 255}));
        QCOMPARE(helix[255], (Rgba{255, 255, 255, 255}));
        // x = 0.2: angle 2 pi (1/6 + 0.7), amplitude 0.08: cos and sin of 312 degrees.
        const double c = 0.08 * std::cos(312.0 * M_PI / 180.0);
        const double s = 0.08 * std::sin(312.0 * M_PI / 180.0);
        const Rgba fifth = helix[51];
        QVERIFY(std::abs(fifth.r - 255.0 * (0.2 - 0.14861 * c + 1.78277 * s)) <= 0.5);
        QVERIFY(std::abs(fifth.g - 255.0 * (0.2 - 0.29227 * c - 0.90649 * s)) <= 0.5);
        QVERIFY(std::abs(fifth.b - 255.0 * (0.2 + 1.97294 * c)) <= 0.5);
    }
    void cyclicMapCloses() {
        const ColorTable table = colorTable("twilight", false);
        QCOMPARE(table.front(), table.back());
    }

    void ticks_data() {
        QTest::addColumn<Scale>("kind");
        QTest::addColumn<float>("low");
        QTest::addColumn<float>("high");
        QTest::addColumn<float>("linear");
        QTest::addColumn<QString>("labels");
        const auto row = [](const char* name, Scale kind, float low, float high, float linear,
                            const char* labels) {
            QTest::newRow(name) << kind << low << high << linear << QString::fromUtf8(labels);
        };
        row("linear", Scale::Linear, -320, 320, 1, "−300 −200 −100 0 100 200 300");
        row("linear, small", Scale::Linear, 0.0F, 2.5e-5F, 1,
            "0 5×10⁻⁶ 10⁻⁵ 1.5×10⁻⁵ 2×10⁻⁵ 2.5×10⁻⁵");
        row("linear, off zero", Scale::Linear, 2.725F, 2.726F, 1,
            "2.725 2.7252 2.7254 2.7256 2.7258 2.726");
        row("log", Scale::Log, 1e-2F, 1e3F, 1, "0.01 0.1 1 10 100 1000");
        row("log, one decade", Scale::Log, 1.0F, 10.0F, 1, "1 2 3 5 10");
        row("asinh", Scale::Asinh, -300.0F, 300.0F, 10.0F, "−300 −100 −30 0 30 100 300");
        row("symlog", Scale::SymLog, -1000.0F, 1000.0F, 10.0F, "−1000 −100 −20 0 20 100 1000");
    }
    void ticks() {
        QFETCH(Scale, kind);
        QFETCH(float, low);
        QFETCH(float, high);
        QFETCH(float, linear);
        QFETCH(QString, labels);
        const ColorScale scale = scaleOf(kind, low, high, linear);
        QStringList found;
        double last = -1.0;
        // Single precision rounds both ends and the value, in units of the range, and the position.
        const float largest = std::max(std::fabs(low), std::fabs(high));
        const double rounding = 0x1p-24 * (3.0 * largest / (high - low) + 4.0);
        for (const Tick& tick : colorBarTicks(scale, 6)) {
            found << QString::fromStdString(tick.label);
            QVERIFY(tick.position > last && tick.position <= 1.0);
            last = tick.position;
            QVERIFY(std::fabs(tick.position - static_cast<double>(position(
                                                  scale, static_cast<float>(tick.value)))) <=
                    rounding);
        }
        QCOMPARE(found.join(' '), labels);
    }
    // A rounding above a round number does not lengthen the step.
    void roundSteps() {
        for (const auto& [least, step] : {std::pair{0.9, 1.0},
                                          {1.0, 1.0},
                                          {1.0 + 1e-12, 1.0},
                                          {1.1, 2.0},
                                          {3.0, 5.0},
                                          {5.1, 10.0},
                                          {2000.0, 2000.0}})
            QCOMPARE(roundStep(least), step);
        QCOMPARE(roundStep(0.0), 0.0);
    }
    void histogramTicksKeepTheirDistance() {
        ColorScale scale = scaleOf(Scale::Histogram, 0.0F, 1.0F);
        for (size_t i = 0; i < 256; ++i)
            scale.cumulative[i] = std::pow(10.0F, static_cast<float>(i) / 255.0F * 8.0F - 10.0F);
        const auto ticks = colorBarTicks(scale, 6);
        QVERIFY(ticks.size() >= 4 && ticks.size() <= 8);
        for (size_t i = 1; i < ticks.size(); ++i)
            QVERIFY(ticks[i].position - ticks[i - 1].position > 0.1);
    }
};

QTEST_APPLESS_MAIN(ColorTest)
#include "tst_color.moc"

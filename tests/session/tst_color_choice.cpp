// SPDX-License-Identifier: GPL-3.0-or-later
// The colors that a field opens with.
#include <QSignalSpy>
#include <QtTest>
#include <limits>

#include "document_parts.h"

using namespace armilla;
using namespace armilla::test;

namespace {

DrawableField sampleOnly(std::vector<float> sample) {
    DrawableField field;
    std::sort(sample.begin(), sample.end());
    if (!sample.empty()) {
        field.statistics.min = static_cast<double>(sample.front());
        field.statistics.max = static_cast<double>(sample.back());
    }
    field.sortedSample = std::move(sample);
    return field;
}

}  // namespace

class ColorChoiceTest : public QObject {
    Q_OBJECT
private slots:
    void rangeOfPositiveData() {
        // Percentiles 1 and 99 of an even ramp from 0 to 1000.
        const ColorScale scale = defaultColorScale(sampleOnly(ramp(0, 1000)), Quantity::Field);
        QCOMPARE(scale.mapping.low, 10.0F);
        QCOMPARE(scale.mapping.high, 990.0F);
        QCOMPARE(scale.cumulative.front(), 0.0F);
        QCOMPARE(scale.cumulative.back(), 1000.0F);
        QVERIFY(std::is_sorted(scale.cumulative.begin(), scale.cumulative.end()));
        QVERIFY(scale.mapping.linear > 0.0F);
    }
    void rangeOfBothSignsIsSymmetric() {
        // Noise between -1 and 1, and a bright plane on a tenth of the sky.
        auto values = ramp(-1, 1, 900);
        const auto plane = ramp(10, 1000, 100);
        values.insert(values.end(), plane.begin(), plane.end());
        const ColorScale scale = defaultColorScale(sampleOnly(values), Quantity::Field);
        QCOMPARE(scale.mapping.low, -scale.mapping.high);
        QVERIFY(scale.mapping.high > 0.9F && scale.mapping.high <= 1.0F);
    }
    void rangeOfSpecialData() {
        const ColorScale mask =
            defaultColorScale(sampleOnly({0, 0, 0, 1, 1, 1, 1, 1, 1}), Quantity::Field);
        QCOMPARE(mask.colorMap, std::string("gray"));
        QCOMPARE(mask.mapping.low, 0.0F);
        QCOMPARE(mask.mapping.high, 1.0F);
        const ColorScale angle =
            defaultColorScale(sampleOnly(ramp(-80, 70)), Quantity::PolarizationAngle);
        QCOMPARE(angle.colorMap, std::string("twilight"));
        QCOMPARE(angle.mapping.low, -90.0F);
        QCOMPARE(angle.mapping.high, 90.0F);
        const ColorScale amplitude =
            defaultColorScale(sampleOnly(ramp(2, 5)), Quantity::PolarizedAmplitude);
        QCOMPARE(amplitude.colorMap, std::string("viridis"));
        QCOMPARE(amplitude.mapping.low, 0.0F);
        for (const float constant : {0.0F, 5.0F, -3.0F, 1e30F}) {
            const ColorScale flat =
                defaultColorScale(sampleOnly(std::vector<float>(100, constant)), Quantity::Field);
            QVERIFY(flat.mapping.low < flat.mapping.high);
        }
        // Almost everything equal: the whole range.
        std::vector<float> spikes(1000, 0.0F);
        spikes[3] = 8.0F;
        QCOMPARE(defaultColorScale(sampleOnly(spikes), Quantity::Field).mapping.high, 8.0F);
        const ColorScale none = defaultColorScale(sampleOnly({}), Quantity::Field);
        QVERIFY(none.mapping.low < none.mapping.high);
    }
    void firstDrawableSetsTheColors() {
        Document document;
        document.addLayer(noiseMap(4), "a", {});
        QSignalSpy changed(&document, &Document::colorScaleChanged);
        document.setDrawable({1, 0}, drawableOf(document.entries()[0], ramp(0, 1000)));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(document.colorScale({1, 0}).mapping.high, 990.0F);
        ColorScale own = document.colorScale({1, 0});
        own.mapping.high = 5.0F;
        document.setColorScale({1, 0}, own);
        document.setDrawable({1, 0}, drawableOf(document.entries()[0], ramp(0, 1000)));
        QCOMPARE(document.colorScale({1, 0}).mapping.high, 5.0F);
    }
};

QTEST_GUILESS_MAIN(ColorChoiceTest)
#include "tst_color_choice.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Initial colors of fields.
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
        // Almost all values equal: the full range.
        std::vector<float> spikes(1000, 0.0F);
        spikes[3] = 8.0F;
        QCOMPARE(defaultColorScale(sampleOnly(spikes), Quantity::Field).mapping.high, 8.0F);
        const ColorScale none = defaultColorScale(sampleOnly({}), Quantity::Field);
        QVERIFY(none.mapping.low < none.mapping.high);
    }
    // Five decades, uniform in the logarithm: linear colors would show a fifth of the sky.
    void longTailsDoNotFlattenThePicture() {
        std::vector<float> values;
        for (const float power : ramp(-2.5F, 2.5F)) values.push_back(std::pow(10.0F, power));
        const ColorScale scale = defaultColorScale(sampleOnly(values), Quantity::Field);
        QCOMPARE(scale.mapping.scale, Scale::Log);
        const PreparedMapping mapping = prepareMapping(scale.mapping);
        const float middle = colorPosition(mapping, scale.cumulative.data(), 1.0F);
        // Each end of the scale is within one of 1,000 steps of its quantile.
        QVERIFY(std::abs(middle - 0.5F) < 1e-3F);
        // With a tenth of the pixels below zero: asinh.
        for (float& value : values) value -= 1e-2F;
        const ColorScale both = defaultColorScale(sampleOnly(values), Quantity::Field);
        QCOMPARE(both.mapping.scale, Scale::Asinh);
        // Noise and a ramp stay linear.
        QCOMPARE(defaultColorScale(sampleOnly(ramp(0, 1)), Quantity::Field).mapping.scale,
                 Scale::Linear);
    }
    // 200 pixels with probability proportional to 1, 2, ..., 200: the smallest region with half of
    // it is the pixels above 200 / sqrt 2 = 141.
    void probabilitiesOpenByCredibleLevel() {
        const auto field = [](const char* name, const char* unit, std::vector<float> values) {
            values.resize(static_cast<size_t>(pixelCount(8)), 0.0F);
            return std::make_shared<const HealpixMap>(
                8, Ordering::Ring, Frame::Equatorial,
                std::vector<Field>{{name, unit, DiskType::Float32, std::move(values)}});
        };
        std::vector<float> values;
        for (int i = 1; i <= 200; ++i) values.push_back(static_cast<float>(i));
        Document document;
        document.addLayer(field("PROB", "pix-1", values), "p", {});
        document.addLayer(field("HITS", "", values), "n", {});
        document.addLayer(field("I", "K", values), "i", {});
        for (const Layer& layer : document.entries()) {
            std::vector<float> sample = values;
            sample.resize(static_cast<size_t>(pixelCount(8)), 0.0F);
            document.drawings().setDrawable({layer.id, 0}, drawableOf(layer, sample));
        }
        const ColorScale scale = document.drawings().colorScale({LayerId(1), 0});
        QCOMPARE(scale.mapping.scale, Scale::Histogram);
        const PreparedMapping mapping = prepareMapping(scale.mapping);
        const auto level = [&](float value) {
            return colorPosition(mapping, scale.cumulative.data(), value);
        };
        // A step of the table is 1/255, one of the values n / 20100 at most.
        QVERIFY(std::abs(level(141.0F) - 0.5F) < 1.0F / 255.0F + 200.0F / 20100.0F);
        QVERIFY(std::abs(level(63.0F) - 0.1F) < 1.0F / 255.0F + 200.0F / 20100.0F);
        QCOMPARE(level(0.0F), 0.0F);
        QVERIFY(level(200.0F) > 0.99F);
        const ColorScale counts = document.drawings().colorScale({LayerId(2), 0});
        QCOMPARE(counts.mapping.low, 0.0F);
        QCOMPARE(counts.colorMap, std::string("viridis"));
        QVERIFY(document.drawings().colorScale({LayerId(3), 0}).mapping.scale != Scale::Histogram);
    }
    void softMasksAreMasks() {
        auto values = ramp(0, 1, 100);
        values.insert(values.end(), 300, 0.0F);
        values.insert(values.end(), 300, 1.0F);
        QCOMPARE(defaultColorScale(sampleOnly(values), Quantity::Field).colorMap,
                 std::string("gray"));
        QVERIFY(defaultColorScale(sampleOnly(ramp(0, 1)), Quantity::Field).colorMap != "gray");
    }
    void firstDrawableSetsTheColors() {
        Document document;
        document.addLayer(noiseMap(4), "a", {});
        QSignalSpy changed(&document.drawings(), &LayerDrawings::colorScaleChanged);
        document.drawings().setDrawable({LayerId(1), 0},
                                        drawableOf(document.entries()[0], ramp(0, 1000)));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(document.drawings().colorScale({LayerId(1), 0}).mapping.high, 990.0F);
        ColorScale own = document.drawings().colorScale({LayerId(1), 0});
        own.mapping.high = 5.0F;
        document.drawings().setColorScale({LayerId(1), 0}, own);
        document.drawings().setDrawable({LayerId(1), 0},
                                        drawableOf(document.entries()[0], ramp(0, 1000)));
        QCOMPARE(document.drawings().colorScale({LayerId(1), 0}).mapping.high, 5.0F);
    }
};

QTEST_GUILESS_MAIN(ColorChoiceTest)
#include "tst_color_choice.moc"

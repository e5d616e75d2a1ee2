// SPDX-License-Identifier: GPL-3.0-or-later
// Masked spectra on a CUDA device, whose coefficients stay there, compared with
// those of the CPU. Without a device the executable skips;
// ARMILLA_REQUIRE_GPU=1 makes its absence a failure.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "armilla/operations/files.h"
#include "armilla/operations/kept_spectra.h"
#include "support/cuda_guard.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using Options = std::vector<std::pair<std::string, std::string>>;
using MapPointer = std::shared_ptr<const HealpixMap>;

constexpr int64_t kNside = 64;

ParameterSet parametersWith(const Operation& operation, const Options& options) {
    ParameterSet parameters = operation.defaults();
    for (const auto& [name, text] : options) parameters.set(name, text);
    return parameters;
}

// White T, Q and U, with or without bad samples.
enum class Samples { Good, SomeBad };
MapPointer sky(DiskType type, Samples samples) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::vector<Field> fields;
    for (const char* name : {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}) {
        std::vector<double> values(12 * kNside * kNside);
        for (double& value : values) value = normal(random);
        if (samples == Samples::SomeBad)
            for (size_t p = 100; p < values.size(); p += 5000) values[p] = std::nan("");
        Field field;
        field.name = name;
        field.diskType = type;
        if (type == DiskType::Float32)
            field.values = std::vector<float>(values.begin(), values.end());
        else
            field.values = std::move(values);
        fields.push_back(std::move(field));
    }
    return std::make_shared<const HealpixMap>(kNside, Ordering::Ring, Frame::Galactic,
                                              std::move(fields));
}

}  // namespace

class MaskedSpectraCudaTest : public QObject {
    Q_OBJECT

    JobContext job_;

    MapPointer mask(const Options& more) {
        const Operation& mask = *findOperation("mask");
        Options options{{"nside", std::to_string(kNside)}, {"frame", "G"}, {"latitude", "20deg"}};
        options.insert(options.end(), more.begin(), more.end());
        ParameterSet parameters = parametersWith(mask, options);
        Inputs none;
        Context context{Device::cpu(), job_, {}, {}, [](const std::string&) {}};
        return std::get<MapPointer>(runOperation(mask, context, none, parameters).front().data);
    }
    Inputs inputsOf(const MapPointer& map, const MapPointer& mask, std::vector<int> fields) {
        Inputs inputs;
        for (const auto& [slot, data] : {std::pair{"MAP", map}, std::pair{"mask", mask}}) {
            Input input;
            input.slot = slot;
            input.name = slot;
            input.data = data;
            input.fields = data == map ? fields : std::vector<int>{0};
            inputs.all.push_back(std::move(input));
        }
        return inputs;
    }
    // The curve of all band powers; of a single operation, or by what `kept`
    // keeps.
    Curve spectra(const Device& device, const Options& options, const MapPointer& map,
                  const MapPointer& mask, KeptSpectra* kept = nullptr) {
        const Operation& anafast = *findOperation("anafast");
        const bool isPolarized =
            std::find(options.begin(), options.end(),
                      std::pair<std::string, std::string>("polarization", "true")) != options.end();
        ParameterSet parameters = parametersWith(anafast, options);
        Inputs inputs = inputsOf(map, mask, isPolarized ? std::vector{0, 1, 2} : std::vector{0});
        Context context{device, job_, {}, {}, [](const std::string&) {}};
        const Outputs outputs = kept != nullptr
                                    ? kept->run(context, inputs, parameters)
                                    : runOperation(anafast, context, inputs, parameters);
        return *std::get<std::shared_ptr<const Curve>>(outputs.front().data);
    }

private slots:
    void initTestCase() { requireCuda(); }

    void likeTheCpu_data() {
        QTest::addColumn<bool>("isPolarized");
        QTest::addColumn<bool>("isSoft");
        QTest::addColumn<bool>("isSingle");
        for (const bool isPolarized : {false, true})
            for (const bool isSoft : {false, true})
                for (const bool isSingle : {false, true})
                    QTest::addRow("%s, %s mask, %s", isPolarized ? "T, Q, U" : "T",
                                  isSoft ? "soft" : "hard", isSingle ? "single" : "double")
                        << isPolarized << isSoft << isSingle;
    }
    void likeTheCpu() {
        QFETCH(bool, isPolarized);
        QFETCH(bool, isSoft);
        QFETCH(bool, isSingle);
        const MapPointer map =
            sky(isSingle ? DiskType::Float32 : DiskType::Float64, Samples::SomeBad);
        const MapPointer cut = mask(isSoft ? Options{{"apodize", "5deg"}} : Options{});
        Options options{
            {"lmax", "120"}, {"bins", "10"}, {"decouple", "true"}, {"errors", "gaussian"}};
        if (isPolarized) options.emplace_back("polarization", "true");
        const Curve expected = spectra(Device::cpu(), options, map, cut);
        KeptSpectra kept;
        for (KeptSpectra* const with : {static_cast<KeptSpectra*>(nullptr), &kept}) {
            const Curve found = spectra(firstCudaDevice(), options, map, cut, with);
            QCOMPARE(found.series.size(), expected.series.size());
            for (size_t s = 0; s < found.series.size(); ++s) {
                const CurveSeries &one = found.series[s], &other = expected.series[s];
                QCOMPARE(one.values.size(), other.values.size());
                QCOMPARE(one.errors.size(), one.values.size());
                for (size_t q = 0; q < one.values.size(); ++q) {
                    // Transforms agree to 1e-13, which matrices of condition below 100 amplify.
                    // White spectra are less than 30 times their errors here.
                    const double limit = 1e-11 * 30 * other.errors[q];
                    QVERIFY(std::abs(one.values[q] - other.values[q]) < limit);
                    QVERIFY(std::abs(one.errors[q] - other.errors[q]) < limit);
                }
            }
        }
    }

    // Purification needs the coefficients of the mask, the runs before and after it do not. The
    // bits of a run do not depend on those before.
    void runsInTurn() {
        // A bad sample would be a step of the mask, which purification refuses.
        const MapPointer map = sky(DiskType::Float64, Samples::Good),
                         cut = mask({{"apodize", "20deg"}});
        const Options plain{{"lmax", "100"},
                            {"bins", "10"},
                            {"decouple", "true"},
                            {"polarization", "true"},
                            {"errors", "gaussian"}};
        Options pure = plain;
        pure.emplace_back("purify", "B");
        const Device device = firstCudaDevice();
        KeptSpectra kept;
        for (const Options& options : {plain, pure, plain}) {
            const Curve found = spectra(device, options, map, cut, &kept);
            KeptSpectra fresh;
            const Curve anew = spectra(device, options, map, cut, &fresh);
            for (size_t s = 0; s < found.series.size(); ++s) {
                QVERIFY(found.series[s].values == anew.series[s].values);
                QVERIFY(found.series[s].errors == anew.series[s].errors);
            }
        }
    }
};

QTEST_APPLESS_MAIN(MaskedSpectraCudaTest)
#include "tst_masked_spectra_cuda.moc"

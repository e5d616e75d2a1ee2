// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of live smoothing on a CUDA device: equal to the bit to the map of the same plan. Small
// rows for a sanitizer: `pictureIsTheMap:small ring`, `picturesFollowEachOther`.
#include <QtTest>
#include <bit>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/device_picture.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/ops/convolve.h"
#include "compute/smooth_maps.h"
#include "support/cuda_guard.h"
#include "support/direct_sht.h"

using namespace armilla;
using namespace armilla::test;

namespace {

enum class Kind { Ring, Nested, Double, Huge, Masked, Partial, Polarized };

std::vector<float> single(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

void spoil(std::vector<double>& values, size_t first) {
    for (size_t p = first; p < values.size(); p += 5)
        if (p % 4 != 0 || p > values.size() / 2) values[p] = std::nan("");
    for (size_t p = values.size() / 4; p < values.size() / 3; ++p) values[p] = std::nan("");
}

MapPointer makeMap(Kind kind, int64_t nside) {
    std::vector<double> values = whiteMap(static_cast<int>(nside), 7);
    const auto of = [&](Ordering ordering, std::vector<Field> fields) {
        return std::make_shared<const HealpixMap>(nside, ordering, Frame::Galactic,
                                                  std::move(fields));
    };
    const auto singleField = [](const char* name, const std::vector<double>& from) {
        return Field{name, "K", DiskType::Float32, single(from)};
    };
    switch (kind) {
        case Kind::Ring: return of(Ordering::Ring, {singleField("T", values)});
        case Kind::Nested:
            spoil(values, 3);
            return of(Ordering::Nested, {singleField("T", values)});
        case Kind::Double: return of(Ordering::Ring, {field("T", values)});
        case Kind::Huge:
            for (double& value : values) value *= 1e200;
            return of(Ordering::Ring, {field("T", values)});
        case Kind::Masked: spoil(values, 0); return of(Ordering::Ring, {singleField("T", values)});
        case Kind::Partial: {
            std::vector<int64_t> pixels;
            std::vector<double> some;
            for (size_t p = values.size() / 8; p < values.size() / 2; p += 1 + p % 2) {
                pixels.push_back(static_cast<int64_t>(p));
                some.push_back(values[p]);
            }
            return std::make_shared<const HealpixMap>(HealpixMap::partial(
                nside, Ordering::Nested, Frame::Galactic, pixels, {singleField("T", some)}));
        }
        case Kind::Polarized: {
            std::vector<double> q = whiteMap(static_cast<int>(nside), 8),
                                u = whiteMap(static_cast<int>(nside), 9);
            spoil(q, 1);
            return of(Ordering::Nested,
                      {singleField("T", values), singleField("Q", q), singleField("U", u)});
        }
    }
    return nullptr;
}

// Faces of the map, level by level, as bits; bad values compare equal for any bits.
bool sameBits(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}
QString difference(const DevicePicture& picture, const HealpixMap& map, int field) {
    JobContext job;
    const MapPyramid pyramid = MapPyramid::build(map, field, int64_t{1} << 20, job);
    if (picture.nside() != pyramid.nside() || picture.levels() != pyramid.levels())
        return QStringLiteral("shapes differ");
    for (int level = 0; level < pyramid.levels(); ++level) {
        const std::vector<float> found = picture.download(level);
        const auto expected = pyramid.level(level);
        for (size_t i = 0; i < expected.size(); ++i)
            if (!sameBits(found[i], expected[i]))
                return QStringLiteral("level %1, cell %2: expected %3, found %4")
                    .arg(level)
                    .arg(i)
                    .arg(static_cast<double>(expected[i]), 0, 'g', 9)
                    .arg(static_cast<double>(found[i]), 0, 'g', 9);
    }
    return {};
}

}  // namespace

class LiveSmoothingCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        requireCuda();
        for (const Device& device : cudaDevices(CudaListing::WithoutContext)) {
            device_ = device;
            break;
        }
    }

    void pictureIsTheMap_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("normalize");
        const auto add = [](const char* name, Kind kind, int nside, bool normalize = true) {
            QTest::newRow(name) << static_cast<int>(kind) << nside << normalize;
        };
        add("small ring", Kind::Ring, 16);
        add("small masked", Kind::Masked, 16);
        add("ring, interpolated in latitude", Kind::Ring, 512);
        add("nested with bad pixels", Kind::Nested, 128);
        add("double precision", Kind::Double, 128);
        add("beyond single precision", Kind::Huge, 64);
        add("masked, normalized", Kind::Masked, 256);
        add("masked, ignored", Kind::Masked, 256, false);
        add("partial", Kind::Partial, 128);
        add("no power of two", Kind::Masked, 100);
        add("no power of two, large", Kind::Ring, 300);
        add("T, Q, U", Kind::Polarized, 256);
        add("T, Q, U, ignored", Kind::Polarized, 64, false);
    }
    void pictureIsTheMap() {
        QFETCH(int, kind);
        QFETCH(int, nside);
        QFETCH(bool, normalize);
        const MapPointer map = makeMap(static_cast<Kind>(kind), nside);
        const bool polarized = static_cast<Kind>(kind) == Kind::Polarized;
        const std::vector<int> fields = polarized ? std::vector<int>{0, 1, 2} : std::vector<int>{0};
        SmoothPlan plan(map, fields, device_);
        SmoothParameters p;
        p.polarization = polarized;
        p.masked = normalize ? Masked::Normalize : Masked::Ignore;
        DevicePictures pictures(device_.index, plan.pictureNside());
        for (const double degrees : {2.0, 20.0, 60.0 / static_cast<double>(nside)}) {
            p.fwhm = degrees * kDegree;
            plan.prepare(p, job_);
            QVERIFY(plan.isPrepared(p));
            const HealpixMap written = plan.execute(p, job_);
            for (size_t i = 0; i < fields.size(); ++i) {
                const auto picture = pictures.next();
                QVERIFY(picture != nullptr);
                plan.enqueue(p, i, *picture);
                picture->wait();
                QVERIFY(picture->isReady());
                const QString what = difference(*picture, written, static_cast<int>(i));
                QVERIFY2(what.isEmpty(), qPrintable(what));
            }
            // The output of another plan, as in the command.
            const HealpixMap again = SmoothPlan(map, fields, device_).execute(p, job_);
            for (size_t i = 0; i < fields.size(); ++i)
                QVERIFY(again.field(static_cast<int>(i)).isSingle() ==
                        written.field(static_cast<int>(i)).isSingle());
            const auto last = pictures.next();
            plan.enqueue(p, fields.size() - 1, *last);
            const QString what = difference(*last, again, static_cast<int>(fields.size()) - 1);
            QVERIFY2(what.isEmpty(), qPrintable(what));
        }
    }

    // Simultaneous requests of different widths do not affect each other.
    void picturesFollowEachOther() {
        constexpr int64_t nside = 32;
        const MapPointer map = makeMap(Kind::Masked, nside);
        SmoothPlan plan(map, {0}, device_);
        std::vector<SmoothParameters> requests(9);
        for (size_t i = 0; i < requests.size(); ++i) {
            requests[i].fwhm = (3.0 + 5.0 * static_cast<double>(i)) * kDegree;
            plan.prepare(requests[i], job_);
        }
        std::vector<std::unique_ptr<DevicePicture>> pictures;
        for (const SmoothParameters& request : requests) {
            pictures.push_back(std::make_unique<DevicePicture>(device_.index, nside));
            plan.enqueue(request, 0, *pictures.back());
        }
        for (size_t i = 0; i < requests.size(); ++i) {
            const QString what = difference(*pictures[i], plan.execute(requests[i], job_), 0);
            QVERIFY2(what.isEmpty(), qPrintable(what));
        }
    }

    // Sums of kept maps equal the pictures of a synthesis, to single precision. Also where direct
    // sums or rings are used at rest, which include white noise beyond the band.
    void sumsArePictures_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("norm");
        const auto add = [](const char* name, int nside, Kind kind, KernelNorm norm) {
            QTest::newRow(name) << nside << static_cast<int>(kind) << static_cast<int>(norm);
        };
        add("small", 16, Kind::Ring, KernelNorm::None);
        add("double precision, peak", 64, Kind::Double, KernelNorm::Peak);
        add("masks are ignored", 64, Kind::Masked, KernelNorm::None);
        add("direct and ring", 256, Kind::Ring, KernelNorm::Integral);
    }
    void sumsArePictures() {
        QFETCH(int, nside);
        QFETCH(int, kind);
        QFETCH(int, norm);
        const MapPointer map = makeMap(static_cast<Kind>(kind), nside);
        SmoothPlan plan(map, {0}, device_);
        SmoothParameters p;
        p.norm = static_cast<KernelNorm>(norm);
        p.masked = Masked::Ignore;
        const double pixel = std::sqrt(kPi / 3.0) / nside;
        DevicePicture sum(device_.index, plan.pictureNside()), one(device_.index, nside);
        p.fwhm = pixel;
        QVERIFY(!plan.enqueueSum(p, 0, sum));
        int grown = 1;
        while (plan.growSeries(p, 0, job_)) {
            // The existing terms already serve narrow widths.
            if (++grown == 12) QVERIFY(plan.enqueueSum(p, 0, sum));
            if (grown < 4) QVERIFY(!plan.enqueueSum(p, 0, sum));
        }
        QCOMPARE(grown, 48);
        for (const double pixels : {0.2, 1.0, 3.0, 7.0, 11.5}) {
            p.fwhm = pixels * pixel;
            QVERIFY(plan.enqueueSum(p, 0, sum));
            SmoothParameters harmonic = p;
            harmonic.method = SmoothMethod::Harmonic;
            plan.prepare(harmonic, job_);
            plan.enqueue(harmonic, 0, one);
            const std::vector<float> found = sum.download(0), expected = one.download(0);
            // A map of unit white noise and its terms are below 6 everywhere. Each term is rounded
            // once, and |weights| add up to 1; then both pictures are rounded. A kernel that is not
            // normalized by its integral scales all.
            const double scale =
                p.norm == KernelNorm::Peak ? p.fwhm * p.fwhm / (8.0 * std::log(2.0)) * kTwoPi : 1.0;
            const double limit = 6.0 * scale * (3 * 0x1p-24 + 0x1p-26);
            double worst = 0.0;
            for (size_t i = 0; i < found.size(); ++i) {
                QCOMPARE(std::isnan(found[i]), std::isnan(expected[i]));
                if (!std::isnan(found[i]))
                    worst = std::max(worst, std::abs(static_cast<double>(found[i]) -
                                                     static_cast<double>(expected[i])));
            }
            QVERIFY2(
                worst <= limit,
                qPrintable(
                    QStringLiteral("%1 pixels: %2, limit %3").arg(pixels).arg(worst).arg(limit)));
            // Written maps are unchanged.
            plan.prepare(p, job_);
            plan.enqueue(p, 0, one);
            const QString what = difference(one, plan.execute(p, job_), 0);
            QVERIFY2(what.isEmpty(), qPrintable(what));
        }
        p.fwhm = 20.0 * pixel;
        QVERIFY(!plan.enqueueSum(p, 0, sum));
    }
    void sumsAreRefused() {
        SmoothPlan plan(makeMap(Kind::Masked, 16), {0}, device_);
        SmoothParameters p;
        p.fwhm = 5.0 * kDegree;
        DevicePicture picture(device_.index, 16);
        // Divided by a smoothed mask.
        QVERIFY(!plan.growSeries(p, 0, job_));
        QVERIFY(!plan.enqueueSum(p, 0, picture));
        p.masked = Masked::Ignore;
        while (plan.growSeries(p, 0, job_)) continue;
        QVERIFY(plan.enqueueSum(p, 0, picture));
        p.masked = Masked::Normalize;
        QVERIFY(!plan.enqueueSum(p, 0, picture));
        p.masked = Masked::Ignore;
        p.truncate = 10.0 * kDegree;
        QVERIFY(!plan.enqueueSum(p, 0, picture));
        p.truncate = 0.0;
        p.weights = Weights::None;
        QVERIFY(!plan.enqueueSum(p, 0, picture));
        QVERIFY_EXCEPTION_THROWN(plan.enqueueSum(p, 1, picture), InvalidArgument);
    }

    // Every so many cells of the finest level, independent of earlier requests.
    void samplesAreCells() {
        constexpr int64_t nside = 64;
        SmoothPlan plan(makeMap(Kind::Masked, nside), {0}, device_);
        SmoothParameters p;
        p.fwhm = 3.0 * kDegree;
        plan.prepare(p, job_);
        DevicePicture picture(device_.index, plan.pictureNside());
        plan.enqueue(p, 0, picture);
        const std::vector<float> all = picture.download(0);
        for (const size_t count : {size_t{100}, size_t{1} << 20, size_t{777}}) {
            const size_t stride = std::max<size_t>(1, (all.size() + count - 1) / count);
            const std::vector<float> some = picture.sample(count);
            QCOMPARE(some.size(), (all.size() + stride - 1) / stride);
            for (size_t i = 0; i < some.size(); ++i)
                QVERIFY(some[i] == all[i * stride] ||
                        (std::isnan(some[i]) && std::isnan(all[i * stride])));
        }
    }

    void threePicturesInTurn() {
        DevicePictures pictures(device_.index, 4);
        auto a = pictures.next(), b = pictures.next(), c = pictures.next();
        QVERIFY(a && b && c && a != b && b != c && a != c);
        QVERIFY(!pictures.next());
        const DevicePicture* free = b.get();
        b.reset();
        QCOMPARE(pictures.next().get(), free);
    }

    void whatIsNotPreparedIsRefused() {
        SmoothPlan plan(makeMap(Kind::Ring, 16), {0}, device_);
        SmoothParameters p;
        p.fwhm = 10.0 * kDegree;
        DevicePicture picture(device_.index, 16), wrong(device_.index, 8);
        QVERIFY(!plan.isPrepared(p));
        QVERIFY_EXCEPTION_THROWN(plan.enqueue(p, 0, picture), InvalidArgument);
        plan.prepare(p, job_);
        QVERIFY_EXCEPTION_THROWN(plan.enqueue(p, 1, picture), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan.enqueue(p, 0, wrong), InvalidArgument);
        // Another analysis method needs another preparation.
        SmoothParameters other = p;
        other.weights = Weights::None;
        QVERIFY(!plan.isPrepared(other));
    }

    // Out of memory is reported as such; with free memory the plan continues.
    void memoryMayRunOutAndComeBack() {
        const MapPointer map = makeMap(Kind::Ring, 512);
        SmoothPlan plan(map, {0}, device_);
        SmoothParameters p;
        p.fwhm = 1.0 * kDegree;
        {
            // Pieces, the last of 16 MiB, so that the remaining memory does not hold a map of nside
            // 512.
            std::vector<CudaArray> all;
            for (size_t count = size_t{1} << 33; count >= size_t{1} << 21;) {
                try {
                    all.emplace_back(device_.index, count);
                } catch (const OutOfMemory&) {
                    count /= 2;
                }
            }
            QVERIFY_EXCEPTION_THROWN(plan.prepare(p, job_), OutOfMemory);
            QVERIFY(!plan.isPrepared(p));
        }
        plan.prepare(p, job_);
        DevicePicture picture(device_.index, 512);
        plan.enqueue(p, 0, picture);
        const QString what = difference(picture, plan.execute(p, job_), 0);
        QVERIFY2(what.isEmpty(), qPrintable(what));
    }

private:
    Device device_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(LiveSmoothingCudaTest)
#include "tst_live_smoothing_cuda.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a map that exceeds the memory equal those of the whole map.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>

#include "armilla/core/environment.h"
#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/draw/sparse_pyramid.h"
#include "armilla/io/map_io.h"
#include "armilla/operations/map_in_view.h"
#include "armilla/operations/view.h"

using namespace armilla;

namespace {

constexpr int64_t kNside = 512;

}  // namespace

class tst_map_in_view : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    JobContext job_;
    HealpixMap map_;
    std::string path_;

    SkyView viewOfOptions(double resolution) const {
        ViewOptions options;
        if (resolution > 0.0) {
            options.projection = Projection::Gnomonic;
            options.center = Place{{0.7, 0.35}, Frame::Galactic};
            options.resolution = resolution;
        }
        return viewOf(options, Frame::Galactic, {300, 200});
    }
    std::optional<MapInView> readFor(const SkyView& view, int64_t memory) {
        ReadRequest request;
        return mapInView(
            path_, request, [&](Frame) { return view.overMap; }, Frame::Unknown, memory, job_);
    }

private slots:
    void initTestCase() {
        Environment environment;
        environment.cacheFolder = folder_.filePath("cache").toStdString();
        QDir().mkpath(folder_.filePath("cache"));
        setEnvironment(environment);
        std::vector<float> values;
        for (int64_t p = 0; p < pixelCount(kNside); ++p) {
            const Vec3 at = directionFromRing(kNside, p);
            values.push_back(p % 997 == 3 ? std::numeric_limits<float>::quiet_NaN()
                                          : static_cast<float>(std::sin(40.0 * at.x) + at.z +
                                                               static_cast<double>(p % 17) / 17.0));
        }
        map_ = HealpixMap(kNside, Ordering::Ring, Frame::Galactic,
                          {Field{"T", "K", DiskType::Float32, std::move(values)}});
        path_ = folder_.filePath("map.fits").toStdString();
        writeMap(map_, path_, {}, job_);
    }

    void closeViewHasThePixelsOfTheFile() {
        ColorScale scale;
        scale.mapping.low = -2.0F;
        scale.mapping.high = 3.0F;
        // Pixels of the picture of half a pixel of the map, and of one and a half.
        for (const double resolution : {1e-3, 3e-3}) {
            const SkyView view = viewOfOptions(resolution);
            const auto part = readFor(view, 0);
            QVERIFY(part.has_value());
            QCOMPARE(part->map->nside(), kNside);
            QCOMPARE(part->map->coverage(), Coverage::Partial);
            QVERIFY(part->map->elementCount() < map_.elementCount() / 3);
            const auto found =
                renderImage(SparsePyramid::build(*part->map, 0, job_), view.overMap, scale, job_);
            const auto expected =
                renderImage(MapPyramid::build(map_, 0, kNside, job_), view.overMap, scale, job_);
            QCOMPARE(found.size(), expected.size());
            for (size_t i = 0; i < found.size(); ++i)
                QVERIFY(found[i].r == expected[i].r && found[i].g == expected[i].g &&
                        found[i].b == expected[i].b && found[i].a == expected[i].a);
        }
    }

    void wholeSkyIsDrawnFromMeans() {
        const SkyView view = viewOfOptions(0.0);
        const auto part = readFor(view, 0);
        QVERIFY(part.has_value());
        QCOMPARE(part->map->coverage(), Coverage::Full);
        QVERIFY(part->map->nside() >= finestNsideDrawn(kNside, view.overMap));
        QVERIFY(part->map->nside() <= kNside / 4);
        const int64_t step = pixelCount(kNside) / part->sample->elementCount();
        for (const int64_t i : {0, 1, 77777}) {
            QCOMPARE(part->sample->pixels()[static_cast<size_t>(i)], i * step);
            const double a = part->sample->field(0).at(i), b = map_.field(0).at(i * step);
            QVERIFY(std::isnan(b) ? std::isnan(a) : a == b);
        }
    }

    // Q and U rotate together, and do not fit.
    void polarizationInAnotherFrameIsRefused() {
        const std::string path = folder_.filePath("polarized.fits").toStdString();
        std::vector<Field> fields;
        for (const char* name : {"Q_POLARISATION", "U_POLARISATION"})
            fields.push_back({name, "K", DiskType::Float32,
                              std::vector<float>(static_cast<size_t>(pixelCount(kNside)), 1.0F)});
        writeMap(HealpixMap(kNside, Ordering::Ring, Frame::Galactic, std::move(fields)), path, {},
                 job_);
        ReadRequest request;
        request.field = "Q_POLARISATION";
        const SkyView view = viewOfOptions(0.0);
        const auto isRead = [&](Frame drawn) {
            return mapInView(
                       path, request, [&](Frame) { return view.overMap; }, drawn, 0, job_)
                .has_value();
        };
        QVERIFY(isRead(Frame::Unknown));
        QVERIFY(isRead(Frame::Galactic));
        QVERIFY_THROWS_EXCEPTION(OutOfMemory, isRead(Frame::Equatorial));
    }

    void mapsThatFitAreReadWhole() { QVERIFY(!readFor(viewOfOptions(0.0), int64_t{1} << 40)); }
};

QTEST_APPLESS_MAIN(tst_map_in_view)
#include "tst_map_in_view.moc"

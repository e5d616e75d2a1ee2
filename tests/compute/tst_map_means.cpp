// SPDX-License-Identifier: GPL-3.0-or-later
// Means and samples of maps on disk, and the file that keeps the means.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <limits>

#include "armilla/core/environment.h"
#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_means.h"

using namespace armilla;

namespace {

constexpr int64_t kNside = 512;

// Thirds of whole numbers, so that means round; a few bad.
float valueOf(int64_t nested) {
    if (nested % 31 == 7 || (nested >> 6) == 40) return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>((nested * 7919) % 1009) / 3.0F;
}
// The mean of the good pixels of a cell, from the definition.
double meanOf(int64_t nside, int64_t cell) {
    const int64_t children = (kNside / nside) * (kNside / nside);
    double sum = 0.0;
    int64_t good = 0;
    for (int64_t p = cell * children; p < (cell + 1) * children; ++p)
        if (const float value = valueOf(p); std::isfinite(value)) {
            sum += static_cast<double>(value);
            ++good;
        }
    return good == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(good);
}

}  // namespace

class tst_map_means : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    JobContext job_;

    std::string path(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    void write(const std::string& name, Ordering ordering, float factor = 1.0F) {
        std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
        for (int64_t p = 0; p < pixelCount(kNside); ++p)
            values[static_cast<size_t>(p)] =
                factor * valueOf(ordering == Ordering::Ring ? nestedFromRing(kNside, p) : p);
        Field field{"T", "K", DiskType::Float32, std::move(values)};
        MapWriteOptions options;
        options.overwrite = true;
        writeMap({kNside, ordering, Frame::Galactic, {std::move(field)}}, path(name), options,
                 job_);
    }
    QStringList kept() const {
        return QDir(folder_.filePath("cache/means")).entryList(QDir::Files);
    }
    QString keptPath() const { return folder_.filePath("cache/means/") + kept().front(); }
    void forget() { QDir(folder_.filePath("cache")).removeRecursively(); }
    static void compare(const HealpixMap& map, float factor = 1.0F) {
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.frame(), Frame::Galactic);
        for (int64_t cell = 0; cell < map.pixelCount(); ++cell) {
            const double expected = meanOf(map.nside(), cell) * static_cast<double>(factor);
            const double found = map.field(0).at(cell);
            // One rounding to single precision: 2^-24 of the value.
            if (std::isnan(expected) ? !std::isnan(found)
                                     : !(std::abs(found - expected) <= 6.1e-8 * expected))
                QFAIL(qPrintable(
                    QStringLiteral("cell %1: %2 for %3").arg(cell).arg(found).arg(expected)));
        }
    }

private slots:
    void init() {
        QDir().mkpath(folder_.filePath("cache"));
        Environment environment;
        environment.cacheFolder = path("cache");
        setEnvironment(environment);
    }
    void cleanup() { forget(); }

    void meansAreThoseOfGoodPixels_data() {
        QTest::addColumn<bool>("isRing");
        QTest::newRow("ring") << true;
        QTest::newRow("nested") << false;
    }
    void meansAreThoseOfGoodPixels() {
        QFETCH(bool, isRing);
        write("map.fits", isRing ? Ordering::Ring : Ordering::Nested);
        QCOMPARE(meansNside(kNside), 128);
        const MapMeans made = readMeans(path("map.fits"), {}, 128, job_);
        QVERIFY(!made.isKept && made.note.empty());
        compare(made.map);
        for (const int64_t nside : {64, 128}) {
            const MapMeans again = readMeans(path("map.fits"), {}, nside, job_);
            QVERIFY(again.isKept && again.note.empty());
            QCOMPARE(again.map.nside(), nside);
            compare(again.map);
            // The sample has the pixels of the file.
            QCOMPARE(again.sample.elementCount(), int64_t{1} << 18);
            for (const int64_t i : {0, 1, 1000, 262143}) {
                const int64_t p = again.sample.pixels()[static_cast<size_t>(i)];
                const float value = valueOf(isRing ? nestedFromRing(kNside, p) : p);
                const double found = again.sample.field(0).at(i);
                QVERIFY(std::isnan(value) ? std::isnan(found)
                                          : found == static_cast<double>(value));
            }
        }
        QVERIFY_EXCEPTION_THROWN(readMeans(path("map.fits"), {}, 256, job_), InvalidArgument);
    }

    void changedFilesAreReadAnew() {
        write("map.fits", Ordering::Ring);
        readMeans(path("map.fits"), {}, 64, job_);
        write("map.fits", Ordering::Ring, 2.0F);
        // A file written within one tick of the clock of the file system has the same time.
        std::filesystem::last_write_time(
            path("map.fits"),
            std::filesystem::last_write_time(path("map.fits")) + std::chrono::seconds(5));
        const MapMeans anew = readMeans(path("map.fits"), {}, 64, job_);
        QVERIFY(!anew.isKept);
        QCOMPARE(anew.note, std::string("the file has changed: its means are made anew"));
        compare(anew.map, 2.0F);
        QVERIFY(readMeans(path("map.fits"), {}, 64, job_).isKept);
        QCOMPARE(kept().size(), 1);
    }

    // A byte anywhere in the kept file, and a file that ends anywhere.
    void damagedMeansAreMadeAnew() {
        write("map.fits", Ordering::Ring);
        readMeans(path("map.fits"), {}, 128, job_);
        QFile file(keptPath());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        file.close();
        const auto check = [&](const QByteArray& bytes, bool isDamaged) {
            QFile damaged(keptPath());
            QVERIFY(damaged.open(QIODevice::WriteOnly));
            damaged.write(bytes);
            damaged.close();
            const MapMeans anew = readMeans(path("map.fits"), {}, 128, job_);
            QCOMPARE(anew.isKept, !isDamaged);
            QCOMPARE(anew.note.empty(), !isDamaged);
            compare(anew.map);
        };
        check(whole, false);
        for (const qsizetype at :
             {qsizetype{0}, qsizetype{20}, qsizetype{4096}, qsizetype{500000}, whole.size() - 1}) {
            QByteArray bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
            check(bytes, true);
        }
        for (const qsizetype size :
             {qsizetype{0}, qsizetype{100}, qsizetype{5000}, whole.size() - 1})
            check(whole.first(size), true);
    }

    void meansOfGoneFilesAreRemoved() {
        write("gone.fits", Ordering::Ring);
        readMeans(path("gone.fits"), {}, 64, job_);
        const QString gone = keptPath();
        QFile::remove(QString::fromStdString(path("gone.fits")));
        write("map.fits", Ordering::Ring);
        readMeans(path("map.fits"), {}, 64, job_);
        QCOMPARE(kept().size(), 1);
        QVERIFY(keptPath() != gone);
    }

    // Without a cache folder, or with one that cannot be written, means are made each time.
    void worksWithoutCache() {
        write("map.fits", Ordering::Ring);
        setEnvironment({});
        compare(readMeans(path("map.fits"), {}, 64, job_).map);
        QVERIFY(!readMeans(path("map.fits"), {}, 64, job_).isKept);
        Environment environment;
        environment.cacheFolder = path("map.fits");  // no folder
        setEnvironment(environment);
        const MapMeans made = readMeans(path("map.fits"), {}, 64, job_);
        QVERIFY(QByteArray::fromStdString(made.note).startsWith("means are not kept: "));
        compare(made.map);
    }

    // A map that is linear in z: the sample differs by less than the extent of its pixels.
    void sampleShowsTheSky_data() { meansAreThoseOfGoodPixels_data(); }
    void sampleShowsTheSky() {
        QFETCH(bool, isRing);
        std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
        for (int64_t p = 0; p < pixelCount(kNside); ++p) {
            const Vec3 at = isRing ? directionFromRing(kNside, p) : directionFromNested(kNside, p);
            values[static_cast<size_t>(p)] = static_cast<float>(at.z + 2.0 * at.x);
        }
        Field field{"T", "K", DiskType::Float32, std::move(values)};
        MapWriteOptions options;
        options.overwrite = true;
        writeMap({kNside,
                  isRing ? Ordering::Ring : Ordering::Nested,
                  Frame::Galactic,
                  {std::move(field)}},
                 path("smooth.fits"), options, job_);
        const HealpixMap sample = readSampledMap(path("smooth.fits"), {}, job_);
        QCOMPARE(sample.nside(), isRing ? 256 : 64);
        double worst = 0.0;
        for (int64_t p = 0; p < sample.pixelCount(); ++p) {
            const Vec3 at = directionFromNested(sample.nside(), p);
            worst = std::max(worst, std::abs(sample.field(0).at(p) - at.z - 2.0 * at.x));
        }
        // The gradient is at most sqrt(5) per radian, over the radius of a pixel (1 / nside).
        QVERIFY2(worst < 2.24 / static_cast<double>(sample.nside()),
                 qPrintable(QString::number(worst)));
    }

    void refusesOtherMaps() {
        HealpixMap partial = HealpixMap::partial(
            kNside, Ordering::Ring, Frame::Galactic, {1, 5},
            {Field{"T", "K", DiskType::Float32, std::vector<float>{1.0F, 2.0F}}});
        writeMap(partial, path("partial.fits"), {}, job_);
        QVERIFY_EXCEPTION_THROWN(readMeans(path("partial.fits"), {}, 64, job_), Unsupported);
        QVERIFY_EXCEPTION_THROWN(readSampledMap(path("partial.fits"), {}, job_), Unsupported);
    }
};

QTEST_APPLESS_MAIN(tst_map_means)
#include "tst_map_means.moc"

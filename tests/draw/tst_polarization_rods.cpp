// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization line segments compared with closed forms: direction, length, convention, frame.
#include <QtTest>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/polarization_rods.h"

using namespace armilla;

namespace {

constexpr int kWidth = 700, kHeight = 500;

// Polarization along the circles about `axis` (in the map's frame); `amplitude` is a function of
// the height z above the map's equator.
template <class Amplitude>
HealpixMap circlesAbout(Vec3 axis, int64_t nside, Frame frame, const Amplitude& amplitude) {
    std::vector<Field> fields(2);
    fields[0].name = "Q_POLARISATION";
    fields[1].name = "U_POLARISATION";
    std::vector<double> q, u;
    for (int64_t p = 0; p < pixelCount(nside); ++p) {
        const Vec3 at = directionFromRing(nside, p);
        const Vec3 east = normalized(Vec3{-at.y, at.x, 0.0}), south = cross(east, at);
        const Vec3 along = cross(axis, at);
        // COSMO: from south towards east.
        const double angle = std::atan2(dot(along, east), dot(along, south));
        q.push_back(amplitude(at.z) * std::cos(2.0 * angle));
        u.push_back(amplitude(at.z) * std::sin(2.0 * angle));
    }
    fields[0].values = std::move(q);
    fields[1].values = std::move(u);
    return HealpixMap(nside, Ordering::Ring, frame, std::move(fields));
}
double one(double) {
    return 1.0;
}

// Columns and rows in the picture of a step of 1 along `t` (across `d`), derived by hand. The axes
// of the view in the map's frame are x towards its center, y to the east, z to the north.
ImagePoint stepOf(Projection projection, const ViewGeometry& view, Vec3 d, Vec3 t) {
    const Vec3 at = transposed(view.skyFromView) * d, step = transposed(view.skyFromView) * t;
    double east = 0.0, north = 0.0;
    if (projection == Projection::Gnomonic) {
        east = (step.y - at.y * step.x / at.x) / at.x;
        north = (step.z - at.z * step.x / at.x) / at.x;
    } else if (projection == Projection::Orthographic) {
        east = step.y;
        north = step.z;
    } else {  // Cartesian
        const double across = at.x * at.x + at.y * at.y;
        east = (at.x * step.y - at.y * step.x) / across;
        north = step.z / std::sqrt(across);
    }
    return {-east / view.radiansPerPixel, -north / view.radiansPerPixel};
}

// The angle between two undirected lines.
double between(double dx, double dy, const ImagePoint& line) {
    return std::atan2(std::abs(dx * line.row - dy * line.column),
                      std::abs(dx * line.column + dy * line.row));
}

Vec3 middleOf(const Rod& rod, const ViewGeometry& view) {
    Vec3 d;
    return skyFromImage(view, 0.5 * (rod.from.column + rod.to.column),
                        0.5 * (rod.from.row + rod.to.row), d)
               ? d
               : Vec3{};
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class PolarizationRodsTest : public QObject {
    Q_OBJECT
private slots:
    // The picture's frame may differ from the map's. Line segments rotate with it, for any rotation
    // of the view, and over the poles of the map.
    void liesAlongItsLine_data() {
        QTest::addColumn<Projection>("projection");
        QTest::addColumn<Frame>("shown");
        QTest::addColumn<double>("lon");
        QTest::addColumn<double>("lat");
        QTest::addColumn<double>("rotation");
        QTest::addColumn<double>("zoom");
        const auto row = [](const char* name, Projection projection, Frame shown, double lon,
                            double lat, double rotation, double zoom) {
            QTest::newRow(name) << projection << shown << lon << lat << rotation << zoom;
        };
        row("gnomonic", Projection::Gnomonic, Frame::Galactic, 1.0, 0.3, 0.0, 3.0);
        row("turned", Projection::Gnomonic, Frame::Galactic, 1.0, 0.3, 0.7, 3.0);
        row("other frame", Projection::Gnomonic, Frame::Equatorial, 1.0, 0.3, 0.0, 3.0);
        row("globe", Projection::Orthographic, Frame::Ecliptic, 4.0, -0.5, 2.0, 1.0);
        row("pole", Projection::Gnomonic, Frame::Galactic, 2.0, kHalfPi, 0.0, 3.0);
        row("pixels of the pole", Projection::Gnomonic, Frame::Galactic, 2.0, kHalfPi, 0.0, 300.0);
        row("south pole", Projection::Orthographic, Frame::Galactic, 2.0, -kHalfPi, 1.0, 40.0);
        row("cartesian", Projection::Cartesian, Frame::Equatorial, 2.0, 0.0, 0.0, 1.5);
    }
    void liesAlongItsLine() {
        QFETCH(Projection, projection);
        QFETCH(Frame, shown);
        QFETCH(double, lon);
        QFETCH(double, lat);
        QFETCH(double, rotation);
        QFETCH(double, zoom);
        constexpr int64_t kNside = 256;
        const Vec3 axis = normalized(Vec3{0.7, -0.4, 0.2});
        const HealpixMap map = circlesAbout(axis, kNside, Frame::Galactic, one);
        Camera camera;
        camera.projection = projection;
        camera.frame = shown;
        camera.zoom = zoom;
        const ViewGeometry view =
            camera.centeredOn({lon, lat}).turned(rotation).geometry(kWidth, kHeight, map.frame());
        const std::vector<Rod> rods = polarizationRods(map, 0, 1, view, {});
        int looked = 0;
        for (const Rod& rod : rods) {
            const Vec3 d = middleOf(rod, view);
            const Vec3 line = cross(axis, d);
            const double radius = norm(line);
            // A pixel's radius and half a cell's rotate the line by 1 / tan of the distance from
            // the axis. Near the globe's edge and the poles of the plane, angles stretch.
            const double far = 1.2 * std::sqrt(kPi / 3.0) / static_cast<double>(kNside);
            const Vec3 inView = transposed(view.skyFromView) * d;
            const double stretch = projection == Projection::Cartesian
                                       ? std::hypot(inView.x, inView.y)
                                       : std::abs(inView.x);
            if (radius < 0.2 || stretch < 0.4) continue;
            const ImagePoint step = stepOf(projection, view, d, line);
            const double off =
                between(rod.to.column - rod.from.column, rod.to.row - rod.from.row, step);
            const double limit = far / radius / stretch + 1e-4;
            QVERIFY2(off < limit, qPrintable(QStringLiteral("%1 deg off at %2, %3, limit %4")
                                                 .arg(off / kDegree)
                                                 .arg(lonLat(d).lon / kDegree)
                                                 .arg(lonLat(d).lat / kDegree)
                                                 .arg(limit / kDegree)));
            ++looked;
        }
        QVERIFY2(looked > 300, qPrintable(QString::number(looked)));
    }

    // maxLength for maxAmplitude and above, proportional below, in picture pixels for any
    // projection; with noise, debiased.
    void isAsLongAsItsAmplitude() {
        const auto amplitude = [](double z) { return 0.6 + 0.5 * z; };
        const HealpixMap map = circlesAbout({0, 0, 1}, 64, Frame::Galactic, amplitude);
        Camera camera;
        camera.projection = Projection::Mollweide;
        const ViewGeometry whole =
            camera.centeredOn({0.5, 0.2}).geometry(kWidth, kHeight, Frame::Galactic);
        camera.projection = Projection::Gnomonic;
        camera.zoom = 100.0;
        const ViewGeometry close =
            camera.centeredOn({0.5, 0.9}).geometry(kWidth, kHeight, Frame::Galactic);
        for (const ViewGeometry& view : {whole, close})
            for (const double noise : {0.0, 0.2}) {
                RodOptions options{.spacing = 20.0, .maxLength = 16.0, .maxAmplitude = 0.8};
                options.noise = noise;
                const std::vector<Rod> rods = polarizationRods(map, 0, 1, view, options);
                QVERIFY(rods.size() > 200);
                int longest = 0;
                for (const Rod& rod : rods) {
                    const double z = middleOf(rod, view).z;
                    // Noise of a mean over the pixels of a cell.
                    const double pixels = std::max(
                        1.0, std::pow(20.0 * view.radiansPerPixel * 64.0, 2) / (kPi / 3.0));
                    const double s = noise / std::sqrt(std::min(16.0, pixels)), p = amplitude(z);
                    const double known =
                        noise > 0.0 ? p - s * s * (1.0 - std::exp(-p * p / (s * s))) / (2.0 * p)
                                    : p;
                    const double length =
                        std::hypot(rod.to.column - rod.from.column, rod.to.row - rod.from.row);
                    // A pixel or half a cell away, and what a mean loses where lines bend (cells of
                    // 11 degrees at most, near the poles).
                    const double cell = std::max(0.016, 10.0 * view.radiansPerPixel);
                    const double pole = std::sqrt(1.0 - z * z);
                    if (pole < 0.2) continue;
                    const double limit =
                        16.0 / 0.8 * (0.5 * cell + 0.5 * cell * cell / pole / pole);
                    const double expected = 16.0 * std::min(1.0, known / 0.8);
                    QVERIFY2(std::abs(length - expected) < limit,
                             qPrintable(QStringLiteral("%1 for %2 at z = %3, limit %4")
                                            .arg(length)
                                            .arg(expected)
                                            .arg(z)
                                            .arg(limit)));
                    longest += std::abs(length - 16.0) < 1e-9;
                }
                QVERIFY(&view != &whole || longest > 30);
            }
    }

    // Length from another map, in another frame and of another resolution. The map has a step of
    // brightness at its equator, so only segments in the north have a length.
    void lengthIsThatOfAnyMap() {
        const HealpixMap map = circlesAbout({0.0, 0.0, 1.0}, 64, Frame::Equatorial, one);
        Field step;
        step.name = "STEP";
        std::vector<double> values;
        for (int64_t p = 0; p < pixelCount(256); ++p)
            values.push_back(directionFromRing(256, p).z > 0.0 ? 4.0 : -1.0);
        step.values = std::move(values);
        const HealpixMap lengths(256, Ordering::Ring, Frame::Galactic, {step});
        QCOMPARE(typicalLength(lengths, 0), 4.0);
        Camera camera;
        camera.frame = Frame::Equatorial;
        camera.zoom = 8.0;  // cells of 1.5 degrees
        // Centered on the Galactic equator at longitude 33 degrees.
        const ViewGeometry view =
            camera.centeredOn({4.93, 0.0}).geometry(kWidth, kHeight, map.frame());
        const std::vector<Rod> all = polarizationRods(map, 0, 1, view, {});
        RodOptions options{.lengths = &lengths, .maxAmplitude = 8.0};
        const std::vector<Rod> rods = polarizationRods(map, 0, 1, view, options);
        QVERIFY(rods.size() > all.size() / 4 && rods.size() < all.size());
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        size_t north = 0;
        for (const Rod& rod : all) {
            const double z = (turn * middleOf(rod, view)).z;
            north += z > 0.1;
        }
        QVERIFY(rods.size() >= north);
        for (const Rod& rod : rods) {
            const double z = (turn * middleOf(rod, view)).z;
            QVERIFY(z > -0.1);  // half a cell
            // Half of the longest, while the whole cell is in the north.
            if (z > 0.1)
                QVERIFY(std::abs(
                            std::hypot(rod.to.column - rod.from.column, rod.to.row - rod.from.row) -
                            0.5 * options.maxLength) < 1e-9);
        }
    }

    // U in the IAU convention equals -U in COSMO, to the bit.
    void otherConventionIsTheOtherSignOfU() {
        const Vec3 axis = normalized(Vec3{0.3, 0.8, -0.5});
        HealpixMap map = circlesAbout(axis, 64, Frame::Equatorial, one);
        Camera camera;
        const ViewGeometry view =
            camera.centeredOn({1.5, 0.6}).geometry(kWidth, kHeight, map.frame());
        const std::vector<Rod> cosmo = polarizationRods(map, 0, 1, view, {});
        for (double& u : std::get<std::vector<double>>(map.field(1).values)) u = -u;
        const std::vector<Rod> iau =
            polarizationRods(map, 0, 1, view, {.convention = PolarizationConvention::Iau});
        QVERIFY(cosmo.size() > 400);
        QCOMPARE(iau.size(), cosmo.size());
        for (size_t i = 0; i < cosmo.size(); ++i) {
            QCOMPARE(iau[i].from.column, cosmo[i].from.column);
            QCOMPARE(iau[i].from.row, cosmo[i].from.row);
            QCOMPARE(iau[i].to.column, cosmo[i].to.column);
            QCOMPARE(iau[i].to.row, cosmo[i].to.row);
        }
    }
};

QTEST_APPLESS_MAIN(PolarizationRodsTest)
#include "tst_polarization_rods.moc"

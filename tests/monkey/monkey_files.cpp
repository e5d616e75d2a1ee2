// SPDX-License-Identifier: GPL-3.0-or-later
#include "monkey/monkey_files.h"

#include <QDir>
#include <QFile>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "support/image_cards.h"

namespace armilla::test {
namespace {

using Value = std::function<double(Vec3)>;

// A map whose fields are functions of the direction.
HealpixMap mapOf(int64_t nside, Frame frame,
                 const std::vector<std::pair<std::string, Value>>& columns, std::string unit) {
    std::vector<Field> fields;
    for (const auto& column : columns)
        fields.push_back({column.first, unit, DiskType::Float32,
                          std::vector<float>(static_cast<size_t>(pixelCount(nside)), 0.0F)});
    HealpixMap map(nside, Ordering::Ring, frame, std::move(fields));
    // A grid of directions finer than the pixels reaches every pixel.
    const int rows = static_cast<int>(8 * nside), steps = 2 * rows;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < steps; ++j) {
            const Vec3 v = direction({kTwoPi * (j + 0.5) / steps, kPi * ((i + 0.5) / rows - 0.5)});
            const auto pixel = static_cast<size_t>(map.pixelAt(v));
            for (size_t field = 0; field < columns.size(); ++field)
                std::get<std::vector<float>>(map.field(static_cast<int>(field)).values)[pixel] =
                    static_cast<float>(columns[field].second(v));
        }
    return map;
}

double waves(Vec3 v) {
    return 80.0 * std::sin(9.0 * v.x) * std::cos(7.0 * v.y) + 30.0 * std::sin(23.0 * v.z);
}

// Bright points on the waves, for the search of sources.
double withPoints(Vec3 v) {
    double sum = waves(v);
    for (int i = 0; i < 12; ++i)
        sum += 600.0 * std::exp(3000.0 * (dot(v, direction({0.5 * i, 0.11 * (i - 6)})) - 1.0));
    return sum;
}

void writeText(const QString& path, const QByteArray& content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        throw std::runtime_error("expected to write " + path.toStdString());
}

QByteArray catalogText(int rows, bool hasNames) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    QByteArray text = hasNames ? "name,ra,dec,flux,z\n" : "ra,dec,flux,z\n";
    for (int row = 0; row < rows; ++row) {
        if (hasNames) text += "S" + QByteArray::number(row) + ",";
        const double ra = 360.0 * unit(random);
        const double dec = std::asin(2.0 * unit(random) - 1.0) / kDegree;
        const double flux = std::pow(unit(random), -0.7);
        text += QByteArray::number(ra, 'f', 5) + "," + QByteArray::number(dec, 'f', 5) + "," +
                QByteArray::number(flux, 'g', 5) + "," +
                (row % 17 == 0 ? QByteArray() : QByteArray::number(unit(random), 'f', 4)) + "\n";
    }
    return text;
}

// A FITS image of 48 x 32 pixels with three planes.
QByteArray imageFile() {
    constexpr int kWidth = 48, kHeight = 32, kPlanes = 3, kBlock = 2880;
    const auto whole = [](int value) { return std::to_string(value); };
    std::string header = imageCard("SIMPLE", std::string("T")) + imageCard("BITPIX", whole(-32)) +
                         imageCard("NAXIS", whole(3)) + imageCard("NAXIS1", whole(kWidth)) +
                         imageCard("NAXIS2", whole(kHeight)) + imageCard("NAXIS3", whole(kPlanes));
    header += imageCard("CTYPE1", std::string("'RA---TAN'")) +
              imageCard("CTYPE2", std::string("'DEC--TAN'")) +
              imageCard("CTYPE3", std::string("'FREQ    '")) +
              imageCard("CUNIT3", std::string("'Hz      '")) + imageCard("CRPIX1", 24.5) +
              imageCard("CRPIX2", 16.5) + imageCard("CRPIX3", 1.0) + imageCard("CRVAL1", 83.6) +
              imageCard("CRVAL2", 22.0) + imageCard("CRVAL3", 1.4e9) + imageCard("CDELT1", -0.05) +
              imageCard("CDELT2", 0.05) + imageCard("CDELT3", 1.0e6);
    std::string end = "END";
    end.resize(80, ' ');
    header += end;
    header.resize((header.size() + kBlock - 1) / kBlock * kBlock, ' ');
    QByteArray file = QByteArray::fromStdString(header);
    for (int i = 0; i < kWidth * kHeight * kPlanes; ++i) {
        const float value = std::sin(0.01F * static_cast<float>(i));
        uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        for (int shift = 24; shift >= 0; shift -= 8) file += static_cast<char>(bits >> shift);
    }
    file.append((kBlock - file.size() % kBlock) % kBlock, '\0');
    return file;
}

}  // namespace

QStringList writeMonkeyFiles(const QString& folder) {
    QStringList paths;
    const QDir dir(folder);
    const auto place = [&](const char* name) {
        paths << dir.filePath(QString::fromLatin1(name));
        return paths.back();
    };
    const auto add = [&](const char* name, const HealpixMap& map) {
        JobContext job;
        MapWriteOptions options;
        options.overwrite = true;
        writeMap(map, place(name).toStdString(), options, job);
    };
    add("sky_iqu.fits", mapOf(32, Frame::Galactic,
                              {{"I_STOKES", withPoints},
                               {"Q_STOKES", [](Vec3 v) { return 5.0 * v.x * v.z; }},
                               {"U_STOKES", [](Vec3 v) { return 4.0 * std::sin(5.0 * v.y); }}},
                              "uK"));
    add("partial.fits", mapOf(64, Frame::Equatorial,
                              {{"TEMPERATURE",
                                [](Vec3 v) {
                                    return dot(v, direction({1.4, 0.4})) > 0.9
                                               ? waves(v)
                                               : std::numeric_limits<double>::quiet_NaN();
                                }}},
                              "mK"));
    add("probability.fits",
        mapOf(32, Frame::Equatorial,
              {{"PROB",
                [](Vec3 v) {
                    return std::exp(90.0 * (dot(v, direction({3.0, -0.6})) - 1.0));
                }}},
              "pix-1"));
    add("counts.fits",
        mapOf(16, Frame::Equatorial,
              {{"COUNTS", [](Vec3 v) { return std::floor(4.0 + 3.0 * std::sin(40.0 * v.x)); }}},
              ""));
    add("mask.fits", mapOf(32, Frame::Galactic,
                           {{"MASK", [](Vec3 v) { return std::abs(v.z) > 0.3 ? 1.0 : 0.0; }}}, ""));
    add("no_frame.fits", mapOf(16, Frame::Unknown, {{"SIGNAL", waves}}, "K"));
    writeText(place("sources.csv"), catalogText(400, true));
    writeText(place("galaxies.csv"), catalogText(20000, false));
    writeText(place("cube.fits"), imageFile());
    QByteArray spectrum = "# L TT\n";
    for (int l = 2; l < 96; ++l)
        spectrum +=
            QByteArray::number(l) + " " + QByteArray::number(1000.0 / (l * (l + 1.0))) + "\n";
    writeText(place("cl.txt"), spectrum);
    QByteArray beam = "# l bT\n";
    for (int l = 0; l < 96; ++l)
        beam +=
            QByteArray::number(l) + " " + QByteArray::number(std::exp(-1e-4 * l * (l + 1))) + "\n";
    writeText(place("beam.txt"), beam);
    writeText(place("shapes.reg"), "fk5\ncircle(83.6,22.0,2.0)\npolygon(80,10,90,10,85,20)\n");
    writeText(place("notes.txt"), "no data, but a letter\n");
    writeText(place("empty.fits"), {});
    QFile whole(paths.front());
    if (!whole.open(QIODevice::ReadOnly)) throw std::runtime_error("expected a map to truncate");
    writeText(place("truncated.fits"), whole.readAll().left(20000));
    return paths;
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// World coordinates of images by wcslib (FITS WCS papers I to III).
#include <wcslib/wcs.h>
#include <wcslib/wcsfix.h>
#include <wcslib/wcshdr.h>
#include <wcslib/wcsmath.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <utility>

#include "core/error.h"
#include "fits_equatorial.h"
#include "fits_header.h"
#include "image_cards.h"
#include "io/image_file.h"

namespace armilla {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Vec3 kNowhere{kNan, kNan, kNan};

// `equatorial`: what the header says of it.
Frame frameOf(const wcsprm& wcs, const std::optional<EquatorialFrame>& equatorial) {
    const std::string lon = wcs.lngtyp;
    if (lon == "GLON") return Frame::Galactic;
    if (lon == "ELON") {
        const bool isOld = equatorial && equatorial->system != EquatorialSystem::Icrs &&
                           equatorial->equinox != 2000.0;
        if (isOld)
            throw IoError("expected ecliptic coordinates of J2000.0, found those of " +
                          equatorialName(*equatorial));
        return Frame::Ecliptic;
    }
    if (lon != "RA") return Frame::Unknown;
    // A RADESYS that says another system (GAPPT).
    return equatorial || upperTrimmed(wcs.radesys).empty() ? Frame::Equatorial : Frame::Unknown;
}

// World coordinates, and the date of observation, which FK4 depends on.
std::vector<std::string> cardsOfPlaces(const Image& image) {
    std::vector<std::string> cards = image.wcsCards;
    std::copy_if(image.cards.begin(), image.cards.end(), std::back_inserter(cards),
                 [](const std::string& card) { return isObservationCard(card); });
    return cards;
}

// Along the equator of a cylindrical projection longitudes are even, so that any of its points may
// be the reference. wcslib takes what lies more than half a turn from it for off the sky, as half
// of an image from 0 to 360 degrees whose first pixel is the reference: there the middle becomes
// it. `columns`: pixels along the axis of longitude, the first of `wcs`.
bool centerReference(wcsprm& wcs, int64_t columns) {
    const std::string projection = wcs.cel.prj.code;
    const bool isEven = projection == "CAR" || projection == "CEA" || projection == "MER";
    // Euler's second angle: of the native pole, from the celestial one.
    const bool isUpright = wcs.crval[wcs.lat] == 0.0 && std::abs(wcs.cel.euler[1]) < 1e-10;
    if (!isEven || !isUpright || wcs.lng != 0 || wcs.pc[1] != 0.0 || wcs.pc[2] != 0.0) return false;
    const double step = wcs.cdelt[0] * wcs.pc[0], last = static_cast<double>(columns);
    const double turn = std::max(std::abs(1.0 - wcs.crpix[0]), std::abs(last - wcs.crpix[0]));
    // A pixel at half a turn itself would be found on either side.
    const double shift = 0.5 * (1.0 + last) - wcs.crpix[0];
    if ((turn + 0.5 - 1e-9) * std::abs(step) <= 180.0 || shift == 0.0) return false;
    wcs.crpix[0] += shift;
    wcs.crval[0] += shift * step;
    wcs.flag = 0;
    return true;
}

}  // namespace

struct ImageWcs::Parts {
    wcsprm wcs{};
    bool swapped = false;                       // latitude on the first axis of the image
    std::optional<EquatorialFrame> equatorial;  // as the header says
    std::optional<ToIcrs> toIcrs;               // of FK4 and FK5
    mutable std::mutex lock;
    Parts() { wcs.flag = -1; }
    ~Parts() { wcsfree(&wcs); }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
};

ImageWcs::ImageWcs(const Image& image)
    : ImageWcs(cardsOfPlaces(image), image.width, image.height) {}
ImageWcs::~ImageWcs() = default;
ImageWcs::ImageWcs(ImageWcs&&) noexcept = default;
ImageWcs& ImageWcs::operator=(ImageWcs&&) noexcept = default;

ImageWcs::ImageWcs(std::span<const std::string> wcsCards, int64_t width, int64_t height)
    : parts_(std::make_unique<Parts>()), width_(width), height_(height) {
    const auto refuse = [](const std::string& found) {
        throw IoError("expected celestial world coordinates on the first two axes, found " + found);
    };
    std::string header = "WCSAXES =                    2";
    header.resize(80, ' ');
    int cards = 1;
    constexpr int kMostCards = 2000;
    for (const std::string& card : wcsCards) {
        std::string line = card.substr(0, 80);
        line.resize(80, ' ');
        // wcslib allocates the square of the number of axes.
        if (cardKeyword(line) == "WCSAXES") {
            const int64_t axes = FitsHeader({line}).integer("WCSAXES").value_or(2);
            if (axes < 1 || axes > 9) refuse("WCSAXES = " + std::to_string(axes));
        }
        if (!(isWcsCard(line) || isObservationCard(line)) || ++cards > kMostCards) continue;
        header += line;
    }
    header += "END" + std::string(77, ' ');
    const std::lock_guard hold(wcsParserLock());
    int rejected = 0, count = 0;
    wcsprm* found = nullptr;
    const int status = wcspih(header.data(), cards + 1, WCSHDR_all, 0, &rejected, &count, &found);
    const auto release = [&] { wcsvfree(&count, &found); };
    if (status != 0 || count < 1) {
        release();
        refuse("cards that give none");
    }
    // The celestial axes alone; `axes` becomes the numbers that they had.
    int axes[2] = {WCSSUB_LONGITUDE, WCSSUB_LATITUDE}, number = 2;
    const int subStatus = wcssub(1, found, &number, axes, &parts_->wcs);
    release();
    if (subStatus != 0 || number != 2) refuse("none of longitude and latitude");
    if (std::min(axes[0], axes[1]) != 1 || std::max(axes[0], axes[1]) != 2)
        refuse("them on axes " + std::to_string(axes[0]) + " and " + std::to_string(axes[1]));
    parts_->swapped = axes[0] == 2;
    wcsprm& wcs = parts_->wcs;
    cdfix(&wcs);
    unitfix(0, &wcs);
    celfix(&wcs);
    int failure = wcsset(&wcs);
    if (failure == 0 && centerReference(wcs, parts_->swapped ? height : width))
        failure = wcsset(&wcs);
    if (failure != 0) refuse(std::string("cards that wcslib refuses: ") + wcs_errmsg[failure]);
    parts_->equatorial = equatorialOf(FitsHeader({wcsCards.begin(), wcsCards.end()}));
    frame_ = frameOf(wcs, parts_->equatorial);
    if (frame_ == Frame::Equatorial && equatorial()) parts_->toIcrs.emplace(*equatorial());
}

std::optional<EquatorialFrame> ImageWcs::equatorial() const {
    const auto& said = parts_->equatorial;
    const bool isOld =
        frame_ == Frame::Equatorial && said && said->system != EquatorialSystem::Icrs;
    return isOld ? said : std::nullopt;
}

ImageWcs::ImageWcs(std::unique_ptr<Parts> parts, Frame frame, int64_t width, int64_t height)
    : parts_(std::move(parts)), frame_(frame), width_(width), height_(height) {}

ImageWcs ImageWcs::copy() const {
    auto parts = std::make_unique<Parts>();
    const std::lock_guard hold(parts_->lock);
    parts->swapped = parts_->swapped;
    parts->equatorial = parts_->equatorial;
    parts->toIcrs = parts_->toIcrs;
    if (wcssub(1, &parts_->wcs, nullptr, nullptr, &parts->wcs) != 0 || wcsset(&parts->wcs) != 0)
        throw IoError("expected world coordinates that wcslib copies, found others");
    return {std::move(parts), frame_, width_, height_};
}

ImageWcs ImageWcs::asWritten() const {
    ImageWcs plain = copy();
    plain.parts_->toIcrs.reset();
    return plain;
}

void ImageWcs::directions(std::span<const double> x, std::span<const double> y,
                          std::span<Vec3> out) const {
    constexpr size_t kBatch = 1024;
    double pixel[2 * kBatch], image[2 * kBatch], phi[kBatch], theta[kBatch], world[2 * kBatch];
    int status[kBatch];
    const size_t first = parts_->swapped ? 1 : 0;
    for (size_t begin = 0; begin < out.size(); begin += kBatch) {
        const size_t count = std::min(kBatch, out.size() - begin);
        for (size_t i = 0; i < count; ++i) {
            pixel[2 * i + first] = x[begin + i] + 1.0;
            pixel[2 * i + 1 - first] = y[begin + i] + 1.0;
        }
        int failure = 0;
        {
            const std::lock_guard hold(parts_->lock);
            failure = wcsp2s(&parts_->wcs, static_cast<int>(count), 2, pixel, image, phi, theta,
                             world, status);
        }
        // 8: one or more of the coordinates were invalid, named by their status.
        const bool usable = failure == 0 || failure == 8;
        for (size_t i = 0; i < count; ++i) {
            const double lon = world[2 * i + static_cast<size_t>(parts_->wcs.lng)];
            const double lat = world[2 * i + static_cast<size_t>(parts_->wcs.lat)];
            const bool good = usable && status[i] == 0 && std::isfinite(lon) && std::isfinite(lat);
            out[begin + i] = good ? direction({lon * kDegree, lat * kDegree}) : kNowhere;
            if (good && parts_->toIcrs) out[begin + i] = (*parts_->toIcrs)(out[begin + i]);
        }
    }
}

void ImageWcs::pixels(std::span<const Vec3> directions, std::span<double> x,
                      std::span<double> y) const {
    constexpr size_t kBatch = 1024;
    double pixel[2 * kBatch], image[2 * kBatch], phi[kBatch], theta[kBatch], world[2 * kBatch];
    int status[kBatch];
    const size_t first = parts_->swapped ? 1 : 0;
    for (size_t begin = 0; begin < directions.size(); begin += kBatch) {
        const size_t count = std::min(kBatch, directions.size() - begin);
        for (size_t i = 0; i < count; ++i) {
            const Vec3 asked = directions[begin + i];
            const LonLat place = lonLat(parts_->toIcrs ? parts_->toIcrs->inverse(asked) : asked);
            world[2 * i + static_cast<size_t>(parts_->wcs.lng)] = place.lon / kDegree;
            world[2 * i + static_cast<size_t>(parts_->wcs.lat)] = place.lat / kDegree;
        }
        int failure = 0;
        {
            const std::lock_guard hold(parts_->lock);
            failure = wcss2p(&parts_->wcs, static_cast<int>(count), 2, world, phi, theta, image,
                             pixel, status);
        }
        const bool usable = failure == 0 || failure == 9;
        for (size_t i = 0; i < count; ++i) {
            const bool good = usable && status[i] == 0 && std::isfinite(pixel[2 * i]) &&
                              std::isfinite(pixel[2 * i + 1]);
            x[begin + i] = good ? pixel[2 * i + first] - 1.0 : kNan;
            y[begin + i] = good ? pixel[2 * i + 1 - first] - 1.0 : kNan;
        }
    }
}

double ImageWcs::pixelSize() const {
    const double cx = 0.5 * static_cast<double>(width_ - 1);
    const double cy = 0.5 * static_cast<double>(height_ - 1);
    const double x[4] = {cx - 0.5, cx + 0.5, cx, cx}, y[4] = {cy, cy, cy - 0.5, cy + 0.5};
    Vec3 at[4];
    directions(x, y, at);
    // The area of a small parallelogram; where the middle has no place that at the reference point.
    const double side = std::sqrt(norm(cross(at[1] - at[0], at[3] - at[2])));
    return std::isfinite(side) ? side : nominalPixelSize();
}

double ImageWcs::nominalPixelSize() const {
    const wcsprm& wcs = parts_->wcs;
    const double area =
        (wcs.pc[0] * wcs.pc[3] - wcs.pc[1] * wcs.pc[2]) * wcs.cdelt[0] * wcs.cdelt[1];
    return std::sqrt(std::abs(area)) * kDegree;
}

namespace {

DirectionMesh meshOf(const Image& image, const ImageWcs& wcs, int columns, int rows) {
    DirectionMesh mesh{columns, rows, {}};
    const auto nodes = static_cast<size_t>(columns) * static_cast<size_t>(rows);
    std::vector<double> x(nodes), y(nodes);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const size_t at = static_cast<size_t>(row) * static_cast<size_t>(columns) +
                              static_cast<size_t>(column);
            x[at] = -0.5 + static_cast<double>(image.width) * column / (columns - 1);
            y[at] = -0.5 + static_cast<double>(image.height) * row / (rows - 1);
        }
    mesh.directions.resize(nodes);
    wcs.directions(x, y, mesh.directions);
    return mesh;
}

// How far, in pixels, the middles of cells lie from the mean of their corners.
double meshError(const Image& image, const ImageWcs& wcs, const DirectionMesh& mesh) {
    std::vector<Vec3> middles;
    std::vector<double> wantedX, wantedY;
    for (int row = 0; row + 1 < mesh.rows; ++row)
        for (int column = 0; column + 1 < mesh.columns; ++column) {
            const Vec3 sum = mesh.at(column, row) + mesh.at(column + 1, row) +
                             mesh.at(column, row + 1) + mesh.at(column + 1, row + 1);
            if (!(norm(sum) > 0.0)) continue;
            middles.push_back(normalized(sum));
            wantedX.push_back(-0.5 + static_cast<double>(image.width) * (column + 0.5) /
                                         (mesh.columns - 1));
            wantedY.push_back(-0.5 +
                              static_cast<double>(image.height) * (row + 0.5) / (mesh.rows - 1));
        }
    std::vector<double> x(middles.size()), y(middles.size());
    wcs.pixels(middles, x, y);
    double worst = 0.0;
    for (size_t i = 0; i < x.size(); ++i) {
        const double error = std::hypot(x[i] - wantedX[i], y[i] - wantedY[i]);
        // An all-sky image jumps by its width where it is cut.
        if (error < 0.25 * static_cast<double>(std::max(image.width, image.height)))
            worst = std::max(worst, error);
    }
    return worst;
}

}  // namespace

DirectionMesh directionMesh(const Image& image, const ImageWcs& wcs, double tolerance) {
    constexpr int kMostNodes = 1025;
    int columns = 17, rows = 17;
    for (;;) {
        DirectionMesh mesh = meshOf(image, wcs, columns, rows);
        if (columns >= kMostNodes || meshError(image, wcs, mesh) <= tolerance) return mesh;
        columns = rows = 2 * columns - 1;
    }
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// World coordinates of images by wcslib (FITS WCS papers I to III).
#include <wcslib/wcs.h>
#include <wcslib/wcsfix.h>
#include <wcslib/wcshdr.h>
#include <wcslib/wcsmath.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/io/image_file.h"
#include "fits_equatorial.h"
#include "fits_header.h"
#include "image_cards.h"

namespace armilla {

namespace {

constexpr Vec3 kNowhere{kNan, kNan, kNan};

// `header`: the original cards, because wcslib adds a RADESYS to cards without one. `equatorial`:
// the system stated by the cards.
Frame frameOf(const wcsprm& wcs, const FitsHeader& header,
              const std::optional<EquatorialFrame>& equatorial) {
    const std::string lon = wcs.lngtyp;
    if (lon == "GLON") return Frame::Galactic;
    if (lon == "ELON") {
        const bool isOld = equatorial && equatorial->system != EquatorialSystem::Icrs &&
                           equatorial->equinox != 2000.0;
        if (isOld)
            throw IoError("expected ecliptic coordinates of J2000.0, found coordinates of " +
                          equatorialName(*equatorial));
        return Frame::Ecliptic;
    }
    if (lon != "RA") return Frame::Unknown;
    // Other systems, such as GAPPT, have no counterpart in Frame.
    const auto said = header.has("RADESYS") ? header.text("RADESYS") : header.text("RADECSYS");
    return equatorial || upperTrimmed(said.value_or("")).empty() ? Frame::Equatorial
                                                                 : Frame::Unknown;
}

// The value of a card, as a text card of the same keyword.
std::string textCard(const std::string& card, const std::string& value) {
    return card.substr(0, 8) + "= '" + value + "'";
}

// SCAMP writes its polynomial of distortion, TPV, under the name TAN, for which the standard gives
// PVi_m another meaning. A TAN has no parameters of the latitude and none beyond PVi_4, so that
// such cards tell the two apart. Coefficients that are left out are those of no distortion. Beside
// SIP, which then describes the same distortion, the coefficients are dropped.
std::vector<std::string> withScampNamed(std::vector<std::string> cards) {
    constexpr int kMostOfTan = 4;  // PVi_0 to PVi_4 of the longitude: paper II, section 2.5
    const FitsHeader header(cards);
    std::string types[2], projections[2];
    for (const int axis : {0, 1}) {
        types[axis] = upperTrimmed(header.text("CTYPE" + std::to_string(axis + 1)).value_or(""));
        if (types[axis].size() == 8) projections[axis] = types[axis].substr(5);
    }
    const bool isTan = projections[0] == "TAN" && projections[1] == "TAN";
    if (!isTan && !(projections[0] == "TPV" && projections[1] == "TPV")) return cards;
    const bool hasSip = header.has("A_ORDER") && header.has("B_ORDER");
    const int latitude =
        types[0].starts_with("DEC") || types[0].substr(1).starts_with("LAT") ? 0 : 1;
    const auto indexOf = [](const std::string& card, int axis) -> std::optional<int64_t> {
        const std::string key = cardKeyword(card), start = "PV" + std::to_string(axis + 1) + "_";
        return key.starts_with(start) ? parseInteger(key.substr(start.size())) : std::nullopt;
    };
    const bool isScamp = std::any_of(cards.begin(), cards.end(), [&](const std::string& card) {
        const auto ofLongitude = indexOf(card, 1 - latitude);
        return indexOf(card, latitude) || (ofLongitude && *ofLongitude > kMostOfTan);
    });
    if (isTan && !isScamp) return cards;
    if (isTan && hasSip) {
        std::erase_if(cards, [&](const std::string& card) {
            return indexOf(card, 0).has_value() || indexOf(card, 1).has_value();
        });
        return cards;
    }
    for (std::string& card : cards)
        for (const int axis : {0, 1})
            if (cardKeyword(card) == "CTYPE" + std::to_string(axis + 1))
                card = textCard(card, types[axis].substr(0, 5) + "TPV");
    for (const char* scale : {"PV1_1", "PV2_1"})
        if (!header.has(scale)) cards.push_back(std::string(scale) + "   = 1.0");
    return cards;
}

// World coordinate cards, and the date of observation, which FK4 depends on.
std::vector<std::string> cardsOfPlaces(const Image& image) {
    std::vector<std::string> cards = image.wcsCards;
    std::copy_if(image.cards.begin(), image.cards.end(), std::back_inserter(cards),
                 [](const std::string& card) { return isObservationCard(card); });
    return cards;
}

// True for a quad-cube, HPX or XPH.
bool isOfFacets(std::string_view projection) {
    return projection == "TSC" || projection == "CSC" || projection == "QSC" ||
           projection == "HPX" || projection == "XPH";
}

// True for projections whose equator is a line with even spacing of longitude. Their images may
// begin anywhere: the plane shows every place again a full turn farther along its first axis.
bool isPeriodic(const wcsprm& wcs) {
    const std::string_view projection = wcs.cel.prj.code;
    return projection == "CAR" || projection == "CEA" || projection == "MER" ||
           projection == "CYP" || (isOfFacets(projection) && projection != "XPH");
}

// By default wcslib rejects pixels more than half a turn from the reference. An image from 0 to 360
// degrees with the reference at its first pixel would lose its second half. Must follow each
// wcsset, which restores the default.
void allowTurns(wcsprm& wcs) {
    constexpr int kChecksNativePlaces = 4;  // bit of prjprm::bounds
    if (isPeriodic(wcs)) wcs.cel.prj.bounds &= ~kChecksNativePlaces;
}

// Displacement in pixels, along wcslib's axes, by one full turn of longitude.
struct Turn {
    double first = 0.0, second = 0.0;
};
Turn turnOf(const wcsprm& wcs) {
    if (!isPeriodic(wcs)) return {};
    const prjprm& projection = wcs.cel.prj;
    // Paper II, equations 79 and 80: the second parameter of CYP stretches longitudes.
    const double stretch = std::string_view(projection.code) == "CYP" ? projection.pv[2] : 1.0;
    const double turn = kTwoPi * projection.r0 * stretch;
    // Derivatives of plane coordinates by pixel coordinates.
    const auto step = [&wcs](int axis, int pixel) {
        return wcs.cdelt[axis] * wcs.pc[2 * axis + pixel];
    };
    const double area = step(wcs.lng, 0) * step(wcs.lat, 1) - step(wcs.lng, 1) * step(wcs.lat, 0);
    return {turn * step(wcs.lat, 1) / area, -turn * step(wcs.lat, 0) / area};
}

// True if the image contains both ends of the turn around its reference. Pixels beyond the ends are
// then off the sky; files leave these pixels blank.
bool holdsTurn(Turn turn, const wcsprm& wcs, int64_t first, int64_t second) {
    constexpr double kRounding = 1e-6;
    const auto isInside = [&](double share) {
        const double x = wcs.crpix[0] + share * turn.first, y = wcs.crpix[1] + share * turn.second;
        return x > 0.5 - kRounding && y > 0.5 - kRounding &&
               x < static_cast<double>(first) + 0.5 + kRounding &&
               y < static_cast<double>(second) + 0.5 + kRounding;
    };
    return isInside(-0.5) && isInside(0.5);
}

}  // namespace

struct ImageWcs::Parts {
    wcsprm wcs{};
    bool swapped = false;                       // latitude on the first axis of the image
    std::optional<EquatorialFrame> equatorial;  // stated by the header
    std::optional<ToIcrs> toIcrs;               // conversion of FK4 and FK5
    Turn turn;
    bool isOpen = false;  // does not span half a turn on both sides of the reference
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
    for (const std::string& card : withScampNamed({wcsCards.begin(), wcsCards.end()})) {
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
    // Extracts the celestial axes; `axes` receives their original numbers.
    int axes[2] = {WCSSUB_LONGITUDE, WCSSUB_LATITUDE}, number = 2;
    const int subStatus = wcssub(1, found, &number, axes, &parts_->wcs);
    release();
    if (subStatus != 0 || number != 2) refuse("none of longitude and latitude");
    if (std::min(axes[0], axes[1]) != 1 || std::max(axes[0], axes[1]) != 2)
        refuse("celestial coordinates on axes " + std::to_string(axes[0]) + " and " +
               std::to_string(axes[1]));
    parts_->swapped = axes[0] == 2;
    wcsprm& wcs = parts_->wcs;
    cdfix(&wcs);
    unitfix(0, &wcs);
    celfix(&wcs);
    const int failure = wcsset(&wcs);
    if (failure != 0) refuse(std::string("cards that wcslib refuses: ") + wcs_errmsg[failure]);
    parts_->turn = turnOf(wcs);
    parts_->isOpen = !holdsTurn(parts_->turn, wcs, parts_->swapped ? height : width,
                                parts_->swapped ? width : height);
    if (parts_->isOpen) allowTurns(wcs);
    const FitsHeader cardsOfHeader({wcsCards.begin(), wcsCards.end()});
    parts_->equatorial = equatorialOf(cardsOfHeader);
    frame_ = frameOf(wcs, cardsOfHeader, parts_->equatorial);
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
        throw IoError("expected world coordinates that wcslib can copy, found a failure of wcslib");
    parts->turn = parts_->turn;
    parts->isOpen = parts_->isOpen;
    if (parts->isOpen) allowTurns(parts->wcs);
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
    constexpr size_t kMost = kBatch + 1;
    double pixel[2 * kMost], image[2 * kMost], phi[kMost], theta[kMost], world[2 * kMost];
    int status[kMost];
    const size_t first = parts_->swapped ? 1 : 0;
    // wcslib accepts rows beyond a pole.
    const double highest = isPeriodic(parts_->wcs) ? 90.0 + 1e-9 : 360.0;
    for (size_t begin = 0; begin < out.size(); begin += kBatch) {
        const size_t count = std::min(kBatch, out.size() - begin);
        for (size_t i = 0; i < count; ++i) {
            pixel[2 * i + first] = x[begin + i] + 1.0;
            pixel[2 * i + 1 - first] = y[begin + i] + 1.0;
        }
        // One extra point off the row: wcslib treats points of one row as a grid, and for HPX then
        // rejects whole rows in which some pixels are off the sky.
        pixel[2 * count] = pixel[0] + 1.0;
        pixel[2 * count + 1] = pixel[1] + 1.0;
        int failure = 0;
        {
            const std::lock_guard hold(parts_->lock);
            failure = wcsp2s(&parts_->wcs, static_cast<int>(count) + 1, 2, pixel, image, phi, theta,
                             world, status);
        }
        // Status 8: one or more coordinates are invalid, as flagged individually.
        const bool usable = failure == 0 || failure == 8;
        for (size_t i = 0; i < count; ++i) {
            const double lon = world[2 * i + static_cast<size_t>(parts_->wcs.lng)];
            const double lat = world[2 * i + static_cast<size_t>(parts_->wcs.lat)];
            const bool good = usable && status[i] == 0 && std::isfinite(lon) &&
                              std::isfinite(lat) && std::abs(theta[i]) <= highest;
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
            if (good) turnIntoImage(x[begin + i], y[begin + i]);
        }
    }
}

void ImageWcs::turnIntoImage(double& x, double& y) const {
    const Turn& turn = parts_->turn;
    const double stepX = parts_->swapped ? turn.second : turn.first;
    const double stepY = parts_->swapped ? turn.first : turn.second;
    if (stepX == 0.0 && stepY == 0.0) return;
    // The border of a facet is also the border of the image; no place exists a turn farther.
    const double slack = hasFacets() ? 1e-6 : 0.0;
    for (const double turns : {0.0, 1.0, -1.0, 2.0, -2.0}) {
        const double column = x + turns * stepX, row = y + turns * stepY;
        if (column < -0.5 - slack || column >= static_cast<double>(width_) - 0.5 + slack ||
            row < -0.5 - slack || row >= static_cast<double>(height_) - 0.5 + slack)
            continue;
        x = column;
        y = row;
        return;
    }
}

bool ImageWcs::hasFacets() const {
    return isOfFacets(parts_->wcs.cel.prj.code);
}

double ImageWcs::pixelSize() const {
    const double cx = 0.5 * static_cast<double>(width_ - 1);
    const double cy = 0.5 * static_cast<double>(height_ - 1);
    const double x[4] = {cx - 0.5, cx + 0.5, cx, cx}, y[4] = {cy, cy, cy - 0.5, cy + 0.5};
    Vec3 at[4];
    directions(x, y, at);
    // The area of a small parallelogram at the middle, or at the reference point if the middle is
    // off the sky.
    const double side = std::sqrt(norm(cross(at[1] - at[0], at[3] - at[2])));
    return std::isfinite(side) ? side : nominalPixelSize();
}

double ImageWcs::nominalPixelSize() const {
    const wcsprm& wcs = parts_->wcs;
    const double area =
        (wcs.pc[0] * wcs.pc[3] - wcs.pc[1] * wcs.pc[2]) * wcs.cdelt[0] * wcs.cdelt[1];
    return std::sqrt(std::abs(area)) * kDegree;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Places of image pixels, by wcslib.
#include <wcslib/wcs.h>
#include <wcslib/wcsfix.h>
#include <wcslib/wcshdr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <regex>

#include "core/error.h"
#include "core/new_vector.h"
#include "fits_file.h"
#include "fits_writer.h"
#include "image_cards.h"
#include "io/image_file.h"
#include "sky_image_wcs.h"

namespace armilla {

namespace {

// A wcsprm and what it holds.
class Wcs {
public:
    Wcs() { wcs_.flag = -1; }
    ~Wcs() { wcsfree(&wcs_); }
    Wcs(const Wcs&) = delete;
    Wcs& operator=(const Wcs&) = delete;
    wcsprm* get() { return &wcs_; }

private:
    wcsprm wcs_{};
};
// What wcspih makes of a header.
class WcsList {
public:
    explicit WcsList(const std::vector<std::string>& cards) {
        std::string text;
        for (const std::string& card : cards) {
            text += card;
            text.resize((text.size() + 79) / 80 * 80, ' ');
        }
        int rejected = 0;
        const std::lock_guard hold(wcsParserLock());
        status_ = wcspih(text.data(), static_cast<int>(cards.size()), WCSHDR_all, 0, &rejected,
                         &count_, &list_);
    }
    ~WcsList() { wcsvfree(&count_, &list_); }
    WcsList(const WcsList&) = delete;
    WcsList& operator=(const WcsList&) = delete;
    // The primary description, null if there is none.
    wcsprm* primary() { return status_ == 0 && count_ > 0 ? list_ : nullptr; }

private:
    int count_ = 0, status_ = 0;
    wcsprm* list_ = nullptr;
};

// Cards that place axes 1 and 2, of the primary description.
bool placesPixels(const std::string& card) {
    static const std::regex axis(
        R"((CTYPE|CUNIT|CRVAL|CRPIX|CDELT|CROTA)[12]|(PC|CD)[12]_[12]|P[VS][12]_\d+|PC00[12]00[12])"
        R"(|LONPOLE|LATPOLE|RADESYS|RADECSYS|EQUINOX|EPOCH)"
        R"(|[AB]P?_(ORDER|DMAX|\d+_\d+))");
    return std::regex_match(cardKeyword(card), axis);
}

std::vector<std::string> twoAxes(const std::vector<std::string>& cards) {
    FitsCards all;
    all.integer("WCSAXES", 2);
    for (const std::string& card : cards) all.raw(card);
    return all.all();
}

// Throws IoError if wcslib does not make a celestial description of the cards.
void requireCelestial(WcsList& list) {
    wcsprm* const wcs = list.primary();
    std::array<int, NWCSFIX> fixed{};
    if (wcs != nullptr) wcsfix(7, nullptr, wcs, fixed.data());
    const int status = wcs != nullptr ? wcsset(wcs) : 0;
    if (status != 0)
        throw IoError(std::string("expected world coordinates that wcslib takes, found: ") +
                      wcs_errmsg[status]);
    if (wcs == nullptr || wcs->lng < 0 || wcs->lat < 0)
        throw IoError("expected an image with celestial world coordinates, found one without");
}

Frame frameOf(const FitsHeader& header) {
    for (const char* key : {"CTYPE1", "CTYPE2"}) {
        const std::string type = upperTrimmed(header.text(key).value_or(""));
        if (type.starts_with("GLON")) return Frame::Galactic;
        if (type.starts_with("ELON")) return Frame::Ecliptic;
        if (type.starts_with("RA--")) {
            const std::string system =
                upperTrimmed(header.text("RADESYS").value_or(header.text("RADECSYS").value_or("")));
            const double equinox =
                header.real("EQUINOX").value_or(header.real("EPOCH").value_or(2000.0));
            if ((!system.empty() && system != "ICRS" && system != "FK5") || equinox != 2000.0)
                throw IoError("expected equatorial coordinates of ICRS or J2000, found " +
                              (system.empty() ? std::string("RADESYS absent") : inQuotes(system)) +
                              ", equinox " + std::to_string(equinox));
            return Frame::Equatorial;
        }
    }
    throw IoError("expected an image in equatorial, galactic or ecliptic coordinates, found " +
                  inQuotes(header.text("CTYPE1").value_or("no CTYPE1")));
}

bool isImage(const FitsHdu& hdu, int64_t& width, int64_t& height) {
    const bool packed = hdu.header.logical("ZIMAGE").value_or(false);
    if (hdu.type != HduType::Image && !packed) return false;
    const std::string key = packed ? "ZNAXIS" : "NAXIS";
    width = hdu.header.integer(key + "1").value_or(0);
    height = hdu.header.integer(key + "2").value_or(0);
    return hdu.header.integer(key).value_or(0) >= 2 && width > 0 && height > 0;
}

ImageGrid gridOf(const FitsHdu& hdu, int64_t width, int64_t height) {
    ImageGrid grid{width, height, Frame::Unknown, {}};
    for (const std::string& card : hdu.header.cards())
        if (placesPixels(card)) grid.wcsCards.push_back(card);
    if (!hdu.header.has("CTYPE1"))
        throw IoError("expected an image with celestial world coordinates, found one without");
    grid.frame = frameOf(hdu.header);
    WcsList list(twoAxes(grid.wcsCards));
    requireCelestial(list);
    return grid;
}

}  // namespace

ImageGrid readImageGrid(const std::string& path, JobContext& job) {
    const FilePath place = parseFilePath(path);
    FitsFile file(place.path, job.stopToken());
    int64_t width = 0, height = 0;
    const auto grid = [&](const FitsHdu& hdu) {
        try {
            return gridOf(hdu, width, height);
        } catch (Error& error) {
            error.addContext(place.path + "[" + std::to_string(hdu.number) + "]");
            throw;
        }
    };
    if (place.hdu) {
        const FitsHdu& hdu = file.selected(*place.hdu);
        if (!isImage(hdu, width, height)) refuse(path, "an image", "another kind of HDU");
        return grid(hdu);
    }
    for (int number = 0; const FitsHdu* hdu = file.hdu(number); ++number) {
        job.poll();
        if (isImage(*hdu, width, height)) return grid(*hdu);
    }
    refuse(path, "an image with world coordinates", "no image");
}

ImageGrid imageGrid(const ViewGeometry& view, Frame frame) {
    FitsCards cards;
    addWorldCoordinates(cards, view, frame);
    ImageGrid grid{view.width, view.height, frame, {}};
    for (const std::string& card : cards.all())
        if (cardKeyword(card) != "WCSAXES") grid.wcsCards.push_back(card);
    return grid;
}

std::vector<Vec3> pixelDirections(const ImageGrid& grid, JobContext& job) {
    WcsList list(twoAxes(grid.wcsCards));
    requireCelestial(list);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<Vec3> cells = newVector<Vec3>(grid.width * grid.height, job, Vec3{nan, nan, nan});
    // A wcsprm is no place for several threads: each piece has its own.
    constexpr int64_t kPiece = int64_t{1} << 14;
    parallelFor(
        job, static_cast<long long>(cells.size()), kPiece,
        [&](long long begin, long long end) {
            Wcs own;
            if (wcssub(1, list.primary(), nullptr, nullptr, own.get()) != 0 ||
                wcsset(own.get()) != 0)
                throw IoError("expected world coordinates that wcslib takes, found others");
            const auto count = static_cast<size_t>(end - begin);
            std::vector<double> pixel(2 * count), plane(2 * count), world(2 * count), phi(count),
                theta(count);
            std::vector<int> bad(count);
            for (size_t i = 0; i < count; ++i) {
                const int64_t at = begin + static_cast<int64_t>(i);
                pixel[2 * i] = static_cast<double>(at % grid.width + 1);
                pixel[2 * i + 1] = static_cast<double>(at / grid.width + 1);
            }
            const int status =
                wcsp2s(own.get(), static_cast<int>(count), 2, pixel.data(), plane.data(),
                       phi.data(), theta.data(), world.data(), bad.data());
            // Some pixels may have no place; any other failure is one of the header.
            if (status != 0 && status != WCSERR_BAD_PIX)
                throw IoError(std::string("expected world coordinates that wcslib takes, found: ") +
                              wcs_errmsg[status]);
            for (size_t i = 0; i < count; ++i)
                if (bad[i] == 0)
                    cells[static_cast<size_t>(begin) + i] =
                        direction({world[2 * i + static_cast<size_t>(own.get()->lng)] * kDegree,
                                   world[2 * i + static_cast<size_t>(own.get()->lat)] * kDegree});
        },
        "placing pixels");
    return cells;
}

double pixelSize(const ImageGrid& grid) {
    WcsList list(twoAxes(grid.wcsCards));
    requireCelestial(list);
    const wcsprm* const wcs = list.primary();
    const double* const cd = wcs->pc;
    const double a = cd[0] * wcs->cdelt[0], b = cd[1] * wcs->cdelt[0], c = cd[2] * wcs->cdelt[1],
                 d = cd[3] * wcs->cdelt[1];
    return std::sqrt(std::abs(a * d - b * c)) * kDegree;
}

}  // namespace armilla

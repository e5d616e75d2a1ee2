// SPDX-License-Identifier: GPL-3.0-or-later
#include "sky_image_wcs.h"

#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/frames.h"

namespace armilla {

namespace {

bool isZenithal(Projection projection) {
    return factsOf(projection).kind == ProjectionClass::Zenithal;
}

// Rotation from native coordinates of paper II to the view frame. It is the identity, with native
// longitude 0, latitude 0 at the center of the view, except for zenithal projections. There the
// native pole is the center, and native longitude counts from the bottom of the picture: x = R
// sin(phi), y = -R cos(phi).
Mat3 viewFromNative(Projection projection) {
    if (!isZenithal(projection)) return Mat3{};
    return {{0, 0, 1, 0, 1, 0, -1, 0, 0}};
}

// Positions of the native and the celestial pole in each other's system (paper II, section 2.3).
struct Poles {
    double alpha = 0.0;  // celestial longitude of the native pole
    // celestial latitude of the native pole, equal to the native latitude of the celestial pole
    double delta = 0.0;
    double phi = 0.0;  // native longitude of the celestial pole (LONPOLE)
};

// skyFromNative = Rz(a) Rx(90 - delta) Rz(c), a = alpha + 90, c = 90 - phi. With delta near a pole
// a is uncertain, but a + c (or a - c near the south pole) is not. Therefore the second angle is
// computed from that sum, so that the errors of the two cancel and do not rotate the picture.
Poles polesOf(const Mat3& r) {
    const double a = std::atan2(r.m[2], -r.m[5]);
    const double c = r.m[8] >= 0.0 ? std::atan2(r.m[3] - r.m[1], r.m[0] + r.m[4]) - a
                                   : a - std::atan2(r.m[3] + r.m[1], r.m[0] - r.m[4]);
    Poles poles;
    poles.delta = std::atan2(r.m[8], std::hypot(r.m[2], r.m[5]));
    poles.alpha = a - kHalfPi;
    poles.phi = kHalfPi - c;
    return poles;
}

double degrees(double radians) {
    return radians * (180.0 / kPi);
}

double degrees360(double radians) {
    double angle = std::fmod(degrees(radians), 360.0);
    if (angle < 0.0) angle += 360.0;
    return angle >= 360.0 ? 0.0 : angle;
}

double degrees180(double radians) {
    const double angle = degrees360(radians);
    return angle > 180.0 ? angle - 360.0 : angle;
}

// True if readers of a projection that is not zenithal find delta from CRVAL and LONPOLE without
// loss. They solve delta = u +- acos(sin(lat0) / |cos(phi)|) (paper II, equation 8), which is
// ill-conditioned where the quotient is close to 1 or both of its parts are small.
bool poleIsWellConditioned(double latitude, double phi, double tolerance) {
    const double c = std::abs(std::cos(phi));
    if (c < 0.1) return false;
    const double z = std::min(1.0, std::abs(std::sin(latitude)) / c);
    // rounding of sine, cosine and the cards' decimal digits, over c
    constexpr double kRounding = 1e-14;
    return kRounding < tolerance * std::sqrt((1.0 - z) * (1.0 + z));
}

}  // namespace

void addWorldCoordinates(FitsCards& cards, const ViewGeometry& view, Frame frame) {
    if (frame == Frame::Unknown)
        throw Unsupported("expected an image in a known frame (G, E or C), found an unknown frame");
    const FrameFacts& names = factsOf(frame);
    const std::string code = factsOf(view.projection).wcsCode;
    const double scale = degrees(view.radiansPerPixel);
    const Mat3 skyFromNative = view.skyFromView * viewFromNative(view.projection);
    const Poles poles = polesOf(skyFromNative);

    cards.integer("WCSAXES", 2);
    cards.text("CTYPE1", std::string(names.lonAxis) + code);
    cards.text("CTYPE2", std::string(names.latAxis) + code);
    cards.text("CUNIT1", "deg");
    cards.text("CUNIT2", "deg");
    // Pixel centers count from 1, rows from the bottom.
    cards.real("CRPIX1", 0.5 * view.width - view.offset.x / view.radiansPerPixel + 0.5);
    cards.real("CRPIX2", 0.5 * view.height - view.offset.y / view.radiansPerPixel + 0.5);
    cards.real("CDELT1", view.flip ? scale : -scale,
               view.flip ? "longitude to the right" : "longitude to the left");
    cards.real("CDELT2", scale);
    if (isZenithal(view.projection)) {
        cards.real("CRVAL1", degrees360(poles.alpha));
        cards.real("CRVAL2", degrees(poles.delta));
    } else {
        const LonLat center = lonLat(skyFromNative * Vec3{1.0, 0.0, 0.0});
        // A hundredth of the promised accuracy of 1e-6 pixel is the budget here.
        const bool upright = std::abs(poles.delta) == kHalfPi;
        if (upright || poleIsWellConditioned(center.lat, poles.phi, 1e-8 * view.radiansPerPixel)) {
            cards.real("CRVAL1", degrees360(center.lon));
            cards.real("CRVAL2", degrees(center.lat));
        } else {
            // The native pole as reference point (paper II, section 2.5): readers then use its
            // position directly without solving an equation.
            cards.real("CRVAL1", degrees360(poles.alpha));
            cards.real("CRVAL2", degrees(poles.delta));
            cards.real("PV1_1", 0.0, "native longitude of the reference point");
            cards.real("PV1_2", 90.0, "native latitude of the reference point");
        }
    }
    cards.real("LONPOLE", degrees180(poles.phi), "native longitude of the celestial pole");
    cards.real("LATPOLE", degrees(poles.delta), "native latitude of the celestial pole");
    if (frame != Frame::Galactic) cards.text("RADESYS", "ICRS");
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/sky_vector.h"

#include <algorithm>
#include <string>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/frames.h"

namespace armilla {

namespace {

// ICRS to Galactic: the Hipparcos definition (ESA SP-1200, 1997, vol. 1, section 1.5.3), as in the
// SOFA routine iauIcrs2g.
constexpr Mat3 kGalacticFromEquatorial{
    {-0.054875560416215368492, -0.873437090234885048760, -0.483835015548713226831,
     +0.494109427875583673525, -0.444829629960011178146, +0.746982244497218890527,
     -0.867666149019004701181, -0.198076373431201528180, +0.455983776175066922272}};

// ICRS to the mean ecliptic and equinox of J2000.0, IAU 2006 precession, frame bias included: the
// SOFA routine iauEcm06 at JD 2451545.0 TT.
constexpr Mat3 kEclipticFromEquatorial{
    {9.9999999999999412e-01, -7.0783689609715561e-08, 8.0562139776131861e-08,
     3.2897004077419646e-08, 9.1748212991495837e-01, 3.9777699944404793e-01,
     -1.0207044725484355e-07, -3.9777699944404304e-01, 9.1748212991495559e-01}};

Mat3 fromEquatorial(Frame frame) {
    switch (frame) {
        case Frame::Galactic: return kGalacticFromEquatorial;
        case Frame::Ecliptic: return kEclipticFromEquatorial;
        case Frame::Equatorial: return Mat3{};
        case Frame::Unknown: break;
    }
    throw InvalidArgument(
        "expected a map with a known frame (G, E or C; --input-frame states it), found an unknown "
        "frame");
}

}  // namespace

Mat3 frameRotation(Frame to, Frame from) {
    if (to == from) return Mat3{};
    return fromEquatorial(to) * transposed(fromEquatorial(from));
}

std::string_view frameName(Frame frame) {
    return factsOf(frame).name;
}

char frameLetter(Frame frame) {
    return factsOf(frame).letter;
}

Frame frameFromText(std::string_view text) {
    std::string word;
    for (const char c : text)
        if (!isBlank(c)) word += lowerCase(c);
    struct Word {
        std::string_view word;
        Frame frame;
    };
    // FK4 (B1950.0) and supergalactic coordinates are none of the three frames.
    static constexpr Word kWords[] = {{"g", Frame::Galactic},
                                      {"gal", Frame::Galactic},
                                      {"galactic", Frame::Galactic},
                                      {"e", Frame::Ecliptic},
                                      {"ecl", Frame::Ecliptic},
                                      {"ecliptic", Frame::Ecliptic},
                                      {"ecl_fk5", Frame::Ecliptic},
                                      {"c", Frame::Equatorial},
                                      {"q", Frame::Equatorial},
                                      {"equ", Frame::Equatorial},
                                      {"eq", Frame::Equatorial},
                                      {"cel", Frame::Equatorial},
                                      {"equatorial", Frame::Equatorial},
                                      {"celestial", Frame::Equatorial},
                                      {"icrs", Frame::Equatorial},
                                      {"fk5", Frame::Equatorial},
                                      {"eq_fk5", Frame::Equatorial},
                                      {"j2000", Frame::Equatorial},
                                      {"j2000.0", Frame::Equatorial}};
    for (const Word& known : kWords)
        if (known.word == word) return known.frame;
    return Frame::Unknown;
}

}  // namespace armilla

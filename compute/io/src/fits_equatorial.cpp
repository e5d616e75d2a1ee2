// SPDX-License-Identifier: GPL-3.0-or-later
#include "fits_equatorial.h"

#include <cmath>

namespace armilla {

namespace {

std::optional<double> equinoxOf(const FitsHeader& header) {
    if (const auto text = header.text("EQUINOX")) return equinoxYear(*text);
    // EPOCH meant the equinox before 1989. In current catalogs EPOCH is the epoch of the positions,
    // such as 2015.5; equinoxes are multiples of 25 years.
    if (const auto text = header.text("EPOCH"))
        if (const auto year = equinoxYear(*text); year && std::fmod(*year, 25.0) == 0.0)
            return year;
    return std::nullopt;
}

std::optional<double> observedOf(const FitsHeader& header) {
    if (const auto date = header.text("DATE-OBS"))
        if (const auto year = julianYearOfDate(*date)) return year;
    if (const auto mjd = header.real("MJD-OBS"); mjd && *mjd > 0.0) return julianYearOfMjd(*mjd);
    return std::nullopt;
}

}  // namespace

std::optional<EquatorialFrame> equatorialOf(const FitsHeader& header) {
    const auto system = header.text("RADESYS");
    std::optional<EquatorialFrame> frame = equatorialFrameOf(
        system ? *system : header.text("RADECSYS").value_or(""), equinoxOf(header));
    if (frame && frame->system != EquatorialSystem::Icrs && frame->system != EquatorialSystem::Fk5)
        frame->observed = observedOf(header);
    return frame;
}

}  // namespace armilla

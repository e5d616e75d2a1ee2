// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sky_names.h"

#include "core/error.h"
#include "core/units.h"

namespace armilla {
namespace {

// ICRS degrees, as SIMBAD and NED give them; rounded to 0.001 degrees.
struct Place {
    const char* name;
    double rightAscension, declination;
};
constexpr Place kPlaces[] = {
    {"Galactic center", 266.405, -28.936},
    {"North Galactic pole", 192.859, 27.128},
    {"South Galactic pole", 12.859, -27.128},
    {"Sgr A*", 266.417, -29.008},
    {"M 1 (Crab)", 83.633, 22.014},
    {"M 31", 10.685, 41.269},
    {"M 33", 23.462, 30.660},
    {"M 42 (Orion)", 83.822, -5.391},
    {"M 81", 148.888, 69.065},
    {"M 87 (Virgo A)", 187.706, 12.391},
    {"LMC", 80.894, -69.756},
    {"SMC", 13.187, -72.829},
    {"Cas A", 350.866, 58.812},
    {"Cyg A", 299.868, 40.734},
    {"Cen A", 201.365, -43.019},
    {"Vela", 128.836, -45.176},
    {"Coma cluster", 194.953, 27.981},
    {"Perseus cluster", 49.951, 41.512},
    {"3C 273", 187.278, 2.052},
    {"Pleiades", 56.601, 24.114},
};

QString folded(const QString& text) {
    return text.toLower().remove(QLatin1Char(' ')).remove(QLatin1Char('_'));
}

}  // namespace

QStringList skyNames() {
    QStringList names;
    for (const Place& place : kPlaces) names += QString::fromLatin1(place.name);
    return names;
}

std::optional<LonLat> namedPosition(const QString& name) {
    const QString wanted = folded(name);
    for (const Place& place : kPlaces) {
        const QString whole = folded(QString::fromLatin1(place.name));
        const auto bracket = whole.indexOf(QLatin1Char('('));
        const bool other = bracket > 0 && (whole.left(bracket) == wanted ||
                                           whole.mid(bracket + 1).chopped(1) == wanted);
        if (whole == wanted || other)
            return LonLat{place.rightAscension * kDegree, place.declination * kDegree};
    }
    return std::nullopt;
}

LonLat searchedPosition(const QString& text, Frame frame) {
    if (const auto place = namedPosition(text)) {
        if (frame == Frame::Unknown)
            throw InvalidArgument("expected a map whose frame is known to find \"" +
                                  text.toStdString() + "\", found one of unknown frame");
        return lonLat(frameRotation(frame, Frame::Equatorial) * direction(*place));
    }
    // Copied text often has a true minus sign.
    QString plain = text;
    return parseTypedPosition(plain.replace(QChar(0x2212), QLatin1Char('-')).toStdString(), frame);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The color maps: a few control points each, joined by a smooth curve in a perceptual color space,
// or a published formula.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <mutex>
#include <span>

#include "armilla/core/error.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/own_colors.h"

namespace armilla {

namespace {

// Gamma-coded red, green and blue, 0 to 1.
struct Srgb {
    double r, g, b;
};

// Control points 0xRRGGBB at equal distances along the map, or a formula of the position, 0 to 1.
struct ColorMapDefinition {
    std::string_view name;
    std::span<const uint32_t> points;
    bool cyclic = false;
    Srgb (*formula)(double) = nullptr;
};

// Blue through a warm white to red, the customary colors of microwave skies.
constexpr uint32_t kPlanck[] = {0x0b1a8c, 0x1450d2, 0x3f97ee, 0x9fd3f2, 0xfaf0dc,
                                0xfbc27a, 0xf07f2e, 0xcb3312, 0x6b0a0c};
// Nine samples each of the maps of that name by S. van der Walt & N. Smith (viridis, magma) and
// J. Nunez, C. Anderton & R. Renslow (cividis): public domain (CC0).
constexpr uint32_t kViridis[] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
constexpr uint32_t kCividis[] = {0x00224e, 0x1a386f, 0x434e6c, 0x61656f, 0x7d7c78,
                                 0x9b9476, 0xbcae6c, 0xdec958, 0xfee838};
constexpr uint32_t kMagma[] = {0x000004, 0x1d1147, 0x51127c, 0x832681, 0xb73779,
                               0xe75263, 0xfc8961, 0xfec488, 0xfcfdbf};
// After the diverging map of K. Moreland (2009), doi:10.1007/978-3-642-10520-3_9.
constexpr uint32_t kCoolWarm[] = {0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb9d0f9, 0xdddcdc,
                                  0xf5c4ac, 0xf4987a, 0xdd5f4b, 0xb40426};
// Cyclic, for angles: light, blue, dark, red, light. The last point is the first.
constexpr uint32_t kTwilight[] = {0xe2d9e2, 0xb3c6ce, 0x7ba1c2, 0x6276ba, 0x5e43a5,
                                  0x4e186f, 0x2f1436, 0x581647, 0x8e2c50, 0xb25652,
                                  0xc68a6d, 0xd4bcac, 0xe2d9e2};
constexpr uint32_t kGray[] = {0x000000, 0xffffff};
// Ten samples each of the maps of that name by S. van der Walt & N. Smith (CC0).
constexpr uint32_t kInferno[] = {0x000004, 0x1b0c42, 0x4b0c6b, 0x781c6d, 0xa52c60,
                                 0xcf4446, 0xed6925, 0xfb9a06, 0xf7d03c, 0xfcffa4};
constexpr uint32_t kPlasma[] = {0x0d0887, 0x47039f, 0x7301a8, 0x9c179e, 0xbd3786,
                                0xd8576b, 0xed7953, 0xfa9e3b, 0xfdc926, 0xf0f921};
// Schemes of C. Brewer, colorbrewer2.org, with all classes of each scheme.
constexpr uint32_t kRdBu[] = {0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7,
                              0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac, 0x053061};
constexpr uint32_t kRdYlBu[] = {0xa50026, 0xd73027, 0xf46d43, 0xfdae61, 0xfee090, 0xffffbf,
                                0xe0f3f8, 0xabd9e9, 0x74add1, 0x4575b4, 0x313695};
constexpr uint32_t kSpectral[] = {0x9e0142, 0xd53e4f, 0xf46d43, 0xfdae61, 0xfee08b, 0xffffbf,
                                  0xe6f598, 0xabdda4, 0x66c2a5, 0x3288bd, 0x5e4fa2};
constexpr uint32_t kBlues[] = {0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6,
                               0x4292c6, 0x2171b5, 0x08519c, 0x08306b};
constexpr uint32_t kYlOrRd[] = {0xffffcc, 0xffeda0, 0xfed976, 0xfeb24c, 0xfd8d3c,
                                0xfc4e2a, 0xe31a1c, 0xbd0026, 0x800026};

double polynomial(const double (&coefficients)[6], double x) {
    double value = 0.0;
    for (int i = 5; i >= 0; --i) value = value * x + coefficients[i];
    return std::clamp(value, 0.0, 1.0);
}

// A. Mikhailov (2019), "Turbo, an improved rainbow colormap": the author's polynomials.
Srgb turbo(double x) {
    return {
        polynomial({0.13572138, 4.61539260, -42.66032258, 132.13108234, -152.94239396, 59.28637943},
                   x),
        polynomial({0.09140261, 2.19418839, 4.84296658, -14.18503333, 4.27729857, 2.82956604}, x),
        polynomial({0.10667330, 12.64194608, -60.58204836, 110.36276771, -89.90310912, 27.34824973},
                   x)};
}

// D. A. Green (2011), Bull. Astr. Soc. India 39, 289, with its start 0.5, rotations -1.5, hue and
// gamma 1.
Srgb cubehelix(double x) {
    const double angle = 6.283185307179586 * (0.5 / 3.0 + 1.0 - 1.5 * x);
    const double amplitude = 0.5 * x * (1.0 - x);
    const double c = amplitude * std::cos(angle), s = amplitude * std::sin(angle);
    return {std::clamp(x - 0.14861 * c + 1.78277 * s, 0.0, 1.0),
            std::clamp(x - 0.29227 * c - 0.90649 * s, 0.0, 1.0),
            std::clamp(x + 1.97294 * c, 0.0, 1.0)};
}

// Colors of a heated body: red, then green, then blue reach their maximum.
Srgb hot(double x) {
    constexpr double red = 0.365079, green = 0.746032;
    return {std::clamp(0.0416 + (1.0 - 0.0416) * x / red, 0.0, 1.0),
            std::clamp((x - red) / (green - red), 0.0, 1.0),
            std::clamp((x - green) / (1.0 - green), 0.0, 1.0)};
}

constexpr ColorMapDefinition kMaps[] = {{"planck", kPlanck},
                                        {"viridis", kViridis},
                                        {"cividis", kCividis},
                                        {"magma", kMagma},
                                        {"inferno", kInferno},
                                        {"plasma", kPlasma},
                                        {"coolwarm", kCoolWarm},
                                        {"RdBu", kRdBu},
                                        {"RdYlBu", kRdYlBu},
                                        {"Spectral", kSpectral},
                                        {"Blues", kBlues},
                                        {"YlOrRd", kYlOrRd},
                                        {"hot", {}, false, hot},
                                        {"cubehelix", {}, false, cubehelix},
                                        {"turbo", {}, false, turbo},
                                        {"twilight", kTwilight, true},
                                        {"gray", kGray}};

struct Color {
    double c[3];
};

double linearFromSrgb(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double srgbFromLinear(double v) {
    return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
}

// Oklab: B. Ottosson (2020), https://bottosson.github.io/posts/oklab/.
Color oklabFromHex(uint32_t hex) {
    const double r = linearFromSrgb(((hex >> 16) & 255U) / 255.0);
    const double g = linearFromSrgb(((hex >> 8) & 255U) / 255.0);
    const double b = linearFromSrgb((hex & 255U) / 255.0);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
             1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
             0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s}};
}

uint8_t byteFromLinear(double v) {
    return static_cast<uint8_t>(
        std::lround(255.0 * std::clamp(srgbFromLinear(std::clamp(v, 0.0, 1.0)), 0.0, 1.0)));
}

Rgba srgbFromOklab(const Color& lab) {
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(lab.c[0] + 0.3963377774 * lab.c[1] + 0.2158037573 * lab.c[2]);
    const double m = cube(lab.c[0] - 0.1055613458 * lab.c[1] - 0.0638541728 * lab.c[2]);
    const double s = cube(lab.c[0] - 0.0894841775 * lab.c[1] - 1.2914855480 * lab.c[2]);
    return {byteFromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            byteFromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            byteFromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 255};
}

// Catmull-Rom curve through the control points; straight beyond the ends, closed if cyclic.
Rgba colorAt(const ColorMapDefinition& map, double position) {
    if (map.formula != nullptr) {
        const Srgb color = map.formula(std::clamp(position, 0.0, 1.0));
        const auto byte = [](double v) { return static_cast<uint8_t>(std::lround(255.0 * v)); };
        return {byte(color.r), byte(color.g), byte(color.b), 255};
    }
    const int count = static_cast<int>(map.points.size());
    const double along = std::clamp(position, 0.0, 1.0) * (count - 1);
    const int first = std::min(static_cast<int>(along), count - 2);
    const double t = along - first;
    const auto lab = [&](int i) { return oklabFromHex(map.points[static_cast<size_t>(i)]); };
    const auto point = [&](int i) -> Color {
        if (i >= 0 && i < count) return lab(i);
        if (map.cyclic) return lab(i < 0 ? count - 2 : 1);
        const Color end = lab(i < 0 ? 0 : count - 1), next = lab(i < 0 ? 1 : count - 2);
        return {{2 * end.c[0] - next.c[0], 2 * end.c[1] - next.c[1], 2 * end.c[2] - next.c[2]}};
    };
    const Color p0 = point(first - 1), p1 = point(first), p2 = point(first + 1),
                p3 = point(first + 2);
    Color result{};
    for (int k = 0; k < 3; ++k) {
        const double a = p1.c[k], b = 0.5 * (p2.c[k] - p0.c[k]);
        const double c = p0.c[k] - 2.5 * p1.c[k] + 2.0 * p2.c[k] - 0.5 * p3.c[k];
        const double d = 0.5 * (p3.c[k] - p0.c[k]) + 1.5 * (p1.c[k] - p2.c[k]);
        result.c[k] = a + t * (b + t * (c + t * d));
    }
    return srgbFromOklab(result);
}

}  // namespace

namespace {

// Parses "#rrggbb,#rrggbb"; empty for other text.
std::vector<Rgba> ownColors(std::string_view list) {
    constexpr size_t kLength = 7, kMost = 256;
    std::vector<Rgba> colors;
    if ((list.size() + 1) % (kLength + 1) != 0) return {};
    for (size_t at = 0; at < list.size(); at += kLength + 1) {
        unsigned value = 0;
        const char* const first = list.data() + at + 1;
        const auto [end, error] = std::from_chars(first, first + kLength - 1, value, 16);
        const bool isLast = at + kLength == list.size();
        if (list[at] != '#' || error != std::errc() || end != first + kLength - 1 ||
            (!isLast && list[at + kLength] != ','))
            return {};
        colors.push_back({static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8),
                          static_cast<uint8_t>(value), 255});
    }
    return colors.size() >= 2 && colors.size() <= kMost ? colors : std::vector<Rgba>();
}

ColorTable tableOf(const std::vector<Rgba>& colors, bool reversed) {
    ColorTable table{};
    for (size_t i = 0; i < table.size(); ++i) {
        const double along =
            static_cast<double>(i * (colors.size() - 1)) / static_cast<double>(table.size() - 1);
        const size_t below = std::min(static_cast<size_t>(along), colors.size() - 2);
        const double t = along - static_cast<double>(below);
        const Rgba a = colors[below], b = colors[below + 1];
        const auto mixed = [t](uint8_t from, uint8_t to) {
            return static_cast<uint8_t>(std::lround((1.0 - t) * from + t * to));
        };
        table[reversed ? table.size() - 1 - i : i] = {mixed(a.r, b.r), mixed(a.g, b.g),
                                                      mixed(a.b, b.b), 255};
    }
    return table;
}

}  // namespace

bool isColorMap(std::string_view name) {
    return std::any_of(std::begin(kMaps), std::end(kMaps),
                       [&](const ColorMapDefinition& map) { return map.name == name; }) ||
           !ownColors(name).empty();
}

std::vector<std::string> colorMapNames() {
    std::vector<std::string> names;
    for (const ColorMapDefinition& map : kMaps) names.emplace_back(map.name);
    return names;
}

ColorTable colorTable(std::string_view name, bool reversed) {
    // Computed once, because color bars and histograms look tables up in every paint.
    struct Kept {
        std::once_flag once;
        ColorTable table{};
    };
    static std::array<Kept, std::size(kMaps)> kept;
    for (size_t at = 0; at < std::size(kMaps); ++at) {
        const ColorMapDefinition& map = kMaps[at];
        if (map.name != name) continue;
        std::call_once(kept[at].once, [&] {
            ColorTable& table = kept[at].table;
            for (size_t i = 0; i < table.size(); ++i)
                table[i] =
                    colorAt(map, static_cast<double>(i) / static_cast<double>(table.size() - 1));
        });
        ColorTable table = kept[at].table;
        if (reversed) std::reverse(table.begin(), table.end());
        return table;
    }
    if (const auto own = ownColors(name); !own.empty()) return tableOf(own, reversed);
    std::string known;
    for (const ColorMapDefinition& map : kMaps)
        known += (known.empty() ? "" : ", ") + std::string(map.name);
    throw InvalidArgument("expected a color map of " + known + ", found '" + std::string(name) +
                          "'");
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/options.h"

#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/healpix_map.h"
#include "core/units.h"

namespace armilla::cli {

namespace {

using Reader = std::function<void(const std::string&)>;

CLI::Option* addText(CLI::App& app, const std::string& name, const std::string& typeName,
                     const std::string& help, const Reader& read) {
    return app.add_option_function<std::string>(name, read, help)->type_name(typeName);
}

}  // namespace

void badValue(const std::string& name, const std::string& expected, const std::string& found) {
    throw CLI::ValidationError(name, "expected " + expected + ", found '" + found + "'");
}

int64_t parseInteger(const std::string& name, const std::string& text, int64_t least,
                     int64_t most) {
    int64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || value < least || value > most)
        badValue(name, "an integer from " + std::to_string(least) + " to " + std::to_string(most),
                 text);
    return value;
}

double parseNumber(const std::string& name, const std::string& text) {
    double value = 0.0;
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, status] = std::from_chars(begin, text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        badValue(name, "a number", text);
    return value;
}

std::vector<std::string> splitAtCommas(const std::string& text) {
    std::vector<std::string> parts;
    size_t begin = 0;
    while (begin <= text.size()) {
        const size_t comma = std::min(text.find(',', begin), text.size());
        std::string part = text.substr(begin, comma - begin);
        while (!part.empty() && part.front() == ' ') part.erase(part.begin());
        while (!part.empty() && part.back() == ' ') part.pop_back();
        parts.push_back(part);
        begin = comma + 1;
    }
    return parts;
}

void addCommonOptions(CLI::App& app, CommonOptions& options) {
    const std::string group = "Common options";
    app.add_option("--device", options.device, "where to compute (auto: the fastest that can)")
        ->type_name("auto|cpu|cuda|cuda:N")
        ->group(group);
    addText(app, "--threads", "N", "processor threads (all of the machine)",
            [&options](const std::string& text) {
                options.threads = static_cast<int>(parseInteger("--threads", text, 1, 4096));
            })
        ->group(group);
    addChoice<std::optional<StoredPrecision>>(
        app, "--precision", options.precision,
        {{"single", StoredPrecision::Single}, {"double", StoredPrecision::Double}},
        "of the stored result")
        ->group(group);
    app.add_option("--field", options.field, "which column, by name or number from 1 (the first)")
        ->type_name("NAME|N")
        ->group(group);
    addFrame(app, "--input-frame", options.inputFrame, "of an input that does not name its own")
        ->group(group);
    app.add_flag("--overwrite", options.overwrite, "replace an output that exists")->group(group);
    app.add_flag("--quiet", options.quiet, "print nothing but errors")->group(group);
    app.add_flag("--json", options.json, "print the result's figures as one JSON value")
        ->group(group);
}

CLI::Option* addAngle(CLI::App& app, const std::string& name, std::optional<double>& target,
                      AngleRange range, const std::string& help) {
    return addText(app, name, "ANGLE", help, [&target, name, range](const std::string& text) {
        double angle = 0.0;
        try {
            angle = parseAngle(text);
        } catch (const InvalidArgument& error) {
            throw CLI::ValidationError(name, error.message());
        }
        if (range == AngleRange::Positive && !(angle > 0.0))
            badValue(name, "an angle above 0", text);
        if (range == AngleRange::NotNegative && !(angle >= 0.0))
            badValue(name, "an angle of 0 or more", text);
        target = angle;
    });
}

CLI::Option* addPosition(CLI::App& app, const std::string& name, std::optional<LonLat>& target,
                         const std::string& help) {
    return addText(app, name, "LON,LAT", help, [&target, name](const std::string& text) {
        try {
            target = parsePosition(text);
        } catch (const InvalidArgument& error) {
            throw CLI::ValidationError(name, error.message());
        }
    });
}

CLI::Option* addFrame(CLI::App& app, const std::string& name, std::optional<Frame>& target,
                      const std::string& help) {
    return addText(app, name, "G|E|C", help, [&target, name](const std::string& text) {
        const Frame frame = frameFromText(text);
        if (frame == Frame::Unknown)
            badValue(name, "G (Galactic), E (ecliptic) or C (equatorial)", text);
        target = frame;
    });
}

CLI::Option* addInteger(CLI::App& app, const std::string& name, std::optional<int64_t>& target,
                        int64_t least, int64_t most, const std::string& help) {
    return addText(app, name, "N", help, [&target, name, least, most](const std::string& text) {
        target = parseInteger(name, text, least, most);
    });
}

CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<double>& target,
                       const std::string& help) {
    return addText(app, name, "NUMBER", help,
                   [&target, name](const std::string& text) { target = parseNumber(name, text); });
}

CLI::Option* addNside(CLI::App& app, std::optional<int64_t>& target, const std::string& help) {
    return addText(app, "--nside", "N", help, [&target](const std::string& text) {
        const int64_t nside = parseInteger("--nside", text, 1, kMaxNside);
        if (!isPowerOfTwoNside(nside)) badValue("--nside", "a power of two", text);
        target = nside;
    });
}

}  // namespace armilla::cli

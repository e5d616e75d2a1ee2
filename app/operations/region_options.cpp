// SPDX-License-Identifier: GPL-3.0-or-later
#include "region_options.h"

#include <utility>

namespace armilla {

namespace {

std::vector<Region> withoutNames(std::vector<NamedRegion> named) {
    std::vector<Region> regions;
    for (NamedRegion& each : named) regions.push_back(std::move(each.region));
    return regions;
}

}  // namespace

std::vector<NamedRegion> namedRegionsOfFile(const std::string& path, const Context& context) {
    std::vector<std::string> notes;
    std::vector<NamedRegion> regions = readNamedRegions(path, &notes);
    for (const std::string& line : notes)
        if (context.note) context.note(path + ": " + line);
    return regions;
}

std::vector<Region> regionsOfFile(const std::string& path, const Context& context) {
    return withoutNames(namedRegionsOfFile(path, context));
}

std::vector<NamedRegion> namedRegionsOfText(const std::string& text, Frame frame) {
    try {
        return parseNamedRegions(text, frame);
    } catch (const IoError& error) {
        throw InvalidArgument("--region: " + error.message());
    }
}

std::vector<Region> regionsOfText(const std::string& text, Frame frame) {
    return withoutNames(namedRegionsOfText(text, frame));
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "region_options.h"

namespace armilla {

std::vector<NamedRegion> namedRegionsOfFile(const std::string& path, const Context& context) {
    std::vector<std::string> notes;
    std::vector<NamedRegion> regions = readNamedRegions(path, &notes);
    for (const std::string& line : notes)
        if (context.note) context.note(path + ": " + line);
    return regions;
}

std::vector<Region> regionsOfFile(const std::string& path, const Context& context) {
    return withoutTexts(namedRegionsOfFile(path, context));
}

std::vector<NamedRegion> namedRegionsOfText(const std::string& text, Frame frame) {
    try {
        return parseNamedRegions(text, frame);
    } catch (const IoError& error) {
        throw InvalidArgument("--region: " + error.message());
    }
}

std::vector<Region> regionsOfText(const std::string& text, Frame frame) {
    return withoutTexts(namedRegionsOfText(text, frame));
}

}  // namespace armilla

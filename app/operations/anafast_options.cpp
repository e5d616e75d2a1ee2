// SPDX-License-Identifier: GPL-3.0-or-later
#include "anafast_options.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "armilla/core/ascii_text.h"
#include "armilla/operations/usage_error.h"

namespace armilla {

namespace {

constexpr std::array<Choice<Purify>, 4> kPurifyChoices{
    {{"none", Purify::None}, {"e", Purify::E, "E"}, {"b", Purify::B, "B"}, {"both", Purify::Both}}};
constexpr std::array<Choice<BinAs>, 2> kBinAsChoices{
    {{"cl", BinAs::Cl, "C_l"}, {"dl", BinAs::Dl, "D_l"}}};
constexpr std::array<Choice<Divide>, 2> kDivideChoices{
    {{"none", Divide::None}, {"w2", Divide::W2, "mean of the squared mask"}}};
constexpr std::array<Choice<SpectrumErrors>, 3> kErrorChoices{
    {{"none", SpectrumErrors::None},
     {"knox", SpectrumErrors::Knox, "Knox"},
     {"gaussian", SpectrumErrors::Gaussian, "Gaussian"}}};

std::optional<int> widthOf(const std::string& text) {
    if (text.empty() || text.size() > 6 || !std::all_of(text.begin(), text.end(), isDigit))
        return std::nullopt;
    return std::stoi(text);
}

std::vector<MultipoleBin> binsOfFile(const std::string& path, int lmax) {
    std::ifstream in(path);
    if (!in) throw IoError("expected a file of bins that can be read, found none");
    std::vector<MultipoleBin> bins;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line.resize(std::min(line.size(), line.find('#')));
        std::replace(line.begin(), line.end(), ',', ' ');
        if (trimmedView(line).empty()) continue;
        std::istringstream words(line);
        MultipoleBin bin;
        std::string rest;
        const int least = bins.empty() ? 0 : bins.back().last + 1;
        if (!(words >> bin.first >> bin.last) || words >> rest || bin.first < least ||
            bin.last < bin.first)
            throw IoError("expected l_min and l_max of bins that ascend from " +
                          std::to_string(least) + " on, found '" + line + "' in line " +
                          std::to_string(number));
        if (bin.last > lmax)
            throw IoError("expected bins up to lmax " + std::to_string(lmax) + ", found " +
                          std::to_string(bin.last) + " in line " + std::to_string(number));
        bins.push_back(bin);
    }
    if (bins.empty()) throw IoError("expected lines with l_min and l_max, found none");
    return bins;
}

}  // namespace

void describe(Description& d, AnafastOptions& p) {
    describe(d, static_cast<TransformOptions&>(p));
    d.flag("decouple", p.decouple, {},
           "remove the mask's coupling of multipoles (MASTER), in bins of --bins or of one "
           "multipole");
    d.choice("purify", p.purify, kPurifyChoices, {.advanced = true},
             "remove the modes that the mask mixes between E and B from E, from B, or from both");
    d.text("bins", p.bins, {.placeholder = "N|FILE"},
           "multipoles in a bin, from l = 2 on, or a file with l_min and l_max in each line");
    d.choice("bin-as", p.binAs, kBinAsChoices, {.advanced = true},
             "spectrum that is averaged within a bin and written: C_l, or l (l + 1) C_l / (2 pi)");
    d.choice(
        "divide", p.divide, kDivideChoices, {.advanced = true},
        "divisor of a spectrum that is not decoupled: none, or the mean of the squared mask over "
        "the sphere");
    d.angle("fwhm", p.fwhm, {.unit = "arcmin", .least = 0.0, .most = kPi},
            "full width at half maximum of a Gaussian beam of the maps, which is divided out");
    d.flag("pixel-window", p.pixelWindow, {}, "divide by the pixel window of the maps");
    d.file("noise", p.noise, {.advanced = true},
           "C_l of noise, or a map of noise beside a single MAP, which is subtracted");
    d.choice("errors", p.errors, kErrorChoices, {},
             "errors of band powers: by the number of modes, or by the Gaussian covariance");
    d.flag("all-pairs", p.allPairs, {.advanced = true},
           "write all nine spectra: TT EE BB TE TB EB ET BT BE");
}

bool isMasked(const AnafastOptions& p, const GivenSlots& given) {
    return p.makesBands() || p.pixelWindow || p.allPairs || p.fwhm || !p.noise.empty() ||
           p.divide != Divide::None || given.contains("mask") || given.contains("beam") ||
           given.contains("beam2");
}

Problems checkAnafast(const AnafastOptions& p, const GivenSlots& given) {
    Problems problems = checkTransform(p);
    const auto need = [&](bool is, std::string_view option, const std::string& beside) {
        if (is) problems.push_back({std::string(option), "expected " + beside + " beside it"});
    };
    need(given.contains("mask2") && !given.contains("mask"), "mask2", "--mask");
    need(given.contains("mask2") && !given.contains("MAP2"), "mask2", "a second map");
    need(given.contains("beam2") && !given.contains("MAP2"), "beam2", "a second map");
    need(p.purify != Purify::None && !p.polarization, "purify", "--polarization");
    need(p.purify != Purify::None && !given.contains("mask"), "purify", "--mask");
    need(p.allPairs && !p.polarization, "all-pairs", "--polarization");
    need(p.errors != SpectrumErrors::None && !p.makesBands(), "errors", "--bins or --decouple");
    need(given.contains("fiducial") && p.errors == SpectrumErrors::None, "fiducial", "--errors");
    need(p.binAs == BinAs::Dl && !p.makesBands(), "bin-as", "--bins or --decouple");
    if (p.fwhm && given.contains("beam"))
        problems.push_back({"", "expected --fwhm ANGLE or --beam FILE, found both"});
    if (p.decouple && p.divide == Divide::W2)
        problems.push_back({"", "expected --decouple or --divide w2, found both"});
    if (p.makesBands() && p.mmax && p.lmax && *p.mmax < *p.lmax)
        problems.push_back(
            {"mmax", "expected all orders m for band powers, found " + std::to_string(*p.mmax)});
    // A number that is no width; a file may have a name of digits only as ./12.
    const bool isNumber =
        !p.bins.empty() && p.bins.find_first_not_of("+-0123456789") == std::string::npos;
    if (isNumber && widthOf(p.bins).value_or(0) < 1)
        problems.push_back(
            {"bins", "expected from 1 to 999999 multipoles in a bin, found " + p.bins});
    return problems;
}

Columns anafastColumns(const ParameterSet& parameters) {
    return {parameters.as<AnafastOptions>().polarization ? Columns::Choice::Polarization
                                                         : Columns::Choice::One,
            {}};
}

std::vector<MultipoleBin> binsOf(const AnafastOptions& options, int lmax) {
    const auto width = options.bins.empty() ? std::optional(1) : widthOf(options.bins);
    if (!width) return naming(options.bins, [&] { return binsOfFile(options.bins, lmax); });
    std::vector<MultipoleBin> bins = binsOfWidth(*width, lmax);
    if (bins.empty())
        throw UsageError("--bins: expected a bin from l = 2 up to lmax " + std::to_string(lmax) +
                         ", found a width of " + std::to_string(*width));
    return bins;
}

}  // namespace armilla

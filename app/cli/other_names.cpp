// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/other_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace armilla::cli {

namespace {

struct OtherName {
    std::string_view theirs, ours;
};

// Options of healpy 1.16 and of the programs of HEALPix.
constexpr std::array<OtherName, 37> kOptions{{{"iter", "--iterations"},
                                              {"nlmax", "--lmax"},
                                              {"nmmax", "--mmax"},
                                              {"cmap", "--colormap"},
                                              {"pol", "--polarization"},
                                              {"polarisation", "--polarization"},
                                              {"use_weights", "--weights ring"},
                                              {"use_pixel_weights", "--weights pixel"},
                                              {"pixwin", "--pixel-window"},
                                              {"nest", "--ordering nested"},
                                              {"order_out", "--ordering"},
                                              {"nside_out", "--nside"},
                                              {"coord", "--frame"},
                                              {"rot", "--center"},
                                              {"xsize", "--size"},
                                              {"reso", "--resolution"},
                                              {"norm", "--scale"},
                                              {"beam_window", "--beam"},
                                              {"fwhm_arcmin", "--fwhm, with a unit"},
                                              {"sigma", "--fwhm: 2.3548 sigma"},
                                              {"out", "the output, after the input"},
                                              {"infile", "the input, before the output"},
                                              {"outfile", "the output, after the input"},
                                              {"infile2", "a second map, after the first"},
                                              {"nsmax", "--nside"},
                                              {"iter_order", "--iterations"},
                                              {"iseed", "--seed"},
                                              {"rand_seed", "--seed"},
                                              {"beam_file", "--beam"},
                                              {"maskfile", "--mask"},
                                              {"dpar", "--graticule"},
                                              {"dmer", "--graticule"},
                                              {"pess", "--pessimistic"},
                                              {"pixel_window", "--pixel-window"},
                                              {"double_precision", "--precision double"},
                                              {"bgcolor", "--background"},
                                              {"datapath", "no such option: data are computed"}}};
constexpr std::array<OtherName, 27> kCommands{{{"mollview", "render --projection mollweide"},
                                               {"gnomview", "render --projection gnomonic"},
                                               {"orthview", "render --projection orthographic"},
                                               {"cartview", "render --projection cartesian"},
                                               {"azeqview", "render --projection lambert"},
                                               {"smoothing", "smooth"},
                                               {"ud_grade", "convert --nside"},
                                               {"reorder", "convert --ordering"},
                                               {"rotate_map", "convert --frame"},
                                               {"change_coord", "convert --frame"},
                                               {"read_map", "info"},
                                               {"fits_info", "info"},
                                               {"almxfl", "smooth --beam"},
                                               {"alm2cl", "anafast"},
                                               {"anafast_cxx", "anafast"},
                                               {"synfast_cxx", "synfast"},
                                               {"alm2map_cxx", "alm2map"},
                                               {"smoothing_cxx", "smooth"},
                                               {"udgrade", "convert --nside"},
                                               {"map2alm_lsq", "map2alm --tolerance"},
                                               {"alm2map_der1", "alm2map --derivatives 1"},
                                               {"alm2map_spin", "alm2map --spin"},
                                               {"map2alm_spin", "map2alm --spin"},
                                               {"map2tga", "render"},
                                               {"map2gif", "render"},
                                               {"read_cl", "info"},
                                               {"read_alm", "info"}}};

template <typename Names>
std::string find(const Names& names, std::string_view word) {
    for (const OtherName& name : names)
        if (name.theirs == word) return std::string(name.ours);
    return "";
}

// Number of letters to insert, remove or replace (Levenshtein 1966).
size_t editsBetween(std::string_view from, std::string_view to) {
    std::vector<size_t> row(to.size() + 1);
    for (size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= from.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= to.size(); ++j) {
            const size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

}  // namespace

std::string otherOption(std::string_view word) {
    if (!word.starts_with("--")) return "";
    std::string name(word.substr(
        2, word.find('=') == std::string_view::npos ? std::string_view::npos : word.find('=') - 2));
    for (char& c : name)
        if (c == '-') c = '_';
    return find(kOptions, name);
}

std::string otherCommand(std::string_view word) {
    return find(kCommands, word);
}

std::string nearestName(std::string_view word, const std::vector<std::string>& names) {
    constexpr size_t kMostEdits = 2;
    size_t least = std::min(kMostEdits + 1, (word.size() + 1) / 2);
    std::string nearest;
    for (const std::string& name : names) {
        const size_t edits = editsBetween(word, name);
        if (edits > least || (edits == least && nearest.empty())) continue;
        nearest = edits == least ? "" : name;
        least = edits;
    }
    return nearest;
}

}  // namespace armilla::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/tool_table.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace armilla {
namespace {

struct Entry {
    std::string_view id;
    const char *icon, *name, *synonyms;
    bool isInRail;
    ToolPanel panel = ToolPanel::Rows;
    const char* firstRows = "";
};

// The context of all texts of tables, which operations share: one word has one translation.
constexpr const char* kContext = "Table";

constexpr auto kTable = std::to_array<Entry>({
    {"smooth", "smooth", QT_TRANSLATE_NOOP("Table", "Smooth"),
     "smoothing convolve convolution beam gaussian blur fwhm resolution", true, ToolPanel::Smooth},
    {"filter", "filter", QT_TRANSLATE_NOOP("Table", "Filter"),
     "matched filter mexican hat wavelet top hat background", true, ToolPanel::Filter,
     "MAP fwhm type"},
    {"sources", "sources", QT_TRANSLATE_NOOP("Table", "Sources"),
     "source finder detection extraction sextractor candidates point sources", true,
     ToolPanel::Sources, "MAP fwhm threshold sign"},
    {"mask", "mask", QT_TRANSLATE_NOOP("Table", "Mask"),
     "apodize mask_apodization grow shrink threshold dist2holes cut", true, ToolPanel::Mask,
     "MAP catalog with latitude above below credible radius apodize"},
    {"spectrum", "spectrum", QT_TRANSLATE_NOOP("Table", "Spectrum"),
     "anafast power spectrum cl dl bandpowers", true, ToolPanel::Spectrum},
    {"grid", "grid", QT_TRANSLATE_NOOP("Table", "Grid"),
     "regrid cygrid gridding samples single dish on the fly cube drizzle", true, ToolPanel::Grid,
     "SAMPLES value center size resolution nside kernel kernel-fwhm"},
    {"correlate", "correlate", QT_TRANSLATE_NOOP("Table", "Correlate"),
     "two-point w(theta) treecorr corrfunc landy szalay pair counts clustering", true,
     ToolPanel::Correlate, "DATA random random-from bins estimator errors"},
    {"stats", "region", QT_TRANSLATE_NOOP("Table", "Regions"),
     "ds9 statistics aperture photometry circle polygon ellipse box annulus radial profile "
     "query_disc query_polygon",
     true, ToolPanel::Regions},
    {"match", "match", QT_TRANSLATE_NOOP("Table", "Match catalogs"),
     "crossmatch xmatch topcat stilts join counterpart", false},
    {"convert", "convert", QT_TRANSLATE_NOOP("Table", "Convert"),
     "ud_grade udgrade reorder ring nest degrade rotate_map_pixel rotate_map_alms rotator frame "
     "unit remove_dipole remove_monopole fit_dipole",
     false},
    {"project", "project", QT_TRANSLATE_NOOP("Table", "Project"),
     "reproject cutout image projmap swarp wcs healpix2map", false},
    {"anafast", "bars", QT_TRANSLATE_NOOP("Table", "Cross spectra"),
     "namaster pymaster master polspice xpol pseudo-cl decouple masked spectrum te ee bb", false},
    {"synfast", "random", QT_TRANSLATE_NOOP("Table", "Random sky"),
     "synfast synalm simulate simulation gaussian realization", false},
    {"remove", "remove", QT_TRANSLATE_NOOP("Table", "Remove sources"),
     "inpaint subtract psf clean residual point sources", false},
    {"moc", "coverage", QT_TRANSLATE_NOOP("Table", "Coverage (MOC)"),
     "mocpy pixfoot footprint union intersection subtraction aladin", false},
    {"correlate-maps", "correlate-maps", QT_TRANSLATE_NOOP("Table", "Correlate maps"),
     "kkcorrelation two-point angular correlation function w(theta) of maps", false},
    {"calc", "tool", QT_TRANSLATE_NOOP("Table", "Arithmetic"),
     "calculator add subtract multiply ratio expression band math", false},
    {"lookup", "tool", QT_TRANSLATE_NOOP("Table", "Look up"),
     "get_interp_val get_interpol pixsample values at positions", false},
    {"select", "tool", QT_TRANSLATE_NOOP("Table", "Select rows"),
     "row subset filter cut catalog galaxies hosts inside 90% credible region localization", false},
    {"count", "tool", QT_TRANSLATE_NOOP("Table", "Count rows"),
     "density map histogram tskymap skydensity binning", false},
    // The start page has the samples.
    {"sample", "tool", QT_TRANSLATE_NOOP("Table", "Sample sky"), "", false, ToolPanel::None},
});

}  // namespace

ToolFacts toolFacts(std::string_view id, const QString& title) {
    const auto* found = std::find_if(kTable.begin(), kTable.end(),
                                     [&](const Entry& entry) { return entry.id == id; });
    ToolFacts facts{.icon = QStringLiteral("tool"),
                    .name = title,
                    .synonyms = {},
                    .isInRail = false,
                    .order = static_cast<int>(found - kTable.begin()),
                    .panel = ToolPanel::Rows,
                    .firstRows = {}};
    if (found == kTable.end()) return facts;
    facts.icon = QString::fromLatin1(found->icon);
    facts.name = QCoreApplication::translate(kContext, found->name);
    facts.synonyms = QString::fromUtf8(found->synonyms);
    facts.isInRail = found->isInRail;
    facts.panel = found->panel;
    facts.firstRows = QString::fromLatin1(found->firstRows).split(u' ', Qt::SkipEmptyParts);
    return facts;
}

}  // namespace armilla

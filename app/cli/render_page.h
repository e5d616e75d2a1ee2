// SPDX-License-Identifier: GPL-3.0-or-later
// Page of a figure of `armilla render`: size, look, preset, further panels, inset, legend.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "armilla/figure/figure.h"
#include "armilla/operations/figure_options.h"
#include "armilla/operations/view.h"
#include "cli/form.h"
#include "cli/run.h"

namespace armilla::cli {

class RenderPage {
public:
    void fill(Form& form);
    // Throws UsageError. `hasSize`: --size is given.
    void check(bool hasSize) const;
    // Takes the options of --preset that the command line does not state. Throws IoError,
    // InvalidArgument.
    void readPreset();
    const FigureOptions& options() const { return options_; }
    // The size of --width and --height; without them `other`.
    PixelSize sizeOr(PixelSize other) const;
    // The look and everything that needs no file.
    void describeFigure(FigureRequest& request) const;
    // Reads the maps of --panels.
    void addPanels(Run& run, FigureRequest& request, JobContext& job) const;
    // Fits the height to the content where the options leave it open. Needs a QGuiApplication.
    void setHeight(FigureRequest& request, bool hasSize) const;

private:
    FigureOptions options_;
    std::set<std::string, std::less<>> given_;  // names of options on the command line
    std::string preset_, legend_;
    std::vector<std::string> panels_, panelTitles_;
    std::vector<double> ticks_;
    int columns_ = 0;
    std::optional<Place> inset_;
    double insetWidth_ = 0.0;
    FigureCorner corner_ = FigureCorner::TopRight;
};

}  // namespace armilla::cli

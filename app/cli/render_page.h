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
    // Takes the options of --preset that the command line does not state; --size stands in place of
    // a width and a height. Throws IoError, InvalidArgument, UsageError.
    void readPreset(bool hasSize);
    // For content to which contours or a legend do not apply: throws UsageError if the command line
    // states them, and leaves out those of a preset with a note. `found`: "a catalog".
    void refuseContours(Run& run, const std::string& found);
    void refuseLegend(Run& run);
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
    void leaveOut(Run& run, const char* name, const std::string& reason);

    FigureOptions options_;
    std::set<std::string, std::less<>> given_;  // names of options on the command line
    std::string preset_;
    std::vector<std::string> panels_, panelTitles_;
    std::vector<double> ticks_;
    std::optional<Place> inset_;
    double insetWidth_ = 0.0;
    FigureCorner corner_ = FigureCorner::TopRight;
};

}  // namespace armilla::cli

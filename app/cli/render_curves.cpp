// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/render_curves.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "armilla/core/error.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/operations/files.h"

namespace armilla::cli {

namespace {

constexpr std::array<Choice<bool>, 2> kAxes{{{"linear", false}, {"log", true}}};

size_t columnNamed(const Curve& curve, const std::string& word) {
    const auto& series = curve.series;
    for (size_t i = 0; i < series.size(); ++i)
        if (series[i].name == word) return i;
    size_t number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec == std::errc() && read.ptr == word.data() + word.size() && number >= 1 &&
        number <= series.size())
        return number - 1;
    std::string names;
    for (const CurveSeries& each : series) names += (names.empty() ? "" : ", ") + each.name;
    throw InvalidArgument("expected a column from 1 to " + std::to_string(series.size()) +
                          ", or its name (" + names + "), found '" + word + "'");
}

std::shared_ptr<const Curve> chosenColumns(const Curve& curve, const std::string& columns) {
    if (columns.empty() && hasPairs(curve)) return firstColumn(curve);
    auto chosen = std::make_shared<Curve>(curve);
    if (columns.empty() || columns == "all") return chosen;
    chosen->series.clear();
    for (const std::string& word : splitAtCommas(columns))
        chosen->series.push_back(curve.series[columnNamed(curve, word)]);
    return chosen;
}

}  // namespace

void describe(Description& d, RenderCurves& p) {
    d.choice("x-axis", p.logarithmicX, kAxes, {.standard = "chosen by the values"},
             "scale of the x axis of a curve");
    d.choice("y-axis", p.logarithmicY, kAxes, {.standard = "chosen by the values"},
             "scale of the y axis of a curve");
}

Curve readDrawnCurve(Run& run, const std::string& path, std::optional<FileKind> kind,
                     const SpectrumReading& stated, JobContext& job) {
    if (!kind) return readCurve(path, job);
    std::vector<std::string> notes;
    Curve curve = kind == FileKind::Beam ? curveOf(readBeam(path, &notes))
                                         : readSpectrumCurve(path, &notes, stated);
    run.notes(path, notes);
    return curve;
}

CurveFigureRequest curveFigure(const Curve& curve, const std::string& columns,
                               const RenderCurves& options, const std::string& label,
                               const std::string& unit) {
    CurveFigureRequest request;
    const auto shown = chosenColumns(curve, columns);
    request.curves.push_back({QString(), shown, QColor()});
    request.axes = suitedAxes(*shown);
    request.axes.logarithmicX = options.logarithmicX.value_or(request.axes.logarithmicX);
    request.axes.logarithmicY = options.logarithmicY.value_or(request.axes.logarithmicY);
    if (label.empty() && unit.empty()) return request;
    const CurveSeries& first = shown->series.front();
    const QString name = label.empty() && shown->series.size() == 1
                             ? nameText(QString::fromStdString(first.name))
                             : QString::fromStdString(label);
    // A unit given by --unit is printed as typed.
    const QString typed =
        unit.empty() ? unitText(QString::fromStdString(first.unit)) : QString::fromStdString(unit);
    request.label = axisTitle(name, typed);
    return request;
}

}  // namespace armilla::cli

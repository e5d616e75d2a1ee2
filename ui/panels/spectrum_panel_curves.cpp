// SPDX-License-Identifier: GPL-3.0-or-later
// Curves, theory and residuals of the Spectrum tool.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "armilla/figure/unit_text.h"
#include "armilla/session/stand_in.h"
#include "panels/spectrum_panel.h"
#include "panels/spectrum_reference.h"

namespace armilla {
namespace {

// Chi squared with the covariance of more bins takes longer than a frame: a factorization of 500
// bins has 4e7 products, some 40 ms on one core.
constexpr int kMostBins = 500;

SpectrumCurve plotted(const QString& name, const PowerCurve& powers, double factor = 1.0) {
    SpectrumCurve curve{name, powers.values, powers.l, powers.errors, powers.isDl};
    for (double& value : curve.cl) value *= factor;
    for (double& error : curve.errors) error *= factor;
    // An empty list of multipoles means every multipole from 0, drawn as a line.
    if (!powers.areBands && powers.l.front() == 0.0) curve.l.clear();
    return curve;
}

SpectrumCurve plotted(const QString& name, const SpectrumResult& result, SpectrumKind kind) {
    const auto powers = powersOf(result, kind);
    return powers ? plotted(name, *powers) : SpectrumCurve{};
}

// The theory from its first to the last multipole of the data, in C_l.
SpectrumCurve theoryCurve(const QString& name, const TheorySpectra& theory, SpectrumKind kind,
                          double level, double last) {
    SpectrumCurve curve;
    curve.name = name;
    const std::vector<double>& cl = theory.of(kind);
    for (int l = std::max(2, theory.first()); l < static_cast<int>(cl.size()) && l <= last; ++l) {
        curve.l.push_back(l);
        curve.cl.push_back(cl[static_cast<size_t>(l)] * level);
    }
    return curve;
}

double lastMultipole(const SpectrumResult& result) {
    if (!result.bands) return static_cast<double>(result.cl.size()) - 1.0;
    return result.bands->xHigh.empty() ? result.bands->x.back() : result.bands->xHigh.back();
}

bool isAuto(SpectrumKind kind) {
    return kind == SpectrumKind::TT || kind == SpectrumKind::EE || kind == SpectrumKind::BB;
}

QString shortNumber(double value) {
    return numberTypeset(QString::number(value, 'g', 3));
}

}  // namespace

QString SpectrumPanel::remark() const {
    return remark_->text();
}

QString SpectrumPanel::chiText(const SpectrumResiduals& residuals) const {
    if (!residuals.chiSquared) return {};
    const double probability = chiSquaredProbability(*residuals.chiSquared, residuals.count);
    const double value = *residuals.chiSquared;
    return tr("χ² = %1 for %2 bins, p %3.")
        .arg(value < 1e5 ? QString::number(value, 'f', 1) : shortNumber(value))
        .arg(residuals.count)
        .arg(probability < 1e-4 ? QStringLiteral("< 0.0001")
                                : QStringLiteral("= ") + shortNumber(probability));
}

void SpectrumPanel::showCurves() {
    // Cross spectra have values of both signs.
    const SpectrumKind shown = kind();
    logC_->setEnabled(isAuto(shown));
    plot_->setAxes({logL_->isChecked(), logC_->isChecked() && isAuto(shown), band_->isChecked()});
    std::vector<SpectrumCurve> curves(SpectrumPlot::kCurves);
    if (of_) curves[0] = plotted(tr("map"), *of_, shown);
    if (of_ && live_) curves[1] = plotted(tr("smoothed"), *live_, shown);
    showResiduals(curves);
    plot_->setCurves(of_ ? curves : std::vector<SpectrumCurve>{}, of_ ? of_->unit : QString());
    export_->setEnabled(of_.has_value() && !isWaiting_);
    copy_->setEnabled(of_.has_value() && !of_->preview && !isWaiting_);
    tellStatus();
}

// The compared spectrum in the unit of the map's: of another map, or of a file.
std::optional<PowerCurve> SpectrumPanel::comparedPowers(QStringList& lines) const {
    const Layer* layer = reference_->other();
    if (!layer) return std::nullopt;
    if (!otherFailure_.isEmpty()) lines << otherFailure_;
    std::optional<PowerCurve> other;
    if (layer->curve)
        other = powersOf(*layer->curve, kind());
    else if (other_)
        other = powersOf(*other_, kind());
    if (!other) {
        if (layer->curve) lines << tr("%1 has no such spectrum.").arg(layer->name);
        return std::nullopt;
    }
    const UnitMatch match = matchUnits(other->unit, of_->plainUnit, {});
    if (match.how == UnitMatch::How::Different) {
        lines << tr("The compared spectrum has another unit, %1.")
                     .arg(unitText(QString::fromStdString(other->unit)));
        return std::nullopt;
    }
    for (double& value : other->values) value *= match.factor;
    for (double& error : other->errors) error *= match.factor;
    return other;
}

// Residuals from the theory, with chi squared and its notes in `lines`.
SpectrumPanel::Beside SpectrumPanel::besideTheory(const PowerCurve& powers,
                                                  const std::optional<PowerCurve>& other,
                                                  const UnitMatch& match,
                                                  QStringList& lines) const {
    Beside beside;
    const Layer& layer = *reference_->theory();
    const TheorySpectra theory(*layer.curve, match.factor);
    if (theory.of(kind()).empty()) {
        lines << tr("%1 has no such spectrum.").arg(layer.name);
        return beside;
    }
    beside.theory = theoryCurve(tr("theory"), theory, kind(), of_->level, lastMultipole(*of_));
    const bool isSmall = powers.values.size() <= kMostBins;
    const SpectrumResiduals made =
        residualsOf(powers, expectedPowers(*of_, kind(), theory),
                    isSmall ? covarianceOf(*of_, kind()) : std::vector<double>{});
    beside.areInErrors = made.areInErrors;
    beside.residuals.push_back({made.l, made.values, 0, powers.areBands});
    if (isSmall && made.chiSquared && match.how != UnitMatch::How::Unstated)
        lines.prepend(chiText(made));
    if (of_->level < 1.0)
        lines << tr("Theory × %1, the power that the mask leaves.").arg(shortNumber(of_->level));
    if (!other || !other_ || reference_->other()->curve) return beside;
    const SpectrumResiduals second = residualsOf(*other, expectedPowers(*other_, kind(), theory));
    if (second.areInErrors == made.areInErrors)
        beside.residuals.push_back({second.l, second.values, 2, other->areBands});
    return beside;
}

void SpectrumPanel::showResiduals(std::vector<SpectrumCurve>& curves) {
    const auto powers = of_ ? powersOf(*of_, kind()) : std::nullopt;
    const UnitMatch match = reference_->match(of_ ? of_->plainUnit : std::string());
    QStringList lines;
    const auto other = powers ? comparedPowers(lines) : std::nullopt;
    if (other) curves[2] = plotted(tr("compared"), *other);
    Beside beside;
    const bool isTheory = powers && reference_->theory() && match.how != UnitMatch::How::Different;
    if (isTheory) {
        beside = besideTheory(*powers, other, match, lines);
    } else if (other) {
        const SpectrumResiduals made = residualsOf(*powers, valuesAt(*powers, *other, 1.0));
        beside.areInErrors = made.areInErrors;
        beside.residuals.push_back({made.l, made.values, 0, powers->areBands});
    }
    std::erase_if(beside.residuals, [](const ResidualCurve& one) { return one.l.empty(); });
    if (!reference_->remark().isEmpty()) lines << reference_->remark();
    plot_->setTheory(beside.theory);
    plot_->setResiduals(beside.residuals, beside.areInErrors ? isTheory
                                                                   ? tr("(map − theory) / error")
                                                                   : tr("(map − compared) / error")
                                          : isTheory ? tr("map / theory − 1")
                                                             : tr("map / compared − 1"));
    if (powers && plot_->axes().logarithmicC) {
        const auto below = std::count_if(powers->values.begin(), powers->values.end(),
                                         [](double value) { return value < 0.0; });
        if (below > 0)
            lines << tr("%n point(s) below 0 are not drawn on the logarithmic axis.", nullptr,
                        static_cast<int>(below));
    }
    remark_->setText(lines.join(QLatin1Char(' ')));
    remark_->setVisible(!lines.isEmpty());
}

// Names the field of the spectrum if the shown quantity is no field.
void SpectrumPanel::tellStatus() {
    QStringList parts;
    // Short, so that the share fits beside the name of the tool.
    const bool isMasked = mask_.isValid() || askedSettings_.latitude > 0.0;
    if (of_ && of_->skyShare < 1.0)
        parts << tr("%1 % of the sky").arg(100.0 * of_->skyShare, 0, 'f', 1);
    else if (isMasked)
        parts << tr("outside mask");
    for (const auto& [name, value] : askedSettings_.options) {
        if (name == "divide") parts << tr("÷ w²");
        if (name == "decouple") parts << tr("decoupled");
    }
    if (parts.isEmpty()) parts << tr("whole sky");
    const Document& document = session_.document();
    const Layer* entry = of_ ? document.entry(of_->of.entry) : nullptr;
    if (const QString standIn = entry ? standInText(*entry) : QString(); !standIn.isEmpty())
        parts << standIn;
    QString where = parts.join(QStringLiteral(" · "));
    if (entry && entry->map && of_->of.field < entry->map->fieldCount() &&
        document.view().shown().quantity != Quantity::Field)
        where = tr("of %1 · %2")
                    .arg(QString::fromStdString(entry->map->field(of_->of.field).name), where);
    if (of_ && of_->preview) where += tr(" · preview");
    emit statusChanged(where);
}

}  // namespace armilla

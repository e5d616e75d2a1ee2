// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/correlate_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/correlate.h"
#include "armilla/session/catalog_suggestions.h"
#include "armilla/session/live_tool.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/tool_settings.h"
#include "armilla/ui/theme.h"
#include "models/layer_looks.h"
#include "panels/operation_panel.h"
#include "panels/setting_controls.h"
#include "panels/small_widgets.h"
#include "panels/widget_role.h"
#include "plots/curve_plot.h"
#include "tools/live_part.h"

namespace armilla {
namespace {

constexpr int kFitPoints = 60;  // points of the drawn line

QString shortNumber(double value) {
    return numberTypeset(QString::number(value, 'g', 3));
}

// "0.0123 ± 0.0004": the error with two digits, the value with as many.
QString withError(double value, double error) {
    if (!(error > 0.0) || !std::isfinite(error)) return shortNumber(value);
    const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 12);
    if (std::abs(value) < 1e-4 || std::abs(value) >= 1e6)
        return QStringLiteral("%1 ± %2").arg(shortNumber(value), shortNumber(error));
    return numberTypeset(
        QStringLiteral("%1 ± %2").arg(value, 0, 'f', digits).arg(error, 0, 'f', digits));
}

}  // namespace

CorrelatePanel::CorrelatePanel(Session& session, OperationPanel* rows, QWidget* parent)
    : QWidget(parent), session_(session), rows_(rows), live_(new LivePart(session, rows, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(rows_);
    rows_->insertPart(buildPart());
    // A fit needs errors.
    rows_->setStandard(QStringLiteral("errors"), QStringLiteral("poisson"));
    connect(rows_, &OperationPanel::changed, this, &CorrelatePanel::follow);
    connect(live_, &LivePart::passMade, this, [this](const LivePass& pass) {
        result_ = {};
        if (pass.value.curve) setCurve(pass.value.curve);
    });
    // The exact result replaces the estimates.
    connect(&session_.operations(), &OperationRunner::operationFinished, this,
            [this](const QString& operation, const std::vector<LayerId>& layers) {
                if (operation != textOf(rows_->operation().id) || layers.empty()) return;
                const Layer* counted =
                    session_.document().entry(rows_->input(QStringLiteral("DATA")));
                live_->rest(counted && counted->catalog ? exactPointsText(counted->catalog->rows())
                                                        : tr("exact"));
                const Layer* made = session_.document().entry(layers.front());
                if (!made || !made->curve) return;
                result_ = made->id;
                setCurve(made->curve);
            });
    connect(&session_.document(), &Document::entriesChanged, this, [this] {
        if (result_.isValid() && !session_.document().entry(result_)) result_ = {};
        export_->setEnabled(result_.isValid());
    });
    connect(&session_.document().drawings(), &LayerDrawings::styleChanged, this,
            [this](LayerId layer) {
                if (layer == result_) showCurve();
            });
    choose(What::W);
    addPlotSettings();
    follow();
}

QWidget* CorrelatePanel::buildPart() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    mask_ = new QPushButton(tr("Randoms from the map shown"), box);
    mask_->setToolTip(
        tr("Random points lie evenly on the pixels of the map on screen that are "
           "neither 0 nor bad"));
    layout->addWidget(mask_, 0, Qt::AlignLeft);
    layout->addWidget(live_);
    plotPart_ = new QWidget(box);
    auto* plotLayout = new QVBoxLayout(plotPart_);
    plotLayout->setContentsMargins(0, 0, 0, 0);
    plotLayout->setSpacing(4);
    plot_ = new CurvePlot(plotPart_);
    plot_->setFixedHeight(190);
    plotLayout->addWidget(plot_);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(2);
    const auto toggle = [&](const QString& text, const QString& tip) {
        QToolButton* made = flatToggle(text, tip, plotPart_);
        tools->addWidget(made);
        return made;
    };
    w_ = toggle(tr("w(θ)"), tr("The correlation function"));
    pairs_ = toggle(tr("pairs"), tr("Numbers of pairs DD, DR and RR"));
    matrix_ = toggle(tr("covariance"), tr("How the errors of the bins go together"));
    tools->addStretch(1);
    logX_ = toggle(tr("log θ"), tr("Logarithmic axis of the angle"));
    logY_ = toggle(tr("log y"), tr("Logarithmic vertical axis"));
    logX_->setChecked(true);
    plotLayout->addLayout(tools);
    fit_ = new QLabel(plotPart_);
    fit_->setWordWrap(true);
    fit_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    fit_->setToolTip(tr("Least squares with the errors, or the covariance where it is known"));
    plotLayout->addWidget(fit_);
    export_ = new QPushButton(tr("Export…"), plotPart_);
    export_->setToolTip(tr("Write the exact result to a file: FITS, VOTable, ECSV or CSV"));
    export_->setEnabled(false);
    plotLayout->addWidget(export_, 0, Qt::AlignLeft);
    layout->addWidget(plotPart_);
    plotPart_->hide();
    connect(mask_, &QPushButton::clicked, this, [this] {
        rows_->settings().act(tr("randoms from the map shown"), [this] {
            rows_->setInput(QStringLiteral("random"), {});
            rows_->setInput(QStringLiteral("random-from"),
                            session_.document().view().shown().entry);
        });
    });
    for (const auto& [button, what] : {std::pair{w_, What::W}, std::pair{pairs_, What::Pairs},
                                       std::pair{matrix_, What::Correlations}})
        connect(button, &QToolButton::clicked, this, [this, what = what] {
            choose(what);
            rows_->noteSettings(tr("plot"));
        });
    for (QToolButton* axis : {logX_, logY_}) {
        connect(axis, &QToolButton::toggled, this, &CorrelatePanel::showCurve);
        connect(axis, &QToolButton::clicked, this, [this] { rows_->noteSettings(tr("plot")); });
    }
    connect(export_, &QPushButton::clicked, this, [this] { emit exportRequested(result_); });
    return box;
}

// The plot, which is undone with the rows.
void CorrelatePanel::addPlotSettings() {
    const std::vector<SettingControl> axes{{QStringLiteral("log angle"), logX_},
                                           {QStringLiteral("log height"), logY_}};
    const QString kPlot = QStringLiteral("plot");
    rows_->addSettings({[this, axes, kPlot] {
                            QJsonObject values = valuesOf(axes);
                            values[kPlot] = static_cast<int>(what_);
                            return values;
                        },
                        [this, axes, kPlot](const QJsonObject& values) {
                            setValues(axes, values);
                            const auto what = static_cast<What>(values[kPlot].toInt());
                            // The next curve may have no covariance.
                            if (values.contains(kPlot) &&
                                (what != What::Correlations || hasMatrix()))
                                choose(what);
                        }});
}

bool CorrelatePanel::hasMatrix() const {
    return curve_ && !curve_->covariance.empty();
}

QString CorrelatePanel::fitText() const {
    return fit_->text();
}

void CorrelatePanel::follow() {
    const Document& document = session_.document();
    const Layer* shown = document.entry(document.view().shown().entry);
    mask_->setEnabled(shown && shown->map && !shown->live);
    const LayerId chosen = rows_->input(QStringLiteral("DATA"));
    if (chosen == data_ || !isVisible()) return;
    data_ = chosen;
    const Layer* layer = document.entry(chosen);
    const QString now = rows_->text(QStringLiteral("bins"));
    if (!layer || !layer->catalog || (!now.isEmpty() && now != suggestedBins_)) return;
    if (!rows_->text(QStringLiteral("edges")).isEmpty()) return;
    rows_->setStandard(QStringLiteral("bins"), suggestedBins(*layer->catalog));
    suggestedBins_ = rows_->text(QStringLiteral("bins"));
}

void CorrelatePanel::setCurve(std::shared_ptr<const Curve> curve) {
    curve_ = std::move(curve);
    matrix_->setVisible(hasMatrix());
    export_->setEnabled(result_.isValid());
    plotPart_->show();
    const bool isGone = what_ == What::Correlations && !hasMatrix();
    rows_->settings().follow([&] { choose(isGone ? What::W : what_); });
}

void CorrelatePanel::choose(What what) {
    what_ = what;
    w_->setChecked(what == What::W);
    pairs_->setChecked(what == What::Pairs);
    matrix_->setChecked(what == What::Correlations);
    showCurve();
}

void CorrelatePanel::showCurve() {
    if (!curve_) return;
    const Theme& theme = Theme::of(this);
    const bool isMatrix = what_ == What::Correlations;
    // The result has one color here, in the list of layers and among the data.
    const Layer* made = session_.document().entry(result_);
    std::vector<PlottedCurve> curves{
        {QString(), what_ == What::Pairs ? otherColumns(*curve_) : firstColumn(*curve_),
         made ? toColor(made->style.marker) : theme.first}};
    QString line;
    try {
        const PowerLaw law = powerLawOf(*curve_);
        line = tr("w = A θ^(1−γ), θ in degrees: A = %1, γ = %2; χ² = %3 of %4 bins")
                   .arg(withError(law.amplitude, law.amplitudeError),
                        withError(law.gamma, law.gammaError), shortNumber(law.chiSquared))
                   .arg(law.points);
        auto fitted = std::make_shared<Curve>();
        fitted->xName = curve_->xName;
        fitted->xUnit = curve_->xUnit;
        fitted->series.push_back({"fit", "", {}, {}});
        const double from = curve_->xLow.front() > 0.0 ? curve_->xLow.front() : curve_->x.front();
        for (int i = 0; i <= kFitPoints; ++i) {
            const double x =
                from * std::pow(curve_->xHigh.back() / from, i / static_cast<double>(kFitPoints));
            fitted->x.push_back(x);
            fitted->series[0].values.push_back(law.amplitude * std::pow(x, 1.0 - law.gamma));
        }
        if (what_ == What::W) curves.push_back({tr("power law"), fitted, theme.second});
    } catch (const Error& error) {
        line = tr("no fit: %1").arg(QString::fromUtf8(error.what()));
    }
    fit_->setText(line);
    plot_->setCurves(std::move(curves));
    plot_->setAxes({logX_->isChecked(), logY_->isChecked(), isMatrix});
}

void CorrelatePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

}  // namespace armilla

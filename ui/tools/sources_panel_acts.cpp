// SPDX-License-Identifier: GPL-3.0-or-later
// The Sources tool: matching with another catalog, and fits of one source.
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/seen_frame.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/parameter.h"
#include "armilla/ops/patch_fit.h"
#include "armilla/session/session.h"
#include "armilla/session/source_review.h"
#include "armilla/session/tool_settings.h"
#include "panels/item_list.h"
#include "panels/small_widgets.h"
#include "panels/widget_role.h"
#include "tools/sources_panel.h"

namespace armilla {
namespace {

// Initial width of a fit without a beam, in pixels of the map.
constexpr double kFitPixels = 4.0;
const QString kFitSlot = QStringLiteral("review-fit");
const QString kByErrors = QStringLiteral("errors");

QString number(double value) {
    return QString::number(value, 'g', 4).replace(QLatin1Char('-'), QChar(0x2212));
}

// "312.4 ± 2.1": digits according to the error.
QString withError(double value, double error) {
    if (!(error > 0.0) || !std::isfinite(error)) return number(value);
    const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
    if (digits > 6) return QStringLiteral("%1 ± %2").arg(number(value), number(error));
    return QStringLiteral("%1 ± %2").arg(
        QString::number(value, 'f', digits).replace(QLatin1Char('-'), QChar(0x2212)),
        QString::number(error, 'f', digits));
}

// Radians of "2'", "30 arcsec", "0.5 deg"; arc minutes without a unit.
std::optional<double> angleOf(const QString& text) {
    Parameter angle;
    angle.kind = ParameterKind::Angle;
    angle.facts.unit = "arcmin";
    angle.facts.least = 0.0;
    angle.facts.most = kPi;
    try {
        const double value = std::get<double>(angle.parse(text.trimmed().toStdString()));
        return value > 0.0 ? std::optional(value) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

QWidget* SourcesPanel::buildMatch() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    matchWith_ = new NameChoice(part);
    matchWith_->setAccessibleName(tr("Catalog to match with"));
    matchWith_->setToolTip(tr("Match the candidates with another open catalog (M: the next one)"));
    matchWith_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    matchWith_->setMinimumContentsLength(6);
    matchWith_->setMinimumWidth(kLeastChoice);
    matchWithin_ = new QLineEdit(part);
    matchWithin_->setAccessibleName(tr("Largest separation"));
    matchWithin_->setToolTip(
        tr("Largest separation, as 2' or 30\"; or the word errors: 3 sigma of both POS_ERR"));
    matchWithin_->setMaximumWidth(8 * fontMetrics().averageCharWidth() + 16);
    matchAll_ = new QCheckBox(tr("all"), part);
    matchAll_->setToolTip(tr("Every pair within reach; else the best, no row in two pairs"));
    row->addWidget(matchWith_, 1);
    row->addWidget(matchWithin_);
    row->addWidget(matchAll_);
    layout->addLayout(row);
    matched_ = new QLabel(part);
    setRole(matched_, "muted");
    matched_->setWordWrap(true);
    layout->addWidget(matched_);
    connect(matchWith_, &QComboBox::activated, this, &SourcesPanel::takeMatch);
    connect(matchWithin_, &QLineEdit::editingFinished, this, &SourcesPanel::takeMatch);
    connect(matchAll_, &QCheckBox::toggled, this, &SourcesPanel::takeMatch);
    const QString kLayer = QStringLiteral("layer"), kRadius = QStringLiteral("radius"),
                  kAll = QStringLiteral("all");
    const auto read = [this, kLayer, kRadius, kAll] {
        const CandidateMatch& match = review_.partners().match();
        return QJsonObject{{kLayer, match.layer.number()},
                           {kRadius, match.radius ? QJsonValue(*match.radius) : QJsonValue()},
                           {kAll, match.all}};
    };
    const auto write = [this, kLayer, kRadius, kAll](const QJsonObject& values) {
        CandidateMatch match = review_.partners().match();
        if (values.contains(kLayer)) match.layer = LayerId(values[kLayer].toInt(-1));
        if (values[kRadius].isDouble())
            match.radius = values[kRadius].toDouble();
        else if (values.contains(kRadius))
            match.radius.reset();
        match.all = values[kAll].toBool(match.all);
        review_.partners().setMatch(match);
        showMatch();
    };
    matchSettings_ = new ToolSettings(*session_.document().history().stack(),
                                      tr("Match candidates"), {read, write}, this);
    return part;
}

void SourcesPanel::takeMatch() {
    CandidateMatch match;
    match.layer = matchWith_->currentData().value<LayerId>();
    match.all = matchAll_->isChecked();
    const QString text = matchWithin_->text().trimmed();
    if (match.layer.isValid() && text.compare(kByErrors, Qt::CaseInsensitive) != 0) {
        match.radius = angleOf(text);
        if (!match.radius) {
            setRole(matched_, "error");
            matched_->setText(tr("expected an angle such as 2', or errors, found '%1'").arg(text));
            matched_->show();
            return;
        }
    }
    matchSettings_->follow();
    matchSettings_->act({}, [&] { review_.partners().setMatch(match); });
    showMatch();
}

// Key M: the next open catalog, after the last one none.
void SourcesPanel::nextMatch() {
    if (matchWith_->count() < 2)
        return emit messageRaised(
            tr("expected a second catalog to match the candidates with, found none open"), false);
    matchWith_->setCurrentIndex((matchWith_->currentIndex() + 1) % matchWith_->count());
    takeMatch();
}

void SourcesPanel::showMatch() {
    const QSignalBlocker quiet(matchWith_), quietAll(matchAll_);
    Items items{{tr("Not matched"), QVariant::fromValue(LayerId())}};
    for (const Layer& layer : session_.document().entries())
        if (layer.catalog && layer.id != review_.layer())
            items.emplace_back(tr("Match: %1").arg(layer.name), QVariant::fromValue(layer.id));
    setItems(*matchWith_, items);
    const CandidateMatch& match = review_.partners().match();
    matchWith_->setCurrentIndex(
        std::max(0, matchWith_->findData(QVariant::fromValue(match.layer))));
    // Half a beam, unless the user has typed a radius.
    if (match.layer.isValid() ? match.radius.has_value() : !matchWithin_->isModified())
        matchWithin_->setText(QString::fromStdString(formatAngle(
            match.radius.value_or(0.5 * review_.search().beam.value_or(10.0 * kArcmin)))));
    for (QWidget* each : {static_cast<QWidget*>(matchWithin_), static_cast<QWidget*>(matchAll_)})
        each->setVisible(matchWith_->count() > 1);
    setRole(matched_, "muted");
    matched_->setVisible(match.layer.isValid());
    if (match.layer.isValid())
        matched_->setText(
            tr("%1 of %2 have a partner")
                .arg(groupedDigits(review_.partners().count()))
                .arg(groupedDigits(review_.catalog() ? review_.catalog()->rows() : 0)));
}

QString SourcesPanel::fitText() const {
    return fit_->isHidden() ? QString() : fit_->text();
}

// Fits beam and Gaussian on the searched map, else on the shown one.
void SourcesPanel::fitCurrent() {
    const int64_t row = review_.current();
    if (row < 0) return;
    const Document& document = session_.document();
    const Shown shown = document.view().shown();
    const LayerId id = review_.search().map.isValid() ? review_.search().map : shown.entry;
    const int field = review_.search().map.isValid() ? review_.search().field : shown.field;
    const Layer* layer = document.entry(id);
    if (!layer || !layer->map)
        return emit messageRaised(tr("expected an open map to fit to, found none"), true);
    const std::shared_ptr<const HealpixMap> map = layer->map;
    const Frame own = review_.catalog()->frame(), to = map->frame();
    const Vec3 start = seenRotation(to, own) * direction(review_.catalog()->at(row));
    const double pixel = std::sqrt(kPi / 3.0) / static_cast<double>(map->nside());
    const double fwhm = review_.search().beam.value_or(kFitPixels * pixel);
    const QString unit = unitText(QString::fromStdString(map->field(field).unit));
    session_.jobs().run<PatchFits>(
        tr("Fit %1").arg(review_.list().nameOf(row)), JobLane::Preview, kFitSlot, this,
        [map, field, start, fwhm](JobContext&) { return fitPatch(*map, field, start, fwhm); },
        [this, row, start, unit, fwhm](const PatchFits& fits) {
            QStringList lines;
            const auto away = [&](const PatchFit& fit) {
                return tr("%1 away, ± %2")
                    .arg(QString::fromStdString(formatAngle(angularDistance(start, fit.direction))),
                         QString::fromStdString(formatAngle(fit.positionError)));
            };
            if (fits.beam)
                lines << tr("Beam of %1: %2 %3, %4")
                             .arg(QString::fromStdString(formatAngle(fwhm)),
                                  withError(fits.beam->peak, fits.beam->peakError), unit,
                                  away(*fits.beam));
            if (fits.gaussian)
                lines << tr("Gaussian: %1 %2, %3 × %4 at PA %5°, %6")
                             .arg(withError(fits.gaussian->peak, fits.gaussian->peakError), unit,
                                  QString::fromStdString(formatAngle(fits.gaussian->major)),
                                  QString::fromStdString(formatAngle(fits.gaussian->minor)),
                                  QString::number(fits.gaussian->angle / kDegree, 'f', 0)
                                      .replace(QLatin1Char('-'), QChar(0x2212)),
                                  away(*fits.gaussian));
            if (lines.isEmpty())
                lines << tr("No fit settles here (%n pixel(s) with a value)", nullptr,
                            static_cast<int>(fits.pixels));
            fitted_ = row;
            fit_->setText(lines.join(QLatin1Char('\n')));
            fit_->setVisible(row == review_.current());
        },
        [this](const QString& line) { emit messageRaised(line, true); });
}

}  // namespace armilla

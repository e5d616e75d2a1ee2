// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/smooth_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/known_operations.h"
#include "armilla/operations/smooth.h"
#include "armilla/ops/kernel.h"
#include "armilla/session/exporter.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/stand_in.h"
#include "armilla/session/tool_settings.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "panels/compare_row.h"
#include "panels/elided_label.h"
#include "panels/setting_controls.h"
#include "panels/small_widgets.h"
#include "panels/tool_footer.h"
#include "panels/widget_role.h"
#include "plots/profile_plot.h"

namespace armilla {
namespace {

// The least of 1, 2 and 5 times a power of ten that is at least `value`, which is above 0.
double roundedUp(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0})
        if (value <= step * decade) return step * decade;
    return 10.0 * decade;
}

// Users type 60′ and 1°; the parser of the command line accepts ' and deg.
QString asciiAngle(const QString& text) {
    return text.trimmed()
        .replace(QChar(0x2032), QLatin1Char('\''))
        .replace(QChar(0x2033), QLatin1Char('"'))
        .replace(QChar(0x00B0), QLatin1String("deg"));
}

QString methodName(SmoothMethod method) {
    for (const auto& choice : kSmoothMethodChoices)
        if (choice.value == method)
            return shownText(choice.label.empty() ? choice.word : choice.label);
    return {};
}

// A sky fraction between none and all; rounding must not show 0 or 100 %.
QString partText(double share) {
    constexpr double kLeast = 0.001;
    if (share < kLeast) return SmoothPanel::tr("< 0.1 %");
    if (share > 1.0 - kLeast) return SmoothPanel::tr("> 99.9 %");
    return SmoothPanel::tr("%1 %").arg(100.0 * share, 0, 'f', 1);
}

// Delay after a map is shown, so that its picture comes first.
constexpr int kPrepareMilliseconds = 100;

}  // namespace

int SmoothPanel::placeOf(double fwhm) {
    const double share = std::log(fwhm / kLeast) / std::log(kMost / kLeast);
    return std::clamp(static_cast<int>(std::lround(share * kSteps)), 0, kSteps);
}

// Width at a slider position, rounded to two digits.
double SmoothPanel::fwhmAt(int place) {
    const double arcmin =
        kLeast * std::pow(kMost / kLeast, static_cast<double>(place) / kSteps) / kArcmin;
    const double unit = std::pow(10.0, std::floor(std::log10(arcmin)) - 2.0);
    return std::clamp(std::round(arcmin / unit) * unit * kArcmin, kLeast, kMost);
}

SmoothPanel::SmoothPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 12);
    layout->setSpacing(7);
    layout->addWidget(buildWidthRow());
    imageNote_ = mutedLabel({}, this);
    imageNote_->setWordWrap(true);
    layout->addWidget(imageNote_);
    auto* plots = new QHBoxLayout;
    plots->setSpacing(8);
    angleProfile_ = new ProfilePlot(tr("K(θ)"), ProfilePlot::Line::Second, this);
    angleProfile_->setToolTip(
        tr("The kernel over the angle from its center, per steradian. The "
           "dotted line is half the beam's width."));
    harmonicProfile_ = new ProfilePlot(tr("b(ℓ)"), ProfilePlot::Line::First, this);
    harmonicProfile_->setToolTip(tr("What the beam leaves of each multipole ℓ, from 0 to 1."));
    plots->addWidget(angleProfile_);
    plots->addWidget(harmonicProfile_);
    layout->addLayout(plots);
    layout->addWidget(buildRows());
    layout->addWidget(buildCompareRow());
    layout->addWidget(buildFooter());
    buildSettings();

    Document& document = session_.document();
    connect(&document, &Document::entriesChanged, this, &SmoothPanel::requestDone);
    connect(&document.view(), &DocumentView::shownChanged, this, &SmoothPanel::showState);
    connect(&document, &Document::activeChanged, this, &SmoothPanel::showState);
    connect(&document.view(), &DocumentView::comparisonChanged, this, &SmoothPanel::showState);
    connect(&document.drawings(), &LayerDrawings::drawableChanged, this, &SmoothPanel::showState);
    connect(&session_.preview(), &LivePreview::smoothReportChanged, this, &SmoothPanel::showReport);
    connect(&session_.preview(), &LivePreview::livePresented, this, &SmoothPanel::showPresented);
    connect(&session_.preview(), &LivePreview::liveRegionChanged, this, &SmoothPanel::showRegion);
    connect(&session_.preview(), &LivePreview::previewBusyChanged, this, [this](bool busy) {
        busy_ = busy;
        if (!busy && session_.document().live() && !session_.document().liveLayer().picture() &&
            !session_.preview().isFilterPreviewed())
            showTime(milliseconds_);
        showState();
    });
    prepareTimer_.setSingleShot(true);
    prepareTimer_.setInterval(kPrepareMilliseconds);
    connect(&prepareTimer_, &QTimer::timeout, this, &SmoothPanel::prepare);
    connect(&document.view(), &DocumentView::shownChanged, &prepareTimer_,
            qOverload<>(&QTimer::start));
    showWidth();
    showState();
}

QWidget* SmoothPanel::buildWidthRow() {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(5);
    auto* label = new QLabel(tr("Beam FWHM"), box);
    edit_ = new QLineEdit(box);
    edit_->setAlignment(Qt::AlignRight);
    edit_->setFixedWidth(92);
    edit_->setToolTip(
        tr("Full width at half maximum of the Gaussian beam, with its unit:\n"
           "60arcmin, 1deg, 30arcsec, 0.01rad, 60′, 1°"));
    edit_->setAccessibleName(tr("Beam width (FWHM) with unit"));
    slider_ = new QSlider(Qt::Horizontal, box);
    slider_->setRange(0, kSteps);
    slider_->setSingleStep(4);
    slider_->setPageStep(40);
    slider_->setAccessibleName(tr("Beam width (FWHM), 1 arcminute to 60 degrees"));
    slider_->setToolTip(tr("Beam width from 1′ to 60°. The sky is smoothed while it moves."));
    editError_ = new QLabel(box);
    editError_->setProperty("role", "error");
    editError_->setWordWrap(true);
    editError_->hide();
    grid->addWidget(label, 0, 0);
    grid->addWidget(edit_, 0, 1, Qt::AlignRight);
    grid->addWidget(slider_, 1, 0, 1, 2);
    grid->addWidget(editError_, 2, 0, 1, 2);
    connect(slider_, &QSlider::valueChanged, this, [this](int place) { setFwhm(fwhmAt(place)); });
    connect(edit_, &QLineEdit::editingFinished, this, &SmoothPanel::acceptEdit);
    return box;
}

QWidget* SmoothPanel::buildRows() {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    method_ = new QComboBox(box);
    for (const auto& choice : kSmoothMethodChoices)
        method_->addItem(methodName(choice.value), static_cast<int>(choice.value));
    method_->setToolTip(
        tr("How the convolution is done. Automatic takes the fastest that is exact "
           "enough for this width."));
    method_->setAccessibleName(tr("Smoothing method"));
    methodUsed_ = new ElidedLabel(box);
    methodUsed_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    error_ = new QLabel(box);
    error_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    error_->setToolTip(
        tr("Estimated rms difference from the true convolution, relative to the rms "
           "of the map"));
    masked_ = new QComboBox(box);
    masked_->addItem(tr("normalize"), static_cast<int>(Masked::Normalize));
    masked_->addItem(tr("ignore"), static_cast<int>(Masked::Ignore));
    masked_->setAccessibleName(tr("Treatment of masked pixels"));
    maskedShare_ = mutedLabel({}, box);
    maskedShare_->setToolTip(tr("Share of the sky that is masked or not covered"));
    maskedShare_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    maskedDifference_ = new QToolButton(box);
    maskedDifference_->setIcon(lineIcon(QStringLiteral("difference")));
    maskedDifference_->setIconSize({14, 14});
    maskedDifference_->setProperty("flat", true);
    maskedDifference_->setAccessibleName(tr("Show the difference of normalize and ignore"));
    maskedDifference_->setToolTip(
        tr("Smooth both ways with this width and show normalize − ignore "
           "as a map of its own"));
    auto* maskedLine = new QHBoxLayout;
    maskedLine->setSpacing(4);
    maskedNone_ = new QLabel(tr("none"), box);
    maskedNone_->setToolTip(tr("Every pixel of this map is good: normalizing changes nothing"));
    maskedNone_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    maskedMethod_ = new QStackedWidget(box);
    maskedMethod_->addWidget(masked_);
    maskedMethod_->addWidget(maskedNone_);
    maskedMethod_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    maskedLine->addWidget(maskedShare_, 1);
    maskedLine->addWidget(maskedDifference_);
    maskedLine->addWidget(maskedMethod_);
    // Always present, so that no widget moves when another map is shown.
    polarization_ = new QCheckBox(tr("T, Q and U together, through E and B"), box);
    polarization_->setObjectName(QStringLiteral("polarization"));

    auto* methodLine = new QHBoxLayout;
    methodLine->setSpacing(8);
    methodLine->addWidget(methodUsed_, 1);
    methodLine->addWidget(method_);
    grid->addWidget(mutedLabel(tr("Method"), box), 0, 0);
    grid->addLayout(methodLine, 0, 1);
    grid->addWidget(mutedLabel(tr("Estimated error"), box), 1, 0);
    grid->addWidget(error_, 1, 1);
    grid->addWidget(mutedLabel(tr("Masked pixels"), box), 2, 0);
    grid->addLayout(maskedLine, 2, 1);
    grid->addWidget(polarization_, 3, 0, 1, 2);
    const auto again = [this] {
        showState();
        if (session_.document().live()) request();
    };
    connect(method_, &QComboBox::activated, this, again);
    connect(masked_, &QComboBox::activated, this, again);
    connect(polarization_, &QCheckBox::clicked, this, again);
    connect(maskedDifference_, &QToolButton::clicked, this,
            [this] { session_.operations().showMaskedDifference(parameters()); });
    return box;
}

QWidget* SmoothPanel::buildCompareRow() {
    compareRow_ = new CompareRow(
        tr("Compare the map before and after smoothing; again for one picture"), this);
    connect(compareRow_, &CompareRow::compareRequested, this, [this](Comparison comparison) {
        emit compareRequested(comparison);
        showState();
    });
    auto* difference = new QPushButton(tr("Difference"), compareRow_);
    difference->setToolTip(
        tr("The map before smoothing minus the smoothed one, as a map of its "
           "own"));
    compareRow_->add(difference, QStringLiteral("difference"));
    connect(difference, &QPushButton::clicked, this, &SmoothPanel::differenceRequested);
    return compareRow_;
}

QWidget* SmoothPanel::buildFooter() {
    auto* footer = new ToolFooter(this);
    run_ = footer->add(tr("Run"), QStringLiteral("run"),
                       tr("Smooths the image as a job; the result becomes a layer"));
    keep_ = footer->add(tr("Keep"), QStringLiteral("keep"),
                        tr("Make the result at full resolution and keep it as a map of its own"));
    for (QPushButton* button : {run_, keep_}) button->setProperty("primary", true);
    discard_ = footer->add(tr("Discard"), QStringLiteral("close"),
                           tr("End the preview and show the map as it was"));
    reset_ = footer->addReset();
    export_ = footer->add(tr("Export…"), QStringLiteral("export"),
                          tr("Write the smoothed map as HEALPix FITS"));
    copy_ = footer->add(tr("Copy command"), QStringLiteral("copy"),
                        tr("Copy the armilla command that makes the same file"));
    connect(reset_, &QPushButton::clicked, this, [this] { settings_->reset(); });
    connect(run_, &QPushButton::clicked, this, [this] {
        if (QWidget* focus = focusWidget()) focus->clearFocus();  // applies pending edits
        if (image()) session_.operations().runOperation(imageRequest());
    });
    connect(keep_, &QPushButton::clicked, this, [this] { session_.preview().keepSmooth(); });
    connect(export_, &QPushButton::clicked, this, [this] {
        if (const Layer* live = session_.document().live()) emit exportRequested(live->id);
    });
    connect(copy_, &QPushButton::clicked, this, [this] {
        if (const Layer* live = session_.document().live())
            return emit copyCommandRequested(live->id);
        if (!image()) return;
        const QString command = session_.exporter().commandForOperation(
            imageRequest(), QStringLiteral("smooth_result.fits"));
        if (!command.isEmpty()) emit commandRequested(command);
    });
    connect(discard_, &QPushButton::clicked, this, [this] { session_.preview().stopPreview(); });
    return footer;
}

// A live picture follows the settings that undo restores.
void SmoothPanel::buildSettings() {
    const QString kWidth = QStringLiteral("fwhm");
    const std::vector<SettingControl> controls{{QStringLiteral("method"), method_},
                                               {QStringLiteral("masked"), masked_},
                                               {QStringLiteral("polarization"), polarization_}};
    const auto read = [this, controls, kWidth] {
        QJsonObject all = valuesOf(controls);
        all[kWidth] = fwhm_;
        return all;
    };
    const auto write = [this, controls, kWidth](const QJsonObject& values) {
        setValues(controls, values);
        fwhm_ = values[kWidth].toDouble(fwhm_);
        if (session_.document().live()) request();
        showWidth();
        showState();
    };
    settings_ =
        new ToolSettings(*session_.document().history().stack(), tr("Smooth"), {read, write}, this);
    noteChanges(controls, settings_);
    const QString what = tr("beam FWHM");
    noteDrags(slider_, settings_, what);
    const auto noteWidth = [this, what] { settings_->note(what, ToolSettings::Pace::Repeated); };
    connect(slider_, &QSlider::valueChanged, settings_, noteWidth);
    connect(edit_, &QLineEdit::editingFinished, settings_, noteWidth);
}

// The map to smooth: the shown one, or the source of the live result.
const Layer* SmoothPanel::source() const {
    const Document& document = session_.document();
    const Layer* live = document.live();
    return document.entry(live ? live->parent : document.view().shown().entry);
}

// The image to smooth instead of a map: the active layer, unless there is a live result.
const Layer* SmoothPanel::image() const {
    const Document& document = session_.document();
    const Layer* active = document.live() ? nullptr : document.entry(document.active());
    return active && active->image ? active : nullptr;
}

OperationRequest SmoothPanel::imageRequest() const {
    SmoothOptions options;
    const SmoothParameters chosen = parameters();
    options.fwhm = chosen.fwhm;
    options.method = chosen.method;
    options.masked = chosen.masked;
    return {&operations::smooth(),
            ParameterSet(options),
            {{QStringLiteral("MAP"), image()->id, {}, {}}},
            {}};
}

QString SmoothPanel::imageText() const {
    return imageNote_->text();
}

SmoothParameters SmoothPanel::parameters() const {
    SmoothParameters result;
    result.fwhm = fwhm_;
    result.method = static_cast<SmoothMethod>(method_->currentData().toInt());
    result.masked = static_cast<Masked>(masked_->currentData().toInt());
    result.polarization = polarization_->isEnabledTo(this) && polarization_->isChecked();
    return result;
}

void SmoothPanel::setFwhm(double radians) {
    const double width = std::clamp(radians, kLeast, kMost);
    if (width == fwhm_ && session_.document().live()) return;
    fwhm_ = width;
    // The panel is painted while the picture is computed.
    request();
    showWidth();
}

void SmoothPanel::acceptEdit() {
    if (!edit_->isModified()) return;
    edit_->setModified(false);
    try {
        const double width = parseAngle(asciiAngle(edit_->text()).toStdString());
        if (width < kLeast || width > kMost)
            throw InvalidArgument("expected a width from 1arcmin to 60deg, found " +
                                  edit_->text().toStdString());
        editError_->hide();
        setFwhm(width);
    } catch (const Error& error) {
        editError_->setText(QString::fromUtf8(error.what()));
        editError_->show();
    }
}

void SmoothPanel::prepare() {
    const Shown shown = session_.document().view().shown();
    if (!isVisible() || shown == prepared_) return;
    prepared_ = shown;
    session_.preview().prepareSmooth(parameters());
}

void SmoothPanel::request() {
    if (image() || !source()) return;
    pending_.push_back({fwhm_, {}});
    pending_.back().since.start();
    session_.preview().previewSmooth(parameters());
}

// A new live result: the latency is the time since its own request.
void SmoothPanel::requestDone() {
    const Layer* live = session_.document().live();
    if (!live) {
        pending_.clear();
        liveRevision_ = 0;
        showState();
        return;
    }
    if (live->revision == liveRevision_) return;
    liveRevision_ = live->revision;
    const auto it = std::find_if(pending_.rbegin(), pending_.rend(), [&](const Pending& pending) {
        return pending.fwhm == live->recipe.smooth.fwhm;
    });
    if (it != pending_.rend()) {
        milliseconds_ = static_cast<double>(it->since.nsecsElapsed()) * 1e-6;
        pending_.erase(pending_.begin(), it.base());
    }
    // Frames report their own latencies.
    if (!session_.document().liveLayer().picture() && !session_.preview().isFilterPreviewed())
        showTime(milliseconds_);
    showState();
}

void SmoothPanel::showTime(double milliseconds) {
    const Document& document = session_.document();
    const Layer* live = document.live();
    const Layer* map = source();
    QString what = QString::fromStdString(session_.device().label());
    if (live && map && live->map->nside() < map->map->nside())
        what = session_.preview().liveRegion().mesh
                   ? tr("exact in view, refining")
                   : tr("nside %1, refining").arg(live->map->nside());
    setStatus(
        tr("LIVE · %1 ms · %2").arg(milliseconds, 0, 'f', milliseconds < 10.0 ? 1 : 0).arg(what),
        ToolDock::StatusTone::Good);
}

// Shows that the result is exact in the view, but not yet elsewhere.
void SmoothPanel::showRegion(const LiveRegion& region) {
    if (!region.mesh) return;
    showReport();
    setStatus(tr("LIVE · %1 ms · exact in view, refining").arg(region.milliseconds, 0, 'f', 0),
              ToolDock::StatusTone::Good);
}

// Numbers that change faster than this (milliseconds) cannot be read.
void SmoothPanel::showPresented(double milliseconds) {
    constexpr qint64 kReadable = 100;
    if (session_.preview().isFilterPreviewed()) return;
    if (sinceShown_.isValid() && sinceShown_.elapsed() < kReadable) return;
    sinceShown_.start();
    showTime(milliseconds);
}

void SmoothPanel::showWidth() {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(placeOf(fwhm_));
    const QString text = QString::fromStdString(formatAngle(fwhm_));
    if (!edit_->hasFocus() || !edit_->isModified()) edit_->setText(text);
    editError_->hide();
    slider_->setAccessibleDescription(text);
    reset_->setEnabled(!settings_->isAtStart());
    showProfiles();
}

// The curves follow the slider: b_l of the Gaussian, and K(theta) in closed form.
void SmoothPanel::showProfiles() {
    constexpr int kPoints = 96;
    const double sigma = fwhm_ * kSigmaOfFwhm;
    // b_l has fallen to 1e-4 there. The axes end at round values, so that the
    // curves move with the slider and the axes change rarely.
    const double lNone = std::sqrt(2.0 * std::log(1e4)) / sigma;
    const int lEnd = std::max(5, static_cast<int>(std::lround(roundedUp(lNone))));
    const double unit = fwhm_ >= kDegree ? kDegree : fwhm_ >= kArcmin ? kArcmin : kArcsec;
    const double angleEnd = std::min(roundedUp(1.5 * fwhm_ / unit) * unit, kPi);
    std::vector<double> harmonic, angles;
    for (int i = 0; i < kPoints; ++i) {
        const double share = static_cast<double>(i) / (kPoints - 1);
        const double l = share * lEnd;
        harmonic.push_back(gaussianBeamAt(l, sigma * sigma));
        angles.push_back(share * angleEnd);
    }
    harmonicProfile_->setCurve(std::move(harmonic), tr("ℓ %1").arg(lEnd), -1.0);
    angleProfile_->setCurve(Kernel::gaussian(fwhm_).at(angles),
                            QString::fromStdString(formatAngle(angles.back())),
                            0.5 * fwhm_ / angles.back());
}

void SmoothPanel::showReport() {
    const bool live = session_.document().live() && !session_.preview().isFilterPreviewed();
    const SmoothReport report = session_.preview().smoothReport();
    const QString reach =
        report.method == SmoothMethod::Harmonic
            ? tr("ℓ ≤ %1").arg(report.lmax)
            : tr("within %1").arg(QString::fromStdString(formatAngle(report.radius)));
    methodUsed_->setText(live ? tr("%1, %2").arg(methodName(report.method), reach) : QString());
    // Previews have no error estimate.
    error_->setText(!live || (busy_ && report.estimatedError == 0.0) ? QStringLiteral("–")
                    : report.estimatedError > 0.0 ? tr("%1 rms").arg(numberTypeset(QString::number(
                                                        report.estimatedError, 'g', 2)))
                                                  : tr("exact to rounding"));
}

double SmoothPanel::goodShare() const {
    const Layer* map = source();
    if (!map) return 1.0;
    const Document& document = session_.document();
    const int field = document.view().shown().entry == map->id ? document.view().shown().field : 0;
    const auto drawable = document.drawings().drawable({map->id, field, Quantity::Field});
    return drawable ? drawable->statistics.finite : 1.0;
}

void SmoothPanel::showState() {
    const Document& document = session_.document();
    const Layer* map = source();
    const bool live = document.live() != nullptr;
    const Layer* drawn = image();
    setEnabled(map || drawn);
    reset_->setEnabled((map || drawn) && !settings_->isAtStart());
    for (QPushButton* button : {keep_, export_, copy_, discard_}) button->setEnabled(live);
    for (QPushButton* button : {keep_, export_, discard_}) button->setVisible(!drawn);
    run_->setVisible(drawn != nullptr);
    copy_->setEnabled(live || drawn);
    imageNote_->setVisible(drawn != nullptr);
    imageNote_->setText(drawn ? tr("%1 is an image: it is smoothed by a job, along rows that are "
                                   "whole rings. Only maps are smoothed live.")
                                    .arg(drawn->name)
                              : QString());
    compareRow_->setEnabled(live);
    compareRow_->setState(live, document.view().comparison());
    const bool polarized = !drawn && map && map->map && map->map->polarizationFields();
    polarization_->setEnabled(polarized);
    polarization_->setToolTip(
        polarized ? tr("Smooths the polarization as a spin-2 field instead of this field alone")
                  : tr("For maps with fields T, Q and U"));
    const double good = drawn ? 1.0 : goodShare();
    const bool masked = good < 1.0;
    maskedDifference_->setVisible(masked);
    maskedShare_->setVisible(masked);
    maskedShare_->setText(partText(1.0 - good));
    // Bad pixels of an image are not counted.
    maskedMethod_->setCurrentWidget(masked || drawn ? static_cast<QWidget*>(masked_) : maskedNone_);
    masked_->setToolTip(
        tr("normalize: the mean of the good pixels under the beam, so that the sky "
           "keeps its level beside a mask.\n"
           "ignore: masked pixels count as zero, so that the sky fades towards a "
           "mask."));
    showReport();
    if (drawn)
        setStatus(tr("as a job"), ToolDock::StatusTone::Quiet);
    else if (!map)
        setStatus({}, ToolDock::StatusTone::Quiet);
    else if (!live && busy_)
        setStatus(tr("working…"), ToolDock::StatusTone::Quiet);
    else if (!live)
        setStatus(standInText(*map).isEmpty() ? tr("move the slider") : standInText(*map),
                  ToolDock::StatusTone::Quiet);
}

void SmoothPanel::setStatus(const QString& text, ToolDock::StatusTone tone) {
    if (status_ == text) return;
    status_ = text;
    emit statusChanged(text, tone);
}

}  // namespace armilla

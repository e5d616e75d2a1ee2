// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/spectrum_panel.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleValidator>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <iterator>

#include "armilla/core/units.h"
#include "armilla/ui/icons.h"
#include "panels/item_list.h"
#include "panels/small_widgets.h"
#include "plots/spectrum_plot.h"

namespace armilla {
namespace {

// Delay of the request after the last change of a control; a shorter one would start jobs that the
// next movement of a slider cancels.
constexpr int kRestMilliseconds = 80;
// Steps of the slider of the apodization in a degree.
constexpr int kApodizeSteps = 2;

QSlider* degreeSlider(int most, const QString& name, const QString& tip, QWidget* parent) {
    auto* slider = new QSlider(Qt::Horizontal, parent);
    slider->setRange(0, most);
    slider->setAccessibleName(name);
    slider->setToolTip(tip);
    slider->setMinimumWidth(70);
    return slider;
}

SpectrumCurve curveOf(const QString& name, const SpectrumResult& result) {
    if (!result.bands) return {name, result.cl};
    const CurveSeries& series = result.bands->series.front();
    const ParameterValue as = result.request.parameters.value("bin-as");
    const auto* word = std::get_if<std::string>(&as);
    return {name, series.values, result.bands->x, series.errors, word && *word == "dl"};
}

}  // namespace

SpectrumPanel::SpectrumPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      plot_(new SpectrumPlot(this)),
      maskChoice_(new NameChoice(this)),
      logL_(flatToggle(tr("log ℓ"), tr("Logarithmic axis of multipoles"), this)),
      logC_(flatToggle(tr("log C"), tr("Logarithmic axis of power"), this)),
      band_(flatToggle(tr("ℓ(ℓ+1)/2π"), tr("Power in each logarithmic band instead of Cₗ"), this)),
      export_(new QToolButton(this)),
      copy_(new QToolButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 10);
    layout->setSpacing(6);
    layout->addWidget(plot_, 1);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(3);
    for (QToolButton* button : {logL_, logC_, band_}) {
        button->setChecked(true);
        button->setProperty("close", true);
        tools->addWidget(button);
        connect(button, &QToolButton::toggled, this, [this] {
            plot_->setAxes({logL_->isChecked(), logC_->isChecked(), band_->isChecked()});
        });
    }
    maskChoice_->setAccessibleName(tr("Mask of the spectrum"));
    maskChoice_->setToolTip(
        tr("Map whose first field weighs the pixels, 0 to 1: zeros are left "
           "out"));
    maskChoice_->setMinimumContentsLength(4);
    maskChoice_->setMinimumWidth(50);
    maskChoice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    maskChoice_->view()->setMinimumWidth(180);
    connect(band_, &QToolButton::toggled, this, &SpectrumPanel::scheduleRequest);
    tools->addStretch(1);
    tools->addWidget(copy_);
    tools->addWidget(export_);
    layout->addLayout(tools);
    layout->addWidget(buildControls());
    layout->addWidget(buildAdvanced());
    connectControls();
    QWidget* const order[] = {logL_,       logC_, band_,    copy_,   export_,
                              maskChoice_, cut_,  apodize_, remove_, bins_,
                              decouple_,   beam_, errors_,  lmax_,   divide_};
    for (size_t i = 1; i < std::size(order); ++i) setTabOrder(order[i - 1], order[i]);
    export_->setIcon(lineIcon(QStringLiteral("export")));
    export_->setIconSize({14, 14});
    export_->setProperty("flat", true);
    export_->setAccessibleName(tr("Export the spectrum"));
    export_->setToolTip(tr("Write the spectrum as FITS, text or a table…"));
    export_->setEnabled(false);

    copy_->setIcon(lineIcon(QStringLiteral("copy")));
    copy_->setIconSize({14, 14});
    copy_->setProperty("flat", true);
    copy_->setAccessibleName(tr("Copy as command"));
    copy_->setToolTip(tr("Copy the armilla command that makes this spectrum"));
    copy_->setEnabled(false);

    timer_.setSingleShot(true);
    timer_.setInterval(kRestMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &SpectrumPanel::request);
    connect(&session_.document(), &Document::shownChanged, this, &SpectrumPanel::scheduleRequest);
    connect(&session_.document(), &Document::entriesChanged, this, [this] {
        fillMasks();
        scheduleRequest();
    });
    connect(&session_.spectrum(), &LiveSpectrum::ready, this, &SpectrumPanel::take);
    connect(maskChoice_, &QComboBox::activated, this,
            [this](int index) { setMaskEntry(maskChoice_->itemData(index).toInt()); });
    connect(export_, &QToolButton::clicked, this, [this] {
        if (of_) emit exportRequested(*of_);
    });
    connect(copy_, &QToolButton::clicked, this, [this] {
        if (of_) emit commandRequested(*of_);
    });
    fillMasks();
    showSettings();
}

// The mask, what is removed, and the bins.
QWidget* SpectrumPanel::buildControls() {
    auto* part = new QWidget(this);
    auto* grid = new QGridLayout(part);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    const auto row = [&](const QString& name, QWidget* control, QWidget* value = nullptr) {
        const int at = grid->rowCount();
        grid->addWidget(mutedLabel(name, part), at, 0);
        grid->setRowMinimumHeight(at, 24);  // as a choice, so that the rows are even
        grid->addWidget(control, at, 1, 1, value ? 1 : 2);
        if (value) grid->addWidget(value, at, 2);
    };
    row(tr("Mask"), maskChoice_);
    const auto degrees = [&](const QString& widest) {
        auto* label = mutedLabel({}, part);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        label->setFixedWidth(label->fontMetrics().horizontalAdvance(widest));
        return label;
    };
    cutText_ = degrees(tr("|b| > 88°"));
    apodizeText_ = degrees(tr("|b| > 88°"));
    cut_ = degreeSlider(80, tr("Cut in Galactic latitude"),
                        tr("Leave out pixels nearer than this to the Galactic plane"), part);
    apodize_ = degreeSlider(20 * kApodizeSteps, tr("Apodization"),
                            tr("Angle over which the mask rises from 0 to 1"), part);
    row(tr("Cut"), cut_, cutText_);
    row(tr("Apodize"), apodize_, apodizeText_);
    const auto choice = [&](const QString& name, const QString& tip) {
        auto* box = new QComboBox(part);
        box->setAccessibleName(name);
        box->setToolTip(tip);
        box->setMinimumWidth(kLeastChoice);
        return box;
    };
    remove_ = choice(tr("Remove"), tr("Fitted outside the mask and subtracted from the map"));
    remove_->addItem(tr("Nothing"), QStringLiteral("none"));
    remove_->addItem(tr("Monopole"), QStringLiteral("monopole"));
    remove_->addItem(tr("Monopole and dipole"), QStringLiteral("dipole"));
    row(tr("Remove"), remove_);
    bins_ = choice(tr("Bins"), tr("Multipoles in a bin, from ℓ = 2 on"));
    bins_->addItem(tr("Every ℓ"), QString());
    for (const int width : {5, 10, 20, 30, 50, 100})
        bins_->addItem(tr("Δℓ = %1").arg(width), QString::number(width));
    decouple_ = new QCheckBox(tr("Decouple"), part);
    decouple_->setToolTip(
        tr("Remove the mask's coupling of multipoles (MASTER); needs bins on a small sky"));
    row(tr("Bins"), bins_, decouple_);
    return part;
}

// Folded at first: beam, errors, limit and divisor.
QWidget* SpectrumPanel::buildAdvanced() {
    auto* part = new QWidget(this);
    auto* outer = new QVBoxLayout(part);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(4);
    auto* fold = foldButton(tr("Advanced"), tr("Beam, errors, largest multipole, divisor"), part);
    outer->addWidget(fold, 0, Qt::AlignLeft);
    advanced_ = new QWidget(part);
    outer->addWidget(advanced_);
    auto* grid = new QGridLayout(advanced_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    beam_ = new QLineEdit(advanced_);
    beam_->setPlaceholderText(tr("none"));
    beam_->setAccessibleName(tr("Beam FWHM in arcmin"));
    beam_->setToolTip(tr("FWHM of the map's Gaussian beam, which is divided out"));
    auto* valid = new QDoubleValidator(0.0, 180.0 * 60.0, 4, beam_);
    valid->setLocale(QLocale::c());
    beam_->setValidator(valid);
    errors_ = new QComboBox(advanced_);
    errors_->setAccessibleName(tr("Errors"));
    errors_->setToolTip(
        tr("Errors of band powers: by the number of modes, or by the Gaussian "
           "covariance with the mask's coupling"));
    errors_->addItem(tr("None"), QStringLiteral("none"));
    errors_->addItem(tr("Knox"), QStringLiteral("knox"));
    errors_->addItem(tr("Gaussian"), QStringLiteral("gaussian"));
    lmax_ = new QSpinBox(advanced_);
    // The least band limit of a spectrum with a bin; the most of `anafast`.
    lmax_->setRange(1, 32768);
    lmax_->setSpecialValueText(tr("3 nside − 1"));
    lmax_->setAccessibleName(tr("Largest multipole"));
    lmax_->setKeyboardTracking(false);
    divide_ = new QCheckBox(tr("Divide by ⟨w²⟩"), advanced_);
    divide_->setToolTip(
        tr("Divide by the mean of the squared weights of the mask: the level of "
           "the whole sky"));
    const auto row = [&](const QString& name, QWidget* control, QWidget* unit = nullptr) {
        const int at = grid->rowCount();
        grid->addWidget(mutedLabel(name, advanced_), at, 0);
        grid->addWidget(control, at, 1);
        if (unit) grid->addWidget(unit, at, 2);
    };
    row(tr("Beam FWHM"), beam_, mutedLabel(tr("arcmin"), advanced_));
    row(tr("Errors"), errors_);
    row(tr("ℓ max"), lmax_);
    grid->addWidget(divide_, grid->rowCount(), 0, 1, 3);
    advanced_->hide();
    connect(fold, &QToolButton::toggled, advanced_, &QWidget::setVisible);
    return part;
}

// After all controls exist: filling a choice changes its index.
void SpectrumPanel::connectControls() {
    const auto follow = [this] {
        showSettings();
        scheduleRequest();
    };
    for (QSlider* slider : {cut_, apodize_}) connect(slider, &QSlider::valueChanged, this, follow);
    for (QComboBox* box : {remove_, bins_, errors_})
        connect(box, &QComboBox::currentIndexChanged, this, follow);
    for (QCheckBox* box : {decouple_, divide_}) connect(box, &QCheckBox::toggled, this, follow);
    connect(beam_, &QLineEdit::editingFinished, this, follow);
    connect(lmax_, &QSpinBox::valueChanged, this, follow);
}

SpectrumSettings SpectrumPanel::settings() const {
    SpectrumSettings made;
    made.mask = mask_;
    made.latitude = cut_->value() * kDegree;
    if (apodize_->isEnabled()) made.apodize = apodize_->value() * kDegree / kApodizeSteps;
    const auto set = [&](const char* name, const QString& text) {
        made.options.emplace_back(name, text.toStdString());
    };
    if (lmax_->value() > lmax_->minimum()) set("lmax", QString::number(lmax_->value()));
    if (remove_->currentIndex() > 0) set("remove", remove_->currentData().toString());
    const QString bins = bins_->currentData().toString();
    const bool areBands = !bins.isEmpty() || decouple_->isChecked();
    if (!bins.isEmpty()) set("bins", bins);
    if (decouple_->isChecked()) set("decouple", QStringLiteral("true"));
    if (areBands && band_->isChecked()) set("bin-as", QStringLiteral("dl"));
    if (beam_->hasAcceptableInput() && beam_->text().toDouble() > 0.0)
        set("fwhm", beam_->text() + QStringLiteral("arcmin"));
    if (errors_->isEnabled() && errors_->currentIndex() > 0)
        set("errors", errors_->currentData().toString());
    if (divide_->isEnabled() && divide_->isChecked()) set("divide", QStringLiteral("w2"));
    return made;
}

// Texts of the sliders; controls without effect are disabled.
void SpectrumPanel::showSettings() {
    cutText_->setText(cut_->value() == 0 ? tr("no cut") : tr("|b| > %1°").arg(cut_->value()));
    apodize_->setEnabled(mask_ >= 0 || cut_->value() > 0);
    const double angle = static_cast<double>(apodize_->value()) / kApodizeSteps;
    apodizeText_->setText(angle == 0.0 ? tr("none") : tr("%1°").arg(angle, 0, 'g', 3));
    errors_->setEnabled(decouple_->isChecked() || !bins_->currentData().toString().isEmpty());
    divide_->setEnabled(!decouple_->isChecked());
}

void SpectrumPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    scheduleRequest();
}

void SpectrumPanel::setMaskEntry(int entry) {
    if (mask_ == entry) return;
    mask_ = entry;
    fillMasks();
    showSettings();
    emit maskEntryChanged(entry);
    scheduleRequest();
}

// If a live result is in the picture, the first spectrum is that of its source map.
Shown SpectrumPanel::wanted() const {
    const Document& document = session_.document();
    Shown shown = document.shown();
    const Layer* live = document.live();
    if (live && shown.entry == live->id)
        shown = {live->parent, live->recipe.field, Quantity::Field};
    // Spectra are computed for fields only; amplitude and angle are no fields on the sphere.
    shown.quantity = Quantity::Field;
    return shown;
}

void SpectrumPanel::scheduleRequest() {
    if (isVisible()) timer_.start();
}

// A hidden panel makes no requests.
void SpectrumPanel::request() {
    if (!isVisible()) return;
    const Document& document = session_.document();
    const Shown shown = wanted();
    const Layer* entry = document.entry(shown.entry);
    if (!entry || !entry->map) {
        of_.reset();
        live_.reset();
        showCurves();
        return;
    }
    const SpectrumSettings settings = this->settings();
    const Layer* mask = document.entry(settings.mask);
    const uint64_t maskRevision = mask ? mask->revision : 0;
    const bool isSameMap = asked_ == shown && askedRevision_ == entry->revision;
    const bool same = isSameMap && askedSettings_ == settings && askedMaskRevision_ == maskRevision;
    if (!same) {
        asked_ = shown;
        askedRevision_ = entry->revision;
        askedSettings_ = settings;
        askedMaskRevision_ = maskRevision;
        askedLive_ = 0;
        // Other settings leave the curve until the next one replaces it.
        if (!isSameMap) of_.reset();
        live_.reset();
        isWaiting_ = true;
        showCurves();
        session_.spectrum().request(shown, settings);
    } else {
        tellStatus();
    }
    const Layer* live = document.live();
    if (!live) {
        if (live_) {
            live_.reset();
            showCurves();
        }
        askedLive_ = 0;
    } else if (of_ && !of_->preview && !isWaiting_ && live->revision != askedLive_ &&
               live->map->elementCount() > 0) {
        // Until the slider rests, a live map on a device has no values on the host. One spectrum at
        // a time: the session drops a running one for a newer request.
        askedLive_ = live->revision;
        session_.spectrum().request({live->id, 0, Quantity::Field}, settings);
    }
}

void SpectrumPanel::take(const SpectrumResult& result) {
    const Layer* live = session_.document().live();
    if (live && result.of.entry == live->id) {
        live_ = result;
    } else if (result.of == asked_) {
        of_ = result;
        isWaiting_ = false;
    } else {
        return;  // for a map that is no longer shown
    }
    showCurves();
}

void SpectrumPanel::showCurves() {
    std::vector<SpectrumCurve> curves;
    if (of_) curves.push_back(curveOf(tr("map"), *of_));
    if (of_ && live_) curves.push_back(curveOf(tr("smoothed"), *live_));
    plot_->setCurves(curves, of_ ? of_->unit : QString());
    export_->setEnabled(of_.has_value() && !isWaiting_);
    copy_->setEnabled(of_.has_value() && !of_->preview && !isWaiting_);
    tellStatus();
}

// Names the field of the spectrum if the shown quantity is no field.
void SpectrumPanel::tellStatus() {
    QStringList parts;
    if (mask_ >= 0 || askedSettings_.latitude > 0.0) parts << tr("outside mask");
    if (of_ && of_->skyShare < 1.0)
        parts << tr("%1 % of the sky").arg(100.0 * of_->skyShare, 0, 'f', 1);
    for (const auto& [name, value] : askedSettings_.options) {
        if (name == "divide") parts << tr("÷ w²");
        if (name == "decouple") parts << tr("decoupled");
    }
    if (parts.isEmpty()) parts << tr("whole sky");
    QString where = parts.join(QStringLiteral(" · "));
    const Document& document = session_.document();
    const Layer* entry = of_ ? document.entry(of_->of.entry) : nullptr;
    if (entry && entry->map && of_->of.field < entry->map->fieldCount() &&
        document.shown().quantity != Quantity::Field)
        where = tr("of %1 · %2")
                    .arg(QString::fromStdString(entry->map->field(of_->of.field).name), where);
    if (of_ && of_->preview) where += tr(" · preview");
    emit statusChanged(where);
}

void SpectrumPanel::fillMasks() {
    const QSignalBlocker quiet(maskChoice_);
    Items items{{tr("no mask"), -1}};
    for (const Layer& entry : session_.document().entries())
        if (!entry.live && entry.map) items.emplace_back(entry.name, entry.id);
    setItems(*maskChoice_, items);
    const int index = maskChoice_->findData(mask_);
    maskChoice_->setCurrentIndex(std::max(0, index));
    if (index < 0) setMaskEntry(-1);
}

}  // namespace armilla

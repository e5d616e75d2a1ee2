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
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

#include "armilla/core/units.h"
#include "armilla/session/tool_settings.h"
#include "panels/item_list.h"
#include "panels/mask_items.h"
#include "panels/small_widgets.h"
#include "panels/spectrum_reference.h"
#include "panels/tool_footer.h"

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

}  // namespace

SpectrumPanel::SpectrumPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      plot_(new SpectrumPlot(this)),
      maskChoice_(new NameChoice(this)),
      logL_(flatToggle(tr("log ℓ"), tr("Logarithmic axis of multipoles"), this)),
      logC_(flatToggle(tr("log C"), tr("Logarithmic axis of power"), this)),
      band_(flatToggle(tr("ℓ(ℓ+1)/2π"), tr("Power in each logarithmic band instead of Cₗ"), this)),
      reference_(new SpectrumReference(session, this)),
      otherSpectrum_(
          session.document(), session.jobs(), [&session] { return session.device(); },
          QStringLiteral("spectrum-compared")) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 10);
    layout->setSpacing(6);
    layout->addWidget(plot_, 1);
    buildTools(layout);
    maskChoice_->setAccessibleName(tr("Mask of the spectrum"));
    maskChoice_->setToolTip(
        tr("Field of a map that weighs the pixels, 0 to 1: zeros are left out"));
    maskChoice_->setMinimumContentsLength(4);
    maskChoice_->setMinimumWidth(50);
    maskChoice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    maskChoice_->view()->setMinimumWidth(180);
    remark_ = mutedLabel({}, this);
    remark_->setWordWrap(true);
    remark_->setAccessibleName(tr("About the theory"));
    remark_->hide();
    layout->addWidget(remark_);
    QWidget* controls = buildControls();
    layout->addWidget(controls);
    layout->addWidget(reference_);
    layout->addWidget(buildAdvanced());
    buildFooter(layout);
    // The names of both groups of rows end at one place.
    const int names = fontMetrics().horizontalAdvance(tr("Compare with"));
    for (QWidget* part : {controls, static_cast<QWidget*>(reference_)})
        static_cast<QGridLayout*>(part->layout())->setColumnMinimumWidth(0, names);
    connectControls();
    arrangeFocus();

    timer_.setSingleShot(true);
    timer_.setInterval(kRestMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &SpectrumPanel::request);
    connect(&session_.document().view(), &DocumentView::shownChanged, this,
            &SpectrumPanel::scheduleRequest);
    connect(&session_.document(), &Document::entriesChanged, this, [this] {
        settings_->follow([this] { fillMasks(); });
        scheduleRequest();
    });
    connect(&session_.spectrum(), &LiveSpectrum::ready, this, &SpectrumPanel::take);
    connect(&session_.spectrum(), &LiveSpectrum::choicesRestored, this,
            &SpectrumPanel::restoreChoices);
    connect(&otherSpectrum_, &LiveSpectrum::ready, this, [this](const SpectrumResult& result) {
        if (result.of != askedOther_) return;
        other_ = result;
        showCurves();
    });
    connect(&otherSpectrum_, &LiveSpectrum::failed, this, [this](int, const QString& line) {
        otherFailure_ = line;
        showCurves();
    });
    connect(maskChoice_, &QComboBox::activated, this, [this](int index) {
        const QVariantList chosen = maskChoice_->itemData(index).toList();
        setMask(chosen[0].value<LayerId>(), chosen[1].toInt());
        settings_->note(tr("mask"));
    });
    connect(export_, &QPushButton::clicked, this, [this] {
        if (of_) emit exportRequested(*of_);
    });
    connect(copy_, &QPushButton::clicked, this, [this] {
        if (of_) emit commandRequested(*of_);
    });
    fillMasks();
    fillSpectra();
    showSettings();
    buildSettings();
}

// Axes, in one row below the plot.
void SpectrumPanel::buildTools(QVBoxLayout* layout) {
    auto* tools = new QHBoxLayout;
    tools->setSpacing(3);
    for (QToolButton* button : {logL_, logC_, band_}) {
        button->setChecked(true);
        button->setProperty("close", true);
        tools->addWidget(button);
        connect(button, &QToolButton::toggled, this, [this] {
            showCurves();
            keepChoices();
        });
    }
    connect(band_, &QToolButton::toggled, this, &SpectrumPanel::scheduleRequest);
    tools->addStretch(1);
    layout->addLayout(tools);
}

void SpectrumPanel::buildFooter(QVBoxLayout* layout) {
    auto* footer = new ToolFooter(this);
    layout->addWidget(footer);
    export_ = footer->add(tr("Export…"), QStringLiteral("export"),
                          tr("Write the spectrum as FITS, text or a table…"));
    reset_ = footer->addReset();
    copy_ = footer->add(tr("Copy command"), QStringLiteral("copy"),
                        tr("Copy the armilla command that makes this spectrum"));
    for (QPushButton* button : {export_, reset_, copy_}) button->setEnabled(false);
    connect(reset_, &QPushButton::clicked, this, [this] { settings_->reset(); });
}

void SpectrumPanel::arrangeFocus() {
    std::vector<QWidget*> order{logL_, logC_,    band_,   spectrum_, maskChoice_,
                                cut_,  apodize_, remove_, bins_,     decouple_};
    for (QWidget* control : reference_->controls()) order.push_back(control);
    for (QWidget* control : std::initializer_list<QWidget*>{
             beam_, errors_, lmax_, purify_, crosses_, divide_, export_, reset_, copy_})
        order.push_back(control);
    for (size_t i = 1; i < order.size(); ++i) setTabOrder(order[i - 1], order[i]);
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
    const auto choice = [&](const QString& name, const QString& tip) {
        auto* box = new QComboBox(part);
        box->setAccessibleName(name);
        box->setToolTip(tip);
        box->setMinimumWidth(kLeastChoice);
        return box;
    };
    spectrum_ = choice(tr("Spectrum"),
                       tr("Temperature, E modes, B modes, or the cross spectrum of two of them"));
    spectrumName_ = mutedLabel(tr("Spectrum"), part);
    grid->addWidget(spectrumName_, 0, 0);
    grid->addWidget(spectrum_, 0, 1, 1, 2);
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
    row(tr("Cut plane"), cut_, cutText_);
    row(tr("Apodize"), apodize_, apodizeText_);
    remove_ = choice(tr("Remove"), tr("Fitted outside the mask and subtracted from the map"));
    remove_->addItem(tr("Nothing"), QStringLiteral("none"));
    remove_->addItem(tr("Monopole"), QStringLiteral("monopole"));
    remove_->addItem(tr("Monopole and dipole"), QStringLiteral("dipole"));
    row(tr("Remove"), remove_);
    bins_ = choice(tr("Bins"), tr("Multipoles in a bin, from ℓ = 2 on"));
    bins_->addItem(tr("Every ℓ"), QString());
    for (const int width : {5, 10, 20, 30, 50, 100})
        bins_->addItem(tr("%1 ℓ").arg(width), QString::number(width));
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
    auto* fold = foldButton(tr("Advanced"),
                            tr("Beam, errors, largest multipole, B modes, sky fraction"), part);
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
        tr("Errors of band powers with cosmic variance: by the number of modes, or by the "
           "Gaussian covariance with the mask's coupling"));
    errors_->addItem(tr("None"), QStringLiteral("none"));
    errors_->addItem(tr("Number of modes (Knox)"), QStringLiteral("knox"));
    errors_->addItem(tr("Gaussian covariance"), QStringLiteral("gaussian"));
    errors_->setMinimumWidth(kLeastChoice);
    lmax_ = new QSpinBox(advanced_);
    // The least band limit of a spectrum with a bin; the most of `anafast`.
    lmax_->setRange(1, 32768);
    lmax_->setSpecialValueText(tr("3 nside − 1"));
    lmax_->setAccessibleName(tr("Largest multipole"));
    lmax_->setWhatsThis(tr("The spectrum is computed up to this multipole."));
    lmax_->setKeyboardTracking(false);
    divide_ = new QCheckBox(tr("Scale to the whole sky"), advanced_);
    divide_->setToolTip(
        tr("Divide by the mean of the squared weights of the mask, where the spectrum is not "
           "decoupled"));
    purify_ = new QComboBox(advanced_);
    purify_->setAccessibleName(tr("Purify"));
    purify_->setMinimumWidth(kLeastChoice);
    purify_->setToolTip(
        tr("Remove the modes that an apodized mask mixes between E and B, so that E does not leak "
           "into B"));
    purify_->addItem(tr("Nothing"), QStringLiteral("none"));
    purify_->addItem(tr("B modes"), QStringLiteral("b"));
    purify_->addItem(tr("E and B modes"), QStringLiteral("both"));
    crosses_ = new QCheckBox(tr("Offer TB and EB"), advanced_);
    crosses_->setToolTip(
        tr("Cross spectra that vanish unless parity is broken or the polarization is rotated"));
    const auto row = [&](const QString& name, QWidget* control, QWidget* unit = nullptr) {
        const int at = grid->rowCount();
        grid->addWidget(mutedLabel(name, advanced_), at, 0);
        grid->addWidget(control, at, 1);
        if (unit) grid->addWidget(unit, at, 2);
    };
    row(tr("Beam FWHM"), beam_, mutedLabel(tr("arcmin"), advanced_));
    row(tr("Errors"), errors_);
    row(tr("Largest ℓ"), lmax_);
    row(tr("Purify"), purify_);
    grid->addWidget(crosses_, grid->rowCount(), 0, 1, 3);
    grid->addWidget(divide_, grid->rowCount(), 0, 1, 3);
    advanced_->hide();
    connect(fold, &QToolButton::toggled, advanced_, &QWidget::setVisible);
    return part;
}

// After all controls exist: filling a choice changes its index.
void SpectrumPanel::connectControls() {
    const auto follow = [this] {
        showSettings();
        keepChoices();
        scheduleRequest();
    };
    for (QSlider* slider : {cut_, apodize_}) connect(slider, &QSlider::valueChanged, this, follow);
    for (QComboBox* box : {remove_, bins_, errors_, purify_})
        connect(box, &QComboBox::currentIndexChanged, this, follow);
    for (QCheckBox* box : {decouple_, divide_}) connect(box, &QCheckBox::toggled, this, follow);
    connect(beam_, &QLineEdit::editingFinished, this, follow);
    connect(lmax_, &QSpinBox::valueChanged, this, follow);
    connect(spectrum_, &QComboBox::currentIndexChanged, this, [this, follow] {
        showCurves();
        follow();
    });
    connect(crosses_, &QCheckBox::toggled, this, [this] {
        fillSpectra();
        keepChoices();
    });
    connect(reference_, &SpectrumReference::changed, this, [this] {
        keepChoices();
        showCurves();
        scheduleRequest();
    });
}

SpectrumKind SpectrumPanel::kind() const {
    return spectrum_->isHidden() ? SpectrumKind::TT
                                 : static_cast<SpectrumKind>(spectrum_->currentData().toInt());
}

SpectrumSettings SpectrumPanel::settings() const {
    SpectrumSettings made;
    made.mask = mask_;
    made.maskField = maskField_;
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
    if (kind() != SpectrumKind::TT) {
        set("polarization", QStringLiteral("true"));
        if (purify_->isEnabled() && purify_->currentIndex() > 0)
            set("purify", purify_->currentData().toString());
    }
    return made;
}

// Texts of the sliders; controls without effect are disabled.
void SpectrumPanel::showSettings() {
    cutText_->setText(cut_->value() == 0 ? tr("no cut") : tr("|b| > %1°").arg(cut_->value()));
    apodize_->setEnabled(mask_.isValid() || cut_->value() > 0);
    const double angle = static_cast<double>(apodize_->value()) / kApodizeSteps;
    apodizeText_->setText(angle == 0.0 ? tr("none") : tr("%1°").arg(angle, 0, 'g', 3));
    errors_->setEnabled(decouple_->isChecked() || !bins_->currentData().toString().isEmpty());
    divide_->setEnabled(!decouple_->isChecked());
    const bool isMasked = mask_.isValid() || cut_->value() > 0;
    purify_->setEnabled(kind() != SpectrumKind::TT && isMasked);
}

void SpectrumPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    scheduleRequest();
}

// The field that is looked at; else the first one.
void SpectrumPanel::setMaskEntry(LayerId entry) {
    const Shown shown = session_.document().view().shown();
    setMask(entry, shown.entry == entry && entry.isValid() ? shown.field : 0);
    settings_->note(tr("mask"));
}

void SpectrumPanel::setMask(LayerId entry, int field) {
    if (mask_ == entry && maskField_ == field) return;
    mask_ = entry;
    maskField_ = field;
    fillMasks();
    showSettings();
    keepChoices();
    emit maskEntryChanged(entry);
    scheduleRequest();
}

// If a live result is in the picture, the first spectrum is that of its source map.
Shown SpectrumPanel::wanted() const {
    const Document& document = session_.document();
    Shown shown = document.view().shown();
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
    reference_->setShown(shown.entry);
    fillSpectra();
    if (!entry || !entry->map) {
        of_.reset();
        live_.reset();
        other_.reset();
        asked_ = askedOther_ = {};
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
        askedOther_ = {};
        session_.spectrum().request(shown, settings);
    } else {
        tellStatus();
    }
    requestOther(shown);
    const Layer* live = document.live();
    if (!live) {
        if (live_) {
            live_.reset();
            showCurves();
        }
        askedLive_ = 0;
    } else if (of_ && !of_->preview && !isWaiting_ && live->revision != askedLive_ &&
               live->map->elementCount() > 0 &&
               (!settings.isPolarized() || live->map->polarizationFields())) {
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

// The other map's spectrum has the same settings and the field of the same name.
void SpectrumPanel::requestOther(const Shown& shown) {
    const Layer* layer = reference_->other();
    if (!layer || !layer->map) {
        askedOther_ = {};
        if (other_ || !otherFailure_.isEmpty()) {
            other_.reset();
            otherFailure_.clear();
            showCurves();
        }
        return;
    }
    Shown other = session_.document().liveLayer().counterpart(shown, layer->id, *layer->map);
    other.quantity = Quantity::Field;
    if (askedOther_ == other && askedOtherRevision_ == layer->revision) return;
    if (askedOther_.entry != other.entry) other_.reset();
    askedOther_ = other;
    askedOtherRevision_ = layer->revision;
    otherFailure_.clear();
    otherSpectrum_.request(other, askedSettings_);
}

void SpectrumPanel::fillMasks() {
    const QSignalBlocker quiet(maskChoice_);
    setItems(*maskChoice_, maskItems(session_.document(), mask_, maskField_));
    const int index = maskChoice_->findData(maskItem(mask_, maskField_));
    maskChoice_->setCurrentIndex(std::max(0, index));
    // The mask of a session that is being read comes later.
    const Document& document = session_.document();
    const bool isComing =
        std::any_of(document.recovery().awaited().begin(), document.recovery().awaited().end(),
                    [this](const AwaitedLayer& layer) { return layer.id == mask_; });
    if (index < 0 && !isComing) setMask({}, 0);
}

// The spectra of the shown map: a choice only with Q and U.
void SpectrumPanel::fillSpectra() {
    const Layer* entry = session_.document().entry(wanted().entry);
    const bool isPolarized = entry && entry->map && entry->map->polarizationFields();
    Items items{{tr("TT: temperature"), static_cast<int>(SpectrumKind::TT)},
                {tr("EE: E modes"), static_cast<int>(SpectrumKind::EE)},
                {tr("BB: B modes"), static_cast<int>(SpectrumKind::BB)},
                {tr("TE: T with E"), static_cast<int>(SpectrumKind::TE)}};
    const int current = spectrum_->count() > 0 ? spectrum_->currentData().toInt() : 0;
    if (crosses_->isChecked() || current > static_cast<int>(SpectrumKind::TE)) {
        items.emplace_back(tr("TB: T with B"), static_cast<int>(SpectrumKind::TB));
        items.emplace_back(tr("EB: E with B"), static_cast<int>(SpectrumKind::EB));
    }
    const QSignalBlocker quiet(spectrum_);
    setItems(*spectrum_, items);
    spectrumName_->setVisible(isPolarized);
    spectrum_->setVisible(isPolarized);
    showSettings();
}

}  // namespace armilla

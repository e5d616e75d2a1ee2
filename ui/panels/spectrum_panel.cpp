// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/spectrum_panel.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <iterator>

#include "armilla/ui/icons.h"
#include "panels/item_list.h"
#include "panels/small_widgets.h"
#include "plots/spectrum_plot.h"

namespace armilla {
namespace {

// Delay of the request after the last movement of the slider.
constexpr int kRestMilliseconds = 250;

}  // namespace

SpectrumPanel::SpectrumPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      plot_(new SpectrumPlot(this)),
      maskChoice_(new NameChoice(this)),
      logL_(flatToggle(tr("log ℓ"), tr("Logarithmic axis of multipoles"), this)),
      logC_(flatToggle(tr("log C"), tr("Logarithmic axis of power"), this)),
      band_(flatToggle(tr("ℓ(ℓ+1)/2π"), tr("Power in each logarithmic band instead of Cₗ"), this)),
      divide_(flatToggle(tr("÷ w²"),
                         tr("Divide by the mean of the squared weights of the mask: "
                            "the level of the whole sky. Off: as the command writes it"),
                         this)),
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
    divide_->setProperty("close", true);
    connect(divide_, &QToolButton::toggled, this, &SpectrumPanel::scheduleRequest);
    tools->addStretch(1);
    tools->addWidget(copy_);
    tools->addWidget(export_);
    layout->addLayout(tools);
    auto* masks = new QHBoxLayout;
    masks->setSpacing(3);
    masks->addWidget(maskChoice_, 1);
    masks->addWidget(divide_);
    layout->addLayout(masks);
    QWidget* const order[] = {logL_, logC_, band_, copy_, export_, maskChoice_, divide_};
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
    connect(&session_, &Session::spectrumReady, this, &SpectrumPanel::take);
    connect(maskChoice_, &QComboBox::activated, this,
            [this](int index) { setMaskEntry(maskChoice_->itemData(index).toInt()); });
    connect(export_, &QToolButton::clicked, this, [this] {
        if (of_) emit exportRequested(*of_);
    });
    connect(copy_, &QToolButton::clicked, this, [this] {
        if (of_) emit commandRequested(*of_);
    });
    fillMasks();
}

void SpectrumPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    scheduleRequest();
}

void SpectrumPanel::setMaskEntry(int entry) {
    if (mask_ == entry) return;
    mask_ = entry;
    fillMasks();
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
    const bool divides = divide_->isChecked();
    const auto divisor = divides ? SpectrumDivisor::MeanSquare : SpectrumDivisor::None;
    const bool same = asked_ == shown && askedRevision_ == entry->revision && askedMask_ == mask_ &&
                      askedDivided_ == divides;
    if (!same) {
        asked_ = shown;
        askedRevision_ = entry->revision;
        askedMask_ = mask_;
        askedDivided_ = divides;
        askedLive_ = 0;
        of_.reset();
        live_.reset();
        showCurves();
        session_.computeSpectrum(shown, -1, mask_, divisor);
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
    } else if (of_ && !of_->preview && live->revision != askedLive_ &&
               live->map->elementCount() > 0) {
        // Until the slider rests, a live map on a device has no values on the host. One spectrum at
        // a time: the session drops a running one for a newer request.
        askedLive_ = live->revision;
        session_.computeSpectrum({live->id, 0, Quantity::Field}, -1, mask_, divisor);
    }
}

void SpectrumPanel::take(const SpectrumResult& result) {
    const Layer* live = session_.document().live();
    if (live && result.of.entry == live->id)
        live_ = result;
    else if (result.of == asked_)
        of_ = result;
    else
        return;  // for a map that is no longer shown
    showCurves();
}

void SpectrumPanel::showCurves() {
    std::vector<SpectrumCurve> curves;
    if (of_) curves.push_back({tr("map"), of_->cl});
    if (of_ && live_) curves.push_back({tr("smoothed"), live_->cl});
    plot_->setCurves(curves, of_ ? of_->unit : QString());
    export_->setEnabled(of_.has_value());
    copy_->setEnabled(of_.has_value() && !of_->preview);
    tellStatus();
}

// Names the field of the spectrum if the shown quantity is no field.
void SpectrumPanel::tellStatus() {
    QStringList parts;
    if (mask_ >= 0) parts << tr("outside mask");
    if (of_ && of_->skyShare < 1.0)
        parts << tr("%1 % of the sky").arg(100.0 * of_->skyShare, 0, 'f', 1);
    if (askedDivided_) parts << tr("÷ w²");
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

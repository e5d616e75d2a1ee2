// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of the Spectrum tool: kept in session files, and with undo and Reset.
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "armilla/session/tool_settings.h"
#include "panels/spectrum_panel.h"
#include "panels/spectrum_reference.h"

namespace armilla {

// The keys are those of session files.
void SpectrumPanel::buildSettings() {
    controls_ = {{QStringLiteral("crosses"), crosses_},   {QStringLiteral("cut"), cut_},
                 {QStringLiteral("apodize"), apodize_},   {QStringLiteral("spectrum"), spectrum_},
                 {QStringLiteral("remove"), remove_},     {QStringLiteral("bins"), bins_},
                 {QStringLiteral("errors"), errors_},     {QStringLiteral("purify"), purify_},
                 {QStringLiteral("decouple"), decouple_}, {QStringLiteral("divide"), divide_},
                 {QStringLiteral("logL"), logL_},         {QStringLiteral("logC"), logC_},
                 {QStringLiteral("dl"), band_},           {QStringLiteral("beam"), beam_},
                 {QStringLiteral("lmax"), lmax_}};
    settings_ = new ToolSettings(*session_.document().history().stack(), tr("Spectrum"),
                                 {[this] { return choices(); },
                                  [this](const QJsonObject& values) {
                                      showChoices(values);
                                      keepChoices();
                                  }},
                                 this);
    noteChanges(controls_, settings_);
    for (QWidget* control : reference_->controls())
        connect(static_cast<QComboBox*>(control), &QComboBox::activated, settings_,
                [this, what = control->accessibleName()] { settings_->note(what); });
}

QJsonObject SpectrumPanel::choices() const {
    QJsonObject all = reference_->choices();
    all["mask"] = mask_.number();
    all["maskField"] = maskField_;
    const QJsonObject values = valuesOf(controls_);
    for (auto each = values.begin(); each != values.end(); ++each) all[each.key()] = each.value();
    return all;
}

void SpectrumPanel::keepChoices() {
    if (isRestoring_) return;
    session_.spectrum().setChoices(choices());
    reset_->setEnabled(!settings_->isAtStart());
}

void SpectrumPanel::restoreChoices() {
    const QJsonObject kept = session_.spectrum().choices();
    if (!kept.isEmpty()) settings_->follow([&] { showChoices(kept); });
    reset_->setEnabled(!settings_->isAtStart());
}

// Values that a control does not have leave it as it is.
void SpectrumPanel::showChoices(const QJsonObject& chosen) {
    isRestoring_ = true;
    if (chosen.contains("mask")) mask_ = LayerId(chosen["mask"].toInt(-1));
    if (chosen.contains("maskField")) maskField_ = chosen["maskField"].toInt(0);
    if (chosen.contains("crosses")) crosses_->setChecked(chosen["crosses"].toBool());
    fillMasks();
    fillSpectra();
    setValues(controls_, chosen);
    if (!beam_->hasAcceptableInput()) beam_->clear();
    QJsonObject reference = reference_->choices();
    for (const QString& key : reference.keys())
        if (chosen.contains(key)) reference[key] = chosen[key];
    reference_->restore(reference);
    isRestoring_ = false;
    emit maskEntryChanged(mask_);
    showSettings();
    scheduleRequest();
}

}  // namespace armilla

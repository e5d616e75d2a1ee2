// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>

#include "armilla/ops/device.h"

namespace armilla {

SettingsDialog::SettingsDialog(const AppSettings& settings, QWidget* parent)
    : QDialog(parent),
      theme_(new QComboBox(this)),
      draw_(new QComboBox(this)),
      device_(new QComboBox(this)),
      threads_(new QSpinBox(this)),
      interop_(new QCheckBox(tr("connect at the &start"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Settings"));
    theme_->addItems({tr("as the system"), tr("dark"), tr("light")});
    theme_->setCurrentIndex(static_cast<int>(settings.theme));
    theme_->setToolTip(tr("Colors of all windows; figures do not depend on them"));
    draw_->addItems({tr("automatic"), tr("OpenGL"), tr("CUDA"), tr("CPU")});
    draw_->setCurrentIndex(static_cast<int>(settings.draw));
    draw_->setToolTip(tr("How the picture is made; automatic takes the fastest that works here"));
    device_->addItem(tr("automatic"), QStringLiteral("auto"));
    for (const Device& device : Device::available())
        device_->addItem(QStringLiteral("%1 · %2").arg(QString::fromStdString(device.label()),
                                                       QString::fromStdString(device.name)),
                         QString::fromStdString(device.label()));
    device_->setCurrentIndex(std::max(0, device_->findData(settings.device)));
    device_->setToolTip(tr("What the program computes on"));
    threads_->setRange(0, 1024);
    threads_->setSpecialValueText(tr("all %1").arg(QThread::idealThreadCount()));
    threads_->setValue(settings.threads);
    threads_->setToolTip(tr("CPU threads of each job that starts from now on"));

    interop_->setChecked(settings.interop);
    interop_->setToolTip(tr("By SAMP, where a hub runs; windows that are opened from now on"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->addRow(tr("&Theme"), theme_);
    form->addRow(tr("&Draw with"), draw_);
    form->addRow(tr("&Compute on"), device_);
    form->addRow(tr("T&hreads"), threads_);
    form->addRow(tr("Other programs"), interop_);
    layout->addLayout(form);
    for (const std::string& line : Device::unusable()) {
        auto* why = new QLabel(QString::fromStdString(line), this);
        why->setProperty("role", "muted");
        why->setWordWrap(true);
        layout->addWidget(why);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    layout->addWidget(buttons);
    setMinimumWidth(380);
    const auto tell = [this] { emit settingsChanged(this->settings()); };
    for (QComboBox* box : {theme_, draw_, device_}) connect(box, &QComboBox::activated, this, tell);
    connect(threads_, &QSpinBox::valueChanged, this, tell);
    connect(interop_, &QCheckBox::toggled, this, tell);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
}

AppSettings SettingsDialog::settings() const {
    AppSettings result;
    result.theme = static_cast<ThemeKind>(theme_->currentIndex());
    result.draw = static_cast<DrawChoice>(draw_->currentIndex());
    result.device = device_->currentData().toString();
    result.threads = threads_->value();
    result.interop = interop_->isChecked();
    return result;
}

}  // namespace armilla

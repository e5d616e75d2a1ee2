// SPDX-License-Identifier: GPL-3.0-or-later
// Theme, drawing method, device, threads, other programs. Not modal; every change applies at once.
#pragma once

#include <QDialog>

#include "armilla/ui/app_settings.h"

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace armilla {

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    SettingsDialog(const AppSettings& settings, QWidget* parent);
    AppSettings settings() const;

signals:
    void settingsChanged(const armilla::AppSettings& settings);

private:
    QComboBox *theme_, *draw_, *device_;
    QSpinBox* threads_;
    QCheckBox* interop_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_dialogs.h"

#include <QWidget>

#include "armilla/ui/app_settings.h"
#include "dialogs/help_dialogs.h"
#include "dialogs/settings_dialog.h"

namespace armilla {

namespace {

void bringUp(QWidget& dialog) {
    dialog.show();
    dialog.raise();
}

}  // namespace

WindowDialogs::WindowDialogs(QWidget& window) : QObject(&window), window_(window) {}

void WindowDialogs::showSettings() {
    if (!settings_) {
        auto* dialog = new SettingsDialog(AppSettings::load(), &window_);
        connect(dialog, &SettingsDialog::settingsChanged, this,
                [this](const AppSettings& settings) {
                    settings.save();
                    emit settingsChanged(settings);
                });
        settings_ = dialog;
    }
    bringUp(*settings_);
}

void WindowDialogs::showGuide() {
    if (!guide_) guide_ = new GuideDialog(&window_);
    bringUp(*guide_);
}

void WindowDialogs::showGuideAt(const QString& heading) {
    showManualAt(GuideDialog::placeOfSection(heading));
}

void WindowDialogs::showManualAt(const QString& place) {
    if (guide_)
        guide_->showPlace(place);
    else
        guide_ = new GuideDialog(&window_, place);
    bringUp(*guide_);
}

void WindowDialogs::showShortcuts(const QList<QAction*>& commands) {
    if (!shortcuts_) shortcuts_ = new ShortcutsDialog(commands, &window_);
    bringUp(*shortcuts_);
}

void WindowDialogs::showAbout() {
    if (!about_) about_ = new AboutDialog(&window_);
    bringUp(*about_);
}

}  // namespace armilla

#include "window/moc_window_dialogs.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs of a window that open once and stay: settings, the manual, keys, about.
#pragma once

#include <QAction>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

namespace armilla {

class GuideDialog;
struct AppSettings;

class WindowDialogs : public QObject {
    Q_OBJECT
public:
    // `window` is the parent of the dialogs.
    explicit WindowDialogs(QWidget& window);

    void showSettings();
    void showGuide();
    // The guide at the section of this heading.
    void showGuideAt(const QString& heading);
    // The manual at a page or a section, such as "formats.md" or "guide.md#open".
    void showManualAt(const QString& place);
    // The keys of these commands.
    void showShortcuts(const QList<QAction*>& commands);
    void showAbout();

signals:
    // Values of the settings dialog, which are already stored.
    void settingsChanged(const armilla::AppSettings& settings);

private:
    QWidget& window_;
    QPointer<GuideDialog> guide_;
    QPointer<QWidget> settings_, shortcuts_, about_;
};

}  // namespace armilla

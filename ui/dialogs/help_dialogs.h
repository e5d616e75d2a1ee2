// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Guide, Shortcuts and About. Not modal.
#pragma once

#include <QDialog>
#include <QStringList>

class QAction;
class QTextBrowser;

namespace armilla {

// All shortcuts of the actions given, and what hand and keys do in the sky view.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent);
};

// The guide, with the pictures that the build made where the program finds them.
class GuideDialog : public QDialog {
    Q_OBJECT
public:
    explicit GuideDialog(QWidget* parent);
    // Its text; pictures that are not there are left out.
    static QString text(const QStringList& pictureFolders);
    // Scrolls to the section of this heading.
    void showSection(const QString& heading);

private:
    QTextBrowser* view_;
};

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent);
};

}  // namespace armilla

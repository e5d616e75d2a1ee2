// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Guide, Shortcuts and About. Not modal.
#pragma once

#include <QDialog>
#include <QStringList>

class QAction;
class QTextBrowser;

namespace armilla {

// All shortcuts of the given actions, and the pointer and key controls of the sky view.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent);
};

// The user guide, with pictures made by the build if the program finds these.
class GuideDialog : public QDialog {
    Q_OBJECT
public:
    explicit GuideDialog(QWidget* parent);
    // Text of the guide; missing pictures are left out.
    static QString text(const QStringList& pictureFolders);
    // Headings of the sections, in order.
    static QStringList headings();
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Help > Manual, Shortcuts and About. Not modal.
#pragma once

#include <QDialog>
#include <QStringList>

class QAction;
class QTextBrowser;
class QToolButton;
class QUrl;

namespace armilla {

// All shortcuts of the given actions, and the pointer and key controls of the sky view.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent);
};

// The manual, with pictures made by the build if the program finds these.
class GuideDialog : public QDialog {
    Q_OBJECT
public:
    // Opens at a page or a section; none: the guide.
    explicit GuideDialog(QWidget* parent, const QString& place = {});
    // Text of the guide; missing pictures are left out.
    static QString text(const QStringList& pictureFolders);
    // Shows a page or a section: "formats.md", "guide.md#open". Ignores an unknown page.
    void showPlace(const QString& place);
    // The section of the guide with this heading.
    static QString placeOfSection(const QString& heading);
    QString page() const { return page_; }

private:
    void follow(const QUrl& link);

    QTextBrowser* view_;
    QToolButton* back_ = nullptr;
    QString page_;
    QStringList before_;  // places that were shown, the present one last
};

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent);
};

}  // namespace armilla

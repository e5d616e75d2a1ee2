// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a layer's file, for reading, searching and copying.
#pragma once

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;

namespace armilla {

class HeaderDialog : public QDialog {
    Q_OBJECT
public:
    HeaderDialog(const QString& title, const QString& cards, QWidget* parent);
    // The visible lines: those that contain the search words.
    QString shownText() const;
    QLineEdit* search() const { return search_; }

private:
    void filter();
    QString cards_;
    QLineEdit* search_;
    QPlainTextEdit* text_;
};

}  // namespace armilla

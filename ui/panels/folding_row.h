// SPDX-License-Identifier: GPL-3.0-or-later
// A row of buttons that shows icons if the texts do not fit.
#pragma once

#include <QIcon>
#include <QPushButton>
#include <QWidget>
#include <vector>

namespace armilla {

class FoldingRow : public QWidget {
public:
    // `label` precedes the buttons, which are then at the right.
    FoldingRow(QWidget* label, QWidget* parent);
    void add(QPushButton* button, const QString& icon);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Entry {
        QPushButton* button;
        QString text;
        QIcon icon;
    };
    QSize hint(bool folded) const;
    void fit();

    QWidget* label_;
    std::vector<Entry> entries_;
    bool folded_ = false;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// A row of buttons. Where the texts do not fit, the last buttons show icons instead.
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
    // Adds a button at a place among the buttons, or as the last one.
    void add(QPushButton* button, const QString& icon, size_t place = kLast);
    static constexpr size_t kLast = static_cast<size_t>(-1);
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
    // The size with texts on so many buttons.
    QSize hint(size_t texts) const;
    void fit();

    QWidget* label_;
    std::vector<Entry> entries_;
};

}  // namespace armilla

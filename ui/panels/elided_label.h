// SPDX-License-Identifier: GPL-3.0-or-later
// Texts with long names in narrow columns.
#pragma once

#include <QLabel>

namespace armilla {

// The text with invisible places to break in its long words, such as names of files. A label that
// wraps words would otherwise widen its column.
QString breakable(const QString& text);

// A line of text, elided if too long; the tool tip has the full text.
class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideMiddle)
        : QLabel(parent), mode_(mode) {
        setTextFormat(Qt::PlainText);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode mode_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The way back to the closed left column: a tab at the left edge of the sky, in the margin beside
// the names of maps. It takes no space from the bars or from the picture.
#pragma once

#include <QAbstractButton>

namespace armilla {

class LeftHandle : public QAbstractButton {
    Q_OBJECT
public:
    // `center` is the parent. The handle is hidden until setVisible(true).
    explicit LeftHandle(QWidget* center);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Tool tips below their control, or above it: what they explain stays in view.
#pragma once

#include <QObject>

namespace armilla {

// Filters the events of the whole application; one is enough.
class TipPlacer : public QObject {
    Q_OBJECT
public:
    static void install();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

}  // namespace armilla

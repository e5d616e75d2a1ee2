// SPDX-License-Identifier: GPL-3.0-or-later
// Places tool tips below or above their control, so that the control stays visible.
#pragma once

#include <QObject>

namespace armilla {

// Filters the events of the whole application; one instance is enough.
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

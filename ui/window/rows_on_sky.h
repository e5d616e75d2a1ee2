// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of catalogs on the sky: the view turns to them, and lines mark those of a review or of
// another program.
#pragma once

#include <QObject>

#include "armilla/session/layer_id.h"

namespace armilla {

class MessageBar;
class Session;
class SkyViewWidget;

class RowsOnSky : public QObject {
    Q_OBJECT
public:
    // All three must outlive this object. Draws what the review and other programs choose from now
    // on.
    RowsOnSky(Session& session, SkyViewWidget& sky, MessageBar& messages, QObject* parent);

    // Turns the view, if necessary, until a row is visible, or until it is in the center.
    void showRow(LayerId layer, qint64 row);
    void centerOnRow(LayerId layer, qint64 row);

private:
    // Lines from candidates to their partners, and positions without a candidate.
    void drawReview();
    // Rows that another program has chosen, as markers of one size at any zoom.
    void drawChosen();

    Session& session_;
    SkyViewWidget& sky_;
    MessageBar& messages_;
};

}  // namespace armilla

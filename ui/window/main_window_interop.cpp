// SPDX-License-Identifier: GPL-3.0-or-later
// Positions and rows of other programs on the sky, and the state of the connection.
#include <QStatusBar>
#include <QToolButton>

#include "armilla/session/interop.h"
#include "armilla/session/notices.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"
#include "window/interop_menu.h"
#include "window/rows_on_sky.h"

namespace armilla {

void MainWindow::buildInterop() {
    Interop& interop = session_->interop();
    interopMenu_ = new InteropMenu(*session_, this);
    auto* state = new QToolButton(statusBar());
    state->setProperty("flat", true);
    state->setObjectName(QStringLiteral("interopState"));
    state->setPopupMode(QToolButton::InstantPopup);
    state->setMenu(interopMenu_);
    state->setToolTip(tr("Programs that are connected by SAMP"));
    state->setAccessibleName(state->toolTip());
    state->hide();
    statusBar()->insertPermanentWidget(1, state);  // after the read-out
    connect(interopMenu_, &InteropMenu::stateTextChanged, state, [state](const QString& text) {
        state->setText(text);
        state->setVisible(!text.isEmpty());
    });
    connect(&interop, &Interop::placeReceived, this, [this, &interop](const LonLat& place) {
        if (session_->document().view().camera().frame == Frame::Unknown) {
            if (session_->notices().askFrame(
                    session_->document().view().shown().entry,
                    [&interop, place] { emit interop.placeReceived(place); }))
                return;
            messages_->show(MessageTone::Error,
                            tr("expected a map whose frame is known to show a position that "
                               "another program has sent, found one of unknown frame"));
            return;
        }
        const Camera& camera = session_->document().view().camera();
        const LonLat here =
            lonLat(frameRotation(camera.frame, Frame::Equatorial) * direction(place));
        skyView_->centerOn(here);
        skyView_->mark(here);
    });
    connect(&interop, &Interop::rowReceived, this, [this](LayerId layer, qint64 row) {
        session_->document().setActive(layer);
        rows_->showRow(layer, row);
    });
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Menu of other programs: the connection, and sending.
#pragma once

#include <QMenu>
#include <functional>
#include <vector>

#include "armilla/session/interop.h"

namespace armilla {

class InteropMenu : public QMenu {
    Q_OBJECT
public:
    // The session must outlive the menu.
    InteropMenu(Session& session, QWidget* parent);
    // "SAMP · TOPCAT, Aladin"; empty while there is no connection.
    QString stateText() const;

signals:
    void stateTextChanged(const QString& text);

private:
    using Send = std::function<void(const QString& recipient)>;
    // A menu of receiving programs, filled when it opens.
    QMenu* sendMenu(const QString& title, const QString& tip,
                    std::function<std::vector<SampPeer>()> takers, const Send& send);
    void refresh();
    void sendRows();

    Session& session_;
    QAction *connect_ = nullptr, *rows_ = nullptr;
    std::vector<QMenu*> sendMenus_;
};

}  // namespace armilla

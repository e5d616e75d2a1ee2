// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of a window that offer actions: further data of a file, missing facts, recovery, and the
// question before the window closes.
#pragma once

#include <QList>
#include <QObject>
#include <QPair>
#include <QString>
#include <functional>
#include <map>

#include "armilla/session/layer_id.h"

namespace armilla {

class MessageBar;
class Session;
struct FileQuestion;

class WindowQuestions : public QObject {
    Q_OBJECT
public:
    // Shows the questions of the session as messages. Both references must outlive this object.
    WindowQuestions(Session& session, MessageBar& messages, QObject* parent);

    // Offers to recover the work of a process that died. Returns false if there is none.
    bool offerRecovery();
    // Asks before running or unsaved work ends; `answered` receives true if the user accepts.
    // Returns false if there is no such work.
    bool askToClose(const std::function<void(bool mayClose)>& answered);

private:
    void offerMore(const QString& path, const QList<QPair<QString, QString>>& others);
    // Offers buttons for the frame of a layer that names none.
    void askFrame(LayerId layer);
    void askFile(const FileQuestion& question);
    void withdrawFrameQuestions();

    Session& session_;
    MessageBar& messages_;
    std::map<LayerId, QString> frameLines_;  // shown questions about frames, by layer
};

}  // namespace armilla

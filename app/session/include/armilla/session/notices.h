// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of a session to the user.
#pragma once

#include <QObject>
#include <QString>
#include <exception>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "armilla/session/failure.h"
#include "armilla/session/layer_id.h"
#include "armilla/session/remedy.h"

namespace armilla {

class Document;

// Used in the window's thread.
class Notices : public QObject {
    Q_OBJECT
public:
    // The document must outlive this object.
    explicit Notices(const Document& document, QObject* parent = nullptr);

    // Shows a line, with words of the window in place of names of command options.
    void say(const QString& line);
    // Reports an error. Further lines are details.
    void complain(const QString& line);
    // Adds buttons to a line that say() or a complaint has just raised. Nothing without remedies.
    void offer(const QString& line, bool isError, const std::vector<Remedy>& remedies);
    // Reports an error about a missing layer. The message is withdrawn when the layer is restored,
    // retried or closed.
    void complainOf(LayerId layer, const QString& line);
    // Reports an error that ends with its cause, such as "preview". The message is withdrawn by
    // settle(), or by the next error of this cause.
    void complainWhile(const QString& cause, const QString& line);
    void settle(const QString& cause);
    // Reports the failure of a command on these layers. If the frame of one of them is missing,
    // emits frameNeeded() instead; `again` repeats the command. Returns true in that case. With a
    // `cause` the message ends as that of complainWhile().
    bool complainOrAskFrame(const QString& line, const std::vector<LayerId>& layers,
                            const std::function<void()>& again, const QString& cause = {});
    // Emits frameNeeded() for a layer that names no frame; `again` waits for the answer. Returns
    // false for any other layer.
    bool askFrame(LayerId layer, std::function<void()> again);
    // Returns the command that waits for the frame of this layer, and forgets every waiting
    // command. None if no command waits for this layer.
    std::function<void()> takeWaiting(LayerId layer);
    // Runs an action; a thrown error becomes a message.
    template <typename Work>
    void guarded(const Work& work) {
        try {
            work();
        } catch (...) {
            if (const auto line = failureLine(std::current_exception())) complain(*line);
        }
    }

signals:
    void messageRaised(const QString& line, bool isError);
    // Follows messageRaised() for the same line.
    void remediesOffered(const QString& line, bool isError, const std::vector<Remedy>& remedies);
    // An earlier error message is obsolete: its layer is retried or closed, or its cause is gone.
    void messageWithdrawn(const QString& line);
    // A command failed because this layer does not name its frame.
    void frameNeeded(LayerId layer);

private:
    void withdrawComplaints();

    const Document& document_;
    std::map<LayerId, QString> complaints_;  // messages on missing layers
    std::map<QString, QString> passing_;     // messages by their cause
    // The layer of the last frameNeeded(), and the command that waits for its frame.
    std::pair<LayerId, std::function<void()>> needsFrame_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Communication with other desktop programs by SAMP 1.3, standard profile
// (https://www.ivoa.net/documents/SAMP/20120411/). Finds the hub, registers, sends, receives.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUrl>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/samp/xml_rpc.h"

namespace armilla {

class SampWire;

// URL of the hub, and the secret for registration.
struct SampHub {
    QUrl url;
    QString secret;
};
// From the file that the environment variable SAMP_HUB names (std-lockurl:file:///...), else from
// ~/.samp (sections 4.3 and 5.2.1). Throws IoError, with a line for the user, if there is no hub.
// Throws InvalidArgument for an invalid file, or a hub on another machine.
SampHub findSampHub();

// Another program registered with the hub.
struct SampPeer {
    QString id, name;
    QStringList mtypes;  // accepted types, with wildcards ("table.*")
    // True if the program accepts this message type.
    bool takes(const QString& mtype) const;
};

// A received message.
struct SampMessage {
    QString sender;  // id
    QString mtype;
    QVariantMap parameters;
    QString id;  // id of a call that waits for a response; empty: a notification
};

// Used in the window's thread; its sockets run in a separate thread. Blocks the window's thread
// only for the last messages of the destructor, at most a fifth of a second.
//
// The destructor drops a message that is being read or written, but waits for the end of its XML: 5
// ms per megabyte, up to 64 MB (tests/samp/tst_samp.cpp).
class SampClient : public QObject {
    Q_OBJECT
public:
    // State of the connection to the hub.
    enum class State { Off, Connecting, Connected };

    // `metadata` follows section 3.6. `mtypes` are the types that emit received(); types of the hub
    // and samp.app.ping are handled internally.
    SampClient(QVariantMap metadata, QStringList mtypes, QObject* parent = nullptr);
    ~SampClient() override;

    // Reported: an unreachable hub emits failed(). Silent: for program starts, which ignore a
    // missing hub or the file of a dead one.
    enum class Failure { Reported, Silent };

    State state() const { return state_; }
    // Finds the hub and registers; the result arrives by stateChanged() or failed().
    void connectToHub(Failure failure = Failure::Reported);
    // Unregisters from the hub.
    void disconnectFromHub();
    const QString& ownId() const { return ownId_; }

    // The other programs, by name.
    const std::vector<SampPeer>& peers() const { return peers_; }
    // Name of a program by its id; the id itself if the name is unknown.
    QString nameOf(const QString& id) const;

    // Sends to one program, or to all that accept the type (empty recipient). There is no response.
    void notify(const QString& recipient, const QString& mtype, const QVariantMap& parameters);
    // Sends to one program, whose response emits answered().
    void call(const QString& recipient, const QString& mtype, const QVariantMap& parameters,
              const QString& tag);
    // Responds to a message that was a call; ignores a notification.
    void reply(const SampMessage& message, const QString& failure = {});
    // Downloads a URL named in a message of this connection to a file, as httpDownload(), in
    // another thread.
    void download(const QUrl& url, const QString& path, qint64 mostBytes,
                  std::function<void(const QString& failure)> done);

signals:
    // The connection to the hub has changed.
    void stateChanged();
    // Programs were registered or unregistered, or have changed name or types.
    void peersChanged();
    // A line with the failure, or with the last message of the hub.
    void failed(const QString& line);
    // A message of one of the requested types has arrived.
    void received(const armilla::SampMessage& message);
    // `failure` is empty on success.
    void answered(const QString& tag, const QString& peer, const QString& failure);

private:
    using Done = std::function<void(const XmlRpcAnswer&)>;
    struct Request {
        QString method;
        QVariantList parameters;
        Done done;
    };
    void ask(const QString& method, QVariantList parameters, Done done = {});
    void askNext();
    void begin(const QVariantMap& registered);
    void endWith(const QString& line);
    void setState(State state);
    void learn(const QString& id);
    // Null if the program is not (or no longer) registered.
    SampPeer* find(const QString& id);
    void fail(const QString& line);
    void sortPeers();
    void take(const XmlRpcCall& call);
    void takeMessage(const SampMessage& message);
    void takeEvent(const SampMessage& message);

    QVariantMap metadata_;
    QStringList mtypes_;
    State state_ = State::Off;
    Failure failure_ = Failure::Reported;
    SampHub hub_;
    QString hubId_, ownId_, key_;
    std::vector<SampPeer> peers_;
    // Sent one at a time, in order.
    std::vector<Request> waiting_;
    bool isAsking_ = false;
    // Connection number: calls and responses of an earlier connection are ignored.
    int connection_ = 0;
    QUrl callback_;
    // The key that the wire's thread compares with the key of a call.
    struct Key;
    std::shared_ptr<Key> expected_;
    std::unique_ptr<SampWire> wire_;  // null until the first connection
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// This program among others of the desktop: SAMP 1.3, standard profile
// (https://www.ivoa.net/documents/SAMP/20120411/). Finds the hub, registers, sends, takes.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUrl>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "samp/xml_rpc.h"

namespace armilla {

class SampWire;

// Where the hub is, and what it wants to hear first.
struct SampHub {
    QUrl url;
    QString secret;
};
// From the file that the environment's SAMP_HUB names (std-lockurl:file:///...), else from ~/.samp
// (section 4.3 and 5.2.1). Throws IoError with a line for people where there is no hub, and
// InvalidArgument for a file that is none, or a hub that is not of this machine.
SampHub findSampHub();

// Another program at the hub.
struct SampPeer {
    QString id, name;
    QStringList mtypes;  // that it takes, with wildcards ("table.*")
    bool takes(const QString& mtype) const;
};

struct SampMessage {
    QString sender;  // id
    QString mtype;
    QVariantMap parameters;
    QString id;  // of a call that waits for an answer; empty: a notification
};

// Lives in the window's thread, its sockets in one of their own. Never blocks the window's but for
// the last words of the destructor, a fifth of a second at most. A message that is being read or
// written then is given up, but not in the midst of its XML: 5 ms a megabyte, of 64 at most
// (tests/samp/tst_samp.cpp).
class SampClient : public QObject {
    Q_OBJECT
public:
    enum class State { Off, Connecting, Connected };

    // `metadata` as section 3.6 has it; `mtypes`: what received() is wanted for, beside those of
    // the hub and samp.app.ping, which are dealt with here.
    SampClient(QVariantMap metadata, QStringList mtypes, QObject* parent = nullptr);
    ~SampClient() override;

    // Whether a hub that cannot be reached is told by failed(). Silent is for starts: where no hub
    // runs, or a file of a dead one is left, nobody asked for it.
    enum class Failure { Told, Silent };

    State state() const { return state_; }
    void connectToHub(Failure failure = Failure::Told);
    void disconnectFromHub();
    const QString& ownId() const { return ownId_; }

    // The others, by name.
    const std::vector<SampPeer>& peers() const { return peers_; }
    QString nameOf(const QString& id) const;

    // To one, or to all that take it (empty recipient). Nothing comes back.
    void notify(const QString& recipient, const QString& mtype, const QVariantMap& parameters);
    // To one, who says how it went: answered().
    void call(const QString& recipient, const QString& mtype, const QVariantMap& parameters,
              const QString& tag);
    // Answers a message that was a call; nothing for a notification.
    void reply(const SampMessage& message, const QString& failure = {});
    // What a message of this connection names, into a file, as httpDownload; not in this thread.
    void download(const QUrl& url, const QString& path, qint64 mostBytes,
                  std::function<void(const QString& failure)> done);

signals:
    void stateChanged();
    void peersChanged();
    // A line: what failed; or what the hub said at the end.
    void failed(const QString& line);
    void received(const armilla::SampMessage& message);
    // `failure` empty: it went well.
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
    // Null: not among them (any more).
    SampPeer* find(const QString& id);
    void fail(const QString& line);
    void sortPeers();
    void take(const XmlRpcCall& call);
    void takeMessage(const SampMessage& message);
    void takeEvent(const SampMessage& message);

    QVariantMap metadata_;
    QStringList mtypes_;
    State state_ = State::Off;
    Failure failure_ = Failure::Told;
    SampHub hub_;
    QString hubId_, ownId_, key_;
    std::vector<SampPeer> peers_;
    // One request at a time, in order.
    std::vector<Request> waiting_;
    bool isAsking_ = false;
    // Counted: calls and answers of an earlier one are nobody's.
    int connection_ = 0;
    QUrl callback_;
    // What the wire's thread compares the key of a call with.
    struct Key;
    std::shared_ptr<Key> expected_;
    std::unique_ptr<SampWire> wire_;  // once it has been connected
};

}  // namespace armilla

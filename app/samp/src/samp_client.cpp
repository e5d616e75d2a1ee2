// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/samp/samp_client.h"

#include <QDir>
#include <QFile>
#include <algorithm>
#include <mutex>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/samp/http_client.h"
#include "samp_wire.h"

namespace armilla {

namespace {

constexpr qint64 kMostLockfile = 65536;
constexpr size_t kMostPeers = 256, kMostWaiting = 4096;
const QByteArray kXml = "text/xml";
const QString kCall = QStringLiteral("samp.client.receiveCall");
const QString kNotice = QStringLiteral("samp.client.receiveNotification");
const QString kResponse = QStringLiteral("samp.client.receiveResponse");

QString lockfilePath() {
    const QString named = qEnvironmentVariable("SAMP_HUB");
    if (named.isEmpty()) return QDir::homePath() + QStringLiteral("/.samp");
    const QString prefix = QStringLiteral("std-lockurl:");
    const QUrl url(named.mid(prefix.size()));
    if (!named.startsWith(prefix) || !url.isLocalFile())
        throw InvalidArgument("expected SAMP_HUB to name a file (std-lockurl:file:///...), found " +
                              named.left(200).toStdString());
    return url.toLocalFile();
}

// Lines of "name=value"; comments begin with #.
QString valueIn(const QByteArray& content, const QByteArray& name) {
    QString value;
    for (QByteArray line : content.split('\n')) {
        line = line.trimmed();
        if (line.startsWith(name + '=')) value = QString::fromUtf8(line.mid(name.size() + 1));
    }
    return value;
}

// "table.*" matches "table.load.fits"; "*" matches everything.
bool matches(const QString& pattern, const QString& mtype) {
    if (!pattern.endsWith(QLatin1Char('*'))) return pattern == mtype;
    return mtype.startsWith(pattern.chopped(1));
}

// Throws InvalidArgument unless the call comes from the hub with the correct key.
void checkCall(const XmlRpcCall& call, const QString& key) {
    const auto& [method, parameters] = call;
    const bool isNotice = method == kNotice;
    if (method != kCall && !isNotice && method != kResponse)
        throw InvalidArgument("expected a method of a SAMP client, found " +
                              method.left(100).toStdString());
    if (parameters.size() != (isNotice ? 3 : 4))
        throw InvalidArgument("expected " + std::to_string(isNotice ? 3 : 4) +
                              " parameters, found " + std::to_string(parameters.size()));
    if (key.isEmpty() || parameters[0].toString() != key)
        throw InvalidArgument("expected the private key of this connection, found another");
    if (parameters.back().typeId() != QMetaType::QVariantMap)
        throw InvalidArgument("expected a message, found something else");
    const QVariantMap content = parameters.back().toMap();
    if (method != kResponse && content.value(QStringLiteral("samp.mtype")).toString().isEmpty())
        throw InvalidArgument("expected a message type, found none");
}

QVariantMap messageOf(const QString& mtype, const QVariantMap& parameters) {
    return {{QStringLiteral("samp.mtype"), mtype}, {QStringLiteral("samp.params"), parameters}};
}

const QStringList& hubEvents() {
    static const QStringList all{
        QStringLiteral("samp.hub.event.shutdown"),      QStringLiteral("samp.hub.event.register"),
        QStringLiteral("samp.hub.event.unregister"),    QStringLiteral("samp.hub.event.metadata"),
        QStringLiteral("samp.hub.event.subscriptions"), QStringLiteral("samp.hub.disconnect")};
    return all;
}

}  // namespace

SampHub findSampHub() {
    const QString path = lockfilePath();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw IoError(
            "expected a SAMP hub that runs (TOPCAT, Aladin and others start one), found "
            "none");
    const QByteArray content = file.read(kMostLockfile);
    SampHub hub{QUrl(valueIn(content, "samp.hub.xmlrpc.url")), valueIn(content, "samp.secret")};
    if (hub.secret.isEmpty() || !hub.url.isValid() || hub.url.isEmpty())
        throw InvalidArgument(path.toStdString() +
                              ": expected the address and the secret of a SAMP hub, found none");
    if (!isOfThisMachine(hub.url))
        throw InvalidArgument(path.toStdString() +
                              ": expected a SAMP hub of this machine, found one at " +
                              hub.url.toDisplayString().left(200).toStdString());
    return hub;
}

bool SampPeer::takes(const QString& mtype) const {
    return std::any_of(mtypes.begin(), mtypes.end(),
                       [&](const QString& pattern) { return matches(pattern, mtype); });
}

struct SampClient::Key {
    std::mutex guard;
    QString text;
    void set(const QString& key) {
        const std::lock_guard lock(guard);
        text = key;
    }
    QString get() {
        const std::lock_guard lock(guard);
        return text;
    }
};

SampClient::SampClient(QVariantMap metadata, QStringList mtypes, QObject* parent)
    : QObject(parent),
      metadata_(std::move(metadata)),
      mtypes_(std::move(mtypes)),
      expected_(std::make_shared<Key>()) {}

SampClient::~SampClient() {
    if (state_ == State::Off || key_.isEmpty()) return;
    httpPostAtEnd(hub_.url, kXml, toXml(XmlRpcCall{QStringLiteral("samp.hub.unregister"), {key_}}));
}

void SampClient::setState(State state) {
    if (std::exchange(state_, state) != state) emit stateChanged();
}

QString SampClient::nameOf(const QString& id) const {
    for (const SampPeer& each : peers_)
        if (each.id == id && !each.name.isEmpty()) return each.name;
    return id;
}

void SampClient::fail(const QString& line) {
    if (failure_ == Failure::Reported) emit failed(line);
}

void SampClient::connectToHub(Failure failure) {
    if (state_ != State::Off) return;
    failure_ = failure;
    try {
        hub_ = findSampHub();
    } catch (const Error& error) {
        return fail(QString::fromUtf8(error.what()));
    }
    if (!wire_) wire_ = std::make_unique<SampWire>(*this);
    const int now = ++connection_;
    callback_ =
        wire_->listen([key = expected_](const XmlRpcCall& call) { checkCall(call, key->get()); },
                      [this, now](const XmlRpcCall& call) {
                          if (now == connection_ && state_ != State::Off) take(call);
                      });
    if (callback_.isEmpty())
        return fail(tr("expected a free port of this machine for SAMP, found none"));
    setState(State::Connecting);
    ask(QStringLiteral("samp.hub.register"), {hub_.secret}, [this](const XmlRpcAnswer& given) {
        if (given.fault)
            return endWith(tr("the SAMP hub at %1 did not take this program: %2")
                               .arg(hub_.url.toDisplayString(), *given.fault));
        begin(given.value.toMap());
    });
}

void SampClient::begin(const QVariantMap& registered) {
    key_ = registered.value(QStringLiteral("samp.private-key")).toString();
    ownId_ = registered.value(QStringLiteral("samp.self-id")).toString();
    hubId_ = registered.value(QStringLiteral("samp.hub-id")).toString();
    if (key_.isEmpty() || ownId_.isEmpty() || hubId_.isEmpty())
        return endWith(
            tr("expected a SAMP hub that names this program and itself, found one that "
               "does not"));
    QVariantMap wanted{{QStringLiteral("samp.app.ping"), QVariantMap()}};
    for (const QString& mtype : hubEvents() + mtypes_) wanted[mtype] = QVariantMap();
    const auto must = [this](const XmlRpcAnswer& given) {
        if (given.fault)
            endWith(
                tr("the SAMP hub refused what this program says of itself: %1").arg(*given.fault));
    };
    expected_->set(key_);
    ask(QStringLiteral("samp.hub.setXmlrpcCallback"), {key_, callback_.toString()}, must);
    ask(QStringLiteral("samp.hub.declareMetadata"), {key_, metadata_}, must);
    ask(QStringLiteral("samp.hub.declareSubscriptions"), {key_, wanted}, must);
    ask(QStringLiteral("samp.hub.getRegisteredClients"), {key_}, [this](const XmlRpcAnswer& given) {
        if (given.fault) return endWith(*given.fault);
        for (const SampValue& id : given.value.toList()) learn(id.toString());
        failure_ = Failure::Reported;
        setState(State::Connected);
    });
}

void SampClient::endWith(const QString& line) {
    if (state_ == State::Off) return;
    waiting_.clear();
    isAsking_ = false;
    key_.clear();
    expected_->set({});
    ownId_.clear();
    peers_.clear();
    ++connection_;
    wire_->stopListening();
    setState(State::Off);
    emit peersChanged();
    if (!line.isEmpty()) fail(line);
}

void SampClient::disconnectFromHub() {
    if (state_ == State::Off) return;
    if (!key_.isEmpty())
        wire_->ask(hub_.url, {QStringLiteral("samp.hub.unregister"), {key_}},
                   [](const XmlRpcAnswer&, const QString&) {});
    endWith({});
}

void SampClient::ask(const QString& method, QVariantList parameters, Done done) {
    if (state_ == State::Off || waiting_.size() >= kMostWaiting) return;
    waiting_.push_back({method, std::move(parameters), std::move(done)});
    if (!isAsking_) askNext();
}

void SampClient::askNext() {
    if (waiting_.empty()) return;
    isAsking_ = true;
    Request next = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    wire_->ask(hub_.url, {next.method, next.parameters},
               [this, now = connection_, done = std::move(next.done)](const XmlRpcAnswer& given,
                                                                      const QString& failure) {
                   if (now != connection_) return;
                   if (!failure.isEmpty())
                       return endWith(tr("the SAMP hub at %1 does not answer: %2")
                                          .arg(hub_.url.toDisplayString(), failure));
                   isAsking_ = false;
                   if (done) done(given);
                   if (state_ != State::Off && !isAsking_) askNext();
               });
}

SampPeer* SampClient::find(const QString& id) {
    const auto found = std::find_if(peers_.begin(), peers_.end(),
                                    [&](const SampPeer& each) { return each.id == id; });
    return found == peers_.end() ? nullptr : &*found;
}

void SampClient::sortPeers() {
    std::stable_sort(peers_.begin(), peers_.end(), [](const SampPeer& a, const SampPeer& b) {
        return QString::localeAwareCompare(a.name, b.name) < 0;
    });
    emit peersChanged();
}

void SampClient::learn(const QString& id) {
    if (id.isEmpty() || id == ownId_ || peers_.size() >= kMostPeers) return;
    if (!find(id)) peers_.push_back({id, {}, {}});
    ask(QStringLiteral("samp.hub.getMetadata"), {key_, id}, [this, id](const XmlRpcAnswer& given) {
        SampPeer* peer = find(id);
        // The peer is gone, or has announced itself meanwhile, which is newer than this response.
        if (given.fault || !peer || !peer->name.isEmpty()) return;
        peer->name = given.value.toMap().value(QStringLiteral("samp.name")).toString().left(100);
        sortPeers();
    });
    ask(QStringLiteral("samp.hub.getSubscriptions"), {key_, id},
        [this, id](const XmlRpcAnswer& given) {
            SampPeer* peer = find(id);
            if (given.fault || !peer || !peer->mtypes.isEmpty()) return;
            peer->mtypes = given.value.toMap().keys();
            sortPeers();
        });
}

void SampClient::notify(const QString& recipient, const QString& mtype,
                        const QVariantMap& parameters) {
    const QVariantMap message = messageOf(mtype, parameters);
    const auto refused = [this](const XmlRpcAnswer& given) {
        if (given.fault) emit failed(tr("the SAMP hub refused a message: %1").arg(*given.fault));
    };
    if (recipient.isEmpty())
        ask(QStringLiteral("samp.hub.notifyAll"), {key_, message}, refused);
    else
        ask(QStringLiteral("samp.hub.notify"), {key_, recipient, message}, refused);
}

void SampClient::call(const QString& recipient, const QString& mtype, const QVariantMap& parameters,
                      const QString& tag) {
    ask(QStringLiteral("samp.hub.call"), {key_, recipient, tag, messageOf(mtype, parameters)},
        [this, recipient, tag](const XmlRpcAnswer& given) {
            if (given.fault) emit answered(tag, recipient, *given.fault);
        });
}

void SampClient::reply(const SampMessage& message, const QString& failure) {
    if (message.id.isEmpty()) return;
    QVariantMap response{{QStringLiteral("samp.result"), QVariantMap()},
                         {QStringLiteral("samp.status"), QStringLiteral("samp.ok")}};
    if (!failure.isEmpty()) {
        response[QStringLiteral("samp.status")] = QStringLiteral("samp.error");
        response[QStringLiteral("samp.error")] =
            QVariantMap{{QStringLiteral("samp.errortxt"), failure}};
    }
    ask(QStringLiteral("samp.hub.reply"), {key_, message.id, response});
}

void SampClient::download(const QUrl& url, const QString& path, qint64 mostBytes,
                          std::function<void(const QString& failure)> done) {
    if (wire_) wire_->download(url, path, mostBytes, std::move(done));
}

// Handles a call that checkCall() has accepted.
void SampClient::take(const XmlRpcCall& call) {
    const auto& [method, parameters] = call;
    const QVariantMap content = parameters.back().toMap();
    if (method != kResponse)
        return takeMessage({parameters[1].toString(),
                            content.value(QStringLiteral("samp.mtype")).toString(),
                            content.value(QStringLiteral("samp.params")).toMap(),
                            method == kCall ? parameters[2].toString() : QString()});
    QString failure;
    if (content.value(QStringLiteral("samp.status")).toString() == QLatin1String("samp.error"))
        failure = content.value(QStringLiteral("samp.error"))
                      .toMap()
                      .value(QStringLiteral("samp.errortxt"), tr("no reason given"))
                      .toString();
    emit answered(parameters[2].toString(), parameters[1].toString(), failure);
}

void SampClient::takeMessage(const SampMessage& message) {
    if (message.mtype == QLatin1String("samp.app.ping")) return reply(message);
    if (hubEvents().contains(message.mtype)) {
        // Accepted only from the hub.
        const bool isHub = message.sender == hubId_;
        reply(message,
              isHub ? QString() : tr("expected this message from the hub, found another sender"));
        if (isHub) takeEvent(message);
        return;
    }
    if (!mtypes_.contains(message.mtype))
        return reply(message, tr("expected a message type that this program takes, found %1")
                                  .arg(message.mtype.left(100)));
    emit received(message);
}

void SampClient::takeEvent(const SampMessage& message) {
    const QString event = message.mtype.section(QLatin1Char('.'), -1);
    const QString id = message.parameters.value(QStringLiteral("id")).toString();
    if (event == QLatin1String("shutdown")) return endWith(tr("the SAMP hub has ended"));
    if (event == QLatin1String("disconnect"))
        return endWith(
            tr("the SAMP hub has ended the connection: %1")
                .arg(message.parameters.value(QStringLiteral("reason")).toString().left(200)));
    if (id.isEmpty() || id == ownId_) return;
    if (event == QLatin1String("register")) return learn(id);
    if (event == QLatin1String("unregister")) {
        std::erase_if(peers_, [&](const SampPeer& each) { return each.id == id; });
        return sortPeers();
    }
    // A program's metadata may arrive before its registration.
    SampPeer* peer = find(id);
    if (!peer && peers_.size() >= kMostPeers) return;
    if (!peer) peer = &peers_.emplace_back(SampPeer{id, {}, {}});
    if (event == QLatin1String("metadata"))
        peer->name = message.parameters.value(QStringLiteral("metadata"))
                         .toMap()
                         .value(QStringLiteral("samp.name"))
                         .toString()
                         .left(100);
    else
        peer->mtypes = message.parameters.value(QStringLiteral("subscriptions")).toMap().keys();
    sortPeers();
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// A SAMP hub of the standard profile over real sockets, in the test's own process. It registers
// clients, forwards messages, and can misbehave.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <deque>
#include <functional>
#include <map>

#include "armilla/samp/http_client.h"
#include "armilla/samp/http_server.h"
#include "armilla/samp/xml_rpc.h"

namespace armilla::test {

class SampTestHub : public QObject {
public:
    struct Client {
        QString id, key, callback;
        QVariantMap metadata, subscriptions;
    };

    SampTestHub()
        : server_("text/xml", qint64{64} << 20, [this](const QByteArray& xml) {
              return misbehave ? misbehave(xml) : answer(xml);
          }) {
        if (!server_.listen()) qFatal("expected a free port");
        writeLockfile(server_.url().toString());
    }
    ~SampTestHub() override { qunsetenv("SAMP_HUB"); }

    std::function<QByteArray(const QByteArray&)> misbehave;
    std::map<QString, Client> clients;  // by id
    QStringList methods;                // called methods
    QStringList mtypes;                 // types of the sent messages

    QUrl url() const { return server_.url(); }
    void writeLockfile(const QString& hub) {
        const QString path = folder_.filePath("samp");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) qFatal("expected to write %s", qPrintable(path));
        file.write("# a comment\nsamp.secret=a b=c\nsamp.hub.xmlrpc.url=" + hub.toUtf8() +
                   "\nsamp.profile.version=1.3\n");
        file.close();
        qputenv("SAMP_HUB", "std-lockurl:" + QUrl::fromLocalFile(path).toEncoded());
    }
    // To all except the sender.
    void tellAll(const QString& sender, const QString& mtype, const QVariantMap& parameters) {
        for (const auto& [id, client] : clients)
            if (id != sender && takes(client, mtype)) deliver(id, sender, mtype, parameters);
    }
    // From the hub about one client to the others.
    void tellOf(const QString& about, const QString& event, QVariantMap parameters) {
        parameters["id"] = about;
        for (const auto& [id, client] : clients)
            if (id != about && takes(client, "samp.hub.event." + event))
                deliver(id, "hub", "samp.hub.event." + event, parameters);
    }
    void deliver(const QString& to, const QString& sender, const QString& mtype,
                 const QVariantMap& parameters) {
        const Client& client = clients.at(to);
        post(client, {"samp.client.receiveNotification",
                      {client.key, sender,
                       QVariantMap{{"samp.mtype", mtype}, {"samp.params", parameters}}}});
    }
    void shutDown() { tellAll("hub", "samp.hub.event.shutdown", {}); }
    // The regular response.
    QByteArray answer(const QByteArray& xml) {
        const XmlRpcCall call = callFromXml(xml);
        methods << call.method;
        XmlRpcAnswer given{QString(), std::nullopt};
        const auto& p = call.parameters;
        if (call.method == "samp.hub.register") {
            if (p.value(0).toString() != "a b=c") return toXml({{}, QString("wrong secret")});
            const QString number = QString::number(++count_);
            Client client{"c" + number, "key-" + number, {}, {}, {}};
            clients[client.id] = client;
            tellOf(client.id, "register", {});
            return toXml({QVariantMap{{"samp.hub-id", "hub"},
                                      {"samp.self-id", client.id},
                                      {"samp.private-key", client.key}},
                          std::nullopt});
        }
        auto self = std::find_if(clients.begin(), clients.end(), [&](const auto& each) {
            return each.second.key == p.value(0).toString();
        });
        if (self == clients.end()) return toXml({{}, QString("who is that?")});
        const QString id = self->first, method = call.method.section('.', 2);
        const QVariantMap message = p.value(p.size() - 1).toMap();
        const QString mtype = message["samp.mtype"].toString();
        if (!mtype.isEmpty()) mtypes << mtype;
        if (method == "setXmlrpcCallback") {
            self->second.callback = p[1].toString();
        } else if (method == "declareMetadata") {
            self->second.metadata = message;
            tellOf(id, "metadata", {{"metadata", message}});
        } else if (method == "declareSubscriptions") {
            self->second.subscriptions = message;
            tellOf(id, "subscriptions", {{"subscriptions", message}});
        } else if (method == "getRegisteredClients") {
            QVariantList all{"hub"};
            for (const auto& [other, client] : clients)
                if (other != id) all << other;
            given.value = all;
        } else if (method == "getMetadata" || method == "getSubscriptions") {
            const QString other = p[1].toString();
            const Client client = clients.contains(other) ? clients[other] : Client{};
            given.value = method == "getMetadata" ? client.metadata : client.subscriptions;
        } else if (method == "unregister") {
            clients.erase(id);
            tellOf(id, "unregister", {});
        } else if (method == "notifyAll") {
            tellAll(id, mtype, message["samp.params"].toMap());
        } else if (method == "notify") {
            deliver(p[1].toString(), id, mtype, message["samp.params"].toMap());
        } else if (method == "call") {
            const Client& to = clients.at(p[1].toString());
            const QString number = QString::number(++count_);
            calls_[number] = {id, p[2].toString()};
            post(to, {"samp.client.receiveCall", {to.key, id, number, message}});
            given.value = number;
        } else if (method == "reply") {
            const auto [sender, tag] = calls_[p[1].toString()];
            const Client& to = clients.at(sender);
            post(to, {"samp.client.receiveResponse", {to.key, id, tag, message}});
        } else {
            given.fault = "no such method";
        }
        return toXml(given);
    }

private:
    static bool takes(const Client& client, const QString& mtype) {
        const QStringList patterns = client.subscriptions.keys();
        return std::any_of(patterns.begin(), patterns.end(), [&](const QString& p) {
            return p == mtype || (p.endsWith('*') && mtype.startsWith(p.chopped(1)));
        });
    }
    // One after another, so that messages arrive in the order of sending.
    void post(const Client& client, const XmlRpcCall& call) {
        waiting_.push_back({QUrl(client.callback), toXml(call)});
        if (waiting_.size() == 1) postNext();
    }
    void postNext() {
        httpPost(waiting_.front().first, "text/xml", waiting_.front().second, 1 << 20, this,
                 [this](const QByteArray&, const QString&) {
                     waiting_.pop_front();
                     if (!waiting_.empty()) postNext();
                 });
    }
    QTemporaryDir folder_;
    HttpServer server_;
    int count_ = 0;
    std::deque<std::pair<QUrl, QByteArray>> waiting_;
    std::map<QString, std::pair<QString, QString>> calls_;
};

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// A small HTTP server for this machine alone: one path, POST, bounded in size, number and time.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QTcpServer>
#include <QUrl>
#include <functional>
#include <memory>

namespace armilla {

class HttpReader;

// Lives in the thread of its event loop and never blocks it. Listens on the loopback address alone;
// what comes from elsewhere, from a web page (it says its Origin), to another path or in another
// method is refused.
class HttpServer : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostConnections = 32;
    static constexpr int kLifetime = 10000;  // milliseconds until a connection is given up

    // `answer`: the body of a POST to the body of its answer, both of `type`.
    HttpServer(QByteArray type, qint64 mostBody,
               std::function<QByteArray(const QByteArray&)> answer, QObject* parent = nullptr);
    ~HttpServer() override;

    // False if no port can be had. The path is long and random: who was not told does not find it.
    bool listen();
    QUrl url() const;
    void close();

private:
    void take();
    void read(QTcpSocket& socket);
    void respond(QTcpSocket& socket, int status, const QByteArray& body);

    QTcpServer server_;
    QByteArray type_, path_;
    qint64 mostBody_;
    std::function<QByteArray(const QByteArray&)> answer_;
    QHash<QTcpSocket*, std::shared_ptr<HttpReader>> readers_;
};

}  // namespace armilla

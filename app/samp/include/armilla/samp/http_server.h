// SPDX-License-Identifier: GPL-3.0-or-later
// A small HTTP server for this machine only: one path, POST, with limits of size, number and time.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QTcpServer>
#include <QUrl>
#include <functional>
#include <memory>

namespace armilla {

class HttpReader;

// Used in the thread of its event loop, which it never blocks. Listens only on the loopback
// address. Refuses other peers, requests from web pages (with an Origin header), other paths and
// other methods.
class HttpServer : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostConnections = 32;
    static constexpr int kLifetime = 10000;  // lifetime of a connection, milliseconds

    // `answer` maps the body of a POST to the body of its response; both have the content type
    // `type`.
    HttpServer(QByteArray type, qint64 mostBody,
               std::function<QByteArray(const QByteArray&)> answer, QObject* parent = nullptr);
    ~HttpServer() override;

    // Returns false if no port is available. The path is long and random, so that it cannot be
    // guessed.
    bool listen();
    // The URL with the random path; valid after listen().
    QUrl url() const;
    // Stops listening and drops all connections.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/samp/http_server.h"

#include <QNetworkProxy>
#include <QRandomGenerator>
#include <QTcpSocket>
#include <QTimer>
#include <utility>

#include "armilla/samp/http_reader.h"

namespace armilla {

namespace {

QByteArray randomPath() {
    quint32 words[4];
    QRandomGenerator::system()->fillRange(words);
    return "/" + QByteArray(reinterpret_cast<const char*>(words), sizeof words).toHex();
}

const char* phraseOf(int status) {
    switch (status) {
        case 200: return "OK";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 411: return "Length Required";
        case 413: return "Content Too Large";
        case 431: return "Request Header Fields Too Large";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        default: return "Bad Request";
    }
}

}  // namespace

HttpServer::HttpServer(QByteArray type, qint64 mostBody,
                       std::function<QByteArray(const QByteArray&)> answer, QObject* parent)
    : QObject(parent),
      type_(std::move(type)),
      path_(randomPath()),
      mostBody_(mostBody),
      answer_(std::move(answer)) {
    connect(&server_, &QTcpServer::newConnection, this, &HttpServer::take);
}

HttpServer::~HttpServer() {
    close();
}

bool HttpServer::listen() {
    server_.setProxy(QNetworkProxy::NoProxy);
    return server_.isListening() || server_.listen(QHostAddress::LocalHost);
}

QUrl HttpServer::url() const {
    return QUrl(QStringLiteral("http://127.0.0.1:%1%2")
                    .arg(server_.serverPort())
                    .arg(QString::fromLatin1(path_)));
}

void HttpServer::close() {
    server_.close();
    const auto open = std::exchange(readers_, {});
    for (QTcpSocket* socket : open.keys()) {
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
}

void HttpServer::take() {
    while (QTcpSocket* socket = server_.nextPendingConnection()) {
        const bool isFull = readers_.size() >= kMostConnections;
        readers_.insert(socket, std::make_shared<HttpReader>(HttpReader::Kind::Request, mostBody_));
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            readers_.remove(socket);
            socket->deleteLater();
        });
        // Limits the lifetime of a connection that sends nothing, or sends too slowly.
        QTimer::singleShot(kLifetime, socket, [socket] { socket->abort(); });
        if (isFull || !socket->peerAddress().isLoopback()) {
            respond(*socket, isFull ? 503 : 403, {});
            continue;
        }
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
        read(*socket);
    }
}

void HttpServer::read(QTcpSocket& socket) {
    const auto reader = readers_.value(&socket);
    if (!reader || reader->progress() != HttpReader::Progress::More) return;
    const bool hadHead = reader->hasHead();
    const auto progress = reader->feed(socket.readAll());
    if (progress == HttpReader::Progress::Refused) return respond(socket, reader->refusedAs(), {});
    if (reader->hasHead()) {
        // Checked before the body arrives.
        const QList<QByteArray> words = reader->startLine().split(' ');
        const int status = !reader->header("origin").isNull()       ? 403
                           : words.size() != 3 || words[1] != path_ ? 404
                           : words[0] != "POST"                     ? 405
                           : reader->header("content-length").isNull() &&
                                   reader->header("transfer-encoding").isNull()
                               ? 411
                               : 0;
        if (status != 0) return respond(socket, status, {});
        if (!hadHead && reader->header("expect").toLower() == "100-continue")
            socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    }
    if (progress == HttpReader::Progress::Done) respond(socket, 200, answer_(reader->takeBody()));
}

void HttpServer::respond(QTcpSocket& socket, int status, const QByteArray& body) {
    if (!readers_.contains(&socket)) return;  // the answer function has closed the connection
    socket.disconnect(this);
    connect(&socket, &QTcpSocket::disconnected, this, [this, one = &socket] {
        readers_.remove(one);
        one->deleteLater();
    });
    socket.write("HTTP/1.1 " + QByteArray::number(status) + ' ' + phraseOf(status) +
                 "\r\nContent-Type: " + type_ + "\r\nContent-Length: " +
                 QByteArray::number(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
    socket.disconnectFromHost();
}

}  // namespace armilla

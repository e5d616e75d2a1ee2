// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/samp/http_client.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QHostInfo>
#include <QNetworkProxy>
#include <QTcpSocket>
#include <QTimer>
#include <memory>
#include <utility>

#include "armilla/samp/http_reader.h"

namespace armilla {

namespace {

constexpr int kSilence = 20000;  // time without a byte until a request fails, milliseconds
constexpr int kLastWords = 200;  // milliseconds

QString translated(const char* text) {
    return QCoreApplication::translate("HttpClient", text);
}

QByteArray requestOf(const QUrl& url, const QByteArray& method, const QByteArray& type,
                     const QByteArray& body) {
    QByteArray path = url.path(QUrl::FullyEncoded).toLatin1();
    if (path.isEmpty()) path = "/";
    if (url.hasQuery()) path += '?' + url.query(QUrl::FullyEncoded).toLatin1();
    QByteArray request = method + ' ' + path +
                         " HTTP/1.1\r\nHost: " + url.authority(QUrl::FullyEncoded).toLatin1() +
                         "\r\nUser-Agent: Armilla\r\nConnection: close\r\n";
    if (!type.isEmpty())
        request += "Content-Type: " + type +
                   "\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n";
    return request + "\r\n" + body;
}

// One request; deletes itself at its end.
class Request : public QObject {
public:
    Request(const QUrl& url, QByteArray bytes, qint64 most, QObject* context,
            std::function<bool(const QByteArray&)> sink, std::function<void(QString)> done)
        : QObject(context),
          url_(url),
          bytes_(std::move(bytes)),
          reader_(HttpReader::Kind::Response, most),
          sink_(std::move(sink)),
          done_(std::move(done)) {
        socket_.setProxy(QNetworkProxy::NoProxy);
        silence_.setSingleShot(true);
        silence_.setInterval(kSilence);
        connect(&silence_, &QTimer::timeout, this,
                [this] { end(translated("found no answer in %1 s").arg(kSilence / 1000)); });
        connect(&socket_, &QTcpSocket::connected, this, &Request::send);
        connect(&socket_, &QTcpSocket::readyRead, this, &Request::read);
        connect(&socket_, &QTcpSocket::errorOccurred, this, [this] {
            // The complete response may have arrived before the peer closed the connection.
            read();
            if (socket_.error() == QAbstractSocket::RemoteHostClosedError)
                follow(reader_.close());
            else
                end(socket_.errorString());
        });
        silence_.start();
        // Deferred to the event loop, so that no callback runs before the caller has returned.
        QTimer::singleShot(0, this, [this] {
            if (!isOfThisMachine(url_))
                return end(translated("expected an address of this machine, found %1")
                               .arg(url_.toDisplayString()));
            socket_.connectToHost(url_.host(), static_cast<quint16>(url_.port(80)));
        });
    }

private:
    void send() {
        // Sends nothing if the name resolves to another machine.
        const QHostAddress peer = socket_.peerAddress();
        if (!peer.isLoopback() && peer != socket_.localAddress())
            return end(
                translated("expected a server of this machine, found %1").arg(peer.toString()));
        socket_.write(bytes_);
    }
    void read() {
        if (isOver_) return;
        silence_.start();
        follow(reader_.feed(socket_.readAll()));
    }
    void follow(HttpReader::Progress progress) {
        if (isOver_) return;
        const bool hasHead = reader_.hasHead();
        if (hasHead && reader_.startLine().split(' ').value(1) != "200")
            return end(translated("found the answer \"%1\"")
                           .arg(QString::fromLatin1(reader_.startLine().left(100))));
        if (hasHead && !sink_(reader_.takeBody()))
            return end(translated("expected storage for the data received, found none"));
        if (progress == HttpReader::Progress::Done) end({});
        if (progress == HttpReader::Progress::Refused) end(reader_.refusal());
    }
    void end(const QString& failure) {
        if (std::exchange(isOver_, true)) return;
        socket_.abort();
        deleteLater();
        done_(failure);
    }

    QUrl url_;
    QByteArray bytes_;
    QTcpSocket socket_;
    QTimer silence_;
    HttpReader reader_;
    std::function<bool(const QByteArray&)> sink_;
    std::function<void(QString)> done_;
    bool isOver_ = false;
};

}  // namespace

bool isThisMachine(const QString& name) {
    const QString host = name.toLower();
    if (host == QLatin1String("localhost")) return true;
    if (const QHostAddress address(host); !address.isNull()) return address.isLoopback();
    const QString own = QHostInfo::localHostName().toLower();
    return !own.isEmpty() &&
           host.section(QLatin1Char('.'), 0, 0) == own.section(QLatin1Char('.'), 0, 0);
}

bool isOfThisMachine(const QUrl& url) {
    return url.isValid() && url.scheme() == QLatin1String("http") && url.userInfo().isEmpty() &&
           isThisMachine(url.host());
}

void httpPost(const QUrl& url, const QByteArray& type, const QByteArray& body, qint64 mostAnswer,
              QObject* context, HttpDone done) {
    auto answer = std::make_shared<QByteArray>();
    new Request(
        url, requestOf(url, "POST", type, body), mostAnswer, context,
        [answer](const QByteArray& bytes) {
            answer->append(bytes);
            return true;
        },
        [answer, done = std::move(done)](const QString& failure) { done(*answer, failure); });
}

void httpDownload(const QUrl& url, const QString& path, qint64 mostBytes, QObject* context,
                  std::function<void(const QString& failure)> done) {
    auto file = std::make_shared<QFile>(path);
    const bool isOpen = file->open(QIODevice::WriteOnly | QIODevice::NewOnly);
    new Request(
        url, requestOf(url, "GET", {}, {}), mostBytes, context,
        [file, isOpen](const QByteArray& bytes) {
            return isOpen && file->write(bytes) == bytes.size();
        },
        [file, isOpen, done = std::move(done)](const QString& failure) {
            const bool isWhole = failure.isEmpty() && file->flush();
            file->close();
            if (!isWhole && isOpen) file->remove();
            done(isWhole || !failure.isEmpty() ? failure : file->errorString());
        });
}

void httpPostAtEnd(const QUrl& url, const QByteArray& type, const QByteArray& body) {
    // Name resolution has no time limit, so only the loopback address is used, under any of its
    // names.
    const bool isLocalhost = url.host().toLower() == QLatin1String("localhost");
    const QHostAddress host(isLocalhost ? QStringLiteral("127.0.0.1") : url.host());
    if (!isOfThisMachine(url) || host.isNull()) return;
    const QDeadlineTimer end(kLastWords);
    const auto left = [&end] { return static_cast<int>(end.remainingTime()); };
    QTcpSocket socket;
    socket.setProxy(QNetworkProxy::NoProxy);
    socket.connectToHost(host, static_cast<quint16>(url.port(80)));
    if (!socket.waitForConnected(left())) return;
    socket.write(requestOf(url, "POST", type, body));
    while (socket.bytesToWrite() > 0)
        if (!socket.waitForBytesWritten(left())) return;
    // Servers that are still reading may treat an early close as a failure.
    socket.waitForReadyRead(left());
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// SAMP over real sockets: HTTP, hubs found and refused, messages between programs, and untrusted
// input to the port.
#include <QHostInfo>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/samp/http_reader.h"
#include "armilla/samp/samp_client.h"
#include "support/patience.h"
#include "support/samp_hub.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using Progress = HttpReader::Progress;

QVariantMap named(const char* name) {
    return {{"samp.name", name}};
}

// The complete response of a socket on this machine to these bytes.
QByteArray said(const QUrl& url, const QByteArray& bytes) {
    QTcpSocket socket;
    QByteArray answer;
    QObject::connect(&socket, &QTcpSocket::readyRead, &socket, [&] { answer += socket.readAll(); });
    socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
    if (!QTest::qWaitFor([&] { return socket.state() == QAbstractSocket::ConnectedState; },
                         kPatience))
        return {};
    socket.write(bytes);
    const bool isOver = QTest::qWaitFor(
        [&] { return socket.state() == QAbstractSocket::UnconnectedState; }, kPatience);
    return isOver ? answer + socket.readAll() : "still open";
}

// A client at a hub, and its received messages.
struct Listener {
    SampTestHub hub;
    SampClient client{named("Client"), {"x.a"}};
    QSignalSpy taken{&client, &SampClient::received};
    Listener() {
        client.connectToHub();
        [&] {
            QTRY_COMPARE_WITH_TIMEOUT(client.state(), SampClient::State::Connected, kPatience);
        }();
    }
    // The hub's record of the client.
    auto self() { return hub.clients.at(client.ownId()); }
};

const QString kNotice = "samp.client.receiveNotification";

QByteArray posted(const QUrl& url, const QByteArray& body) {
    return "POST " + url.path().toLatin1() +
           " HTTP/1.1\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

class SampTest : public QObject {
    Q_OBJECT

private slots:
    void httpMessages_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("status");  // 0: done
        QTest::addColumn<QByteArray>("body");
        const auto kRequest = static_cast<int>(HttpReader::Kind::Request);
        const auto kResponse = static_cast<int>(HttpReader::Kind::Response);
        const QByteArray post = "POST /x HTTP/1.1\r\n", ok = "HTTP/1.1 200 OK\r\n";
        QTest::newRow("length") << post + "Content-Length: 3\r\n\r\nabc" << kRequest << 0
                                << QByteArray("abc");
        QTest::newRow("line feeds alone") << QByteArray("POST /x HTTP/1.0\ncontent-LENGTH:3\n\nabc")
                                          << kRequest << 0 << QByteArray("abc");
        QTest::newRow("no body") << post + "\r\n" << kRequest << 0 << QByteArray();
        QTest::newRow("chunks")
            << ok + "Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\n"
                    "trailer: x\r\n\r\n"
            << kResponse << 0 << QByteArray("abc0123456789");
        QTest::newRow("until the end") << ok + "\r\nabc" << kResponse << 0 << QByteArray("abc");
        QTest::newRow("cut short")
            << ok + "Content-Length: 4\r\n\r\nabc" << kResponse << 400 << QByteArray("abc");
        QTest::newRow("too long") << post + "Content-Length: 101\r\n\r\n"
                                  << kRequest << 413 << QByteArray();
        QTest::newRow("too long without a length")
            << ok + "\r\n" + QByteArray(101, 'x') << kResponse << 413 << QByteArray(101, 'x');
        QTest::newRow("negative") << post + "Content-Length: -3\r\n\r\n"
                                  << kRequest << 400 << QByteArray();
        QTest::newRow("signed") << post + "Content-Length: +3\r\n\r\n"
                                << kRequest << 400 << QByteArray();
        QTest::newRow("overflow") << post + "Content-Length: 99999999999999999999\r\n\r\n"
                                  << kRequest << 400 << QByteArray();
        QTest::newRow("two lengths") << post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n"
                                     << kRequest << 400 << QByteArray();
        QTest::newRow("length and chunks")
            << post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
            << kRequest << 501 << QByteArray();
        QTest::newRow("packed") << post + "Transfer-Encoding: gzip\r\n\r\n"
                                << kRequest << 501 << QByteArray();
        QTest::newRow("huge chunk") << ok + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFF\r\n"
                                    << kResponse << 413 << QByteArray();
        QTest::newRow("no chunk") << ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"
                                  << kResponse << 400 << QByteArray();
        QTest::newRow("no chunk's end") << ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"
                                        << kResponse << 400 << QByteArray("a");
        QTest::newRow("endless head")
            << post + QByteArray(20000, 'x') << kRequest << 431 << QByteArray();
        QTest::newRow("no header") << post + "hello\r\n\r\n" << kRequest << 400 << QByteArray();
        QTest::newRow("no http") << QByteArray("EHLO x\r\n\r\n") << kRequest << 400 << QByteArray();
        QTest::newRow("zeros") << QByteArray(40000, '\0') << kRequest << 431 << QByteArray();
    }
    // In one piece, and byte by byte.
    void httpMessages() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, kind);
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        for (const qsizetype step : {bytes.size(), qsizetype{1}}) {
            HttpReader reader(static_cast<HttpReader::Kind>(kind), 100);
            QByteArray found;
            for (qsizetype at = 0; at < bytes.size(); at += step) {
                reader.feed(QByteArrayView(bytes).sliced(at, std::min(step, bytes.size() - at)));
                found += reader.takeBody();
            }
            const Progress progress =
                reader.progress() == Progress::More ? reader.close() : reader.progress();
            QCOMPARE(progress, status == 0 ? Progress::Done : Progress::Refused);
            QCOMPARE(reader.refusedAs(), status);
            QCOMPARE(found, body);
        }
    }
    void strangersAreRefused() {
        int asked = 0;
        HttpServer server("text/xml", 1000, [&](const QByteArray& body) {
            ++asked;
            return body + "!";
        });
        QVERIFY(server.listen());
        const QUrl url = server.url();
        QVERIFY(isOfThisMachine(url));
        const QByteArray path = url.path().toLatin1();
        QVERIFY(path.size() > 30);  // cannot be guessed
        const auto first = [&](const QByteArray& bytes) {
            return said(url, bytes).split('\r').first();
        };
        const QByteArray length = "Content-Length: 2\r\n", end = "\r\nab";
        QVERIFY(said(url, "POST " + path + " HTTP/1.1\r\n" + length + end).endsWith("\r\n\r\nab!"));
        QCOMPARE(asked, 1);
        QCOMPARE(first("GET " + path + " HTTP/1.1\r\n\r\n"),
                 QByteArray("HTTP/1.1 405 Method Not Allowed"));
        QCOMPARE(first("POST / HTTP/1.1\r\n" + length + end), QByteArray("HTTP/1.1 404 Not Found"));
        QCOMPARE(first("POST " + path + " HTTP/1.1\r\n\r\n"),
                 QByteArray("HTTP/1.1 411 Length Required"));
        QCOMPARE(
            first("POST " + path + " HTTP/1.1\r\nOrigin: http://evil.example\r\n" + length + end),
            QByteArray("HTTP/1.1 403 Forbidden"));
        QCOMPARE(first("POST " + path + " HTTP/1.1\r\nContent-Length: 1001\r\n\r\n"),
                 QByteArray("HTTP/1.1 413 Content Too Large"));
        QCOMPARE(first("\x16\x03\x01 TLS?\r\n\r\n"), QByteArray("HTTP/1.1 400 Bad Request"));
        QVERIFY(said(url, "POST " + path + " HTTP/1.1\r\nExpect: 100-continue\r\n" + length + end)
                    .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"));
        QCOMPARE(asked, 2);
        // A limited number at a time.
        std::vector<std::unique_ptr<QTcpSocket>> idle;
        for (int i = 0; i < HttpServer::kMostConnections; ++i) {
            idle.push_back(std::make_unique<QTcpSocket>());
            idle.back()->connectToHost(url.host(), static_cast<quint16>(url.port()));
        }
        for (const auto& each : idle)
            QTRY_COMPARE_WITH_TIMEOUT(each->state(), QAbstractSocket::ConnectedState, kPatience);
        // The server accepts connections in the order of their arrival.
        QCOMPARE(first("POST " + path + " HTTP/1.1\r\n" + length + end),
                 QByteArray("HTTP/1.1 503 Service Unavailable"));
        QCOMPARE(asked, 2);
        idle.clear();
        // Until the server has noticed the closed connections.
        QTRY_COMPARE_WITH_TIMEOUT(first("POST " + path + " HTTP/1.1\r\n" + length + end),
                                  QByteArray("HTTP/1.1 200 OK"), kPatience);
    }
    void onlyThisMachineIsAsked() {
        for (const char* url : {"http://127.0.0.1:80/x", "http://localhost/", "http://[::1]:5/"})
            QVERIFY2(isOfThisMachine(QUrl(url)), url);
        for (const char* url :
             {"http://192.0.2.1/", "http://example.org/", "https://127.0.0.1/", "ftp://127.0.0.1/",
              "http://user@127.0.0.1/", "http://127.0.0.1.example.org/", "file:///x", "",
              "http://0.0.0.0/", "http://localhost.example.org/"})
            QVERIFY2(!isOfThisMachine(QUrl(url)), url);
        QString line;
        httpPost(QUrl("http://192.0.2.1/"), "text/xml", "x", 100, this,
                 [&](const QByteArray&, const QString& failure) { line = failure; });
        QVERIFY(line.isEmpty());  // the callback never runs before the call has returned
        QTRY_VERIFY_WITH_TIMEOUT(line.contains("this machine"), kPatience);
    }
    void downloadsAreBounded() {
        QTemporaryDir folder;
        const QString path = folder.filePath("x");
        QByteArray content(100000, 'x');
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&] {
            QTcpSocket* socket = server.nextPendingConnection();
            socket->write("HTTP/1.0 200 OK\r\n\r\n" + content);
            socket->disconnectFromHost();
        });
        const QUrl url(QString("http://127.0.0.1:%1/f").arg(server.serverPort()));
        const auto fetch = [&](qint64 most) {
            std::optional<QString> failure;
            httpDownload(url, path, most, this, [&](const QString& line) { failure = line; });
            [&] { QTRY_VERIFY_WITH_TIMEOUT(failure, kPatience); }();
            return failure.value_or("none");
        };
        QCOMPARE(fetch(100000), QString());
        QCOMPARE(QFileInfo(path).size(), 100000);
        QVERIFY(!fetch(100000).isEmpty());  // no file is overwritten
        QCOMPARE(QFileInfo(path).size(), 100000);
        QFile::remove(path);
        QVERIFY(fetch(99999).contains("99999"));
        QVERIFY(!QFile::exists(path));
    }
    void hubsAreFound_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("line");  // empty: found
        const QByteArray url = "samp.hub.xmlrpc.url=http://127.0.0.1:1/x\n";
        QTest::newRow("good") << "samp.secret=s\n" + url << QString();
        QTest::newRow("windows") << "samp.secret=s\r\n" + url << QString();
        QTest::newRow("no secret") << url << "the secret";
        QTest::newRow("no address") << QByteArray("samp.secret=s\n") << "the address";
        QTest::newRow("elsewhere")
            << QByteArray("samp.secret=s\nsamp.hub.xmlrpc.url=http://192.0.2.7/\n")
            << "of this machine";
        QTest::newRow("zeros") << QByteArray(100000, '\0') << "the address";
    }
    void hubsAreFound() {
        QFETCH(QByteArray, content);
        QFETCH(QString, line);
        QTemporaryDir folder;
        QFile file(folder.filePath("a hub"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        qputenv("SAMP_HUB", "std-lockurl:" + QUrl::fromLocalFile(file.fileName()).toEncoded());
        try {
            const SampHub hub = findSampHub();
            QVERIFY(line.isEmpty());
            QCOMPARE(hub.secret, QString("s"));
            QCOMPARE(hub.url, QUrl("http://127.0.0.1:1/x"));
        } catch (const Error& error) {
            const QString found = error.what();
            QVERIFY2(!line.isEmpty() && found.contains(line), qPrintable(found));
        }
        for (const char* other : {"std-lockurl:http://example.org/samp", "nonsense"}) {
            qputenv("SAMP_HUB", other);
            QVERIFY_EXCEPTION_THROWN(findSampHub(), InvalidArgument);
        }
        qputenv("SAMP_HUB", "std-lockurl:file:///nowhere/samp");
        QVERIFY_EXCEPTION_THROWN(findSampHub(), IoError);
        qunsetenv("SAMP_HUB");
    }
    void programsTalk() {
        SampTestHub hub;
        SampClient one(named("One"), {"coord.pointAt.sky"}), two(named("Two"), {"x.a", "x.b"});
        QSignalSpy failures(&one, &SampClient::failed), taken(&two, &SampClient::received),
            answers(&one, &SampClient::answered);
        one.connectToHub();
        QCOMPARE(one.state(), SampClient::State::Connecting);
        QTRY_COMPARE_WITH_TIMEOUT(one.state(), SampClient::State::Connected, kPatience);
        two.connectToHub();
        QTRY_COMPARE_WITH_TIMEOUT(two.state(), SampClient::State::Connected, kPatience);
        // A program that registers later is known by name and accepted types.
        const auto knows = [](const SampClient& client, const QString& id, const QString& name,
                              const QString& mtype) {
            for (const SampPeer& peer : client.peers())
                if (peer.id == id) return peer.name == name && peer.takes(mtype);
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(knows(one, two.ownId(), "Two", "x.b"), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(knows(two, one.ownId(), "One", "coord.pointAt.sky"), kPatience);
        QVERIFY(!knows(two, one.ownId(), "One", "x.a"));

        one.notify({}, "x.a", {{"p", QString("1 < 2")}});
        QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 1, kPatience);
        auto message = taken[0][0].value<SampMessage>();
        QCOMPARE(message.sender, one.ownId());
        QCOMPARE(message.mtype, QString("x.a"));
        QCOMPARE(message.parameters, (QVariantMap{{"p", QString("1 < 2")}}));
        QVERIFY(message.id.isEmpty());
        one.notify(two.ownId(), "x.b", {});
        QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 2, kPatience);

        one.call(two.ownId(), "x.a", {}, "good");
        QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 3, kPatience);
        two.reply(taken[2][0].value<SampMessage>());
        QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 1, kPatience);
        QCOMPARE(answers[0], (QList<QVariant>{QString("good"), two.ownId(), QString()}));
        one.call(two.ownId(), "x.a", {}, "bad");
        QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 4, kPatience);
        two.reply(taken[3][0].value<SampMessage>(), "cannot");
        QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 2, kPatience);
        QCOMPARE(answers[1], (QList<QVariant>{QString("bad"), two.ownId(), QString("cannot")}));
        // The client responds without help of the application.
        one.call(two.ownId(), "samp.app.ping", {}, "ping");
        QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 3, kPatience);
        QCOMPARE(answers[2][2].toString(), QString());
        one.call(two.ownId(), "y.z", {}, "unwanted");
        QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 4, kPatience);
        QVERIFY(answers[3][2].toString().contains("y.z"));
        QCOMPARE(taken.count(), 4);

        two.disconnectFromHub();
        QCOMPARE(two.state(), SampClient::State::Off);
        QTRY_VERIFY_WITH_TIMEOUT(!knows(one, "c2", "Two", "x.b"), kPatience);
        QVERIFY(failures.isEmpty());
        hub.shutDown();
        QTRY_COMPARE_WITH_TIMEOUT(one.state(), SampClient::State::Off, kPatience);
        QCOMPARE(failures.count(), 1);
        QVERIFY(failures[0][0].toString().contains("ended"));
        QVERIFY(one.peers().empty());
    }
    void theEndIsTold() {
        SampTestHub hub;
        {
            SampClient client(named("Short"), {});
            client.connectToHub();
            QTRY_COMPARE_WITH_TIMEOUT(client.state(), SampClient::State::Connected, kPatience);
            QCOMPARE(hub.clients.size(), size_t{1});
        }
        QTRY_COMPARE_WITH_TIMEOUT(hub.clients.size(), size_t{0}, kPatience);
        QCOMPARE(hub.methods.last(), QString("samp.hub.unregister"));
    }
    // Calls to the port of a client from senders other than its hub.
    void forgedMessagesAreRefused() {
        Listener listener;
        SampTestHub& hub = listener.hub;
        SampClient& client = listener.client;
        QSignalSpy& taken = listener.taken;
        const auto self = listener.self();
        const QVariantMap message{{"samp.mtype", "x.a"}, {"samp.params", QVariantMap()}};
        const auto faultOf = [&](const XmlRpcCall& call) {
            std::optional<XmlRpcAnswer> answer;
            httpPost(QUrl(self.callback), "text/xml", toXml(call), 10000, this,
                     [&](const QByteArray& body, const QString&) { answer = answerFromXml(body); });
            [&] { QTRY_VERIFY_WITH_TIMEOUT(answer, kPatience); }();
            return answer ? answer->fault.value_or("") : "no answer";
        };
        QVERIFY(faultOf({kNotice, {"guess", "hub", message}}).contains("private key"));
        QVERIFY(faultOf({kNotice, {"", "hub", message}}).contains("private key"));
        QVERIFY(faultOf({kNotice, {self.key}}).contains("3 parameters"));
        QVERIFY(faultOf({kNotice, {self.key, "hub", "text"}}).contains("a message"));
        QVERIFY(faultOf({kNotice, {self.key, "hub", QVariantMap()}}).contains("message type"));
        QVERIFY(faultOf({"system.listMethods", {}}).contains("system.listMethods"));
        QVERIFY(faultOf({"", {}}).contains("method"));
        QCOMPARE(faultOf({kNotice, {self.key, "hub", message}}), QString());
        QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 1, kPatience);
        // Events of the hub come from the hub.
        hub.deliver(client.ownId(), "c9", "samp.hub.event.shutdown", {});
        hub.deliver(client.ownId(), "c9", "samp.hub.event.register", {{"id", "c77"}});
        hub.deliver(client.ownId(), "c9", "x.a", {});
        QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 2, kPatience);
        QCOMPARE(client.state(), SampClient::State::Connected);
        for (const SampPeer& peer : client.peers()) QVERIFY(peer.id != "c77");
        // At most as many names as a menu holds.
        for (int i = 0; i < 300; ++i)
            hub.deliver(client.ownId(), "hub", "samp.hub.event.metadata",
                        {{"id", QString("x%1").arg(i)}, {"metadata", named("X")}});
        hub.deliver(client.ownId(), "hub", "x.a", {});
        QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 3, kPatience);
        QCOMPARE(client.peers().size(), size_t{256});
    }
    // A program that leaves before its metadata arrive is not added again by the late response.
    void thoseWhoLeftStayAway() {
        SampTestHub hub;
        SampClient client(named("Client"), {"x.a"});
        client.connectToHub();
        QTRY_COMPARE_WITH_TIMEOUT(client.state(), SampClient::State::Connected, kPatience);
        const auto knows = [&](const QString& id) {
            return std::any_of(client.peers().begin(), client.peers().end(),
                               [&](const SampPeer& peer) { return peer.id == id; });
        };
        int asked = 0;
        hub.misbehave = [&](const QByteArray& xml) {
            const XmlRpcCall call = callFromXml(xml);
            if (call.parameters.value(1).toString() == "c9" && ++asked == 1) {
                hub.deliver(client.ownId(), "hub", "samp.hub.event.unregister", {{"id", "c9"}});
                [&] { QTRY_VERIFY_WITH_TIMEOUT(!knows("c9"), kPatience); }();
            }
            return hub.answer(xml);
        };
        hub.deliver(client.ownId(), "hub", "samp.hub.event.register", {{"id", "c9"}});
        QTRY_COMPARE_WITH_TIMEOUT(asked, 2, kPatience);
        // After both responses.
        hub.deliver(client.ownId(), "hub", "samp.hub.event.register", {{"id", "c10"}});
        QTRY_VERIFY_WITH_TIMEOUT(knows("c10"), kPatience);
        QVERIFY(!knows("c9"));
    }
    // The last message waits for no response and no name resolution.
    void lastWordsAreShort() {
        QTcpServer silent;  // accepts, and never responds
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        httpPostAtEnd(QUrl(QString("http://localhost:%1/").arg(silent.serverPort())), "text/xml",
                      QByteArray(1000, 'x'));
        QTRY_VERIFY_WITH_TIMEOUT(silent.hasPendingConnections(), kPatience);
        delete silent.nextPendingConnection();
        const QString own = QHostInfo::localHostName();
        if (own.isEmpty() || own == "localhost") return;
        httpPostAtEnd(QUrl(QString("http://%1:%2/").arg(own).arg(silent.serverPort())), "text/xml",
                      "x");
        // Later connections queue in the order in which the server accepts them.
        QTcpSocket next;
        next.connectToHost(QHostAddress(QHostAddress::LocalHost), silent.serverPort());
        QTRY_VERIFY_WITH_TIMEOUT(silent.hasPendingConnections(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(next.state(), QAbstractSocket::ConnectedState, kPatience);
        const std::unique_ptr<QTcpSocket> first(silent.nextPendingConnection());
        QCOMPARE(first->peerPort(), next.localPort());
    }
    // No action of the window's thread is needed.
    void messagesAreReadInAnotherThread() {
        Listener listener;
        const auto self = listener.self();
        QVariantList rows;
        for (int i = 0; i < 100000; ++i) rows.append(QString::number(i));
        const QByteArray body = toXml(XmlRpcCall{
            kNotice,
            {self.key, "hub",
             QVariantMap{{"samp.mtype", "x.a"}, {"samp.params", QVariantMap{{"rows", rows}}}}}});
        const QUrl url(self.callback);
        // Blocks this thread: no event loop runs in it.
        QTcpSocket socket;
        socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
        QVERIFY(socket.waitForConnected(kPatience));
        socket.write(posted(url, body));
        QByteArray answer;
        while (!answer.contains("methodResponse>")) {
            QVERIFY(socket.waitForReadyRead(kPatience));
            answer += socket.readAll();
        }
        QVERIFY(answer.startsWith("HTTP/1.1 200 OK"));
        QCOMPARE(listener.taken.count(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(listener.taken.count(), 1, kPatience);
        QCOMPARE(listener.taken[0][0].value<SampMessage>().parameters["rows"].toList().size(),
                 qsizetype{100000});
    }
    // The same at the end: reading a message stops at its first value. The second value is invalid,
    // so continuing would fail with another exception.
    void whatIsReadAtTheEndIsGivenUp() {
        const QByteArray xml =
            "<methodCall><methodName>m</methodName><params><param><value><array><data>"
            "<value><string>1</string></value><value><odd>2</odd></value>"
            "</data></array></value></param></params></methodCall>";
        QVERIFY_EXCEPTION_THROWN(callFromXml(xml), InvalidArgument);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(callFromXml(xml, stop.get_token()), Cancelled);
        const XmlRpcCall call{"m", {QVariantList{"1", "2"}}};
        QVERIFY(!toXml(call).isEmpty());
        QVERIFY_EXCEPTION_THROWN(toXml(call, stop.get_token()), Cancelled);
    }
    // A message that never ends.
    void theEndWaitsForNoMessage() {
        auto listener = std::make_unique<Listener>();
        const QUrl url(listener->self().callback);
        QTcpSocket socket;
        socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
        QVERIFY(socket.waitForConnected(kPatience));
        const QByteArray all = posted(url, QByteArray(1000000, 'x'));
        socket.write(all.left(all.size() / 2));
        while (socket.bytesToWrite() > 0) QVERIFY(socket.waitForBytesWritten(kPatience));
        listener.reset();
        QTRY_VERIFY_WITH_TIMEOUT(socket.state() == QAbstractSocket::UnconnectedState, kPatience);
        QVERIFY(socket.readAll().isEmpty());
    }
    void badHubsAreRefused_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("page") << QByteArray("<html><body>hello</body></html>");
        QTest::newRow("text") << toXml(XmlRpcAnswer{QString("yes"), std::nullopt});
        QTest::newRow("no key") << toXml(
            XmlRpcAnswer{QVariantMap{{"samp.hub-id", "h"}, {"samp.self-id", "s"}}, std::nullopt});
        QTest::newRow("fault") << toXml(XmlRpcAnswer{{}, QString("go away")});
    }
    void badHubsAreRefused() {
        QFETCH(QByteArray, answer);
        SampTestHub hub;
        hub.misbehave = [&](const QByteArray&) { return answer; };
        SampClient client(named("Client"), {});
        QSignalSpy failures(&client, &SampClient::failed);
        client.connectToHub();
        QTRY_COMPARE_WITH_TIMEOUT(failures.count(), 1, kPatience);
        QCOMPARE(client.state(), SampClient::State::Off);
        QVERIFY(!failures[0][0].toString().contains('\n'));
    }
    void deadHubsAreTold() {
        SampTestHub hub;
        hub.writeLockfile("http://127.0.0.1:1/xmlrpc");  // no process listens here
        SampClient client(named("Client"), {});
        QSignalSpy failures(&client, &SampClient::failed);
        client.connectToHub();
        QTRY_COMPARE_WITH_TIMEOUT(failures.count(), 1, kPatience);
        QVERIFY(failures[0][0].toString().contains("does not answer"));
        QCOMPARE(client.state(), SampClient::State::Off);
        // At a program start without a request, the lock file of a killed hub is ignored silently.
        QSignalSpy states(&client, &SampClient::stateChanged);
        client.connectToHub(SampClient::Failure::Silent);
        QTRY_COMPARE_WITH_TIMEOUT(states.count(), 2, kPatience);
        QCOMPARE(client.state(), SampClient::State::Off);
        QCOMPARE(failures.count(), 1);
        // A retry finds the restarted hub.
        hub.writeLockfile(hub.url().toString());
        client.connectToHub();
        QTRY_COMPARE_WITH_TIMEOUT(client.state(), SampClient::State::Connected, kPatience);
    }
};

QTEST_GUILESS_MAIN(SampTest)
#include "tst_samp.moc"

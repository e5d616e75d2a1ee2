// SPDX-License-Identifier: GPL-3.0-or-later
#include "samp_wire.h"

#include <utility>

#include "armilla/core/error.h"
#include "armilla/samp/http_client.h"
#include "armilla/samp/http_server.h"

namespace armilla {

namespace {

// A list of a million rows, each as a text in XML.
constexpr qint64 kMostMessage = qint64{64} << 20;
const QByteArray kXml = "text/xml";

// The response to a call, if `taken` has not thrown.
template <typename Taken>
QByteArray answerTo(const QByteArray& xml, const std::stop_token& stop, const Taken& taken) {
    XmlRpcAnswer given{QString(), std::nullopt};
    try {
        taken(callFromXml(xml, stop));
    } catch (const Error& error) {
        given.fault = QString::fromUtf8(error.what());
    } catch (const Cancelled&) {
        given.fault = QStringLiteral("expected a program that runs, found one that ends");
    }
    return toXml(given);
}

XmlRpcAnswer readAnswer(const QByteArray& xml, const std::stop_token& stop) {
    try {
        return answerFromXml(xml, stop);
    } catch (const Cancelled&) {
        return {};  // the receiver no longer exists
    } catch (const Error& error) {
        return {{}, QString::fromUtf8(error.what())};
    }
}

}  // namespace

SampWire::SampWire(QObject& home) : home_(home), lane_(new QObject) {
    lane_->moveToThread(&thread_);
    QObject::connect(&thread_, &QThread::finished, lane_, &QObject::deleteLater);
    thread_.setObjectName(QStringLiteral("samp"));
    thread_.start();
}

SampWire::~SampWire() {
    stop_.request_stop();
    QMetaObject::invokeMethod(
        lane_,
        [this] {
            server_.reset();
            thread_.quit();
        },
        Qt::QueuedConnection);
    thread_.wait();
}

QUrl SampWire::listen(std::function<void(const XmlRpcCall&)> check,
                      std::function<void(const XmlRpcCall&)> take) {
    QUrl url;
    QMetaObject::invokeMethod(
        lane_,
        [&] {
            server_ = std::make_unique<HttpServer>(
                kXml, kMostMessage,
                [this, check = std::move(check), take = std::move(take)](const QByteArray& xml) {
                    return answerTo(xml, stop_.get_token(), [&](const XmlRpcCall& call) {
                        check(call);
                        // The call is processed after the hub has received the response.
                        QMetaObject::invokeMethod(
                            &home_, [take, call] { take(call); }, Qt::QueuedConnection);
                    });
                });
            if (server_->listen()) url = server_->url();
        },
        Qt::BlockingQueuedConnection);
    return url;
}

void SampWire::stopListening() {
    QMetaObject::invokeMethod(
        lane_, [this] { server_.reset(); }, Qt::QueuedConnection);
}

void SampWire::ask(const QUrl& hub, const XmlRpcCall& call,
                   std::function<void(const XmlRpcAnswer&, const QString& failure)> done) {
    QMetaObject::invokeMethod(
        lane_,
        [this, hub, call, done = std::move(done)] {
            QByteArray xml;
            try {
                xml = toXml(call, stop_.get_token());
            } catch (const Cancelled&) {
                return;
            }
            httpPost(hub, kXml, xml, kMostMessage, lane_,
                     [this, done](const QByteArray& body, const QString& failure) {
                         const XmlRpcAnswer given = failure.isEmpty()
                                                        ? readAnswer(body, stop_.get_token())
                                                        : XmlRpcAnswer{};
                         QMetaObject::invokeMethod(
                             &home_, [done, given, failure] { done(given, failure); },
                             Qt::QueuedConnection);
                     });
        },
        Qt::QueuedConnection);
}

void SampWire::download(const QUrl& url, const QString& path, qint64 mostBytes,
                        std::function<void(const QString& failure)> done) {
    QMetaObject::invokeMethod(
        lane_,
        [this, url, path, mostBytes, done = std::move(done)] {
            httpDownload(url, path, mostBytes, lane_, [this, done](const QString& failure) {
                QMetaObject::invokeMethod(
                    &home_, [done, failure] { done(failure); }, Qt::QueuedConnection);
            });
        },
        Qt::QueuedConnection);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The sockets of a SAMP client in a separate thread. There, lists of a million rows are converted
// to and from XML, and files are saved as they arrive.
#pragma once

#include <QObject>
#include <QString>
#include <QThread>
#include <QUrl>
#include <functional>
#include <memory>
#include <stop_token>

#include "armilla/samp/xml_rpc.h"

namespace armilla {

class HttpServer;

class SampWire {
public:
    // Callbacks run in the thread of `home`, which must outlive this object, and only during the
    // lifetime of this object.
    explicit SampWire(QObject& home);
    // Stops work in progress; a message within its XML first reaches the end of that.
    ~SampWire();

    // Listens for calls; returns the address, empty if no port is available. `check` runs in the
    // wire's thread and throws Error to refuse a call; `take` receives accepted calls.
    QUrl listen(std::function<void(const XmlRpcCall&)> check,
                std::function<void(const XmlRpcCall&)> take);
    void stopListening();
    // `failure`: a line if there is no response.
    void ask(const QUrl& hub, const XmlRpcCall& call,
             std::function<void(const XmlRpcAnswer&, const QString& failure)> done);
    // See httpDownload().
    void download(const QUrl& url, const QString& path, qint64 mostBytes,
                  std::function<void(const QString& failure)> done);

private:
    QObject& home_;
    std::stop_source stop_;
    QThread thread_;
    QObject* lane_;                       // lives in the thread, with its children
    std::unique_ptr<HttpServer> server_;  // used in the thread
};

}  // namespace armilla

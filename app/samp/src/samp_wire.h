// SPDX-License-Identifier: GPL-3.0-or-later
// The sockets of a SAMP client in a thread of their own: lists of a million rows are written and
// read as XML there, and files are saved as they come.
#pragma once

#include <QObject>
#include <QString>
#include <QThread>
#include <QUrl>
#include <functional>
#include <memory>
#include <stop_token>

#include "samp/xml_rpc.h"

namespace armilla {

class HttpServer;

class SampWire {
public:
    // Callbacks come in the thread of `home`, which must outlive this, as long as this lives.
    explicit SampWire(QObject& home);
    // Ends what is under way; a message in the midst of its XML at that one's end.
    ~SampWire();

    // Starts to listen for calls; its address, empty where no port is free. `check` is called in
    // the wire's thread and throws Error for a call that is refused; `take` has the others.
    QUrl listen(std::function<void(const XmlRpcCall&)> check,
                std::function<void(const XmlRpcCall&)> take);
    void stopListening();
    // `failure`: a line if there is no answer.
    void ask(const QUrl& hub, const XmlRpcCall& call,
             std::function<void(const XmlRpcAnswer&, const QString& failure)> done);
    // As httpDownload.
    void download(const QUrl& url, const QString& path, qint64 mostBytes,
                  std::function<void(const QString& failure)> done);

private:
    QObject& home_;
    std::stop_source stop_;
    QThread thread_;
    QObject* lane_;                       // of the thread, with all that lives there
    std::unique_ptr<HttpServer> server_;  // the thread's
};

}  // namespace armilla

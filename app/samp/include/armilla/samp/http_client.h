// SPDX-License-Identifier: GPL-3.0-or-later
// HTTP requests, bounded in size and time, to servers on this machine only.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QUrl>
#include <functional>

namespace armilla {

// True if a host is this machine: the loopback address or the machine's own name.
bool isThisMachine(const QString& host);
// True if a URL names an HTTP server on this machine.
bool isOfThisMachine(const QUrl& url);

// Starts a request and returns at once. `done` is called once, later, from the event loop, unless
// `context` is gone. It receives the body and an empty line, or a line with the failure. The
// response must come from this machine, whatever the name resolves to, with status 200.
using HttpDone = std::function<void(const QByteArray& body, const QString& failure)>;
void httpPost(const QUrl& url, const QByteArray& type, const QByteArray& body, qint64 mostAnswer,
              QObject* context, HttpDone done);
// Same as httpPost(), but a GET request into a file. The file is removed after a failure.
void httpDownload(const QUrl& url, const QString& path, qint64 mostBytes, QObject* context,
                  std::function<void(const QString& failure)> done);
// Sends a last request and waits until it is sent, at most a fifth of a second in total. Only to
// the loopback address or "localhost"; other hosts are ignored.
void httpPostAtEnd(const QUrl& url, const QByteArray& type, const QByteArray& body);

}  // namespace armilla

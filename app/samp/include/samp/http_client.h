// SPDX-License-Identifier: GPL-3.0-or-later
// HTTP requests to servers of this machine, and to no other: bounded in size and time.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QUrl>
#include <functional>

namespace armilla {

// Whether a host is this machine: the loopback address or the machine's own name.
bool isThisMachine(const QString& host);
// Whether a URL names a server of this machine, by http.
bool isOfThisMachine(const QUrl& url);

// Starts a request and returns at once; `done` comes later, from the event loop, once, unless
// `context` is gone by then: the body and an empty line, or a line that says what failed. The
// answer must come from this machine, whatever the name leads to, with status 200.
using HttpDone = std::function<void(const QByteArray& body, const QString& failure)>;
void httpPost(const QUrl& url, const QByteArray& type, const QByteArray& body, qint64 mostAnswer,
              QObject* context, HttpDone done);
// The same into a file, which is removed if that fails.
void httpDownload(const QUrl& url, const QString& path, qint64 mostBytes, QObject* context,
                  std::function<void(const QString& failure)> done);
// Says something for the last time, and waits for it to be sent, a fifth of a second at most in
// all. To the loopback address or "localhost"; nothing is said to a server named otherwise.
void httpPostAtEnd(const QUrl& url, const QByteArray& type, const QByteArray& body);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Incremental, bounded parser of one HTTP/1.1 message: a request or a response.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <map>
#include <optional>

namespace armilla {

// Parses one message; feed() receives its bytes in any number of pieces.
class HttpReader {
public:
    enum class Kind { Request, Response };
    // More: incomplete; Done: complete; Refused: see refusedAs().
    enum class Progress { More, Done, Refused };
    // `mostBody`: size limit of bodies, bytes; kMostHead: size limit of headers.
    static constexpr qsizetype kMostHead = 16384;
    HttpReader(Kind kind, qint64 mostBody) : kind_(kind), mostBody_(mostBody) {}

    // Parses received bytes; bytes after a complete message are ignored.
    Progress feed(QByteArrayView bytes);
    // The peer has closed the connection, which ends a response of unknown length.
    Progress close();
    Progress progress() const { return progress_; }
    // Why a message was refused: the HTTP status, and a line.
    int refusedAs() const { return refusedAs_; }
    const QString& refusal() const { return refusal_; }

    // True after the complete header has arrived.
    bool hasHead() const { return stage_ != Stage::Head; }
    // "POST /path HTTP/1.1", "HTTP/1.1 200 OK"
    const QByteArray& startLine() const { return startLine_; }
    // By lower-case name; null if absent.
    QByteArray header(const char* name) const;
    // The body bytes received since the last call.
    QByteArray takeBody();

private:
    enum class Stage { Head, Length, ChunkSize, ChunkData, ChunkEnd, Trailer, UntilClose, Done };
    Progress refuse(int status, const QString& line);
    bool step();  // false: needs more
    bool readHead();
    bool readLine(QByteArray& line);
    bool readChunkSize();
    bool readBody();

    Kind kind_;
    qint64 mostBody_, left_ = 0, total_ = 0;
    Stage stage_ = Stage::Head;
    Progress progress_ = Progress::More;
    int refusedAs_ = 0;
    QString refusal_;
    QByteArray waiting_, body_, startLine_;
    std::map<QByteArray, QByteArray> headers_;
};

}  // namespace armilla

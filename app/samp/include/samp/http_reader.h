// SPDX-License-Identifier: GPL-3.0-or-later
// One HTTP/1.1 message as its bytes come in, bounded: a request to a server or the answer to one.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <map>
#include <optional>

namespace armilla {

class HttpReader {
public:
    enum class Kind { Request, Response };
    enum class Progress { More, Done, Refused };
    // Bodies of at most so many bytes; heads of at most kMostHead.
    static constexpr qsizetype kMostHead = 16384;
    HttpReader(Kind kind, qint64 mostBody) : kind_(kind), mostBody_(mostBody) {}

    // Takes what came; what follows a whole message is left out.
    Progress feed(QByteArrayView bytes);
    // The other side has closed: that ends an answer of unknown length.
    Progress close();
    Progress progress() const { return progress_; }
    // Of what was refused: the status of HTTP that says so, and a line.
    int refusedAs() const { return refusedAs_; }
    const QString& refusal() const { return refusal_; }

    bool hasHead() const { return stage_ != Stage::Head; }
    // "POST /path HTTP/1.1", "HTTP/1.1 200 OK"
    const QByteArray& startLine() const { return startLine_; }
    // By name in small letters; null where it is not there.
    QByteArray header(const char* name) const;
    // What came of the body since the last call.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/samp/http_reader.h"

#include <QList>
#include <algorithm>
#include <utility>

namespace armilla {

namespace {

// RFC 9112, 7.1: hexadecimal digits, then perhaps extensions.
std::optional<qint64> chunkSize(const QByteArray& line) {
    const QByteArray digits = line.left(line.indexOf(';') < 0 ? line.size() : line.indexOf(';'));
    bool isRead = false;
    const qint64 size = digits.trimmed().toLongLong(&isRead, 16);
    return isRead && size >= 0 ? std::optional(size) : std::nullopt;
}

std::optional<qint64> contentLength(const QByteArray& text) {
    if (text.isEmpty() ||
        !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    bool isRead = false;
    const qint64 length = text.toLongLong(&isRead);
    return isRead ? std::optional(length) : std::nullopt;
}

}  // namespace

QByteArray HttpReader::header(const char* name) const {
    const auto found = headers_.find(name);
    return found == headers_.end() ? QByteArray() : found->second;
}

QByteArray HttpReader::takeBody() {
    return std::exchange(body_, {});
}

HttpReader::Progress HttpReader::refuse(int status, const QString& line) {
    refusedAs_ = status;
    refusal_ = line;
    waiting_.clear();
    return progress_ = Progress::Refused;
}

HttpReader::Progress HttpReader::feed(QByteArrayView bytes) {
    if (progress_ != Progress::More) return progress_;
    waiting_.append(bytes);
    while (progress_ == Progress::More && stage_ != Stage::Done && step()) {
    }
    if (progress_ == Progress::More && stage_ == Stage::Done) progress_ = Progress::Done;
    return progress_;
}

HttpReader::Progress HttpReader::close() {
    if (progress_ != Progress::More) return progress_;
    if (stage_ == Stage::UntilClose) return progress_ = Progress::Done;
    return refuse(400, QStringLiteral("expected a whole message, found its beginning"));
}

bool HttpReader::step() {
    QByteArray line;
    switch (stage_) {
        case Stage::Head: return readHead();
        case Stage::ChunkSize: return readChunkSize();
        case Stage::ChunkEnd:
            if (!readLine(line)) return false;
            if (!line.isEmpty())
                refuse(400, QStringLiteral("expected the end of a chunk, found more"));
            stage_ = Stage::ChunkSize;
            return true;
        case Stage::Trailer:
            if (!readLine(line)) return false;
            total_ += line.size();
            if (total_ > mostBody_ + kMostHead) refuse(413, QStringLiteral("too long a trailer"));
            if (line.isEmpty()) stage_ = Stage::Done;
            return true;
        case Stage::Length:
        case Stage::ChunkData:
        case Stage::UntilClose: return readBody();
        case Stage::Done: return false;
    }
    return false;
}

bool HttpReader::readLine(QByteArray& line) {
    const qsizetype end = waiting_.indexOf('\n');
    if (end < 0) {
        if (waiting_.size() > kMostHead)
            refuse(431, QStringLiteral("expected a line of at most %1 bytes").arg(kMostHead));
        return false;
    }
    line = waiting_.left(end);
    if (line.endsWith('\r')) line.chop(1);
    waiting_.remove(0, end + 1);
    return true;
}

bool HttpReader::readHead() {
    qsizetype end = waiting_.indexOf("\r\n\r\n"), width = 4;
    if (const qsizetype bare = waiting_.indexOf("\n\n"); end < 0 || (bare >= 0 && bare < end)) {
        end = bare;
        width = 2;
    }
    if (end > kMostHead || (end < 0 && waiting_.size() > kMostHead)) {
        refuse(431, QStringLiteral("expected a head of at most %1 bytes").arg(kMostHead));
        return false;
    }
    if (end < 0) return false;
    const QList<QByteArray> lines = waiting_.left(end).split('\n');
    waiting_.remove(0, end + width);
    startLine_ = lines.front().trimmed();
    const bool isHttp =
        kind_ == Kind::Request ? startLine_.contains(" HTTP/1.") : startLine_.startsWith("HTTP/1.");
    if (!isHttp) {
        refuse(400, QStringLiteral("expected HTTP/1.1, found something else"));
        return false;
    }
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines[i].indexOf(':');
        const QByteArray name = lines[i].left(std::max<qsizetype>(colon, 0)).trimmed().toLower();
        // Two lengths, or an invalid one, are refused, because they allow request smuggling.
        if (colon <= 0 || (name == "content-length" && headers_.contains(name))) {
            refuse(400, QStringLiteral("expected headers of a name and a value"));
            return false;
        }
        headers_[name] = lines[i].mid(colon + 1).trimmed();
    }
    const QByteArray encoding = header("transfer-encoding").toLower();
    const bool hasLength = headers_.contains("content-length");
    if (!encoding.isEmpty()) {
        if (encoding != "chunked" || hasLength)
            refuse(501, QStringLiteral("expected a body as it is or in chunks"));
        stage_ = Stage::ChunkSize;
    } else if (hasLength) {
        const auto length = contentLength(header("content-length"));
        if (!length)
            refuse(400, QStringLiteral("expected the length of the body"));
        else if (*length > mostBody_)
            refuse(413, QStringLiteral("expected a body of at most %1 bytes, found %2")
                            .arg(mostBody_)
                            .arg(*length));
        left_ = length.value_or(0);
        stage_ = left_ > 0 ? Stage::Length : Stage::Done;
    } else {
        stage_ = kind_ == Kind::Response ? Stage::UntilClose : Stage::Done;
    }
    return true;
}

bool HttpReader::readChunkSize() {
    QByteArray line;
    if (!readLine(line)) return false;
    const auto size = chunkSize(line);
    if (!size) {
        refuse(400, QStringLiteral("expected the size of a chunk"));
        return false;
    }
    if (*size > mostBody_ - total_) {
        refuse(413, QStringLiteral("expected a body of at most %1 bytes").arg(mostBody_));
        return false;
    }
    left_ = *size;
    stage_ = left_ > 0 ? Stage::ChunkData : Stage::Trailer;
    return true;
}

bool HttpReader::readBody() {
    const bool isEndless = stage_ == Stage::UntilClose;
    const qsizetype taken = isEndless
                                ? waiting_.size()
                                : static_cast<qsizetype>(std::min<qint64>(left_, waiting_.size()));
    if (taken == 0) return false;
    body_ += waiting_.left(taken);
    waiting_.remove(0, taken);
    total_ += taken;
    left_ -= taken;
    if (isEndless) {
        if (total_ > mostBody_)
            refuse(413, QStringLiteral("expected a body of at most %1 bytes").arg(mostBody_));
        return false;
    }
    if (left_ == 0) stage_ = stage_ == Stage::Length ? Stage::Done : Stage::ChunkEnd;
    return true;
}

}  // namespace armilla

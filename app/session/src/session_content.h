// SPDX-License-Identifier: GPL-3.0-or-later
// The content of session files and autosaves.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>

#include "armilla/session/region_book.h"
#include "armilla/session/verdicts.h"

namespace armilla {

class Document;
class SourceReview;

// Size limit of a session file, for reading and therefore for writing: a million verdicts with
// short notes.
inline constexpr qint64 kLargestSession = qint64{256} << 20;

// The readable content of a session file: the document, and the user's regions and verdicts.
struct ReadSession {
    QJsonObject document;
    ReadVerdicts verdicts;
    ReadRegions regions;
    std::map<LayerId, double> thresholds;  // candidate thresholds, by layer
    QString thresholdsLeftOut;
    LayerId reviewed;      // the reviewed catalog layer
    QJsonObject spectrum;  // choices of the spectrum tool
    // Lines that describe unreadable content.
    QStringList leftOut() const;
};
// Thread-safe. Throws InvalidArgument for content that is no session of this program.
ReadSession readSession(const QByteArray& content);
// As readSession(), with `name` in front of an error.
ReadSession readSessionOf(const QByteArray& content, const QString& name);
// The bytes of a session file. Throws IoError, also for a file above the limit.
QByteArray readSessionFile(const QString& path);

// A function, callable in any thread, that returns the content of the present session. None if
// there is nothing to save. Paths of layers are also written relative to `folder`, if any.
std::function<QByteArray()> sessionWriter(const Document& document, const RegionBook& regions,
                                          const VerdictBook& verdicts, const SourceReview& review,
                                          const QJsonObject& spectrum, const QString& folder);

}  // namespace armilla

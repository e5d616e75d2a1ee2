// SPDX-License-Identifier: GPL-3.0-or-later
#include "session_content.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/session/document.h"
#include "armilla/session/document_json.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/source_review.h"
#include "json_fields.h"
#include "program_version.h"

namespace armilla {

namespace {

const QString kFormat = QStringLiteral("armilla-session");
// 1: only maps. 2: layers of four kinds. 3: stated frames.
constexpr int kVersion = 3;
// Above this number of verdicts the JSON is compact, which saves a third of the bytes; nobody reads
// that many by eye.
constexpr size_t kMostReadable = 1000;

QJsonObject objectOf(const QByteArray& content) {
    QJsonParseError problem{};
    const QJsonDocument json = QJsonDocument::fromJson(content, &problem);
    if (!json.isObject())
        throw InvalidArgument("expected the JSON of a session, found: " +
                              (problem.error == QJsonParseError::NoError
                                   ? std::string("something else than an object")
                                   : problem.errorString().toStdString() + " at byte " +
                                         std::to_string(problem.offset)));
    return json.object();
}

// Only layers in the file are written: other ids may be reused.
QJsonArray thresholdsOf(const Document& document, const std::map<LayerId, double>& thresholds) {
    QJsonArray array;
    const auto add = [&](LayerId layer) {
        if (const auto own = thresholds.find(layer); own != thresholds.end())
            array.append(QJsonObject{{"layer", layer.number()}, {"snr", own->second}});
    };
    for (const Layer& layer : document.entries()) add(layer.id);
    for (const AwaitedLayer& layer : document.recovery().awaited()) add(layer.id);
    for (const MissingLayer& each : document.recovery().missing()) add(each.layer.id);
    return array;
}

void readThresholds(const QJsonValue& json, ReadSession& read) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    json::LeftOut leftOut;
    if (!json.isUndefined() && !json.isArray()) leftOut.add(ProjectKeeper::tr("expected a list"));
    const QJsonArray list = json.toArray();
    for (const QJsonValue value : list) try {
            const QJsonObject each = value.toObject();
            const LayerId layer = json::layerId(each, "layer");
            read.thresholds[layer] = json::number(each, "snr", -kLargest, kLargest);
        } catch (const Error& error) {
            leftOut.add(QString::fromUtf8(error.what()));
        }
    if (leftOut.count > 0)
        read.thresholdsLeftOut =
            ProjectKeeper::tr(
                "%n threshold(s) of candidates that cannot be read were skipped; the "
                "first: %1",
                nullptr, leftOut.count)
                .arg(leftOut.first);
}

}  // namespace

QStringList ReadSession::leftOut() const {
    QStringList lines{verdicts.leftOut, regions.leftOut, thresholdsLeftOut};
    lines.removeAll(QString());
    return lines;
}

ReadSession readSession(const QByteArray& content) {
    const QJsonObject object = objectOf(content);
    if (json::text(object, "format", 64) != kFormat)
        json::fail(QStringLiteral("format"), kFormat, object["format"]);
    const auto version = json::integer(object, "version", 1, 1000000);
    if (version > kVersion)
        throw InvalidArgument("expected a session of version " + std::to_string(kVersion) +
                              ", found version " + std::to_string(version) +
                              ", made by a newer program");
    ReadSession read{
        json::child(object, "document"),
        verdictsFrom(object["verdicts"]),
        regionsFrom(object["regions"]),
        {},
        {},
        LayerId(object["reviewed"].toInt(-1)),  // an id without a catalog never resumes
        object["spectrum"].toObject()};
    readThresholds(object["thresholds"], read);
    return read;
}

QByteArray readSessionFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw IoError(path.toStdString() +
                      ": expected a session file, found: " + file.errorString().toStdString());
    // Reading one byte more than the limit distinguishes an endless file (a pipe, a device) from a
    // large one.
    QByteArray content = file.read(kLargestSession + 1);
    if (content.size() > kLargestSession)
        throw IoError(path.toStdString() + ": expected a session file of at most " +
                      std::to_string(kLargestSession >> 20) + " MiB, found more");
    return content;
}

ReadSession readSessionOf(const QByteArray& content, const QString& name) {
    try {
        return readSession(content);
    } catch (Error& error) {
        error.addContext(name.toStdString());
        throw;
    }
}

std::function<QByteArray()> sessionWriter(const Document& document, const RegionBook& regions,
                                          const VerdictBook& verdicts, const SourceReview& review,
                                          const QJsonObject& spectrum, const QString& folder) {
    if (document.entries().empty() && document.recovery().awaited().empty() &&
        document.recovery().missing().empty())
        return {};
    QJsonObject content{{"format", kFormat}, {"version", kVersion}, {"program", programVersion()}};
    if (const QJsonArray moved = thresholdsOf(document, review.thresholds().all());
        !moved.isEmpty())
        content["thresholds"] = moved;
    // While the file of the reviewed layer is being read or is missing, the awaited layer counts.
    const LayerId reviewed = review.layer().isValid() ? review.layer() : review.awaited();
    if (reviewed.isValid()) content["reviewed"] = reviewed.number();
    if (!spectrum.isEmpty()) content["spectrum"] = spectrum;
    // Runs in a thread: a million verdicts take seconds to write. The snapshot copies only changed
    // parts.
    return [content, written = jsonWriter(document, folder), drawn = regions.all(),
            decided = verdicts.snapshot(), count = verdicts.all().size()]() mutable {
        content["document"] = written();
        if (!drawn.empty()) content["regions"] = toJson(drawn);
        if (count > 0) content["verdicts"] = toJson(decided);
        const QByteArray bytes = QJsonDocument(content).toJson(
            count > kMostReadable ? QJsonDocument::Compact : QJsonDocument::Indented);
        if (bytes.size() > kLargestSession)
            throw InvalidArgument("expected a session of at most " +
                                  std::to_string(kLargestSession >> 20) + " MiB, found " +
                                  std::to_string((bytes.size() >> 20) + 1) +
                                  "; fewer verdicts and shorter notes make it smaller");
        return bytes;
    };
}

}  // namespace armilla

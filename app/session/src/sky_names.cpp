// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/sky_names.h"

#include <QDateTime>
#include <QDir>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/io/table_io.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "known_places.h"

namespace armilla {

namespace {

// Names searched synchronously: about 10 ms.
constexpr int64_t kMostAtOnce = 300000;
const QString kNamesSlot = QStringLiteral("names");
const QString kFolder = QStringLiteral("armilla/names");

// Marks that change when a table is added, replaced or removed.
QStringList marksOf(const QFileInfoList& files) {
    QStringList marks;
    for (const QFileInfo& file : files)
        marks << QStringLiteral("%1 %2 %3")
                     .arg(file.filePath())
                     .arg(file.size())
                     .arg(file.lastModified().toMSecsSinceEpoch());
    return marks;
}

bool isLeftOut(char c) {
    return c == ' ' || c == '_' || c == '\t';
}
bool isBetween(char c) {
    return c == ',' || c == ';' || c == '|';
}

// Calls `take` for each letter of a name in normal form, `end` after each name of a list.
template <typename Take, typename End>
void fold(std::string_view text, const Take& take, const End& end) {
    char before = 0;  // the previous letter taken
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = lowerCase(text[i]);
        if (isBetween(c)) {
            end();
            before = 0;
        } else if (!isLeftOut(c)) {
            const bool fills = c == '0' && !isDigit(before) && before != '.' &&
                               i + 1 < text.size() && isDigit(text[i + 1]);
            if (fills) continue;
            take(c);
            before = c;
        }
    }
    end();
}

// True if a cell holds the name.
bool holds(std::string_view cell, const std::string& wanted) {
    size_t at = 0;
    bool isSame = true, isFound = false;
    fold(
        cell,
        [&](char c) {
            isSame = isSame && at < wanted.size() && wanted[at] == c;
            ++at;
        },
        [&] {
            isFound = isFound || (isSame && at == wanted.size());
            at = 0;
            isSame = true;
        });
    return isFound;
}

std::string_view numberedPrefix(const TableColumn& column) {
    for (const std::string_view prefix : {"m", "ngc", "ic", "hip", "hd"})
        if (foldedName(column.name) == prefix) return prefix;
    return {};
}

bool isOfNames(const TableColumn& column) {
    if (column.width != 1) return false;
    if (column.isInteger()) return !numberedPrefix(column).empty();
    if (!column.isText()) return false;
    if (column.ucd.starts_with("meta.id")) return true;
    static constexpr std::string_view kUsual[] = {
        "name",      "names",      "id",         "mainid",      "object",     "objectname",
        "objname",   "source",     "sourcename", "designation", "identifier", "identifiers",
        "othername", "othernames", "commonname", "commonnames", "alias",      "aliases",
        "5ghzid",    "target",     "m",          "ngc",         "ic",         "xid"};
    std::string name = foldedName(column.name);
    name.erase(
        std::remove_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }),
        name.end());
    return std::find(std::begin(kUsual), std::end(kUsual), name) != std::end(kUsual);
}

bool hasPlace(const Catalog& catalog, int64_t row) {
    const LonLat at = catalog.at(row);
    return std::isfinite(at.lon) && std::isfinite(at.lat);
}

int64_t namesIn(const Catalog& catalog) {
    return catalog.rows() * static_cast<int64_t>(nameColumns(catalog.table).size());
}

// An integer under the name of a great catalog: "m" and 31.
std::optional<int64_t> numberIn(const std::string& folded, std::string_view prefix) {
    if (!std::string_view(folded).starts_with(prefix) || folded.size() == prefix.size() ||
        folded.size() > prefix.size() + 9)
        return std::nullopt;
    int64_t number = 0;
    for (size_t i = prefix.size(); i < folded.size(); ++i) {
        if (!isDigit(folded[i])) return std::nullopt;
        number = 10 * number + (folded[i] - '0');
    }
    return number;
}

// True if a normalized name contains the part without cutting a number: "ngc13" does not match
// "ngc1300", nor "3c454" "3c454.3".
bool hasPart(std::string_view name, std::string_view part) {
    const auto isOfNumber = [](char c) { return isDigit(c) || c == '.'; };
    for (size_t at = name.find(part); at != std::string_view::npos; at = name.find(part, at + 1)) {
        const size_t end = at + part.size();
        const bool cutsBefore = isDigit(part.front()) && at > 0 && isOfNumber(name[at - 1]);
        const bool cutsAfter = isDigit(part.back()) && end < name.size() && isOfNumber(name[end]);
        if (!cutsBefore && !cutsAfter) return true;
    }
    return false;
}

}  // namespace

std::string foldedName(std::string_view name) {
    std::string folded;
    fold(
        name, [&](char c) { folded += c; }, [] {});
    return folded;
}

std::vector<int> nameColumns(const Table& table) {
    std::vector<int> columns;
    for (size_t i = 0; i < table.columns.size(); ++i)
        if (isOfNames(table.columns[i])) columns.push_back(static_cast<int>(i));
    return columns;
}

std::optional<int64_t> rowNamed(const Catalog& catalog, const std::string& folded,
                                JobContext* job) {
    constexpr int64_t kPoll = 65536;
    if (folded.empty()) return std::nullopt;
    std::optional<int64_t> found;
    for (const int index : nameColumns(catalog.table)) {
        const TableColumn& column = catalog.table.columns[static_cast<size_t>(index)];
        const std::string_view prefix = numberedPrefix(column);
        const auto number = prefix.empty() ? std::nullopt : numberIn(folded, prefix);
        if (column.isInteger() && !number) continue;
        const int64_t end = std::min(column.rows(), found.value_or(column.rows()));
        for (int64_t row = 0; row < end; ++row) {
            if (job && row % kPoll == 0) job->poll();
            const auto at = static_cast<size_t>(row);
            bool isIt = false;
            if (column.isInteger()) {
                isIt = std::get<std::vector<int64_t>>(column.values)[at] == *number;
            } else {
                const std::string& cell = std::get<std::vector<std::string>>(column.values)[at];
                isIt = holds(cell, folded) || (number && holds(cell, folded.substr(prefix.size())));
            }
            if (!isIt || !hasPlace(catalog, row)) continue;
            found = row;
            break;
        }
    }
    return found;
}

QStringList skyNames() {
    QStringList names;
    for (const KnownPlace& place : knownPlaces()) names += QString::fromUtf8(place.name);
    return names;
}

std::optional<QString> onlySkyNameWith(const QString& part) {
    const std::string wanted = foldedName(part.toStdString());
    std::optional<QString> only;
    if (wanted.empty()) return only;
    for (const KnownPlace& place : knownPlaces()) {
        if (!hasPart(foldedName(place.name), wanted)) continue;
        if (only) return std::nullopt;
        only = QString::fromUtf8(place.name);
    }
    return only;
}

std::optional<LonLat> namedPosition(const QString& name) {
    const std::string wanted = foldedName(name.toStdString());
    if (wanted.empty()) return std::nullopt;
    for (const KnownPlace& place : knownPlaces()) {
        // "M 1 (Crab)" is found by either name, and by both.
        const std::string_view whole = place.name;
        const size_t bracket = whole.find(" (");
        const bool isOther =
            bracket != std::string_view::npos &&
            (foldedName(whole.substr(0, bracket)) == wanted ||
             foldedName(whole.substr(bracket + 2, whole.size() - bracket - 3)) == wanted);
        if (isOther || foldedName(whole) == wanted)
            return LonLat{place.rightAscension * kDegree, place.declination * kDegree};
    }
    return std::nullopt;
}

LonLat typedPosition(const QString& text, Frame frame) {
    // Copied text often contains a true minus sign.
    QString plain = text;
    return parseTypedPosition(plain.replace(QChar(0x2212), QLatin1Char('-')).toStdString(), frame);
}

LonLat searchedPosition(const QString& text, Frame frame) {
    if (const auto place = namedPosition(text)) {
        if (frame == Frame::Unknown)
            throw InvalidArgument("expected a map whose frame is known to find \"" +
                                  text.toStdString() + "\", found one of unknown frame");
        return lonLat(frameRotation(frame, Frame::Equatorial) * direction(*place));
    }
    return typedPosition(text, frame);
}

NameSearch::NameSearch(Document& document, JobRunner& jobs, QObject* parent)
    : QObject(parent), document_(document), jobs_(jobs) {}

std::optional<NamedPlace> NameSearch::find(const QString& name) const {
    const std::string folded = foldedName(name.toStdString());
    int64_t names = 0;
    for (const Layer& layer : document_.entries()) {
        if (!layer.catalog || (names += namesIn(*layer.catalog)) > kMostAtOnce) continue;
        if (const auto row = rowNamed(*layer.catalog, folded, nullptr))
            return NamedPlace{layer.catalog->at(*row), layer.catalog->frame(), layer.id, *row,
                              layer.name};
    }
    return std::nullopt;
}

bool NameSearch::hasMore() const {
    int64_t names = 0;
    for (const Layer& layer : document_.entries())
        if (layer.catalog) names += namesIn(*layer.catalog);
    return names > kMostAtOnce || !tableFiles().isEmpty();
}

void NameSearch::cancel() {
    jobs_.cancelSlot(kNamesSlot);
}

QString NameSearch::userFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QLatin1Char('/') + kFolder;
}

QFileInfoList NameSearch::tableFiles() {
    QFileInfoList files;
    for (const QString& folder : QStandardPaths::locateAll(
             QStandardPaths::GenericDataLocation, kFolder, QStandardPaths::LocateDirectory))
        files += QDir(folder).entryInfoList(QDir::Files, QDir::Name);
    return files;
}

void NameSearch::search(const QString& name, Done done) {
    struct Found {
        std::optional<NamedPlace> place;
        std::shared_ptr<const Tables> tables;
        QString problem;
    };
    std::vector<std::pair<NamedPlace, std::shared_ptr<const Catalog>>> open;
    for (const Layer& layer : document_.entries())
        if (layer.catalog)
            open.push_back({{{}, layer.catalog->frame(), layer.id, -1, layer.name}, layer.catalog});
    jobs_.run<Found>(
        tr("Look for %1").arg(name), JobLane::Io, kNamesSlot, this,
        [open, folded = foldedName(name.toStdString()), tables = tables_,
         files = tableFiles()](JobContext& job) {
            Found found;
            const auto look = [&](NamedPlace at, const Catalog& catalog) {
                const auto row = rowNamed(catalog, folded, &job);
                if (!row || found.place) return;
                at.place = catalog.at(*row);
                at.row = at.layer.isValid() ? *row : -1;
                found.place = at;
            };
            for (const auto& [at, catalog] : open) look(at, *catalog);
            if (found.place) return found;
            found.tables = tables;
            if (QStringList marks = marksOf(files); !tables || tables->marks != marks) {
                QStringList problems;
                auto read = std::make_shared<Tables>();
                const QStringList refused = tables ? tables->refused : QStringList();
                for (qsizetype i = 0; i < files.size(); ++i) {
                    if (refused.contains(marks[i])) {
                        read->refused << marks[i];
                        continue;
                    }
                    try {
                        const std::string path = files[i].filePath().toStdString();
                        read->tables.push_back(
                            {files[i].filePath(),
                             std::make_shared<const Catalog>(readCatalog(path, job))});
                    } catch (const Error& error) {
                        read->refused << marks[i];
                        problems << QString::fromUtf8(error.what());
                    }
                }
                read->marks = std::move(marks);
                found.problem = problems.join(QStringLiteral("; "));
                found.tables = std::move(read);
            }
            for (const NameTable& table : found.tables->tables)
                look({{}, table.catalog->frame(), {}, -1, QFileInfo(table.path).fileName()},
                     *table.catalog);
            return found;
        },
        [this, done](const Found& found) {
            if (found.tables) tables_ = found.tables;
            done(found.place, found.problem);
        },
        [done](const QString& line) { done(std::nullopt, line); });
}

}  // namespace armilla

#include "armilla/session/moc_sky_names.cpp"

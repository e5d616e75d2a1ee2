// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/stated_file.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/io/table_io.h"
#include "enum_names.h"
#include "file_question.h"
#include "json_fields.h"

namespace armilla {

namespace {

constexpr qsizetype kLongestName = 200, kMostColumns = 1000;

QString orderingWord(Ordering ordering) {
    return ordering == Ordering::Ring ? QStringLiteral("ring") : QStringLiteral("nested");
}

// The fact whose option an error of a reader names.
std::optional<FileFact> factNamedIn(const QString& line) {
    const std::pair<QLatin1String, FileFact> options[] = {
        {QLatin1String("--input-index"), FileFact::Index},
        {QLatin1String("--input-nside"), FileFact::Nside},
        {QLatin1String("--input-ordering"), FileFact::Ordering},
        {QLatin1String("--columns"), FileFact::Columns},
        {QLatin1String("--input-dl"), FileFact::SpectrumForm}};
    for (const auto& [option, fact] : options)
        if (line.contains(option)) return fact;
    return std::nullopt;
}

bool isStated(const StatedFile& stated, FileFact fact) {
    switch (fact) {
        case FileFact::Nside: return stated.nside > 0;
        case FileFact::Ordering: return stated.ordering.has_value();
        case FileFact::Index: return !stated.index.isEmpty();
        case FileFact::Columns: return !stated.columns.isEmpty();
        case FileFact::SpectrumForm: return stated.isDl.has_value();
    }
    return false;
}

// The least nside whose pixels include the largest integer of the first column of integers.
int64_t leastNsideOf(const Table& table) {
    for (const TableColumn& column : table.columns) {
        const auto* numbers = std::get_if<std::vector<int64_t>>(&column.values);
        if (!numbers || numbers->empty()) continue;
        const int64_t largest = *std::max_element(numbers->begin(), numbers->end());
        int64_t nside = 1;
        while (nside < kMaxNside && pixelCount(nside) <= largest) nside *= 2;
        return nside;
    }
    return 1;
}

}  // namespace

bool StatedFile::any() const {
    return *this != StatedFile{};
}

QStringList StatedFile::words() const {
    QStringList words;
    if (nside > 0) words << QStringLiteral("--input-nside") << QString::number(nside);
    if (ordering) words << QStringLiteral("--input-ordering") << orderingWord(*ordering);
    if (!index.isEmpty()) words << QStringLiteral("--input-index") << index;
    if (!columns.isEmpty()) words << QStringLiteral("--columns") << columns.join(QLatin1Char(','));
    if (isDl) words << (*isDl ? QStringLiteral("--input-dl") : QStringLiteral("--input-cl"));
    return words;
}

QJsonObject StatedFile::toJson() const {
    QJsonObject json;
    if (nside > 0) json["nside"] = static_cast<qint64>(nside);
    if (ordering) json["ordering"] = orderingWord(*ordering);
    if (!index.isEmpty()) json["index"] = index;
    if (!columns.isEmpty()) json["columns"] = QJsonArray::fromStringList(columns);
    if (isDl) json["isDl"] = *isDl;
    return json;
}

StatedFile StatedFile::fromJson(const QJsonObject& json) {
    StatedFile stated;
    if (json.contains("nside")) stated.nside = json::integer(json, "nside", 1, kMaxNside);
    if (json.contains("ordering")) {
        const QString word = json::text(json, "ordering", kLongestName);
        for (const Ordering each : {Ordering::Ring, Ordering::Nested})
            if (word == orderingWord(each)) stated.ordering = each;
        if (!stated.ordering)
            json::fail(QStringLiteral("ordering"), QStringLiteral("ring or nested"), word);
    }
    if (json.contains("index")) stated.index = json::text(json, "index", kLongestName);
    if (json.contains("columns"))
        for (const QJsonValue name : json::array(json, "columns", kMostColumns))
            stated.columns << name.toString().left(kLongestName);
    if (json.contains("isDl")) stated.isDl = json::boolean(json, "isDl");
    return stated;
}

std::optional<FileQuestion> fileQuestion(const QString& path, const StatedFile& stated,
                                         const QString& line, JobContext& job) {
    const auto fact = factNamedIn(line);
    if (!fact || isStated(stated, *fact)) return std::nullopt;
    FileQuestion question{path, *fact, stated, {}, 1};
    if (*fact == FileFact::Ordering || *fact == FileFact::SpectrumForm) return question;
    try {
        TableReadOptions options;
        options.variableLength = TableReadOptions::VariableLength::LeaveOut;
        const Table table = readTable(path.toStdString(), options, job);
        for (const TableColumn& column : table.columns)
            question.columns << QString::fromStdString(column.name);
        question.leastNside = leastNsideOf(table);
    } catch (const Error&) {
        // The question needs no list of columns.
    }
    return question;
}

}  // namespace armilla

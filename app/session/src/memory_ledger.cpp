// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/memory_ledger.h"

#include <algorithm>
#include <functional>

namespace armilla {

namespace {

// "1.6 GB": three digits at most, decimal units.
QString bytesText(int64_t bytes) {
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(units)) {
        value /= 1000.0;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(value, 0, 'f', decimals).arg(QLatin1String(units[unit]));
}

}  // namespace

int64_t MemoryLedger::host() const {
    int64_t bytes = plans + undo.bytes;
    for (const Row& row : rows) bytes += row.values + row.picture;
    return bytes;
}

int64_t MemoryLedger::device() const {
    int64_t bytes = 0;
    for (const Row& row : rows) bytes += row.device;
    return bytes;
}

QStringList MemoryLedger::lines() const {
    // Only the largest rows, in list order: a thousand lines do not fit a tool tip.
    constexpr size_t kMostLines = 20;
    const auto bytesOf = [](const Row& row) { return row.values + row.picture + row.device; };
    int64_t least = 0;
    if (rows.size() > kMostLines) {
        std::vector<int64_t> bytes;
        for (const Row& row : rows) bytes.push_back(bytesOf(row));
        std::nth_element(bytes.begin(), bytes.begin() + kMostLines, bytes.end(), std::greater());
        least = bytes[kMostLines] + 1;
    }
    QStringList lines;
    int others = 0;
    int64_t ofOthers = 0;
    for (const Row& row : rows) {
        if (bytesOf(row) < least) {
            ++others;
            ofOthers += bytesOf(row);
            continue;
        }
        QString line = Document::tr("%1: %2").arg(row.name, bytesText(row.values));
        if (row.picture > 0) line += Document::tr(", ready to draw %1").arg(bytesText(row.picture));
        if (row.device > 0) line += Document::tr(", on the device %1").arg(bytesText(row.device));
        lines << line;
    }
    if (others > 0)
        lines << Document::tr("%n other layer(s): %1", nullptr, others).arg(bytesText(ofOthers));
    lines << Document::tr("Plans of live smoothing: %1").arg(bytesText(plans));
    QString held =
        Document::tr("Undo: %1 of at most %2").arg(bytesText(undo.bytes), bytesText(undo.budget));
    if (undo.recipes > 0)
        held += Document::tr(", and %n closed layer(s) as recipe(s)", nullptr, undo.recipes);
    lines << held;
    lines << (device() > 0 ? Document::tr("Together: %1, on the device %2")
                                 .arg(bytesText(host()), bytesText(device()))
                           : Document::tr("Together: %1").arg(bytesText(host())));
    return lines;
}

MemoryLedger memoryLedger(const Document& document, int64_t planBytes,
                          const std::map<LayerId, int64_t>& deviceBytes) {
    MemoryLedger ledger;
    for (const Layer& layer : document.entries()) {
        MemoryLedger::Row row;
        row.layer = layer.id;
        row.name = layer.name;
        row.values = factsOf(layer.kind()).memoryBytes(layer);
        row.picture = document.drawings().pictureBytes(layer.id);
        if (const auto found = deviceBytes.find(layer.id); found != deviceBytes.end())
            row.device = found->second;
        ledger.rows.push_back(row);
    }
    ledger.plans = planBytes;
    ledger.undo = document.history().memory();
    return ledger;
}

}  // namespace armilla
